"""Chapter 3.7.4: which of two opposing flanking groups that arrive on the same turn sets up first."""

from collections.abc import Mapping

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.cutler.records.state import CutlerTurn


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
