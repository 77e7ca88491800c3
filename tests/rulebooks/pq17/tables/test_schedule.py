"""The reinforcement and transfer schedule, line by line as the text prints it."""

from fractions import Fraction

import pytest
from pydantic import ValidationError

from rules_engine.rulebooks.pq17.campaign.period_ends import give_points
from rules_engine.rulebooks.pq17.campaign.transfers import calls
from rules_engine.rulebooks.pq17.tables.schedule import Reinforcement, fits, read_schedule
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.campaign import campaign, scenario_file, schedule

F = Fraction

LINES: dict[int, tuple[str, str, str, str, str, str]] = {
    # Klingon points, Federation points, Kzinti points, Coalition transfers, Alliance transfers, returns
    1: ("FF 730", "CA 135 CL 115 TUG 100 DD 160 FF 430", "", "", "CA 1 / kzinti FF 2 / IRONCLAD DD 1", ""),
    2: ("CA 135 DD 160 FF 500", "CA 135 TUG 100 FF 170", "", "", "CALENDAR CA 1 DD 2", ""),
    3: ("DD 80 FF 310", "DN 230 CA 270 TUG 200 DD 320 FF 300", "FF 160", "FF 1", "DD 2", ""),
    4: ("", "DD 320 FF 260", "", "FF 1", "CA 1", ""),
    5: ("FF 610", "CA 135 TUG 100 DD 80 FF 280", "FF 150", "FF 1", "", "calendar CA 1"),
    6: ("CA 135 DD 320 FF 260", "FF 60", "FF 50", "DD 2 FF 1", "FF 1", ""),
    7: ("FF 620", "FF 380", "FF 120", "", "FF 1 / HARPOON CL 2 DD 5 FF 3", ""),
    8: ("FF 260", "CL 115 FF 160", "FF 200", "", "FF 1", "harpoon CL 1 DD 4 FF 1"),
    9: ("CA 135 DD 160 FF 270", "FF 260", "FF 200", "DD 2 FF 1", "CA 1 FF 2", ""),
    10: ("FF 150", "FF 100", "", "", "", "federation-1 CA 1"),
    11: ("DD 160 FF 620", "CA 135 FF 300", "", "", "PEDESTAL DN 1 CL 3 DD 8 FF 2", ""),
    12: ("FF 50", "DN 230 CL 115 DD 80", "", "FF 2", "DN 1 CA 2 DD 3 FF 6", "pedestal DD 8 FF 2"),
    13: ("FF 260", "FF 50", "", "", "FF 2", "federation-4 CA 1"),
    14: ("FF 320", "FF 180", "", "FF 3", "FF 1", ""),
    15: ("FF 510", "DD 160 FF 160", "DD 240", "FF 3", "", ""),
    16: ("FF 150", "DN 230 CL 115", "", "DN 1 CA 1 DD 1 FF 1", "TORCH DN 1 CA 3 CL 4 DD 11 FF 20", ""),
    17: ("CA 135 DD 80", "", "", "DD 1 FF 4", "FF 1", "torch CA 2"),
    18: ("", "DD 80 FF 60", "", "DD 1", "CA 1", "federation-9 CA 1 / torch DD 1"),
    19: ("DD 80 FF 60", "FF 240", "", "FF 7", "CA 1 FF 1", "torch DN 1 CL 3 DD 3 FF 7"),
    20: ("", "DD 80", "", "", "", ""),
}


def _table(text: str) -> dict[str, int]:
    words = text.split()
    return {name: int(count) for name, count in zip(words[::2], words[1::2], strict=True)}


def _named(text: str) -> list[tuple[str, dict[str, int]]]:
    """``X CA 1 DD 2 / FF 1``: pairs of a name (or none) and a table."""
    found: list[tuple[str, dict[str, int]]] = []
    for part in filter(None, (one.strip() for one in text.split("/"))):
        words = part.split()
        named = len(words) % 2 == 1
        found.append((words[0] if named else "", _table(" ".join(words[1:] if named else words))))
    return found


EVERY_PERIOD = pytest.mark.rule(
    "pq17",
    "C.schedule.1",
    "C.schedule.2",
    "C.schedule.3",
    "C.schedule.4",
    "C.schedule.5",
    "C.schedule.6",
    "C.schedule.7",
    "C.schedule.8",
    "C.schedule.9",
    "C.schedule.10",
    "C.schedule.11",
    "C.schedule.12",
    "C.schedule.13",
    "C.schedule.14",
    "C.schedule.15",
    "C.schedule.16",
    "C.schedule.17",
    "C.schedule.18",
    "C.schedule.19",
    "C.schedule.20",
)
"""The printed lines of every operational period."""


@EVERY_PERIOD
@pytest.mark.rule("pq17", "C.schedule.note1", "C.schedule.note6")
@pytest.mark.parametrize("period", list(LINES))
def test_each_period_gives_its_points_and_keeps_what_was_left(period: int) -> None:
    state = campaign()
    klingon, federation, kzinti, *_ = LINES[period]
    state.pools = {"coalition": {"klingon": {"FF": F(40)}}, "alliance": {}}
    give_points(state, period)
    expected = {key: F(points) for key, points in _table(klingon).items()}
    expected["FF"] = expected.get("FF", F(0)) + 40
    assert state.pools["coalition"]["klingon"] == expected
    assert state.pools["alliance"].get("federation", {}) == _table(federation)
    assert state.pools["alliance"].get("kzinti", {}) == _table(kzinti)


@EVERY_PERIOD
@pytest.mark.rule("pq17", "C.schedule.note6")
@pytest.mark.parametrize("period", list(LINES))
def test_each_period_calls_for_its_transfers_and_returns(period: int) -> None:
    *_, coalition, alliance, back = LINES[period]
    found = {(one.operation, one.nation): one.hulls for one in schedule().transfer if one.period == period}
    expected: dict[tuple[str, str], dict[str, int]] = {}
    if coalition:
        expected["", "klingon"] = _table(coalition)
    for name, hulls in _named(alliance):
        own = name == "kzinti"
        expected["" if own else name, "kzinti" if own else "federation"] = hulls
    assert found == expected
    assert [(one.transfer, one.hulls) for one in schedule().returns_of(period)] == _named(back)


@pytest.mark.rule("pq17", "C.schedule.20")
def test_the_last_two_periods_have_no_lines() -> None:
    """Ruling SCN-1; only the convoy's points are given again."""
    state = campaign()
    give_points(state, 21)
    assert state.pools == {"alliance": {"kzinti-convoy": {"CIV": F(1100)}}}
    assert calls(state, "alliance", 22) == calls(state, "coalition", 22) == []


@pytest.mark.rule("pq17", "C.schedule.note2", "C.schedule.note7")
@pytest.mark.parametrize(
    ("hull", "wanted", "may"), [("CA", "CA", 1), ("DN", "CA", 1), ("CL", "CA", 0), ("TUG", "CA", 0)]
)
def test_a_larger_hull_may_go_instead(hull: str, wanted: str, may: int) -> None:
    assert fits(hull, wanted) == bool(may)  # pyright: ignore[reportArgumentType]


@cases("text, path", "")
def test_every_mistake_of_the_file_is_named_with_its_place(text: str, path: str) -> None:
    _, wrong = read_schedule(text, scenario_file().campaign)
    assert any(one.path == f"schedule.toml.{path}".rstrip(".") for one in wrong)


POINTS = '[[reinforcement]]\nperiod = 1\nnation = "klingon"\npoints = { FF = 1 }\n'


@pytest.mark.rule("pq17", "C.schedule.note8")
@cases("text, said", "")
def test_a_mistake_of_the_schedule_is_told_whole(text: str, said: str) -> None:
    book = scenario_file().campaign
    _, wrong = read_schedule(text, book)
    assert [str(one) for one in wrong] == [said.format(nations=", ".join(nation.key for nation in book.nation))]


def test_a_schedule_that_cannot_be_read_at_all_is_told_so() -> None:
    _, (wrong,) = read_schedule("period = = 3", scenario_file().campaign)
    assert str(wrong).startswith("schedule.toml: is not TOML: ")


@pytest.mark.rule("pq17", "C.schedule.note8")
def test_no_more_comes_back_than_has_left_and_not_before() -> None:
    head = '[[transfer]]\nkey = "far"\nperiod = 4\nnation = "klingon"\nhulls = { FF = 2 }\n'
    late = head + '[[returning]]\nperiod = 5\ntransfer = "far"\nhulls = { FF = 3 }'
    early = head + '[[returning]]\nperiod = 4\ntransfer = "far"\nhulls = { FF = 1 }'
    for text in (late, early):
        _, wrong = read_schedule(text, scenario_file().campaign)
        assert [one.rule for one in wrong] == ["PQ-17 C.schedule.note8"]


@pytest.mark.parametrize(("period", "is_one"), [(0, False), (1, True), (99, True), (100, False)])
def test_periods_have_at_most_two_figures(period: int, is_one: bool):
    line = {"period": period, "nation": "kzinti", "points": {"FF": 1}}
    if is_one:
        assert Reinforcement.model_validate(line).period == period
    else:
        with pytest.raises(ValidationError):
            Reinforcement.model_validate(line)
