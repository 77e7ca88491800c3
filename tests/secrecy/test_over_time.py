"""What reaches a reader, in which order, of which kind and when, tells nothing of what others do unseen: in all five
books, whether sheets close early or at their deadlines only.

Where a rulebook's notes say that waiting tells something, the moments differ and nothing else does.
"""

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from tests.expected.sections import section
from tests.secrecy import test_cutler
from tests.secrecy.over_time import Heard, alike_over_time, hear
from tests.secrecy.quiet_policies import by_default, cutler_sheet
from tests.secrecy.test_cutler import mission
from tests.secrecy.worlds import World

EARLY = pytest.mark.parametrize("early", [True, False], ids=["early", "at deadlines"])


def saying(kind: str, lines: Mapping[str, Mapping[str, Any]]) -> Any:
    """The default, with these lines of sheets of that kind filled in where that is legal."""

    def policy(adjudicator: Any, side: str, ask: AnyAsk, chance: Random) -> Any:
        sheet = by_default(adjudicator, side, ask, chance)
        changed = {key: {**(sheet.get(key) or {}), **line} for key, line in lines.items()} if ask.kind == kind else {}
        try:
            adjudicator.try_answer(side, ask.id, {**sheet, **changed})
        except Refused:  # such as energy, which is allocated in the first piece of a turn alone
            return sheet
        return {**sheet, **changed}

    return policy


def quiet(scenario: str, *sides: str) -> World:
    """A world in which everybody says the defaults aloud. The first side watches."""
    return World(scenario, sides, policies=dict.fromkeys(sides, by_default))


def paced(world: World, early: bool) -> Heard:
    """Play a world in which sheets close ``early``, or at their deadlines only."""
    return hear(world.but(settings={**world.settings, "early": early}))


THIRD = section("third")
THEIRS = section("theirs")


def a_third_empire(*, meet: bool) -> World:
    """Two empires whose pickets ``meet`` or not, and a third far away, which watches."""

    def units(text: str) -> str:
        before = 'name = "Kraz Picket"\nempire = "kraz"\nat = "izar"'
        assert before in text
        return (text.replace(before, before.replace("izar", "wolf-359")) if meet else text) + THEIRS

    files = {"scenario.toml": lambda text: text + THIRD, "units.toml": units}
    return quiet("jump_lanes/intro", "lyra", "terran", "kraz").but(files=files)


def counters(adjudicator: Any, side: str, ask: AnyAsk, chance: Random) -> Any:
    """Spend ten points against each mission."""
    if ask.kind == "counter":
        return {"counter": {"points": 10}}
    return cutler_sheet({"counter": {"points": 30}})(adjudicator, side, ask, chance)


CUTLER = test_cutler.PLAIN.but(policies={**test_cutler.PLAIN.policies, "klingon": counters})
SPY = {"M1": mission("base", None)}
SPIES = {**SPY, "M2": mission("location", "0908")}
BORDER = quiet("border_patrol/intro", "federation", "romulan")
COMING = BORDER.but(policies={**BORDER.policies, "federation": saying("plot", {"F1": {"route": "0502"}})})
AMBUSH = quiet("vector/ambush", "traders", "raiders", "wolves").but(settings={"seats": 3})
PQ17 = quiet("pq17/intro", "alliance", "coalition")

BOOKS = {
    "pq17": PQ17,
    "cutler": CUTLER,
    "border_patrol": COMING,
    "jump_lanes": quiet("jump_lanes/intro", "terran", "kraz"),
    "vector": AMBUSH,
}


@cache
def plain(book: str, early: bool) -> Heard:
    """The plain world of a book, played once."""
    return paced(BOOKS[book], early)


def other(world: World, side: str, policy: Any) -> World:
    return world.but(policies={**world.policies, side: policy})


@EARLY
@pytest.mark.parametrize("book", BOOKS)
def test_how_often_others_change_their_minds_reaches_nobody_when_drafts_and_refusals_differ(book: str, early: bool):
    restless = paced(BOOKS[book].but(restless=2), early)
    one = plain(book, early)
    assert one.by, book
    parted = one.parting(restless, moments=True)
    assert not parted, parted


@EARLY
def test_a_battle_of_others_reaches_nobody_elsewhere_when_its_accounts_come_at_once(early: bool) -> None:
    apart, together = (paced(a_third_empire(meet=meet), early) for meet in (False, True))
    assert any("battle" in one for one in together.hidden), together.hidden
    alike_over_time(apart, together)


@EARLY
def test_one_mission_between_two_reaches_the_third_by_nothing_when_a_window_passes_anyway(early: bool) -> None:
    spying = paced(other(CUTLER, "lyran", cutler_sheet(SPY)), early)
    assert any("counter" in one for one in spying.hidden), spying.hidden
    alike_over_time(plain("cutler", early), spying)


def test_a_second_mission_moves_moments_and_nothing_else_when_it_outlasts_the_window() -> None:
    """What CU-N14 and the notes concede, word by word: somewhere something takes longer."""
    spying = paced(other(CUTLER, "lyran", cutler_sheet(SPIES)), False)
    one = plain("cutler", early=False)
    alike_over_time(one, spying, moments=False)
    assert one.parting(spying, moments=True), "the notes say that this is noticed"


@EARLY
def test_what_reaction_others_ordered_moves_moments_at_most_when_they_are_asked_in_mid_turn(early: bool) -> None:
    never, asked = (
        paced(other(COMING, "romulan", saying("plot", {"R1": {"react": react}})), early) for react in ("no", "ask")
    )
    assert any("reaction" in one for one in asked.hidden), asked.hidden
    alike_over_time(never, asked, moments=early)
    assert early or never.parting(asked, moments=True), "the notes say that this is noticed"


@EARLY
def test_a_logistics_sheet_of_one_side_reaches_the_other_by_nothing_when_a_window_passes_anyway(early: bool) -> None:
    storing = paced(other(PQ17, "coalition", saying("planning", {"stores": {"sheet": "always"}})), early)
    assert any("logistics" in one for one in storing.hidden), storing.hidden
    alike_over_time(plain("pq17", early), storing)


@EARLY
def test_how_something_is_paid_for_reaches_nobody_when_it_is_not_used(early: bool) -> None:
    paying = paced(other(AMBUSH, "raiders", saying("plot", {"R1": {"plot": "energy 8+0"}})), early)
    alike_over_time(plain("vector", early), paying)
