"""Finding what a sheet is: its row, whose it is, its deadline, and the messages in which it stands.

What a click must know is remembered from one to the next, until its tables are written.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select, update

from bot.campaigns.loaded import AnyReferee
from bot.campaigns.office import Office
from bot.campaigns.permissions import Caller, require
from bot.errors import Sorry, Stale
from bot.orders.open_prompt import Prompt
from bot.recording.drafts import unsent
from bot.recording.ledger import CampaignInfo, Ledger, copies_of
from bot.store.connections import Change, Connection
from bot.store.outbox import card_under_way
from bot.store.tables import DeadlineRow, PromptRow
from rules_engine.core.asks import AnyAsk
from rules_engine.core.forms import Sheet

# Statements on the way from a click to its answer are made once: making one takes as long as carrying it out.
_prompts = PromptRow.__table__.c
_by_token = select(PromptRow.__table__).where(_prompts.token == bindparam("token"))
_open_ones = (
    select(PromptRow.__table__)
    .where(_prompts.campaign_id == bindparam("campaign"), _prompts.side == bindparam("side"), _prompts.status == "open")
    .order_by(_prompts.created_at, _prompts.ask_id)
)
_falls_at = select(DeadlineRow.falls_at).where(DeadlineRow.campaign_id == bindparam("campaign"))
_keep = Change(update(PromptRow.__table__).where(_prompts.token == bindparam("of")).values(draft=bindparam("sheet")))  # type: ignore[arg-type]

_NOTHING_WRITTEN: Any = None


class Filing:
    """Where sheets are kept."""

    def __init__(self, office: Office) -> None:
        self._office = office

    async def row(self, token: str, user_id: int, action: str) -> tuple[Any, CampaignInfo, Caller]:
        """The row of an open prompt, its campaign, and who asks for it.

        Raises:
            Stale: when it is closed or unknown.
            Sorry: when it is not this user's, or nothing can be ordered now.
        """
        row = await self._prompt_row(token)
        if row is None:
            raise Stale("This sheet is not known (any more).")
        campaign = await self._office.info(row["campaign_id"])
        standing = await self._office.standing(campaign.id, user_id)
        require(standing, action)
        if standing.side != row["side"]:
            raise Sorry("This is not your side's sheet.", code="not-yours")
        if row["status"] != "open":
            raise Stale(f"“{row['title']}” is closed; nothing was changed.")
        if campaign.status == "paused":
            raise Sorry("The campaign is paused; the clock stands still and orders wait.", code="paused")
        if campaign.status != "running":
            raise Sorry(f"The campaign is {campaign.status}.", code=f"status-{campaign.status}")
        return row, campaign, standing

    async def closes(self, campaign_id: str) -> datetime | None:
        """When the deadline falls, if the clock runs."""

        async def read() -> datetime | None:
            async with self._office.store.glance() as conn:
                return await conn.scalar(_falls_at, {"campaign": campaign_id})

        return await self._office.store.memory.recall(("closes", campaign_id), ("deadline",), read)

    async def _prompt_row(self, token: str) -> Any:
        async def read() -> Any:
            async with self._office.store.glance() as conn:
                return (await conn.execute(_by_token, {"token": token})).mappings().first()

        return await self._office.store.memory.recall(("prompt", token), ("prompt",), read)

    async def open_rows(self, campaign_id: str, side: str) -> Sequence[Any]:
        """The rows of a side's open prompts, in the order in which they were opened."""

        async def read() -> Sequence[Any]:
            async with self._office.store.glance() as conn:
                found = await conn.execute(_open_ones, {"campaign": campaign_id, "side": side})
                return list(found.mappings())

        return await self._office.store.memory.recall(("open prompts", campaign_id, side), ("prompt",), read)

    async def keep(self, conn: Connection, row: Any, draft: Sheet) -> None:
        """Write a draft down."""
        await _keep.make(conn, of=row["token"], sheet=draft)

    def know_draft(self, row: Any, open_rows: Sequence[Any]) -> None:
        """Remember a draft that was written by the transaction just now; ``open_rows`` are those from before it."""
        memory = self._office.store.memory
        memory.know(("prompt", row["token"]), ("prompt",), row)
        rows = [row if one["token"] == row["token"] else one for one in open_rows]
        memory.know(("open prompts", row["campaign_id"], row["side"]), ("prompt",), rows)

    async def _copies(self, row: Any) -> Sequence[Any]:
        """The messages in which a prompt stands, of its side's present commanders."""

        async def read() -> Sequence[Any]:
            async with self._office.store.glance() as conn:
                return await copies_of(conn, row)

        tables = ("prompt_message", "member")
        return await self._office.store.memory.recall(("copies", row["token"]), tables, read)

    def prompt(
        self, campaign: CampaignInfo, referee: AnyReferee, row: Any, closes: datetime | None, *, receipt: str = ""
    ) -> Prompt:
        """The prompt of a row; ``receipt`` is that of what was journalled just now. Raises :class:`Stale`."""
        ask = open_ask(referee, row, row["side"])
        ledger = Ledger(_NOTHING_WRITTEN, campaign, referee, self._office.now())
        state = ledger.prompt_state(row["token"], ask, row["side"], closes, receipt, unsent=unsent(referee, ask, row))
        return Prompt(row["token"], campaign, row["side"], ask, state, row["draft"])

    async def shows_elsewhere(self, row: Any, but: int | None) -> bool:
        """Whether the prompt stands in other messages than this, or an older card of it is still on its way."""
        if any(copy["message_id"] != but for copy in await self._copies(row)):
            return True
        return await self._under_way(row)

    async def _under_way(self, row: Any) -> bool:
        """Whether an older card of the prompt, queued by an earlier transaction, has still to reach Discord."""

        async def read() -> bool:
            async with self._office.store.glance() as conn:
                return await card_under_way(conn, row["campaign_id"], row["token"])

        return await self._office.store.memory.recall(("card under way", row["token"]), ("outbox",), read)


def open_ask(referee: AnyReferee, row: Any, side: str) -> AnyAsk:
    """The ask of a prompt.

    Raises:
        Stale: when it is not open to this side any more.
    """
    for ask in referee.asks_for(side):
        if ask.id == row["ask_id"]:
            return ask
    raise Stale(f"“{row['title']}” is closed; nothing was changed.")
