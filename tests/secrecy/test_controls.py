"""A test that cannot fail proves nothing: bots that leak, in small ways, are caught by the comparison."""

from dataclasses import replace
from typing import Any

import pytest

from bot.cards.cards import prompt_card
from bot.delivery import sending
from bot.interactions import showing
from bot.orders import answering, fill, find_prompt, open_prompt, typed
from bot.orders.open_prompt import OpenPrompt
from bot.queries import bulletins
from bot.recording import bulletin, prompts
from bot.recording.prompts import prompt_state, refresh_prompt
from bot.records import components, effects, places
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.pq17 import shown
from tests.secrecy import two_worlds, worlds
from tests.secrecy.test_pq17 import APART, GUESSES, STEADY, beside, renamed, renumbered

pytestmark = pytest.mark.thorough
PLAIN = APART


def caught(one: worlds.World, other: worlds.World) -> str:
    """Play both and give the difference, which must be there."""
    with pytest.raises(AssertionError) as difference:
        worlds.alike(two_worlds.watch(one, guesses=GUESSES), two_worlds.watch(other, guesses=GUESSES))
    return str(difference.value)


def test_two_plays_of_one_world_are_alike() -> None:
    worlds.alike(two_worlds.watch(PLAIN, guesses=GUESSES), two_worlds.watch(PLAIN, guesses=GUESSES))


def test_a_host_so_slow_that_discords_own_time_runs_on_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = two_worlds.watch(PLAIN, guesses=GUESSES)
    real = two_worlds.TwoWorlds._rest

    async def slow(self: two_worlds.TwoWorlds, adjudicator: Any) -> None:
        self.env.backend.clock.advance(2.0)
        await real(self, adjudicator)

    monkeypatch.setattr(two_worlds.TwoWorlds, "_rest", slow)
    worlds.alike(plain, two_worlds.watch(PLAIN, guesses=GUESSES))


def test_one_field_too_many_in_a_view_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = shown.side_board

    def leaky(state: Any, side: str, knowledge: Any) -> Any:
        board = real(state, side, knowledge)
        last = sorted(unit.name for unit in state.units.values())[-1]
        return board.model_copy(update={"panels": (*board.panels, Panel(title="Last", rows=(last,)))})

    monkeypatch.setattr(shown, "side_board", leaky)
    assert "Whisper" in caught(PLAIN, PLAIN.but(files={"scenario.toml": renamed}))


def test_a_post_in_the_wrong_place_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = fill.SheetFilling.write

    async def leaky(self: fill.SheetFilling, token: str, user_id: int, text: str, **more: Any) -> Any:
        answer = await real(self, token, user_id, text, **more)
        assert isinstance(answer, OpenPrompt)
        async with self._runtime.store.write() as tx:
            told = effects.Post(place=places.PUBLIC_PLACE, content="Somebody is writing.")
            await tx.outbox.put(answer.campaign.id, told, now=self._runtime.now())
        return answer

    monkeypatch.setattr(fill.SheetFilling, "write", leaky)
    assert "Somebody" in caught(PLAIN, PLAIN.but(mistakes=1))


def test_a_nonce_that_counts_rows_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "nonce_of", lambda job, step: f"{job.item.id}.{step}")
    first = PLAIN.but(others_first=True)
    assert "nonce" in caught(first, first.but(restless=2))


def test_a_count_of_what_others_have_to_do_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = prompts.prompt_state

    def leaky(campaign: Any, referee: Any, prompt: Any, ask: Any, **more: Any) -> Any:
        state = real(campaign, referee, prompt, ask, **more)
        asks = [(label.key, one.id) for label in referee.sides for one in referee.asks_for(label.key)]
        return replace(state, others_open=sum(referee.saved(*one) is None for one in asks))

    for module in (prompts, find_prompt):
        monkeypatch.setattr(module, "prompt_state", leaky)
    assert "more sheet" in caught(PLAIN, PLAIN.but(others_first=True))


def framed(state: Any, **options: Any) -> components.Card:
    """A sheet's card as a frame from the first, so that the same again changes nothing of its message."""
    card = prompt_card(state, **options)
    rows: list[components.Block] = [{"type": "row", "row": row} for row in card.rows]
    return replace(card, layout=card.layout or components.Layout(({"type": "text", "text": card.content}, *rows)))


def test_an_edit_that_changes_nothing_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = answering.Answering._still_open
    for module in (prompts, open_prompt, showing):
        monkeypatch.setattr(module, "prompt_card", framed)

    async def leaky(self: answering.Answering, recording: Any, found: Any, *more: Any) -> OpenPrompt:
        campaign, referee = recording.campaign, recording.adjudicator
        for other in await recording.tx.prompts.open_of(campaign.id):
            if other.side != found.side:
                state = prompt_state(campaign, referee, other, referee.asks_for(other.side)[0], closes=found.closes)
                await refresh_prompt(recording, other, framed(state))
        return await real(self, recording, found, *more)

    monkeypatch.setattr(answering.Answering, "_still_open", leaky)
    assert "PATCH" in caught(PLAIN, PLAIN.but(restless=1, others_first=True))


def test_a_refusal_that_knows_the_enemys_names_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = fill.SheetFilling.write

    async def leaky(self: fill.SheetFilling, token: str, user_id: int, text: str, **more: Any) -> Any:
        answer = await real(self, token, user_id, text, **more)
        assert isinstance(answer, OpenPrompt)
        async with self._runtime.loaded.use(answer.campaign.id) as referee:
            known = [unit.name for unit in referee._state.units.values() if unit.name in text]
        return answer.with_problems([f"{known[0]} is no ship of yours"]) if known else answer

    monkeypatch.setattr(fill.SheetFilling, "write", leaky)
    assert "no ship of yours" in caught(PLAIN, PLAIN.but(files={"scenario.toml": renamed}))


def test_an_answer_to_a_plain_message_that_knows_the_enemys_names_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = typed.TypedOrdersReader.for_campaign

    async def leaky(self: typed.TypedOrdersReader, campaign_id: str, user_id: int, text: str) -> Any:
        found = await real(self, campaign_id, user_id, text)
        async with self._runtime.loaded.use(campaign_id) as referee:
            known = [unit.name for unit in referee._state.units.values() if unit.name in text]
        return [replace(one, names=1, problems=(f"{known[0]} is no ship of yours",)) if known else one for one in found]

    monkeypatch.setattr(typed.TypedOrdersReader, "for_campaign", leaky)
    assert "no ship of yours" in caught(PLAIN, PLAIN.but(files={"scenario.toml": renamed}))


def test_a_map_in_the_wrong_place_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulletin, "side_place", lambda side: "public" if side == "coalition" else f"side:{side}")
    assert "map.png" in caught(PLAIN, PLAIN.but(files={"scenario.toml": renamed}))


def test_a_log_that_tells_what_others_were_told_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulletins, "_is_of", lambda report, bulletin: True)
    assert "C1" in caught(STEADY, STEADY.but(files={"scenario.toml": lambda text: renumbered(beside(text))}))
