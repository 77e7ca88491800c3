"""Chapter 3.7: flanking groups, when they arrive, and which of two that arrive together sets up first."""

from collections.abc import Mapping

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.rulebooks.cutler.ch02_movement.groups import group_form, judge_groups, read_groups
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.orders import GroupSheet
from rules_engine.rulebooks.cutler.records.state import CutlerTurn, Unit


@rule("3.7.1", "3.7.2", "3.7.3", "3.7.8")
def flanking_steps(turn: CutlerTurn, battle: Battle, forces: Mapping[Side, list[Unit]]) -> Steps[dict[Side, list[int]]]:
    """Each side notes its flanking groups in secret; each group's delay is rolled.

    3.7.1, 3.7.2, 3.7.3, 3.7.8, CU-R72
    """
    asks: list[Ask[GroupSheet]] = []
    for race in battle.sides:
        able = [unit for unit in forces[race] if unit.is_mobile]
        asks.append(
            Ask(
                kind="flank",
                parties=(race,),
                title=f"{battle.hex}: flanking",
                text="Flanking groups arrive late and one by one, from any direction, 30 hexes or more from the enemy.",
                model=GroupSheet,
                form=group_form(able, "Flank", "Main force", flanks=True),
                rule="3.7.1",
                default=GroupSheet({}),
                default_says="Nobody flanks.",
                pace="decision",
                check=lambda sheet, able=able: judge_groups(able, sheet, "3.7.1", flanks=True),
                read_back=lambda sheet, able=able: read_groups(able, sheet, "flanks", "Nobody flanks."),
            )
        )
    sheets = yield from turn.ask_all_steps(asks)
    arrivals: dict[Side, list[int]] = {}
    for race, sheet in zip(battle.sides, sheets, strict=True):
        battle.flanking.update(sheet.groups())
        for ship in sheet.groups():
            turn.state.fighting(battle.hex, ship).sailed = True
        arrival = 0
        for group in sorted(set(sheet.groups().values())):
            die = turn.roll(f"flank {group}, {race}", faces=6, seen_by=[race])
            arrival = _arrival(arrival, die.total, early=group in sheet.early())
            arrivals.setdefault(race, []).append(arrival)
    return arrivals


@rule("3.7.2", "3.7.3", "3.7.7")
def _arrival(before: int, die: int, *, early: bool) -> int:
    """The turn in which a flanking group arrives, after the one before it; its navigator may take 1 off.

    3.7.2, 3.7.3, 3.7.7, CU-R72
    """
    return max(1, before + die + 1 - early)


@rule("3.7.4")
def flank_dice(turn: CutlerTurn, arrivals: Mapping[Side, list[int]]) -> dict[Side, list[int]]:
    """A die for each flanking group, in the order of their arrivals; those of two opposing groups that arrive on the
    same turn are rolled again while they are equal.

    Every group has one, whether or not anybody meets it, so that it tells its owner nothing. 3.7.4, CU-N95
    """
    dice = {
        race: [turn.roll(f"meeting die {n}, {race}", faces=6, seen_by=[race]).total for n in range(len(turns))]
        for race, turns in arrivals.items()
    }
    if len(dice) == 2:
        one, other = dice
        for first, when in enumerate(arrivals[one]):
            for second in [n for n, also in enumerate(arrivals[other]) if also == when]:
                while dice[one][first] == dice[other][second]:
                    for race, n in ((one, first), (other, second)):
                        again = turn.roll(f"meeting die {n}, {race}, again", faces=6, seen_by=())
                        dice[race][n] = again.total
    return dice


@rule("3.7.4", "3.7.8")
def flank_panel(arrivals: list[int], dice: list[int]) -> tuple[Panel, ...]:
    """A side's own dice for the case that an enemy flanking group arrives on the same turn. 3.7.4, 3.7.8, CU-N95"""
    rows = tuple(f"Turn {turn}: your die is {die}." for turn, die in zip(arrivals, dice, strict=True))
    how = "If an enemy group arrives on the same turn, tell each other your dice: the higher sets up first."
    return (Panel(title="If two flanks arrive together (3.7.4)", rows=(*rows, how)),) if rows else ()
