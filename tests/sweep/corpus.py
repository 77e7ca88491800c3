"""The corpus: seeds that failed once. Each is an everyday case from then on, one line of ``corpus.toml``."""

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

PLACE = Path("tests/sweep/corpus.toml")
"""Where it lies, seen from the checkout."""
SEED = "SEED"
"""Stands in a test's name where its seed stands."""
HEAD = """\
# Seeds that failed once: each is a case of every day. `make sweep` adds those that it finds, sorted, one a line.
# SEED stands where the seed stands in the test's name; without it the seed is Hypothesis's, and `examples` says how
# many are drawn from it. `why` is a word, or the day.
"""


class CorpusError(ValueError):
    """The file is not as it must be."""


class Entry(NamedTuple):
    """A failing seed of a test."""

    test: str
    """The test's id, with :data:`SEED` where it has the seed; without one, the seed is Hypothesis's."""
    seed: int
    why: str
    examples: int | None = None
    """How many examples Hypothesis draws: with another number it draws others."""

    @property
    def function(self) -> str:
        """The id of the function, or of the class that is made of a state machine."""
        return self.test.partition("[")[0].removesuffix("::runTest")

    @property
    def name(self) -> str:
        """What the everyday case is called below its file or class."""
        _, _, last = self.function.rpartition("::")
        if self.test.endswith("::runTest"):
            return f"{last}_seed_{self.seed}"
        if SEED in self.parameters:
            return f"{last}[{self.parameters.replace(SEED, str(self.seed))}]"
        before = f"{self.parameters}-" if self.parameters else ""
        return f"{last}[{before}hypothesis-seed-{self.seed}]"

    @property
    def parameters(self) -> str:
        """What stands in the brackets of the test's id."""
        return self.test.partition("[")[2].removesuffix("]")

    @property
    def case(self) -> str:
        """The everyday case's id."""
        last = "::runTest" if self.test.endswith("::runTest") else ""
        return f"{self.function.rpartition('::')[0]}::{self.name}{last}"

    def line(self) -> str:
        """The line of the file."""
        values: dict[str, Any] = {name: value for name, value in self._asdict().items() if value is not None}
        written = ", ".join(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items())
        return f"  {{ {written} }},\n"


def read(path: Path) -> list[Entry]:
    """Read all entries; none where there is no file."""
    if not path.exists():
        return []
    try:
        return [_entry(document) for document in tomllib.loads(path.read_text(encoding="utf-8")).get("failed", [])]
    except (ValueError, TypeError) as error:
        raise CorpusError(f"{path}: {error}") from error


def _entry(document: Any) -> Entry:
    entry = Entry(**document)
    numbers = [entry.seed] if entry.examples is None else [entry.seed, entry.examples]
    if [type(one) for one in (entry.test, entry.why)] != [str, str] or any(type(one) is not int for one in numbers):
        raise CorpusError(f"test and why are texts, seed and examples whole numbers: not {document}")
    return entry


def written(entries: Iterable[Entry]) -> str:
    """The file's text, sorted by test and seed."""
    return f"{HEAD}failed = [\n{''.join(entry.line() for entry in sorted(entries, key=lambda entry: entry[:2]))}]\n"


def add(path: Path, entry: Entry) -> bool:
    """Write an entry into the file; gives False if its test and seed were there already."""
    entries = read(path)
    if any((one.test, one.seed) == (entry.test, entry.seed) for one in entries):
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    beside.write_text(written([*entries, entry]), encoding="utf-8")
    beside.replace(path)
    return True
