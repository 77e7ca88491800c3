"""The scenarios on disk: ``config/scenarios/<rulebook>/<scenario>/``, read as texts and validated by the rulebook."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from bot.errors import Sorry, explain, there_is
from rules_engine import rulebooks
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.rulebook import Rulebook

OPENING = 2_000
"""Characters of a scenario's file in which it says what it is."""

_TITLE = re.compile(r'^title\s*=\s*"([^"\\]*)"', re.MULTILINE)

LARGEST_FILE = 2_000_000
"""Bytes. A scenario file beyond this is a mistake."""


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
    """All scenarios of an installation."""

    def __init__(self, config_dir: Path) -> None:
        self._root = config_dir / "scenarios"

    def all(self) -> list[ScenarioRef]:
        """What is there, by key."""
        return [
            ScenarioRef(book, folder.name)
            for book in rulebooks.installed()
            for folder in sorted((self._root / book).glob("*"))
            if folder.is_dir()
        ]

    def about(self, ref: ScenarioRef) -> str:
        """What a scenario is, in a few words: the sentence its file opens with, or else its title; "" for neither."""
        path = self.folder(ref) / "scenario.toml"
        try:
            stat = path.stat()
            return _about(path, stat.st_mtime_ns, stat.st_size)
        except OSError:
            return ""

    def read(self, key: str) -> tuple[Rulebook[Any], dict[str, Any]]:
        """The rulebook and the validated scenario.

        Raises:
            Sorry: when there is no such scenario, or its files have defects (all are listed).
        """
        ref = self.ref(key)
        book = rulebooks.rulebook(ref.rulebook)
        try:
            return book, book.read_scenario(self.files(ref))
        except Refused as refused:
            text = f"The scenario “{key}” cannot be used:\n{explain(refused.refusals)}"
            raise Sorry(text, code="scenario-defects") from None

    def ref(self, key: str) -> ScenarioRef:
        """The scenario of that key. Raises Sorry when there is none."""
        known = {ref.key: ref for ref in self.all()}
        if key not in known:
            raise Sorry(f"There is no scenario “{key}”. {there_is(key, known)}", code="unknown-scenario")
        return known[key]

    def folder(self, ref: ScenarioRef) -> Path:
        """Where its files are."""
        return self._root / ref.rulebook / ref.name

    def files(self, ref: ScenarioRef) -> dict[str, str]:
        """Its files' texts, by name. Raises Sorry for one that is too large or no text."""
        files: dict[str, str] = {}
        for path in sorted(self.folder(ref).iterdir()):
            if path.suffix not in {".toml", ".csv"} or path.name.startswith("."):
                continue
            if path.stat().st_size > LARGEST_FILE:
                raise Sorry(f"The scenario file {path.name} is larger than {LARGEST_FILE:,} bytes.", code="file-size")
            try:
                files[path.name] = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                raise Sorry(f"The scenario file {path.name} is not UTF-8 text.", code="file-text") from None
        return files


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
