"""Odds as they are read, whole: the texts stand in `texts/`, with how the figures are worked out from Table 6."""

from fractions import Fraction

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.odds import percent
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import cases
from tests.rulebooks.pq17.shown.test_odds import HELD, known_to
from tests.rulebooks.pq17.worlds.notation import world
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest


def odds(state: State, target: str = "E1", *, reported: bool = False) -> list[str]:
    found = RULEBOOK.odds(state, "alliance", known_to(state, "alliance", reported=reported), "A1", target)
    return [f"{found.title} [{found.rule}]", *found.lines]


@pytest.mark.rule("pq17", "6.3.1", "6.3.3", "6.3.4.4", "6.3.4.9", "6.3.4.10", "6.4.1", "8.4.3")
def test_odds_where_conditions_are_not_rolled(request: Request) -> None:
    compare(request, odds(world(HELD.replace("A1 0405", "A1 0406"))))


@pytest.mark.rule("pq17", "6.3.4.5", "6.3.4.7", "6.3.4.10.1", "8.4.2", "C.flag.kzinti")
def test_odds_of_a_weak_passive_force(request: Request) -> None:
    text = "turn 2 impulse 1 half A\nA1 0405 KF[sensor_track=4] speed 1 passive\nC1 0405 CA speed 1 U"
    state = world(text, flag_empires=("Kzinti",))
    state.conditions["0405"] = 1
    compare(request, odds(state, reported=True))


@pytest.mark.rule("pq17", "6.3.4.8", "7.3.4", "7.3.5")
def test_odds_of_a_shadower(request: Request) -> None:
    state = world("turn 2 impulse 1 half A\nA1 0405 CA speed 2 shadows C1\nC1 0405 CA speed 1 ID1")
    state.conditions["0405"] = 1
    compare(request, odds(state, reported=True))


@pytest.mark.rule("pq17", "1.8.2.3", "1.8.11")
def test_odds_against_a_known_base(request: Request) -> None:
    state = world("turn 2 impulse 1 half A\nA1 0303 SC speed 2\nC9 0303 BATS base Grim known LC2")
    state.tracks["alliance"].current["C9"] = "Grim"
    compare(request, odds(state, "Grim", reported=True))


@cases("chance, said")
def test_a_chance_is_said_in_the_hundred_and_is_0_or_100_only_if_it_is_certain(chance: int | str, said: str) -> None:
    assert percent(Fraction(chance)) == said


@cases("own, target, refusal")
def test_what_is_not_on_the_menu_is_refused(own: str, target: str, refusal: str) -> None:
    state = world(HELD + "A2 0303 CA\nC2 0707 CA")
    with pytest.raises(Refused) as refused:
        RULEBOOK.odds(state, "alliance", known_to(state, "alliance"), own, target)
    assert [str(one) for one in refused.value.refusals] == [refusal]


def test_the_menu_says_where_everything_is() -> None:
    state = world(HELD + "A2 0303 CA\nC2 0707 CA")
    state.task_forces["A2"].name = "Reserve"
    menu = RULEBOOK.odds_menu(state, "alliance", known_to(state, "alliance"))
    assert [one.label for one in menu.own] == ["A1 in 0405", "A2 Reserve in 0303"]
    assert [one.label for one in menu.targets] == ["E1 in 0405, ID1"]
