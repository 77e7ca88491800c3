"""Logs carry ids and error types, and nothing that anybody wrote."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from bot import logs
from tests.expected.words import has_words

SECRET = "TF4 goes to 0412"


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Give the process its logging back."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level
    structlog.reset_defaults()


def fail(order: str) -> None:
    raise ValueError(f"cannot read {order!r}")


@pytest.mark.parametrize("as_json", [True, False])
def test_an_exception_is_logged_by_type_and_place_only(capsys: pytest.CaptureFixture[str], as_json: bool) -> None:
    logs.setup(as_json=as_json)
    try:
        fail(SECRET)
    except ValueError:
        structlog.get_logger("bot").error("row.broken", row=7, exc_info=True)
    line = capsys.readouterr().err
    assert SECRET not in line
    has_words(line, "ValueError", "in fail", "row.broken")


def test_a_librarys_exception_is_logged_without_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    logs.setup(as_json=True)
    try:
        fail(SECRET)
    except ValueError:
        logging.getLogger("discord.client").exception("Ignoring exception in on_interaction")
    line = capsys.readouterr().err
    assert SECRET not in line
    shown = json.loads(line)
    assert (shown["event"], shown["logger"]) == ("Ignoring exception in on_interaction", "discord.client")
    assert shown["error"] == "ValueError"


def test_debug_lines_of_libraries_stay_out_even_at_debug(capsys: pytest.CaptureFixture[str]) -> None:
    logs.setup("DEBUG")
    logging.getLogger("discord.http").debug("POST with %s", SECRET)
    structlog.get_logger("bot").debug("seen", row=1)
    line = capsys.readouterr().err
    assert SECRET not in line
    has_words(line, "seen", "row=1")


def test_the_level_holds(capsys: pytest.CaptureFixture[str]) -> None:
    logs.setup("WARNING")
    structlog.get_logger("bot").info("row.done")
    assert capsys.readouterr().err == ""
