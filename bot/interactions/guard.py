"""What happens around every command, button and form: one clear message when something cannot be done.

The person who asked is told what would be right; the log is told ids and neutral words, never contents. What was not
foreseen becomes one line with an incident number, under which the log holds the rest.
"""

import asyncio
import contextlib
import functools
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, TypeGuard, TypeVar

import aiohttp
import discord
import structlog

from bot import spoken_of
from bot.campaigns.directory import WhichCampaign
from bot.delivery.exit import defer, reply, update_message
from bot.delivery.prepared import Message
from bot.errors import Sorry, Stale
from bot.interactions.again import which_campaign
from bot.interactions.giving_back import what_was_written, with_what_was_written
from bot.interactions.showing import Interaction, is_callers_own
from bot.interactions.turns import TooQuick
from bot.logs import where
from bot.store.errors import StoreUnavailable

log = structlog.get_logger()

Work = Callable[..., Awaitable[Any]]
F = TypeVar("F", bound=Work)

PATIENCE = 2.0
"""Seconds without an answer after which time is won."""
NOT_SAVED = (
    "This could not be saved, so it does not count: my database cannot be written now, and whoever hosts me has to "
    "look at that. What was saved before is safe. Send it again later."
)
WENT_WRONG = (
    "Something went wrong here, so what you sent last may not count. What was saved before is safe; look at it with "
    "`/orders show`, and send the rest again."
)
TOO_LATE = frozenset({10015, 10062, 50027})
"""Discord's codes where an answer comes too late: the three seconds for a first one are over (10062), or the quarter of
an hour in which more may be said (10015, 50027)."""

UNREACHED = (aiohttp.ClientError, ConnectionError)
"""Discord could not be reached with an answer. What was asked stands if it was carried out; who asked looks again."""


async def guarded(interaction: Interaction, work: Callable[[], Awaitable[None]]) -> None:
    """Do ``work`` when it is this user's turn, and say what went wrong, if something did.

    Discord waits three seconds for a first answer: where the work takes longer, time is won shortly before.
    """
    with interaction.client.delivery.at_work.answering(interaction):
        await _answered(interaction, work)


async def _answered(interaction: Interaction, work: Callable[[], Awaitable[None]]) -> None:
    hurried: set[asyncio.Task[None]] = set()  # held here, because the loop does not
    hurry = asyncio.get_running_loop().call_later(
        PATIENCE, lambda: hurried.add(asyncio.create_task(_win_time(interaction)))
    )
    try:
        async with interaction.client.turns.turn(interaction.user.id):
            spoken_of.begin()
            await work()
    except TooQuick as quick:
        if not quick.silently:
            log.info("too quick", **_ids(interaction))
            await _say(interaction, quick.text)
    except Stale as stale:
        log.info("stale", **_ids(interaction))
        await _say(interaction, stale.text, instead=True)
    except WhichCampaign as which:
        log.info("refused", code=which.code, **_ids(interaction))
        await _give(interaction, await which_campaign(interaction, which))
    except Sorry as sorry:
        log.info("refused", code=sorry.code, **_ids(interaction))
        if sorry.code != "seen":  # the first of two deliveries has answered
            await _say(interaction, sorry.text)
    except discord.HTTPException as error:
        if error.status < 500 and error.code not in TOO_LATE:
            await _incident(interaction, error)
        else:
            log.warning("answer not taken", code=error.code, **_ids(interaction))
    except UNREACHED as error:
        log.warning("answer not taken", error=type(error).__name__, **_ids(interaction))
    except StoreUnavailable:
        log.error("not saved", **_ids(interaction))
        await _say(interaction, NOT_SAVED)
    except Exception as error:
        await _incident(interaction, error)
    finally:
        hurry.cancel()


async def _win_time(interaction: Interaction) -> None:
    """Say that an answer will come, if there is none yet; what was pressed stays as it is meanwhile."""
    with contextlib.suppress(discord.HTTPException, *UNREACHED):  # the next answer has the same trouble, and says so
        await defer(interaction, update=interaction.message is not None)


def answers(function: F) -> F:
    """A command's callback, guarded."""

    @functools.wraps(function)
    async def wrapper(*args: Any, **options: Any) -> None:
        interaction = next(filter(_is_interaction, args))
        await guarded(interaction, lambda: function(*args, **options))

    return wrapper  # type: ignore[return-value]  # the same signature, as discord.py reads it through __wrapped__


def _is_interaction(argument: object) -> TypeGuard[Interaction]:
    return isinstance(argument, discord.Interaction)


async def _incident(interaction: Interaction, error: Exception) -> None:
    number = secrets.token_hex(3)
    log.error("incident", incident=number, error=type(error).__name__, where=where(error), **_ids(interaction))
    await _say(interaction, f"{WENT_WRONG} Incident `{number}`.")


async def _say(interaction: Interaction, text: str, *, instead: bool = False) -> None:
    """Tell the caller, or (``instead``) have the pressed message say it and lose its components; and give back to the
    caller alone what they wrote.

    A message in a channel is left to the outbox, which closes it for everybody.
    """
    if instead and is_callers_own(interaction):
        await _give(interaction, Message(text), update=True)
    else:
        await _give(interaction, with_what_was_written(interaction, text))


async def _give(interaction: Interaction, message: Message, *, update: bool = False) -> None:
    try:
        if update:
            await update_message(interaction, message)
            back = what_was_written(interaction)
            if back is not None:
                await reply(interaction, back)
        else:
            await reply(interaction, message)
    except discord.HTTPException as error:
        log.warning("answer not taken", code=error.code, **_ids(interaction))
    except UNREACHED as error:
        log.warning("answer not taken", error=type(error).__name__, **_ids(interaction))


def _ids(interaction: Interaction) -> dict[str, Any]:
    return {
        "interaction": interaction.id,
        "user": interaction.user.id,
        "channel": interaction.channel_id,
        "guild": interaction.guild_id,
    }
