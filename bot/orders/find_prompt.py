"""Finding prompts: whose a prompt is, whether it is open, when it closes, and in which messages it stands.

What a click must know is remembered from one to the next, until one of its tables is written.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select, update

from bot.campaigns.info import CampaignInfo
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.permissions import require
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry, Stale
from bot.orders.open_prompt import OpenPrompt
from bot.recording.drafts import unsent
from bot.recording.prompts import copies_of, prompt_state
from bot.store.connections import Change, Connection
from bot.store.outbox import card_under_way
from bot.store.tables import DeadlineRow, PromptMessageRow, PromptRow
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk

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


@dataclass(frozen=True, slots=True)
class FoundPrompt:
    """An open prompt's row, with its campaign: somebody of its side may act on it."""

    row: Any
    campaign: CampaignInfo

    @property
    def token(self) -> str:
        """The prompt's token."""
        return self.row["token"]

    @property
    def side(self) -> str:
        """Whose it is."""
        return self.row["side"]

    @property
    def draft(self) -> Sheet | None:
        """What is kept of the sheet."""
        return self.row["draft"]

    def with_draft(self, draft: Sheet) -> "FoundPrompt":
        """The same with another draft."""
        return FoundPrompt({**self.row, "draft": draft}, self.campaign)

    def ask(self, adjudicator: AnyAdjudicator) -> AnyAsk:
        """Its ask.

        Raises:
            Stale: when it is not open to this side any more.
        """
        for ask in adjudicator.asks_for(self.side):
            if ask.id == self.row["ask_id"]:
                return ask
        raise Stale(f"“{self.row['title']}” is closed; nothing was changed.")


class PromptFinder:
    """Looks prompts up, each for somebody."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    # --- for people ----------------------------------------------------------------------------------------------

    async def open_prompts(self, campaign_id: str, user_id: int, kind: str | None = None) -> list[OpenPrompt]:
        """The open prompts of the user's side, in the order in which they were opened."""
        campaign = await self._runtime.directory.info(campaign_id)
        caller = await self._runtime.directory.caller(campaign_id, user_id)
        require(caller, "orders")
        rows = await self.open_rows(campaign_id, caller.side or "")
        closes = await self.closes(campaign_id)
        async with holding(self._runtime, campaign.id) as adjudicator:
            open_ids = {ask.id for ask in adjudicator.asks_for(caller.side or "")}
            return [
                self.opened(FoundPrompt(row, campaign), adjudicator, closes)
                for row in rows
                if row["ask_id"] in open_ids and kind in (None, row["kind"])
            ]

    async def prompt(self, token: str, user_id: int, action: str = "fill") -> OpenPrompt:
        """One prompt, for somebody who may answer it.

        Raises:
            Stale: when it is closed or unknown.
            Sorry: when it is not this user's.
        """
        found = await self.found(token, user_id, action)
        closes = await self.closes(found.campaign.id)
        async with holding(self._runtime, found.campaign.id) as adjudicator:
            return self.opened(found, adjudicator, closes)

    async def is_copy(self, token: str, message_id: int) -> bool:
        """Whether this message is one in which the prompt was posted."""
        query = select(PromptMessageRow.message_id).where(
            PromptMessageRow.token == token, PromptMessageRow.message_id == message_id
        )
        async with self._runtime.store.glance() as conn:
            return (await conn.execute(query)).scalar() is not None

    # --- for what acts on prompts --------------------------------------------------------------------------------

    async def found(self, token: str, user_id: int, action: str) -> FoundPrompt:
        """An open prompt, for somebody who may do ``action`` with it.

        Raises:
            Stale: when it is closed or unknown.
            Sorry: when it is not this user's, or nothing can be ordered now.
        """
        row = await self._row(token)
        if row is None:
            raise Stale("This sheet is not known (any more).")
        campaign = await self._runtime.directory.info(row["campaign_id"])
        caller = await self._runtime.directory.caller(campaign.id, user_id)
        require(caller, action)
        if caller.side != row["side"]:
            raise Sorry("This is not your side's sheet.", code="not-yours")
        if row["status"] != "open":
            raise Stale(f"“{row['title']}” is closed; nothing was changed.")
        if campaign.status == "paused":
            raise Sorry("The campaign is paused; the clock stands still and orders wait.", code="paused")
        if campaign.status != "running":
            raise Sorry(f"The campaign is {campaign.status}.", code=f"status-{campaign.status}")
        return FoundPrompt(row, campaign)

    def opened(
        self, found: FoundPrompt, adjudicator: AnyAdjudicator, closes: datetime | None, *, receipt: str = ""
    ) -> OpenPrompt:
        """The prompt with its ask and its card; ``receipt`` is that of what was journalled just now. Raises Stale."""
        row, campaign = found.row, found.campaign
        ask = found.ask(adjudicator)
        drafted = unsent(adjudicator, ask, row)
        state = prompt_state(
            campaign, adjudicator, found.token, ask, found.side, closes=closes, receipt=receipt, unsent=drafted
        )
        return OpenPrompt(found.token, campaign, found.side, ask, state, found.draft)

    async def closes(self, campaign_id: str) -> datetime | None:
        """When the deadline falls, if the clock runs."""

        async def read() -> datetime | None:
            async with self._runtime.store.glance() as conn:
                return await conn.scalar(_falls_at, {"campaign": campaign_id})

        return await self._runtime.store.memory.recall(("closes", campaign_id), ("deadline",), read)

    async def open_rows(self, campaign_id: str, side: str) -> Sequence[Any]:
        """The rows of a side's open prompts, in the order in which they were opened."""

        async def read() -> Sequence[Any]:
            async with self._runtime.store.glance() as conn:
                found = await conn.execute(_open_ones, {"campaign": campaign_id, "side": side})
                return list(found.mappings())

        return await self._runtime.store.memory.recall(("open prompts", campaign_id, side), ("prompt",), read)

    async def shows_elsewhere(self, found: FoundPrompt, but: int | None) -> bool:
        """Whether the prompt stands in other messages than this, or an older card of it is still on its way."""
        if any(copy["message_id"] != but for copy in await self._copies(found.row)):
            return True
        return await self._under_way(found.row)

    # --- drafts --------------------------------------------------------------------------------------------------

    async def keep_draft(self, conn: Connection, token: str, draft: Sheet) -> None:
        """Write a draft down."""
        await _keep.make(conn, of=token, sheet=draft)

    def know_draft(self, found: FoundPrompt, open_rows: Sequence[Any]) -> None:
        """Remember a draft that was written by the transaction just now; ``open_rows`` are those from before it."""
        memory, row = self._runtime.store.memory, found.row
        memory.know(("prompt", found.token), ("prompt",), row)
        rows = [row if one["token"] == found.token else one for one in open_rows]
        memory.know(("open prompts", row["campaign_id"], found.side), ("prompt",), rows)

    # --- looking up ----------------------------------------------------------------------------------------------

    async def _row(self, token: str) -> Any:
        async def read() -> Any:
            async with self._runtime.store.glance() as conn:
                return (await conn.execute(_by_token, {"token": token})).mappings().first()

        return await self._runtime.store.memory.recall(("prompt", token), ("prompt",), read)

    async def _copies(self, row: Any) -> Sequence[Any]:
        """The messages in which a prompt stands, of its side's present commanders."""

        async def read() -> Sequence[Any]:
            async with self._runtime.store.glance() as conn:
                return await copies_of(conn, row)

        tables = ("prompt_message", "member")
        return await self._runtime.store.memory.recall(("copies", row["token"]), tables, read)

    async def _under_way(self, row: Any) -> bool:
        """Whether an older card of the prompt, queued by an earlier transaction, has still to reach Discord."""

        async def read() -> bool:
            async with self._runtime.store.glance() as conn:
                return await card_under_way(conn, row["campaign_id"], row["token"])

        return await self._runtime.store.memory.recall(("card under way", row["token"]), ("outbox",), read)
