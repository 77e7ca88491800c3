"""Quiet hours: when a member is sent no reminders."""

from sqlalchemy import update

from bot.campaigns.runtime import Runtime
from bot.errors import Sorry
from bot.recording.commit import mark_seen
from bot.store.tables import MemberRow


class QuietHours:
    """The hours that members have asked for."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def choose(
        self, user_id: int, *, start: int | None, end: int | None, interaction_id: int | None = None
    ) -> None:
        """Set the hours (UTC) in which this user is sent no reminders, in every campaign; None: at all hours."""
        async with self._runtime.store.write() as conn:
            await mark_seen(self._runtime, conn, interaction_id)
            changed = await conn.execute(
                update(MemberRow).where(MemberRow.user_id == user_id).values(quiet_from=start, quiet_to=end)
            )
            if not changed.rowcount:
                raise Sorry("You are in no campaign yet, so nothing would disturb you.", code="no-campaign")
