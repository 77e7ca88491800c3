"""The prompts of each campaign's sides, and the messages in which they stand."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import RowMapping, bindparam, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.campaigns import CampaignInfo
from bot.records.prompts import Prompt, PromptCopy, PromptStatus, Returned, Step
from bot.store.repositories.campaigns import COLUMNS as CAMPAIGN_COLUMNS
from bot.store.repositories.campaigns import COMMANDED_IN_PLAY, campaign_of
from bot.store.tables import (
    CampaignRow,
    CaptainRow,
    DeadlineRow,
    MemberRow,
    PromptMessageRow,
    PromptRow,
    ReaderRow,
    ReturnedRow,
    StepRow,
)
from rules_engine.core.forms.forms import Sheet

_COLUMNS = (
    PromptRow.token,
    PromptRow.campaign_id,
    PromptRow.ask_id,
    PromptRow.side,
    PromptRow.title.label("prompt_title"),
    PromptRow.kind,
    PromptRow.status.label("prompt_status"),
    PromptRow.opened_seq,
    PromptRow.created_at,
    PromptRow.draft,
    PromptRow.strand,
    PromptRow.steps,
    PromptRow.last_step,
    PromptRow.stood_by,
    PromptRow.referee_asked,
)

# Made once, because they are asked at every click: making a statement takes longer than carrying it out.
_HAS_CAPTAINS = (
    select(CaptainRow.ship)
    .where(CaptainRow.campaign_id == CampaignRow.id, CaptainRow.side == PromptRow.side)
    .exists()
    .label("has_captains")
)
_OPEN = (
    select(*_COLUMNS)
    .where(PromptRow.campaign_id == bindparam("of"), PromptRow.status == PromptStatus.OPEN)
    .order_by(PromptRow.created_at, PromptRow.ask_id, PromptRow.token)
)
_PUT_TO = (
    select(*_COLUMNS, *CAMPAIGN_COLUMNS, MemberRow.side.label("seat"), DeadlineRow.falls_at, _HAS_CAPTAINS)
    .add_columns(COMMANDED_IN_PLAY.label("commanded"))
    .select_from(CampaignRow)
    .join(MemberRow, (MemberRow.campaign_id == CampaignRow.id) & (MemberRow.user_id == bindparam("user")), isouter=True)
    .join(
        PromptRow,
        (PromptRow.campaign_id == CampaignRow.id)
        & (PromptRow.side == MemberRow.side)
        & (PromptRow.status == PromptStatus.OPEN),
        isouter=True,
    )
    .join(
        DeadlineRow,
        (DeadlineRow.campaign_id == CampaignRow.id) & (DeadlineRow.strand == PromptRow.strand),
        isouter=True,
    )
    .where(CampaignRow.id == bindparam("of"))
    .order_by(PromptRow.created_at, PromptRow.ask_id, PromptRow.token)
)
_STATUS = select(PromptRow.status).where(PromptRow.token == bindparam("of"))
_COMMANDERS_COPIES = (
    select(PromptMessageRow.channel_id, PromptMessageRow.message_id, PromptMessageRow.user_id)
    .join(
        MemberRow,
        (MemberRow.user_id == PromptMessageRow.user_id)
        & (MemberRow.campaign_id == bindparam("campaign"))
        & (MemberRow.side == bindparam("of_side")),
    )
    .where(PromptMessageRow.token == bindparam("token"))
    .order_by(PromptMessageRow.message_id)
)
_PRESSED = (
    select(*_COLUMNS, *CAMPAIGN_COLUMNS, MemberRow.side.label("seat"), DeadlineRow.falls_at, _HAS_CAPTAINS)
    .add_columns(ReturnedRow.text, ReturnedRow.lines, ReturnedRow.why, ReaderRow.theme.label("own_theme"))
    .add_columns(COMMANDED_IN_PLAY.label("commanded"))
    .join(CampaignRow, CampaignRow.id == PromptRow.campaign_id)
    .join(
        MemberRow,
        (MemberRow.campaign_id == PromptRow.campaign_id) & (MemberRow.user_id == bindparam("user")),
        isouter=True,
    )
    .join(
        DeadlineRow,
        (DeadlineRow.campaign_id == PromptRow.campaign_id) & (DeadlineRow.strand == PromptRow.strand),
        isouter=True,
    )
    .join(
        ReturnedRow,
        (ReturnedRow.token == PromptRow.token) & (ReturnedRow.user_id == bindparam("user")),
        isouter=True,
    )
    .join(ReaderRow, ReaderRow.user_id == bindparam("user"), isouter=True)
    .where(PromptRow.token == bindparam("of"))
)
_STANDING_IN = (
    select(PromptMessageRow.token)
    .join(PromptRow, PromptRow.token == PromptMessageRow.token)
    .where(
        PromptMessageRow.message_id == bindparam("message"),
        PromptMessageRow.user_id == bindparam("user"),
        PromptRow.status == PromptStatus.OPEN,
    )
    .limit(1)
)
_KEEP_DRAFT = update(PromptRow).where(PromptRow.token == bindparam("of")).values(draft=bindparam("draft"))
_KEEP_CHANGED = _KEEP_DRAFT.values(steps=bindparam("number"), last_step=bindparam("said"))

MOST_STEPS = 50
"""Changes of one prompt that are kept; of more, the oldest are forgotten."""

_LAST_STEP = (
    select(StepRow.lines, StepRow.said, StepRow.user_id, StepRow.number)
    .where(StepRow.token == bindparam("of"))
    .order_by(StepRow.number.desc())
    .limit(1)
)
_ADD_STEP = (
    insert(StepRow)
    .from_select(
        ["token", "number", "lines", "said", "user_id"],
        select(
            bindparam("of", type_=StepRow.token.type),
            func.coalesce(func.max(StepRow.number), 0) + 1,
            bindparam("lines", type_=StepRow.lines.type),
            bindparam("said", type_=StepRow.said.type),
            bindparam("user", type_=StepRow.user_id.type),
        ).where(StepRow.token == bindparam("of")),
    )
    .returning(StepRow.number)
)


@dataclass(frozen=True, slots=True)
class PressedPrompt:
    """A prompt with all that a press on it must know: its campaign, the side of who pressed, when it closes, what of
    theirs was not accepted for it, and the theme that they chose for their maps."""

    prompt: Prompt
    campaign: CampaignInfo
    seat: str | None
    closes: datetime | None
    has_captains: bool = False
    """Whether commanders of its side have ships of their own."""
    returned: Returned = field(default_factory=Returned)
    theme: str = ""
    is_one_of_several: bool = False
    """Whether who pressed commands sides in other campaigns under way, too."""


@dataclass(frozen=True, slots=True)
class OpenFor:
    """The open prompts of a user's side, in the order in which they were opened, each with the moment at which it
    closes; none for who has no side."""

    campaign: CampaignInfo
    seat: str | None
    prompts: tuple[tuple[Prompt, datetime | None], ...]
    has_captains: bool = False
    is_one_of_several: bool = False
    """Whether the user commands sides in other campaigns under way, too."""


class Prompts:
    """All prompts."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    # --- prompts -----------------------------------------------------------------------------------------------------

    async def pressed(self, token: str, user_id: int) -> PressedPrompt | None:
        """The prompt of that token, for somebody who pressed on it: in one look, for they wait."""
        row = (await self._connection.execute(_PRESSED, {"of": token, "user": user_id})).mappings().first()
        if row is None:
            return None
        returned = Returned() if row["why"] is None else Returned(row["text"], row["lines"], tuple(row["why"]))
        prompt, campaign, has_captains = _prompt(row), campaign_of(row), bool(row["has_captains"])
        theme = row["own_theme"] or ""
        several = row["commanded"] > 1
        return PressedPrompt(prompt, campaign, row["seat"], row["falls_at"], has_captains, returned, theme, several)

    async def open_for(self, campaign_id: str, user_id: int) -> OpenFor | None:
        """What is asked of a user in a campaign: in one look, for they wait."""
        rows = (await self._connection.execute(_PUT_TO, {"of": campaign_id, "user": user_id})).mappings().all()
        if not rows:
            return None
        first = rows[0]
        prompts = tuple((_prompt(row), row["falls_at"]) for row in rows if row["token"] is not None)
        several = first["commanded"] > 1
        return OpenFor(campaign_of(first), first["seat"], prompts, bool(first["has_captains"]), several)

    async def open_of(self, campaign_id: str, side: str | None = None, ask_id: str | None = None) -> list[Prompt]:
        """The open prompts of a campaign (of one side, of one ask), in the order in which they were opened."""
        query = _OPEN if side is None else _OPEN.where(PromptRow.side == side)
        query = query if ask_id is None else query.where(PromptRow.ask_id == ask_id)
        return [_prompt(row) for row in (await self._connection.execute(query, {"of": campaign_id})).mappings()]

    async def is_open(self, token: str) -> bool:
        """Whether the prompt is there and may be answered."""
        status = await self._connection.scalar(_STATUS, {"of": token})
        return status == PromptStatus.OPEN

    async def side_of_open(self, token: str) -> str | None:
        """The side of a prompt that may be answered; None for any other."""
        query = select(PromptRow.side).where(PromptRow.token == token, PromptRow.status == PromptStatus.OPEN)
        return await self._connection.scalar(query)

    async def add(self, prompt: Prompt) -> None:
        """Put a prompt to its side."""
        row = {
            "token": prompt.token,
            "campaign_id": prompt.campaign_id,
            "ask_id": prompt.ask_id,
            "side": prompt.side,
            "title": prompt.title,
            "kind": prompt.kind,
            "status": prompt.status.value,
            "opened_seq": prompt.opened_seq,
            "created_at": prompt.created_at,
            "strand": prompt.strand,
        }
        await self._connection.execute(insert(PromptRow), row)

    async def keep_draft(self, token: str, draft: Sheet) -> None:
        """Keep what is filled in."""
        await self._connection.execute(_KEEP_DRAFT, {"of": token, "draft": draft})

    async def stand_by(self, token: str, mark: str) -> bool:
        """Note that a side stands by its account among those of that mark; False if it has said so already."""
        query = update(PromptRow).where(PromptRow.token == token, PromptRow.stood_by != mark)
        return (await self._connection.execute(query.values(stood_by=mark))).rowcount > 0

    async def ask_referee(self, token: str, mark: str) -> bool:
        """Note that a side has asked the referee about the accounts of that mark; False if it has done so already."""
        query = update(PromptRow).where(PromptRow.token == token, PromptRow.referee_asked != mark)
        return (await self._connection.execute(query.values(referee_asked=mark))).rowcount > 0

    async def close(self, campaign_id: str, ask_ids: Collection[str] | None = None) -> list[Prompt]:
        """Close the prompts of these asks (None: all); gives those that were open."""
        query = _OPEN if ask_ids is None else _OPEN.where(PromptRow.ask_id.in_(ask_ids))
        found = await self._connection.execute(query, {"of": campaign_id})
        prompts = [_prompt(row) for row in found.mappings()]
        if prompts:
            mine = PromptRow.token.in_([prompt.token for prompt in prompts])
            await self._connection.execute(update(PromptRow).where(mine).values(status=PromptStatus.CLOSED))
        return prompts

    # --- the messages in which they stand ----------------------------------------------------------------------------

    async def copies(
        self, token: str, *, user_id: int | None = None, message_id: int | None = None
    ) -> list[PromptCopy]:
        """The messages in which a prompt stands (one user's, or this one), by message id."""
        mine = (PromptMessageRow.channel_id, PromptMessageRow.message_id, PromptMessageRow.user_id)
        query = select(*mine).where(PromptMessageRow.token == token)
        query = query if user_id is None else query.where(PromptMessageRow.user_id == user_id)
        query = query if message_id is None else query.where(PromptMessageRow.message_id == message_id)
        rows = await self._connection.execute(query.order_by(PromptMessageRow.message_id))
        return [PromptCopy(*row) for row in rows]

    async def standing_in(self, message_id: int, user_id: int) -> str | None:
        """The token of the open prompt that stands in a message of somebody's direct messages."""
        return await self._connection.scalar(_STANDING_IN, {"message": message_id, "user": user_id})

    async def open_in(self, channel_id: int) -> list[tuple[str, PromptCopy]]:
        """The tokens of the open prompts that stand in a channel, each with where."""
        found = select(
            PromptMessageRow.token, PromptMessageRow.channel_id, PromptMessageRow.message_id, PromptMessageRow.user_id
        ).join(PromptRow, PromptRow.token == PromptMessageRow.token)
        query = found.where(PromptMessageRow.channel_id == channel_id, PromptRow.status == PromptStatus.OPEN)
        rows = await self._connection.execute(query.order_by(PromptMessageRow.message_id))
        return [(row.token, PromptCopy(row.channel_id, row.message_id, row.user_id)) for row in rows]

    async def commanders_copies(self, prompt: Prompt) -> list[PromptCopy]:
        """The messages in which a prompt stands, of its side's present commanders."""
        of = {"token": prompt.token, "campaign": prompt.campaign_id, "of_side": prompt.side}
        return [PromptCopy(*row) for row in await self._connection.execute(_COMMANDERS_COPIES, of)]

    async def add_copy(self, token: str, copy: PromptCopy) -> None:
        """Remember a message in which a prompt stands; nothing for a prompt that is not there."""
        if await self._connection.scalar(select(PromptRow.token).where(PromptRow.token == token)) is None:
            return
        await self.forget_copy(token, copy.message_id)
        row = {"channel_id": copy.channel_id, "message_id": copy.message_id, "user_id": copy.user_id}
        await self._connection.execute(insert(PromptMessageRow), {"token": token, **row})

    async def forget_copy(self, token: str, message_id: int) -> None:
        """Forget a message that is gone."""
        mine = (PromptMessageRow.token == token) & (PromptMessageRow.message_id == message_id)
        await self._connection.execute(delete(PromptMessageRow).where(mine))


class Steps:
    """All that can be taken back."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def last(self, token: str) -> Step | None:
        """The last change of a prompt that was not taken back."""
        row = (await self._connection.execute(_LAST_STEP, {"of": token})).first()
        return None if row is None else Step(*row)

    async def add(self, token: str, step: Step, draft: Sheet) -> Step:
        """Remember a change as the last, with the draft that came of it; gives it with its number."""
        row = {"of": token, "lines": step.lines, "said": step.said, "user": step.user_id}
        number = (await self._connection.execute(_ADD_STEP, row)).scalar_one()
        if number > MOST_STEPS:
            oldest = number - MOST_STEPS
            await self._connection.execute(delete(StepRow).where(StepRow.token == token, StepRow.number <= oldest))
        changed = {"of": token, "draft": draft, "number": number, "said": step.said}
        await self._connection.execute(_KEEP_CHANGED, changed)
        return replace(step, number=number)

    async def take(self, token: str, number: int) -> Step | None:
        """Forget the last change, of that number, since it was taken back; gives the one before it."""
        await self._connection.execute(delete(StepRow).where(StepRow.token == token, StepRow.number >= number))
        last = await self.last(token)
        await self._note(token, last)
        return last

    async def forget(self, tokens: Collection[str]) -> None:
        """Forget what was kept of these prompts."""
        if tokens:
            await self._connection.execute(delete(StepRow).where(StepRow.token.in_(tokens)))
            mine = update(PromptRow).where(PromptRow.token.in_(tokens), PromptRow.steps > 0)
            await self._connection.execute(mine.values(steps=0, last_step=""))

    async def _note(self, token: str, last: Step | None) -> None:
        """A prompt says itself what can be taken back, so that showing it needs no second look."""
        values = {"steps": last.number if last else 0, "last_step": last.said if last else ""}
        await self._connection.execute(update(PromptRow).where(PromptRow.token == token).values(values))


def _prompt(row: RowMapping) -> Prompt:
    return Prompt(
        token=row["token"],
        campaign_id=row["campaign_id"],
        ask_id=row["ask_id"],
        side=row["side"],
        title=row["prompt_title"],
        kind=row["kind"],
        status=PromptStatus(row["prompt_status"]),
        opened_seq=row["opened_seq"],
        created_at=row["created_at"],
        draft=row["draft"],
        strand=row["strand"],
        steps=row["steps"],
        last_step=row["last_step"],
        stood_by=row["stood_by"],
        referee_asked=row["referee_asked"],
    )
