"""Presses: what somebody does with a thumb. Each button, choice of a menu, form sent back and command is one."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot.playground import Seat
from bot.playground.world.components import walk
from tests.e2e.people import Json, Person

BOUNDS = {"a quiet turn": 1, "one force changed": 3, "a contact": 4, "an account agreed with": 1, "a battle": 10}
"""The most presses of what a commander does in an evening, in every book."""

_PRESSES = ("press", "select", "modal", "command")


class Presses:
    """Counts what the people of a stage press."""

    def __init__(self) -> None:
        self._made: dict[str, int] = {}

    def note(self, user_id: str) -> None:
        """Somebody pressed."""
        self._made[user_id] = self._made.get(user_id, 0) + 1

    @contextmanager
    def bounded(self, what: str, who: Person) -> Iterator[None]:
        """What somebody does in here is that, and takes no more presses than it may, and one at least."""
        before = self._made.get(who.seat.user_id, 0)
        yield
        made = self._made.get(who.seat.user_id, 0) - before
        assert 1 <= made <= BOUNDS[what], f"{what}: {made} presses"


@pytest.fixture
def presses(monkeypatch: pytest.MonkeyPatch) -> Presses:
    """Counts from here on."""
    counted, act = Presses(), Seat._act

    async def noted(seat: Seat, path: str, body: Json, wait: bool) -> Json:
        if path in _PRESSES:
            counted.note(seat.user_id)
        return await act(seat, path, body, wait)

    monkeypatch.setattr(Seat, "_act", noted)
    return counted


def labels(message: Json) -> list[str]:
    """What the buttons of a message say that can be pressed."""
    return [
        one["label"]
        for one in walk(message["components"])
        if one["type"] == 2 and one.get("label") and not one.get("disabled")
    ]


async def press(who: Person, message: Json, *beginnings: str) -> Json:
    """Press the first button whose label begins with one of these, the first of them first; gives the message as it
    then is."""
    found = next((label for start in beginnings for label in labels(message) if label.startswith(start)), None)
    assert found is not None, (beginnings, labels(message))
    await who.seat.press(message, label=found)
    return await who.now(message)
