"""A command that Discord has given up by the time it is worked off: who gave it was told so, and gives it again."""

from typing import Any

import discord
import pytest

from bot.commands import referee
from tests.bot.worlds.simulated_server import SimulatedServer


class TooLate(discord.NotFound):
    """What Discord says to an answer after its three seconds."""

    def __init__(self) -> None:
        answer: Any = type("Answer", (), {"status": 404, "reason": "Not Found"})()
        super().__init__(answer, {"code": 10062, "message": "Unknown interaction"})


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("referee extend", {"by": "1h"}),
        ("referee edit", {"path": "ships.red", "value": "4", "reason": "miscounted"}),
    ],
)
async def test_what_would_count_twice_is_not_done_too_late(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch, command: str, options: dict[str, str]
) -> None:
    await here.begin()
    before, falls_at = await here.journal(), await here.falls_at()

    async def too_late(*_: Any, **__: Any) -> None:
        raise TooLate

    with monkeypatch.context() as patched:
        patched.setattr(referee, "defer", too_late)
        await here.slash(here.rita, command, **options)
    assert (await here.journal(), await here.falls_at()) == (before, falls_at)
    await here.slash(here.rita, command, **options)
    assert len(await here.journal()) == len(before) + 1
