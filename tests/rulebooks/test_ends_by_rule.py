"""Battles on whose account nobody agrees in time: every book states how they end, and a replay does the same."""

from typing import Any

import pytest

from rules_engine import rulebooks
from rules_engine.core.basics.base import Json
from rules_engine.core.protocol.asks import SETTLED_BY, AnyAsk
from rules_engine.core.records.journal import JournalEntry, Ruled, write_entry
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import Diverged
from tests.chance import NONCE
from tests.rulebooks.players import AT, Match, random_answer
from tests.rulebooks.scenario_defects import Scenarios
from tests.rulebooks.test_every_rulebook import LIGHT, match, of_the_fewest

FOUGHT = sorted(LIGHT - {"vector/ambush"})
"""Of each book in which battles are fought by hand: duels by vectors only ask about what is disputed."""
SEEDS = range(1, 40)
ROUNDS = 40


OTHER_ENDS = {
    "border_patrol/intro": ("arrivals leave", "disengage"),
    "jump_lanes/intro": ("arrivals leave", "withdraw"),
    "pq17/intro": ("defenders leave", "The defenders leave"),
}
"""Scenarios that may state another end: how, and what is said of it. In Cutler's cards decide anew each time."""


def battles(game: Match) -> list[AnyAsk]:
    """What needs the agreement of several forces now."""
    return [ask for ask in game.adjudicator.open_asks() if ask.is_shared]


def at_battle(key: str, *, alone: bool = False) -> tuple[Match, AnyAsk]:
    """A campaign played at random to a battle; ``alone``, to one beside which nothing else is open."""
    for seed in SEEDS:
        game = match(key, seed)
        for _ in range(ROUNDS):
            open_ones = battles(game)
            if open_ones and (not alone or len(game.adjudicator.open_asks()) == 1):
                return game, open_ones[0]
            if game.adjudicator.ending is not None:
                break
            game.round()
    raise AssertionError(f"no battle in {key}")


def end(game: Match, battle: AnyAsk) -> Any:
    """Let it end by rule, and play go on; gives what that did."""
    document, says = game.adjudicator.stated_end(battle.id)
    game.adjudicator.rule(battle.id, document, by="clock", reason=says, at=AT)
    return game.adjudicator.close("deadline", by="clock", at=AT, nonce=NONCE)


@pytest.mark.parametrize("key", FOUGHT)
def test_stated_end_is_legal_in_every_battle_of_random_play(key: str) -> None:
    seen = 0
    for seed in SEEDS:
        game = match(key, seed)
        for _ in range(ROUNDS):
            for ask in battles(game):
                document, says = game.adjudicator.stated_end(ask.id)
                ask.answer_from(document)
                assert says.endswith(".")
                seen += 1
            if game.adjudicator.ending is not None or seen > 12:
                break
            game.round()
        if seen > 12:
            return
    assert seen


@pytest.mark.headless
@pytest.mark.parametrize("key", FOUGHT)
def test_battle_ends_by_rule_and_is_told_as_that(key: str) -> None:
    game, battle = at_battle(key, alone=True)
    done = end(game, battle)
    assert battle.id in done.closed
    whys = [report.why.text() for report in done.reports if report.why]
    assert any(SETTLED_BY["by rule"] in why for why in whys)
    assert not any("the referee's ruling" in why for why in whys)


@pytest.mark.parametrize("key", FOUGHT)
def test_clock_can_rule_nothing_but_the_stated_end(key: str) -> None:
    game, battle = at_battle(key, alone=True)
    stated, _ = game.adjudicator.stated_end(battle.id)
    other: Json = stated
    while battle.answer_from(other) == battle.answer_from(stated):
        other = random_answer(game.adjudicator, battle.parties[0], battle, game.chance)
    book, journal = game.adjudicator.rulebook, game.entries

    def ruled(document: Json) -> JournalEntry:
        body = Ruled(ask=battle.id, by="clock", document=document, reason="by rule")
        return write_entry(journal[-1], body, at=AT, seed=game.seed)[0]

    replay(book, [*journal, ruled(stated)], game.seed)
    with pytest.raises(Diverged):
        replay(book, [*journal, ruled(other)], game.seed)


@pytest.mark.parametrize("key", OTHER_ENDS)
def test_end_that_the_scenario_states_is_legal_in_every_battle_of_random_play(key: str) -> None:
    how, words = OTHER_ENDS[key]
    seen = 0
    for seed in SEEDS:
        book, scenario = of_the_fewest(key)
        file: Any = scenario["file"]
        game = Match(book, {**scenario, "file": {**file, "unsettled_battles": how}}, seed)
        for _ in range(ROUNDS):
            for ask in battles(game):
                document, says = game.adjudicator.stated_end(ask.id)
                ask.answer_from(document)
                seen += words in says
            if game.adjudicator.ending is not None or seen > 5:
                break
            game.round()
        if seen > 5:
            return
    assert seen


@pytest.mark.parametrize("key", OTHER_ENDS)
def test_end_that_no_book_knows_is_refused_with_its_line(key: str) -> None:
    book, name = key.split("/")
    scenarios = Scenarios(book, rulebooks.rulebook(book).read_scenario, name)
    texts = scenarios.files()
    texts["scenario.toml"] = f'unsettled_battles = "nobody knows"\n{texts["scenario.toml"]}'
    (told,) = scenarios.refused(texts)
    assert "scenario.toml.unsettled_battles (line 1): Input should be" in told
