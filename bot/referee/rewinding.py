"""Going back: what a rewind to an entry of the journal would undo, and the rewind itself."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError

from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry, explain, shortened
from bot.recording.commit import judged_again, mark_seen
from bot.recording.posts import post_public
from bot.recording.prompts import close_prompts
from bot.recording.transaction import Recording
from bot.recording.transition import write_transitions
from bot.records.campaigns import IN_PLAY, CampaignStatus
from rules_engine import rulebooks
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.records.journal import Broken
from rules_engine.core.running.replay import rewind
from rules_engine.core.running.tracked import is_of_tracked
from rules_engine.core.running.transitions import Diverged, RuleFailure, Transition

MOST_HEADLINES = 2
MOST_HEADLINE = 60
"""What each side was told alone is shown to the referee by this many beginnings of this many characters."""

_STATUSES = IN_PLAY | {CampaignStatus.HALTED}


@dataclass(frozen=True)
class RewindPlan:
    """What going back to an entry would undo: how many entries, and what each side was told since: how many reports,
    and how the last of those that others were not told begin. Of tracked battles it says nothing.

    ``when`` is the time in the game at which play then stands.
    """

    to: int
    when: str
    undone: int
    told: dict[str, int]
    headlines: tuple[str, ...]
    seen: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


def _named(strand: str, names: Mapping[str, str]) -> str:
    """What closed, by its place in the sequence of play, of which the turn and the impulse are said already; sides by
    their ``names``."""
    return f"{' '.join(names.get(part, part) for part in strand.split('/')[-2:])} closed"


def _last(seen: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {side: tuple(lines[-MOST_HEADLINES:]) for side, lines in seen.items()}


class Rewinding:
    """Takes a campaign back to an earlier entry of its journal."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def points(self, campaign_id: str, user_id: int, most: int = 25) -> list[tuple[int, str]]:
        """The latest entries at which play stood still, with the time in the game and what closed then where play had
        parted, newest first."""
        campaign = await self._runtime.directory.permitted(campaign_id, user_id, "rewind", _STATUSES)
        async with self._runtime.store.read() as tx:
            rests = await tx.journal.resting_points(campaign_id, most)
            last = await tx.journal.last_reports(campaign_id, rests)
            closed = await tx.journal.closed_strands(campaign_id, rests)
        whens = {seq: last[seq].when.label if seq in last else "" for seq in rests}
        return [
            (seq, f"{whens[seq]}, {_named(closed[seq], campaign.side_names)}" if seq in closed else whens[seq])
            for seq in reversed(rests)
        ]

    async def plan(self, campaign_id: str, user_id: int, to: int) -> RewindPlan:
        """Who has seen what since entry ``to``; asked for before a rewind."""
        await self._runtime.directory.permitted(campaign_id, user_id, "rewind", _STATUSES)
        async with self._runtime.store.read() as tx:
            kept = await tx.journal.present_branch(campaign_id)
            if to not in kept:
                near = max((seq for seq in kept if seq <= to), default=1)
                raise Sorry(f"Entry {to} is not part of the present branch; the nearest is {near}.", code="bad-entry")
            since = await tx.journal.reports_since(campaign_id, to, kept)
            last = await tx.journal.last_report(campaign_id, to)
        reports = [one for one in since if not is_of_tracked(one)]
        when = "" if last is None or is_of_tracked(last) else last.when.label
        told: Counter[str] = Counter()
        for report in reports:
            told.update("everybody" if one == "*" else one for one in report.to)
        seen: dict[str, list[str]] = {}
        for report in reports:
            for one in () if report.is_public() else report.to:
                seen.setdefault(one, []).append(shortened(report.text.splitlines()[0], MOST_HEADLINE))
        public = tuple(shortened(report.text.splitlines()[0], 120) for report in reports if report.is_public())
        return RewindPlan(to, when, sum(seq > to for seq in kept), dict(told), public[:10], _last(seen))

    @judged_again
    async def rewind(
        self,
        campaign_id: str,
        user_id: int,
        to: int,
        reason: str,
        *,
        undoes: int | None = None,
        interaction_id: int | None = None,
    ) -> None:
        """Go back to just after entry ``to``; the cut-off branch stays in the journal.

        ``undoes`` is the number of entries that the plan showed; if more has happened since, nothing is done.
        """
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "rewind", _STATUSES)
        async with runtime.loaded.hold(campaign_id):
            async with runtime.store.read() as tx:
                kept = await tx.journal.present_branch(campaign_id)
            if undoes is not None and undoes != sum(seq > to for seq in kept):
                raise Sorry("More has happened since this was listed; look at the list again.", code="plan-moved")
            try:
                adjudicator, transition = await self._gone_back(campaign_id, to, str(user_id), reason)
            except Refused as refused:
                raise Sorry(explain(refused.refusals), code="bad-entry") from None
            except (Broken, Diverged) as error:
                text = f"Entry {error.seq} does not play back as it was, so play cannot stand at {to}. Go back further."
                raise Sorry(text, code="bad-entry") from None
            runtime.loaded.evict(campaign_id)
            async with runtime.store.write() as tx:
                await mark_seen(runtime, tx, interaction_id)
                recording = Recording(tx, campaign, adjudicator, runtime.now())
                await close_prompts(recording, None, "Withdrawn: the referee went back to an earlier point.")
                await tx.deadlines.drop(campaign_id)
                where = adjudicator.public_view().public.heading
                text = (
                    f"⏪ The referee goes back: play stands at **{where}** again; what was posted of later is void. "
                    f"{reason}\n-# fresh dice from here"
                )
                await post_public(recording, text)
                await write_transitions(recording, [transition])
                await tx.campaigns.set_status(campaign_id, CampaignStatus.RUNNING)
            runtime.loaded.put(campaign_id, adjudicator)
        if adjudicator.lost_battles():
            async with holding(runtime, campaign_id):
                pass  # lets go of them, and says so

    async def _gone_back(self, campaign_id: str, to: int, by: str, reason: str) -> tuple[AnyAdjudicator, Transition]:
        """The campaign as it stood after entry ``to``: played from the last snapshot before that from which it is
        known what everybody was shown, or from its beginning where none leads there.

        Raises:
            Refused: when ``to`` is not on the present branch.
            Broken, Diverged: when the record does not play back up to there.
        """
        runtime, back = self._runtime, 0
        async with runtime.store.read() as tx:
            source = await tx.campaigns.source(campaign_id)
        book, is_whole = rulebooks.rulebook(source.rulebook), False
        while True:
            try:
                async with runtime.store.read() as tx:
                    landmarks = await tx.journal.landmarks(campaign_id)
                    snapshot = (
                        None if is_whole else await tx.journal.latest_snapshot(campaign_id, before=to + 1, back=back)
                    )
                    entries = await tx.journal.to_play_on(campaign_id, landmarks, snapshot)
                is_whole = snapshot is None
                adjudicator, transition = await asyncio.to_thread(
                    rewind,
                    book,
                    entries,
                    source.seed,
                    to=to,
                    by=by,
                    reason=reason,
                    at=runtime.stamp(),
                    tracker=rulebooks.tracker(),
                    snapshot=snapshot,
                )
            except (ValidationError, RuleFailure, Broken, Diverged):
                if is_whole:
                    raise
                is_whole = True  # perhaps only the snapshot is of no use any more
                continue
            if is_whole or adjudicator.knows_what_was_shown():
                return adjudicator, transition
            back = 4 * back + 1
