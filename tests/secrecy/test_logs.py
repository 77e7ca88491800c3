"""A session's log holds ids and kinds, and nothing of what was ordered; neither do errors on their way."""

import logging
import re
from collections.abc import Iterator

import pytest
import structlog

from bot import logs
from bot.orders.fill import SheetFilling
from tests.secrecy.quiet_policies import keeping_to
from tests.secrecy.two_worlds import watch
from tests.secrecy.worlds import World

SHIPS = ("Resolve", "Halberd", "Vigil", "Steadfast", "Talon", "Whisper", "Shade", "Drudge")
"""Names that stand in orders as they are read back; none of them is a word of the log's own."""


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Give the process its logging back."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level
    structlog.reset_defaults()


APART = World(
    "pq17/intro",
    ("alliance", "coalition"),
    mistakes=1,
    restless=1,
    policies={"alliance": keeping_to(range(1, 5)), "coalition": keeping_to(range(5, 10))},
)


def words(text: str) -> list[str]:
    """What must not be in a log: names, places, and words of orders."""
    forbidden = (*SHIPS, "nonsense", "0403", "0507", "speed 3", "Slow", "Cruise", "alliance", "coalition", "queue")
    return [word for word in forbidden if re.search(rf"\b{word}\b", text)]


@pytest.mark.parametrize("level", ["DEBUG"])
def test_a_session_logs_no_orders(capsys: pytest.CaptureFixture[str], level: str) -> None:
    logs.setup(level, as_json=True)
    watch(APART, guesses=("Shade",))
    log = capsys.readouterr().err
    assert log.count("row.done") > 10, "the session was not logged"
    assert not words(log), words(log)


def test_an_error_over_an_order_logs_where_and_not_what(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = SheetFilling.write

    async def broken(self: SheetFilling, token: str, user_id: int, text: str, **more: object) -> object:
        if "Shade" in text:
            raise ValueError(f"cannot make anything of {text!r}")
        return await real(self, token, user_id, text, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(SheetFilling, "write", broken)
    logs.setup("DEBUG", as_json=True)
    seen = watch(APART, guesses=("Shade",))
    log = capsys.readouterr().err
    assert '"incident"' in log
    assert "ValueError" in log
    assert not words(log), words(log)
    told = [line for moment in seen.moments for line in moment if "Something went wrong" in line]
    assert told
    assert not [line for line in told if "cannot make anything" in line]
