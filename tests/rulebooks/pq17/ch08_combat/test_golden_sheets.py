"""Set-up sheets compared whole with texts written by hand from the book: `golden_sheets/`, one file a battle.

A file holds the sheet as both sides read it, and after ``@ alliance`` and ``@ coalition`` what that side alone reads.
Lines that begin with ``#`` say which rules the next lines come from; blank lines count for nothing. A test's markers
name the ids of its file, no more and no fewer.
"""

import ast
import difflib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules_engine.core.protocol.asks import BattleSetup
from rules_engine.rulebooks.pq17.ch08_combat import battle_setup
from rules_engine.rulebooks.pq17.ch10_supply.stores import SUICIDE_TAG
from rules_engine.rulebooks.pq17.ch12_mines import tactical_map
from rules_engine.rulebooks.pq17.contacts import identification
from rules_engine.rulebooks.pq17.records.damage import RefitInHand
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TowGroup
from rules_engine.rulebooks.pq17.records.state import MapHex, State
from rules_engine.rulebooks.pq17.tables.supply import Goods
from tests.expected.kept import cases, scene_file
from tests.expected.scene_files import path_beside
from tests.rulebooks.pq17.worlds.battles import NOW, account, at_battle, battle_asks, first_battle, read_by, setup_of
from tests.rulebooks.pq17.worlds.notation import CLASSES, ship_class, world
from tests.rulebooks.pq17.worlds.repair import mined
from tests.rulebooks.pq17.worlds.special_conditions import special_world
from tests.rules.coverage import book_ids

SHEETS = Path(__file__).parents[1] / "golden_sheets"
SIDES = ("alliance", "coalition")
ATTACK = {"attack alliance": [{"A1": {"target": "E1"}}]}
Request = pytest.FixtureRequest
EVERY_SHEET = pytest.mark.rule(
    "pq17", "1.6.4.1", "1.9.2", "1.9.6", "1.9.9", "8.2", "8.2.1", "8.2.2", "8.2.3", "8.2.4", "8.2.5", "8.5.4",
    "8.5.4.1", "8.5.5", "8.5.5.1", "8.5.5.2", "8.5.5.3", "8.5.5.3.1", "8.5.5.3.2", "8.5.5.3.3", "8.5.5.3.6",
    "8.5.5.3.9", "8.5.5.3.10", "8.5.5.4", "8.5.5.4.1", "8.5.5.4.2", "8.5.5.4.3", "8.5.5.5", "8.5.5.5.1",
    "8.5.5.5.2", "8.5.5.5.3", "8.5.5.5.4", "8.5.5.6", "9.8", "T3a", "T3b",
)  # fmt: skip
"""The rules that stand at the heads of paragraphs in every file."""


def written(name: str, side: str) -> list[str]:
    """The lines of a file that a side reads."""
    lines: list[str] = []
    readers: tuple[str, ...] = SIDES
    for line in (SHEETS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("@ "):
            readers = (line.removeprefix("@ "),)
        elif line and not line.startswith("#") and side in readers:
            lines.append(line)
    return lines


def ids_of(name: str) -> set[str]:
    """The rule ids at the head of a file's paragraphs."""
    known, found = set(book_ids("pq17")), set[str]()
    for line in (SHEETS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        words, colon, _ = line.removeprefix("# ").partition(":")
        ids = words.split(", ")
        if line.startswith("# ") and colon and ids[0] in known:
            assert set(ids) <= known, f"{name}: {line}"
            found |= set(ids)
    return found


def compare(request: Request, setup: BattleSetup, name: str = "") -> None:
    """Compare what each side reads with the file that bears that name, or the test's, and its marker with its rules."""
    name = name or request.function.__name__.removeprefix("test_")
    for side in SIDES:
        read, right = read_by(setup, side), written(name, side)
        if read != right:
            change = difflib.unified_diff(right, read, f"{name}.txt, by the book", f"the sheet of {side}", lineterm="")
            pytest.fail("\n".join(change), pytrace=False)
    assert {one for mark in request.node.iter_markers("rule") for one in mark.args[1:]} == ids_of(name)


def changed(state: State, **units: dict[str, Any]) -> State:
    """The state with other values for some units, by id with ``_`` for the point."""
    for name, values in units.items():
        for key, value in values.items():
            setattr(state.units[name.replace("_", ".", 1)], key, value)
    return state


# --- ships ------------------------------------------------------------------------------------------------------------
@EVERY_SHEET
@cases("case, proves, name, forces, conditions, surprise, settings, sheets", "")
def test_open_space(
    request: Request, *, name: str, forces: str, conditions: str, surprise: int, settings: dict[str, str],
    sheets: dict[str, list[Any]],
) -> None:  # fmt: skip
    """The side of the first sheet is phasing."""
    at = at_battle(world(forces + NOW, **settings), conditions=conditions, surprise=surprise)
    compare(request, first_battle(at, sheets, next(iter(sheets)).split()[1]), name)


@EVERY_SHEET
@pytest.mark.rule("pq17", "8.5.3.3", "8.5.5.3.4")
def test_towing(request: Request) -> None:
    state = world("A1 0405 CA speed 2 ID0\nC1 0405 CA+DD[warp=0,awr=0,fuel=0,crippled=yes] speed 1 ID0" + NOW)
    state.task_forces["C1"].tows = [TowGroup(tower="C1.CA", towed=["C1.DD"])]
    compare(request, first_battle(at_battle(state), ATTACK))


@EVERY_SHEET
@pytest.mark.rule("pq17", "8.5.3.3", "8.5.5.3.4", "8.5.5.3.5", "8.5.5.3.8", "8.5.5.3.11", "8.5.5.3.12", "T3c")
def test_special_sensors(request: Request) -> None:
    small = ship_class("PF", "1/6", warp=5)
    surveyor = ship_class("CS", "1/3", warp=10, special_sensors=2, service="civilian", is_warship=False)
    scouts = "SC[special_sensors=1,sensor_track=1]+SC[can_power_sensors=no]+SC[special_sensors=0]"
    units = f"{scouts}+CA[can_power_fire_control=no]+LD[sensor_track=]+LD+FT+PF+CS"
    text = f"A1 0405 SC passive speed 2 ID0\nC1 0405 {units} speed 1 ID0"
    state = world(text + NOW, classes=CLASSES | {"PF": small, "CS": surveyor})
    compare(request, first_battle(at_battle(state), ATTACK))


@EVERY_SHEET
@pytest.mark.rule("pq17", "8.5.3.3", "8.5.5.3.4", "12.1.1", "12.1.7")
def test_minefield(request: Request) -> None:
    state = mined("mines 0405 coalition 4 ID1\nA1 0405 ML+MS speed 2 U\nC1 0405 CL speed 1 ID0", mines={"A1.ML": 200})
    compare(request, first_battle(at_battle(state), ATTACK))


# --- bases, ports and settled hexes -----------------------------------------------------------------------------------
@EVERY_SHEET
@pytest.mark.rule("pq17", "1.8.2", "5.2.3.5", "8.5.3.3", "8.5.5.3.4", "8.5.5.3.5", "8.5.5.3.11", "8.5.5.3.12")
@pytest.mark.rule("pq17", "11.5.4", "12.1.2", "12.1.6", "12.1.7", "12.1.8")
def test_port_attack(request: Request) -> None:
    text = "A9 0303 BATS base Haven known LC2\nA1 0303 CA+FT speed 1 port A9\nA2 0303 DD logistics port A9"
    state = changed(
        world(text + "\nC1 0303 CA speed 2 U" + NOW),
        A9_BATS={"stores": {Goods.LARGE_MINES: 16}},
        A1_CA={"stores": {Goods.T_BOMBS: 3}},
        C1_CA={"stores": {Goods.SMALL_MINES: 4}},
    )
    state.hexes["0303"] = MapHex(terrain="planet")
    changed(state, A1_FT={"supply": 20, "tags": [f"{SUICIDE_TAG}30"]})
    state.units["A1.CA"].repairs = state.units["A1.CA"].repairs.with_values(damage={"phaser-1": 2, "hull": 3})
    refit = RefitInHand(name="plus", points=0, turn=1)
    state.units["A2.DD"].repairs = state.units["A2.DD"].repairs.with_values(refit=refit)
    haven = state.task_forces["A9"].base
    haven.mine_packages = 2
    at = at_battle(state, surprise=10)
    compare(request, first_battle(at, {"attack coalition": [{"C1": {"target": "Haven"}}]}, "coalition"))


@EVERY_SHEET
@pytest.mark.rule("pq17", "1.8.12.8", "1.8.12.10", "8.5.3.2", "8.5.5.3.4", "8.5.5.3.5", "8.5.5.3.11", "8.5.5.3.12")
@pytest.mark.rule("pq17", "12.1.2", "12.1.7", "12.1.8")
def test_base_attack(request: Request) -> None:
    state = world("C9 0405 BATS+DOCK base Lair LC4 ID1\nA1 0405 CA speed 1 U" + NOW)
    changed(state, A1_CA={"stores": {Goods.T_BOMBS: 2}})
    state.units["C9.DOCK"].repairs = state.units["C9.DOCK"].repairs.with_values(inactive=True)
    lair = state.task_forces["C9"].base
    lair.mine_packages, lair.positions = 1, {"C9.DOCK": "30 hexes coreward"}
    compare(request, first_battle(at_battle(state, surprise=10), ATTACK))


@EVERY_SHEET
@pytest.mark.rule("pq17", "8.4.6.1", "8.5.3.3", "8.5.5.3.4", "C.raid.note4", "C.raid.note5")
def test_raid(request: Request) -> None:
    text = "C1 1719 CA speed 1 ID2\nA1 1719 FF speed 1\nsettled 1719 alliance Meridian"
    state = special_world(text + NOW.replace("alliance", "coalition"), bases="")
    state.settled["1719"].empire = "Federation"
    state.settled["1719"].id_level = IdLevel.ID2
    forces = {"base category": 1, "base type": 5, "convoy category": 50, "convoy type": 45}
    at = at_battle(state, conditions="moderate", **{"raid table": 91, **forces})
    raid, relief = {"C1": {"target": "settled 1719"}}, {"A1": {"target": "E1"}}
    compare(request, first_battle(at, {"attack coalition": [raid], "attack alliance": [relief]}, "coalition"))


# --- a sequence of three battles --------------------------------------------------------------------------------------
def pursuits() -> list[BattleSetup]:
    """Three battles: the loser disengages twice, and is caught each time."""
    at = at_battle(world("A1 0405 CA speed 2 U\nC1 0405 CA+DD speed 2 ID0" + NOW), surprise=10)
    hurt = {"fate": "disengaged", "crippled": True}
    sheets = ATTACK | {
        "battle": [
            account("alliance", 3, AT1="ok", DF1=hurt | {"turn": 2, "warp": 20}, DF2=3),
            account("alliance", 3, AT1="ok", DF1=hurt | {"turn": 3}, DF2=3),
            account("alliance", 3, AT1="ok", DF1="destroyed", DF2="destroyed"),
        ],
        "reform coalition": [{"force 1": {"speed": "1"}}, {"force 1": {"speed": "0", "posture": ["passive"]}}],
        "reform alliance": [{"force 1": {"pursue": "E1"}}, {"force 1": {"speed": "3", "pursue": "E1"}}],
    }
    return [setup_of(ask) for ask in battle_asks(at, sheets)]


@EVERY_SHEET
@cases("case, proves, name, number", "")
def test_each_battle_of_a_pursuit(request: Request, name: str, number: int) -> None:
    assert len(pursuits()) == 3
    compare(request, pursuits()[number - 1], name)


# --- every sentence is read -------------------------------------------------------------------------------------------
def templates() -> Iterator[str]:
    """A pattern for each text that the set-up sheet's functions can write, as it stands in their source."""
    for module in (battle_setup, tactical_map):
        yield from _texts(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")))
    for node in ast.parse(Path(str(identification.__file__)).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name in ("status_line", "box_counts"):
            yield from _texts(node)


def _texts(tree: ast.AST) -> Iterator[str]:
    """The texts of a piece of source, without what is only compared, docstrings and the ids of rules."""
    if isinstance(tree, ast.JoinedStr):
        parts = [re.escape(one.value) if isinstance(one, ast.Constant) else ".*" for one in tree.values]  # pyright: ignore
        yield "".join(parts)
        for value in tree.values:
            if isinstance(value, ast.FormattedValue):
                yield from _texts(value.value)
    elif isinstance(tree, ast.Constant):
        if isinstance(tree.value, str):
            yield re.escape(tree.value)
    elif isinstance(tree, ast.IfExp):
        for branch in (tree.body, tree.orelse):
            yield from _texts(branch)
    elif not isinstance(tree, ast.Compare | ast.pattern | ast.ImportFrom):
        marks: list[ast.expr] = getattr(tree, "decorator_list", [])
        for node in ast.iter_child_nodes(tree):
            if node not in marks and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
                yield from _texts(node)


def test_every_sentence_that_a_sheet_can_say_stands_in_a_file() -> None:
    lines = {line for path in SHEETS.glob("*.txt") for side in SIDES for line in written(path.stem, side)}
    found = [text for text in templates() if text]
    assert len(found) > 100
    assert [text for text in found if not any(re.search(text, line) for line in lines)] == []


def test_every_file_is_compared() -> None:
    scenes = scene_file(path_beside(Path(__file__)))
    names = {row[2] for title in scenes.sections for row in scenes.cells(title)}
    assert {path.stem for path in SHEETS.iterdir()} <= names | {name.removeprefix("test_") for name in globals()}
