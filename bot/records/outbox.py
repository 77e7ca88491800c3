"""An effect on its way to Discord: whether it was delivered, and what came of its calls so far."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.records.effects import Effect

StepResult = bool | int | list[int]
"""What is kept of one call: that it was made, or the ids it gave."""


class OutboxStatus(StrEnum):
    """How far an effect has come. ``SENDING``: the call may have been made, so that after a crash it is in doubt."""

    QUEUED = "queued"
    SENDING = "sending"
    DONE = "done"
    FAILED = "failed"
    """Given up; the referee was told."""


UNFINISHED = (OutboxStatus.QUEUED, OutboxStatus.SENDING)


@dataclass(frozen=True, slots=True)
class OutboxQueue:
    """Effects of one campaign with one destination, delivered in order."""

    campaign_id: str
    name: str


@dataclass(frozen=True, slots=True)
class OutboxItem:
    """One effect, as delivery handles it; ``results`` is what the calls made for it so far gave."""

    id: int
    queue: OutboxQueue
    effect: Effect
    status: OutboxStatus
    attempts: int
    not_before: datetime | None
    created_at: datetime
    results: Mapping[str, StepResult]

    @property
    def campaign_id(self) -> str:
        """Whose it is."""
        return self.queue.campaign_id

    @property
    def in_doubt(self) -> bool:
        """Whether a call for it may have reached Discord without our knowing."""
        return self.status is OutboxStatus.SENDING
