"""The seat API's own checks."""

from __future__ import annotations

import pytest

from bot.playground.seats.seat import SeatRefusedError


async def test_unknown_keys_are_all_named(scene) -> None:
    with pytest.raises(SeatRefusedError, match="unknown keys: colour, size"):
        await scene.ada.request("POST", "/users", {"name": "zoe", "size": 1, "colour": 2})
