"""Pictures that follow an answer: it waits for none, and says all that is said at once."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from bot.campaigns.runtime import Runtime
from bot.orders.open_prompt import OpenPrompt
from bot.recording.transaction import Recording
from bot.records.components import Card
from bot.records.effects import Redraw
from bot.records.files import FileSpec
from rules_engine.core.knowledge.views import SideView

Lag = Callable[[Sequence[FileSpec], str, SideView], bool]
"""Whether the pictures at hand for these files, in the theme of that name, lack what the side that sees this saved
last."""


class PicturesToFollow:
    """Has pictures drawn by the outbox, so that they come whatever happens to the bot meanwhile."""

    after = timedelta(seconds=1)
    """After which a picture is drawn: of several presses in a row for the last one alone."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self.lag: Lag = _never
        """Set by whoever draws."""

    async def with_answer(self, recording: Recording, prompt: OpenPrompt, message_id: int | None) -> OpenPrompt:
        """Have the message that was used get its pictures, in the transaction that writes the answer down: the prompt,
        which says so, where it is known to stand in that message and those at hand lag behind."""
        if message_id is None or message_id not in prompt.copies or prompt.view is None or prompt.theme is None:
            return prompt
        if not self.lag(prompt.card.files, prompt.theme, prompt.view):
            return prompt
        later = Redraw(token=prompt.token, card=prompt.card, message=message_id)
        await recording.tx.outbox.put(
            recording.campaign.id, later, now=recording.now, not_before=recording.now + self.after
        )
        return replace(prompt, followed=prompt.card)

    async def to(self, prompt: OpenPrompt, card: Card, message_id: int) -> bool:
        """Have a message that is to show ``card`` get its pictures in a moment; False where it is none in which the
        prompt stands. To be said before that is shown: else it might stay without them."""
        if prompt.followed == card:
            return True
        now = self._runtime.now()
        async with self._runtime.store.write("picture") as tx:
            if not await tx.prompts.copies(prompt.token, message_id=message_id):
                return False
            later = Redraw(token=prompt.token, card=card, message=message_id)
            await tx.outbox.put(prompt.campaign.id, later, now=now, not_before=now + self.after)
        return True


def _never(_specs: Sequence[FileSpec], _theme: str, _seen: SideView) -> bool:
    """Nothing is drawn."""
    return False
