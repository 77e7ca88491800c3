"""What everything that acts on campaigns is given: the database, the campaigns in memory, the time, whom to wake."""

from collections.abc import Callable
from datetime import UTC, datetime

from bot.campaigns.directory import CampaignDirectory
from bot.campaigns.loaded import LoadedCampaigns
from bot.store.engine import Store


def utc_now() -> datetime:
    """The host's clock."""
    return datetime.now(UTC)


class Runtime:
    """The parts that one running bot has once. ``deliver`` and ``deadlines_changed`` wake the tasks behind them."""

    def __init__(
        self,
        store: Store,
        loaded: LoadedCampaigns,
        *,
        now: Callable[[], datetime] = utc_now,
        deliver: Callable[[], None] = lambda: None,
        deadlines_changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.store = store
        self.loaded = loaded
        self.directory = CampaignDirectory(store)
        self.now = now
        self.deadlines_changed = deadlines_changed
        self._deliver = deliver
        self._queued = store.memory.version("outbox")

    def stamp(self) -> str:
        """The present moment as the journal writes it."""
        return self.now().isoformat(timespec="milliseconds")

    def deliver(self) -> None:
        """Have delivered what was queued since the last time, if anything was. Called after every commit."""
        queued = self.store.memory.version("outbox")
        if queued != self._queued:
            self._queued = queued
            self._deliver()
