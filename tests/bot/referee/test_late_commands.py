"""A command that Discord has given up by the time it is worked off: who gave it was told so, and gives it again."""

from typing import Any

import discord
import pytest

from bot.commands import referee
from bot.interactions import campaign_presses
from tests.bot.worlds.simulated_server import SimulatedServer


class TooLate(discord.NotFound):
    """What Discord says to an answer after its three seconds."""

    def __init__(self) -> None:
        answer: Any = type("Answer", (), {"status": 404, "reason": "Not Found"})()
        super().__init__(answer, {"code": 10062, "message": "Unknown interaction"})


async def test_an_extension_is_not_made_too_late(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    await here.begin()
    before, falls_at = await here.journal(), await here.falls_at()

    async def too_late(*_: Any, **__: Any) -> None:
        raise TooLate

    with monkeypatch.context() as patched:
        patched.setattr(referee, "defer", too_late)
        await here.slash(here.rita, "referee extend", by="1h")
    assert (await here.journal(), await here.falls_at()) == (before, falls_at)
    await here.slash(here.rita, "referee extend", by="1h")
    assert len(await here.journal()) == len(before) + 1


async def test_a_correction_is_not_made_too_late(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    await here.begin()
    before = await here.journal()

    async def too_late(*_: Any, **__: Any) -> None:
        raise TooLate

    options = {"path": "ships.red", "value": "4", "reason": "miscounted"}
    with monkeypatch.context() as patched:
        patched.setattr(campaign_presses, "defer", too_late)
        await here.correct(**options)
    assert await here.journal() == before
    await here.correct(**options)
    assert len(await here.journal()) == len(before) + 1
