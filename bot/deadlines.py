"""Deadlines fall here: one task sleeps until the earliest, reminds those who are late, and closes their sheets.

Deadlines are kept in the database; this task holds nothing that a restart could lose. It asks for what is due and for
the next moment, both found by index, so that campaigns at rest cost nothing. Time that the bot did not live through
moves every running deadline, however it passed: the bot was down, its machine slept or stood still, or its clock was
set. While it is not known that a server's people can be heard, none of its deadlines falls.

The same task keeps the threads of open battles awake, which Discord would put away after a week of silence.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from time import monotonic

import structlog

from bot.battles.accounts import is_flown
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.closing.batch import BatchCloser
from bot.errors import shortened
from bot.faults import point
from bot.recording.battle_threads import keep_awake
from bot.recording.prompts import refresh_open_prompts
from bot.recording.teams import team_in
from bot.recording.transaction import Recording
from bot.records.deadlines import Deadline
from bot.records.effects import Post
from bot.records.places import side_place
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.asked import ends_said

log = structlog.get_logger()

ALIVE_EVERY = timedelta(seconds=30)
OUTAGE = timedelta(minutes=3)
"""A silence longer than this was an outage; shorter ones are restarts nobody noticed."""

FORGET_INTERACTIONS = timedelta(hours=1)
TOGETHER = 20
"""Deadlines worked off before the clock looks again, and gives a sign of life in between."""

AGAIN = timedelta(minutes=5)
"""After how long a deadline that could not be worked off is tried again; meanwhile the others go on."""

HELD = 30.0
"""After how many seconds it is looked again whether the people can be heard whose deadline has fallen."""

MOST_LOSSES = 4
"""Losses that a reminder tells; what is open can hold more of them than somebody reads at a glance."""
MOST_LOSS = 200
"""Letters of one of them."""

STIR_EVERY = timedelta(days=5)
"""How long a battle's thread may be silent; some days are left for a bot that is down or a Discord that is."""


class DeadlineClock:
    """The one task that watches deadlines. ``wait`` waits at most that many seconds, or until woken."""

    def __init__(
        self,
        runtime: Runtime,
        closing: BatchCloser,
        *,
        wait: Callable[[asyncio.Event, float], Awaitable[None]] | None = None,
    ) -> None:
        self._runtime = runtime
        self._closing = closing
        self._woken = asyncio.Event()
        self._wait = wait or until_woken
        self._task: asyncio.Task[None] | None = None
        self._alive: datetime | None = None
        self._looked: tuple[datetime, float] | None = None
        """The time at the last look, by the clock and as it was lived through."""
        self._unlived = timedelta()
        """Time by which deadlines have still to be moved."""
        self.hears: Callable[[Collection[int]], Awaitable[Collection[int]]] | None = None
        """Which of these servers can be heard now; where nobody says so, all of them can."""
        self._held: dict[str, float] = {}
        """Campaigns whose people could not be heard when a deadline fell, and until when they are left alone, in
        seconds of the machine."""
        self._moved: list[str] = []
        """Campaigns whose cards do not show yet that their deadline has moved."""

    async def start(self) -> None:
        """Move deadlines by the outage, then watch."""
        self._moved = await self._after_outage()
        self._task = asyncio.create_task(self._run(), name="clock")

    async def stop(self) -> None:
        """Stop watching; deadlines stay where they are."""
        if self._task is None:
            return
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        try:
            await self._sign_of_life()
        except Exception:  # the database may be why the bot stops; the last sign of it is a little older then
            log.warning("no sign of life at the end", exc_info=True)

    async def put_off(self, guild_id: int, by: timedelta) -> None:
        """Move the running deadlines of a server's campaigns, whose people could not be heard for that long."""
        async with self._runtime.store.write() as tx:
            self._moved += await tx.deadlines.put_off(by, guild_id=guild_id)
        self.wake()

    def heard_again(self) -> None:
        """People can be heard again whose deadlines were held."""
        self._held.clear()
        self.wake()

    def wake(self) -> None:
        """A deadline was set, moved or met."""
        self._woken.set()

    async def tick(self) -> float:
        """Do what is due; returns the seconds until something is again."""
        now = self._runtime.now()
        self._held = {one: until for one, until in self._held.items() if until > monotonic()}
        async with self._runtime.store.read() as tx:
            due = await tx.deadlines.due(now, TOGETHER, but=self._held)
            moment = None if due else await tx.deadlines.next_moment(but=self._held)
        await self._hold_back([one for one in due if _has_fallen(one, now)])
        for deadlines in _worked_off_together(due, now):
            if deadlines[0].campaign_id in self._held and _has_fallen(deadlines[0], now):
                continue
            try:
                await (self._fall(deadlines[0]) if _has_fallen(deadlines[0], now) else self._remind(deadlines))
            except Exception:  # one campaign's trouble must not keep the others waiting
                log.warning("deadline could not be worked off", campaign=deadlines[0].campaign_id, exc_info=True)
                for deadline in deadlines:
                    await self._try_again_later(deadline)
        if due:
            return 0.0
        longest = ALIVE_EVERY.total_seconds()
        return longest if moment is None else min(longest, max(0.0, (moment - now).total_seconds()))

    async def stir(self) -> None:
        """Have the threads of open battles kept awake that have long been silent: a few of them at each sign of life,
        for nobody waits for it."""
        now = self._runtime.now()
        async with self._runtime.store.read() as tx:
            silent = await tx.battles.quiet(now - STIR_EVERY, TOGETHER)
        if silent:
            async with self._runtime.store.write() as tx:
                for battle in silent:
                    await keep_awake(tx, battle, now)

    async def _run(self) -> None:
        while True:
            self._woken.clear()
            try:
                await self._make_up_for_unlived_time()
                if self._alive is None or self._runtime.now() - self._alive >= ALIVE_EVERY:
                    await self._sign_of_life()
                    await self.stir()
                delay = await self.tick()
                if delay and self._moved:
                    await self._refresh(self._moved.pop())
                    delay = 0.0
            except Exception:
                log.exception("clock failed; trying again")
                delay = 5.0
            began = monotonic()
            await self._wait(self._woken, delay)
            if self._wait is until_woken:  # a sleep of tests ends when they say so
                self._unlived += _noticed(timedelta(seconds=monotonic() - began - delay))

    async def _make_up_for_unlived_time(self) -> None:
        """Move running deadlines by the time since the last look that passed by the clock, and was not lived through;
        back, if the clock was put back."""
        now, lived = self._runtime.now(), self._runtime.lived()
        before, self._looked = self._looked, (now, lived)
        if before is not None:
            self._unlived += _noticed(now - before[0] - timedelta(seconds=lived - before[1]))
        if self._unlived:
            async with self._runtime.store.write() as tx:
                moved = await tx.deadlines.put_off(self._unlived)
                await tx.installation.sign_of_life(now)
            log.warning("deadlines moved by time not lived through", seconds=int(self._unlived.total_seconds()))
            self._moved += moved
            self._unlived = timedelta()

    async def _hold_back(self, fallen: Sequence[Deadline]) -> None:
        """Leave those alone for a while of whose people it is not known that they can be heard."""
        if self.hears is None or not fallen:
            return
        async with self._runtime.store.read() as tx:
            guilds = await tx.deadlines.guilds_of({one.campaign_id for one in fallen})
        heard = await self.hears({*guilds.values()})
        for campaign_id in sorted({one.campaign_id for one in fallen}):
            if guilds.get(campaign_id) not in heard:
                log.warning("deadline held: nobody can be heard", campaign=campaign_id)
                self._held[campaign_id] = monotonic() + HELD

    async def _fall(self, deadline: Deadline) -> None:
        point("deadline.falls")
        campaign_id, strand = deadline.campaign_id, deadline.strand
        async with self._runtime.store.read() as tx:
            if await tx.deadlines.of(campaign_id, strand) != deadline:
                return  # it has moved while its people were listened for
        close = self._closing.close
        if await close(campaign_id, "deadline", by="clock", strand=strand, opened_seq=deadline.opened_seq):
            return
        async with self._runtime.store.read() as tx:
            unmoved = await tx.deadlines.of(campaign_id, strand) == deadline
        if unmoved:
            log.warning("deadline closed nothing", campaign=campaign_id)
            await self._try_again_later(deadline)

    async def _try_again_later(self, deadline: Deadline) -> None:
        """Keep a deadline that could not be worked off out of the others' way for a while; a reminder is left out."""
        now = self._runtime.now()
        later = replace(deadline, falls_at=now + AGAIN) if _has_fallen(deadline, now) else deadline.told()
        async with self._runtime.store.write() as tx:
            if await tx.deadlines.of(deadline.campaign_id, deadline.strand) == deadline:
                await tx.deadlines.keep(later)

    async def _remind(self, deadlines: Sequence[Deadline]) -> None:
        """Remind those who are late, and nobody else, of what exactly is missing: all of one campaign that is to be
        said now, in one message to each. Who has confirmed is not late, nor who has no ship on the sheet."""
        runtime = self._runtime
        campaign = await runtime.directory.info(deadlines[0].campaign_id)
        async with holding(runtime, campaign.id) as adjudicator, runtime.store.write() as tx:
            recording = Recording(tx, campaign, adjudicator, runtime.now())
            said: dict[str, list[_Late]] = {}
            for deadline in deadlines:
                if await tx.deadlines.of(campaign.id, deadline.strand) != deadline or deadline.falls_at is None:
                    continue  # it has moved meanwhile
                await tx.deadlines.keep(deadline.told())
                if _has_fallen(deadline, runtime.now()):
                    continue  # what comes after the deadline reminds of nothing
                closes = f"<t:{int(deadline.falls_at.timestamp())}:R>"
                for side, titles in _late_in(adjudicator, deadline.strand).items():
                    team = await team_in(recording, side, deadline.strand)
                    theirs = frozenset[int]() if team is None else team.missing or team.awaited
                    losses = [
                        *_ends_by_rule(adjudicator, side, deadline),
                        *await asyncio.to_thread(adjudicator.losses, side, deadline.strand),
                    ]
                    said.setdefault(side, []).append(_Late(closes, titles, theirs, losses, deadline.falls_at))
            for side, late in said.items():
                for member in await recording.commanders(side):
                    mine = [one for one in late if not one.captains or member.user_id in one.captains]
                    if mine and not member.is_quiet_at(runtime.now().hour):
                        text = _reminder(campaign.title, mine)
                        until = min(one.until for one in mine)
                        post = Post(dm=member.user_id, content=text, fallback=side_place(side), until=until)
                        await recording.put(post)

    async def _refresh(self, campaign_id: str) -> None:
        """Have a campaign's open cards show its moved deadline."""
        runtime = self._runtime
        try:
            campaign = await runtime.directory.info(campaign_id)
            async with holding(runtime, campaign_id) as adjudicator, runtime.store.write() as tx:
                await refresh_open_prompts(Recording(tx, campaign, adjudicator, runtime.now()))
        except Exception:  # its cards are right again at the next press
            log.warning("cards not refreshed", campaign=campaign_id, exc_info=True)

    async def _sign_of_life(self) -> None:
        now = self._runtime.now()
        async with self._runtime.store.write() as tx:
            await tx.installation.sign_of_life(now)
            await tx.installation.forget_interactions(now - FORGET_INTERACTIONS)
        self._alive = now

    async def _after_outage(self) -> list[str]:
        """Move running deadlines by the time in which the bot was down; gives the campaigns whose deadline moved."""
        now = self._runtime.now()
        async with self._runtime.store.write() as tx:
            alive = await tx.installation.last_alive()
            await tx.installation.sign_of_life(now)
            if alive is None or now - alive <= OUTAGE:
                return []
            log.warning("deadlines moved by an outage", seconds=int((now - alive).total_seconds()))
            return await tx.deadlines.put_off(now - alive)


def _noticed(unlived: timedelta) -> timedelta:
    """The same, or nothing if it is too short to be noticed."""
    return unlived if abs(unlived) > OUTAGE else timedelta()


def _worked_off_together(due: Sequence[Deadline], now: datetime) -> list[list[Deadline]]:
    """Those that are due, in order: each that has fallen by itself, and those to be reminded of by campaign."""
    fallen = [[one] for one in due if _has_fallen(one, now)]
    reminders: dict[str, list[Deadline]] = {}
    for one in due:
        if not _has_fallen(one, now):
            reminders.setdefault(one.campaign_id, []).append(one)
    return [*fallen, *reminders.values()]


@dataclass(frozen=True, slots=True)
class _Late:
    """What a side is late with: when it ``closes``, and which ``captains`` can make it ready (none: any commander);
    and what it will lose by it if it stays as it is."""

    closes: str
    titles: str
    captains: frozenset[int]
    losses: Sequence[str]
    until: datetime


def _reminder(campaign: str, late: Sequence[_Late]) -> str:
    """What a commander is reminded of; what falls due together stands together."""
    titles: dict[str, list[str]] = {}
    for one in late:
        titles.setdefault(one.closes, []).append(one.titles)
    words = [f"{closes} your side's time is up. Not ready yet: {', '.join(titles[closes])}." for closes in titles]
    losses = list(dict.fromkeys(loss for one in late for loss in one.losses))
    told = [f"⚠️ {shortened(loss, MOST_LOSS)}" for loss in losses[:MOST_LOSSES]]
    left = len(losses) - len(told)
    told += [f"⚠️ {left} more: `/economy` has them."] if left else []
    return "\n".join([f"⏳ **{campaign}**: {words[0]}", *words[1:], *told])


def _late_in(adjudicator: AnyAdjudicator, strand: str) -> dict[str, str]:
    """The sides that are not done in a strand, with the titles of what is asked of them there. Nobody is late with what
    standing orders have answered, nor with the account of a battle that its parties are flying."""
    return {
        label.key: ", ".join(f"“{ask.title}”" for ask in asks)
        for label in adjudicator.sides
        if (
            asks := [
                ask for ask in adjudicator.asks_for(label.key) if ask.strand == strand and _is_due(adjudicator, ask)
            ]
        )
        and not adjudicator.is_done(label.key, strand)
    }


def _ends_by_rule(adjudicator: AnyAdjudicator, side: str, deadline: Deadline) -> list[str]:
    """What becomes of a side's battles that nobody has settled when their last deadline falls."""
    if not deadline.is_last:
        return []
    theirs = [ask for ask in adjudicator.asks_for(side) if ask.strand == deadline.strand and ask.is_shared]
    return [
        f"Then “{shortened(ask.title, 60)}” ends by rule. {ends_said(ask)}"
        for ask in theirs
        if _is_due(adjudicator, ask)
    ]


def _is_due(adjudicator: AnyAdjudicator, ask: AnyAsk) -> bool:
    return not ask.holds and not is_flown(adjudicator, ask)


def _has_fallen(deadline: Deadline, now: datetime) -> bool:
    return deadline.falls_at is not None and deadline.falls_at <= now


async def until_woken(woken: asyncio.Event, seconds: float) -> None:
    """Wait until the event is set, at most that many seconds."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(woken.wait(), max(seconds, 0.01))
