"""Campaigns from the draft of races to their end after twelve turns: at random, and by those who go for planets.

With every invariant checked after each closing; what lasts is begun and ended by its own functions alone. A few in
everyday testing; ``PLOTROOM_SWEEP=full`` plays a hundred.
"""

import random
from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.rulebooks.cutler.ch01_setup.test_whole_set_up import ring
from tests.rulebooks.cutler.one_writer import only_their_own_functions_write
from tests.rulebooks.players import AT, Match, random_answer
from tests.seeds import DRAWN, IS_FULL, QUICK

TURNS = 12


class Conquest(Match):
    """A campaign whose races send all their fleets against the nearest planet of another race, and fight there."""

    def round(self, silent: Any = ()) -> None:
        """Everybody answers what is open in the first strand, and it closes."""
        adjudicator = self.adjudicator
        strand = adjudicator.strands()[0]
        for ask in [one for one in adjudicator.open_asks() if one.strand == strand]:
            document = conquering(adjudicator, ask, self.chance)
            for side in ask.parties:
                self.take(adjudicator.answer(side, ask.id, document, by=side, at=AT))
        self.take(adjudicator.close("deadline", by="clock", at=AT, strand=strand, nonce=self.nonce()))
        problems = adjudicator.defects()
        assert not problems, problems


def conquering(adjudicator: Adjudicator[CutlerState], ask: AnyAsk, chance: random.Random) -> Json:
    """A sheet that goes for planets; as it is filled in where that is refused, and battles at random."""
    side = ask.parties[0]
    if ask.kind in ("battle", "assault"):
        return random_answer(adjudicator, side, ask, chance)
    sheet = ask.form.prefilled()
    if ask.kind == "card":
        sheet["force"] = {"card": "combat"}
    for line in ask.form.lines:
        fleet = adjudicator._state.fleets.get(f"{side}/{line.key}")
        if fleet is None or ask.kind not in ("turn", "plot"):
            continue
        aim = nearest_planet(adjudicator._state, side, fleet.units)
        for tried in ({"course": aim}, {"raze": here(adjudicator._state, side, fleet.units)}):
            changed = {**sheet, line.key: {**sheet.get(line.key, {}), **tried}}
            if None not in tried.values() and legal(adjudicator, side, ask, changed):
                sheet = changed
    if legal(adjudicator, side, ask, sheet):
        return sheet
    return random_answer(adjudicator, side, ask, chance)


def legal(adjudicator: Adjudicator[CutlerState], side: str, ask: AnyAsk, sheet: Json) -> bool:
    """Whether a sheet is accepted."""
    try:
        adjudicator.try_answer(side, ask.id, sheet)
    except Refused:
        return False
    return True


def nearest_planet(state: CutlerState, side: str, units: Any) -> str | None:
    """The hex of the nearest planet that another race holds."""
    where = state.units[units[0]].hex
    foes = sorted(planet.hex for planet in state.planets.values() if planet.owner != side)
    return min(foes, key=lambda hex_id: state.grid.distance(where, hex_id), default=None)


def here(state: CutlerState, side: str, units: Any) -> str | None:
    """The planet of another race in the hex of these units."""
    where = state.units[units[0]].hex
    return next((key for key, one in state.planets.items() if one.hex == where and one.owner != side), None)


def played(players: int, seed: int, kind: type[Match], turns: int = TURNS) -> Match:
    """A whole campaign."""
    print(f"{players} players, seed {seed}, {kind.__name__}")  # pytest shows it beside a failure
    game = ring(players, seed, turns=turns, kind=kind)
    with only_their_own_functions_write():
        for _ in range(20_000):
            if game.adjudicator.ending is not None:
                break
            game.round()
    assert game.adjudicator.ending is not None
    assert game.adjudicator.turn <= turns
    return game


@pytest.mark.headless
@pytest.mark.rule("cutler", "12.0")
def test_those_who_go_for_planets_meet_and_somebody_wins() -> None:
    game = played(2, 3, Conquest, turns=6)
    kinds = {ask.kind for step in game.steps for ask in step.opened}
    assert {"race", "empire", "planets", "systems", "forces", "turn", "plot", "card", "battle"} <= kinds
    assert game.adjudicator.ending is not None
    assert game.adjudicator.ending.winners
    assert replay(RULEBOOK, game.entries, game.seed).digest() == game.adjudicator.digest()


@pytest.mark.parametrize("seed", [*DRAWN[:2], pytest.param(QUICK[0], marks=pytest.mark.thorough)])
@pytest.mark.parametrize("kind", [Match, Conquest])
def test_seeds_that_nobody_has_tried(seed: int, kind: type[Match]) -> None:
    played(2 + seed % 2, seed, kind, turns=TURNS // 2)


@pytest.mark.slow
@pytest.mark.skipif(not IS_FULL, reason="minutes: PLOTROOM_SWEEP=full")
@pytest.mark.parametrize("seed", range(1, 14))
@pytest.mark.parametrize("players", [2, 3, 5, 7])
@pytest.mark.parametrize("kind", [Match, Conquest])
def test_many_whole_campaigns(players: int, seed: int, kind: type[Match]) -> None:
    game = played(players, seed, kind)
    assert replay(RULEBOOK, game.entries, game.seed).digest() == game.adjudicator.digest()
