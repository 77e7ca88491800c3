"""What everything that acts on campaigns is given: the database, the campaigns in memory, the time, and chance."""

import secrets
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from time import monotonic
from typing import Protocol

from bot.campaigns.directory import CampaignDirectory
from bot.campaigns.loaded import AnyAdjudicator, LoadedCampaigns
from bot.store.database import Store


def utc_now() -> datetime:
    """The host's clock."""
    return datetime.now(UTC)


NONCE_BYTES = 16


class ServerPeople(Protocol):
    """What Discord says of the people of a server."""

    async def members(self, guild_id: int, user_ids: list[int]) -> dict[int, frozenset[int]] | None:
        """The roles of those of these users who are on a server; None for a server that is not there. Raises
        TimeoutError when no event comes."""
        ...

    def owner(self, guild_id: int) -> int | None:
        """Whose server it is; None for one that is not there."""
        ...


LettingGo = Callable[["Runtime", str, AnyAdjudicator], Awaitable[AnyAdjudicator]]
"""Lets go of the tracked battles of a campaign that could not be played again; gives it as it is then in memory."""


CarryingOver = Callable[["Runtime", str], Awaitable[bool]]
"""Carries a campaign over to the rules that there are now, if it can be; whether it was."""


def made_at_random() -> str:
    """A nonce that nobody can guess."""
    return secrets.token_hex(NONCE_BYTES)


class Runtime:
    """The parts that one running bot has once.

    ``nonce`` makes what the dice of a beginning or a closing are sealed with. It is called in that very moment and
    never ahead, so that until then nobody can compute a roll, whatever they read.
    """

    def __init__(
        self,
        store: Store,
        loaded: LoadedCampaigns,
        *,
        now: Callable[[], datetime] = utc_now,
        nonce: Callable[[], str] = made_at_random,
    ) -> None:
        self.store = store
        self.loaded = loaded
        self.directory = CampaignDirectory(store)
        self.now = now
        self.nonce = nonce
        self.lets_go: LettingGo | None = None
        """What writes that down; given by the services, whose rooms stand above this one."""
        self.carries_over: CarryingOver | None = None
        """What lets a campaign go on by new rules; and what asks all its sides whether it is to, once it is halted."""
        self.can_begin_anew: CarryingOver | None = None
        """What finds out whether the present rules can go on from how its turn began."""
        self.asks_all_sides: Callable[[str], Awaitable[None]] | None = None
        self.people: ServerPeople | None = None
        """Whom to ask who is on a server; None where there is no Discord, as for a command of the host's."""
        self.lived: Callable[[], float] = monotonic if now is utc_now else lambda: now().timestamp()
        """Seconds that the bot has lived through: they stand still while the machine sleeps, and no clock that is set
        changes them."""

    def stamp(self) -> str:
        """The present moment as the journal writes it."""
        return self.now().isoformat(timespec="milliseconds")
