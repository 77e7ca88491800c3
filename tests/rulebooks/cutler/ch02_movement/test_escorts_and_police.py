"""Chapters 2.7.5 and 2.8: ships that escort a convoy, and police ships that are built anew and sail to their planet."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch02_movement.convoys import police
from rules_engine.rulebooks.cutler.ch02_movement.convoys.escorts import bind_escorts, end_escorts, follow_convoys
from rules_engine.rulebooks.cutler.ch02_movement.convoys.under_way import arrive, convoy_moves, set_out
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves, stacked
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.ch07_maintenance.deadlines import turns_between
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.shipping.convoys import PlottedConvoy
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import impulse_steps, turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, kind_of, offered, refusal_words, refusals, table_of, world

PORTS = "planet capital 0302 hydran home\nplanet minor 0307 hydran front\nplanet capital 1101 lyran\nlyran F1 1101 CC\n"
WAITING = "turn 0\n" + PORTS + "hydran waits 0302 FL\nhydran F1 0302 FF\n"
SAILING = "turn 1 impulse 1\n" + PORTS + "hydran V1 0302 FL course 0303 0304 0305 0306 0307\nhydran F1 0302 FF+DD\n"
FF = "hydran-F1-FF"


def impulses(state: CutlerState, numbers: range) -> list[str]:
    """Where the escort is after each of these impulses."""
    found: list[str] = []
    for number in numbers:
        Run(turn := table_of(state), impulse_steps(turn.at(f"I{number}"), number), {})
        assert defects(state) == []
        found.append(state.units[FF].hex)
    return found


@pytest.mark.rule("cutler", "2.7.5", "2.7.1")
def test_ships_that_escort_the_convoy_of_their_sheet_go_with_it_and_show_their_counter():
    state = world(WAITING)
    sheet = {"E0302": {"to": "0307", "ships": ["hydran-waits-FL"]}, "F1": {"escort": "sent"}}
    run = Run(table := table_of(state), turn_steps(table), {("turn", "hydran"): sheet})
    # A large freighter makes three hexes a turn, in impulses 2, 4 and 6; a frigate would have made six.
    assert {unit.hex for unit in state.alive("hydran")} == {"0305"}
    moves = [one.text for one in run.told("lyran", "movement") if "CU" in one.text]
    assert moves == [f"Impulse {n}, movement: Hydran CU {way}." for n, way in zip((2, 4, 6), STEPS, strict=True)]
    assert (state.fleet("hydran", "F1").escort, state.fleet("hydran", "F1").course) == ("V1", [])


STEPS = ("0302→0303", "0303→0304", "0304→0305")


@pytest.mark.rule("cutler", "2.7.5")
def test_an_escort_ends_with_its_convoy_and_the_fleet_holds():
    state = world(SAILING.replace("0303 0304 0305 0306 0307", "0303"))
    state.fleet("hydran", "F1").escort = "V1"
    run = Run(turn := table_of(state), impulse_steps(turn.at("I2"), 2), {})
    assert (state.units[FF].hex, state.fleet("hydran", "F1").escort) == ("0303", "")
    assert "F1 in 0303 escorts V1 no more: it is no more under way." in run.texts("hydran")
    assert "V1" not in run.texts("lyran")
    assert impulses(state, range(3, 5)) == ["0303", "0303"]


@pytest.mark.rule("cutler", "2.7.5")
def test_who_is_not_with_its_convoy_any_more_does_not_follow_it():
    state = world(SAILING)
    fleet = state.fleet("hydran", "F1")
    fleet.escort = "V1"
    for key in fleet.units:  # no engines: it stays behind
        state.units[key].warp_ok = state.units[key].impulse_ok = 0
    assert impulses(state, range(2, 5)) == ["0302"] * 3
    assert (fleet.escort, fleet.course, state.convoys["hydran/V1"].at) == ("", [], "0304")
    fleet.escort = "V1"
    follow_convoys(state, {"hydran-V1-FL": "0305"})
    assert fleet.course == []


@cases("line, expected")
def test_whom_a_fleet_may_escort(line, expected):
    assert refusal_words(plot_ask(world(SAILING), "hydran"), {"F1": line}) == expected


@pytest.mark.rule("cutler", "2.7.5", "6.4.1.3")
def test_a_plot_that_was_lodged_is_flown_before_any_escort():
    state = world(SAILING)
    state.empires["hydran"].lodged = {FF: "0402", "hydran-F1-DD": "0402"}
    assert ("F1.escort", "6.4.1.3") in refusals(plot_ask(state, "hydran"), {"F1": {"escort": "V1", "course": ""}})


@pytest.mark.rule("cutler", "2.7.5")
def test_an_escort_is_offered_where_there_is_a_convoy_and_stands_until_it_is_changed():
    state = world(SAILING + "hydran F2 0404 CA\n")

    def ways_of(state: CutlerState, key: str) -> Any:
        fields = turn_ask(state, "hydran").form.line(key).fields
        return next(([way.value for way in one.choices] for one in fields if one.key == "escort"), None)

    assert (ways_of(state, "F1"), ways_of(state, "F2")) == (["none", "V1"], None)
    assert ways_of(world(WAITING), "F1") == ["none", "sent"]
    ask = plot_ask(state, "hydran")
    assert "F1 (Hydran F1 Ff, Hydran F1 Dd): holds in 0302; escorts V1." in ask.read_back(
        ask.answer_from({"F1": {"escort": "V1"}})
    )
    state.fleet("hydran", "F1").escort = "V1"
    again = plot_ask(state, "hydran")
    assert again.form.prefilled()["F1"]["escort"] == "V1"
    assert "F1 (Hydran F1 Ff, Hydran F1 Dd): holds in 0302; escorts V1." in again.read_back(again.default)
    none = again.read_back(again.answer_from({"F1": {"escort": "none"}}))
    assert "F1 (Hydran F1 Ff, Hydran F1 Dd): holds in 0302." in none


# --- on both sides of each bound -------------------------------------------------------------------------------------
MANY = (
    "turn 1 impulse 1\n"
    + PORTS
    + "hydran V1 0302 FL course 0303\nhydran V2 0302 FL course 0402\nhydran V3 0302 QL course 0402\n"
    "hydran waits 0303 FL\nhydran police 0302\nlyran V1 0302 FL course 0303\nhydran F1 0302 FF\nhydran F2 0404 CA\n"
)
NONE = "F1.escort: no convoy of yours that is called so sails from 0302 (2.7.5, CU-N103). Legal: none, V1, V2."


def many(escort: str = "") -> CutlerState:
    """Two convoys, a Q-ship on its way back and a new police ship in 0302, with two ships, and a convoy in 0303."""
    state = world(MANY)
    state.convoys["hydran/V4"] = PlottedConvoy(
        key="V4", race="hydran", units=["hydran-waits-FL"], at="0303", embarked="0302", course=["0304"]
    )
    state.convoys["hydran/V6"] = PlottedConvoy(
        key="V6", race="hydran", kind="police", units=["hydran-police-0302"], at="0302", embarked="0302",
        course=["0303"],
    )  # fmt: skip
    state.fleets["hydran/F1"].escort = escort
    return state


@pytest.mark.rule("cutler", "2.7.5")
@pytest.mark.parametrize(("escort", "filled_in"), [("", "none"), ("V2", "V2"), ("V4", "none")])
def test_convoys_of_the_own_race_in_the_hex_are_offered_and_no_others(escort: str, filled_in: str) -> None:
    form = plot_ask(many(escort), "hydran").form
    (field,) = [one for one in form.line("F1").fields if one.key == "escort"]
    assert ([way.value for way in field.choices], field.value) == (["none", "V1", "V2"], filled_in)
    assert "escort" not in {one.key for one in form.line("F2").fields}
    helps = {one[0]: one[3] for one in offered(form.line("F1"))}
    blank = "Hex numbers in order, e.g. 0404 0505, or to 0505; loop to repeat; blank holds"
    assert helps["Course"] == ("Blank: it goes where its convoy goes" if escort else blank)


@cases("kept, line, words, escort", "words")
def test_whom_a_fleet_escorts_stands_while_they_are_together(kept, line, words, escort) -> None:
    state = many(kept)
    state.fleets["hydran/F1"].course = ["0402", "0502"]
    ask = plot_ask(state, "hydran")
    assert refusal_words(ask, {"F1": line}) == words
    if not words:
        said = ask.read_back(ask.answer_from({"F1": line}))[0]
        way = "holds in 0302" if escort else "0302 → 0402 → 0502"
        assert said == f"F1 (Hydran F1 Ff): {way}{f'; escorts {escort}' if escort else ''}."


@pytest.mark.rule("cutler", "2.7.5", "6.4.1.3")
@pytest.mark.parametrize("impulse", [0, 1, 2])
@pytest.mark.parametrize(("lodged", "bound"), [({}, False), ({FF: ""}, False), ({FF: "0402"}, True)])
def test_a_lodged_plot_keeps_a_fleet_from_escorting_until_impulse_1_is_over(impulse, lodged, bound) -> None:
    state = many()
    state.impulse, state.empires["hydran"].lodged = impulse, lodged
    words = "F1.escort: its plot for impulse 1 is lodged, and it goes there (6.4.1.3). Legal: none. Did you mean none?"
    found = refusal_words(plot_ask(state, "hydran"), {"F1": {"escort": "V1"}})
    assert [one for one in found if "escort" in one] == ([words] if bound and impulse < 2 else [])


@pytest.mark.rule("cutler", "2.7.5")
def test_the_convoy_that_is_sent_is_the_last_that_got_a_number(kept: Kept) -> None:
    state = world(MANY + "hydran waits 0302 FL\n")
    ask = plot_ask(state, "hydran")
    assert ask.read_back(ask.answer_from({"E0302": {"to": "0307"}, "F1": {"escort": "sent"}}))[0] == kept()
    state.fleets["hydran/F1"].escort, state.fleets["hydran/F2"].escort = "sent", "V1"
    bind_escorts(state, "hydran")
    assert [fleet.escort for fleet in state.fleets_of("hydran")] == ["V2", "V1"]


@cases("escort, sailing, course")
def test_who_escorts_goes_where_its_convoy_goes_when_it_goes(escort, sailing, course) -> None:
    state = many(escort)
    state.fleets["hydran/F1"].course = ["0101"]
    follow_convoys(state, sailing)
    assert state.fleets["hydran/F1"].course == course


@cases("escort, course, said, left")
def test_an_escort_ends_where_it_and_its_convoy_part(escort, course, said, left) -> None:
    state = many(escort)
    state.fleets["hydran/F1"].course = ["0303"]
    turn = table_of(state)
    end_escorts(turn)
    assert (state.fleets["hydran/F1"].course, state.fleets["hydran/F1"].escort) == (course, left)
    assert [one.text for one in turn.shared.reports if one.is_for("hydran")] == said
    assert not [one for one in turn.shared.reports if one.is_for("lyran")]


@pytest.mark.rule("cutler", "2.7.5", "2.2")
@pytest.mark.parametrize(("line", "said", "escort"), [({"escort": "V1"}, "; escorts V1", "V1"), ({}, "", "")])
def test_ships_that_are_split_off_escort_whom_their_own_line_names(line, said, escort) -> None:
    state = world(SAILING)
    state.fleets["hydran/F1"].escort = "V1"
    ask = plot_ask(state, "hydran")
    sheet = ask.answer_from({"new": {"ships": ["hydran-F1-DD"], **line}})
    assert ask.read_back(sheet)[:2] == [
        "F1 (Hydran F1 Ff): holds in 0302; escorts V1.",
        f"New fleet (Hydran F1 Dd): holds in 0302{said}.",
    ]
    carry_out_plot(state, "hydran", sheet)
    assert [fleet.escort for fleet in state.fleets_of("hydran")] == ["V1", escort]


# --- police ----------------------------------------------------------------------------------------------------------
TEXT = """
turn 0
planet capital 0302 hydran home
planet minor 0306 hydran front
planet minor 0602 hydran side
hydran base 0302 Yard
hydran police 0302
lyran F1 1101 CC
klingon F1 1109 CA
"""


def yard(text: str = TEXT) -> CutlerState:
    """The base has two bays of 60 repair boxes, and CPV for two police ships."""
    state = world(text)
    state.classes["police"] = kind_of("police")
    for unit in state.alive("hydran"):
        if unit.kind == "base":
            unit.record = kind_of("base", cargo=50, repair=120, docking_bays=[60, 60])
            unit.cargo_cpv = 50
    return state


def built(**lines: object) -> tuple[CutlerState, Run]:
    """A turn in which these bays work."""
    state = yard()
    turn = table_of(state)
    return state, Run(turn, turn_steps(turn), {("turn", "hydran"): lines})


@pytest.mark.rule("cutler", "2.8")
def test_a_new_police_ship_sails_home_in_a_straight_line_and_is_never_seen(kept: Kept) -> None:
    state, run = built(D1={"work": "build police for front"})
    (new,) = [unit for unit in state.alive("hydran") if unit.name == "Police 1"]
    # At a speed of 6 it is there after four impulses; it left no trace on the map, and it stays where it is.
    assert (new.hex, new.entered_from, new.entered_at and new.entered_at.impulse) == ("0306", "0305", 4)
    assert "Arrived in 0306: Police 1" in run.texts("hydran")
    assert "Police" not in run.texts("lyran")
    assert "→" not in run.texts("lyran")
    assert (state.convoys, state.fleets.keys() & {"hydran/F1"}, state.counters()) == kept()
    assert turns_between(new.record) is None  # it needs no maintenance


@pytest.mark.rule("cutler", "2.8")
def test_a_police_ship_is_built_for_a_planet_without_one(kept: Kept) -> None:
    state = yard()
    assert [planet.key for planet in police.unpoliced(state, "hydran")] == ["front", "side"]
    state.turn = 1
    ask = turn_ask(state, "hydran")
    offered = [choice.value for choice in ask.form.line("D1").fields[0].choices]
    # The nearest is meant if none is named: 0602 is three hexes from the yard, 0306 four.
    assert [one for one in offered if one.startswith("build")] == ["build police", "build police for front"]
    assert refusal_words(ask, {"D1": {"work": "build police for home"}}) == kept("#1")
    twice = {"D1": {"work": "build police for front"}, "D2": {"work": "build police for front"}}
    assert refusal_words(ask, twice) == kept("refusal_words(ask, twice)")
    assert refusals(ask, {"D1": {"work": "build police"}, "D2": {"work": "build police"}}) == []
    assert refusal_words(ask, {"D1": {"work": "build police"}, "D2": {"work": "build police for side"}}) == kept("#2")
    state, _ = built(D1={"work": "build police", "cpv": 10})
    assert [work.post for work in state.works.values()] == ["side"]
    assert [planet.key for planet in police.unpoliced(state, "hydran")] == ["front"]


@pytest.mark.rule("cutler", "2.8")
def test_where_each_planet_has_one_none_is_built(kept: Kept) -> None:
    state = yard(f"{TEXT}hydran police 0306\nhydran police 0602\n")
    state.turn = 1
    assert refusal_words(turn_ask(state, "hydran"), {"D1": {"work": "build police"}}) == kept()
    state.units["hydran-police-0306"].destroyed = True
    assert refusals(turn_ask(state, "hydran"), {"D1": {"work": "build police"}}) == []


@pytest.mark.rule("cutler", "2.5")
def test_police_ships_are_not_plotted_and_one_in_a_hex_does_not_count() -> None:
    state = yard(f"{TEXT}hydran F1 0302 FF\n")
    sheet = {"F1": {"ships": ["hydran-F1-FF", "hydran-police-0302"]}}
    assert [path for path, _ in refusals(plot_ask(state, "hydran"), sheet)] == ["F1.ships"]
    assert stacked(state.units_in("0302", "hydran")) == 1


@pytest.mark.rule("cutler", "2.8")
def test_a_police_ship_on_its_way_is_met_like_any_other_and_goes_on() -> None:
    state, _ = built(D1={"work": "build police for front"})
    (new,) = [unit for unit in state.alive("hydran") if unit.name == "Police 1"]
    new.hex, new.hexes_moved = "0304", 0
    police.send_to_post(state, new, "front")
    state.units["lyran-F1-CC"].hex = "0304"
    state.turn, state.impulse = 2, 1
    assert defects(state) == []
    turn = table_of(state)
    board = RULEBOOK.side_board(state, "hydran", turn.knowledge("hydran"))
    assert [one.hexes for one in board.courses if one.counter == f"own/{new.id}"] == [("0304", "0305", "0306")]
    run = Run(turn, combat_phase_steps(turn), {("card", "lyran"): {"force": {"card": "combat"}}})
    assert "1 Hydran unit (size 4: police)" in run.texts("lyran")
    assert "announces a convoy" not in run.texts("lyran")
    assert not [ask for ask in run.asked("hydran") if ask.kind == "wave"]  # it does not run
    (contact,) = turn.knowledge("lyran").contacts.values()
    assert contact.form == "convoy"
    assert [planet.key for planet in police.unpoliced(state, "hydran")] == ["side"]  # one is on its way to the other
    # A Movement Plot shows it as any ship of the hex: it goes on in impulse 1 (6.4.1.3).
    assert (police.next_step(state, new), police.next_step(state, state.units["hydran-police-0302"])) == ("0305", "")
    set_out(turn)
    execute_moves(turn, convoy_moves(state))
    arrive(turn)
    assert (new.hex, state.convoys["hydran/V2"].course) == ("0305", ["0306"])
    assert [police.police_speed(unit) for unit in [new, *yard().alive("hydran")] if unit.kind == "police"] == [6, 6]
    new.warp_ok = 8  # of 12: two sixths are lost
    assert police.police_speed(new) == 4
    new.warp_ok = 0
    assert police.police_speed(new) == 1


# --- on both sides of each bound -------------------------------------------------------------------------------------
@cases("warp, impulse, speed")
def test_damage_slows_a_police_ship_on_its_way_as_any_ship(warp: int, impulse: int, speed: int) -> None:
    (unit,) = world(f"hydran police 0302 Blue[warp={warp},imp={impulse}]").alive()
    assert police.police_speed(unit) == speed


PLANETS = (
    "planet minor 0302 hydran a\nplanet minor 0306 hydran b\nplanet minor 0304 hydran c\nplanet minor 0606 lyran d\n"
)


def trip(race: str, course: list[str], unit: str = "x", kind: str = "police") -> PlottedConvoy:
    return PlottedConvoy.from_json(
        {"key": "V1", "race": race, "kind": kind, "units": [unit], "at": "0101", "embarked": "0101", "course": course}
    )


@cases("race, course, kind, unit, left", "left")
def test_for_which_planets_police_may_be_built(race, course, kind, unit, left) -> None:
    """``left`` are the Hydran's planets without police while this voyage is under way."""
    state = world(PLANETS + "hydran police 0302\nlyran police 0306\nhydran F1 0304 FF")
    # A police ship of another race is no post's, nor is another ship of its own.
    keys = {side: [planet.key for planet in police.unpoliced(state, side)] for side in ("hydran", "lyran", "klingon")}
    assert keys == {"hydran": ["b", "c"], "lyran": ["d"], "klingon": []}
    state.convoys = {f"{race}/V1": trip(race, course.split(), unit, kind)}
    assert [planet.key for planet in police.unpoliced(state, "hydran")] == left


@pytest.mark.rule("cutler", "2.8")
def test_the_nearest_planet_is_named_first_and_of_two_as_near_the_one_in_the_lower_hex() -> None:
    state = world(PLANETS + "hydran police 0302\nlyran police 0306")
    nearest = [[one.key for one in police.nearest_posts(state, "hydran", at)] for at in ("0306", "0305")]
    assert nearest == [["b", "c"], ["c", "b"]]


@pytest.mark.rule("cutler", "2.8", "6.4.1.3")
@pytest.mark.parametrize(
    ("course", "kind", "goal"), [(["0303", "0304"], "police", "0303"), ([], "police", ""), (["0303"], "convoy", "")]
)
def test_where_a_police_ship_goes_next(course: list[str], kind: str, goal: str) -> None:
    state = world(PLANETS + "hydran police 0302\nlyran police 0306")
    one, other = state.units["hydran-police-0302"], state.units["lyran-police-0306"]
    state.convoys = {"hydran/V1": trip("hydran", course, one.id, kind)}
    assert (police.next_step(state, one), police.next_step(state, other)) == (goal, "")


@cases("post, courses")
def test_a_police_ship_is_sent_to_its_planet_unless_it_is_there(post: str, courses: list[list[str]]) -> None:
    state = world(PLANETS + "hydran police 0302")
    state.empires["hydran"].convoys_named = 4
    unit = state.units["hydran-police-0302"]
    police.send_to_post(state, unit, post)
    trips = list(state.convoys.items())
    assert [one.course for _, one in trips] == courses
    assert [(name, one.key, one.kind, one.units, one.at, one.embarked) for name, one in trips] == [
        ("hydran/V5", "V5", "police", [unit.id], "0302", "0302")
    ] * len(courses)
    assert state.empires["hydran"].convoys_named == 4 + len(courses)
