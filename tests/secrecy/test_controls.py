"""A test that cannot fail proves nothing: bots that leak, in small ways, are caught by the comparison."""

from typing import Any

import pytest

from bot.desk import ledger
from bot.desk.ledger import Ledger
from bot.desk.play import Play
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.pq17 import shown
from tests.secrecy.test_pq17 import APART, GUESSES, renamed
from tests.secrecy.theatre import Theatre, watch
from tests.secrecy.worlds import World, alike

PLAIN = APART


def caught(one: World, other: World) -> str:
    """Play both and give the difference, which must be there."""
    with pytest.raises(AssertionError) as difference:
        alike(watch(one, guesses=GUESSES), watch(other, guesses=GUESSES))
    return str(difference.value)


def test_two_plays_of_one_world_are_alike() -> None:
    alike(watch(PLAIN, guesses=GUESSES), watch(PLAIN, guesses=GUESSES))


def test_a_host_so_slow_that_discords_own_time_runs_on_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = watch(PLAIN, guesses=GUESSES)
    real = Theatre._rest

    async def slow(self: Theatre, adjudicator: Any) -> None:
        self.env.backend.clock.advance(2.0)
        await real(self, adjudicator)

    monkeypatch.setattr(Theatre, "_rest", slow)
    alike(plain, watch(PLAIN, guesses=GUESSES))


def test_one_field_too_many_in_a_view_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = shown.side_board

    def leaky(state: Any, side: str, knowledge: Any) -> Any:
        board = real(state, side, knowledge)
        last = sorted(unit.name for unit in state.units.values())[-1]
        return board.model_copy(update={"panels": (*board.panels, Panel(title="Last", rows=(last,)))})

    monkeypatch.setattr(shown, "side_board", leaky)
    assert "Whisper" in caught(PLAIN, PLAIN.but(files={"scenario.toml": renamed}))


def test_a_post_in_the_wrong_place_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Play.write

    async def leaky(self: Play, token: str, user_id: int, text: str, **more: Any) -> Any:
        prompt = await real(self, token, user_id, text, **more)
        await self._office.tell_public(prompt.campaign.id, "Somebody is writing.")
        return prompt

    monkeypatch.setattr(Play, "write", leaky)
    assert "Somebody" in caught(PLAIN, PLAIN.but(mistakes=1))


def test_a_count_of_what_others_have_to_do_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Ledger.prompt_state

    def leaky(self: Ledger, token: str, ask: Any, side: str, *more: Any, **named: Any) -> Any:
        state = real(self, token, ask, side, *more, **named)
        asks = [(label.key, one.id) for label in self.referee.sides for one in self.referee.asks_for(label.key)]
        waiting = sum(self.referee.saved(*one) is None for one in asks)
        return type(state)(**{**vars(state), "others_open": waiting})

    monkeypatch.setattr(Ledger, "prompt_state", leaky)
    assert "more sheet(s)" in caught(PLAIN, PLAIN.but(others_first=True))


def test_an_edit_that_changes_nothing_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Play._refresh_copies

    async def leaky(self: Play, *given: Any, **more: Any) -> None:
        conn, campaign, referee, row, prompt = given
        await real(self, *given, **more)
        still_open = ledger.select(ledger.PromptRow).where(ledger.PromptRow.status == "open")
        rows = (await conn.execute(still_open)).mappings()
        for other in [one for one in rows if one["side"] != row["side"]]:
            ask = referee.asks_for(other["side"])[0]
            book = Ledger(conn, campaign, referee, self._office.now())
            card = ledger.prompt_card(book.prompt_state(other["token"], ask, other["side"], prompt.state.closes))
            await book.refresh(other, card.as_json())

    monkeypatch.setattr(Play, "_refresh_copies", leaky)
    assert "PATCH" in caught(PLAIN, PLAIN.but(restless=1, others_first=True))


def test_a_refusal_that_knows_the_enemys_names_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Play.write

    async def leaky(self: Play, token: str, user_id: int, text: str, **more: Any) -> Any:
        prompt = await real(self, token, user_id, text, **more)
        async with self._office.live.use(prompt.campaign.id) as referee:
            known = [unit.name for unit in referee._state.units.values() if unit.name in text]
        return self.with_problems(prompt, [f"{known[0]} is no ship of yours"]) if known else prompt

    monkeypatch.setattr(Play, "write", leaky)
    assert "no ship of yours" in caught(PLAIN, PLAIN.but(files={"scenario.toml": renamed}))


def test_a_map_in_the_wrong_place_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "side_place", lambda side: "public" if side == "coalition" else f"side:{side}")
    assert "map.png" in caught(PLAIN, PLAIN.but(files={"scenario.toml": renamed}))
