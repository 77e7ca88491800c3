"""Chapter 1.1: the words of the sheets of the set-up."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.protocol.seats import seated
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch01_setup.draft import EmpireSheet, empires_steps, races_steps
from rules_engine.rulebooks.cutler.ch01_setup.forces import forces_steps
from rules_engine.rulebooks.cutler.ch01_setup.planets import has_room, placement_steps
from rules_engine.rulebooks.cutler.ch01_setup.star_map import RADII, StarMap, defects, generated
from rules_engine.rulebooks.cutler.ch01_setup.steps import draw_map
from rules_engine.rulebooks.cutler.ch01_setup.systems import roll_open_space
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.ch01_setup import test_planets_and_space
from tests.rulebooks.cutler.ch01_setup.ring import opened, ring_files, said, table
from tests.rulebooks.cutler.ch01_setup.test_planets_and_space import found
from tests.rulebooks.cutler.shown import head, heads
from tests.rulebooks.cutler.worlds import Run, on_sheet, refusal_words
from tests.rulebooks.players import Match
from tests.rulebooks.scenario_defects import without_line


# --- star map --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "1.1.2", "1.1.2.1")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize("turned", range(6))
def test_every_generated_map_is_as_the_rules_have_it(players: int, turned: int) -> None:
    made = generated(players, turned)
    assert (defects(made), len(made.empires)) == ([], players)
    hexes = [one for part in (*made.empires, made.core) for one in part]
    assert sorted(hexes) == list(made.grid.hexes()), "every hex is one empire's or the core's"
    assert all(has_room(made.grid, empire) for empire in made.empires)


@pytest.mark.rule("cutler", "1.1.2")
def test_the_sizes_of_the_smallest_and_the_largest_map() -> None:
    """3 r (r + 1) + 1 hexes within r of the centre. Two players, radius 7: 169, of which 61 are the core; 54 each."""
    made = generated(2, 0)
    assert ([len(empire) for empire in made.empires], len(made.core)) == ([54, 54], 61)
    seven = generated(7, 0)
    assert (sorted(map(len, seven.empires)), len(seven.core)) == ([90] * 7, 91)
    assert set(RADII) == {2, 3, 4, 5, 6, 7}
    with pytest.raises(ValueError, match="8 players"):
        generated(8, 0)


@pytest.mark.rule("cutler", "1.1.2")
def test_the_borders_turn_and_the_sheet_does_not() -> None:
    one, other = generated(5, 0), generated(5, 1)
    assert (one.grid, one.core) == (other.grid, other.core)
    assert set(one.empires) != set(other.empires)


@pytest.mark.rule("cutler", "1.1.2")
@pytest.mark.parametrize(("players", "sixths"), [(2, 3), (3, 2), (6, 1)])
def test_borders_turned_by_a_whole_empire_are_the_same_borders(players: int, sixths: int) -> None:
    """Of two empires each is three sixths of the ring, of three two, of six one; turned by less they are others."""
    empires = [generated(players, turned).empires for turned in range(7)]
    assert [set(one) == set(empires[0]) for one in empires] == [not turned % sixths for turned in range(7)]
    assert [empires[turned][0] == empires[0][1] for turned in range(1, 7)] == [
        turned % 6 == sixths for turned in range(1, 7)
    ]


@pytest.mark.rule("cutler", "1.1.2")
def test_a_generated_map_is_as_wide_as_it_must_be() -> None:
    """Seven hexes, the centre and seven more: fifteen columns, and a row more, since every other column lies lower. The
    corners of the hexagon are no part of it."""
    grid = generated(2, 0).grid
    assert (grid.columns, grid.rows, len(grid.holes)) == (15, 16, 15 * 16 - 169)
    assert [one in grid for one in ("0105", "0112", "0801", "0815", "1505", "0104", "0113", "0816")] == (
        [True] * 5 + [False] * 3
    )


GRID = Grid(columns=26, rows=13)
COLUMNS = (range(1, 6), range(11, 16), range(6, 11))
STRIPES = tuple(tuple(one for one in GRID.hexes() if int(one[:2]) in columns) for columns in COLUMNS)


def stripes(*empires: tuple[str, ...], core: tuple[str, ...]) -> list[str]:
    return defects(StarMap(grid=GRID, empires=empires, core=core))


@pytest.mark.rule("cutler", "1.1.2", "1.1.2.1")
def test_what_a_supplied_map_has_wrong_is_said(kept: Kept) -> None:
    """Of two stripes of five columns with thirteen hexes each, and a third as their core."""
    west, east, middle = STRIPES
    assert {
        "as they are": stripes(west, east, core=middle),
        "61 of 65, six per cent less": stripes(west, east[:61], core=middle),
        "62 of 65, five per cent less": stripes(west, east[:62], core=middle),
        "a core of 48, more than a quarter less": stripes(west, east, core=middle[:48]),
        "a core of 49, within a quarter": stripes(west, east, core=middle[:49]),
        "a hex apart": stripes((*west[:-1], "2613"), east, core=middle),
        "a core apart": stripes(west, east, core=("2601", "2602")),
        "five hexes across": stripes(tuple(GRID.within("0505", 2)), east, core=middle),
        "a hex apart, 61 of 65 and a core apart": stripes((*west[:-1], "2613"), east[:61], core=("2601", "2602")),
        "57 of sixty, five per cent less": stripes(west[:60], east[:57], core=middle),
        "56 of sixty": stripes(west[:60], east[:56], core=middle),
    } == kept()


def column(number: int, rows: int, first: int = 1) -> tuple[str, ...]:
    """A straight row of hexes from north to south."""
    return tuple(f"{number:02}{row:02}" for row in range(first, first + rows))


@pytest.mark.rule("cutler", "1.1.2", "1.1.2.1")
def test_each_fault_of_a_map_is_told_alone(kept: Kept) -> None:
    """Three empires side by side have the middle one with two neighbours, and the others with one each."""
    three, four = column(3, 12), column(4, 12)

    def of(*empires: tuple[str, ...], core: tuple[str, ...]) -> list[str]:
        return defects(StarMap(grid=Grid(columns=26, rows=16), empires=empires, core=core))

    assert {
        "12 rows": of(column(2, 12), three, core=four),
        "15 rows": of(column(2, 15), column(3, 15), core=column(4, 15)),
        "11 rows": of(column(3, 11), column(4, 11), core=(*column(2, 11), *column(5, 1)))[:2],
        "16 rows": of(column(3, 16), column(4, 16), core=(*column(2, 16), *column(5, 1)))[:2],
        "side by side": of(column(2, 12), three, four, core=column(5, 12)),
        "a core in two pieces": of(three, four, core=(*column(5, 12), *column(2, 3))),
        "and too large": of(three, four, core=(*column(5, 12), *column(2, 4)))[:1],
        # It counts, too, for how far the empire is across.
        "a hex apart": of((*column(3, 10), "0313"), four, core=column(5, 12)),
    } == kept()


# --- whole set up ----------------------------------------------------------------------------------------------------
def ring(players: int, seed: int, *, turns: int = 1, kind: type[Match] = Match) -> Match:
    """A short campaign of the ring, and who plays it."""
    files = ring_files()
    files["scenario.toml"] = files["scenario.toml"].replace("turn = 12", f"turn = {turns}")
    return kind(RULEBOOK, seated(RULEBOOK, RULEBOOK.read_scenario(files), players), seed)


# --- sheets ----------------------------------------------------------------------------------------------------------
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
def test_which_race_one_would_play_is_asked_and_how_wishes_read(kept: Kept) -> None:
    ask = drafted().asked("seat-1", "race")[0]
    assert on_sheet(ask) == kept()
    sheets: list[dict[str, Any]] = [{}, {"race": {"first": "Gorn", "second": "Lyran"}}]
    assert [ask.read_back(ask.answer_from(one)) for one in sheets] == kept("read")


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
    lines = [run.asked(*asked)[0].form.lines[0] for asked in (("seat-1", "empire"), ("seat-2", "intercede"))]
    fields = {(line.label, field.label): field.choices for line in lines for field in line.fields}
    assert {labels: [(way.label, way.hint) for way in ways] for labels, ways in fields.items()} == kept("offered")
    ask = run.asked("seat-2", "intercede")[0]
    assert [ask.read_back(EmpireSheet.model_validate({"empire": {"empire": one}})) for one in ("no", "2")] == kept("#2")


@pytest.mark.rule("cutler", "1.1.3")
def test_what_first_ships_are_asked_with_and_planets_told(kept: Kept) -> None:
    _, setup, turn = test_planets_and_space.settled()
    Run(turn, placement_steps(turn, setup))
    assert said(turn)[0] == kept("said(turn)(0)")
    run = Run(turn, forces_steps(turn, setup))
    assert on_sheet(run.asked("seat-1", "forces")[0])[:5] == kept()
    assert head(run.asked("seat-1", "forces")[0])[3:5] == kept("#1")


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
    assert said(turn)[-14] == "Seat 1 Prime in 0403: 0 moons, an asteroid field."
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
        without_line(str(refused.value.refusals[0]))
        == "scenario.toml.setup.races: 6 races are too few (1.1.1). Legal: 7 and more."
    )


@pytest.mark.rule("cutler", "1.1.2.2")
def test_empires_that_nobody_has_yet_are_named_on_the_map() -> None:
    state, setup = opened(2)
    draw_map(table(state, DICE), setup)
    assert setup.labels() == {"1203": "Empire 1", "0512": "Empire 2"}
    setup.chosen = {"seat-1": 0}
    assert setup.labels() == {"0512": "Empire 2"}
