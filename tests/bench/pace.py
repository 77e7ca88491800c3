"""How often people are asked, with where the asks come from: by Cutler's rules a side and turn in crowded play, by
Border Patrol's a Team and turn without contact and with one, and how often play rests.

The same commanders play with standing orders and without. Cutler's move and fight at random and leave all else as it
is; Border Patrol's have all stacks go inwards.
"""

from collections import Counter

from rules_engine.rulebooks.cutler import RULEBOOK
from tests.bench.figures import Counts, Figure, Tick
from tests.rulebooks.border_patrol.squadrons import Asking, Sailing, sailed, squadrons
from tests.rulebooks.cutler.armed import crowded
from tests.rulebooks.cutler.pace import Evening, Ordered, asked_in_turn

PART = "Pace"
TURNS = 2
MOST_NAMED = 5
"""Kinds of asks that a line names."""
CAPTAINS = 4
"""Captains of each of Border Patrol's Teams, who share one sheet out by stack."""
TEAMS = 2


def steps(counts: Counts) -> int:
    return len(counts.empires) * 2 * _seeds(counts) + 3


def _seeds(counts: Counts) -> int:
    return max(1, counts.matches // 2)


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """Prompts a side and turn, with standing orders beside without, by kind of ask."""
    figures: list[Figure] = []
    for empires in counts.empires:
        plain, ordered = (_asked(kind, empires, _seeds(counts), tick) for kind in (Evening, Ordered))
        sides = empires * TURNS * _seeds(counts)
        name = f"prompts a side and turn, {empires} empires"
        figures += [
            Figure(PART, name, plain.total() / sides, "", note=_by_kind(plain, sides)),
            Figure(
                PART,
                f"{name}, standing orders",
                ordered.total() / sides,
                "",
                plain.total() / sides,
                "without",
                note=_by_kind(ordered, sides),
            ),
        ]
    return figures + _patrols(tick)


def _patrols(tick: Tick) -> list[Figure]:
    """Prompts and rests of a strategic turn of forty units a Team."""
    played = ((Sailing, False), (Sailing, True), (Asking, True))
    quiet, met, asking = (_patrolled(kind, meet, tick) for kind, meet in played)
    name = "Border Patrol, a turn without contact"
    with_contact = "Border Patrol, a turn with one contact"
    shared = f"one sheet for a Team, shared out among {CAPTAINS} captains"
    return [
        Figure(PART, f"{name}: prompts a Team", _prompts(quiet).total() / TEAMS, "", limit=1, note=shared),
        Figure(PART, f"{name}: rests", quiet.closings, "", limit=1, note="all Teams' sheets are open together"),
        Figure(
            PART,
            f"{with_contact}: prompts a Team",
            _prompts(met).total() / TEAMS,
            "",
            _prompts(asking).total() / TEAMS,
            "asked each time",
            target=1,
            note=_by_kind(_prompts(met), TEAMS),
        ),
        Figure(PART, f"{with_contact}: rests", met.closings, "", asking.closings, "asked each time", target=1),
    ]


def _patrolled(kind: type[Sailing], meet: bool, tick: Tick) -> Sailing:
    """A turn in which all stacks go inwards."""
    game = sailed(kind, squadrons(captains=CAPTAINS, meet=meet))
    tick()
    return game


def _prompts(game: Sailing) -> Counter[str]:
    """Of which kinds the asks of the first turn were, counted for each Team that was asked."""
    found: Counter[str] = Counter()
    for (_, kind), number in asked_in_turn(game, 1).items():
        found[kind] += number
    return found


def _asked(kind: type[Evening], empires: int, seeds: int, tick: Tick) -> Counter[str]:
    """How often an ask of each kind was put to somebody, over all seeds and turns."""
    found: Counter[str] = Counter()
    for seed in range(seeds):
        game = kind(RULEBOOK, crowded(empires, turns=TURNS), seed).play(TURNS)
        for turn in range(1, TURNS + 1):
            for (_, what), number in asked_in_turn(game, turn).items():
                found[what] += number
        tick()
    return found


def _by_kind(found: Counter[str], sides: int) -> str:
    named = found.most_common(MOST_NAMED)
    rest = found.total() - sum(number for _, number in named)
    said = [f"{kind} {number / sides:.1f}" for kind, number in named]
    return ", ".join([*said, f"others {rest / sides:.1f}"] if rest else said)
