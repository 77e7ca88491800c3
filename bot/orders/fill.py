"""Filling a sheet in: values by form, the whole of it as text, or all over again."""

from collections.abc import Callable, Sequence

from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry
from bot.orders.answering import Answering
from bot.orders.find_prompt import FoundPrompt, PromptFinder
from bot.orders.open_prompt import Answer
from bot.recording.commit import judged_again, mark_seen
from bot.recording.drafts import with_values
from rules_engine.core.basics.refusals import Refusal, Refused
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.protocol.asks import AnyAsk

Reading = tuple[Sheet, Sequence[Refusal]]
"""What was made of something sent: values for the sheet, and what could not be read."""

LARGEST_ORDERS = 100_000
"""Characters of an uploaded order sheet."""


class SheetFilling:
    """Takes what commanders fill in."""

    def __init__(self, runtime: Runtime, finder: PromptFinder, answering: Answering) -> None:
        self._runtime = runtime
        self._finder = finder
        self._answering = answering

    async def fill(
        self,
        token: str,
        user_id: int,
        values: Sheet,
        *,
        message_id: int | None = None,
        interaction_id: int | None = None,
    ) -> Answer:
        """Put values into the sheet. What is then a legal answer is journalled at once; else only the draft is kept.

        An account of a battle is journalled only when it is sent.
        """
        return await self.put_in(
            token, user_id, lambda _: (values, ()), message_id=message_id, interaction_id=interaction_id
        )

    @judged_again
    async def put_in(
        self,
        token: str,
        user_id: int,
        read: Callable[[AnyAsk], Reading],
        *,
        action: str = "fill",
        message_id: int | None = None,
        interaction_id: int | None = None,
    ) -> Answer:
        """The same with what ``read`` makes of what was sent, by the sheet that is asked; its defects are told."""

        def new_sheet(_: AnyAdjudicator, ask: AnyAsk, found: FoundPrompt) -> Sheet:
            values, defects = read(ask)
            if defects:
                raise Refused(list(defects))
            return with_values(ask, found.draft, values)

        found = await self._finder.found(token, user_id, action)
        return await self._answering.answer(
            found, user_id, new_sheet, message_id=message_id, interaction_id=interaction_id
        )

    async def write(
        self, token: str, user_id: int, text: str, *, message_id: int | None = None, interaction_id: int | None = None
    ) -> Answer:
        """Take the sheet as text: typed orders, or an uploaded file."""
        if len(text) > LARGEST_ORDERS:
            raise Sorry(f"Orders have at most {LARGEST_ORDERS:,} characters; this has {len(text):,}.", code="too-long")
        return await self.put_in(
            token,
            user_id,
            lambda ask: (read_sheet(ask.form, text, ask.refusals_of), ()),
            action="write",
            message_id=message_id,
            interaction_id=interaction_id,
        )

    async def reset(self, token: str, user_id: int, *, interaction_id: int | None = None) -> Answer:
        """Start the sheet over from what was filled in at the beginning."""
        await self._finder.found(token, user_id, "fill")
        async with self._runtime.store.write() as tx:
            await mark_seen(self._runtime, tx, interaction_id)
            await tx.prompts.keep_draft(token, {})
        prompt = await self._finder.prompt(token, user_id)
        if prompt.ask.pace == "battle":
            return prompt
        return await self.fill(token, user_id, prompt.form.prefilled())
