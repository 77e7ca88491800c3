"""Rules coverage never falls: markers name real ids, explanations have reasons, and no book misses more than before."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from rules_engine.core.basics.rules import rule
from tests.checkout import ROOT
from tests.rules.coverage import ENGINE, BookCoverage, RuleFunction, books, coverage, most_missing, written
from tests.rules.reached import Notes

_CITING = re.compile(r"(?:PQ-17|CU)\b|[VT]8\.")

Found = dict[str, BookCoverage]


@pytest.fixture(scope="module")
def found() -> Found:
    return coverage()


def test_every_marker_names_an_id_of_its_book(found: Found):
    assert [line for one in found.values() for line in one.unknown] == []


def test_every_explanation_says_why_and_where_it_shows(found: Found):
    everything = [(one.book, rule, why) for one in found.values() for rule, why in one.explained.items()]
    short = [f"{book} {rule}" for book, rule, why in everything if len(why) < 25]
    assert short == []


def test_no_book_has_more_rules_without_a_test_than_it_may_miss(found: Found):
    """That the tests reach what they claim is known only when they have run: `make rules` looks at that."""
    assert set(most_missing()) == set(books())
    assert {book: most for book, most in most_missing().items() if len(found[book].unclaimed) > most} == {}


def test_a_rule_that_a_function_carries_out_is_proved_or_explained(found: Found):
    loose = [
        f"{one.book} {rule}: {functions[0].file}, {functions[0].name}"
        for one in found.values()
        for rule, functions in one.carried_out.items()
        if rule not in one.tested and rule not in one.explained
    ]
    assert loose == []


@pytest.mark.parametrize("book", written())
def test_a_function_says_that_it_carries_out_what_its_docstring_ends_with(book: str, found: Found):
    """The reader finds the number where he looks for it, and the count has it, too."""
    said = {(one.file, one.name, rule) for rule, functions in found[book].carried_out.items() for one in functions}
    cited = {
        (str(path.relative_to(ENGINE)), node.name, rule)
        for path in sorted((ENGINE / book).rglob("*.py"))
        if path.name != "invariants.py"  # they look whether rules were kept, and carry none out
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        for rule in last_ids(ast.get_docstring(node) or "", found[book].ids)
    }
    assert sorted(cited - said) == []


def last_ids(text: str, ids: Sequence[str]) -> set[str]:
    """The ids that a docstring ends with."""
    last = " ".join(text.split()).rstrip(".").rpartition(". ")[2]
    return {word for word in re.split(r"[,;\s]+", last) if word in ids} if _CITING.match(last) else set()


# --- what counts as play ----------------------------------------------------------------------------------------------

DATA = {"records", "tables"}
"""Rooms of a book that hold what is written down; whoever looks at it calls no rule."""
ASKED_UNNOTED = {("tests/rulebooks/pq17/playing/campaign_play.py", "nations")}
"""Rooms that a campaign's player asks in order to check what was played, and under `tests.rules.reached.unnoted`."""


def test_a_campaign_is_entered_as_the_bot_enters_it_and_in_no_other_way():
    """Whoever marks a test as ``headless`` that calls a rule by itself would count it as reached in play."""
    marks = re.compile(r"^\s*(?:@|pytestmark = .*)pytest\.mark\.headless", re.MULTILINE)
    marked = [path for path in (ROOT / "tests").rglob("test_*.py") if marks.search(path.read_text("utf-8"))]
    campaigns = [path for path in marked if path != Path(__file__)]
    assert len(campaigns) > 3
    assert {called for path in campaigns for called in rooms_called(path, set())} - ASKED_UNNOTED == set()


def rooms_called(path: Path, seen: set[Path]) -> Iterator[tuple[str, str]]:
    """Files and the rooms that they call, of a test's file and of all test helpers from which it takes more than
    constants."""
    seen.add(path)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        modules = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not all(one.name.isupper() for one in node.names):
            members = [f"{node.module}.{one.name}" for one in node.names]
            modules = members if _is_book(node.module) else [node.module, *members]
        for module in modules:
            folder, *rest = module.removeprefix("rules_engine.rulebooks.").split(".")
            if module.startswith("rules_engine.rulebooks.") and rest and rest[0] not in DATA and not rest[0].isupper():
                yield path.relative_to(ROOT).as_posix(), rest[0]
            helper = ROOT / f"{module.replace('.', '/')}.py"
            if folder == "tests" and helper.is_file() and helper not in seen:
                yield from rooms_called(helper, seen)


def _is_book(module: str) -> bool:
    return module.startswith("rules_engine.rulebooks.") and module.count(".") == 2


def test_the_rooms_that_a_test_calls_are_found_through_its_helpers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "tests").mkdir()
    made = {
        "test_it": "from rules_engine.rulebooks.pq17 import RULEBOOK\nfrom tests.helping import help\n"
        "from tests.fixed import GRID\nfrom rules_engine.rulebooks.pq17.tables.operations import Speed\n"
        "from tests import whole",
        "helping": "from rules_engine.rulebooks.pq17.ch09_fuel import cost\n"
        "from rules_engine.rulebooks.pq17 import nations",
        "fixed": "import rules_engine.rulebooks.pq17.sequence",
        "whole": "from rules_engine.rulebooks.pq17.campaign.convoys import arrive",
    }
    for name, text in made.items():
        (tmp_path / "tests" / f"{name}.py").write_text(text)
    assert set(rooms_called(tmp_path / "tests/test_it.py", set())) == {
        ("tests/helping.py", "ch09_fuel"),
        ("tests/helping.py", "nations"),
        ("tests/whole.py", "campaign"),
    }


def test_reaching_is_what_proves():
    one = BookCoverage(
        "cutler",
        ("1", "2", "3", "4", "5", "6"),
        tested={rule: ["test_it"] for rule in "12345"},
        carried_out={rule: [RuleFunction("a/b.py", "it", "It.")] for rule in "2345"},
        explained={"5": "Left to the table, and shown on the sheet."},
        reached={"3", "4"},
        headless={"4"},
    )
    assert one.proved == ["4"]
    assert one.why_missing == {
        "no function": ["1"],
        "not reached by its tests": ["2"],
        "not reached in campaigns": ["3"],
        "no test": ["6"],
    }


def test_a_function_that_runs_in_no_campaign_is_named():
    said = {f"{one.file}:{one.name}" for some in coverage()["border_patrol"].carried_out.values() for one in some}
    assert len(said) > 100
    one = min(said)
    assert coverage(Notes(played=said - {one}))["border_patrol"].unplayed == [one]
    assert coverage(Notes(played=said))["border_patrol"].unplayed == []


def test_what_several_processes_noted_is_put_together(tmp_path: Path):
    for name, test, ran in (("1", "a.py::test_it", "2.1"), ("2", "a.py::test_it", "2.2"), ("3", "b.py::Test", "2.3")):
        Notes({test: {("cutler", ran)}}, {("pq17", ran)}, {f"pq17/a.py:f{name}"}).write(
            tmp_path / "reached" / f"{name}.json"
        )
    found = Notes()
    for path in (tmp_path / "reached").iterdir():
        found.add(path)
    assert found.headless == {("pq17", "2.1"), ("pq17", "2.2"), ("pq17", "2.3")}
    assert found.played == {"pq17/a.py:f1", "pq17/a.py:f2", "pq17/a.py:f3"}
    assert found.reaches(["a.py::test_it"], ("cutler", "2.2"))
    assert not found.reaches(["a.py::test_it"], ("cutler", "2.3"))
    assert found.reaches(["a.py::test_it", "b.py::Test"], ("cutler", "2.3"))


NOTED = """
import pytest
from rules_engine.core.basics.rules import rule

def carrying(name, *ids, steps=False):
    def function(): pass
    def taken(): yield
    function = taken if steps else function
    function.__name__ = name
    function.__module__ = "rules_engine.rulebooks.cutler.made_up"
    return rule(*ids)(function)

one, two, three = carrying("one", "1.1"), carrying("two", "1.2"), carrying("three", "1.3")
made_steps, taken_steps = carrying("made", "1.4", steps=True), carrying("taken", "1.5", steps=True)

@pytest.fixture(scope="module")
def made():
    two()

@pytest.mark.rule("cutler", "1.1", "1.2")
def test_one(made): one()

@pytest.mark.rule("cutler", "1.2")
def test_two(made):
    with unnoted():
        three()

@pytest.mark.rule("cutler", "1.4", "1.5")
def test_steps():
    made_steps()
    next(taken_steps())

@pytest.mark.headless
class TestPlay:
    @pytest.mark.parametrize("number", [1, 2])
    def test_three(self, number): [one, three][number - 1]()

def test_unmarked(): three()
"""


def test_what_a_test_and_its_fixtures_run_is_noted(tmp_path: Path):
    """In a process of its own, with a checkout about it that has one test."""
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_it.py").write_text(
        NOTED.replace("import pytest", "import pytest\nfrom tests.rules.reached import unnoted", 1)
    )
    code = (
        "import pathlib, sys, pytest; import tests.checkout; root = pathlib.Path(sys.argv[1]);"
        "tests.checkout.ROOT = root; import tests.rules.noting;"
        "words = ['-q', '-c', '/dev/null', '-p', 'tests.rules.noting', '-p', 'no:cacheprovider', str(root)];"
        "sys.exit(pytest.main(words))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (kept,) = (tmp_path / "build" / "reached").iterdir()
    assert json.loads(kept.read_text()) == {
        "tests": {
            "test_it.py::test_one": [["cutler", "1.1"], ["cutler", "1.2"]],
            "test_it.py::test_two": [["cutler", "1.2"]],
            "test_it.py::test_steps": [["cutler", "1.5"]],
            "test_it.py::test_three": [["cutler", "1.1"], ["cutler", "1.3"]],
            "test_it.py::TestPlay": [["cutler", "1.1"], ["cutler", "1.3"]],
        },
        "headless": [["cutler", "1.1"], ["cutler", "1.3"]],
        "played": ["cutler/made_up.py:one", "cutler/made_up.py:three"],
    }


def test_a_rule_is_carried_out_by_functions_of_rulebooks():
    with pytest.raises(TypeError, match="name the rules"):
        rule()
    with pytest.raises(TypeError, match="in no rulebook's package"):
        rule("1.1")(test_reaching_is_what_proves)
