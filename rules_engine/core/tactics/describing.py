"""A battle's description for the tactical tracker, asked of its rulebook so that a defect in it halts nothing."""

from collections.abc import Callable
from traceback import extract_tb
from typing import NamedTuple

from rules_engine.core.tactics.tactics import Tactics

_GUARDED = True
"""Whether a description that fails is let pass. Tests set it to False, so that they fail where one does."""


class Described(NamedTuple):
    """How a battle may be tracked; or where its rulebook failed to say it (``untracked``), which no side may read."""

    tactics: Tactics | None
    untracked: str = ""


def described(describe: Callable[[], Tactics | None]) -> Described:
    """What a rulebook says of a battle. Where that fails the battle cannot be tracked, and is played by hand.

    It is asked at once, as the battle's ask is made, since play may have gone on by the time somebody wants to know.
    """
    try:
        return Described(describe())
    except Exception as error:
        if not _GUARDED:
            raise
        return Described(None, _where(error))


def _where(error: Exception) -> str:
    """The kind of an error and its place; its words may tell what is secret."""
    frame = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {frame.filename.rpartition('/')[2]}:{frame.lineno} in {frame.name}"
