"""The playground's rooms: their order, no circle among its files, and who may import it."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "bot.playground"

#: From the ground up: a file imports from its own room and from those before it. The last is the package's own folder.
ROOMS = ("world", "discord_api", "seats", "")
MAY_IMPORT_THE_PLAYGROUND = ("bot.cli", "bot.demo", PACKAGE)
MOST_FILES = 15


def under(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(path): path for path in sorted((ROOT / "bot").rglob("*.py"))}
PLAYGROUND = sorted(name for name in FILES if under(name, PACKAGE))


def imports(module: str) -> Iterator[str]:
    """The modules that a file names anywhere, for type checking only and within functions too."""
    path = FILES[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            source = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:
                whole = f"{source}.{alias.name}"
                yield whole if whole in FILES else source


def room(module: str) -> str:
    """The room of one of the playground's modules; a room's `__init__` belongs to it."""
    first = module.removeprefix(PACKAGE).lstrip(".").partition(".")[0]
    return first if first in ROOMS else ""


GRAPH = {name: {one for one in imports(name) if one in PLAYGROUND} for name in PLAYGROUND}


def test_imports_between_rooms_go_one_way() -> None:
    wrong = [
        f"{name} may not import {one}; {one} stands above it. Move the function down, or the caller up."
        for name, used in GRAPH.items()
        for one in sorted(used)
        if ROOMS.index(room(one)) > ROOMS.index(room(name))
    ]
    assert wrong == []


def test_no_circle_among_files() -> None:
    try:
        TopologicalSorter(GRAPH).prepare()
    except CycleError as error:
        pytest.fail("files import each other in a circle: " + " -> ".join(error.args[1]))


def test_no_file_imports_its_own_rooms_face() -> None:
    faces = {name for name in PLAYGROUND if FILES[name].name == "__init__.py"}
    wrong = [
        f"{name} imports {one}, the face of its own room: import from the file that defines the thing"
        for name, used in GRAPH.items()
        for one in sorted(used & faces)
        if room(one) == room(name)
    ]
    assert wrong == []


def test_every_room_says_what_it_is_and_is_read_at_a_glance() -> None:
    for name in ROOMS:
        folder = ROOT / "bot/playground" / name
        text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
        assert text, f"{folder.name} does not say what it holds"
        files = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
        assert len(files) <= MOST_FILES, f"{folder.name} is two rooms"


def test_every_folder_is_in_the_order() -> None:
    folders = {path.parent.name for path in (ROOT / "bot/playground").glob("*/__init__.py")}
    assert folders == set(ROOMS) - {""}


def test_the_playground_imports_nothing_else_of_ours() -> None:
    wrong = [
        f"{name} imports {one}"
        for name in PLAYGROUND
        for one in imports(name)
        if not under(one, PACKAGE) and one.partition(".")[0] in {"bot", "rules_engine", "map_render", "tests"}
    ]
    assert wrong == []


def test_the_product_does_not_import_the_playground() -> None:
    wrong = [
        f"{name} imports {one}"
        for name in FILES
        if not any(under(name, allowed) for allowed in MAY_IMPORT_THE_PLAYGROUND)
        for one in imports(name)
        if under(one, PACKAGE)
    ]
    assert wrong == []
