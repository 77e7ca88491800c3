"""What the table must know beside the set-up: what is true of turn zero, who stands where, and how it ends."""

from collections.abc import Callable, Iterable

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.battle_scene import BattleNote, BattleNotes
from rules_engine.rulebooks.pq17.ch08_combat.battle_setup import alike, battle_speed, is_active_unit, may_be_scout
from rules_engine.rulebooks.pq17.ch08_combat.battle_tables import speed_cap
from rules_engine.rulebooks.pq17.ch08_combat.pictures.ranges import Forces
from rules_engine.rulebooks.pq17.ch11_repair.refits import is_inactive
from rules_engine.rulebooks.pq17.contacts.identification import is_warp_on
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State


def notes_of(state: State, battle: Battle, forces: Forces) -> Iterable[BattleNotes]:
    yield BattleNotes(title="Before turn 1", notes=tuple(_before(state, battle, forces)))
    if where := tuple(_where(battle, forces)):
        yield BattleNotes(title="Where", notes=where)
    agreed = (f"Agreed: {state.settings.battle_notes}",) if state.settings.battle_notes else ()
    ends = (
        ("By separation, or when one side is gone", "8.5.5.5"),
        ("Note the battle turn of each ship that leaves", "8.5.5.5"),
        ("Who has left is in Reserve, known at ID3", "8.2.4"),
        ("A base cannot disengage", "8.5.5.5"),
        ("Fuel above the boxes left is lost", "9.8"),
    )
    has_base = any(force.is_base for force in forces.values())
    kept = [(says, of) for says, of in ends if has_base or not says.startswith("A base")]
    notes = [BattleNote(says=says) for says in agreed] + [BattleNote(says=says, rule=of) for says, of in kept]
    yield BattleNotes(title="How it ends", notes=tuple(notes))


@rule("8.5.3", "8.5.3.2", "8.5.3.3", "8.5.5.2", "8.5.5.3", "8.5.5.3.3", "8.5.5.3.6")
def _before(state: State, battle: Battle, forces: Forces) -> Iterable[BattleNote]:
    """What is true of turn zero. PQ-17 8.5.3, 8.5.5.2, 8.5.5.3."""
    if battle.surprised:
        yield BattleNote(says="Original defender: weapon status 1", rule="8.5.3.2")
        yield BattleNote(says="Everybody else: weapon status 3", rule="8.5.5.2")
    else:
        yield BattleNote(says="All units: weapon status 3", rule="8.5.3")
    yield BattleNote(says="Shields minimum or full, as on turn zero", rule="8.5.5.3.3")
    yield BattleNote(says="Held weapons are paid for on turn zero", rule="8.5.5.3.6")
    for of, duty in _DUTIES:
        for force in forces.values():
            said = [
                (battle.name_of(unit.id), words)
                for unit in state.separate_units(force)
                if (words := duty(state, battle, unit, force))
            ]
            for line in alike(said):
                yield BattleNote(says=line, rule=of)


def _inactive(state: State, battle: Battle, unit: Unit, force: TaskForce) -> str:
    return "all systems inactive" if is_inactive(unit) else ""


def _scouts(state: State, battle: Battle, unit: Unit, force: TaskForce) -> str:
    return "one special sensor powered, to scout" if may_be_scout(state, unit, force) else ""


def _dark(state: State, battle: Battle, unit: Unit, force: TaskForce) -> str:
    blind = not is_inactive(unit) and not is_active_unit(state, unit, force)
    return "active fire control off" if blind else ""


def _cloaks(state: State, battle: Battle, unit: Unit, force: TaskForce) -> str:
    return "cloak powered; cloaked at the start" if force.posture.cloak and not is_inactive(unit) else ""


def _slow(state: State, battle: Battle, unit: Unit, force: TaskForce) -> str:
    cap = speed_cap(battle_speed(state, battle, force), original_defender=force.id in battle.original)
    return "" if cap is None or is_inactive(unit) else f"speed at most {cap} before turn 1"


def _cold(state: State, battle: Battle, unit: Unit, force: TaskForce) -> str:
    cold = unit.power_boxes and not is_inactive(unit) and not is_warp_on(state, force)
    return "no warp or AWR power on turns 0 and 1" if cold else ""


def _off(state: State, battle: Battle, unit: Unit, force: TaskForce) -> str:
    off = unit.boxes_off if not is_inactive(unit) else 0
    return f"{off} of {unit.power_boxes} power boxes off" if off else ""


_DUTIES: tuple[tuple[str, Callable[[State, Battle, Unit, TaskForce], str]], ...] = (
    ("11.5.4", _inactive),
    ("8.5.5.3.5", _scouts),
    ("8.5.5.3.8", _dark),
    ("8.5.5.3.7", _cloaks),
    ("T3b", _slow),
    ("T3c", _cold),
    ("8.3.5.3", _off),
)


@rule("1.8.12.10", "8.5.5.4.3")
def _where(battle: Battle, forces: Forces) -> Iterable[BattleNote]:
    """Who stands where by something else than the steps. PQ-17 1.8.12.10, 8.5.5.4.3; ruling CMB-7."""
    for force in forces.values():
        if force.base is not None:
            for unit_id, where in force.base.positions.items():
                if unit_id in force.units:
                    said = f"{battle.name_of(unit_id)} beside {force.base.name}: {where}"
                    yield BattleNote(says=said, rule="1.8.12.10")
    for number, key in enumerate(sorted(battle.joiners), start=1):
        against = battle.attackers.index(battle.joiners[key]) + 1
        yield BattleNote(says=f"Relieving force {number}: at attacking force {against}", rule="CMB-7")
