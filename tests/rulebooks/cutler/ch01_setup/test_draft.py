"""Races by dice and wishes, empires by order and intercession."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refusal, Refused
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch01_setup.draft import empires_steps, races_steps
from rules_engine.rulebooks.cutler.ch01_setup.scenario_files import leaves_setup_open
from rules_engine.rulebooks.cutler.ch01_setup.star_map import generated
from rules_engine.rulebooks.cutler.ch01_setup.steps import draw_map
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.ch01_setup.ring import opened, ring_files, said, table
from tests.rulebooks.cutler.scenario_files import intro_files
from tests.rulebooks.cutler.worlds import Run, on_sheet, refusal_words
from tests.rulebooks.scenario_defects import without_line

ORDER = {"player order, Seat 1": [2, 3], "player order, Seat 2": [6, 6], "player order, Seat 3": [4, 4]}


def drafted(players: int = 3, dice: Any = None, **wishes: Any) -> Any:
    state, setup = opened(players)
    turn = table(state, dice or ORDER)
    answers = {("race", side.replace("_", "-")): {"race": line} for side, line in wishes.items()}
    return state, setup, turn, Run(turn, races_steps(turn, setup), answers)


@pytest.mark.rule("cutler", "1.1.1", "1.1.1.1")
def test_the_highest_roll_chooses_first_and_each_race_is_played_once(kept: Kept) -> None:
    """12, 8 and 5: seat 2, then 3, then 1. All would be Gorn; seat 3 Lyran else, and seat 1 has no other wish."""
    state, setup, turn, _ = drafted(
        seat_1={"first": "Gorn"}, seat_2={"first": "Gorn"}, seat_3={"first": "Gorn", "second": "Lyran"}
    )
    assert setup.order == ["seat-2", "seat-3", "seat-1"]
    assert {label.key: label.name for label in state.sides} == {"seat-1": "Hydran", "seat-2": "Gorn", "seat-3": "Lyran"}
    assert [label.emblem for label in state.sides] == ["H", "G", "L"]
    assert said(turn) == kept()


@pytest.mark.rule("cutler", "1.1.1")
def test_equal_rolls_are_rolled_again() -> None:
    dice = {"player order, Seat 1": [3, 3, 1, 1], "player order, Seat 2": [2, 4, 6, 5], "player order, Seat 3": [1, 1]}
    _, setup, _, _ = drafted(dice=dice)
    assert setup.order == ["seat-2", "seat-1", "seat-3"]


@pytest.mark.rule("cutler", "1.1.1.2")
def test_a_race_that_is_not_recommended_is_warned_of_and_may_be_played() -> None:
    state, _, _, run = drafted(seat_2={"first": "Tholian"})
    assert state.name_of("seat-2") == "Tholian"
    (ask,) = run.asked("seat-1", "race")
    tholian = ask.answer_from({"race": {"first": "Tholian", "second": "Gorn"}})
    assert ask.warn(tholian) == ["The Tholian is not recommended as a player's race (1.1.1.2)."]
    hints = {choice.value: choice.hint for choice in ask.form.lines[0].fields[0].choices}
    assert (hints["Tholian"], hints["Gorn"]) == ("not recommended (1.1.1.2)", "")
    assert ask.warn(ask.answer_from({"race": {"first": "Gorn"}})) == []


@cases("given, expected")
def test_wishes_that_cannot_be_are_refused(given: Any, expected: Any) -> None:
    _, _, _, run = drafted()
    assert refusal_words(run.asked("seat-1")[0], given) == expected


@pytest.mark.rule("cutler", "1.1.1", "1.1.1.2")
def test_who_wishes_nothing_that_is_left_plays_the_first_recommended_race_that_is(kept: Kept) -> None:
    """The offers are Hydran, Federation, Klingon, Lyran …; Tholian and Orion are the last, and not recommended."""
    state, _, turn, run = drafted(seat_2={"first": "Hydran"}, seat_3={"third": "Hydran"}, seat_1={"second": "Orion"})
    assert {label.key: label.name for label in state.sides} == kept()
    (ask,) = run.asked("seat-1", "race")
    given = {"race": {"first": "Gorn", "third": "Orion"}}
    assert ask.read_back(ask.answer_from(given)) == ["You would like: Gorn, Orion."]
    assert ask.read_back(ask.answer_from({})) == ["You would like: whatever is left."]
    dice = [len(one.why.dice) for one in turn.shared.reports if one.why is not None and one.to == ("*",)]
    assert dice == [3, 0, 0], "the rolls are told with the first player"
    setup = state.setup
    assert setup is not None
    worst_first = tuple(sorted(setup.rules.races, key=lambda race: race.recommended))
    setup.rules = setup.rules.with_values(races=worst_first)
    Run(again := table(state, ORDER), races_steps(again, setup))
    assert [label.name for label in state.sides] == ["Klingon", "Hydran", "Federation"]


# --- empires ---------------------------------------------------------------------------------------------------------
def chosen(players: int, dice: Any, **answers: Any) -> Any:
    """Who has which empire, and what was asked."""
    state, setup, turn, _ = drafted(players, dice)
    turn.shared.reports.clear()
    draw_map(turn, setup)
    given: dict[Any, Any] = {}
    for name, picks in answers.items():
        kind, _, seat = name.partition("_")
        given[kind, f"seat-{seat}"] = [{"empire": {"empire": pick}} for pick in picks]
    return state, setup, turn, Run(turn, empires_steps(turn, setup), given)


FOUR = {
    "player order, Seat 1": [6, 6], "player order, Seat 2": [6, 5], "player order, Seat 3": [5, 5],
    "player order, Seat 4": [5, 4],
}  # fmt: skip


@pytest.mark.rule("cutler", "1.1.2.2")
def test_players_choose_in_order_and_the_last_is_left_with_the_rest(kept: Kept) -> None:
    state, setup, turn, run = chosen(4, FOUR, empire_1="3", empire_2="1", empire_3="4")
    assert setup.chosen == {"seat-1": 2, "seat-2": 0, "seat-3": 3, "seat-4": 1}
    assert said(turn)[1:] == kept()
    assert [ask.parties for ask in run.asks if ask.kind == "intercede"] == [("seat-4",)] * 3
    assert {state.territory[one] for one in setup.empires[2]} == {"seat-1"}
    assert not set(setup.empires[0]) & {one for one, side in state.territory.items() if side != "seat-2"}


@pytest.mark.rule("cutler", "1.1.2.2")
def test_the_last_player_may_intercede_then_the_one_before_and_nothing_is_undone(kept: Kept) -> None:
    """Before player 1's choice counts, player 4 takes what he would have; the right passes to player 3 at once, who
    waits, and takes another before player 2 can choose."""
    state, setup, turn, run = chosen(
        4, FOUR, empire_1=["2", "3"], intercede_4=["2"], intercede_3=["no", "1"], empire_2=["1", "4"]
    )
    assert setup.chosen == {"seat-4": 1, "seat-1": 2, "seat-3": 0, "seat-2": 3}
    assert said(turn)[1:] == kept()
    assert [ask.parties[0] for ask in run.asks if ask.kind == "intercede"] == ["seat-4", "seat-3", "seat-3"]
    first, second = [ask for ask in run.asks if ask.parties == ("seat-1",) and ask.kind == "empire"]
    assert first.default_says == "You take empire 1."
    assert state.setup is setup
    assert second.default_says == "You take empire 1."


@pytest.mark.rule("cutler", "1.1.2.2")
def test_what_is_left_is_offered_by_its_number_and_the_first_of_it_is_filled_in(kept: Kept) -> None:
    """Empires 1 and 3 are taken when the third of four players chooses."""
    found: dict[str, Any] = {}

    def begin(ask: Any) -> Any:
        found["first"] = [ask.read_back(ask.answer_from({"empire": {"empire": one}})) for one in ("1", "4")]
        return {"empire": {"empire": "3"}}

    def choose(ask: Any) -> Any:
        found["sheet"] = on_sheet(ask)
        found["hints"] = [(one.value, one.label, one.hint) for one in ask.form.lines[0].fields[0].choices]
        found["default"] = [*ask.read_back(ask.default), *ask.read_back(ask.answer_from(ask.form.prefilled()))]
        found["words"] = [refusal_words(ask, {"empire": {"empire": one}}) for one in ("1", "5", "0", "2", "4")]
        return {"empire": {"empire": "4"}}

    def wait(ask: Any) -> Any:
        found["late"] = [ask.read_back(ask.answer_from({"empire": {"empire": one}})) for one in ("no", "2", "4")]
        found["late words"] = refusal_words(ask, {"empire": {"empire": "3"}})
        found["late sheet"] = on_sheet(ask)
        return {}

    _, setup, turn, _ = drafted(4, FOUR)
    draw_map(turn, setup)
    given: Any = {("empire", "seat-1"): begin, ("empire", "seat-2"): {"empire": {"empire": "1"}}}
    given |= {("empire", "seat-3"): choose, ("intercede", "seat-4"): [{}, {}, wait]}
    Run(turn, empires_steps(turn, setup), given)
    assert setup.chosen == {"seat-1": 2, "seat-2": 0, "seat-3": 3, "seat-4": 1}
    assert [setup.middle_of(place) for place in (1, 3)] == [one[2].split()[-1] for one in found["hints"]]
    assert found == kept()


@pytest.mark.rule("cutler", "1.1.2.2")
def test_the_middle_of_an_empire_stands_for_it() -> None:
    """Of 54 hexes in the order of their numbers the twenty-eighth has one more before it than after it."""
    _, setup = opened(2)
    setup.empires = list(generated(2, 0).empires)
    assert [setup.empires[place].index(setup.middle_of(place)) for place in (0, 1)] == [27, 27]
    setup.chosen = {"seat-1": 0}
    assert setup.labels() == {setup.empires[1][27]: "Empire 2"}
    setup.chosen = {"seat-1": 1}
    assert setup.labels() == {setup.empires[0][27]: "Empire 1"}


@pytest.mark.rule("cutler", "1.1.2.2")
def test_each_pick_is_a_moment_of_its_own(kept: Kept) -> None:
    """The second player is asked once again after somebody interceded."""
    _, _, _, run = chosen(4, FOUR, empire_1=["2", "3"], intercede_4=["2"], intercede_3=["no", "1"], empire_2=["1", "4"])
    assert [(ask.id, ask.title) for ask in run.asks if ask.kind == "empire"] == kept()


@pytest.mark.rule("cutler", "1.1.1", "1.1.2")
def test_two_dice_each_say_who_chooses_first_and_one_how_the_borders_run(kept: Kept) -> None:
    state, setup, turn, _ = drafted(2, {"player order, Seat 1": [6, 6], "player order, Seat 2": [1, 2], "borders": [3]})
    assert [[str(die) for die in one.why.dice] for one in turn.shared.reports if one.why] == kept()
    draw_map(turn, setup)
    assert [str(one) for one in turn.shared.rolls] == ["2D6: 6 + 6 = 12", "2D6: 1 + 2 = 3", "1D6: 3"]
    assert (setup.empires, state.grid) == (list(generated(2, 2).empires), generated(2, 2).grid)


@cases("taken, kind, empire, words")
def test_which_empire_may_be_taken(taken: dict[str, int], kind: str, empire: dict[str, str], words: list[str]) -> None:
    """An answer is read back, or refused with what is left; who intercedes may wait."""
    _, setup, turn, _ = drafted(4, FOUR)
    draw_map(turn, setup)
    setup.chosen |= taken
    ask = next(one for one in next(empires_steps(turn, setup)).asks if one.kind == kind)
    assert (refusal_words(ask, empire) or ask.read_back(ask.answer_from(empire))) == words


@pytest.mark.rule("cutler", "1.1.2.2")
def test_every_empire_that_is_left_is_offered(kept: Kept) -> None:
    _, setup, turn, _ = drafted(4, FOUR)
    draw_map(turn, setup)
    setup.chosen["seat-2"] = 1
    asks = next(empires_steps(turn, setup)).asks
    assert [[choice.value for choice in ask.form.lines[0].fields[0].choices] for ask in asks] == kept()
    assert asks[0].read_back(asks[0].default) == ["You take empire 1."]
    assert (setup.free, setup.labels().keys()) == ([0, 2, 3], {setup.middle_of(place) for place in (0, 2, 3)})


HALVES = tuple([f"{c:02}{r:02}" for c in columns for r in range(1, 14)] for columns in (range(1, 6), range(11, 16)))


# Eight stripes of three columns; each has room for seven planets of which no two are neighbours.
EIGHTHS = tuple([f"{c:02}{r:02}" for c in (one, one + 1, one + 2) for r in range(1, 14)] for one in range(1, 25, 3))


@cases("empires, races, said", "", made="empires")
def test_there_is_a_race_for_everybody_who_may_play(empires: Any, races: int, said: str | None) -> None:
    files = ring_files()
    text = files["scenario.toml"]
    for line in [line for line in text.splitlines() if line.startswith("    { name =")][races:]:
        text = text.replace(line + "\n", "")
    own = f"[map]\ncolumns = 26\nrows = 13\n[setup]\nempires = {[list(one) for one in empires]}\n"
    files["scenario.toml"] = text.replace("[setup]\n", own) if empires else text
    assert [without_line(str(one)) for one in found_in(files)] == ([said] if said else [])


@cases("empires, problems")
def test_a_supplied_map_that_nobody_can_play_on_is_refused(empires, problems):
    files = ring_files()
    own = f"[map]\ncolumns = 26\nrows = 13\n[setup]\nempires = {[list(one) for one in evaluated(empires, NOTATION)]}\n"
    files["scenario.toml"] = files["scenario.toml"].replace("[setup]\n", own)
    assert [(one.problem, one.rule) for one in found_in(files)] == problems


MAPS = "scenario.toml.setup."
NEEDS_BOTH = ["scenario.toml.map: a map of one's own needs both [map] and setup.empires"]
CORNERS = [
    [f"{c:02}{r:02}" for c in range(c0, c0 + 7) for r in range(r0, r0 + 6)] for r0 in (1, 8) for c0 in (1, 8, 15, 22)
]


def own(empires: int, races: int, more: str = "", given: bool = True) -> dict[str, str]:
    """The scenario with a map of its own, of so many empires that have room, and so many races."""
    files = ring_files()
    told = files["scenario.toml"].split("races = [")[1].split("\n]")[0]
    names = "\n".join(f'    {{ name = "N{n}", emblem = "{n}" }},' for n in range(races))
    text = files["scenario.toml"].replace(told, f"\n{names}", 1)
    header = f"[map]\ncolumns = 28\nrows = 13\n{more}[setup]\n" if given else "[setup]\n"
    text = text.replace("[setup]\n", f"{header}empires = {CORNERS[:empires]}\n", 1)
    return files | {"scenario.toml": text}


NOTATION = {
    "EIGHTHS": EIGHTHS, "HALVES": HALVES, "MAPS": MAPS, "own": own, "ring_files": ring_files,
    "NEEDS_BOTH": NEEDS_BOTH,
}  # fmt: skip


@cases("files, problems", "")
def test_a_map_of_ones_own_has_an_empire_for_each_player(files: Any, problems: list[str]) -> None:
    problems = evaluated(problems, NOTATION)
    assert [without_line(str(one)) for one in found_in(evaluated(files, NOTATION)())] == problems


@pytest.mark.rule("cutler", "1.1.1")
def test_as_many_play_as_there_are_empires_or_two_to_seven() -> None:
    found = [RULEBOOK.seats(RULEBOOK.read_scenario(files)) for files in (ring_files(), own(3, 7), intro_files())]
    assert [one and (one.least, one.most) for one in found] == [(2, 7), (3, 3), None]
    assert (leaves_setup_open({}), leaves_setup_open({"scenario.toml": "[setup"})) == (False, False)
    assert leaves_setup_open({"scenario.toml": "[setup]"}) is True
    state = RULEBOOK.set_up(RULEBOOK.with_seats(RULEBOOK.read_scenario(own(2, 2, '[map.terrain]\n0101 = "dust"\n')), 2))
    assert (state.terrain, state.grid.columns, state.invented) == ({"0101": "dust"}, 28, True)


def test_players_who_choose_their_ships_have_no_file_of_units() -> None:
    (refusal,) = found_in(ring_files() | {"units.toml": ""})
    assert (refusal.path, refusal.problem) == ("units.toml", "players choose the ships, so there is no such file")


def found_in(files: dict[str, str]) -> tuple[Refusal, ...]:
    """What is refused of a scenario's files."""
    try:
        RULEBOOK.read_scenario(files)
    except Refused as refused:
        return tuple(refused.refusals)
    return ()


@pytest.mark.rule("cutler", "1.1.2", "1.1.2.1")
def test_a_supplied_map_is_used_and_what_is_wrong_with_it_told_to_the_referee_alone() -> None:
    files = ring_files()
    stripes = [[f"{c:02}{r:02}" for c in columns for r in range(1, 14)] for columns in (range(1, 6), range(11, 16))]
    own = f"[map]\ncolumns = 26\nrows = 13\n[setup]\nempires = {stripes}\n"
    files["scenario.toml"] = files["scenario.toml"].replace("[setup]\n", own)
    state, setup = opened(2, files)
    turn = table(state)
    draw_map(turn, setup)
    assert len(setup.empires[0]) == 65
    assert len(state.unsurveyed) == 26 * 13 - 130
    assert said(turn) == []
    told = said(turn, "@referee")
    assert "The map is not as the rules have it: empire 1 borders on 0 others: it should on 1." in told
