"""Campaigns with written sheets, entered as the bot enters them: what captains at random seldom come to."""

from copy import deepcopy
from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.protocol.asks import AnyAsk
from tests.rulebooks.players import Match
from tests.rulebooks.test_every_rulebook import SHELF

HEX = "0402"


class WrittenMatch(Match):
    """Sheets are as they are written for each side; who has none holds, and in battles all stay intact."""

    sheets: dict[str, Json]

    def answer_to(self, side: str, ask: AnyAsk) -> Json:
        """The side's sheet for the turn; all else as it is filled in."""
        return self.sheets.get(side, {}) if ask.kind == "plot" else ask.form.prefilled()


def pinned() -> dict[str, Json]:
    """The introduction, with both stacks of the Romulans at the first one's of the Federation, whose cruiser is a
    command cruiser: its class gives no Command Rating, so the letters do."""
    document: dict[str, Any] = deepcopy(SHELF.read("border_patrol/intro")[1])
    for stack in document["units"]["stack"]:
        stack["hex"] = HEX if stack["id"] in ("R1", "R2") else stack["hex"]
    document["classes"]["F-CA"] |= {"hull": "CC", "command_rating": None}
    return document


@pytest.mark.headless
@pytest.mark.rule("border_patrol", "V8.24", "V8.94")
def test_a_pinned_flagship_leads_out_as_many_as_its_rating_is_better():
    """Two against the four that Red has there; 9 by its letters against the 8 of Red's cruiser: one may leave."""
    game = WrittenMatch(SHELF.read("border_patrol/intro")[0], pinned(), 3)
    side = game.adjudicator.sides[0].key
    (ask,) = game.adjudicator.asks_for(side)
    (refused,) = ask.refusals_of({"F1": {"route": "P1 0401"}})
    assert refused.rule == "V8.93, V8.94"
    game.sheets = {side: {"F1": {"route": "0401", "held": "break out"}, "F1-ships": {"rearguard": ["lance"]}}}
    game.round()
    held = [report.text for step in game.steps for report in step.reports if report.kind == "held"]
    assert held == ["Lance stays in 0402 as F4.", "F1 leaves 0402: by its Command Rating."]
    state = game.adjudicator._state
    assert (state.units["resolve"].hex, state.units["lance"].hex) == ("0401", HEX)
    assert game.replayed().digest() == game.adjudicator.digest()


@pytest.mark.headless
@pytest.mark.rule("border_patrol", "V8.15")
def test_captains_are_asked_in_each_phase_where_the_scenario_says_so():
    document: dict[str, Any] = deepcopy(SHELF.read("border_patrol/intro")[1])
    document["file"]["options"] = ["ask_every_phase"]
    game = WrittenMatch(SHELF.read("border_patrol/intro")[0], document, 3)
    game.sheets = {}
    while game.adjudicator.turn == 1:
        game.round()
    phases = {ask.title for step in game.steps for ask in step.opened if ask.kind == "phase"}
    assert phases == {f"Turn 1, phase {phase}" for phase in (2, 4, 5, 7, 8)}, "all go five hexes"
    assert game.replayed().digest() == game.adjudicator.digest()


class Raider(WrittenMatch):
    """Fights the convoys that it comes upon."""

    def answer_to(self, side: str, ask: AnyAsk) -> Json:
        """As it is written, and to fight a convoy."""
        if ask.kind == "convoy":
            return {line.key: {"answer": "fight"} for line in ask.form.lines}
        return super().answer_to(side, ask)


@pytest.mark.headless
@pytest.mark.rule("border_patrol", "T8.730")
def test_a_raider_under_cloak_is_asked_about_a_convoy_and_fights_it():
    """Two raiders go a hex in a province of others; the first seed with which a convoy is met is taken."""
    book, shelved = SHELF.read("border_patrol/intro")
    document: dict[str, Any] = deepcopy(shelved)
    places = {"R1": "0304", "R2": "0306"}
    for stack in document["units"]["stack"]:
        stack["hex"] = places.get(stack["id"], stack["hex"])
    orders = {"cloak": "all turn", "orders": "convoys ask"}
    raids = {"R1": {"route": "0305", **orders}, "R2": {"route": "0305", **orders}}
    for seed in range(1, 60):
        game = Raider(book, deepcopy(document), seed)
        game.sheets = {game.adjudicator.sides[1].key: raids}
        while game.adjudicator.turn == 1:
            game.round()
        if any(ask.kind == "convoy" for step in game.steps for ask in step.opened):
            break
    told = [report.text for step in game.steps for report in step.reports if report.kind == "encounter"]
    assert any(text.endswith("and fights it.") for text in told)
    assert game.replayed().digest() == game.adjudicator.digest()
