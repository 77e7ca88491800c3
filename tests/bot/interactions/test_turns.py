"""Whoever sends many commands keeps nobody else waiting, and is told so in plain words."""

import asyncio
from typing import Any

import pytest

from bot.interactions import turns as turns_module
from bot.interactions.turns import MOST_WAITING, SAID_EVERY, TooQuick, Turns
from tests.bot.worlds.simulated_server import SimulatedServer, said

ANN, LEO = 1, 2


class Time:
    """Seconds that a test moves."""

    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


async def holding(turns: Turns, user_id: int, over: asyncio.Event, order: list[Any], name: object) -> None:
    """Work that ends when the test says so."""
    async with turns.turn(user_id):
        order.append(name)
        await over.wait()


async def test_one_users_work_goes_one_by_one_and_another_users_at_once() -> None:
    turns, over, order = Turns(), asyncio.Event(), []
    tasks = [asyncio.create_task(holding(turns, ANN, over, order, number)) for number in range(3)]
    await asyncio.sleep(0)
    tasks.append(asyncio.create_task(holding(turns, LEO, over, order, "leo")))
    await asyncio.sleep(0)
    assert order == [0, "leo"]
    over.set()
    await asyncio.gather(*tasks)
    assert order == [0, "leo", 1, 2]
    assert turns._queues == {}, "nothing is kept of users at rest"


async def test_who_is_too_quick_is_told_now_and_then_and_otherwise_not_answered() -> None:
    time, over, order = Time(), asyncio.Event(), []
    turns = Turns(time)
    tasks = [asyncio.create_task(holding(turns, ANN, over, order, one)) for one in range(MOST_WAITING + 1)]
    await asyncio.sleep(0)
    silent: list[bool] = []
    for time.at in (100.0, 100.1, 100.0 + SAID_EVERY - 0.1, 100.0 + SAID_EVERY, 100.2 + SAID_EVERY):
        with pytest.raises(TooQuick) as refused:
            async with turns.turn(ANN):
                pass
        silent.append(refused.value.silently)
    assert silent == [False, True, True, False, True]
    async with turns.turn(LEO):
        pass
    over.set()
    await asyncio.gather(*tasks)
    assert order == list(range(MOST_WAITING + 1))
    async with turns.turn(ANN):
        pass


async def test_what_fails_or_is_cancelled_gives_its_turn_back() -> None:
    turns, over = Turns(), asyncio.Event()
    with pytest.raises(ZeroDivisionError):
        async with turns.turn(ANN):
            raise ZeroDivisionError
    first = asyncio.create_task(holding(turns, ANN, over, [], 1))
    second = asyncio.create_task(holding(turns, ANN, over, [], 2))
    await asyncio.sleep(0)
    second.cancel()
    first.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    assert turns._queues == {}


async def test_only_the_latest_that_was_typed_is_completed() -> None:
    turns, latest = Turns(), []

    async def typed(number: int) -> None:
        async with turns.typing(ANN) as is_latest:
            await asyncio.sleep(0)
            latest.append((number, is_latest))

    await asyncio.gather(*(typed(number) for number in range(4)))
    assert latest == [(0, True), (1, False), (2, False), (3, True)]


async def test_a_flood_is_answered_with_one_plain_word(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    await here.begin()
    monkeypatch.setattr(turns_module, "MOST_WAITING", 0)
    async with here.bot.turns.turn(here.ann.user.id):
        assert "You are too quick for me" in said(await here.slash(here.ann, "forces"))
        assert not (await here.slash(here.ann, "forces")).acknowledged
        assert "ships 5" in said(await here.slash(here.leo, "forces"))
    assert "ships 5" in said(await here.slash(here.ann, "forces"))
