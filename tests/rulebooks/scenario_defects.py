"""The scenarios that come with the bot, as their files' texts, and what their authors are told of a change in them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rules_engine.core.basics.refusals import Refused

FOLDER = Path(__file__).resolve().parents[2] / "config" / "scenarios"
BETWEEN = " // "
NUMBER = re.compile(r"\d+")
OWN_WORDS = ("Input should", "Extra inputs", "should match", "should have", "must be one line")
"""What the sentences of pydantic say, which tell by themselves what would be right."""


@dataclass(frozen=True)
class Scenarios:
    """One book's scenarios: how they are read, and which is meant where none is named, and where one is changed."""

    book: str
    read: Callable[[Mapping[str, str]], object]
    usual: str
    changed: str = ""

    def files(self, name: str = "") -> dict[str, str]:
        """A scenario's files."""
        folder = FOLDER / self.book / (name or self.usual)
        return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.toml"))}

    def with_change(self, file: str, old: str, new: str, name: str = "") -> dict[str, str]:
        """A scenario's files with the first ``old`` in one of them replaced; it must be there."""
        texts = self.files(name or self.changed)
        assert old in texts[file], f"{old!r} is not in {file}"
        return texts | {file: texts[file].replace(old, new, 1)}

    def refused(self, texts: Mapping[str, str]) -> list[str]:
        """What is told of files that are refused; none where they are read."""
        try:
            self.read(texts)
        except Refused as refusal:
            return [str(told) for told in refusal.refusals]
        return []

    def told_of(self, file: str, old: str, new: str, name: str = "") -> str:
        """What is told of one change, place and line and sentence, as one cell of a table; it must be refused.

        The first of those that differ only in numbers stands for them all, which are counted. Meant for
        `@cases("name, file, old, new, told")`, a case for each kind of defect.
        """
        told = sorted(self.refused(self.with_change(file, old, new, name)))
        assert told, "nothing is told"
        alike: dict[str, list[str]] = {}
        for line in told:
            alike.setdefault(NUMBER.sub("N", line), []).append(line)
        return BETWEEN.join(
            first if not others else f"{first} (and {len(others)} like it)" for first, *others in alike.values()
        )


def without_line(told: str) -> str:
    """A line that is told, without the line of the file that it is about."""
    return re.sub(r" \((?:[\w.]+, )?line \d+\)", "", told)


def says_what_would_be_right(told: str) -> bool:
    """Whether a line that is told says what is legal, or what may have been meant."""
    return any(words in told for words in ("Legal: ", "Did you mean", *OWN_WORDS))
