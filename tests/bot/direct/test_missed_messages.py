"""What was written to the bot while it was away is read when it is back: in order, each once, and nothing too old."""

from typing import Any

import discord
import pytest

from bot.direct.missed import MOST_MISSED, MissedMessages
from bot.store.tables import HeardRow
from tests.bot.direct.test_plain_messages import TITLE, answered, labels, newest
from tests.bot.worlds.simulated_server import SimulatedServer
from tests.message_words import words_of

LATE = "while I was away."


async def away(here: SimulatedServer, who: Any, *texts: str) -> None:
    """Somebody writes while nothing reaches the bot."""

    async def unheard(_: discord.Message) -> None:
        """No bot is there."""

    here.bot.on_message = unheard  # type: ignore[method-assign]
    for text in texts:
        await who.user.send_dm(text)


async def back(here: SimulatedServer) -> None:
    """The bot is there again, in a process of its own."""
    await here.restart()
    await here.env.settle()
    await here.bot.delivery.settled()
    await here.env.settle()


def answers_of(here: SimulatedServer, who: Any) -> list[Any]:
    """What was answered late."""
    return [one for one in here.dms(who) if LATE in one.content]


async def test_orders_written_meanwhile_are_echoed_in_order_and_saved_by_a_press(here: SimulatedServer) -> None:
    await here.begin()
    journal = await here.journal()
    await away(here, here.ann, "number 7", "status", "number 9; stance bold")
    await back(here)
    seven, status, nine = answers_of(here, here.ann)
    assert seven.content.startswith(f"**First Duel** · {TITLE}\n__As I understand it__\n• ✏️ number 7")
    assert status.content.startswith("**First Duel**")
    assert "number 9, bold" in nine.content
    assert labels(nine) == ["Save", "Change"]
    assert await here.journal() == journal, "nothing is done by it"
    await here.ann.user.click(nine, label="Save")
    assert "number 9, bold" in words_of(here.prompt(here.ann, "Name a number"))
    assert "receipt" in words_of(newest(here, here.ann, nine))
    assert answers_of(here, here.leo) == []
    before = len(here.dms(here.ann))
    await back(here)
    assert len(here.dms(here.ann)) == before, "nothing is read again"


async def test_who_writes_before_all_was_looked_for_is_answered_in_order(here: SimulatedServer) -> None:
    """A message that comes at once brings what its writer wrote before it along."""
    await here.begin()
    await answered(here, here.ann, "number 3")
    await away(here, here.ann, "number 4")
    here.bot._plain.catch_up = nothing  # type: ignore[method-assign]
    del here.bot.on_message
    here.bot._plain.session_began()  # it was deaf, and has a fresh session
    await here.ann.user.send_dm("number 5")
    await here.bot.delivery.settled()
    await here.env.settle()
    asked = [one.content.split("• ✏️ ")[1][:8] for one in here.dms(here.ann) if "• ✏️ " in one.content]
    assert asked[-3:] == ["number 3", "number 4", "number 5"]


async def nothing() -> None:
    """Nobody is looked for."""


async def test_no_answer_is_given_twice_when_the_bot_dies_between(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was kept with an answer counts; what was refused at once is told once more at most."""
    await here.begin()
    await away(here, here.ann, "number 7", "number 8")
    found = MissedMessages.of

    async def only_first(self: MissedMessages, user_id: int, before: int | None) -> Any:
        missed = await found(self, user_id, before)
        return type(missed)(missed.messages[:1])

    with monkeypatch.context() as dies:
        dies.setattr(MissedMessages, "of", only_first)
        await back(here)
    assert len(answers_of(here, here.ann)) == 1
    await back(here)
    assert ["number 7" in one.content for one in answers_of(here, here.ann)] == [True, False]


async def test_what_discord_does_not_give_is_looked_for_again_and_nothing_passes_it(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.begin()
    await answered(here, here.ann, "number 3")
    (read,) = await here.rows(HeardRow.message_id)
    await away(here, here.ann, "number 4")

    async def not_given(*_: Any, **__: Any) -> Any:
        raise ConnectionError

    with monkeypatch.context() as broken:
        broken.setattr("bot.delivery.gateway.ChannelHistory.written", not_given)
        await back(here)
        await answered(here, here.ann, "number 5")
    assert await here.rows(HeardRow.message_id) == [read]
    await back(here)
    assert ["number 4" in one.content for one in answers_of(here, here.ann)] == [True]


async def test_only_the_last_are_read_and_nothing_from_before_the_sheets(here: SimulatedServer) -> None:
    await here.found()
    await here.slash(here.ann, "campaign join", side="red")
    await here.slash(here.leo, "campaign join", side="blue")
    await here.ann.user.send_dm("help")
    await away(here, here.ann, "number 2")
    del here.bot.on_message
    await here.later(2 * 3600)
    await here.slash(here.rita, "campaign start")
    await away(here, here.ann, *(f"number {3 + count % 6}" for count in range(MOST_MISSED + 2)))
    await back(here)
    late = answers_of(here, here.ann)
    assert len(late) == MOST_MISSED
    assert not any("number 2" in one.content for one in late)
    assert sum("You wrote more to me while I was away" in one.content for one in here.dms(here.ann)) == 1


async def test_who_has_no_sheet_is_read_back_a_day_and_a_stranger_not_at_all(here: SimulatedServer) -> None:
    await here.begin()
    await answered(here, here.rita, "help")
    await away(here, here.rita, "status")
    await away(here, here.zoe, "status")
    await here.later(26 * 3600)
    await away(here, here.rita, "help")
    await back(here)
    assert ["You are the referee" in one.content for one in answers_of(here, here.rita)] == [True]
    assert answers_of(here, here.zoe) == []
