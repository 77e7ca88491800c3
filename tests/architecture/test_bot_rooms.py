"""The rooms of the bot: imports run one way, from the ground up, in the one order that is written here."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

ROOMS = (
    "errors",
    "faults",
    "logs",
    "settings",
    "discord_address",
    "store",
    "cards",
    "campaigns",
    "recording",
    "battles",
    "closing",
    "orders",
    "seats",
    "referee",
    "queries",
    "services",
    "delivery",
    "deadlines",
    "interactions",
    "commands",
    "client",
    "running",
    "verify",
    "playground",
    "demo",
    "cli",
)
"""From the ground up: a room imports from itself and from those named before it."""

WITHOUT_DISCORD = ("cards", "campaigns", "recording", "battles", "closing", "orders", "seats", "referee", "queries")
MOST_FILES = 15
MOST_LINES = 420


@cache
def files() -> dict[str, Path]:
    """The bot's files outside the playground, by module name."""
    found = [path for path in (ROOT / "bot").rglob("*.py") if "playground" not in path.parts]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in found}


def room_of(module: str) -> str:
    """The room that a module lies in; "" for the package itself."""
    return f"{module}.".split(".")[1]


def imported(path: Path) -> Iterator[str]:
    """What a file imports from the bot, wherever the import stands; a name that is a module counts as that module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "bot")
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "bot":
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in files() else node.module


def test_every_room_has_its_place_in_the_order() -> None:
    rooms = {room_of(module) for module in files()} - {""}
    assert rooms <= set(ROOMS), f"not in the order of rooms: {sorted(rooms - set(ROOMS))}"
    assert set(ROOMS) - rooms <= {"playground"}


def test_no_import_goes_up() -> None:
    wrong = [
        f"{module} may not import {name}; {name} stands above it. Move the function down, or the caller up."
        for module, path in files().items()
        for name in imported(path)
        if room_of(module) and room_of(name) and ROOMS.index(room_of(name)) > ROOMS.index(room_of(module))
    ]
    assert not wrong, "\n".join(wrong)


def test_no_circle_among_files() -> None:
    """Imports for the type checker alone and inside functions count: they hide a circle and do not end it."""
    below = {module: {name for name in imported(path) if name in files()} for module, path in files().items()}
    done: set[str] = set()

    def walk(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, f"a circle: {' > '.join((*trail[trail.index(module) :], module))}"
        if module not in done:
            for name in sorted(below[module]):
                walk(name, (*trail, module))
            done.add(module)

    for module in sorted(below):
        walk(module, ())


def test_what_happens_in_campaigns_knows_no_discord() -> None:
    wrong: list[str] = []
    for module, path in files().items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if room_of(module) in WITHOUT_DISCORD and "discord" in {name.split(".")[0] for name in names}:
                wrong.append(module)
    assert wrong == []


def test_delivery_uses_the_store_alone() -> None:
    wrong = [
        f"{module} imports {name}"
        for module, path in files().items()
        for name in imported(path)
        if room_of(module) == "delivery" and room_of(name) not in {"delivery", "store", "faults"}
    ]
    assert wrong == []


def test_rooms_can_be_read_at_a_glance() -> None:
    """At most so many files a folder and lines a file, and a sentence at the door of each."""
    wrong: list[str] = []
    for folder in {path.parent for path in files().values()}:
        count = len([*folder.glob("*.py")])
        wrong += [f"{folder.name} has {count} files"] if count > MOST_FILES else []
    for module, path in files().items():
        text = path.read_text(encoding="utf-8")
        lines = text.count("\n")
        wrong += [f"{module} has {lines} lines"] if lines > MOST_LINES else []
        wrong += [] if ast.get_docstring(ast.parse(text)) else [f"{module} does not say what it is"]
    assert wrong == []


def test_public_class_names_stand_once() -> None:
    where: dict[str, list[str]] = {}
    for module, path in files().items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                where.setdefault(node.name, []).append(module)
    assert {name: modules for name, modules in where.items() if len(modules) > 1} == {}
