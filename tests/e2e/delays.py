"""Delays in the bot's process, drawn at random: what a busy machine does to it, without a busy machine.

``PLOTROOM_DELAYS=7 pytest tests/crash`` draws them with that seed, for every bot that a test starts in a process of its
own. Nothing that tests assert may change. They come before commits and reads of the database, before and after calls to
Discord, and before what comes through the gateway, whose order stays as it is.
"""

import asyncio
import os
import random
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from discord.gateway import DiscordWebSocket

from bot.delivery.calls import call
from bot.store.database import Store
from bot.store.transaction import Transaction

VARIABLE = "PLOTROOM_DELAYS"
LONGEST = 1.5
"""Seconds."""
ONE_IN = 6
"""How many of these moments pass for each that is delayed."""

Pause = Callable[[], Awaitable[None]]


def begin() -> None:
    """Delay this process if the environment has a seed for that."""
    seed = os.environ.get(VARIABLE)
    if not seed:
        return
    chance = random.Random(f"{seed} {os.getpid()}")

    async def pause() -> None:
        if chance.randrange(ONE_IN) == 0:
            await asyncio.sleep(chance.uniform(0, LONGEST))

    _delay_the_database(pause)
    _delay_calls(pause)
    _delay_the_gateway(pause)


def _delay_the_database(pause: Pause) -> None:
    commit, read = Store._commit, Store.read

    async def late_commit(store: Store, transaction: Transaction) -> None:
        await pause()
        await commit(store, transaction)

    @asynccontextmanager
    async def late_read(store: Store) -> AsyncGenerator[Transaction, None]:
        await pause()
        async with read(store) as transaction:
            yield transaction

    Store._commit = late_commit  # type: ignore[method-assign]
    Store.read = late_read  # type: ignore[method-assign]


def _delay_calls(pause: Pause) -> None:
    at_once = call.called

    async def late(name: str, made: Callable[..., Awaitable[Any]], /, *args: Any, **kwargs: Any) -> Any:
        await pause()
        result = await at_once(name, made, *args, **kwargs)
        await pause()
        return result

    for module in [*sys.modules.values()]:
        if getattr(module, "called", None) is at_once:
            module.called = late  # type: ignore[attr-defined]


def _delay_the_gateway(pause: Pause) -> None:
    received = DiscordWebSocket.received_message

    async def late(socket: DiscordWebSocket, message: Any, /) -> None:
        await pause()
        await received(socket, message)

    DiscordWebSocket.received_message = late  # type: ignore[method-assign]
