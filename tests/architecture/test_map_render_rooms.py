"""The rooms of map_render: their order, and that no import goes up or in a circle."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "map_render"
TOP = ""
"""The files that lie in no room, above all rooms."""
ROOMS = ("drawing", "map", TOP)
"""From the ground up. A file imports from its own room and from rooms named before it."""
LARGEST_ROOM = 15


def files() -> dict[str, Path]:
    """Every module's dotted name with its file."""
    found: dict[str, Path] = {}
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


FILES = files()


def room_of(module: str) -> str:
    """The room in which a module lies."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and (ROOT / PACKAGE / parts[1]).is_dir() else TOP


def imported_by(path: Path) -> Iterator[str]:
    """The modules of this package that a file imports, at its head or anywhere else."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in FILES)
        elif isinstance(node, ast.ImportFrom) and node.module in FILES:
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                yield inside if inside in FILES else node.module


def test_every_folder_is_a_room_of_the_plan():
    folders = {path.name for path in (ROOT / PACKAGE).iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert folders == set(ROOMS) - {TOP}


@pytest.mark.parametrize("module", sorted(FILES))
def test_no_import_goes_up(module: str):
    place = ROOMS.index(room_of(module))
    wrong = [
        f"{module} may not import {other}; {other} stands above it. Move the function down, or the caller up."
        for other in imported_by(FILES[module])
        if ROOMS.index(room_of(other)) > place
    ]
    assert wrong == []


def test_no_circle_among_files():
    graph = {module: set(imported_by(path)) for module, path in FILES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"these files import each other: {' <- '.join(error.args[1])}")


@pytest.mark.parametrize("room", [room for room in ROOMS if room != TOP])
def test_a_room_is_opened_by_one_sentence_and_read_at_a_glance(room: str):
    opening = FILES[f"{PACKAGE}.{room}"].read_text(encoding="utf-8")
    tree = ast.parse(opening)
    said = ast.get_docstring(tree) or ""
    assert len(tree.body) == 1, "the opening of a room holds nothing but its sentence"
    assert said.endswith(".")
    assert len(said.splitlines()) == 1
    assert len([module for module in FILES if room_of(module) == room]) - 1 <= LARGEST_ROOM


def test_the_bot_uses_the_public_face_alone():
    wrong: list[str] = []
    for path in sorted((ROOT / "bot").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            named += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            wrong += [f"{path.relative_to(ROOT)} imports {name}" for name in named if name.startswith(f"{PACKAGE}.")]
    assert wrong == []
