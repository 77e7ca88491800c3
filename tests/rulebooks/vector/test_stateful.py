"""Anything that may happen to a duel: :mod:`tests.rulebooks.anything`."""

from collections.abc import Iterable
from random import Random
from typing import Any, cast

from rules_engine.core.basics.base import Json
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.vector import RULEBOOK
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.scenario.reading import read_scenario, with_seats
from tests.rulebooks.anything import AnyCampaign, often
from tests.rulebooks.players import random_answer
from tests.rulebooks.vector.scenarios import files


def short() -> dict[str, Json]:
    """The ambush for three captains, two turns long: one of them has a ship that arrives in the second."""
    document = with_seats(read_scenario(files("ambush")), 3)
    file = cast("dict[str, Any]", document["file"])
    ships = [one for one in file["ship"] if one["arrives"] <= 2]
    return {**document, "file": {**file, "turns": 2, "ship": ships}}


class FirstFlights(AnyCampaign):
    """The ambush, two turns long, by anything that is legal."""

    book = RULEBOOK
    document = short()
    junk = (
        {"R1": {"thrust": "99 on 1"}},
        {"R1": {"turn": "right on 40"}},
        {"R1": {"plot": "fly"}},
        {"T1": {"at": "9999"}},
        {"T1": {"vector": "99A"}},
        {"X1": {"plot": "path A first"}},
    )

    def answer_to(self, side: str, ask: AnyAsk, seed: int) -> Json:
        return random_answer(self.adjudicator, side, ask, Random(seed))

    def problems_of(self, side: str, known: Knowledge) -> Iterable[str]:
        """Units on the board that the captain does not know of, and vectors and energy that cannot be."""
        state = cast("VectorState", self.adjudicator._state)
        board = self.adjudicator.view(side).board
        shown = {one.id: one for one in board.counters}
        for key, unit in state.battle.units.items():
            if unit.side != side and unit.waits_for > max(1, state.battle.turn) and key in shown:
                yield f"{key} is on the map of {side} before it arrives"
            if not unit.out and unit.vector.says != type(unit.vector)(says=unit.vector.says).says:
                yield f"the vector of {key} is not reduced"
        if not state.revealed:
            yield from (f"{one.id} is seen in the set-up" for one in shown.values() if one.owner != side)


FirstFlights.TestCase.settings = often(10)
TestDuel = cast("Any", FirstFlights.TestCase)
