"""How large and how long what a scenario and a sheet say may be: the last value that is taken, and the first that is
not."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from rules_engine.core.basics.base import Count
from rules_engine.rulebooks.border_patrol.records import classes, orders, places, settings, units
from rules_engine.rulebooks.border_patrol.records.forces import MovementPhase
from rules_engine.rulebooks.border_patrol.records.others import BorderConvoy, Habits
from rules_engine.rulebooks.border_patrol.records.state import BorderTeam
from rules_engine.rulebooks.border_patrol.scenario import entries
from tests.expected.kept import cases
from tests.rulebooks.border_patrol.worlds import opened

WHOLE: list[tuple[Any, int, int]] = [
    (settings.Points, 0, 10_000),
    (settings.Reach, 0, 99),
    (settings.Turn, 1, 100),
    (settings.Allowance, 0, 12),
    (places.Heading, 0, 5),
    (units.SizeClass, 1, 7),
    (units.Cost, 0, 100),
    (classes.Boxes, 0, 999),
    (entries.Skill, 0, 20),
]
"""A kind of number, the least and the most."""


def takes(kind: Any, value: object) -> bool:
    try:
        TypeAdapter(kind).validate_python(value)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(("kind", "least", "most"), WHOLE)
def test_numbers(kind: Any, least: int, most: int):
    assert [takes(kind, value) for value in (least - 1, least, most, most + 1)] == [False, True, True, False]


LETTERS: list[tuple[Any, list[str], list[str]]] = [
    (entries.EntryKey, ["a", "a0-", "a" * 24], ["", "0", "A", "a" * 25, "a_"]),
    (entries.StackId, ["A1", "ZZ999", "B10"], ["1", "A", "A0", "A1000", "ABC1", "a1"]),
    (entries.HexNumber, ["0000", "9909"], ["000", "00000", "A101"]),
    (entries.EntryName, ["x", "x" * 40], ["", "x" * 41, " "]),
    (entries.EntryTitle, ["x", "x" * 80], ["", "x" * 81, "a\nb"]),
]
"""A kind of text, what is taken and what is not."""


@pytest.mark.parametrize(("kind", "good", "bad"), LETTERS)
def test_texts(kind: Any, good: list[str], bad: list[str]):
    assert [one for one in good if not takes(kind, one)] == []
    assert [one for one in bad if takes(kind, one)] == []


SOURCE = {"source": "invented"}
UNIT = {"id": "u", "name": "U", "class_id": "X"}
CONVOY = {"key": "c", "stack": "A1"}
HABITS = {"unit": "u", "habit": "stays", "driven_off_by": 1}
CLASS = {"class_id": "X", "name": "X", "empire": "E", "source": "invented", "move_cost": 1}
MAP = {"columns": 9, "rows": 9, **SOURCE}
PLACE = {"key": "p", "name": "P"}

FIELDS: list[tuple[type[Any], dict[str, Any], str, int, int]] = [
    (entries.MapExtent, MAP, "columns", 2, 99),
    (entries.MapExtent, MAP, "rows", 2, 99),
    (entries.PodEntry, {"name": "P"}, "weight", 1, 3),
    (entries.UnitEntry, UNIT, "pseudo_pods", 0, 2),
    (classes.BorderClass, CLASS, "pod_weights", 0, 3),
    (classes.BorderClass, CLASS, "most_pods", 0, 6),
    (orders.RouteLeg, {"hex": "0101"}, "phase", 0, 8),
    (orders.StackPlot, {}, "within", 0, 9),
]
"""A record, what else it needs, a number in it, the least and the most."""


@pytest.mark.parametrize(("kind", "given", "field", "least", "most"), FIELDS)
def test_numbers_of_records(kind: type[Any], given: dict[str, Any], field: str, least: int, most: int):
    found = [takes(kind, {**given, field: value}) for value in (least - 1, least, most, most + 1)]
    assert found == [False, True, True, False]


FORCES: dict[str, Any] = {"stack": (), "unit": ()}
LENGTHS: list[tuple[type[Any], dict[str, Any], str, Any, tuple[int, int]]] = [
    (entries.ProvinceEntry, PLACE, "hexes", ["0101"], (1, 200)),
    (entries.UnitEntry, UNIT, "class_id", "x", (1, 40)),
    (entries.UnitEntry, UNIT, "pods", [{"name": "P"}], (0, 6)),
    (entries.UnitEntry, UNIT, "towing", ["u"], (0, 4)),
    (entries.ConvoyEntry, CONVOY, "route", ["0101"], (1, 100)),
    (entries.HabitsEntry, HABITS, "route", ["0101"], (0, 100)),
    (entries.ForcesFile, FORCES, "stack", [{"id": "A1", "captain": "c", "hex": "0101"}], (0, 200)),
    (entries.ForcesFile, FORCES, "unit", [UNIT], (0, 500)),
    (entries.ForcesFile, FORCES, "convoy", [{**CONVOY, "route": ["0101"] * 2}], (0, 50)),
    (entries.ForcesFile, FORCES, "habits", [HABITS], (0, 50)),
    (classes.BorderClass, CLASS, "hull", "x", (0, 12)),
    (settings.Supply, {}, "source", "x", (1, 80)),
    (orders.StackPlot, {}, "route", "x", (0, 200)),
    (orders.StackChoice, {}, "answer", "x", (0, 20)),
    (orders.StackChoice, {}, "way", "x", (0, 20)),
]
"""A record, what else it needs, a text or a list in it, one part of that, and how many it has at least and at most."""


@pytest.mark.parametrize(("kind", "given", "field", "part", "bounds"), LENGTHS)
def test_lengths(kind: type[Any], given: dict[str, Any], field: str, part: Any, bounds: tuple[int, int]):
    least, most = bounds
    assert [takes(kind, {**given, field: part * count}) for count in (least, most, most + 1)] == [True, True, False]
    assert least == 0 or not takes(kind, {**given, field: part * (least - 1)})


SCENARIO: dict[str, Any] = {
    "title": "T",
    "turns": 1,
    "map": MAP,
    "scoring": dict.fromkeys(
        ("province", "convoy_in", "convoy_caught", "monster_driven_off", "crippled", "destroyed"), 1
    ),
    "team": (),
    "race": (),
    "captain": (),
}


@cases("field, part, most")
def test_lists_of_a_scenario(field: str, part: dict[str, Any], most: int):
    found = [takes(entries.ScenarioFile, {**SCENARIO, field: [part] * count}) for count in (most, most + 1)]
    assert found == [True, False]


def test_what_a_scenario_does_not_say():
    """BP-R32, BP-R33 and BP-R34: supply over six hexes; zones of one hex, of none where restricted, of two at bases."""
    file = entries.ScenarioFile.model_validate(SCENARIO)
    assert (file.supply.reach, file.scoring.lead) == (6, 0)
    assert (file.zones.reach, file.zones.restricted, file.zones.at_bases) == (1, 0, 2)
    assert (file.economy.province, file.economy.system) == (0, 0)
    assert file.supply.invented
    storm = entries.StormEntry.model_validate({"key": "s", "hex": "0101"})
    assert (storm.heading, storm.drift) == (0, 0)
    unit = entries.UnitEntry.model_validate(UNIT)
    assert (unit.chief_engineer, unit.helmsman, unit.pseudo_pods, unit.orion) == (0, 0, 0, "none")
    convoy = entries.ConvoyEntry.model_validate({**CONVOY, "route": ["0101", "0102"]})
    habits = entries.HabitsEntry.model_validate(HABITS)
    assert (convoy.sets_out, habits.allowance, habits.senses) == (1, 0, 0)
    assert entries.PodEntry.model_validate({"name": "P"}).weight == 1
    team = entries.TeamEntry.model_validate({**PLACE, "emblem": "AB"})
    assert team.treasury == 0
    kind = classes.BorderClass.model_validate(CLASS)
    assert (kind.cloak_cost, kind.pod_weights, kind.most_pods, kind.dcr) == (0, 0, 0, 0)


def test_what_nothing_is_said_of_at_the_start():
    """As fields of the state stand where neither scenario nor sheet has said anything."""
    state = opened("intro")
    stack = next(iter(state.stacks.values()))
    assert (stack.orders.within, stack.orders.way, stack.orders.onward, stack.orders.let_go) == (
        9,
        [],
        "go on",
        "refuse",
    )
    unit = next(iter(state.units.values()))
    counts = (unit.emergency_used, unit.accrued, unit.carried, unit.overhauls)
    assert counts == (0, 0, 0, 0)
    team = BorderTeam(id="t", name="T", emblem="T")
    assert (team.score, team.treasury, team.stacks_made) == (0, 0, 0)
    phase = MovementPhase(turn=1)
    assert (phase.phase, phase.next_question("blue"), phase.next_question("blue")) == (1, 1, 2)
    given = {"size_class": 3, "movement_cost": "1", "warp_original": 9, "warp_ok": 9}
    plain = units.Unit.from_json({"id": "u", "name": "U", "hex": "0101", **given})
    counts = {name: getattr(plain, name) for name, kind in units.Unit.__annotations__.items() if kind is Count}
    counts = {name: count for name, count in counts.items() if name not in given}
    assert len(counts) == 16
    assert set(counts.values()) == {0}
    convoy, habits = BorderConvoy(id="c", team="t", stack="A1", sets_out=3), Habits(unit="u")
    assert (convoy.gone, convoy.fate) == (0, "waiting")
    assert (habits.allowance, habits.senses, habits.driven_off_by, habits.gone) == (0, 0, 0, 0)
    storm = places.IonStorm(id="s", hex="0101")
    assert (storm.heading, storm.drift) == (0, 0)
    assert orders.RouteLeg(hex="0101").phase == 0
    assert units.PodCarried(name="P").weight == 1
    assert not takes(units.PodCarried, {"name": "P", "weight": 0})


@pytest.mark.parametrize(
    ("source", "is_invented"),
    [("invented", True), ("Invented: for play", True), ("V9.00, page 3", False), ("not invented", False)],
)
def test_what_says_that_it_is_invented(source: str, is_invented: bool):
    assert settings.Supply(source=source).invented is is_invented
