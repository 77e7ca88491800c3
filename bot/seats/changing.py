"""Changing who sits where: one transaction for the seats, the journal's word on it, and what is told.

Once play runs, every change is in the journal with the whole table of seats as it stands then, so that the record says
who could do what when.
"""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from bot.campaigns.directory import known
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry
from bot.recording.commit import mark_seen
from bot.recording.transaction import Recording
from bot.recording.transition import write_transitions
from bot.records.campaigns import IN_PLAY, CampaignInfo, CampaignStatus
from bot.records.places import SPECTATOR
from bot.seats.new_rules import out_as_turn_began
from bot.store.transaction import Transaction
from rules_engine.core.records.journal import Seated, write_entry
from rules_engine.core.running.transitions import Transition

UNDER_WAY = IN_PLAY | {CampaignStatus.HALTED}
"""Play has begun and is not over."""


@dataclass
class SeatChange:
    """A transaction in which seats change. ``adjudicator`` is None where no play can be held: before, after, halted.

    ``text`` is what the journal says of the change; while it is empty, nothing has changed. ``out_as_turn_began`` are
    the sides of a halted campaign that were out of play as its turn began. ``away`` are those concerned who
    are not on the server, ``owner`` is whose server it is, as far as Discord was asked.
    """

    tx: Transaction
    campaign: CampaignInfo
    adjudicator: AnyAdjudicator | None
    now: datetime
    text: str = ""
    out_as_turn_began: frozenset[str] = frozenset()
    away: frozenset[int] = frozenset()
    owner: int | None = None

    @property
    def under_way(self) -> bool:
        """Whether play has begun and is not over."""
        return self.campaign.status in UNDER_WAY

    def is_out(self, side: str) -> bool:
        """Whether a side is out of play: its seats need nobody. Where play is halted, whether it was as the turn began,
        for that is where play may be taken up again."""
        if self.adjudicator is None:
            return side in self.out_as_turn_began
        return self.adjudicator.is_out(side)

    async def others_seated(self, but: str | None) -> list[str]:
        """The sides in play that somebody commands, but for one."""
        by_side = await self.tx.members.by_side(self.campaign.id)
        return [side for side in by_side if side != but and not self.is_out(side)]

    @property
    def recording(self) -> Recording | None:
        """The same transaction for what is written of play, if it can be held."""
        if self.adjudicator is None:
            return None
        return Recording(self.tx, self.campaign, self.adjudicator, self.now)


@asynccontextmanager
async def changing_seats(
    runtime: Runtime,
    campaign_id: str,
    by: int,
    interaction_id: int | None = None,
    *,
    away: frozenset[int] = frozenset(),
    owner: int | None = None,
) -> AsyncGenerator[SeatChange, None]:
    """Hold a campaign and a transaction while seats change; what has changed is journalled at the end. ``away`` and
    ``owner`` are those of :class:`SeatChange`: Discord is asked before anything is held.

    Raises:
        Sorry: when the interaction was carried out already, or play began at this very moment.
        Overtaken: when the journal has gone on meanwhile.
    """
    seen = await runtime.directory.info(campaign_id)
    async with AsyncExitStack() as stack:
        adjudicator: AnyAdjudicator | None = None
        if seen.status in IN_PLAY:
            adjudicator = await stack.enter_async_context(holding(runtime, campaign_id))
        else:
            await stack.enter_async_context(runtime.loaded.hold(campaign_id))
        async with runtime.store.write() as tx:
            await mark_seen(runtime, tx, interaction_id)
            campaign = known(await tx.campaigns.find(campaign_id))
            if campaign.status is not seen.status:
                raise Sorry(f"The campaign is {campaign.status} since a moment ago; try again.", code="moved-on")
            is_halted = campaign.status is CampaignStatus.HALTED
            out = await out_as_turn_began(tx, campaign_id) if is_halted else frozenset[str]()
            change = SeatChange(tx, campaign, adjudicator, runtime.now(), "", out, away, owner)
            yield change
            if change.text and change.under_way:
                await _journal(runtime, change, by)


async def seats_now(tx: Transaction, campaign: CampaignInfo, *, by: int, text: str) -> Seated:
    """The table of seats as it stands in this transaction, as the journal keeps it."""
    by_side = await tx.members.by_side(campaign.id)
    return Seated(
        by=str(by),
        referee=str(campaign.referee_id),
        commanders={key: tuple(map(str, by_side.get(key, ()))) for key in campaign.side_names},
        watching=tuple(map(str, await tx.members.seated(campaign.id, SPECTATOR))),
        text=text,
    )


async def _journal(runtime: Runtime, change: SeatChange, by: int) -> None:
    """Put the seats as they are now on the record."""
    campaign = known(await change.tx.campaigns.find(change.campaign.id))  # whose referee may be another by now
    seated = await seats_now(change.tx, campaign, by=by, text=change.text)
    if change.recording is not None:
        transition = change.recording.adjudicator.seat(seated, at=runtime.stamp())
        await write_transitions(change.recording, [transition])
        return
    source = await change.tx.campaigns.source(campaign.id)  # halted: its play cannot be held, its journal goes on
    last = await change.tx.journal.last_entry(campaign.id)
    entry, written = write_entry(last, seated, at=runtime.stamp(), seed=source.seed)
    await change.tx.journal.append(campaign.id, [Transition(entry=entry, written=written)])
