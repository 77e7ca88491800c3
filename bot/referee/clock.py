"""The clock of a campaign in the referee's hands: pausing, going on, moving the deadline, closing early."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.cards.sentences import leading
from bot.closing.batch import BatchCloser
from bot.errors import Sorry, shortened
from bot.recording.campaign_clock import move_clock, move_clock_of_play, start_clock, stop_clock
from bot.recording.commit import Remark, judged_again, remarking
from bot.recording.posts import post_public
from bot.recording.prompts import refresh_open_prompts
from bot.recording.transaction import Recording
from bot.records.campaigns import CampaignStatus
from bot.records.deadlines import Deadline
from bot.records.effects import Post
from bot.records.places import side_place
from rules_engine.core.protocol.asks import AnyAsk

LONGEST_EXTENSION_DAYS = 21
"""One extension; many of them cannot push a deadline out of sight unnoticed, since each is announced."""


@dataclass(frozen=True)
class OpenStrand:
    """What closes together: the titles of its sheets, and the sides that are not done with them, with what is asked of
    each. ``opened_seq`` is the entry that opened it."""

    key: str
    opened_seq: int
    title: str
    waiting: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def token(self) -> str:
        """What a component carries of it: it names this very opening, and says nothing."""
        return _token([self])


@dataclass(frozen=True)
class EarlyClosing:
    """What could be closed before its deadline, in the order of the strands; one where play has not parted."""

    strands: tuple[OpenStrand, ...]

    @property
    def token(self) -> str:
        """The same for all of them together."""
        return _token(self.strands)

    def chosen(self, token: str) -> tuple[OpenStrand, ...]:
        """The strand that a token names, or all. Raises Sorry when it names none of these any more."""
        if token == self.token:
            return self.strands
        chosen = tuple(one for one in self.strands if one.token == token)
        if not chosen:
            raise Sorry("Play has gone on since this was listed; look at the list again.", code="plan-moved")
        return chosen


def _token(strands: Sequence[OpenStrand]) -> str:
    return sha256("\n".join(f"{one.opened_seq} {one.key}" for one in strands).encode()).hexdigest()[:16]


class RefereeClock:
    """What a referee does about time."""

    def __init__(self, runtime: Runtime, closer: BatchCloser) -> None:
        self._runtime = runtime
        self._closer = closer

    @judged_again
    async def pause(self, campaign_id: str, user_id: int, reason: str, interaction_id: int | None = None) -> None:
        """Stop the clock; the time that is left is kept."""
        campaign = await self._runtime.directory.permitted(campaign_id, user_id, "pause", {CampaignStatus.RUNNING})
        text = f"⏸️ The campaign is paused; the clock stands still. {reason}".strip()
        remark = Remark(user_id, "pause", reason, told=text)
        async with remarking(self._runtime, campaign, remark, interaction_id) as recording:
            await recording.tx.campaigns.set_status(campaign_id, CampaignStatus.PAUSED)
            await recording.tx.installation.stood_still(campaign_id, recording.now)
            await stop_clock(recording)
            await refresh_open_prompts(recording)

    @judged_again
    async def resume(self, campaign_id: str, user_id: int, interaction_id: int | None = None) -> None:
        """Start the clock again with the time that was left; a halted campaign is tried again."""
        runtime = self._runtime
        campaign = await runtime.directory.permitted(
            campaign_id, user_id, "resume", {CampaignStatus.PAUSED, CampaignStatus.HALTED}
        )
        if campaign.status is CampaignStatus.HALTED:
            runtime.loaded.evict(campaign_id)
            async with holding(runtime, campaign_id):
                pass
        remark = Remark(user_id, "resume", "", told="▶️ The campaign goes on.")
        async with remarking(runtime, campaign, remark, interaction_id) as recording:
            await recording.tx.campaigns.set_status(campaign_id, CampaignStatus.RUNNING)
            await start_clock(recording)
            await refresh_open_prompts(recording)

    @judged_again
    async def extend(
        self,
        campaign_id: str,
        user_id: int,
        hours: float,
        *,
        only: str | None = None,
        interaction_id: int | None = None,
    ) -> datetime | None:
        """Move all running deadlines but those of pieces of tracked battles, which nothing else waits for; or those of
        one strand, named by its token, and of tracked battles in it, of which only its parties are told. Returns when
        it falls now, if it is the one deadline of play that never parts."""
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "extend", {CampaignStatus.RUNNING})
        if not 0 < hours <= LONGEST_EXTENSION_DAYS * 24:
            raise Sorry(f"Extend by more than 0 and at most {LONGEST_EXTENSION_DAYS * 24} hours.", code="bad-hours")
        by = timedelta(hours=hours)
        if only is None:
            remark = Remark(user_id, "extend", f"{hours:g} hours")
            async with remarking(runtime, campaign, remark, interaction_id) as recording:
                return await _tell_moved(recording, await move_clock_of_play(recording, by), by)
        (strand, *more) = (await self.early_closing(campaign_id, user_id)).chosen(only)
        if more:
            raise Sorry("Choose one of those that the list offers.", code="bad-strand")
        remark = Remark(user_id, "extend", f"{hours:g} hours, only {strand.key}")
        async with remarking(runtime, campaign, remark, interaction_id) as recording:
            await _tell_moved_in(recording, await move_clock(recording, by, strand.key), hours)
        return None

    @judged_again
    async def give_back(
        self, campaign_id: str, user_id: int, *, since: int, until: int, interaction_id: int | None = None
    ) -> datetime | None:
        """Move all running deadlines by a time in which nobody could be heard, once; both in seconds since 1970.
        Returns as :meth:`extend` does."""
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "extend", {CampaignStatus.RUNNING})
        silent = timedelta(seconds=until - since)
        if not timedelta() < silent <= timedelta(days=LONGEST_EXTENSION_DAYS):
            raise Sorry("That was too long ago; use `/referee extend`.", code="bad-hours")
        remark = Remark(user_id, "extend", f"{silent.total_seconds() / 3600:.1f} hours given back")
        async with remarking(runtime, campaign, remark, interaction_id) as recording:
            if not await recording.tx.installation.give_back_once(campaign_id, since):
                raise Sorry("This time has been given back already.", code="given-back")
            moved = await move_clock(recording, silent)
            return await _tell_moved(recording, moved, silent, why="Nobody could be heard for a while. ")

    async def early_closing(self, campaign_id: str, user_id: int) -> EarlyClosing:
        """What would be closed before its deadline; shown before it is done."""
        runtime = self._runtime
        await runtime.directory.permitted(campaign_id, user_id, "resolve", {CampaignStatus.RUNNING})
        async with holding(runtime, campaign_id) as adjudicator:
            async with runtime.store.read() as tx:
                deadlines = await tx.deadlines.all_of(campaign_id)
            open_asks = adjudicator.open_asks()
            return EarlyClosing(
                tuple(
                    OpenStrand(
                        deadline.strand,
                        deadline.opened_seq,
                        title_of([ask for ask in open_asks if ask.strand == deadline.strand]),
                        tuple(
                            (label.name, tuple(ask.title for ask in asks))
                            for label in adjudicator.labels
                            if (asks := [one for one in open_asks if _is_put(one, label.key, deadline.strand)])
                            and not adjudicator.is_done(label.key, deadline.strand)
                        ),
                    )
                    for deadline in deadlines
                    if not adjudicator.battle_in(deadline.strand)  # which holds nothing up but its own battle
                )
            )

    async def close_early(self, campaign_id: str, user_id: int, token: str) -> bool:
        """Close a strand now, or all that are open, as if the deadline had fallen; whether play went on in each.

        Raises:
            Sorry: when something else is open by now.
        """
        plan = await self.early_closing(campaign_id, user_id)
        closed = [
            await self._closer.close(campaign_id, "referee", by=str(user_id), strand=one.key, opened_seq=one.opened_seq)
            for one in plan.chosen(token)
        ]
        return all(closed)

    async def open_strands(self, campaign_id: str, user_id: int) -> list[tuple[str, str]]:
        """The open strands, each with its token and title, for a referee who may know them; none where play has not
        parted."""
        plan = await self.early_closing(campaign_id, user_id)
        return [(one.token, one.title) for one in plan.strands if one.key]


def title_of(asks: Sequence[AnyAsk]) -> str:
    """What people may call what is asked together: the titles of its sheets."""
    return shortened(", ".join(dict.fromkeys(ask.title for ask in asks)), 90)


def _is_put(ask: AnyAsk, side: str, strand: str) -> bool:
    return ask.strand == strand and side in ask.parties


async def _tell_moved(
    recording: Recording, moved: Sequence[Deadline], by: timedelta, *, why: str = ""
) -> datetime | None:
    """Tell everybody that all deadlines have moved, and have their cards show it.

    Where play may part nobody is told a moment: it would tell something of sheets that others have. Raises Sorry when
    none has moved.
    """
    if not moved:
        raise Sorry("No deadline is running.", code="no-deadline")
    alone = None if recording.adjudicator.rulebook.parts_play else moved[0].falls_at
    text = (
        f"All running deadlines fall {by.total_seconds() / 3600:g} hours later."
        if alone is None
        else f"The deadline moves to <t:{int(alone.timestamp())}:F>."
    )
    await post_public(recording, f"🕰️ {why}{text}")
    await refresh_open_prompts(recording)
    return alone


async def _tell_moved_in(recording: Recording, moved: Sequence[Deadline], hours: float) -> None:
    """Tell the parties of a strand, and nobody else, that its deadline has moved. Raises Sorry when it has not."""
    for deadline in moved:
        asks = [ask for ask in recording.adjudicator.open_asks() if ask.strand == deadline.strand]
        moment = "" if deadline.falls_at is None else f", to <t:{int(deadline.falls_at.timestamp())}:F>"
        text = f"🕰️ {leading(title_of(asks), f'the deadline moves by {hours:g} hours{moment}.')}"
        for side in sorted({side for ask in asks for side in ask.parties}):
            await recording.put(Post(place=side_place(side), content=text))
        await refresh_open_prompts(recording, deadline.strand)
    if not moved:
        raise Sorry("That has just closed; nothing was moved.", code="no-deadline")
