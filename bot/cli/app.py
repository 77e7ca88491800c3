"""The application that all commands are added to, and how it speaks."""

from typing import NoReturn

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.text import Text

from bot.running import ExitCode
from bot.settings import HostSettings
from rules_engine import rulebooks

FIRST_RULEBOOK = rulebooks.installed()[0]
"""The rulebook that commands take if none is named, the first of the registry; they say so."""

app = typer.Typer(
    name="plotroom",
    help="A Discord bot that referees play-by-chat, double-blind space campaigns.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

out = Console()
err = Console(stderr=True)


def say(text: str, *, to: Console = out) -> None:
    """Print a text as it is: a path or a name in it may look like markup, and nothing of it may be lost."""
    to.print(text, markup=False, highlight=False, emoji=False, soft_wrap=True)


def fail(code: int, text: str) -> NoReturn:
    """End with one clear line."""
    err.print(Text.assemble(("plotroom:", "bold red"), f" {text}"), highlight=False, soft_wrap=True)
    raise typer.Exit(code)


def say_default(what: str, option: str) -> None:
    """Say what was taken because nothing was named; on standard error, so that output can still be piped."""
    say(f"Taking {what}; {option} names another.", to=err)


def settings_or_fail() -> HostSettings:
    """The settings, or every defect of them, each by its variable."""
    try:
        return HostSettings()  # pyright: ignore[reportCallIssue]  everything has a default
    except ValidationError as error:
        defects = [
            f"PLOTROOM_{'_'.join(map(str, defect['loc'])).upper().removeprefix('PLOTROOM_')}: {defect['msg']}"
            for defect in error.errors(include_url=False, include_input=False)
        ]
        fail(ExitCode.SETTINGS, "the settings are not right:\n  " + "\n  ".join(defects))
