"""What can be changed: a place in a file, and what could stand there instead."""

import hashlib
from dataclasses import dataclass
from typing import Literal

Kind = Literal["number", "comparison", "condition", "table entry", "sentence"]
KINDS: tuple[Kind, ...] = ("number", "comparison", "condition", "table entry", "sentence")


@dataclass(frozen=True)
class Edit:
    """Characters ``start`` to ``end`` of a text, and what stands there afterwards."""

    start: int
    end: int
    after: str


@dataclass(frozen=True)
class Site:
    """A place, and the edits that it offers (at least one)."""

    path: str
    """From the checkout, with ``/``."""
    kind: Kind
    line: int
    """Counted from 1."""
    text: str
    """The whole line without what it is indented by."""
    column: int
    """Where in ``text`` the place begins, from 1."""
    reach: range
    """The lines of its statement: who runs one of them may run the place."""
    in_function: bool
    """Whether it runs when something is called, and not when the file is imported."""
    names: tuple[str, ...]
    """Those of the class and function around it; of what is made at import, the names that it is given."""
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Mutation:
    """One edit of one place."""

    site: Site
    edit: Edit
    before: str

    @property
    def path(self) -> str:
        """The changed file."""
        return self.site.path

    @property
    def where(self) -> str:
        """As editors and terminals take it."""
        return f"{self.site.path}:{self.site.line}"

    @property
    def change(self) -> str:
        """``before -> after``, each on one line."""
        return f"{_one_line(self.before)} -> {_one_line(self.edit.after)}"

    def made(self, text: str) -> str:
        """The file's text with the edit made."""
        return text[: self.edit.start] + self.edit.after + text[self.edit.end :]


def _one_line(text: str) -> str:
    return " ".join(text.split()) or "(nothing)"


def rank(seed: int, site: Site) -> int:
    """Where the seed puts a place in the row of all.

    It depends on the place alone, so that changes elsewhere in the sources do not give a seed another meaning."""
    said = f"{seed}\0{site.path}\0{site.kind}\0{site.text}\0{site.column}"
    return int.from_bytes(hashlib.sha256(said.encode()).digest()[:8], "big")
