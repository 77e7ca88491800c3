"""Where somebody's cards come: by direct message, or in the side's channel."""

from bot.campaigns.runtime import Runtime
from bot.recording.commit import mark_seen


class CardPlaces:
    """What commanders have chosen, each for every campaign."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def choose(self, user_id: int, *, in_channel: bool, interaction_id: int | None = None) -> None:
        """Have everything that is for this user as a side's commander come in that side's channel from now on, or by
        direct message again."""
        async with self._runtime.store.write() as tx:
            await mark_seen(self._runtime, tx, interaction_id)
            await tx.readers.set_in_channel(user_id, in_channel)
