"""Which changes a seed draws: the kinds take turns, and within a kind every place has the same chance."""

import ast
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.changes import KINDS, Mutation, Site, rank
from tests.mutation.sites import Sites
from tests.mutation.tables import PRINTED, data_sites

EQUAL = Path(__file__).with_name("equal.toml")


@dataclass(frozen=True)
class Equal:
    """A change that nobody can tell in play, and why."""

    file: str
    line: str
    """The whole line, without what it is indented by."""
    change: str
    """As reports write it: ``before -> after``."""
    reason: str
    column: int | None = None
    """Where in the line, if it has several such places."""

    def fits(self, mutation: Mutation) -> bool:
        """Whether this is the one."""
        site = mutation.site
        return (self.file, self.line, self.change) == (site.path, site.text, mutation.change) and self.column in (
            None,
            site.column,
        )


def equals(path: Path = EQUAL) -> list[Equal]:
    """All that are listed. Raises ValueError for an entry that lacks something."""
    found: list[Equal] = []
    for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("equal", []):
        if not entry.keys() >= {"file", "line", "change", "reason"} or not entry["reason"].strip():
            raise ValueError(f"{path.name}: an entry needs file, line, change and reason: {entry}")
        found.append(Equal(**entry))
    return found


def book_files(root: Path, book: str) -> list[str]:
    """The files of a rulebook, from ``root``: its package, and the data that it prints."""
    package = sorted((root / "rules_engine/rulebooks" / book).rglob("*.py"))
    return [*(path.relative_to(root).as_posix() for path in package), *PRINTED.get(book, ())]


def sites_of(root: Path, files: Iterable[str]) -> list[Site]:
    """All places of these files."""
    found: list[Site] = []
    for path in files:
        text = (root / path).read_text(encoding="utf-8")
        found += data_sites(path, text) if path.endswith(".toml") else Sites(path, text)
    return found


def drawn(root: Path, sites: Iterable[Site], seed: int, equal: Iterable[Equal] = ()) -> Iterator[Mutation]:
    """All changes, one for each place, in the order in which ``seed`` draws them."""
    known = list(equal)
    texts: dict[str, str] = {}

    def in_order(kind: str) -> Iterator[Mutation]:
        for site in sorted(ranked[kind], key=lambda one: rank(seed, one)):
            number = rank(seed, site)
            text = texts.setdefault(site.path, (root / site.path).read_text(encoding="utf-8"))
            edit = site.edits[number // 7 % len(site.edits)]
            mutation = Mutation(site, edit, text[edit.start : edit.end])
            if differs(site.path, text, mutation.made(text)) and not any(one.fits(mutation) for one in known):
                yield mutation

    ranked: dict[str, list[Site]] = {kind: [] for kind in KINDS}
    for site in sites:
        ranked[site.kind].append(site)
    turns = [in_order(kind) for kind in KINDS]
    while turns:
        for one in list(turns):
            if (mutation := next(one, None)) is None:
                turns.remove(one)
            else:
                yield mutation


def differs(path: str, before: str, after: str) -> bool:
    """Whether the file can still be read and says something else."""
    try:
        if path.endswith(".toml"):
            return tomllib.loads(after) != tomllib.loads(before)
        return ast.dump(ast.parse(after)) != ast.dump(ast.parse(before))
    except (SyntaxError, tomllib.TOMLDecodeError):
        return False
