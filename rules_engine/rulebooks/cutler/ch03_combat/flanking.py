"""Chapter 3.7: flanking groups, when they arrive, and which of two that arrive together sets up first."""

from collections.abc import Mapping

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.standing.answers import Decisions
from rules_engine.rulebooks.cutler.ch02_movement.groups import group_form, judge_groups, most_groups, read_groups
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.conditions.docking import docked_on, undock
from rules_engine.rulebooks.cutler.records.orders import GroupSheet
from rules_engine.rulebooks.cutler.records.parts.craft import ABOARD, all_have_boosters, ready_fighters
from rules_engine.rulebooks.cutler.records.state import CutlerTurn, Unit
from rules_engine.rulebooks.cutler.standing.decisions import ask_or_obey_steps, flank_decisions

Forces = dict[Side, list[Unit]]
Arrivals = dict[Side, dict[int, int]]
"""The turns of arrival of each side's flanking groups."""


@rule("3.7.5")
def may_flank(unit: Unit) -> bool:
    """Whether a unit may flank: fighters outside their carrier only with boosters, and no base. 3.7.5, CU-N144"""
    return unit.is_mobile and not unit.is_station and (unit.kind != "fighters" or all_have_boosters(unit))


@rule("3.7.1", "3.7.2", "3.7.3", "3.7.5", "3.7.8")
def flanking_steps(turn: CutlerTurn, battle: Battle, forces: Forces) -> Steps[Arrivals]:
    """Each side notes its flanking groups in secret; each group's delay is rolled. The races of a coordinated force
    name their own units, and know the groups' delays; a group is what all put into it. Fighters flank by themselves
    only with boosters; docked PFs that flank, or leave their docks, are added to ``forces``.

    3.7.1, 3.7.2, 3.7.3, 3.7.5, 3.7.8, CU-R23, CU-R72, CU-N90
    """
    asks: list[Ask[GroupSheet]] = []
    ordered: list[Decisions | None] = []
    state = turn.state
    ready = {
        side: [*filter(may_flank, [*units, *docked_on(state, units)]), *ready_fighters(units)]
        for side, units in forces.items()
    }
    for race in battle.everyone:
        able = [unit for unit in ready[battle.side_of(race)] if unit.race == race]
        most = most_groups(turn.state, battle.hex, race, able)
        ordered.append(flank_decisions(turn.state, race, battle.hex, able))
        asks.append(
            Ask(
                kind="flank",
                parties=(race,),
                title=f"{battle.hex}: flanking",
                text="Flanking groups arrive late and one by one, from any direction, 30 hexes or more from the enemy.",
                question=Question(
                    f"Battle in {battle.hex}: flanking?",
                    "Flanking groups arrive late, from any direction.",
                    (battle.hex,),
                    noun="unit",
                ),
                model=GroupSheet,
                form=group_form(able, "Flank", "Main force", most=most, flanks=True),
                rule="3.7.1",
                default=GroupSheet({}),
                default_says="Nobody flanks.",
                pace="decision",
                check=lambda sheet, able=able, most=most: judge_groups(
                    able, sheet, "3.7.1", fighters="3.7.5", most=most, flanks=True
                ),
                read_back=lambda sheet, able=able: read_groups(able, sheet, "flanks", "Nobody flanks."),
            )
        )
    sheets = yield from ask_or_obey_steps(turn, asks, ordered)
    early: dict[Side, set[int]] = {side: set() for side in battle.sides}
    for race, sheet in zip(battle.everyone, sheets, strict=True):
        battle.flanking.update(sheet.groups())
        early[battle.side_of(race)] |= sheet.early()
        forces[battle.side_of(race)] += undock(state, [*sheet.groups(), *sheet.leaving()])
        for ship in sheet.groups():
            if ship in state.units:
                state.units[ship].sailed = True
    arrivals: Arrivals = {}
    for side in battle.sides:
        arrival = 0
        keys = [key for unit in forces[side] for key in (unit.id, unit.id + ABOARD)]
        for group in sorted({battle.flanking[key] for key in keys if key in battle.flanking}):
            die = turn.roll(f"flank {group}, {side}", faces=6, seen_by=battle.force_of(side))
            arrival = _arrival(arrival, die.total, early=group in early[side])
            arrivals.setdefault(side, {})[group] = arrival
    return arrivals


@rule("3.7.2", "3.7.3", "3.7.7")
def _arrival(before: int, die: int, *, early: bool) -> int:
    """The turn in which a flanking group arrives, after the one before it; its navigator may take 1 off.

    3.7.2, 3.7.3, 3.7.7, CU-R72
    """
    return max(1, before + die + 1 - early)


@rule("3.7.4")
def flank_dice(turn: CutlerTurn, battle: Battle, arrivals: Mapping[Side, Mapping[int, int]]) -> dict[Side, list[int]]:
    """A die for each flanking group, in the order of their arrivals; those of two opposing groups that arrive on the
    same turn are rolled again while they are equal.

    Every group has one, whether or not anybody meets it, so that it tells its owner nothing. 3.7.4, CU-N95
    """
    dice = {
        side: [
            turn.roll(f"meeting die {n}, {side}", faces=6, seen_by=battle.force_of(side)).total
            for n in range(len(turns))
        ]
        for side, turns in arrivals.items()
    }
    if len(dice) == 2:
        one, other = dice
        for first, when in enumerate(arrivals[one].values()):
            for second in [n for n, also in enumerate(arrivals[other].values()) if also == when]:
                while dice[one][first] == dice[other][second]:
                    for side, n in ((one, first), (other, second)):
                        again = turn.roll(f"meeting die {n}, {side}, again", faces=6, seen_by=())
                        dice[side][n] = again.total
    return dice


@rule("3.7.4", "3.7.8")
def flank_panel(arrivals: Mapping[int, int], dice: list[int]) -> tuple[Panel, ...]:
    """A side's own dice for the case that an enemy flanking group arrives on the same turn. 3.7.4, 3.7.8, CU-N95"""
    rows = tuple(f"Turn {turn}: your die is {die}." for turn, die in zip(arrivals.values(), dice, strict=True))
    how = "If an enemy group arrives on the same turn, tell each other your dice: the higher sets up first."
    return (Panel(title="If two flanks arrive together (3.7.4)", rows=(*rows, how)),) if rows else ()
