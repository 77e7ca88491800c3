"""Whole duels flown headlessly to their ends, with 2, 4 and 6 captains: the state is always possible."""

from collections import Counter
from functools import cache
from random import Random

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.vector.campaign.victory import ending
from rules_engine.rulebooks.vector.records.state import VectorState
from tests.rulebooks.players import changed_line
from tests.rulebooks.vector.pilots import sheet_of
from tests.rulebooks.vector.scenarios import opened
from tests.rulebooks.vector.turns import DuelPlayed

DUELS = (
    ("courier", 2, 0, ""),
    ("courier", 2, 1, "courier"),
    ("courier", 4, 2, "courier"),
    ("race", 2, 3, ""),
    ("race", 6, 4, "gulls kites swifts mews"),
    ("ambush", 2, 5, "traders"),
    ("ambush", 6, 6, "traders convoy"),
    ("rendezvous", 2, 7, ""),
    ("rendezvous", 4, 8, "east west"),
)
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
    assert played.count["ask plot"] == 2 * len(pieces)
    assert played.count["ask set-up"] == 2
