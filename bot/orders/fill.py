"""Filling a sheet in: values by form, the whole of it as text, or all over again."""

from collections.abc import Callable
from dataclasses import replace

from bot.campaigns.runtime import Runtime
from bot.errors import Sorry, explained
from bot.orders.answering import Answering
from bot.orders.attempts import FilledIn, NothingSaid, Reading, StartOver, TakeBack, TypedOrders
from bot.orders.budgets import TypedBudget
from bot.orders.find_prompt import PromptFinder
from bot.orders.open_prompt import Answer, OpenPrompt
from bot.recording.commit import judged_again
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.forms.order_text import says_nothing
from rules_engine.core.protocol.asks import AnyAsk

LARGEST_ORDERS = 100_000
"""Characters of an uploaded order sheet."""

OTHER_CHANGE = "Nothing was taken back: this sheet was changed after that card was shown. This is how it stands now."


EMPTIED = "What was not accepted is forgotten. **Write them** opens with your sheet as it stands."


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
        """Put values into the sheet. What is then a legal answer is journalled at once; else the sheet stays as it was.

        An account of a battle is journalled only when it is sent, and filled in bit by bit until then.
        """
        return await self.put_in(
            token, user_id, lambda _: Reading(values), message_id=message_id, interaction_id=interaction_id
        )

    @judged_again
    async def put_in(
        self,
        token: str,
        user_id: int,
        read: Callable[[AnyAsk], Reading],
        *,
        message_id: int | None = None,
        interaction_id: int | None = None,
    ) -> Answer:
        """The same with what ``read`` makes of what was sent, by the sheet that is asked; its defects are told."""
        found = await self._finder.found(token, user_id, "fill")
        return await self._answering.answer(
            found,
            user_id,
            FilledIn(read, found.returned),
            before=found.returned,
            message_id=message_id,
            interaction_id=interaction_id,
        )

    @judged_again
    async def write(
        self, token: str, user_id: int, text: str, *, message_id: int | None = None, interaction_id: int | None = None
    ) -> Answer:
        """Take the sheet as text: typed orders, or an uploaded file."""
        if len(text) > LARGEST_ORDERS:
            raise Sorry(f"Orders have at most {LARGEST_ORDERS:,} characters; this has {len(text):,}.", code="too-long")
        found = await self._finder.found(token, user_id, "write")
        if says_nothing(text):
            if found.returned.text:  # who empties the box wants to see the sheet in it
                async with self._runtime.store.write() as tx:
                    await tx.returned.keep(token, user_id, replace(found.returned, text=""))
                raise Sorry(EMPTIED, code="nothing-said")
            raise NothingSaid
        return await self._answering.answer(
            found,
            user_id,
            TypedOrders(text),
            before=found.returned,
            message_id=message_id,
            interaction_id=interaction_id,
        )

    @judged_again
    async def write_budget(
        self, token: str, user_id: int, text: str, *, message_id: int | None = None, interaction_id: int | None = None
    ) -> Answer:
        """Take a budget as text, line by line: what is good of it is journalled, and each other line says why not."""
        if len(text) > LARGEST_ORDERS:
            raise Sorry(f"Orders have at most {LARGEST_ORDERS:,} characters; this has {len(text):,}.", code="too-long")
        if says_nothing(text):
            raise NothingSaid
        found = await self._finder.found(token, user_id, "write")
        attempt = TypedBudget(text)
        answer = await self._answering.answer(
            found,
            user_id,
            attempt,
            before=found.returned,
            message_id=message_id,
            interaction_id=interaction_id,
        )
        if not isinstance(answer, OpenPrompt) or answer.refused_last or not attempt.refusals:
            return answer
        told = answer.with_problems(explained(attempt.refusals), refused_last=True)
        return told.with_written(attempt.left).with_rest_saved()

    @judged_again
    async def take_back(
        self,
        token: str,
        user_id: int,
        mark: str,
        *,
        message_id: int | None = None,
        interaction_id: int | None = None,
    ) -> Answer:
        """Take the last change of a sheet back; ``mark`` is that of the change that was shown (:func:`step_mark`).

        Where another change is the last one now nothing is done, and the sheet says so as it stands.
        """
        found = await self._finder.found(token, user_id, "fill")
        step = await self._finder.last_step(token)
        if step is None or step.mark != mark:
            return (await self._finder.prompt(token, user_id)).with_note(OTHER_CHANGE)
        answer = await self._answering.answer(
            found, user_id, TakeBack(step), undone=step, message_id=message_id, interaction_id=interaction_id
        )
        if not isinstance(answer, OpenPrompt) or answer.refused_last:
            return answer
        if answer.ask.pace == "battle" and not answer.kept:
            answer = await self._finder.prompt(token, user_id)  # an account that was not begun is not called wrong
        return answer.with_taken_back(step.said)

    @judged_again
    async def reset(self, token: str, user_id: int, mark: str, *, interaction_id: int | None = None) -> Answer:
        """Start the sheet over from what was filled in at the beginning; ``mark`` is that of the sheet that was shown.

        Raises:
            Sorry: when the sheet is no longer what was shown.
        """
        if (await self._finder.prompt(token, user_id)).mark != mark:
            raise Sorry("The sheet is not what it was; look at it again.", code="sheet-moved")
        found = await self._finder.found(token, user_id, "fill")
        answer = await self._answering.answer(
            found, user_id, StartOver(), before=found.returned, interaction_id=interaction_id
        )
        if not isinstance(answer, OpenPrompt) or answer.ask.pace != "battle":
            return answer
        return await self._finder.prompt(token, user_id)  # an account that was not begun is not called wrong
