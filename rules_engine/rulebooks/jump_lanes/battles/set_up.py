"""The sheet by which a battle is fought by hand: units, tows, and to each side alone what it carries."""

from collections.abc import Iterable

from rules_engine.core.basics.base import Party, Side, SideLabel
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.knowledge.battle_scene import (
    BattleForce,
    BattleScene,
    BattleUnit,
    notes_from,
)
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import BattleSetup
from rules_engine.rulebooks.jump_lanes.battles.account import unit_of
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import rating_of, strained
from rules_engine.rulebooks.jump_lanes.ch2_encounters.opposing import opposes
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import load_of, pooled_rating
from rules_engine.rulebooks.jump_lanes.ch4_towing.tows import battle_notes
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn, names_of
from rules_engine.rulebooks.jump_lanes.records.units import Squadron, Unit


def set_up_of(turn: LanesTurn, battle: Battle) -> BattleSetup:
    """The sheet of a battle: all see all units that fight, each its own cargo."""
    state = turn.state
    units = {code: unit_of(state, battle, code) for code in battle.lines}
    names = " against ".join(state.empires[side].name for side in battle.sides)
    panels = [
        Panel(
            title=state.empires[side].name,
            rows=tuple(_shown(code, unit) for code, unit in units.items() if unit.empire == side),
        )
        for side in battle.sides
    ]
    if tows := _tows(state, units):
        panels.append(tows)
    preposition = "in" if battle.in_lane else "at"
    return BattleSetup(
        key=turn.place,
        title=f"Battle {preposition} {battle.name}: {names}",
        where=f"{battle.name}, turn {state.turn}",
        panels=tuple(panels),
        secret={side: (_own_panel(state, units, side),) for side in battle.sides},
        scene=_scene(state, battle, units, tows),
    )


def _shown(code: str, unit: Unit) -> str:
    marks = [
        word
        for word, true in (
            ("crippled", unit.crippled),
            ("out of supply", unit.out_of_supply),
            ("towing", unit.tows),
            ("in tow", unit.towed),
        )
        if true
    ]
    return f"{code} {unit.name}: {', '.join([unit.kind, f'SIZ {unit.siz}', *marks])}"


def _squadrons(state: LanesState, units: Iterable[Unit]) -> list[Squadron]:
    keys = dict.fromkeys(unit.squadron for unit in units if unit.squadron)
    return [state.squadrons[key] for key in keys]


def tow_notes(state: LanesState, units: Iterable[Unit]) -> list[str]:
    """What is said of tows that go into a battle of these units."""
    rows: list[str] = []
    for squadron in _squadrons(state, units):
        members = state.members(squadron.id)
        rows += battle_notes([one for one in members if one.tows], [one for one in members if one.towed])
    return rows


def _tows(state: LanesState, units: dict[str, Unit]) -> Panel | None:
    rows = tow_notes(state, units.values())
    return Panel(title="Tows (13.4.2)", rows=tuple(rows)) if rows else None


def _own_panel(state: LanesState, units: dict[str, Unit], side: Side) -> Panel:
    rows = [f"{code} {unit.name}: {_ratings(unit)}" for code, unit in units.items() if unit.empire == side]
    for squadron in (one for one in _squadrons(state, units.values()) if one.empire == side):
        aboard = state.carried(squadron.id)
        lots = [counted(lot.amount, f"{lot.kind} point") for lot in squadron.hold]
        if aboard or lots:
            what = ", ".join(filter(None, [names_of(aboard), *lots]))
            rating = pooled_rating(state.members(squadron.id))
            rows.append(f"{squadron.name} carries {what}: {show_fraction(load_of(state, squadron))} of {rating}")
    return Panel(title="Your units", rows=tuple(rows))


def _ratings(unit: Unit) -> str:
    """The ratings that a unit has."""
    ratings = {
        "Engines": rating_of(unit, "engines"), "Mobility": strained(unit.mobility) if unit.tows else unit.mobility,
        "Cargo": unit.cargo, "Towing": unit.towing, "Basing": unit.basing,
    }  # fmt: skip
    return ", ".join(f"{name} {value}" for name, value in ratings.items() if value) or "no ratings"


def _scene(state: LanesState, battle: Battle, units: dict[str, Unit], tows: Panel | None) -> BattleScene:
    labels = {
        side: SideLabel(key=side, name=state.empires[side].name, emblem=state.empires[side].emblem)
        for side in battle.sides
    }
    first = battle.sides[0]
    together = [side for side in battle.sides if side == first or not opposes(state, first, side)]
    rest = [side for side in battle.sides if side not in together]
    does = ("lands", "defends") if battle.kind == "ground" else ("fights", "fights")
    seats = {side: seat for seat, side in enumerate(state.empires)}
    return BattleScene(
        title=f"Battle {'in' if battle.in_lane else 'at'} {battle.name}",
        when=f"Turn {state.turn}",
        parties=tuple(Party(label=labels[side], seat=seats[side]) for side in battle.sides),
        forces=(BattleForce(sides=tuple(together), does=does[0]), BattleForce(sides=tuple(rest), does=does[1])),
        units=tuple(
            BattleUnit(
                code=code,
                side=unit.empire,
                kind=f"{unit.name}, {unit.kind}",
                under=", ".join([f"SIZ {unit.siz}", *(["crippled"] if unit.crippled else [])]),
            )
            for code, unit in units.items()
        ),
        notes=() if tows is None else (notes_from(tows),),
    )
