"""The command line: ``plotroom run``, ``play``, ``migrate``, ``scenarios`` and more. A module for each concern."""

import io
import sys

from bot.cli import catalogue, checking, hosting, playing
from bot.cli.app import app

__all__ = ["catalogue", "checking", "hosting", "main", "playing"]  # imported, they add their commands to the app


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console without “ or × shows a question mark, and goes on
    app()
