"""The referee's desk: what waits, who is late, which accounts differ, and when it closes; for one who plays no side."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.cards.accounts import battle_mark
from bot.errors import Sorry, shortened
from bot.records.campaigns import IN_PLAY, CampaignInfo, CampaignStatus
from bot.records.deadlines import Deadline
from bot.referee.clock import OpenStrand, title_of
from rules_engine.core.basics.base import Side, SideLabel
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.knowledge.open_times import OpenTimes, TimeRow, TimeState
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.views import SideView
from rules_engine.core.protocol.asks import AnyAsk


@dataclass(frozen=True)
class DeskSide:
    """A side that is asked something: its place among the seats, whether it is done, and what is missing."""

    label: SideLabel
    seat: int
    is_done: bool
    missing: str


@dataclass(frozen=True)
class DeskStrand:
    """What closes together. ``token`` names this very opening; ``is_part`` where play has parted."""

    token: str
    title: str
    is_part: bool
    default: str
    sides: tuple[DeskSide, ...]
    deadline: Deadline

    @property
    def late(self) -> tuple[DeskSide, ...]:
        """The sides that are not done."""
        return tuple(side for side in self.sides if not side.is_done)

    @property
    def mark(self) -> str:
        """What a button says of it: the opening, and when it closes."""
        falls = self.deadline.falls_at
        return f"{self.token}.{0 if falls is None else int(falls.timestamp())}"


@dataclass(frozen=True)
class DeskBattle:
    """A battle that is played by hand: how many of its accounts were sent, and where they differ."""

    mark: str
    key: str
    title: str
    sent: int
    forces: int
    differences: tuple[str, ...]
    deadline: Deadline

    @property
    def differs(self) -> bool:
        """Whether it is in dispute."""
        return bool(self.differences)


@dataclass(frozen=True)
class Desk:
    """All of it at one moment."""

    campaign: CampaignInfo
    when: str
    now: datetime
    strands: tuple[DeskStrand, ...]
    battles: tuple[DeskBattle, ...]

    @property
    def is_paused(self) -> bool:
        """Whether the clock stands still."""
        return self.campaign.status is CampaignStatus.PAUSED

    @property
    def closes(self) -> datetime | None:
        """When what closes first does so."""
        moments = [one.deadline.falls_at for one in (*self.strands, *self.battles)]
        return min((one for one in moments if one is not None), default=None)

    @property
    def times(self) -> OpenTimes:
        """The strip of times, in whole minutes."""
        asking = [one for one in self.strands if one.sides]
        if len(asking) == 1:
            (strand,) = asking
            rows = [self._side_row(side, strand.deadline) for side in strand.sides]
        else:
            rows = [self._strand_row(strand) for strand in asking]
        rows += [self._battle_row(battle) for battle in self.battles]
        return OpenTimes(rows=tuple(rows), closes=None if self.closes is None else self._minute(self.closes))

    def _minute(self, moment: datetime) -> int:
        return round((moment - self.now).total_seconds() / 60)

    def _row(self, name: str, state: TimeState, says: str, deadline: Deadline) -> TimeRow:
        left = deadline.left if deadline.falls_at is None else deadline.falls_at - self.now
        return TimeRow(
            name=name,
            state=state,
            says=says,
            since=min(0, self._minute(deadline.opened_at)),
            until=None if left is None else round(left.total_seconds() / 60),
        )

    def _side_row(self, side: DeskSide, deadline: Deadline) -> TimeRow:
        state = _state(is_done=side.is_done, deadline=deadline)
        says = {"ready": "ready", "late": "late"}.get(state, "not ready")
        row = self._row(side.label.name, state, says, deadline)
        return row.model_copy(update={"emblem": side.label.emblem, "seat": side.seat})

    def _strand_row(self, strand: DeskStrand) -> TimeRow:
        late = strand.late
        state = _state(is_done=not late, deadline=strand.deadline)
        says = f"{len(late)} {'late' if state == 'late' else 'not ready'}" if late else "ready"
        return self._row(shortened(strand.title, 40), state, says, strand.deadline)

    def _battle_row(self, battle: DeskBattle) -> TimeRow:
        if battle.differs:
            return self._row(battle.title, "differ", "accounts differ", battle.deadline)
        says = f"{battle.sent} of {battle.forces} sent"
        state = _state(is_done=battle.sent == battle.forces, deadline=battle.deadline)
        return self._row(battle.title, state, says, battle.deadline)


def _state(*, is_done: bool, deadline: Deadline) -> TimeState:
    if is_done:
        return "ready"
    return "late" if deadline.reminded else "awaited"


class RefereeDesk:
    """Lays the desk out. Who is asked something is no other's business, so a referee who plays is refused."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def desk(self, campaign_id: str, user_id: int) -> Desk:
        """What waits now."""
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "late", IN_PLAY)
        async with holding(runtime, campaign_id) as adjudicator:
            async with runtime.store.read() as tx:
                deadlines = await tx.deadlines.all_of(campaign_id)
            return await asyncio.to_thread(_laid_out, campaign, adjudicator, deadlines, runtime.now())

    async def battle(self, campaign_id: str, user_id: int, mark: str) -> str:
        """The key of the battle that a button speaks of.

        Raises:
            Sorry: when it waits no longer.
        """
        desk = await self.desk(campaign_id, user_id)
        for battle in desk.battles:
            if battle.mark == mark:
                return battle.key
        raise Sorry("That battle is settled already, or waits no longer.", code="no-dispute")

    async def as_side(self, campaign_id: str, user_id: int, side: Side) -> SideView:
        """What a side sees now."""
        campaign = await self._runtime.directory.permitted(campaign_id, user_id, "omniscient", IN_PLAY)
        if side not in campaign.side_names:
            raise Sorry("There is no such side.", code="no-side")
        async with holding(self._runtime, campaign_id) as adjudicator:
            return await asyncio.to_thread(adjudicator.view, side)

    async def log(self, campaign_id: str, user_id: int) -> list[Report]:
        """All that anybody was told and that still stands, oldest first."""
        await self._runtime.directory.permitted(campaign_id, user_id, "omniscient", IN_PLAY)
        async with self._runtime.store.read() as tx:
            return await tx.journal.reports(campaign_id)


def _laid_out(
    campaign: CampaignInfo, adjudicator: AnyAdjudicator, deadlines: Sequence[Deadline], now: datetime
) -> Desk:
    """Blocking."""
    asks = adjudicator.open_asks()
    strands: list[DeskStrand] = []
    battles: list[DeskBattle] = []
    for deadline in deadlines:
        here = [ask for ask in asks if ask.strand == deadline.strand]
        alone = [ask for ask in here if not ask.is_shared]
        token = OpenStrand(deadline.strand, deadline.opened_seq, "", ()).token
        sides = [_side(adjudicator, seat, label, alone) for seat, label in enumerate(adjudicator.labels)]
        battles += [_battle(adjudicator, ask, deadline) for ask in here if ask.is_shared]
        if adjudicator.battle_in(deadline.strand):
            continue  # what its tracker asks is its parties' alone, but for what they cannot settle
        strands.append(
            DeskStrand(
                token,
                title_of(alone or here),
                bool(deadline.strand),
                next((ask.default_says for ask in alone if ask.default_says), ""),
                tuple(side for side in sides if side is not None),
                deadline,
            )
        )
    when = adjudicator.public_view().public.heading
    return Desk(campaign, when, now - timedelta(microseconds=now.microsecond), tuple(strands), tuple(battles))


def _side(adjudicator: AnyAdjudicator, seat: int, label: SideLabel, asks: Sequence[AnyAsk]) -> DeskSide | None:
    """How a side stands with what is asked of it; None where nothing is."""
    mine = [ask for ask in asks if label.key in ask.parties]
    if not mine:
        return None
    missing = [ask for ask in mine if not adjudicator.is_done_with(label.key, ask.id)]
    nothing = [ask for ask in missing if adjudicator.saved(label.key, ask.id) is None]
    said = "nothing saved" if nothing else "saved, not ready"
    return DeskSide(label, seat, not missing, said if missing else "")


def _battle(adjudicator: AnyAdjudicator, ask: AnyAsk, deadline: Deadline) -> DeskBattle:
    sent = sum(adjudicator.saved(force[0], ask.id) is not None for force in ask.forces)
    settled = adjudicator.agreement(ask.id).settled is not None
    differences = () if settled else tuple(adjudicator.compared(ask.id).differences)
    return DeskBattle(battle_mark(ask.id), ask.id, ask.title, sent, len(ask.forces), differences, deadline)


def account_mark(lines: Sequence[str] | None) -> str:
    """What a button says of an account as it was read."""
    return digest(list(lines or ()))[:8]
