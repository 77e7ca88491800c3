"""Raids on settled hexes written down whole: what the raider meets, what the defender picks, and what comes of it."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.ch08_combat.raid_forces import Muster, muster_steps
from rules_engine.rulebooks.pq17.ch08_combat.raid_tables import Meeting
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.pq17.playing.written_scenes import refused, scene, sheet
from tests.rulebooks.pq17.worlds.battles import at_battle
from tests.rulebooks.pq17.worlds.notation import table
from tests.rulebooks.pq17.worlds.special_conditions import special_world
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest
HERE = "1719"
USUAL = ("attack", "power", "battle", "reform")
RAID = {"attack coalition": [{"C1": {"target": f"settled {HERE}"}}]}
RELIEF = {"attack alliance": [{"A1": {"target": "E1"}}]}
FRIGATE = f"A1 {HERE} FF speed 1\n"


def raid_world(text: str = "", *, raiders: str = "CA") -> State:
    """A raider in a settled hex that it holds at ID2, as its owner holds the raider."""
    here = f"C1 {HERE} {raiders} speed 1 ID2\n{text}settled {HERE} alliance Meridian\n"
    state = special_world(here + "turn 2 impulse 1 half A initiative coalition", bases="")
    state.settled[HERE].empire = "Federation"
    state.settled[HERE].id_level = IdLevel.ID2
    return state


def raiding(state: State, **labels: int) -> TurnContext[State]:
    """A turn context with rolls by what they are for."""
    rolls = {key.replace("_", " "): roll for key, roll in labels.items()}
    return at_battle(state, conditions="good", **rolls)


def raided(state: State, sheets: dict[str, list[Any]], **labels: int) -> list[str]:
    """The Coalition's combat step, with rolls by what they are for (``_`` is a blank)."""
    at = raiding(state, **labels)
    return scene(at, combat_steps(at, "coalition"), sheets, brief=USUAL, unread=("contact",))


def won_by(winner: str) -> Any:
    """An account in which all units of the loser are destroyed."""

    def account(filled: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        loser = "DF" if winner == "coalition" else "AT"
        for name in filled:
            filled[name] |= {"fate": "destroyed"} if name.startswith(loser) else {}
        filled["battle"] |= {"winner": winner, "turns": 3}
        return filled

    return account


@pytest.mark.rule("pq17", "C.raid.note3", "8.6.2.6", "C.vp.11")
def test_a_raid_that_nobody_opposes(request: Request) -> None:
    compare(request, raided(raid_world(), RAID, raid_table=41))


@pytest.mark.rule("pq17", "C.raid.note2", "C.raid.note4", "C.raid.convoy-and-base", "8.6.2.5", "C.raid.note5")
def test_a_raid_opposed_by_a_convoy_succeeds(request: Request) -> None:
    buys = [{"convoy 1": {"refits": ["skids"]}}]
    sheets = RAID | RELIEF | {"local refits alliance": buys, "battle": [won_by("coalition")]}
    compare(request, raided(raid_world(FRIGATE), sheets, raid_table=1, convoy_category=50, convoy_type=45))


@pytest.mark.rule("pq17", "C.raid.note3", "C.raid.note6", "C.raid.federation", "C.raid.convoy-and-base")
def test_a_raid_opposed_by_a_base_and_local_defence_fails(request: Request) -> None:
    """The raiders are worth 200 and the explicit defender 100, so local defence may be worth 100."""
    labels = {"base_category": 1, "base_type": 5, "local_defence_category": 1, "local_defence_type": 1}
    state = raid_world(FRIGATE, raiders="CA#2")
    named: list[str] = []

    def account(filled: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        named.extend(tf.label for tf in state.all_task_forces("alliance"))
        return won_by("alliance")(filled)

    sheets = RAID | RELIEF | {"battle": [account]}
    compare(request, raided(state, sheets, raid_table=91, convoy_category=91, convoy_type=1, **labels))
    assert named == ["A1", "A2 local forces", "A3 local base"]


@pytest.mark.rule("pq17", "C.raid.note6")
def test_picks_and_refits_that_are_refused(request: Request) -> None:
    labels = {"base_category": 1, "base_type": 5, "local_defence_category": 1, "local_defence_type": 1}
    at = raiding(raid_world(FRIGATE, raiders="CA#2"), raid_table=91, convoy_category=50, convoy_type=45, **labels)
    steps = combat_steps(at, "coalition")
    answers: list[Any] = [RAID["attack coalition"][0], RELIEF["attack alliance"][0]]
    (ask,) = next(steps).asks
    while ask.kind == "attack":
        (ask,) = steps.send({ask.id: ask.answer_from(answers.pop(0))}).asks
    wrong = [{"pick": {"type": "GCA"}}, {"pick": {"type": "CL"}}, {"take": {"type": "GDD"}}]
    assert ask.id.endswith("/raid/local defence/pick 1/local force/alliance")
    lines = [f"== {ask.title}", *refused(ask, wrong)]
    while ask.kind == "local force":
        (ask,) = steps.send({ask.id: ask.default}).asks
    wrong = [
        {"convoi 3": {"refits": ["skids"]}},
        {"convoy 3": {"refits": ["skid"]}},
        {"convoy 3": {"refits": ["skids", "skids"]}},
        {f"convoy {number}": {"refits": ["skids"]} for number in range(3, 8)},
    ]
    lines += [f"== {ask.title}", *sheet(ask.form), *refused(ask, wrong)]
    compare(request, [*lines, *ask.read_back(ask.answer_from({"convoy 3": {"refits": []}}))])


CATEGORIES = {
    "convoy": (1, 11, 41, 81, 86, 91, 96),
    "local defence of Federation": (1, 36, 71, 91),
    "local defence of Kzinti": (1, 36, 71, 91),
}
"""The first number of each category. PQ-17 C.raid.convoy-and-base, C.raid.federation, C.raid.kzinti."""


@pytest.mark.rule("pq17", "C.raid.convoy-and-base", "C.raid.federation", "C.raid.kzinti", "C.raid.note6")
def test_what_is_told_of_each_category_of_local_forces(request: Request) -> None:
    """A convoy without a limit of value; local defence within 50, whose further units are police."""
    lines: list[str] = []
    for part, numbers in CATEGORIES.items():
        empire = part.rpartition(" ")[2] if part != "convoy" else "Federation"
        meeting = Meeting(1, 100, (1 if part == "convoy" else 15, 1000), local_defense=part != "convoy")
        for number in numbers:
            state = raid_world()
            muster = Muster("alliance", HERE, empire, meeting, Fraction(50), Fraction(0))
            at = table(state, number, 1, *[40, 50] * 12)
            found = scene(at, muster_steps(at, muster), brief=("local force", "local refits"))
            first = next(line for line in found if line.startswith("Alliance and Coalition, raid"))
            lines += [f"{part}: {first.partition(': ')[2]}"]
    compare(request, lines)
