"""Tables that a side may look up (a player's ``/ledger``), and its dice; for a referee who plays none those of all."""

from collections.abc import Iterable

from bot.campaigns.notices import holding
from bot.campaigns.permissions import Caller, SeatRole, require
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry, there_is
from bot.queries.told_again import ToldAgain
from bot.records.campaigns import CampaignInfo
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.side_tables import SideTable

DICE = "dice"


class SideTableQueries:
    """Gives the tables of sides, each to those who may read it."""

    def __init__(self, runtime: Runtime, told_again: ToldAgain) -> None:
        self._runtime = runtime
        self._told_again = told_again

    async def all(self, campaign_id: str, user_id: int) -> list[SideTable]:
        """The user's side's tables; for a referee who plays no side those of every side, under its name."""
        campaign, caller = await self._runtime.directory.seat(campaign_id, user_id)
        require(caller, "ledger")
        sides = _sides_of(campaign, caller)
        found: list[SideTable] = []
        for side, name in sides:
            told = await self._told_again.reports_for(campaign_id, side)
            async with holding(self._runtime, campaign_id, campaign.head) as adjudicator:
                own = (*adjudicator.side_tables(side, told), dice_table(told))
            found += [_named(table, side, name) for table in own]
        return found

    async def one(self, campaign_id: str, user_id: int, key: str) -> SideTable:
        """One of them. Raises Sorry, naming those there are."""
        known = {table.key: table for table in await self.all(campaign_id, user_id)}
        if key not in known:
            raise Sorry(f"There is no ledger “{key[:40]}”. {there_is(key, known)}", code="unknown-ledger")
        return known[key]


def _sides_of(campaign: CampaignInfo, caller: Caller) -> list[tuple[str, str]]:
    """Whose tables somebody may read: key, and the name to put before them (none for one's own)."""
    if caller.side is not None:
        return [(caller.side, "")]
    return list(campaign.side_names.items()) if SeatRole.REFEREE in caller.roles else []


def _named(table: SideTable, side: str, name: str) -> SideTable:
    if not name:
        return table
    return table.model_copy(update={"key": f"{side}.{table.key}", "title": f"{name}: {table.title}"})


def dice_table(reports: Iterable[Report]) -> SideTable:
    """Every die that a side was shown, in the order in which it was told of them."""
    rows = [
        (
            report.when.label,
            roll.purpose,
            f"{len(roll.dice)}D{roll.faces}",
            "+".join(map(str, roll.dice)),
            str(roll.total),
            report.why.rule,
        )
        for report in reports
        if report.why is not None
        for roll in report.why.dice
    ]
    columns = ("When", "Purpose", "Dice", "Faces", "Total", "Rule")
    return SideTable(key=DICE, title="Dice", columns=columns, rows=tuple(rows))
