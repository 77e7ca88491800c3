"""Cancelling a task at each of its awaits in turn: whatever holds must hold wherever somebody gives up."""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any


class CancelledAt:
    """Work whose own task is cancelled where it waits for the ``first`` time (counted from 1), and at the next waits
    until it was cancelled ``times`` times. ``reached`` says whether it waited so often."""

    def __init__(self, work: Coroutine[Any, Any, None], first: int, times: int = 1) -> None:
        self._work = work
        self._when = range(first, first + times)
        self.reached = False

    def __await__(self) -> Generator[Any, Any, None]:
        waits = 0
        advance: Callable[[Any], Any] = self._work.send
        given: Any = None
        while True:
            try:
                awaited = advance(given)
            except StopIteration:
                return
            waits += 1
            if waits in self._when:
                self.reached = True
                task = asyncio.current_task()
                assert task is not None
                task.cancel()
            try:
                yield awaited
                advance, given = self._work.send, None
            except BaseException as error:
                advance, given = self._work.throw, error


async def at_each_await(
    work: Callable[[], Coroutine[Any, Any, None]], check: Callable[[], Awaitable[None]], *, times: int = 1
) -> int:
    """Do ``work`` again and again, cancelled at its first await, its second and so on, with a ``check`` after each;
    gives how many awaits it has."""
    gc.collect()  # connections that earlier tests left are closed by waiting: here, and not in the midst of the work
    number = 0
    while True:
        number += 1
        cancelled = CancelledAt(work(), number, times)

        async def run(job: CancelledAt = cancelled) -> None:
            await job

        outcome = (await asyncio.gather(asyncio.create_task(run()), return_exceptions=True))[0]
        assert outcome is None or isinstance(outcome, asyncio.CancelledError), outcome
        await check()
        if not cancelled.reached:
            return number - 1
