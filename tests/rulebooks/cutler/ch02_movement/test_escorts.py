"""Chapter 2.7.5: ships that are plotted with the convoy that they escort."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch02_movement.convoys.escorts import bind_escorts, end_escorts, follow_convoys
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.shipping.convoys import PlottedConvoy
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import impulse_steps, turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, offered, refusal_words, refusals, table_of, world

PORTS = "planet capital 0302 hydran home\nplanet minor 0307 hydran front\nplanet capital 1101 lyran\nlyran F1 1101 CC\n"
WAITING = "turn 0\n" + PORTS + "hydran waits 0302 FL\nhydran F1 0302 FF\n"
SAILING = "turn 1 impulse 1\n" + PORTS + "hydran V1 0302 FL course 0303 0304 0305 0306 0307\nhydran F1 0302 FF+DD\n"
FF = "hydran-F1-FF"


def impulses(state: CutlerState, numbers: range) -> list[str]:
    """Where the escort is after each of these impulses."""
    found: list[str] = []
    for number in numbers:
        turn = table_of(state)
        Run(turn, impulse_steps(turn.at(f"I{number}"), number), {})
        assert defects(state) == []
        found.append(state.units[FF].hex)
    return found


@pytest.mark.rule("cutler", "2.7.5", "2.7.1")
def test_ships_that_escort_the_convoy_of_their_sheet_go_with_it_and_show_their_counter():
    state = world(WAITING)
    sheet = {"E0302": {"to": "0307", "ships": ["hydran-waits-FL"]}, "F1": {"escort": "sent"}}
    table = table_of(state)
    run = Run(table, turn_steps(table), {("turn", "hydran"): sheet})
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
    turn = table_of(state)
    run = Run(turn, impulse_steps(turn.at("I2"), 2), {})
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


@pytest.mark.rule("cutler", "2.7.5", "6.4.1.3")
@cases("line, expected")
def test_whom_a_fleet_may_escort(line, expected):
    state = world(SAILING)
    assert refusal_words(plot_ask(state, "hydran"), {"F1": line}) == expected


@pytest.mark.rule("cutler", "2.7.5", "6.4.1.3")
def test_a_plot_that_was_lodged_is_flown_before_any_escort():
    state = world(SAILING)
    state.empires["hydran"].lodged = {FF: "0402", "hydran-F1-DD": "0402"}
    found = refusals(plot_ask(state, "hydran"), {"F1": {"escort": "V1", "course": ""}})
    assert ("F1.escort", "6.4.1.3") in found


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
        key="V6",
        race="hydran",
        kind="police",
        units=["hydran-police-0302"],
        at="0302",
        embarked="0302",
        course=["0303"],
    )
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


@pytest.mark.rule("cutler", "2.7.5", "6.4.1.3")
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
    sheet = {"E0302": {"to": "0307"}, "F1": {"escort": "sent"}}
    assert ask.read_back(ask.answer_from(sheet))[0] == kept()
    state.fleets["hydran/F1"].escort, state.fleets["hydran/F2"].escort = "sent", "V1"
    bind_escorts(state, "hydran")
    assert [fleet.escort for fleet in state.fleets_of("hydran")] == ["V2", "V1"]


@pytest.mark.rule("cutler", "2.7.5", "2.7.1")
@cases("escort, sailing, course")
def test_who_escorts_goes_where_its_convoy_goes_when_it_goes(escort, sailing, course) -> None:
    state = many(escort)
    state.fleets["hydran/F1"].course = ["0101"]
    follow_convoys(state, sailing)
    assert state.fleets["hydran/F1"].course == course


@pytest.mark.rule("cutler", "2.7.5")
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
