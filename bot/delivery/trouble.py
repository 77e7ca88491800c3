"""What a failed call means, and what is to be done: read from HTTP status and Discord's own error codes."""

import asyncio
from dataclasses import dataclass
from enum import StrEnum

import aiohttp
import discord


class TroubleKind(StrEnum):
    """What to do about it."""

    RETRY = "retry"  # Discord or the network stumbled: again, soon
    FORBIDDEN = "forbidden"  # a permission is missing: tell the referee which, and try again
    FULL = "full"  # the server has no room for more roles, channels or threads: the same
    CLOSED_DM = "closed-dm"  # this user takes no direct messages: use the fall-back
    GONE = "gone"  # the channel or role was deleted: make it again
    NO_MEMBER = "no-member"  # the user is not on the server
    NO_MESSAGE = "no-message"  # the message was deleted
    ARCHIVED = "archived"  # the thread sleeps: wake it
    REFUSED = "refused"  # it will never be accepted: give up and say so


_CODES = {
    10003: TroubleKind.GONE,
    10004: TroubleKind.FORBIDDEN,  # the bot is not on that server any more: it may come back
    10007: TroubleKind.NO_MEMBER,
    10008: TroubleKind.NO_MESSAGE,
    10011: TroubleKind.GONE,
    10013: TroubleKind.NO_MEMBER,
    30005: TroubleKind.FULL,
    30013: TroubleKind.FULL,
    30033: TroubleKind.FULL,
    30056: TroubleKind.FULL,
    40003: TroubleKind.CLOSED_DM,  # too many direct messages were opened: nobody is reached by a new one for a while
    50001: TroubleKind.FORBIDDEN,
    50007: TroubleKind.CLOSED_DM,
    50033: TroubleKind.CLOSED_DM,  # the account is gone
    50013: TroubleKind.FORBIDDEN,
    50083: TroubleKind.ARCHIVED,
    50278: TroubleKind.CLOSED_DM,
    160005: TroubleKind.FORBIDDEN,  # a locked thread, for who may not manage threads
    160006: TroubleKind.FULL,
}


@dataclass(frozen=True, slots=True)
class Trouble:
    """A failed call, read. ``uncertain``: Discord may have done it all the same. ``after``: seconds it asked for."""

    kind: TroubleKind
    code: int
    uncertain: bool = False
    after: float | None = None

    @property
    def label(self) -> str:
        """For log and row; no contents."""
        return f"{self.kind}:{self.code}"


class Hold(Exception):
    """Not yet: something that was queued earlier must come first. Tried again when any row is finished."""


class GiveUp(Exception):
    """It cannot be delivered. ``notice`` tells the referee what and why; empty if nobody need know."""

    def __init__(self, label: str, notice: str = "") -> None:
        super().__init__(label)
        self.label = label
        self.notice = notice


class Waiting(Exception):
    """It must wait for somebody to put something right. ``notice`` tells the referee what."""

    def __init__(self, label: str, notice: str) -> None:
        super().__init__(label)
        self.label = label
        self.notice = notice


def classify(error: BaseException) -> Trouble | None:
    """What a failed call means; None for an error that is no failure of Discord or the network."""
    match error:
        case discord.RateLimited():
            return Trouble(TroubleKind.RETRY, 429, after=error.retry_after)
        case discord.HTTPException(status=429):
            retry_after = error.response.headers.get("Retry-After", "")
            return Trouble(TroubleKind.RETRY, 429, after=float(retry_after) if retry_after.isdecimal() else 5.0)
        case discord.HTTPException(status=status) if status >= 500 or status == 408:
            return Trouble(TroubleKind.RETRY, status, uncertain=True)
        case discord.HTTPException(code=code) if code in _CODES:
            return Trouble(_CODES[code], code)
        case discord.HTTPException(status=401):
            return Trouble(TroubleKind.RETRY, 401, after=60.0)
        case discord.HTTPException(status=403):
            return Trouble(TroubleKind.FORBIDDEN, error.code)
        case discord.HTTPException():
            return Trouble(TroubleKind.REFUSED, error.code or error.status)
        case discord.DiscordServerError() | aiohttp.ClientError() | asyncio.TimeoutError() | OSError():
            return Trouble(TroubleKind.RETRY, 0, uncertain=True)
        case _:
            return None


def backoff(attempts: int) -> float:
    """Seconds until the next try after a stumble: 1, 2, 4 … 60."""
    return min(2.0 ** max(0, attempts - 1), 60.0)


def patience(attempts: int) -> float:
    """Seconds until the next try while somebody must put something right: 1, 2, 4 … 10 minutes."""
    return min(60.0 * 2 ** max(0, attempts - 1), 600.0)
