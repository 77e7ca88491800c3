"""The command line: ``plotroom run``, ``play``, ``migrate``, ``scenarios`` and more. A module for each concern."""

from bot.cli import catalogue, checking, hosting, playing  # noqa: F401  they add their commands to the app
from bot.cli.app import app


def main() -> None:
    """The console script."""
    app()
