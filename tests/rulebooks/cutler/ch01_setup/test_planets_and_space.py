"""Planets placed in secret, what the dice find beside them, and the terrain of all other hexes."""

from typing import Any

import pytest

from rules_engine.core.basics.base import When
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch01_setup import systems
from rules_engine.rulebooks.cutler.ch01_setup.planets import LINES, has_room, placement_steps, usual_places
from rules_engine.rulebooks.cutler.ch01_setup.star_map import generated
from rules_engine.rulebooks.cutler.ch01_setup.steps import set_up_steps
from rules_engine.rulebooks.cutler.records.open_space import TERRAIN_WORDS
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.ch01_setup.ring import opened, said, table
from tests.rulebooks.cutler.worlds import Run, offered, refusal_words, refusals, sees


def settled(dice: Any = None) -> Any:
    """Two races that have their empires: the state, the set-up and a turn."""
    state, setup = opened(2)
    star_map = generated(2, 0)
    setup.empires, setup.order, setup.chosen = list(star_map.empires), ["seat-1", "seat-2"], {"seat-1": 0, "seat-2": 1}
    for side, place in setup.chosen.items():
        state.territory |= dict.fromkeys(setup.empires[place], side)
    return state, setup, table(state, dice)


@pytest.mark.rule("cutler", "1.1")
def test_all_of_the_set_up_is_told_before_anything_of_the_first_turn() -> None:
    state, setup = opened(2)
    turn = table(state)
    turn.shared.now = When(turn=0, step=0)
    Run(turn, set_up_steps(turn, setup))
    assert {one.when for one in turn.shared.reports} == {When(turn=1, step=0, label="Set-up")}


@pytest.mark.rule("cutler", "1.1.2.3")
def test_a_race_has_seven_planets(kept: Kept) -> None:
    assert sorted(LINES.values()) == ["capital", "major", "major", "minor", "minor", "minor", "minor"]
    _, setup, turn = settled()
    run = Run(turn, placement_steps(turn, setup))
    assert [line.label for line in run.asked("seat-1")[0].form.lines][:3] == kept()


@pytest.mark.rule("cutler", "1.1.2.3")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7])
def test_the_usual_places_are_legal_in_every_empire(players: int) -> None:
    made = generated(players, 3)
    for empire in made.empires:
        places = list(usual_places(made.grid, empire).values())
        assert set(places) <= set(empire)
        assert all(made.grid.distance(one, other) > 1 for one in places for other in places if one is not other)


@pytest.mark.rule("cutler", "1.1.2.3", "1.1.2.3.1")
def test_planets_are_placed_in_secret_and_shown_together() -> None:
    state, setup, turn = settled()
    seen: list[str] = []

    def mine(ask: Any) -> Any:
        seen.append(sees(turn, [ask], "seat-2"))
        return {"capital": {"name": " Aur\n "}}

    assert Run(turn, placement_steps(turn, setup), {("planets", "seat-1"): mine}).asked("seat-2")
    assert "Aur" not in seen[0], "nothing is shown while sheets are open"
    assert {one.name for one in state.planets_of("seat-1")} >= {"Aur", "Seat 1 II"}
    assert len(state.planets) == 14
    assert len(said(turn)) == 2
    assert all(planet.owner == planet.race for planet in state.planets.values())
    notes = {note.hex: note for note in RULEBOOK.public_board(state).hexes}
    capital = next(one for one in state.planets_of("seat-1") if one.kind == "capital")
    assert (notes[capital.hex].name, notes[capital.hex].marks) == ("Aur", ("planet", "capital"))
    garrisons = {planet.kind: planet.boarding_parties for planet in state.planets.values()}
    assert garrisons == {"capital": 200, "major": 80, "minor": 30}, "the scenario's"


@pytest.mark.rule("cutler", "1.1.2.3")
def test_no_two_planets_have_one_name() -> None:
    state, setup, turn = settled()
    named = {"capital": {"name": "Aur"}, "major1": {"name": "aur (Seat 2)"}}
    answers = {("planets", "seat-1"): named, ("planets", "seat-2"): {"capital": {"name": "AUR"}}}
    Run(turn, placement_steps(turn, setup), answers)
    assert state.planets["seat-2-capital"].name == "AUR (Seat 2) (Seat 2)"
    assert len({planet.name.casefold() for planet in state.planets.values()}) == 14


@pytest.mark.rule("cutler", "1.1.2.3")
def test_places_that_the_rules_forbid_are_refused(kept: Kept) -> None:
    state, setup, turn = settled()
    empire, other = setup.empires
    ask = Run(turn, placement_steps(turn, setup)).asked("seat-1")[0]
    usual = usual_places(state.grid, empire)
    beside = min(one for one in state.grid.neighbours(usual["minor1"]) if one in empire)
    sheets = [
        {"capital": {"hex": other[0]}}, {"capital": {"hex": "9999"}}, {"minor4": {"hex": usual["minor1"]}},
        {"minor4": {"hex": beside}}, {"minor5": {"hex": beside}}, {"major1": {"name": "0604"}}, {},
        {"major1": {"name": "Aur"}, "minor1": {"name": "AUR"}},
    ]  # fmt: skip
    assert [refusal_words(ask, sheet) for sheet in sheets] == kept()


# --- systems ---------------------------------------------------------------------------------------------------------
def found(dice: Any, answer: Any = None) -> Any:
    """The system of the first race's capital with these dice; all others roll ones."""
    state, setup, turn = settled()
    Run(turn, placement_steps(turn, setup))
    capital = next(one for one in state.planets_of("seat-1") if one.kind == "capital")
    dice = {f"{capital.hex}/{what}": list(values) for what, values in dice.items()}
    turn = table(state, dice)
    answers = {("systems", "seat-1"): {capital.key: answer}} if answer else {}
    run = Run(turn, systems.systems_steps(turn, setup), answers)
    return state.systems[capital.hex], run, capital, turn


@cases("dice, giant, rings, asteroids")
def test_nine_or_less_is_a_gas_giant_or_rings_five_or_less_an_asteroid_field(dice, giant, rings, asteroids):
    system, *_ = found({"moons": [1], "moons of the gas giant": [1, 1], **dice})
    assert system == StarSystem(gas_giant=2 if giant else 0, rings=rings, asteroid_field=asteroids)


@cases("one, moons, two, giants")
def test_d3_less_one_moons_and_2d6_less_two_of_a_giant(one: int, moons: int, two: list[int], giants: int) -> None:
    system, *_ = found({"gas giant": [1, 1], "moons": [one], "moons of the gas giant": two})
    assert (len(system.moons), len(system.giant_moons)) == (moons, giants)


@pytest.mark.rule("cutler", "1.1.2.4", "1.1.2.5")
def test_all_is_rolled_with_dice_of_six_faces() -> None:
    """Of a planet's hex: two for its giant, one for moons, two each for the giant's moons and rings, two for
    asteroids; three for open space, and one more for the hole."""
    _, _, capital, turn = found({"gas giant": [1, 1], "moons": [6]})
    rolls = [(one.purpose, len(one.dice), one.faces) for one in turn.shared.rolls if capital.hex in one.label]
    assert [(count, faces) for _, count, faces in rolls] == [(2, 6), (1, 6), (2, 6), (2, 6), (2, 6)]
    assert {one.faces for one in turn.shared.rolls} == {6}
    state, setup, turn = settled({"open space": [1, 1, 1]})
    systems.roll_open_space(turn, setup)
    assert [str(one) for one in turn.shared.rolls[:3]] == ["3D6: 1 + 1 + 1 = 3", "1D6: 1", "3D6: 1 + 1 + 1 = 3"]
    assert set(state.terrain.values()) == {"black_hole"}


@cases("dice, text, asked")
def test_what_the_dice_say_is_told_in_words(dice: Any, text: str, asked: bool) -> None:
    _, run, capital, turn = found({"asteroid field": [6, 6], **dice})
    assert f"{capital.name} in {capital.hex}: {text}." in said(turn)
    assert (capital.key in [line.key for ask in run.asked("seat-1", "systems") for line in ask.form.lines]) == asked


@pytest.mark.rule("cutler", "1.1.2.3")
def test_planets_have_no_garrison_where_the_scenario_says_none() -> None:
    state, setup, turn = settled()
    setup.rules = setup.rules.with_values(garrisons={"major": 80})
    Run(turn, placement_steps(turn, setup))
    garrisons = {planet.kind: planet.boarding_parties for planet in state.planets.values()}
    assert garrisons == {"capital": 0, "major": 80, "minor": 0}


@cases("answer, expected")
def test_distances_and_sizes_are_the_owners_within_bounds(answer: Any, expected: Any) -> None:
    """Two moons of the planet, two of its gas giant."""
    _, run, capital, _ = found({"gas giant": [1, 1], "moons": [6], "moons of the gas giant": [2, 2]})
    ask = run.asked("seat-1", "systems")[0]
    assert refusals(ask, {capital.key: answer}) == [(f"{capital.key}.{path}", rule) for path, rule in expected]


MOONS = "2 of 4 to 30, no two equal or next to each other"
GIANTS = "2 of 8 to 40, no two equal or next to each other"


@cases("answer, words")
def test_what_is_said_of_distances_and_sizes_that_are_refused(answer: Any, words: str) -> None:
    _, run, capital, _ = found({"gas giant": [1, 1], "moons": [6], "moons of the gas giant": [2, 2]})
    assert refusal_words(run.asked("seat-1", "systems")[0], {capital.key: answer}) == [f"{capital.key}.{words}"]


@pytest.mark.rule("cutler", "1.1.2.4", "1.1.2.4.1", "1.1.2.4.2", "1.1.2.4.3")
def test_a_sheet_of_moons_and_gas_giants_says_within_which_bounds_they_are(kept: Kept) -> None:
    dice = {"gas giant": [1, 1], "moons": [6], "moons of the gas giant": [2, 2], "asteroid field": [6, 6]}
    _, run, capital, _ = found(dice)
    ask = run.asked("seat-1", "systems")[0]
    line = ask.form.line(capital.key)
    assert (line.label, line.note) == ("Seat 1 Prime", "2 moons, a gas giant with rings of 2 moons")
    assert [one.most for one in line.fields] == [60, 5, 120]
    assert offered(line) == kept("offered(line)")
    sheet = ask.answer_from({capital.key: {"moons": "4 30", "giant": 3}})
    assert ask.read_back(sheet)[0] == kept("ask.read_back(sheet)(0)")


@pytest.mark.rule("cutler", "1.1.2.4")
def test_the_choice_stands_and_everybody_sees_what_is_there() -> None:
    dice = {"gas giant": [1, 1], "moons": [6], "moons of the gas giant": [2, 2], "asteroid field": [6, 6]}
    system, run, capital, turn = found(dice, {"moons": "30 4", "giant": 3, "giant_moons": "9 12"})
    assert system == StarSystem(moons=(4, 30), gas_giant=3, giant_moons=(9, 12), rings=True)
    assert f"{capital.name} in {capital.hex}: 2 moons, a gas giant with rings of 2 moons." in said(turn)
    notes = {note.hex: note.marks for note in RULEBOOK.public_board(turn.state).hexes}
    assert notes[capital.hex] == ("planet", "capital", "gas giant with rings", "4 moons")
    assert run.asked("seat-2", "systems")


# --- open space ------------------------------------------------------------------------------------------------------
@cases("dice, star, terrain", "")
def test_three_dice_say_what_is_in_a_hex_without_a_planet(dice: list[int], star: int, terrain: Any) -> None:
    state, setup, turn = settled()
    Run(turn, placement_steps(turn, setup))
    planets = {planet.hex for planet in state.planets.values()}
    empty = [one for empire in setup.empires for one in empire if one not in planets]
    falls = {f"open space {one}": [3, 3, 4] for one in empty[1:]}
    turn = table(state, {f"open space {empty[0]}": list(dice), f"star {empty[0]}": [star], **falls})
    systems.roll_open_space(turn, setup)
    assert state.terrain == ({empty[0]: terrain} if terrain else {})
    assert len(turn.shared.rolls) == len(empty) + (sum(dice) == 3), "planets' hexes and the core are not rolled for"
    assert all(roll.seen_by is None for roll in turn.shared.rolls), "these rolls are not secret"
    told = said(turn)[0]
    assert (f"{TERRAIN_WORDS[terrain]} in {empty[0]}" in told) if terrain else "nothing but open space" in told


# --- where planets lie, and what is said of what was found -----------------------------------------------------------
@pytest.mark.rule("cutler", "1.1.2.3")
def test_the_capital_lies_as_deep_as_may_be_and_the_others_close_to_what_is_there() -> None:
    grid = Grid(columns=11, rows=11)
    empire = tuple(sorted(grid.within("0606", 3)))
    places = list(usual_places(grid, empire).values())
    assert places[0] == "0606", "the middle"
    for number in range(1, 7):
        assert min(grid.distance(places[number], one) for one in places[:number]) == 2
    assert has_room(grid, empire)
    assert not has_room(grid, tuple(grid.within("0606", 1)))


@pytest.mark.rule("cutler", "1.1.2.3")
def test_a_planet_lies_where_its_owner_says_or_else_in_its_usual_place() -> None:
    state, setup, turn = settled()
    usual = usual_places(state.grid, setup.empires[0])
    free = next(
        one for one in setup.empires[0]
        if all(state.grid.distance(one, other) > 1 for line, other in usual.items() if line != "minor4")
        and one != usual["minor4"]
    )  # fmt: skip
    answer = {"minor4": {"hex": free, "name": "Far"}}
    run = Run(turn, placement_steps(turn, setup), {("planets", "seat-1"): answer})
    assert {line: state.planets[f"seat-1-{line}"].hex for line in LINES} == {**usual, "minor4": free}
    ask = run.asked("seat-1")[0]
    assert ask.read_back(ask.answer_from(answer))[-1] == f"Far (minor) in {free}."
    assert [line.label for line in ask.form.lines][3:] == [f"Minor planet {n}" for n in (1, 2, 3, 4)]
    # Two hexes off is far enough, and one is not.
    assert min({state.grid.distance(free, other): line for line, other in usual.items() if line != "minor4"}) == 2


ONE = "1 of 4 to 30, no two equal or next to each other"
NOTHING = systems.Found(0, gas_giant=False, giant_moons=0, rings=False, asteroid_field=False)
ALL = systems.Found(1, gas_giant=True, giant_moons=2, rings=True, asteroid_field=True)


@cases("there, choice, words", "")
def test_what_the_dice_found_is_said(there: systems.Found, choice: bool, words: str) -> None:
    there = evaluated(there, NOTATION)
    assert (there.leaves_choice, systems.say_found(there)) == (choice, words)


NOTATION = {"ALL": ALL, "NOTHING": NOTHING, "StarSystem": StarSystem}


@cases("system, words")
def test_what_is_in_a_hex_is_said(system: StarSystem, words: str) -> None:
    assert systems.say_system(evaluated(system, NOTATION)) == words


@cases("key, line, refused")
def test_choices_are_refused_where_there_is_nothing_to_choose(key: str, line: Any, refused: list[str]) -> None:
    there = {"all": ALL, "moons": NOTHING._replace(moons=2), "nothing": NOTHING}
    assert [
        str(one) for one in systems.judge_systems((2, 5), there, systems.SystemSheet({key: systems.SystemLine(**line)}))
    ] == refused


@pytest.mark.rule("cutler", "1.1.2.4")
def test_a_system_is_as_its_owner_chose_and_as_usual_where_he_did_not() -> None:
    assert systems.system_of((2, 5), ALL, systems.SystemLine()) == StarSystem(
        moons=(4,), gas_giant=2, giant_moons=(8, 10), rings=True, asteroid_field=True
    )
    assert systems.system_of((2, 5), ALL, systems.SystemLine(giant=4, moons="9")).gas_giant == 4
    assert systems.system_of((2, 5), NOTHING._replace(moons=2), systems.SystemLine(giant=4)) == StarSystem(moons=(4, 6))
    assert systems.system_of((2, 5), NOTHING._replace(moons=2), systems.SystemLine(moons="9,5")).moons == (5, 9)


@pytest.mark.rule("cutler", "1.1.2.4")
@pytest.mark.parametrize("choosing", [(), ("seat-1",), ("seat-2",), ("seat-1", "seat-2")])
def test_only_who_has_something_to_choose_is_asked_and_of_his_own_planets_alone(choosing: tuple[str, ...]) -> None:
    state, setup, turn = settled()
    Run(turn, placement_steps(turn, setup))
    dice = {f"{state.planets[f'{side}-capital'].hex}/gas giant": [1, 1] for side in choosing}
    turn = table(state, dice | {"/gas giant": [6, 6] * 14, "/moons": [1] * 14, "/asteroid field": [6, 6] * 14})
    run = Run(turn, systems.systems_steps(turn, setup))
    asked = {ask.parties[0]: [line.key for line in ask.form.lines] for ask in run.asks}
    assert asked == {side: [f"{side}-capital"] for side in choosing}
    for ask in run.asks:
        assert [one.partition(":")[0] for one in ask.read_back(ask.default)] == [
            state.planets[f"{ask.parties[0]}-capital"].name
        ]
    giants = {planet.key for planet in state.planets.values() if state.systems[planet.hex].gas_giant}
    assert giants == {f"{side}-capital" for side in choosing}


@pytest.mark.rule("cutler", "1.1.2.1", "1.1.2.3")
@pytest.mark.parametrize("players", range(2, 8))
def test_no_planet_is_placed_within_a_turns_move_of_another_races(players: int) -> None:
    # 1.1.2.1: an empire is 12 to 15 hexes across, and so are their capitals from each other; a turn's move is 6 hexes.
    for turned in (0, 1):
        made = generated(players, turned)
        places = [list(usual_places(made.grid, empire).values()) for empire in made.empires]
        others = [(mine, theirs) for number, mine in enumerate(places) for theirs in places[number + 1 :]]
        near = [made.grid.distance(one, other) for mine, theirs in others for one in mine for other in theirs]
        assert min(near) >= 6
        assert min(made.grid.distance(mine[0], theirs[0]) for mine, theirs in others) >= 11
