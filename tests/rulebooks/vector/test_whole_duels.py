"""Whole duels and anything that may happen to one: the state is always possible."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from random import Random
from typing import Any, cast

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.vector import RULEBOOK
from rules_engine.rulebooks.vector.campaign.victory import ending
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.scenario.reading import read_scenario, with_seats
from tests.rulebooks.anything import AnyCampaign, often
from tests.rulebooks.players import changed_line, random_answer
from tests.rulebooks.vector.pilots import sheet_of
from tests.rulebooks.vector.scenarios import files, opened
from tests.rulebooks.vector.turns import DuelPlayed

DUELS = (
    ("courier", 2, 0, ""), ("courier", 2, 1, "courier"), ("courier", 4, 2, "courier"), ("race", 2, 3, ""),
    ("race", 6, 4, "gulls kites swifts mews"), ("ambush", 2, 5, "traders"), ("ambush", 6, 6, "traders convoy"),
    ("rendezvous", 2, 7, ""), ("rendezvous", 4, 8, "east west"),
)  # fmt: skip
"""Scenario, captains, seed, and who flies at random instead of by what it wants."""

KINDS = (
    "turn", "arrival", "set-up", "flight", "own flight", "deed", "battle", "out of play",
)  # fmt: skip
"""What must have been told in some of them, or they try little."""


@cache
def flown(name: str, captains: int, seed: int, idle: str) -> DuelPlayed:
    """A duel, flown once to its end."""
    chance = Random(seed)

    def pilot(state: VectorState, side: str, ask: AnyAsk) -> Json | None:
        if ask.kind == "plot" and side not in idle.split():
            return sheet_of(state, side)
        sheet: dict[str, Json] = {}
        places = _Nowhere()
        for line in ask.form.lines:
            tried = changed_line(line, {}, places, chance)  # pyright: ignore[reportArgumentType]  no field asks where
            if not ask.refusals_of({line.key: tried}):
                sheet[line.key] = tried
        return sheet

    return DuelPlayed(opened(name, captains), turns=20, pilot=pilot)


class _Nowhere:
    """A map that has no places."""


@pytest.mark.parametrize(("name", "captains", "seed", "idle"), DUELS)
def test_a_duel_is_flown_to_its_end(name: str, captains: int, seed: int, idle: str):
    played = flown(name, captains, seed, idle)
    assert ending(played.state) is not None
    assert len(played.state.captains) == captains


def test_everything_happens_in_some_duel():
    told = Counter(one.kind for duel in DUELS for one in flown(*duel).shared.reports)
    assert [one for one in KINDS if not told[one]] == []
    texts = " ".join(one.text for duel in DUELS for one in flown(*duel).shared.reports if one.kind == "deed")
    said = ("is caught", "is away", "has passed buoy", "has crossed the line", "has gathered")
    assert [one for one in said if one not in texts] == []
    won = {flown(*duel).state.captains[key].aim for duel in DUELS for key in _winners(flown(*duel).state)}
    assert won >= {"courier", "hunter", "racer", "squadron"}


def _winners(state: VectorState) -> tuple[str, ...]:
    found = ending(state)
    return () if found is None else found.winners


def test_the_same_plots_fly_the_same_duel():
    first, again = flown(*DUELS[1]), flown.__wrapped__(*DUELS[1])
    assert first.state.to_json() == again.state.to_json()
    assert [one.text for one in first.shared.reports] == [one.text for one in again.shared.reports]


def test_a_captain_is_asked_once_for_each_piece():
    played = flown(*DUELS[0])
    pieces = {ask.id.rpartition("/plot/")[0] for ask in played.asks if ask.kind == "plot"}
    assert (played.count["ask plot"], played.count["ask set-up"]) == (2 * len(pieces), 2)


# --- stateful --------------------------------------------------------------------------------------------------------
def short() -> dict[str, Json]:
    """The ambush for three captains, two turns long: one of them has a ship that arrives in the second."""
    document = with_seats(read_scenario(files("ambush")), 3)
    file = cast("dict[str, Any]", document["file"])
    return {**document, "file": {**file, "turns": 2, "ship": [one for one in file["ship"] if one["arrives"] <= 2]}}


class FirstFlights(AnyCampaign):
    """The ambush, two turns long, by anything that is legal."""

    book = RULEBOOK
    document = short()
    junk = (
        {"R1": {"thrust": "99 on 1"}}, {"R1": {"turn": "right on 40"}}, {"R1": {"plot": "fly"}},
        {"T1": {"at": "9999"}}, {"T1": {"vector": "99A"}}, {"X1": {"plot": "path A first"}},
    )  # fmt: skip

    def answer_to(self, side: str, ask: AnyAsk, seed: int) -> Json:
        return random_answer(self.adjudicator, side, ask, Random(seed))

    def problems_of(self, side: str, known: Knowledge) -> Iterable[str]:
        """Units on the board that the captain does not know of, and vectors and energy that cannot be."""
        state = cast("VectorState", self.adjudicator._state)
        shown = {one.id: one for one in self.adjudicator.view(side).board.counters}
        for key, unit in state.battle.units.items():
            if unit.side != side and unit.waits_for > max(1, state.battle.turn) and key in shown:
                yield f"{key} is on the map of {side} before it arrives"
            if not unit.out and unit.vector.says != type(unit.vector)(says=unit.vector.says).says:
                yield f"the vector of {key} is not reduced"
        if not state.revealed:
            yield from (f"{one.id} is seen in the set-up" for one in shown.values() if one.owner != side)


FirstFlights.TestCase.settings = often(10)
TestDuel = cast("Any", FirstFlights.TestCase)
