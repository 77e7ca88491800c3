"""What lies behind a bulletin, read anew whenever one of its buttons is pressed."""

from dataclasses import dataclass

from bot.campaigns.permissions import require
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry
from bot.records.bulletins import Bulletin, Fact
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.told_of import reports_of


@dataclass(frozen=True, slots=True)
class Behind:
    """A bulletin with the reports behind it, in the order in which they were told."""

    bulletin: Bulletin
    reports: tuple[Report, ...]

    def fact(self, place: int) -> Fact | None:
        """The fact at this place; None if there is no such."""
        facts = self.bulletin.facts
        return facts[place] if 0 <= place < len(facts) else None

    def why(self, place: int) -> list[Report]:
        """The reports that say why the fact at this place holds; none if there are none, or no such fact."""
        fact = self.fact(place)
        if fact is None:
            return []
        return [self.reports[one] for one in reports_of(fact.hexes, fact.text, self.reports)]


class BulletinQueries:
    """Finds bulletins again, each for those who may read it."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def behind(self, token: str, user_id: int) -> Behind:
        """What lies behind a bulletin.

        Raises:
            Sorry: when there is none of that token for this user, or play has gone back to before it.
        """
        async with self._runtime.store.read() as tx:
            found = await tx.bulletins.find(token)
        if found is None or not await self._may_read(found, user_id):
            raise Sorry("I know of no such bulletin to you. `/log` tells what your side was told.", code="no-bulletin")
        if found.is_undone:
            raise Sorry(
                "Play has gone back to before this, so it counts no longer. `/log` tells what still stands.",
                code="undone",
            )
        async with self._runtime.store.read() as tx:
            told = await tx.journal.reports_between(found.campaign_id, found.since, found.until)
        return Behind(found, tuple(one for one in told if _is_of(one, found)))

    async def _may_read(self, found: Bulletin, user_id: int) -> bool:
        _, caller = await self._runtime.directory.seat(found.campaign_id, user_id)
        if not found.side:
            return True
        if caller.side is not None:
            require(caller, "log")
        return caller.side == found.side


def _is_of(report: Report, bulletin: Bulletin) -> bool:
    is_to = report.is_for(bulletin.side) if bulletin.side else report.is_public()
    return is_to and bulletin.first <= report.number <= bulletin.last
