"""Pictures that follow an answer: it waits for none, and says all that is said at once."""

from datetime import timedelta

from bot.campaigns.runtime import Runtime
from bot.orders.open_prompt import OpenPrompt
from bot.records.components import Card
from bot.records.effects import Redraw


class PicturesToFollow:
    """Has pictures drawn by the outbox, so that they come whatever happens to the bot meanwhile."""

    after = timedelta(seconds=1)
    """After which a picture is drawn: of several presses in a row for the last one alone."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def to(self, prompt: OpenPrompt, card: Card, message_id: int) -> bool:
        """Have a message that is to show ``card`` get its pictures in a moment; False where it is none in which the
        prompt stands. To be said before that is shown: else it might stay without them."""
        now = self._runtime.now()
        async with self._runtime.store.write("picture") as tx:
            if not await tx.prompts.copies(prompt.token, message_id=message_id):
                return False
            later = Redraw(token=prompt.token, card=card, message=message_id)
            await tx.outbox.put(prompt.campaign.id, later, now=now, not_before=now + self.after)
        return True
