"""Whoever gives up in the middle of a command, wherever that is, leaves the campaign as its journal has it."""

from itertools import count

import pytest

from rules_engine.core.records.journal import Answered
from tests.bot.store.cancelling import at_each_await
from tests.bot.worlds.two_bots import ANN, LEO, Bot, sound

Two = tuple[Bot, Bot]


class PlayedOn(Exception):
    """There is nothing more to be cancelled."""


@pytest.mark.parametrize("times", [1, 2])
async def test_an_answer_that_is_cancelled_at_any_await_stands_whole_or_not_at_all(two: Two, times: int) -> None:
    bot, _ = two
    campaign = await bot.begin()
    token = await bot.token(campaign, ANN)
    tries = count()
    stood: list[bool] = []

    async def answer() -> None:
        await bot.name(token, ANN, next(tries) % 8 + 2)  # never what was filled in: that is no change

    async def check() -> None:
        entries = await sound(campaign, bot)
        stood.append(len(entries) == sum(stood) + 3)
        assert len(entries) == sum(stood) + 2
        async with bot.store.read() as tx:
            (draft,) = [one.draft for one in await tx.prompts.open_of(campaign, "red") if one.token == token]
        last = entries[-1].body
        if isinstance(last, Answered):
            assert draft is not None
            assert draft["fleet"]["number"] == last.document["fleet"]["number"], "the draft stands with its entry"

    awaits = await at_each_await(answer, check, times=times)
    assert awaits > 10
    assert stood[-1], "the last was not cancelled"
    assert not stood[0]
    assert stood.count(True) > 1, "cancelled as it commits, it stands"


async def test_play_that_goes_on_is_cancelled_at_any_await_and_goes_on_once(two: Two) -> None:
    """Both are ready: the second's word, and the batch that it closes, stand together or not at all."""
    bot, _ = two
    campaign = await bot.begin()
    mine, theirs = await bot.token(campaign, ANN), await bot.token(campaign, LEO)
    await bot.services.orders.readiness.say(theirs, LEO, is_ready=True)

    async def ready() -> None:
        await bot.services.orders.readiness.say(mine, ANN, is_ready=True)

    async def check() -> None:
        kinds = [entry.body.kind for entry in await sound(campaign, bot)]
        if kinds == ["genesis", "seated", "readied", "readied", "closed"]:
            raise PlayedOn
        assert kinds == ["genesis", "seated", "readied"]

    with pytest.raises(PlayedOn):
        await at_each_await(ready, check)
