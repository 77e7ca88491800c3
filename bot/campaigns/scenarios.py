"""The scenarios on disk: ``scenarios/<rulebook>/<scenario>/``, read as texts and validated by the rulebook.

They lie in the folder that comes with the bot, and in one of the host's own that is laid over it.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from bot.campaigns.lettering import unlettered
from bot.errors import Sorry, explain, there_is
from rules_engine import rulebooks
from rules_engine.core.basics.refusals import Refusal, Refused
from rules_engine.core.protocol.rulebook import Rulebook
from rules_engine.core.protocol.seats import NamesSides, SeatRange, seats_of

OPENING = 2_000
"""Characters of a scenario's file in which it says what it is."""

_TITLE = re.compile(r'^title\s*=\s*"([^"\\]*)"', re.MULTILINE)

LARGEST_FILE = 2_000_000
"""Bytes. A scenario file beyond this is a mistake."""

MAIN_FILE = "scenario.toml"
"""A folder that has it holds a whole scenario."""


@dataclass(frozen=True)
class ScenarioRef:
    """A scenario that may be chosen: ``key`` is ``<rulebook>/<scenario>``."""

    rulebook: str
    name: str

    @property
    def key(self) -> str:
        """What people choose it by."""
        return f"{self.rulebook}/{self.name}"


class InstalledScenarios:
    """All scenarios of an installation, from folders of which a later one is laid over those before it.

    A scenario's folder that has a ``scenario.toml`` holds the whole scenario: it is added, or takes the place of one of
    that name with all its files. A folder without it is laid over the scenario of that name, file by file.
    """

    def __init__(self, *folders: Path) -> None:
        self._roots = tuple(folder / "scenarios" for folder in folders)

    def all(self) -> list[ScenarioRef]:
        """What is there, by key."""
        return [
            ScenarioRef(book, name)
            for book in rulebooks.installed()
            for name in sorted({name for root in self._roots for name in _folders(root / book)})
        ]

    def about(self, ref: ScenarioRef) -> str:
        """What a scenario is, in a few words: the sentence its file opens with, or else its title; "" for neither."""
        try:
            path = self._paths(ref)[MAIN_FILE]
            stat = path.stat()
            return _about(path, stat.st_mtime_ns, stat.st_size)
        except (KeyError, OSError):
            return ""

    def own(self, ref: ScenarioRef) -> str:
        """What the last folder does about a scenario, in a few words; "" where it has nothing of that name."""
        *below, top = (root / ref.rulebook / ref.name for root in self._roots)
        if not top.is_dir():
            return ""
        if not any(folder.is_dir() for folder in below):
            return "added"
        if (top / MAIN_FILE).is_file():
            return "takes the place of the built-in one"
        return f"{', '.join(sorted(_files(top))) or 'nothing'} laid over the built-in one"

    def read(self, key: str) -> tuple[Rulebook[Any], dict[str, Any]]:
        """The rulebook and the validated scenario.

        Raises:
            Sorry: when there is no such scenario, or its files have defects (all are listed).
        """
        ref = self.ref(key)
        book = rulebooks.rulebook(ref.rulebook)
        try:
            return book, _read(book, self.files(ref))
        except Refused as refused:
            text = f"The scenario “{key}” cannot be used:\n{explain(refused.refusals)}"
            raise Sorry(text, code="scenario-defects") from None

    def wrong(self, key: str) -> tuple[Refusal, ...]:
        """Every defect of a scenario, however many: :meth:`read` tells no more than a message holds.

        Raises:
            Sorry: when there is no such scenario, or a file of it is no text.
        """
        ref = self.ref(key)
        try:
            _read(rulebooks.rulebook(ref.rulebook), self.files(ref))
        except Refused as refused:
            return refused.refusals
        return ()

    def seats(self, key: str) -> SeatRange | None:
        """How many seats a campaign of that scenario may have; None where its sides are fixed.

        Raises:
            Sorry: as :meth:`read`.
        """
        if not isinstance(rulebooks.rulebook(self.ref(key).rulebook), NamesSides):
            return None  # a large scenario takes a moment to read
        return seats_of(*self.read(key))

    def ref(self, key: str) -> ScenarioRef:
        """The scenario of that key. Raises Sorry when there is none."""
        known = {ref.key: ref for ref in self.all()}
        if key not in known:
            raise Sorry(f"There is no scenario “{key}”. {there_is(key, known)}", code="unknown-scenario")
        return known[key]

    def files(self, ref: ScenarioRef) -> dict[str, str]:
        """Its files' texts, by name. Raises Sorry for one that is too large or no text."""
        files: dict[str, str] = {}
        for name, path in sorted(self._paths(ref).items()):
            if path.stat().st_size > LARGEST_FILE:
                raise Sorry(f"The scenario file {name} is larger than {LARGEST_FILE:,} bytes.", code="file-size")
            try:
                files[name] = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                raise Sorry(f"The scenario file {name} is not UTF-8 text.", code="file-text") from None
        return files

    def _paths(self, ref: ScenarioRef) -> dict[str, Path]:
        """Its files by name, each the topmost of that name."""
        return {name: path for folder in self._layers(ref) for name, path in _files(folder).items()}

    def _layers(self, ref: ScenarioRef) -> list[Path]:
        """The folders that its files come from: the last whole scenario of that name, and what is laid over it."""
        layers: list[Path] = []
        for root in self._roots:
            folder = root / ref.rulebook / ref.name
            if (folder / MAIN_FILE).is_file():
                layers = [folder]
            elif folder.is_dir():
                layers.append(folder)
        return layers


def _read(book: Rulebook[Any], files: dict[str, str]) -> dict[str, Any]:
    """The scenario as its rulebook reads it, and as maps can show it. Raises Refused with every defect."""
    unseen = unlettered(files)
    try:
        document = book.read_scenario(files)
    except Refused as refused:
        raise Refused([*unseen, *refused.refusals]) from None
    if unseen:
        raise Refused(unseen)
    return document


def _folders(root: Path) -> list[str]:
    """The names of the folders in a folder; hidden ones are a file manager's or an editor's."""
    return [path.name for path in root.glob("*") if path.is_dir() and not path.name.startswith(".")]


def _files(folder: Path) -> dict[str, Path]:
    """The files of a folder that can be a scenario's."""
    return {
        path.name: path
        for path in folder.iterdir()
        if path.suffix in {".toml", ".csv"} and not path.name.startswith(".")
    }


@lru_cache(maxsize=256)
def _about(path: Path, _changed: int, _size: int) -> str:
    """What a file says of itself; read again when it was changed. Raises OSError where it cannot be read."""
    with path.open(encoding="utf-8", errors="replace") as file:
        text = file.read(OPENING)
    comment: list[str] = []
    for line in text.splitlines():
        if not line.startswith("#") or not line.strip("# "):
            break
        comment.append(line.strip("# "))
    said = re.split(r"\.(?:\s|$)", " ".join(comment), maxsplit=1)[0].strip()
    title = _TITLE.search(text)
    return said or (title[1] if title else "")
