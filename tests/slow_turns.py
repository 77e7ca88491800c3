"""A bot that wins time for every command, press and form before it begins with it, as where the same person's last
command takes long: each of its own answers is then the second one."""

from collections.abc import Callable
from typing import Any

from bot.interactions import guard


def begin(put: Callable[[object, str, Any], None] = setattr) -> None:
    """Make it so from now on; ``put`` sets an attribute, as ``monkeypatch.setattr`` does for a test alone."""
    answer = guard._answered

    async def late(interaction: Any, work: Any) -> None:
        await guard._win_time(interaction)
        await answer(interaction, work)

    put(guard, "_answered", late)
