"""Duels that are entered as the bot enters them, with sheets as players type them: what random captains seldom do."""

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from tests.rulebooks.players import AT, Match
from tests.rulebooks.test_every_rulebook import match


def ask_of(game: Match, side: str, kind: str) -> str:
    """The id of what a side is asked."""
    return next(ask.id for ask in game.adjudicator.asks_for(side) if ask.kind == kind)


def close(game: Match) -> None:
    """The deadline falls."""
    game.take(game.adjudicator.close("deadline", by="clock", at=AT, nonce=game.nonce()))


def flown(game: Match, **plots: str) -> None:
    """A piece in which the traders plot so, and everybody else coasts."""
    sheet: dict[str, Json] = {key: {"plot": words} for key, words in plots.items()}
    game.take(game.adjudicator.answer("traders", ask_of(game, "traders", "plot"), sheet, by="ann", at=AT))
    close(game)


def first_legal(game: Match, unit: str, words: str) -> str:
    """The words for the first impulse of the second piece on which they are legal."""
    ask = ask_of(game, "traders", "plot")
    for impulse in range(17, 33):
        said = words.format(impulse)
        try:
            game.adjudicator.try_answer("traders", ask, {unit: {"plot": said}})
        except Refused:
            continue
        return said
    raise AssertionError(f"{words} is legal on no impulse")


@pytest.mark.headless
def test_a_shuttle_is_launched_and_lands_again():
    """It keeps the vector of its ship, and lands where it meets it."""
    game = match("vector/ambush", 1)
    close(game)
    flown(game, T1="launch T5 C 0 on 16")
    flown(game, T5=first_legal(game, "T5", "land on T1 on {}"))
    assert any("T5" in text and "land" in text for text in game.texts())


@pytest.mark.headless
def test_a_shuttle_lands_by_accelerating_as_it_lands():
    game = match("vector/ambush", 1)
    close(game)
    # its ship faces C, and so does the shuttle: it is one hex a turn slower in C, which it adds as it lands
    flown(game, T1="launch T5 C 0 on 16; accelerate 1 on 16")
    flown(game, T5=first_legal(game, "T5", "land on T1 on {}"))
    assert any("T5" in text and "land" in text for text in game.texts())


@pytest.mark.headless
@pytest.mark.rule("vector", "CJD1.55")
def test_a_ship_that_its_captain_reports_gone_is_out_of_the_duel():
    """Captains report at random; in this duel one of them says that R2 has disengaged, and of R1 nobody says so."""
    game = match("vector/ambush", 6)
    game.play(25)
    units = game.adjudicator._state.battle.units
    assert (units["R2"].out, units["R1"].out) == ("disengaged", "")
    assert "R2 Leer has disengaged." in game.texts()
