"""Chapter 3.4, 3.6 and 3.7: battles fought by hand. Set-up, flanking, and applying the result."""

from collections.abc import Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import verb
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.accounts import HOW_IT_ENDED, NOTHING_LOST, StatedEnd
from rules_engine.core.protocol.asks import SETTLED_BY, Ask, BattleSetup, Steps
from rules_engine.core.protocol.question import Question, first_words
from rules_engine.core.tactics.describing import described
from rules_engine.rulebooks.cutler.ch02_movement.movement import top_speed
from rules_engine.rulebooks.cutler.ch02_movement.nebulae import random_hex
from rules_engine.rulebooks.cutler.ch03_combat.battle_guide import battle_guide
from rules_engine.rulebooks.cutler.ch03_combat.battle_results import (
    BattleResult,
    agree,
    broken_off,
    captor_of,
    judge_result,
    line_text,
    owner_of,
    result_form,
    unit_of,
    warn_result,
)
from rules_engine.rulebooks.cutler.ch03_combat.battle_setup import battle_panels, secret_panels
from rules_engine.rulebooks.cutler.ch03_combat.fighter_results import lose_fighters
from rules_engine.rulebooks.cutler.ch03_combat.flanking import Arrivals, Forces, flank_dice, flank_panel, flanking_steps
from rules_engine.rulebooks.cutler.ch03_combat.pictures import Placing, TerrainSetup, battle_scene, own_units
from rules_engine.rulebooks.cutler.ch03_combat.surround import surround_panel, surround_steps
from rules_engine.rulebooks.cutler.ch03_combat.tactics.tracked import FlankGroup, tactics_of
from rules_engine.rulebooks.cutler.ch03_combat.work import note_work
from rules_engine.rulebooks.cutler.ch04_accessories.losses import lose_accessories
from rules_engine.rulebooks.cutler.ch04_accessories.mines_in_battle import fields_at, note_battle
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.combat.work import BattleKind
from rules_engine.rulebooks.cutler.records.conditions.docking import lose_docked, lose_some_docked, take_docked
from rules_engine.rulebooks.cutler.records.contest import roll_order
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fight, Unit
from rules_engine.rulebooks.cutler.records.tables import UnitKind

UNNAMED: frozenset[UnitKind] = frozenset({"fighters", "ground_base"})
"""Kinds whose names nobody spies upon: they are no ships, nor bases in space. 6.4.1.4, CU-N140"""

# --- the two kinds of battle -----------------------------------------------------------------------------------------


@rule("3.4", "3.4.1", "3.4.2", "3.7")
def main_battle_steps(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], forces: Forces) -> Steps[None]:
    """The main battle of all who neither escaped nor pursued, in open space: secret flanking groups, the set-up, the
    fight, and its result. 3.4, 3.4.1, 3.4.2, 3.7"""
    state = turn.state
    battle = _open_battle(turn, "main", hex_id, pair, forces)
    order, rolls = roll_order(turn, list(pair), "set-up", seen_by=battle.everyone)
    arrivals = yield from flanking_steps(turn.at("flank"), battle, forces)
    _list_units(state, battle, forces)  # with the PFs that have left their docks
    dice = flank_dice(turn.at("flank"), battle, arrivals)
    panels = battle_panels(state, battle, first=order[0])
    turn.tell(
        battle.everyone,
        f"Battle in {hex_id}. {_first(state, battle, order[0])}",
        kind="battle",
        why=because("3.4.3", dice=rolls),
    )
    secret = _secrets(turn, battle, arrivals)
    for race in battle.everyone:
        if (side := battle.side_of(race)) in arrivals:
            secret[race] += flank_panel(arrivals[side], dice[side])
    flanks = [
        FlankGroup(side, number, arrives, die)
        for side, groups in arrivals.items()
        for (number, arrives), die in zip(groups.items(), dice[side], strict=True)
    ]
    yield from _fight_steps(turn, battle, panels, secret, Placing("open", order[0]), flanks=flanks)


def _first(state: CutlerState, battle: Battle, side: Side) -> str:
    """Who sets up first, as a sentence."""
    force = battle.force_of(side)
    return f"The {state.names_of(force)} {verb(len(force), 'sets', 'set')} up first."


def _secrets(turn: CutlerTurn, battle: Battle, arrivals: Arrivals | None = None) -> dict[Side, tuple[Panel, ...]]:
    """What each race alone reads of a battle's set-up."""
    coming = arrivals or {}
    return {
        race: secret_panels(turn.state, battle, race, coming.get(battle.side_of(race), {})) for race in battle.everyone
    }


@rule("3.3.7.9", "3.6")
def escape_battle_steps(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], forces: Forces) -> Steps[None]:
    """The battle of an escape wave that was caught. ``pair`` is (escaping, pursuing). 3.3.7.9, 3.6, CU-R70"""
    battle = _open_battle(turn, "escape", hex_id, pair, forces)
    state = turn.state
    found = yield from surround_steps(turn, hex_id, pair, forces)
    first, *others = battle_panels(state, battle, first=pair[0])
    names = {unit.id: unit.name for unit in forces[pair[1]]}
    panels = (first, surround_panel(battle, found, names), *others)
    placing = Placing("escape", pair[0], found.ships, found.groups)
    yield from _fight_steps(turn, battle, panels, _secrets(turn, battle), placing)


@rule("2.9.5", "2.9.7", "2.9.8")
def sortie_battle_steps(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], forces: Forces) -> Steps[None]:
    """The battle of fighters that sortie, with units in the hex or with another sortie. Nobody flanks. 2.9.5, 2.9.7,
    2.9.8"""
    battle = _open_battle(turn, "sortie", hex_id, pair, forces)
    order, rolls = roll_order(turn, list(pair), "set-up", seen_by=battle.everyone)
    text = f"Sortie battle in {hex_id}. {_first(turn.state, battle, order[0])}"
    turn.tell(battle.everyone, text, kind="battle", why=because("3.4.3", dice=rolls))
    panels = battle_panels(turn.state, battle, first=order[0])
    yield from _fight_steps(turn, battle, panels, _secrets(turn, battle), Placing("open", order[0]))


@rule("3.5.3", "3.5.6")
def terrain_battle_steps(
    turn: CutlerTurn,
    hex_id: HexId,
    pair: tuple[Side, Side],
    forces: Forces,
    *,
    feature: str,
    setup: TerrainSetup,
) -> Steps[None]:
    """The battle at one terrain feature; who fights there fights at no other in this impulse. ``pair`` is (defender,
    attacker). 3.5.3, 3.5.6"""
    state = turn.state
    battle = _open_battle(turn, "terrain", hex_id, pair, forces, feature=feature)
    panels = battle_panels(state, battle, first=pair[0], setup=setup.panels)
    state.fights[hex_id].ground.note_fought(battle.lines.values(), feature)
    yield from _fight_steps(turn, battle, panels, _secrets(turn, battle), setup.placing)


def _open_battle(
    turn: CutlerTurn,
    kind: BattleKind,
    hex_id: HexId,
    pair: tuple[Side, Side],
    forces: Forces,
    *,
    feature: str = "",
) -> Battle:
    """Make the battle between two sides, each a race or a coordinated force. Every unit has a neutral key, so that no
    form shows an owner's own numbers."""
    state = turn.state
    here = state.fights[hex_id]
    key = turn.place
    together = [list(here.force_of(side)) for side in pair]
    battle = Battle(key=key, kind=kind, hex=hex_id, sides=pair, lines={}, forces=together, feature=feature)
    here.battle = battle
    _list_units(state, battle, forces)
    return battle


def _list_units(state: CutlerState, battle: Battle, forces: Forces) -> None:
    """Give every unit of a battle its key, and note that their enemies learn of them. A docked PF has none."""
    here, pair = state.fights[battle.hex], battle.sides
    lines: dict[str, str] = {}
    for race in here.races_of(*pair):
        emblem = next(label.emblem for label in state.sides if label.key == race)
        own = [unit for side in pair for unit in forces[side] if unit.race == race]
        ranked = sorted(own, key=lambda unit: (unit.record.size_class, unit.name))
        lines |= {f"{emblem}{number}": unit.id for number, unit in enumerate(ranked, 1)}
    battle.lines = lines
    for side, enemy in (pair, pair[::-1]):
        for race in here.force_of(side):
            ships = {unit.id: unit.race for unit in forces[enemy] if unit.kind not in UNNAMED}
            here.known.setdefault(race, {}).update(ships)


# --- fighting it -----------------------------------------------------------------------------------------------------


@rule("3.4")
def _fight_steps(
    turn: CutlerTurn,
    battle: Battle,
    panels: tuple[Panel, ...],
    secret: dict[Side, tuple[Panel, ...]],
    placing: Placing,
    *,
    flanks: Sequence[FlankGroup] = (),
) -> Steps[None]:
    """Ask both sides for the result of the battle, and carry out the agreed one. 3.4, G-6"""
    state = turn.state
    where = f"{battle.hex}, turn {state.turn}, impulse {state.impulse}"
    against = " and " if len(battle.everyone) == 2 else " against "
    names = against.join(state.names_of(battle.force_of(side)) for side in battle.sides)
    kind = {"escape": "Escape battle", "sortie": "Sortie battle"}.get(battle.kind, "Battle")
    feature = state.fights[battle.hex].ground.named(battle.feature).name if battle.feature else ""
    place = f"at {feature} in {battle.hex}" if feature else f"in {battle.hex}"
    setup = BattleSetup(
        key=battle.key,
        title=f"{kind} {place}: {names}",
        where=where,
        panels=panels,
        secret=secret,
        scene=battle_scene(state, battle, placing, panels[: -len(battle.sides)]),
        own={race: own_units(state, battle, race) for race in battle.everyone},
    )
    form = result_form(state, battle)
    tactics = described(lambda: tactics_of(state, battle, placing, setup.title, flanks))
    ask: Ask[BattleResult] = Ask(
        kind="battle",
        parties=battle.everyone,
        forces=tuple(map(battle.force_of, battle.sides)),
        title=f"Result of the battle {place}",
        text="Fight it out by the sheet. Then both sides report every unit; the reports must agree line by line.",
        model=BattleResult,
        form=form,
        rule="3.4",
        pace="battle",
        check=lambda result: judge_result(state, battle, result),
        read_back=lambda result: [line_text(state, battle, key, line) for key, line in result.root.items()],
        warn=lambda result: warn_result(state, battle, result),
        agree=lambda accounts: agree(state, battle, accounts),
        setup=setup,
        tactics=tactics.tactics,
        untracked=tactics.untracked,
        guide=battle_guide(state, battle, form),
        ends=StatedEnd(NOTHING_LOST, lambda: broken_off(state, battle, form)),
        question=Question(first_words(f"{kind} {f'at {feature}' if feature else place}"), HOW_IT_ENDED),
        set_up_from=frozenset(
            {
                f"fights.{battle.hex}.battle",
                *(_path(state, battle, unit_id) for unit_id in battle.lines.values()),
                *(
                    f"minefields.{field.key}"
                    for race in battle.everyone
                    for field in fields_at(state, race, battle.hex, battle.feature)
                ),
            }
        ),
    )
    result = yield from turn.ask_steps(ask)
    _carry_out(turn, battle, result)


def _path(state: CutlerState, battle: Battle, unit_id: str) -> str:
    """Where a unit stands in the state."""
    return f"units.{unit_id}" if unit_id in state.units else f"fights.{battle.hex}.flights.{unit_id}"


# --- what it changes -------------------------------------------------------------------------------------------------


@rule("2.4.1.6", "2.4.1.7", "3.4.5.3", "4.1.8", "4.1.9", "4.2.1.1", "5.1")
def _carry_out(turn: CutlerTurn, battle: Battle, result: BattleResult) -> None:
    """Losses, damage, captures and disengagements. CPV go down with their boxes, or with a captured unit to its captor.

    Docked PFs share the fate of their host unless the account says otherwise.
    2.4.1.6, 2.4.1.7, 3.4.5.3, 4.1.8, 4.1.9, 4.2.1.1, 5.1, CU-R22, CU-R23
    """
    state, here = turn.state, turn.state.fights[battle.hex]
    gone: list[Unit] = []
    lines = [line_text(state, battle, key, result.root[key]) for key in battle.lines]
    owners = {key: owner_of(battle, state, key) for key in battle.lines}
    for key, line in ((key, result.root[key]) for key in battle.lines):
        unit = unit_of(state, battle, key)
        enemy = next(race for race in battle.sides if race != battle.side_of(owners[key]))
        unit.warp_ok = max(0, unit.warp_ok - line.warp_lost)
        unit.impulse_ok = max(0, unit.impulse_ok - line.impulse_lost)
        unit.note_life_support(line.life_support)
        unit.lose_parties(line.parties_lost)
        unit.lose_cargo_boxes(line.cargo_lost)
        unit.module_lost = unit.module_lost or line.module_lost
        note_work(here, battle, unit, battle.force_of(enemy), points=line.repair_points, lost=line.losses)
        lose_accessories(unit, line)
        lose_fighters(unit, line.fighters_lost, line.boosters_lost)
        if line.fate == "destroyed" or unit.destroyed:
            unit.perish(state.turn)
            lose_docked(turn, unit, line.pfs_apart)
        elif line.fate == "captured":
            captor = captor_of(state, battle, key, line)
            _capture(here, battle, unit, captor)
            for pf in take_docked(turn, unit, owners[key], captor, line.pfs_apart):
                here.prizes.append(pf.id)
        else:
            lose_some_docked(turn, unit, line.pfs_apart)
        if line.fate == "disengaged" and not unit.destroyed:
            unit.disengaged_from = [*unit.disengaged_from, *battle.force_of(enemy)]
            gone += [unit] if unit.kind != "fighters" else []
    here.battle = None
    note_battle(state, battle.hex, battle.feature, battle.everyone)
    text = f"The battle in {battle.hex} is over. {'; '.join(lines)}."
    settled = SETTLED_BY[turn.settlement("battle", battle.everyone)]
    turn.tell(battle.everyone, text, kind="battle", why=because("3.4, 3.4.5", {settled: ""}))
    turn.show_maps(*battle.everyone)
    force_out(turn, gone, here.prizes)
    _tell_who_leaves(turn, battle, gone)
    here.driven_off += [unit.id for unit in gone]
    here.in_battle += battle.everyone


@rule("5.1", "5.1.2")
def _capture(here: Fight, battle: Battle, unit: Unit, captor: Side) -> None:
    """Give a captured unit to its captor where it is, to have its own fleet; its weapons stay barred. All who fought
    know whose it is. 5.1, 5.1.2"""
    for race in battle.everyone:
        here.known.setdefault(race, {})[unit.id] = captor
    here.known[captor].pop(unit.id)
    here.prizes.append(unit.id)
    unit.taken_by(captor)
    unit.retreat_hex = ""
    unit.unload = False


@rule("3.4.5.4")
def _tell_who_leaves(turn: CutlerTurn, battle: Battle, gone: Sequence[Unit]) -> None:
    """Tell all who fought which enemies leave the hex after the battle: not where to, and not which of them can, which
    would tell of engines. Their own race is told where they go. 3.4.5.4, CU-N183"""
    for race in dict.fromkeys(unit.race for unit in gone):
        names = ", ".join(unit.name for unit in gone if unit.race == race)
        text = f"The {turn.name_of(race)} retreats from {battle.hex}, as soon as it can: {names}."
        others = [other for other in battle.everyone if other != race]
        turn.tell(others, text, kind="movement", why=because("3.4.5.4, CU-N183", {"from": battle.hex}))


@rule("3.4.5.4")
def force_out(turn: CutlerTurn, units: list[Unit], prizes: list[str]) -> None:
    """Set where disengaged units must go at their next opportunity: back, or in a random direction if they had not
    moved. Ships of one fleet share the roll; a prize has one of its own. What cannot move stays.

    3.4.5.4, CU-R62, CU-R63, CU-N09
    """
    together = (*turn.state.fleets.values(), *turn.state.convoys.values())
    fleet_of = {key: group.key for group in together for key in group.units}
    fleet_of |= {key: f"prize {number}" for number, key in enumerate(prizes, 1)}
    rolled: dict[tuple[Side, str], HexId] = {}
    goals: dict[tuple[Side, HexId], list[str]] = {}
    for unit in units:
        if unit.retreat_hex or top_speed(unit) == 0:
            continue
        if unit.entered_at is not None and unit.entered_at == unit.last_opportunity:
            unit.retreat_hex = unit.entered_from
        else:
            group = (unit.race, fleet_of.get(unit.id, "freighters"))
            if group not in rolled:
                place = turn.at("retreat", *group)
                rolled[group] = random_hex(place, unit.race, unit.hex, "retreat")
            unit.retreat_hex = rolled[group]
        goals.setdefault((unit.race, unit.retreat_hex), []).append(unit.name)
    for (race, goal), names in goals.items():
        text = f"Disengaged, and off to {goal} at the next opportunity: {', '.join(names)}."
        turn.tell([race], text, kind="movement", why=because("3.4.5.4, CU-R62", {"to": goal}))
