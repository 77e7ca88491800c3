"""The names that campaigns are written down with: ``python -m tests.journals.written_names`` writes the list anew.

Journals and snapshots hold the fields of the state, of entries and of what a side knows. Classes, functions and files
may be renamed; a field that is renamed makes every campaign written down before unreadable.
"""

import types
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Union, get_args, get_origin

from rules_engine import rulebooks
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.state_paths import is_model, kinds_of
from rules_engine.core.running.transitions import Snapshot

LIST = Path(__file__).with_suffix(".txt")


def names_in(kind: Any, path: str, above: tuple[Any, ...] = ()) -> Iterator[str]:
    """The path of every field in an annotation; ``*`` stands for any key or place of a collection."""
    origin = get_origin(kind)
    if is_model(kind):
        if kind in above:
            return
        for name, held in kinds_of(kind).items():
            yield f"{path}.{name}"
            yield from names_in(held, f"{path}.{name}", (*above, kind))
    elif origin in (Union, types.UnionType, Annotated):
        for part in get_args(kind):
            yield from names_in(part, path, above)
    elif origin is not None:
        for part in get_args(kind):
            yield from names_in(part, f"{path}.*", above)


def written_names() -> list[str]:
    """All of them, sorted, each once."""
    found = {*names_in(JournalEntry, "entry"), *names_in(Snapshot, "snapshot")}
    for key in rulebooks.installed():
        found |= set(names_in(rulebooks.rulebook(key).state_model, f"{key} state"))
    return sorted(found)


def main() -> None:
    """Write the list."""
    LIST.write_text("".join(f"{name}\n" for name in written_names()), encoding="utf-8")


if __name__ == "__main__":
    main()
