"""What a side was told, told again."""

from typing import NamedTuple

from bot.campaigns.permissions import require
from bot.campaigns.runtime import Runtime
from bot.cards.told import A_PAGE, page_count
from bot.errors import Sorry
from rules_engine.core.knowledge.reports import Report


class LogPage(NamedTuple):
    """A page of what a side was told, counted from 0, and how many reports there are in all."""

    reports: list[Report]
    page: int
    told: int


class ToldAgain:
    """Reads the reports of a campaign."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def page(self, campaign_id: str, user_id: int, page: int | None = None) -> LogPage:
        """A page of what the user's side was told and still stands; the last one, with the newest, if none is named or
        there are not so many.

        Raises:
            Sorry: when the user commands no side.
        """
        side = await self._side(campaign_id, user_id)
        async with self._runtime.store.read() as tx:
            told = await tx.journal.count_told(campaign_id, side)
            last = page_count(told) - 1
            shown = last if page is None else min(page, last)
            return LogPage(await tx.journal.told(campaign_id, side, shown * A_PAGE, A_PAGE, of=told), shown, told)

    async def one(self, campaign_id: str, user_id: int, place: int) -> list[Report]:
        """The report at a place of the log, counted from 0; none where there is none.

        Raises:
            Sorry: when the user commands no side.
        """
        side = await self._side(campaign_id, user_id)
        async with self._runtime.store.read() as tx:
            told = await tx.journal.count_told(campaign_id, side)
            return await tx.journal.told(campaign_id, side, place, 1, of=told)

    async def all(self, campaign_id: str, user_id: int) -> list[Report]:
        """All that the user's side was told and that still stands, oldest first: for a file.

        Raises:
            Sorry: when the user commands no side.
        """
        return await self.all_for(campaign_id, await self._side(campaign_id, user_id))

    async def all_for(self, campaign_id: str, side: str) -> list[Report]:
        """The reports to a side that still stand, oldest first. Whether anybody may read them the caller has asked."""
        async with self._runtime.store.read() as tx:
            told = await tx.journal.count_told(campaign_id, side)
            return await tx.journal.told(campaign_id, side, 0, told, of=told)

    async def _side(self, campaign_id: str, user_id: int) -> str:
        _, caller = await self._runtime.directory.seat(campaign_id, user_id)
        require(caller, "log")
        if caller.side is None:
            raise Sorry("You command no side of this campaign.", code="no-side")
        return caller.side
