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
FROM_REPORTS = ("contacts", DICE)
"""The tables that are read from all that a side was told; the others say how things stand."""


class SideTableQueries:
    """Gives the tables of sides, each to those who may read it."""

    def __init__(self, runtime: Runtime, told_again: ToldAgain) -> None:
        self._runtime = runtime
        self._told_again = told_again

    async def titles(self, campaign_id: str, user_id: int) -> dict[str, str]:
        """What the tables are called that the user may look up, by their keys: those of the user's side; for a referee
        who plays no side those of every side, under its name."""
        return {table.key: table.title for table in await self._tables(campaign_id, user_id)}

    async def one(self, campaign_id: str, user_id: int, key: str) -> SideTable:
        """One of them.

        Raises:
            Sorry: when there is none, naming those there are.
        """
        known = {table.key: table for table in await self._tables(campaign_id, user_id, key)}
        if key not in known:
            raise Sorry(f"There is no ledger “{key[:40]}”. {there_is(key, known)}", code="unknown-ledger")
        return known[key]

    async def _tables(self, campaign_id: str, user_id: int, wanted: str = "") -> list[SideTable]:
        """All that the user may look up; what is read from reports is whole in the one that is wanted alone."""
        campaign, caller = await self._runtime.directory.seat(campaign_id, user_id)
        require(caller, "ledger")
        found: list[SideTable] = []
        for side, name in _sides_of(campaign, caller):
            is_told = wanted in {_key(one, side, name) for one in FROM_REPORTS}
            told = await self._told_again.all_for(campaign_id, side) if is_told else []
            async with holding(self._runtime, campaign_id, campaign.head) as adjudicator:
                own = (*adjudicator.side_tables(side, told), dice_table(told))
            found += [_named(table, side, name) for table in own]
        return found


def _sides_of(campaign: CampaignInfo, caller: Caller) -> list[tuple[str, str]]:
    """Whose tables somebody may read: key, and the name to put before them (none for one's own)."""
    if caller.side is not None:
        return [(caller.side, "")]
    return list(campaign.side_names.items()) if SeatRole.REFEREE in caller.roles else []


def _key(key: str, side: str, name: str) -> str:
    return f"{side}.{key}" if name else key


def _named(table: SideTable, side: str, name: str) -> SideTable:
    if not name:
        return table
    return table.model_copy(update={"key": _key(table.key, side, name), "title": f"{name}: {table.title}"})


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
