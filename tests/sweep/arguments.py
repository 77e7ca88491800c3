"""What the command is told: how long to sweep, and by which seed. What it cannot read it refuses in one line."""

import argparse
import re
import sys
from collections.abc import Callable
from typing import NoReturn

SEEDS = 10**9
"""Seeds are whole numbers below this."""
_BUDGET = re.compile(r"(?:(?P<hours>\d{1,3})h)?(?:(?P<minutes>\d{1,4})m)?(?:(?P<seconds>\d{1,6})s)?", re.ASCII)
_LENGTHS = {"hours": 3600, "minutes": 60, "seconds": 1}


def budget(text: str) -> int:
    """Read a length of time, such as 90s, 10m or 1h30m; gives seconds."""
    found = _BUDGET.fullmatch(text)
    seconds = 0 if found is None else sum(int(found[name] or 0) * length for name, length in _LENGTHS.items())
    if not seconds:
        raise ValueError(f"a length of time, such as 90s, 10m, 2h or 1h30m: not {text!r}")
    return seconds


def seed(text: str) -> int:
    """Read a seed."""
    if not (text.isascii() and text.isdecimal() and int(text[:20]) < SEEDS):
        raise ValueError(f"a whole number from 0 to {SEEDS - 1}, such as 7: not {text!r}")
    return int(text)


def workers(text: str) -> int:
    """Read how many tests run at a time."""
    if not (text.isascii() and text.isdecimal() and 0 < int(text[:20]) <= 64):
        raise ValueError(f"how many tests run at a time, from 1 to 64: not {text!r}")
    return int(text)


def rounds(text: str) -> int:
    """Read how many rounds are played."""
    if not (text.isascii() and text.isdecimal() and int(text[:20]) > 0):
        raise ValueError(f"how many rounds are played, from 1 on: not {text!r}")
    return int(text)


class OneLine(argparse.ArgumentParser):
    """A parser that refuses with one line, and the exit code 2."""

    def error(self, message: str) -> NoReturn:
        """Say what would be right."""
        print(f"{self.prog}: {message}", file=sys.stderr)
        sys.exit(2)

    def read(self, option: str, text: str, reader: Callable[[str], int]) -> int:
        """Read an option's value with this reader; refuse what it does not take."""
        try:
            return reader(text)
        except ValueError as error:
            self.error(f"{option} is {error}")
