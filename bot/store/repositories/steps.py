"""The saved changes of open prompts, which can be taken back one by one."""

from collections.abc import Collection
from dataclasses import replace

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.prompts import Step
from bot.store.tables import PromptRow, StepRow

MOST_STEPS = 50
"""Changes of one prompt that are kept; of more, the oldest are forgotten."""

_LAST = (
    select(StepRow.lines, StepRow.said, StepRow.user_id, StepRow.number)
    .where(StepRow.token == bindparam("of"))
    .order_by(StepRow.number.desc())
    .limit(1)
)


class Steps:
    """All that can be taken back."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def last(self, token: str) -> Step | None:
        """The last change of a prompt that was not taken back."""
        row = (await self._connection.execute(_LAST, {"of": token})).first()
        return None if row is None else Step(*row)

    async def add(self, token: str, step: Step) -> Step:
        """Remember a change as the last; gives it with its number."""
        before = await self.last(token)
        step = replace(step, number=before.number + 1 if before else 1)
        row = {"token": token, "number": step.number, "lines": step.lines, "said": step.said, "user_id": step.user_id}
        await self._connection.execute(insert(StepRow), row)
        oldest = step.number - MOST_STEPS
        await self._connection.execute(delete(StepRow).where(StepRow.token == token, StepRow.number <= oldest))
        await self._note(token, step)
        return step

    async def take(self, token: str, number: int) -> Step | None:
        """Forget the last change, of that number, since it was taken back; gives the one before it."""
        await self._connection.execute(delete(StepRow).where(StepRow.token == token, StepRow.number >= number))
        last = await self.last(token)
        await self._note(token, last)
        return last

    async def forget(self, tokens: Collection[str]) -> None:
        """Forget what was kept of these prompts."""
        if tokens:
            await self._connection.execute(delete(StepRow).where(StepRow.token.in_(tokens)))
            mine = update(PromptRow).where(PromptRow.token.in_(tokens), PromptRow.steps > 0)
            await self._connection.execute(mine.values(steps=0, last_step=""))

    async def _note(self, token: str, last: Step | None) -> None:
        """A prompt says itself what can be taken back, so that showing it needs no second look."""
        values = {"steps": last.number if last else 0, "last_step": last.said if last else ""}
        await self._connection.execute(update(PromptRow).where(PromptRow.token == token).values(values))
