"""The delivery worker: outbox to Discord, in order within a queue, queues side by side, each effect exactly once.

It is woken by :meth:`Delivery.kick` after each commit and sleeps otherwise: nothing polls, and while nothing is due no
task exists. Postponed rows wake it by a timer.
"""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import discord
import structlog

from bot.delivery import advice, trouble
from bot.delivery.calls.at_work import MessagesAtWork
from bot.delivery.compose import Unfit
from bot.delivery.composing.making import FileMaking
from bot.delivery.drawing import Drawing
from bot.delivery.effects import carry_out, reason_to_hold
from bot.delivery.exit import Exit
from bot.delivery.job import Opened, OutboxJob, SharedByJobs, nothing_opened
from bot.delivery.reconciling import asking
from bot.delivery.trouble import GiveUp, Hold, TroubleKind, Waiting, classify
from bot.records.campaigns import CampaignInfo
from bot.records.effects import Notice, Post, Reconcile
from bot.records.outbox import OutboxItem, OutboxQueue
from bot.store.database import Store

log = structlog.get_logger("delivery")

KEEP = timedelta(days=30)
"""How long delivered rows stay, for people who look into the database after trouble."""

STUBBORN = 8
"""Times that Discord itself may fail over a row, about two minutes, before the referee is told."""

_STUMBLE = 5.0
"""Seconds until the next try when the database itself failed."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _tell_nobody(_campaign_id: str, _post: Post) -> None:
    """Where nobody wants to know what was delivered."""


class Delivery:
    """Delivers the outbox of one store through one client."""

    def __init__(
        self,
        store: Store,
        client: discord.Client,
        *,
        files: FileMaking | None = None,
        opened: Opened = nothing_opened,
        now: Callable[[], datetime] = _utc_now,
        backoff: Callable[[int], float] = trouble.backoff,
        patience: Callable[[int], float] = trouble.patience,
    ) -> None:
        self._store = store
        self._client = client
        self.at_work = MessagesAtWork(self._release)
        self._exit = Exit(client, self.at_work)
        self._now = now
        self._backoff = backoff
        self._patience = patience
        self._open = False
        self._asked = False
        self._dispatcher: asyncio.Task[None] | None = None
        self._running: dict[OutboxQueue, asyncio.Task[None]] = {}
        self._held: set[OutboxQueue] = set()
        self._finished = 0
        self._stumbled: dict[int, int] = {}
        """How much had been finished when patience with a row was at its end."""
        self._shared = SharedByJobs(files or FileMaking(Drawing()), self.at_work, opened, now)
        self.delivered: Callable[[str, Post], None] = _tell_nobody
        """Told of each post that was delivered, and of its campaign."""
        self._timer: asyncio.TimerHandle | None = None
        self._changed = asyncio.Event()

    # --- for others ----------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Begin, once the client is logged in. Rows that were being delivered when the process died come first."""
        async with self._store.write("sweep") as tx:
            await tx.outbox.sweep(self._now() - KEEP)
            self._shared.secret = await tx.installation.secret()
        self._open = True
        self.kick()

    def kick(self) -> None:
        """Something was committed to the outbox: deliver it. Returns at once."""
        self._asked = True
        if self._open and (self._dispatcher is None or self._dispatcher.done()):
            self._dispatcher = asyncio.create_task(self._dispatch(), name="delivery")

    async def nudge(self, guild_id: int) -> None:
        """A server's roles or channels changed: look again at what is closed, and try at once what waits there."""
        self._shared.verified.clear()
        async with self._store.read() as tx:
            postponed = await tx.outbox.is_postponed(guild_id)
        if postponed:
            async with self._store.write("nudge") as tx:
                await tx.outbox.hurry(guild_id)
        self.kick()

    async def stop(self, grace: float = 10.0) -> None:
        """Take nothing new, and let what is under way end; after ``grace`` seconds it is left in doubt."""
        self._open = False
        if self._timer:
            self._timer.cancel()
        tasks = [task for task in (self._dispatcher, *self._running.values()) if task and not task.done()]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def idle(self) -> None:
        """Return when everything queued so far has been delivered or given up (for tests and a clean end)."""
        while True:
            self._changed.clear()
            async with self._store.read() as tx:
                left = await tx.outbox.count_unfinished()
            if not left and not self._busy():
                return
            await self._changed.wait()

    async def settled(self) -> None:
        """Return when nothing more can be done now; rows may wait for their moment or for somebody's help."""
        while self._busy() or (self._open and self._asked):
            self._changed.clear()
            await self._changed.wait()

    def _busy(self) -> bool:
        return bool(self._running) or (self._dispatcher is not None and not self._dispatcher.done())

    # --- queues --------------------------------------------------------------------------------------------------

    async def _dispatch(self) -> None:
        """Set a task to every queue that has something due, and a timer for the next that will have."""
        try:
            while self._asked and self._open:
                self._asked = False
                now = self._now()  # one moment for both: else a row could fall due between the two and be missed
                async with self._store.read() as tx:
                    queues = await tx.outbox.due_queues(now)
                    moment = await tx.outbox.next_moment(now)
                for queue in queues:
                    if queue not in self._running and queue not in self._held and self._open:
                        self._running[queue] = asyncio.create_task(self._run(queue), name=f"delivery {queue.name}")
                self._wake_at(moment)
        except Exception as error:
            log.error("dispatch.failed", error=type(error).__name__)
            self._wake_at(self._now() + timedelta(seconds=_STUMBLE))
        finally:
            self._dispatcher = None
            self._changed.set()

    def _wake_at(self, moment: datetime | None) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if moment is not None and self._open:
            seconds = max(0.001, (moment - self._now()).total_seconds())
            self._timer = asyncio.get_running_loop().call_later(seconds, self.kick)

    async def _run(self, queue: OutboxQueue) -> None:
        """Deliver a queue's rows, one behind the other, until it is empty or must wait."""
        try:
            while self._open:
                finished = self._finished
                async with self._store.read() as tx:
                    item = await tx.outbox.first_of(queue)
                    if item is None or (item.not_before is not None and item.not_before > self._now()):
                        break
                    held = await reason_to_hold(tx, item)
                    home = await tx.campaigns.find(item.campaign_id)
                if held or not await self._deliver(item, home):
                    if finished == self._finished:  # else what it waits for may have come meanwhile
                        self._held.add(queue)
                    break
        except Exception as error:
            log.error("queue.failed", campaign=queue.campaign_id, error=type(error).__name__)
            self._held.add(queue)
            asyncio.get_running_loop().call_later(_STUMBLE, self._release)
        finally:
            del self._running[queue]
            self._changed.set()
            self.kick()

    def _release(self) -> None:
        """Something was finished, or somebody answered: queues that waited for it may go on."""
        self._finished += 1
        if self._held:
            self._held.clear()
            self.kick()

    # --- one row -------------------------------------------------------------------------------------------------

    async def _deliver(self, item: OutboxItem, home: CampaignInfo | None) -> bool:
        """Deliver one row; False if it must wait for another row."""
        if home is None:
            await self._finish_failed(item, GiveUp("no-campaign"))
            return True
        async with self._store.write("sending") as tx:
            await tx.outbox.sending(item)
        job = OutboxJob(item, home, self._store, self._exit, self._shared)
        try:
            await carry_out(job)
        except Hold as hold:
            log.debug("row.held", row=item.id, campaign=item.campaign_id, why=str(hold))
            async with self._store.write("held") as tx:
                await job.write_progress(tx)
                await tx.outbox.held(item)
            return False
        except Exception as error:
            await self._failed(job, error)
            return True
        async with self._store.write("done") as tx:
            await job.write_what_belongs(tx)
            await tx.outbox.done(item, job.results)
            if isinstance(item.effect, Reconcile):
                await tx.outbox.hurry_refused(item.campaign_id)
        self._stumbled.pop(item.id, None)
        if isinstance(item.effect, Post):
            self.delivered(item.campaign_id, item.effect)
        log.info("row.done", row=item.id, campaign=item.campaign_id, kind=item.effect.kind)
        self._release()
        return True

    async def _failed(self, job: OutboxJob, error: Exception) -> None:
        """Decide by the error: again soon, again once somebody has helped, or never."""
        item = job.item
        found = classify(error)
        if isinstance(error, Waiting):
            await self._later(job, error.label, self._patience(item.attempts + 1), notice=error.notice)
        elif isinstance(error, GiveUp):
            await self._finish_failed(item, error, job)
        elif found is None:
            log.error("row.broken", row=item.id, kind=item.effect.kind, error=type(error).__name__, exc_info=True)
            reason = f": {error}" if isinstance(error, Unfit) else ""
            text = (
                f"Something could not be posted because of a defect of mine (row {item.id}{reason}). Please report it."
            )
            await self._finish_failed(item, GiveUp(f"broken:{type(error).__name__}", text), job)
        elif found.kind is TroubleKind.RETRY:
            seconds = self._backoff(item.attempts + 1) if found.after is None else found.after
            notice = await self._stubborn(job, found) if found.code >= 500 else ""
            await self._later(job, found.label, seconds, notice=notice, in_doubt=found.uncertain)
        elif found.kind in {TroubleKind.FORBIDDEN, TroubleKind.FULL}:
            text = advice.to_the_referee(self._client, item.effect, job.home, found)
            await self._later(job, found.label, self._patience(item.attempts + 1), notice=text)
        elif found.kind in {TroubleKind.GONE, TroubleKind.ARCHIVED} or item.effect.kind in {"provision", "reconcile"}:
            # Places are compared anew each time: what was refused since a role went meanwhile is made next time.
            await self._until_it_is_back(job, found)
        else:
            await self._refused(job, found)

    async def _refused(self, job: OutboxJob, found: trouble.Trouble) -> None:
        """Discord does not take something as it is: a message is tried without pictures and buttons, all else stays
        undone."""
        item = job.item
        what = f"{item.effect.kind}, row {item.id}, {found.label}"
        if isinstance(item.effect, Post) and item.id not in self._shared.plain:
            self._shared.plain.add(item.id)
            text = advice.refused(item.effect, job.home, what, "I send it without pictures and buttons.")
            await self._later(job, found.label, self._backoff(1), notice=text)
            return
        text = advice.refused(item.effect, job.home, what, "It stays undone.")
        await self._finish_failed(item, GiveUp(found.label, text), job)

    async def _until_it_is_back(self, job: OutboxJob, found: trouble.Trouble) -> None:
        """Something is gone that can be made again: have it made, and try again."""
        item = job.item
        if not isinstance(item.effect, Reconcile):
            async with self._store.write("gone") as tx:
                await asking.ask(tx, item.campaign_id, self._now())
        is_stubborn = item.attempts + 1 >= STUBBORN
        if found.kind in {TroubleKind.GONE, TroubleKind.ARCHIVED}:
            text = advice.gone(item.effect, job.home)
        else:
            text = (
                f"Discord does not take this campaign's places as they should be ({found.label}), again and again. I "
                "keep trying; nothing is lost."
            )
        notice = text if is_stubborn else ""
        wait = self._patience if is_stubborn else self._backoff
        await self._later(job, found.label, wait(item.attempts + 1), notice=notice)

    async def _stubborn(self, job: OutboxJob, found: trouble.Trouble) -> str:
        """What the referee is told of a row over which Discord itself stumbles again and again. If anything passes from
        then on, this word at the least, Discord is up and the row is the reason: its messages are plain."""
        if job.item.attempts + 1 < STUBBORN:
            return ""
        if job.item.id not in self._stumbled:
            self._stumbled[job.item.id] = self._finished
            async with self._store.read() as tx:
                behind = await tx.outbox.count_behind(job.item)
            return advice.stubborn(job.item.effect, job.home, found.code, behind)
        if self._finished > self._stumbled[job.item.id]:
            self._shared.plain.add(job.item.id)
        return ""

    async def _later(
        self, job: OutboxJob, label: str, seconds: float, *, notice: str = "", in_doubt: bool = False
    ) -> None:
        item = job.item
        moment = self._now() + timedelta(seconds=seconds)
        async with self._store.write("later") as tx:
            await job.write_progress(tx)
            await tx.outbox.later(item, moment, label, in_doubt=in_doubt or job.in_doubt)
            if notice and not isinstance(item.effect, Notice):
                await advice.tell(tx, item.campaign_id, notice, self._now())
        log.warning(
            "row.later", row=item.id, campaign=item.campaign_id, kind=item.effect.kind, trouble=label, seconds=seconds
        )

    async def _finish_failed(self, item: OutboxItem, error: GiveUp, job: OutboxJob | None = None) -> None:
        async with self._store.write("failed") as tx:
            if job:
                await job.write_progress(tx)
            await tx.outbox.failed(item, error.label)
            if error.notice and not isinstance(item.effect, Notice):
                await advice.tell(tx, item.campaign_id, error.notice, self._now())
        log.error("row.failed", row=item.id, campaign=item.campaign_id, kind=item.effect.kind, trouble=error.label)
        self._release()
