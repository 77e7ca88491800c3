"""Quiet hours: when a member is sent no reminders."""

from bot.campaigns.runtime import Runtime
from bot.errors import Sorry
from bot.recording.commit import mark_seen


class QuietHours:
    """The hours that members have asked for."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def choose(
        self, user_id: int, *, start: int | None, end: int | None, interaction_id: int | None = None
    ) -> None:
        """Set the hours (UTC) in which this user is sent no reminders, in every campaign; None: at all hours."""
        async with self._runtime.store.write() as tx:
            await mark_seen(self._runtime, tx, interaction_id)
            if not await tx.members.set_quiet_hours(user_id, start, end):
                raise Sorry("You are in no campaign yet, so nothing would disturb you.", code="no-campaign")
