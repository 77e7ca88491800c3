"""Discord cannot be reached with an answer, or fails over it: nobody is told of a defect, and what was done stands."""

from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from structlog.testing import capture_logs

from bot.delivery.calls.at_work import MessagesAtWork
from bot.interactions.guard import guarded
from bot.interactions.turns import Turns


class Unreachable:
    """The answer to an interaction, that does not reach Discord."""

    def is_done(self) -> bool:
        return False

    async def send_message(self, *_: Any, **__: Any) -> None:
        raise aiohttp.ClientConnectionError


def interaction() -> Any:
    """Somebody's press."""
    user = SimpleNamespace(id=1)
    client = SimpleNamespace(turns=Turns(), delivery=SimpleNamespace(at_work=MessagesAtWork()))
    return SimpleNamespace(
        client=client,
        user=user,
        id=2,
        channel_id=3,
        guild_id=4,
        message=None,
        response=Unreachable(),
        type=discord.InteractionType.component,
        data={},
        extras={},
    )


def failing_server() -> discord.DiscordServerError:
    """What discord.py makes of a 503."""
    answer: Any = SimpleNamespace(status=503, reason="away")
    return discord.DiscordServerError(answer, "")


@pytest.mark.parametrize("error", [aiohttp.ClientConnectionError(), ConnectionResetError(), failing_server()])
async def test_an_answer_that_does_not_reach_discord_is_no_defect(error: Exception) -> None:
    done: list[int] = []

    async def work() -> None:
        done.append(1)
        raise error

    with capture_logs() as logs:
        await guarded(interaction(), work)
    assert done == [1]
    assert [one["event"] for one in logs] == ["answer not taken"]


async def test_a_defect_is_one_even_if_it_cannot_be_told() -> None:
    async def work() -> None:
        raise ZeroDivisionError

    with capture_logs() as logs:
        await guarded(interaction(), work)
    assert [one["event"] for one in logs] == ["incident", "answer not taken"]
