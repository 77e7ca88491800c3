"""Corrections: the state of a campaign changed by the referee's hand, shown before it is done, with a reason that
stands in the journal."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry, Stale, explain, shortened
from bot.recording.commit import commit_transitions, judged_again, mark_seen
from bot.records.campaigns import IN_PLAY, CampaignInfo
from bot.records.corrections import PreparedCorrection
from bot.records.effects import Post
from bot.records.places import REFEREE_PLACE
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.running.corrections import EditOffer, PlannedEdit

_T = TypeVar("_T")

MOST_OFFERED = 25
MOST_LINES = 4
LONGEST_LINE = 160
"""How much of what a side would read is shown to the referee beforehand: lines, and characters of each."""

OVERTAKEN = (
    "More has happened since this correction was prepared, so it was not made. Give `/referee edit` again and look at "
    "what stands there now."
)


@dataclass(frozen=True)
class ShownCorrection:
    """A correction as its referee is shown it before it is made; ``token`` is what makes it."""

    token: str
    text: str
    touches_battle: bool


class Corrections:
    """Changes the state by hand. All of it is for a referee who may see everything."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def paths(self, campaign_id: str, user_id: int, typed: str) -> list[EditOffer]:
        """What may be corrected, step by step as it is typed, with what stands there now."""
        await self._runtime.directory.permitted(campaign_id, user_id, "edit", IN_PLAY)
        async with holding(self._runtime, campaign_id) as adjudicator:
            return await asyncio.to_thread(adjudicator.offered_paths, typed, MOST_OFFERED)

    async def values(self, campaign_id: str, user_id: int, path: str, typed: str) -> list[EditOffer]:
        """What may stand there: the present value first, then the choices, where there are any."""
        await self._runtime.directory.permitted(campaign_id, user_id, "edit", IN_PLAY)
        async with holding(self._runtime, campaign_id) as adjudicator:
            try:
                return await asyncio.to_thread(adjudicator.offered_values, path, typed, MOST_OFFERED)
            except Refused:
                return []

    async def prepare(
        self,
        campaign_id: str,
        user_id: int,
        path: str,
        value: str,
        reason: str,
        *,
        remove: bool = False,
        interaction_id: int | None = None,
    ) -> ShownCorrection:
        """What a correction would do, old and new side by side, told to its referee and in the referee's channel before
        anything is done. It can be made as long as nothing else has happened.

        Raises:
            Sorry: when it cannot be made, saying why and what could.
        """
        runtime = self._runtime
        campaign = await self._permitted(campaign_id, user_id, reason)
        async with holding(runtime, campaign_id) as adjudicator:
            plan = await _planned(lambda: asyncio.to_thread(adjudicator.plan_edit, path, value, remove=remove))
            prepared = PreparedCorrection(
                token=secrets.token_urlsafe(9),
                by=user_id,
                head="" if adjudicator.head is None else adjudicator.head.hash,
                path=path,
                value=value,
                reason=reason,
                remove=remove,
            )
            text = _in_short(plan, reason)
            async with runtime.store.write() as tx:
                await mark_seen(runtime, tx, interaction_id)
                before = await tx.installation.prepared_correction(campaign_id)
                if before is not None and before.is_like(prepared):  # who got no answer has asked again
                    prepared = before
                else:
                    await tx.installation.keep_correction(campaign_id, prepared)
                    told = Post(place=REFEREE_PLACE, content=f"📝 <@{user_id}> prepares a correction.\n{text}")
                    await tx.outbox.put(campaign_id, told, now=runtime.now())
        shown = f"{text}\n{_readers(plan, campaign.side_names)}"
        return ShownCorrection(prepared.token, shown, bool(plan.battles))

    async def make(self, campaign_id: str, user_id: int, token: str, interaction_id: int | None = None) -> str:
        """Make the correction that was prepared; gives what was done.

        Raises:
            Stale: when it is another's, another was prepared since, or anything else has happened.
        """
        await self._runtime.directory.permitted(campaign_id, user_id, "edit", IN_PLAY)
        async with self._runtime.store.read() as tx:
            prepared = await tx.installation.prepared_correction(campaign_id)
        if prepared is None or (prepared.token, prepared.by) != (token, user_id):
            raise Stale("That correction is over: it was made, or another was prepared since.")
        return await self.edit(
            campaign_id,
            user_id,
            prepared.path,
            prepared.value,
            prepared.reason,
            remove=prepared.remove,
            head=prepared.head,
            interaction_id=interaction_id,
        )

    @judged_again
    async def edit(
        self,
        campaign_id: str,
        user_id: int,
        path: str,
        value: str,
        reason: str,
        *,
        remove: bool = False,
        head: str | None = None,
        interaction_id: int | None = None,
    ) -> str:
        """Set what stands at ``path``, or take it out, and say what was done; with a ``head`` only if that entry is
        still the journal's last."""
        runtime = self._runtime
        campaign = await self._permitted(campaign_id, user_id, reason)
        async with holding(runtime, campaign_id) as adjudicator:
            if head is not None and (adjudicator.head is None or adjudicator.head.hash != head):
                raise Stale(OVERTAKEN)
            plan = await _planned(lambda: asyncio.to_thread(adjudicator.plan_edit, path, value, remove=remove))
            made = partial(adjudicator.edit, path, value, remove=remove, by=str(user_id), reason=reason)
            try:
                transition = await asyncio.to_thread(made, at=runtime.stamp())
            except Exception:
                runtime.loaded.evict(campaign_id)
                raise
            done = f"{_old_and_new(plan)}\nThe reason: {reason}\n-# journal entry {transition.entry.seq}"
            told = Post(place=REFEREE_PLACE, content=f"✍️ A correction was made by <@{user_id}>.\n{done}")
            await commit_transitions(
                runtime, campaign, adjudicator, [transition], interaction_id=interaction_id, told=[told]
            )
        return f"✍️ The correction is made.\n{done}"

    async def _permitted(self, campaign_id: str, user_id: int, reason: str) -> CampaignInfo:
        campaign = await self._runtime.directory.permitted(campaign_id, user_id, "edit", IN_PLAY)
        if not reason.strip():
            raise Sorry("A correction needs a reason; it stands in the journal.", code="no-reason")
        return campaign


async def _planned(plan: Callable[[], Awaitable[_T]]) -> _T:
    try:
        return await plan()
    except Refused as refused:
        raise Sorry(f"The correction was not made:\n{explain(refused.refusals)}", code="bad-edit") from None


# --- what is shown ----------------------------------------------------------------------------------------------------


def _code(text: str) -> str:
    """A text as code, whatever is in it."""
    return f"`{text.replace('`', 'ˋ')}`"


def _old_and_new(plan: PlannedEdit) -> str:
    return f"**{_code(plan.path)}**\n• was: {_code(plan.before)}\n• is now: {_code(plan.after)}"


def _in_short(plan: PlannedEdit, reason: str) -> str:
    """The correction as it would be: old and new, and which battle it touches."""
    warnings = [
        f"⚠️ **This touches the open battle “{title}”.** Its set-up sheet and the accounts that were sent stay as they "
        "are; tell its players what to change at their table."
        for title in plan.battles
    ]
    lines = [
        f"**{_code(plan.path)}**, not changed yet",
        f"• stands there now: {_code(plan.before)}",
        f"• would stand there: {_code(plan.after)}",
        f"The reason: {reason}",
    ]
    return "\n".join([*lines, *warnings])


def _readers(plan: PlannedEdit, names: Mapping[str, str]) -> str:
    """Who would read what of it."""
    lines: list[str] = []
    for side, told in plan.told.items():
        reads = "is told this, and your reason" if side in plan.reason_to else "is told this, without your reason"
        lines.append(f"**{names[side]}** {reads}:")
        lines += [f"-# • {shortened(line, LONGEST_LINE)}" for line in told[:MOST_LINES]]
        if len(told) > MOST_LINES:
            lines.append(f"-# • … and {len(told) - MOST_LINES} more")
    others = "Everybody else" if plan.told else "No side's view shows it. Everybody"
    lines.append(
        f"{others} reads only that you made a correction. At the campaign's end the whole record, with your reason, is "
        "everybody's."
    )
    return "\n".join(lines)
