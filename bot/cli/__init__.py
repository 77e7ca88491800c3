"""The command line: ``plotroom run``, ``play``, ``migrate``, ``scenarios`` and more. A module for each concern."""

import gc
import io
import sys

# Nearly all that is imported stays. To look for garbage in it again and again would be a fifth of every start.
_COLLECTS_GARBAGE = gc.isenabled()
gc.disable()

from bot.cli import authors, catalogue, checking, hosting, playing  # noqa: E402
from bot.cli.app import app  # noqa: E402

if _COLLECTS_GARBAGE:
    gc.freeze()  # nor is it looked through later: of 650,000 blocks 6,000 are garbage
    gc.enable()

__all__ = [
    "authors",
    "catalogue",
    "checking",
    "hosting",
    "main",
    "playing",
]  # imported, they add their commands to the app


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console without “ or × shows a question mark, and goes on
    app()
