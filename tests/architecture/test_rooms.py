"""The order of the house: which rooms a package has, from the ground up, and that nothing reaches upwards.

A room is a folder, or a file that stands alone at the top of its package. It imports only rooms named before it here.
"""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

MOST_FILES = 15
"""A folder is read at a glance up to about here; beyond it, it is two rooms."""

MOST_LINES = 450
"""About 400 is where one idea becomes two."""

ROOMS: dict[str, tuple[str, ...]] = {
    "rules_engine": ("core", "rulebooks"),
    "rules_engine/core": (
        "basics",
        "grids",
        "catalogues",
        "scenarios",
        "forms",
        "tactics",
        "knowledge",
        "protocol",
        "standing",
        "records",
        "running",
    ),
    "rules_engine/rulebooks/pq17": (
        "tables",
        "records",
        "nations",
        "orders",
        "ch10_supply",
        "ch11_repair",
        "contacts",
        "ch01_forces",
        "ch05_movement",
        "campaign",
        "special_conditions",
        "ch06_reconnaissance",
        "ch12_mines",
        "ch08_combat",
        "plotting",
        "scenario",
        "shown",
        "sequence",
        "__init__",
    ),
    "rules_engine/rulebooks/cutler": (
        "records",
        "standing",
        "ch04_accessories",
        "ch01_setup",
        "ch08_scanning",
        "ch02_movement",
        "ch07_maintenance",
        "ch09_surveying",
        "ch03_combat",
        "ch02_sorties",
        "ch04_economics",
        "ch05_planets",
        "ch06_espionage",
        "victory",
        "shown",
        "boards",
        "invariants",
        "rulings",
        "scenario",
        "sequence",
        "__init__",
    ),
    "rules_engine/rulebooks/border_patrol": (
        "tables",
        "records",
        "ch10_movement",
        "ch50_cloaks",
        "ch30_towing",
        "ch80_tugs",
        "ch40_emergency",
        "ch20_pinning",
        "ch60_reaction",
        "ch70_encounters",
        "allowances",
        "stacks",
        "sightings",
        "campaign",
        "battles",
        "plotting",
        "phases",
        "invariants",
        "scenario",
        "shown",
        "sequence",
        "rulings",
        "__init__",
    ),
    "rules_engine/rulebooks/jump_lanes": (
        "records",
        "tables",
        "charts",
        "ch1_movement",
        "ch2_encounters",
        "ch3_cargo",
        "ch4_towing",
        "casualties",
        "ch5_exploration",
        "campaign",
        "battles",
        "sightings",
        "plotting",
        "phases",
        "invariants",
        "scenario",
        "shown",
        "sequence",
        "rulings",
        "__init__",
    ),
    "rules_engine/rulebooks/vector": (
        "records",
        "tables",
        "ch1_movement",
        "ch2_energy",
        "ch3_acceleration",
        "ch4_turning",
        "ch5_other",
        "ch6_friction",
        "tracker",
        "typed",
        "accounts",
        "plotting",
        "campaign",
        "invariants",
        "scenario",
        "shown",
        "sequence",
        "rulings",
        "tracked",
        "battles",
        "__init__",
    ),
    "map_render": (
        "drawing",
        "theatre",
        "glance_words",
        "beyond_words",
        "lane_words",
        "near_words",
        "sections",
        "tactical_words",
        "words",
        "crop",
        "lanes",
        "battle",
        "tactical",
        "desk",
        "printing",
        "render",
        "signs",
        "__init__",
    ),
    "bot": (
        "spoken_of",
        "errors",
        "faults",
        "logs",
        "settings",
        "discord_address",
        "processes",
        "records",
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
        "letters",
        "services",
        "delivery",
        "deadlines",
        "listening",
        "interactions",
        "commands",
        "direct",
        "client",
        "running",
        "verification",
        "playground",
        "demo",
        "cli",
    ),
    "bot/playground": ("world", "discord_api", "seats", "server", "seed", "__init__", "__main__"),
}

FACES: dict[str, tuple[str, ...]] = {
    "rules_engine/rulebooks/pq17": ("ch12_mines", "ch08_combat", "plotting", "scenario", "shown"),
}
"""Rooms that few others need: their ``__init__`` names what those may use, and the product reaches no further."""


def modules(package: str) -> list[Path]:
    """The files of a package, by path."""
    return sorted((ROOT / package).rglob("*.py"))


def dotted(path: Path) -> str:
    """The name that a file is imported by."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {dotted(path): path for package in ("rules_engine", "map_render", "bot") for path in modules(package)}


@cache
def parsed(path: Path) -> ast.Module:
    """A file of the product."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(path: Path) -> tuple[tuple[int, str], ...]:
    """Line and name of each module of ours that a file imports, wherever in it."""
    found: list[tuple[int, str]] = []
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names if alias.name in MODULES]
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            found += [(node.lineno, one if one in MODULES else node.module) for one in inner]
    return tuple(found)


def room_of(package: str, module: str) -> str | None:
    """The room of ``package`` that a module stands in; None of a module elsewhere."""
    prefix = package.replace("/", ".")
    if module == prefix:
        return "__init__"
    return module.removeprefix(f"{prefix}.").split(".")[0] if module.startswith(f"{prefix}.") else None


@pytest.mark.parametrize("package", sorted(ROOMS))
def test_every_room_stands_in_the_order(package: str):
    found = {room_of(package, dotted(path)) for path in modules(package)} - {"__init__"}
    assert found == set(ROOMS[package]) - {"__init__"}


@pytest.mark.parametrize("package", sorted(ROOMS))
def test_imports_between_rooms_go_one_way(package: str):
    order = {room: height for height, room in enumerate(ROOMS[package])}
    wrong: list[str] = []
    for path in modules(package):
        here = room_of(package, dotted(path)) or ""
        for line, name in imported(path):
            there = room_of(package, name)
            if there is not None and order.get(there, len(order)) > order.get(here, len(order)):
                wrong.append(
                    f"{path.relative_to(ROOT)}:{line} may not import {name}; {there} stands above {here}. "
                    "Move the function down, or the caller up."
                )
    assert wrong == []


@pytest.mark.parametrize("package", sorted(FACES))
def test_a_room_with_a_face_is_used_through_it(package: str):
    wrong: list[str] = []
    for name, path in MODULES.items():
        here = room_of(package, name)
        for line, other in imported(path):
            there = room_of(package, other)
            if there in FACES[package] and there != here and other != f"{package.replace('/', '.')}.{there}":
                wrong.append(f"{path.relative_to(ROOT)}:{line} reaches past the face of {there}: {other}")
    assert wrong == []


def test_no_circle_among_files():
    """Imports for the type checker alone and inside functions count: they hide a circle and do not end it."""
    graph = {name: {other for _, other in imported(path) if other != name} for name, path in MODULES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"files import each other in a circle: {' > '.join(error.args[1])}")


def test_no_file_imports_the_face_of_its_own_room():
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports its own room's face"
        for name, path in MODULES.items()
        for line, other in imported(path)
        if MODULES[other].name == "__init__.py" and name.startswith(f"{other}.") and path.name != "__main__.py"
    ]
    assert wrong == []


@pytest.mark.parametrize("package", ["rules_engine", "map_render", "bot"])
def test_a_room_is_read_at_a_glance(package: str):
    folders = {path.parent for path in modules(package)}
    crowded = {
        str(folder.relative_to(ROOT)): count
        for folder in folders
        if (count := sum(path.name != "__init__.py" for path in folder.glob("*.py"))) > MOST_FILES
    }
    assert crowded == {}


@pytest.mark.parametrize("package", ["rules_engine", "map_render", "bot"])
def test_every_room_says_what_it_is_for(package: str):
    silent = [
        str(path.relative_to(ROOT))
        for path in modules(package)
        if path.name == "__init__.py" and not ast.get_docstring(parsed(path))
    ]
    assert silent == []


@pytest.mark.parametrize("package", ["rules_engine", "map_render", "bot"])
def test_a_file_holds_one_idea(package: str):
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in modules(package)
    }
    assert {path: length for path, length in lengths.items() if length > MOST_LINES} == {}
