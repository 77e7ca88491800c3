"""What lasts over turns and may end in several ways, book by book, and who may write it: one chapter begins and ends
it, and nothing else does. A shelf of others writes copies of it: for a sheet that is judged, for a view, for a file."""

import ast
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rules_engine import rulebooks
from rules_engine.core.basics.record import Record

Writers = frozenset[str]
"""Files of a book, from its folder on."""


def _by(*files: str) -> Writers:
    return frozenset(f"{file}.py" for file in files)


LASTS: Mapping[str, Mapping[str, Writers]] = {
    "border_patrol": {
        "reaction": _by("ch60_reaction/waiting"),
        "cloak": _by("ch50_cloaks/wearing"),
        "towing": _by("ch30_towing/tows"),
        "towed_by": _by("ch30_towing/tows", "scenario/new_units"),
    },
    "cutler": {
        "course": _by("records/parts/empires", "records/shipping/convoys"),
        "docked_at": _by("records/conditions/docking"),
    },
    "jump_lanes": {
        "transit": _by("phases/movement", "battles/outcome"),
        "jumped": _by("phases/movement", "battles/outcome"),
        "stopped_at": _by("ch1_movement/journeys", "phases/movement", "plotting/groups"),
        "towed": _by("ch4_towing/tows", "records/state", "plotting/groups"),
        "tows": _by("ch4_towing/tows", "records/state", "plotting/groups"),
        "aboard": _by("records/state"),
    },
    "pq17": {"shadow_links": _by("ch06_reconnaissance/shadowing")},
    "vector": {
        "tows": _by("tracker/tows", "tracker/coasting", "records/known"),
        "towed": _by("tracker/tows"),
        "tractors": _by("tracker/towing", "tracker/coasting", "records/known"),
        "weasel": _by("tracker/declaring", "accounts/carrying"),
        "aboard": _by("ch5_other/launching"),
        "landed_on": _by("ch5_other/landing"),
        "out": _by("tracker/leaving", "ch5_other/landing", "battles/taking_up", "campaign/turns"),
        "friction_from": _by("tracker/flying"),
    },
}
"""By book and field: a reaction, a cloak, a tow, a dock, a jump, a route that others stopped, who shadows whom."""

_CHANGING = ("append", "remove", "clear", "extend", "pop", "insert", "update", "setdefault", "add", "discard")
_COPYING = ("changed", "with_values")


def written(source: ast.AST) -> set[str]:
    """The fields that some source sets, also in a copy, or whose lists and mappings it changes."""
    found: set[str] = set()
    for node in ast.walk(source):
        match node:
            case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.Attribute(attr=change, value=ast.Attribute(attr=name)) if change in _CHANGING:
                found.add(name)
            case ast.Subscript(value=ast.Attribute(attr=name), ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.Call(func=ast.Attribute(attr=copy), keywords=named) if copy in _COPYING:
                found |= {one.arg for one in named if one.arg}
    return found


def writers(book: str) -> dict[str, set[str]]:
    """By field that lasts, the files of a book that write it."""
    folder = _folder(book)
    found: dict[str, set[str]] = {name: set() for name in LASTS[book]}
    for path in sorted(folder.rglob("*.py")):
        for name in written(ast.parse(path.read_text(encoding="utf-8"))) & found.keys():
            found[name].add(path.relative_to(folder).as_posix())
    return found


def _folder(book: str) -> Path:
    return Path(*rulebooks.__path__) / book


@contextmanager
def only_their_own_write(book: str) -> Iterator[None]:
    """Let nothing but the files that may set what lasts, however they come by the field's name, while a book is
    played."""
    with ExitStack() as watches:
        for kind in _kinds(Record):
            fields = LASTS[book].keys() & getattr(kind, "__dataclass_fields__", {}).keys()
            if fields and kind.__module__.startswith(f"{rulebooks.__name__}.{book}."):
                watches.enter_context(_watched(kind, {name: LASTS[book][name] for name in fields}, _folder(book)))
        yield


def _kinds(kind: type[Record]) -> Iterator[type[Record]]:
    for one in kind.__subclasses__():
        yield one
        yield from _kinds(one)


@contextmanager
def _watched(kind: type[Record], fields: Mapping[str, Writers], folder: Path) -> Iterator[None]:
    usual, own = kind.__setattr__, "__setattr__" in vars(kind)

    def watched(record: Record, name: str, value: object) -> None:
        if name in fields:
            code = sys._getframe(1).f_code
            made = code.co_name == "__init__"
            by = Path(code.co_filename)
            is_own = folder in by.parents and by.relative_to(folder).as_posix() in fields[name]
            assert made or is_own, f"{kind.__name__}.{name} is set by {code.co_filename}:{code.co_firstlineno}"
        usual(record, name, value)

    kind.__setattr__ = watched  # type: ignore[method-assign]
    try:
        yield
    finally:
        if own:
            kind.__setattr__ = usual  # type: ignore[method-assign]
        else:
            del kind.__setattr__
