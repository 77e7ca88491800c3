"""Chapter 1.1: the words of the sheets of the set-up."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch01_setup.draft import EmpireSheet, empires_steps, races_steps
from rules_engine.rulebooks.cutler.ch01_setup.forces import forces_steps
from rules_engine.rulebooks.cutler.ch01_setup.planets import placement_steps, usual_places
from rules_engine.rulebooks.cutler.ch01_setup.star_map import StarMap, defects
from rules_engine.rulebooks.cutler.ch01_setup.steps import draw_map
from rules_engine.rulebooks.cutler.ch01_setup.systems import roll_open_space
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.ch01_setup import test_planets_and_space
from tests.rulebooks.cutler.ch01_setup.ring import opened, ring_files, said, table
from tests.rulebooks.cutler.ch01_setup.test_planets_and_space import found
from tests.rulebooks.cutler.shown import head, heads
from tests.rulebooks.cutler.worlds import Run, on_sheet, refusal_words

DICE = {"player order, Seat 1": [6, 6], "player order, Seat 2": [1, 2]}


def drafted(until: str = "races") -> Run:
    """The choice of races by two players, and of their empires."""
    state, setup = opened(2)
    turn: Any = table(state, DICE)
    run = Run(turn, races_steps(turn, setup))
    if until == "races":
        return run
    draw_map(turn, setup)
    return Run(turn, empires_steps(turn, setup))


@pytest.mark.rule("cutler", "1.1.1", "1.1.1.1")
def test_which_race_one_would_play_is_asked(kept: Kept) -> None:
    assert on_sheet(drafted().asked("seat-1", "race")[0]) == kept()


@pytest.mark.rule("cutler", "1.1.2.2")
def test_which_empire_one_would_take_is_asked(kept: Kept) -> None:
    run = drafted("empires")
    assert heads(run, "seat-1") + heads(run, "seat-2") == kept()


@pytest.mark.rule("cutler", "1.1.2.3")
def test_where_planets_lie_is_asked(kept: Kept) -> None:
    _, setup, turn = test_planets_and_space.settled()
    run = Run(turn, placement_steps(turn, setup))
    fields = [one for line in run.asked("seat-1", "planets")[0].form.lines for one in line.fields]
    assert [(one.key, one.most) for one in fields] == [("hex", 12), ("name", 30)] * 7
    assert on_sheet(run.asked("seat-1", "planets")[0])[:9] == kept()


@pytest.mark.rule("cutler", "1.1.2", "1.1.2.2")
def test_the_map_is_told_and_how_empires_are_offered(kept: Kept) -> None:
    run = drafted("empires")
    assert said(run.table) == kept()
    assert [roll.label for roll in run.table.shared.rolls] == kept("#1")
    offered = [("Empire 1", "45 hexes about 1003"), ("Empire 2", "45 hexes about 0410")]
    for side, kind, label, choices in (
        ("seat-1", "empire", "Empire", offered),
        ("seat-2", "intercede", "Intercede", [("Wait", ""), *offered]),
    ):
        (line,) = run.asked(side, kind)[0].form.lines
        (field,) = line.fields
        assert (line.label, field.label) == ("Your empire", label)
        assert [(one.label, one.hint) for one in field.choices] == choices
    ask = run.asked("seat-2", "intercede")[0]
    assert [ask.read_back(EmpireSheet.model_validate({"empire": {"empire": one}})) for one in ("no", "2")] == kept("#2")


@pytest.mark.rule("cutler", "1.1.1")
def test_how_wishes_read(kept: Kept) -> None:
    ask = drafted().asked("seat-1", "race")[0]
    sheets: list[dict[str, Any]] = [{}, {"race": {"first": "Gorn", "second": "Lyran"}}]
    assert [ask.read_back(ask.answer_from(one)) for one in sheets] == kept()


@pytest.mark.rule("cutler", "1.1.3")
def test_what_first_ships_are_asked_with_and_planets_told(kept: Kept) -> None:
    _, setup, turn = test_planets_and_space.settled()
    Run(turn, placement_steps(turn, setup))
    assert said(turn)[0] == kept("said(turn)(0)")
    run = Run(turn, forces_steps(turn, setup))
    assert on_sheet(run.asked("seat-1", "forces")[0])[:5] == kept()
    assert head(run.asked("seat-1", "forces")[0])[3:5] == kept("#1")


@pytest.mark.rule("cutler", "1.1.2.3")
def test_planets_in_one_hex_or_next_to_each_other_are_refused_in_words(kept: Kept) -> None:
    state, setup, turn = test_planets_and_space.settled()
    ask = Run(turn, placement_steps(turn, setup)).asked("seat-1")[0]
    usual = usual_places(state.grid, setup.empires[0])
    beside = min(one for one in state.grid.neighbours(usual["minor1"]) if one in setup.empires[0])
    assert refusal_words(ask, {"minor4": {"hex": usual["minor1"]}}) == kept("#1")
    assert refusal_words(ask, {"minor4": {"hex": beside}}) == kept()


@pytest.mark.rule("cutler", "1.1.2.4")
def test_what_the_sheet_of_moons_and_giants_says(kept: Kept) -> None:
    dice = {"gas giant": [1, 1], "moons": [6], "moons of the gas giant": [2, 2], "asteroid field": [6, 6]}
    _, run, capital, _ = found(dice)
    ask = run.asked("seat-1", "systems")[0]
    assert head(ask)[:4] == kept()
    _, run, capital, _ = found({"gas giant": [6, 6], "moons": [6], "asteroid field": [6, 6]})
    ask = run.asked("seat-1", "systems")[0]
    assert refusal_words(ask, {capital.key: {"giant": 2}}) == kept("#1")
    _, run, capital, turn = found({"gas giant": [6, 6], "moons": [1], "asteroid field": [1, 1]})
    assert said(turn)[-14] == "Seat 1 Prime in 0104: 0 moons, an asteroid field."
    assert [roll.label for roll in turn.shared.rolls][:3] == kept("#2")


@pytest.mark.rule("cutler", "1.1.2.5.1")
def test_what_is_told_of_an_empires_space(kept: Kept) -> None:
    state, setup, turn = test_planets_and_space.settled()
    Run(turn, placement_steps(turn, setup))
    hexes = sorted({*setup.empires[0]} - {planet.hex for planet in state.planets.values()})
    totals = ([1, 1, 1], [1, 1, 1], [1, 1, 2], [1, 2, 2], [2, 2, 2], [5, 5, 6], [5, 6, 6], [6, 6, 6])
    dice = {f"open space {one}": list(fall) for one, fall in zip(hexes, totals, strict=False)}
    dice |= {f"star {hexes[0]}": [3], f"star {hexes[1]}": [4], "open space": [3] * 999}
    turn = table(state, dice)
    roll_open_space(turn, setup)
    assert said(turn) == kept()
    assert [roll.label for roll in turn.shared.rolls][:3] == kept("#1")


@pytest.mark.rule("cutler", "1.1.2", "1.1.2.1")
def test_what_a_supplied_map_has_wrong_is_said_in_whole_sentences(kept: Kept) -> None:
    grid = Grid(columns=26, rows=13)
    west, east, middle = (
        tuple(one for one in grid.hexes() if int(one[:2]) in columns)
        for columns in (range(1, 6), range(11, 16), range(6, 11))
    )
    lonely = (*west[:-1], "2613")
    assert defects(StarMap(grid=grid, empires=(lonely, east[:61]), core=("2601", "2602"))) == kept("#1")
    small = tuple(grid.within("0505", 2))
    assert defects(StarMap(grid=grid, empires=(small, east), core=middle)) == kept("#2")


@pytest.mark.rule("cutler", "1.1.1", "1.1.2")
@cases("old, new, words")
def test_defects_of_a_scenario_that_players_set_up_are_named(old: str, new: str, words: str) -> None:
    files = ring_files()
    assert old in files["scenario.toml"]
    files["scenario.toml"] = files["scenario.toml"].replace(old, new, 1)
    with pytest.raises(Refused) as refused:
        RULEBOOK.read_scenario(files)
    assert "; ".join(map(str, refused.value.refusals)) == words


def test_too_few_races_are_refused() -> None:
    files = ring_files()
    for name in ("Romulan", "Tholian", "Orion"):
        (line,) = (one for one in files["scenario.toml"].splitlines(keepends=True) if f'name = "{name}"' in one)
        files["scenario.toml"] = files["scenario.toml"].replace(line, "")
    with pytest.raises(Refused) as refused:
        RULEBOOK.read_scenario(files)
    assert (
        str(refused.value.refusals[0]) == "scenario.toml.setup.races: 6 races are too few (1.1.1). Legal: 7 and more."
    )


@pytest.mark.rule("cutler", "1.1.2.2")
def test_empires_that_nobody_has_yet_are_named_on_the_map() -> None:
    state, setup = opened(2)
    draw_map(table(state, DICE), setup)
    assert setup.labels() == {"1003": "Empire 1", "0410": "Empire 2"}
    setup.chosen = {"seat-1": 0}
    assert setup.labels() == {"0410": "Empire 2"}
