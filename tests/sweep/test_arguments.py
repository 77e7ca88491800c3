"""What the command is told: lengths of time and seeds, and one line for whatever is none."""

import subprocess
import sys

import pytest

from tests.checkout import ROOT
from tests.expected.kept import cases
from tests.sweep.arguments import budget, rounds, seed, workers


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("10m", 600), ("2h", 7200), ("1h30m", 5400), ("1h1m1s", 3661), ("007s", 7)]
)
def test_budget_is_seconds_when_it_is_a_length_of_time(text: str, seconds: int) -> None:
    assert budget(text) == seconds


@pytest.mark.parametrize("text", ["", "0s", "0h0m", "10", "ten", "10 m", "m", "5m2h", "-5m", "1.5h", "10M", "٣m", "1d"])
def test_budget_is_refused_with_what_would_be_right_when_it_is_something_else(text: str) -> None:
    with pytest.raises(ValueError, match=r"^a length of time, such as 90s, 10m, 2h or 1h30m: not "):
        budget(text)


def test_seed_is_a_number_when_it_is_one_below_a_thousand_million() -> None:
    assert [seed(text) for text in ("0", "7", "999999999")] == [0, 7, 999_999_999]


@pytest.mark.parametrize("text", ["", "x", "-1", "1.0", "1000000000", "9" * 5000, "7 ", "٣", "0x7"])
def test_seed_is_refused_with_what_would_be_right_when_it_is_something_else(text: str) -> None:
    with pytest.raises(ValueError, match=r"^a whole number from 0 to 999999999, such as 7: not "):
        seed(text)


@pytest.mark.parametrize("text", ["0", "65", "two", "auto", ""])
def test_workers_are_refused_when_they_are_none_or_too_many(text: str) -> None:
    with pytest.raises(ValueError, match="from 1 to 64"):
        workers(text)
    assert workers("2") == 2


def test_rounds_are_refused_when_there_are_none() -> None:
    with pytest.raises(ValueError, match="from 1 on: not '0'"):
        rounds("0")
    assert rounds("12") == 12


@cases("words, line", "")
def test_the_command_says_in_one_line_what_would_be_right_when_it_is_told_something_else(words: list[str], line: str):
    done = subprocess.run(
        [sys.executable, "-m", "tests.sweep", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"python -m tests.sweep: {line}\n")
