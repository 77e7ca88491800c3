"""Chapter 2: the sheet of plots on both sides of each bound: lines, ships, courses, cloaks, tows, and what is said."""

from typing import Any

import pytest
from pydantic import ValidationError

from rules_engine.core.knowledge.glance import Stage
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.cutler.boards import side_board
from rules_engine.rulebooks.cutler.ch02_movement.building_sites import site_warnings
from rules_engine.rulebooks.cutler.ch02_movement.cloaks import (
    change_cloaks,
    cloak_fields,
    cloaked_meetings_steps,
    has_something_to_plot,
    lose_sight,
    lurking,
    stored_cloak,
)
from rules_engine.rulebooks.cutler.ch02_movement.groups import group_form, judge_groups, most_groups, read_groups
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves
from rules_engine.rulebooks.cutler.ch02_movement.plot_words import warnings_of
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import MOST_REASONS, plot_ask, plotting_steps
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.accessories.catalogue import FIGHTER, STANDARD, Lot
from rules_engine.rulebooks.cutler.records.economy import BaseSite
from rules_engine.rulebooks.cutler.records.orders import FleetLine, FleetPlots, GroupSheet
from rules_engine.rulebooks.cutler.records.parts.craft import squadron
from rules_engine.rulebooks.cutler.records.parts.empires import Asking, Cards, Lurking
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, kind_of, offered, refusal_words, table_of, world

CA, DD, FF = (f"hydran-F1-{code}" for code in ("CA", "DD", "FF"))
AT = "turn 1 impulse 1\n"


def refused(state: CutlerState, sheet: dict[str, Any]) -> list[str]:
    return refusal_words(plot_ask(state, "hydran"), sheet)


def read(state: CutlerState, sheet: dict[str, Any]) -> list[str]:
    ask = plot_ask(state, "hydran")
    return list(ask.read_back(ask.answer_from(sheet)))


# --- lines -----------------------------------------------------------------------------------------------------------
@cases("longest, label")
def test_a_fleets_line_names_its_ships_in_up_to_eighty_characters(longest: int, label: str) -> None:
    state = world(f"{AT}hydran F1 0404 CA+DD")
    state.units[DD].name = "D" * longest
    assert plot_ask(state, "hydran").form.line("F1").label == label
    assert len(label) <= 80


def test_a_course_may_have_as_many_characters_on_a_form_as_on_a_sheet() -> None:
    state = world(f"{AT}hydran F1 0404 CA+DD\nplanet minor 0404 hydran\nplanet minor 0606 hydran\nhydran waits 0404 FL")
    form = plot_ask(state, "hydran").form
    most = {
        line.key: field.most for line in form.lines for field in line.fields if field.key == "course" and field.most
    }
    assert most == {"F1": 300, "new": 300, "E0404": 300}
    for key in most:
        assert FleetPlots.model_validate({key: {"course": "0" * 300}})
        with pytest.raises(ValidationError):
            FleetPlots.model_validate({key: {"course": "0" * 301}})


@cases("text, lines")
def test_which_ships_a_line_offers(text: str, lines: dict[str, list[str]]) -> None:
    form = plot_ask(world(AT + text), "hydran").form
    ships = {
        line.key: [one for field in line.fields if field.key == "ships" for one in field.choices] for line in form.lines
    }
    assert {key: [one.value for one in ways] for key, ways in ships.items() if key[0] in "Fn"} == lines


@pytest.mark.rule("cutler", "2.2", "3.4.5.4")
def test_a_fleet_that_must_leave_is_plotted_from_where_it_must_go(kept: Kept) -> None:
    state = world(f"{AT}hydran F1 0404 CA course 0505 0506")
    state.units[CA].retreat_hex = "0405"
    ask = plot_ask(state, "hydran")
    assert (ask.form.line("F1").note, offered(ask.form.line("F1"))[0][1]) == kept("form")
    assert [read(state, sheet)[0] for sheet in ({}, {"F1": {"course": ""}}, {"F1": {"go": "0506"}})] == kept("read")
    assert refused(state, {"F1": {"go": "0504"}}) == kept()
    (course,) = ask.courses(ask.answer_from({"F1": {"course": ""}}))
    assert (course.hexes, course.stages) == (("0404", "0405"), (Stage(after=1, said="T2"),))


@pytest.mark.rule("cutler", "2.2", "2.1")
def test_a_plotted_course_is_drawn_with_the_ends_of_its_turns(kept: Kept) -> None:
    ask = plot_ask(world("turn 1 impulse 5\nhydran F1 0404 CA+MON\nhydran F2 0606 DD\nhydran F3 0707 DD"), "hydran")
    # The monitor makes two hexes a turn: one is left of this turn, in impulse 6.
    sheet = ask.answer_from({"F1": {"course": "0405 0406 0407"}, "F2": {"course": "0607"}, "F3": {"go": "hold"}})
    assert [(one.counter, one.hexes, one.stages) for one in ask.courses(sheet)] == kept()


# --- ships -----------------------------------------------------------------------------------------------------------
TWO = f"{AT}hydran F1 0404 CA+DD\nhydran F2 0404 FF\nhydran F3 0503 SC"


@cases("sheet, words")
def test_every_ship_is_in_one_fleet_and_every_fleet_in_one_hex(sheet, words) -> None:
    assert refused(world(TWO), sheet) == words


@pytest.mark.rule("cutler", "2.2")
def test_a_fleet_whose_ships_all_go_over_is_dissolved(kept: Kept) -> None:
    state = world(TWO)
    sheet = {"F1": {"ships": [CA, DD, "hydran-F2-FF"]}, "F2": {"ships": []}, "new": {"ships": [DD]}}
    assert read(state, sheet) == kept()
    carry_out_plot(state, "hydran", FleetPlots.model_validate(sheet))
    assert {fleet.key: fleet.units for fleet in state.fleets_of("hydran")} == kept("#1")


@cases("line, named")
def test_a_line_without_ships_says_more_than_what_was_filled_in(line: dict[str, Any], named: bool) -> None:
    state = world(f"{AT}hydran F1 0404 CA\nhydran F2 0404 SC course 0405")
    state.fleets["hydran/F2"].scans = ["0505"]
    sheet = FleetPlots.model_validate({"F1": {"ships": [CA, "hydran-F2-SC"]}, "F2": line})
    said = ["F2 gets no ships, so what stands in its line does nothing."]
    assert warnings_of(state, "hydran", sheet) == (said if named else [])


def test_what_a_fleet_scans_is_read_back():
    state = world(f"{AT}hydran F1 0404 SC")
    assert read(state, {"F1": {"scan": "0505 0403"}})[0] == "F1 (Hydran F1 Sc): holds in 0404; scans 0505, 0403."


# --- courses ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("impulse", [0, 1, 2])
@cases("lodged, forced, line, words")
def test_a_lodged_plot_binds_until_impulse_1_is_over(impulse, lodged, forced, line, words) -> None:
    state = world(f"turn 1 impulse {impulse}\nhydran F1 0404 CA course 0405 0505")
    state.empires["hydran"].lodged = lodged
    state.units[CA].retreat_hex = forced
    assert refused(state, {"F1": line}) == (words if impulse < 2 else [])


@cases("line, moves")
def test_a_derelict_is_told_to_move_by_no_order(line: dict[str, Any], moves: bool) -> None:
    state = world(f"{AT}hydran F1 0404 CA+FF[warp=0,imp=0] course 0405")
    text = "F1.course: a ship without warp and impulse engines cannot move (2.4.1.6). "
    legal = "Legal: leave the course blank, split it off, or tow it."
    assert refused(state, {"F1": line}) == ([text + legal] if moves else [])
    state.units[FF].impulse_ok = 1
    assert refused(state, {"F1": line}) == []


@cases("line, moves")
def test_who_is_kept_by_a_survey_gets_no_new_course(line: dict[str, Any], moves: bool) -> None:
    state = world("turn 2 impulse 1\nhydran F1 0404 CA+DD course 0405 0505")
    state.units[CA].held_turn = 2
    text = "F1.course: its survey keeps Hydran F1 Ca in 0404 for this turn (9.2, CU-R121). Legal: hold. "
    assert refused(state, {"F1": line}) == ([f"{text}Did you mean hold?"] if moves else [])
    state.units[CA].held_turn = 1
    assert refused(state, {"F1": line}) == []


# --- warnings --------------------------------------------------------------------------------------------------------
@cases("first, second, crowded")
def test_more_ships_than_can_be_commanded_where_fleets_end_are_warned_of(first, second, crowded) -> None:
    more = f"\nhydran F2 0405 {'+'.join(['FF'] * second)}" if second else ""
    state = world(f"{AT}hydran F1 0404 {'+'.join(['FF'] * first)} course 0504 0405{more}")
    said = ["More ships end in 0405 than can be commanded there; moves may be called off (2.5)."]
    assert warnings_of(state, "hydran", FleetPlots()) == (said if crowded else [])


DUST = "F1 goes through dust in {}: leaving it takes one move more (2.4.1.9)."
NEBULA = (
    "F1 goes through a nebula in {}: leaving it takes a die of 5 or 6, else it is held up or comes out elsewhere "
    "(2.4.1.10)."
)
ROUGH = "F1 goes through unsurveyed {}: half speed in and out (9.3)."


@cases("rough, course, forced, paid, said")
def test_all_rough_space_on_the_way_is_warned_of(rough, course, forced, paid, said) -> None:
    state = world(f"{AT}{rough}\nhydran F1 0404 CA+DD course {course}")
    for unit in state.alive():
        unit.retreat_hex, unit.dust_paid = forced, unit.id in paid
    assert warnings_of(state, "hydran", FleetPlots()) == said


@pytest.mark.rule("cutler", "8.3.2", "2.4.1.5")
def test_scans_that_are_too_far_and_slow_ships_are_warned_of(kept: Kept) -> None:
    state = world(f"{AT}hydran F1 0404 SC+MON\nhydran F2 0606 CA[tractors=1,tows=FF]+FF[warp=8]")
    assert warnings_of(state, "hydran", FleetPlots.model_validate({"F1": {"scan": "0405 0409"}})) == kept()


@cases("owner, builder, leaving, warned")
def test_a_site_that_its_last_builder_leaves_is_warned_of(owner, builder, leaving, warned) -> None:
    state = world(f"{AT}hydran F1 0404 CA[mark=tug]+DD+FF")
    for unit in state.alive():
        cargo = 0 if unit.id == FF or (builder == CA and unit.id == DD) else 4
        unit.record = unit.record.model_copy(update={"marks": ("tug",), "cargo": cargo})
    assert [unit.id for unit in state.alive() if unit.builds_bases] == ([CA] if builder == CA else [CA, DD])
    site = BaseSite(
        key="reef", race=owner, hex="0404", into=kind_of("base"), named="Reef", cost=100, set_aside=60, builder=builder
    )
    state.sites = {site.key: site}
    name = builder.rsplit("-", maxsplit=1)[-1].title()
    said = (
        f"Hydran F1 {name} leaves 0404: Reef (Base) and 60 CPV set aside for it are lost, unless another builder is "
        "there then (4.4.2)."
    )
    units = [unit for unit in state.alive() if unit.id in leaving]
    assert site_warnings(state, "hydran", units) == ([said] if warned else [])


# --- who is asked ----------------------------------------------------------------------------------------------------
@cases("text, asking, alerts, is_asked")
def test_who_has_a_reason_and_something_to_plot_is_asked(text, asking, alerts, is_asked) -> None:
    state = world(f"turn 1 impulse 2\n{text}")
    state.empires["hydran"].asking, state.empires["hydran"].alerts = asking, list(alerts)
    if "offered" in alerts:
        state.coordination.wishes = state.coordination.told = {"lyran": ["hydran"]}
    run = Run(turn := table_of(state), plotting_steps(turn))
    assert bool(run.asked("hydran", "plot")) is is_asked


def test_each_reason_to_be_asked_is_named_once(kept: Kept) -> None:
    state = world(f"{AT}hydran F1 0404 CA")
    state.empires["hydran"].alerts = ["one thing", "another", "one thing"]
    assert plot_ask(state, "hydran").text == kept()


MET, FOUGHT = "you met others in 0404", "there was a battle in 0404"
FILLS = "x" * (MOST_REASONS - len(f"{MET}; {FOUGHT}; "))


@cases("alerts, said", made="alerts, said")
def test_the_card_says_all_reasons_that_are_read_at_a_glance_and_counts_the_rest(alerts: list[str], said: str) -> None:
    state = world(f"{AT}hydran F1 0404 CA")
    state.empires["hydran"].alerts = [*alerts]
    assert plot_ask(state, "hydran").asks_for.situation == said


EACH, HIDDEN = "you are asked for plots in every impulse", "under cloak you stay hidden"


@cases("line, said, kept")
def test_standing_orders_stand_until_they_are_changed(line: dict[str, Any], said: str, kept: str) -> None:
    state = world(f"{AT}hydran F1 0404 CA[cloak=down]")
    empire = state.empires["hydran"]
    cards: Cards = "bypass"
    asking: Asking = "each"
    hides: Lurking = "stay"
    empire.cards, empire.asking, empire.lurking = cards, asking, hides
    assert read(state, {"standing": line})[-1] == f"Standing orders: meeting others, {said}."
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"standing": line}))
    assert f"{empire.cards} {empire.asking} {empire.lurking}" == kept


@pytest.mark.rule("cutler", "2.2")
@pytest.mark.parametrize("cards", ["ask", "bypass"])
@pytest.mark.parametrize("impulses", ["contact", "each"])
@pytest.mark.parametrize("lurking", ["ask", "stay"])
def test_standing_orders_are_said_where_some_were_given_or_are_taken_back(cards, impulses, lurking):
    state = world(f"{AT}hydran F1 0404 CA[cloak=down]")
    line = {"cards": cards, "impulses": impulses, "lurking": lurking}
    said = [one.startswith("Standing orders") for one in read(state, {"standing": line})]
    assert said == ([False] if (cards, impulses, lurking) == ("ask", "contact", "ask") else [False, True])
    empire = state.empires["hydran"]
    empire.cards, empire.asking, empire.lurking = cards, impulses, lurking
    back = {"cards": "ask", "impulses": "contact", "lurking": "ask"}
    assert [one.startswith("Standing orders") for one in read(state, {"standing": back})] == said


# --- cloaks ----------------------------------------------------------------------------------------------------------
@cases("ships, cloak, asked")
def test_a_fleets_cloak_is_asked_where_all_its_ships_have_one(ships, cloak, asked) -> None:
    state = world(f"{AT}hydran F1 0404 {ships}")
    fleet, units = state.fleets["hydran/F1"], state.alive()
    fleet.cloak = cloak
    assert [one.value for one in cloak_fields(units, fleet)] == asked
    # Of ships to be split off some are enough; nothing is filled in.
    new = cloak_fields(units, None)
    assert [(one.value, one.optional) for one in new] == ([(None, True)] if "cloak" in ships else [])
    assert cloak_fields([], None) == []


@cases("ships, fleet_cloak, line, cloak")
def test_a_cloak_stays_as_it_was_unless_a_line_says_otherwise(ships, fleet_cloak, line, cloak) -> None:
    state = world(f"{AT}hydran F1 0404 {ships}")
    fleet = None if fleet_cloak is None else state.fleets["hydran/F1"]
    if fleet is not None:
        fleet.cloak = fleet_cloak
    assert stored_cloak(state.alive(), fleet, FleetLine(cloak=line)) is cloak


@pytest.mark.rule("cutler", "2.6.2.1")
def test_a_cloak_that_is_raised_kept_or_dropped_is_read_back(kept: Kept) -> None:
    state = world(f"{AT}hydran F1 0404 CA[cloak=up]\nhydran F2 0505 DD[cloak=down]\nhydran F3 0606 FF")
    assert read(state, {}) == kept("read(state, {})")
    assert read(state, {"F1": {"cloak": "open"}, "F2": {"cloak": "cloaked"}})[:2] == kept("#1")


@cases("ship, impulse, able")
def test_who_has_something_to_plot(ship, impulse, able) -> None:
    (unit,) = world(f"hydran F1 0404 {ship}").alive()
    assert has_something_to_plot(unit, impulse) is able


@cases("cloak, plotted, held, lodged, ends")
def test_who_goes_under_cloak_as_plotted(cloak, plotted, held, lodged, ends) -> None:
    for impulse in range(3):
        state = world(f"turn 1 impulse {impulse}\nhydran F1 0404 CA[cloak={cloak}]")
        unit = state.units[CA]
        state.fleets["hydran/F1"].cloak, unit.held_turn = plotted, held
        state.empires["hydran"].lodged = {} if lodged is None else {CA: lodged}
        change_cloaks(state)
        under = ends or (impulse != 1 and bool(lodged))  # a lodged plot is flown in impulse 1
        assert (unit.cloaked, unit.was_cloaked) == (under, under or cloak == "up")


@pytest.mark.rule("cutler", "2.6.2.1")
@pytest.mark.parametrize(("engaged", "found"), [(True, []), (False, ["lyran"]), (True, ["lyran"]), (False, [])])
def test_who_was_seen_is_hidden_again_when_the_impulse_ends(engaged, found) -> None:
    state = world(f"{AT}hydran F1 0404 CA[cloak=up]")
    state.units[CA].engaged, state.units[CA].found_by = engaged, found
    lose_sight(state)
    assert (state.units[CA].engaged, state.units[CA].found_by) == (False, [])


@cases("text, met")
def test_who_is_under_cloak_with_others_is_asked(text, met) -> None:
    assert [fleet.key for fleet in lurking(world(AT + text), "hydran")] == met


@pytest.mark.rule("cutler", "2.6.2.1")
def test_a_choice_under_cloak_is_read_back_told_and_labelled(kept: Kept) -> None:
    text = "hydran F1 0404 CA[cloak=up]+DD[cloak=up]\nhydran F2 0404 FF[cloak=up]\nlyran F1 0404 CC\nklingon F1 0404 FF"
    state = world(AT + text)
    state.units[DD].name = "D" * 100
    run = Run(turn := table_of(state), cloaked_meetings_steps(turn), {("cloak", "hydran"): {"F1": {"does": "show"}}})
    (ask,) = run.asks
    assert [(line.label, line.note) for line in ask.form.lines] == kept("lines")
    sheets = ({"F1": {"does": "show"}}, {"F2": {"does": "stay"}})
    assert [ask.read_back(ask.answer_from(sheet)) for sheet in sheets] == kept("read")
    assert {race: run.texts(race) for race in state.races()} == kept("told")
    assert {unit.id: unit.engaged for unit in state.alive("hydran")} == {CA: True, DD: True, "hydran-F2-FF": False}


# --- tows ------------------------------------------------------------------------------------------------------------
@cases("text, asked")
def test_a_tow_is_asked_where_somebody_may_tow_another(text, asked) -> None:
    assert ("tow" in {field.key for field in plot_ask(world(AT + text), "hydran").form.line("F1").fields}) is asked


RIG = "hydran-base-0404"


@cases("sheet, words")
def test_what_may_be_towed_and_where(sheet, words) -> None:
    state = world(
        f"{AT}dust 0402\nunsurveyed 0503\nhydran F1 0404 CA[tractors=1]+DD\nhydran F2 0404 CW[tractors=1]\n"
        "hydran base 0404 Rig[type=BLM]\nhydran F3 0707 CA[tractors=1]+DD"
    )
    state.units["hydran-F3-CA"].retreat_hex = "0708"
    assert refused(state, sheet) == words


@pytest.mark.rule("cutler", "2.4.1.5", "4.4.1")
def test_a_tow_is_read_back_in_the_order_of_the_fleet_with_bases_last(kept: Kept) -> None:
    state = world(f"{AT}hydran F1 0404 CA[tractors=2,mark=tug]+DD\nhydran base 0404 Rig[type=BLM]")
    assert read(state, {"F1": {"tow": [RIG, DD], "course": "0405"}})[0] == kept()
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"F1": {"tow": [RIG, DD]}}))
    assert state.units[CA].towing == sorted([DD, RIG])
    helps = [one[3] for one in offered(plot_ask(state, "hydran").form.line("F1")) if one[0] == "Course"]
    assert helps == ["Hex numbers in order, none in which no base may be; blank holds"]


# --- groups ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "3.3.4", "3.7.1", "3.7.7")
@pytest.mark.parametrize(("flanks", "most"), [(False, 1), (True, 3)])
def test_who_may_join_which_group_is_asked(flanks: bool, most: int, kept: Kept) -> None:
    units = world("hydran F1 0404 CA+DD[officers=navigator]").alive()
    holds = {FIGHTER: Lot(item=STANDARD[FIGHTER], count=7)}
    squad = squadron("hydran-F1-CV/fighters", "hydran", "Fighters of CV", "0404", holds)
    form = group_form([*units, squad], "Flank", "Stays", most=most, flanks=flanks)
    assert {line.label: offered(line) for line in form.lines} == kept()
    assert [way.value for way in form.lines[0].fields[0].choices] == [str(number) for number in range(most + 1)]


@pytest.mark.rule("cutler", "3.3.2", "3.7.5", "3.7.7")
@pytest.mark.parametrize("flanks", [False, True])
def test_who_is_refused_of_which_group(flanks: bool, kept: Kept) -> None:
    units = world("hydran F1 0404 CA+DD[officers=navigator]").alive()
    lines = {
        CA: {"group": 2, "early": True}, DD: {"group": 3, "early": True}, "hydran-F1-CV/fighters": {"group": 1},
        "hydran-F1-CV-fighters-1": {"group": 0}, "lyran-F1-CC": {"group": 1},
    }  # fmt: skip
    sheet = GroupSheet.model_validate(lines)
    said = [str(one) for one in judge_groups(units, sheet, "3.7.1", fighters="3.7.5", most=2, flanks=flanks)]
    assert [one.split(". Did you")[0] for one in said] == kept()


@pytest.mark.rule("cutler", "3.7.7")
def test_how_groups_read(kept: Kept) -> None:
    units = world("hydran F1 0404 CA+DD[officers=navigator]").alive()
    sheets = [{CA: {"group": 2}, DD: {"group": 1, "early": True}}, {CA: {"group": 0}}]
    assert [read_groups(units, GroupSheet.model_validate(one), "flanks", "Nobody flanks.") for one in sheets] == kept()


@cases("forces, most")
def test_a_race_has_a_group_for_each_of_its_ships_and_for_each_that_it_sees_of_its_partners(forces, most) -> None:
    state = world(
        f"{AT}hydran F1 0404 CA+DD+FF\nlyran F1 0404 CC\nlyran F2 0404 FF[cloak=up]\nlyran F3 0405 FF\n"
        "klingon F1 0404 FF+FF+FF+FF"
    )
    state.fights["0404"] = Fight(forces=forces)
    assert most_groups(state, "0404", "hydran", state.alive("hydran")[:2]) == most


# --- plots that wait -------------------------------------------------------------------------------------------------

SPEED_3 = "speed 3 moves in impulses 2, 4 and 6"


@cases("impulse, ships, ground, line, reason", "", made="line, reason")
def test_a_plot_that_waits_is_read_back_with_the_reason_and_does_wait(
    impulse: int, ships: str, ground: str, line: dict[str, Any], reason: str
) -> None:
    state = world(f"turn 1 impulse {impulse}\n{ground}\nhydran F1 0404 {ships}")
    sheet = {"F1": {"course": "0405 0406", **line}}
    said, waits = read(state, sheet)[0], f"; waits in 0404 this impulse: {reason}"
    assert (waits in said, "waits" in said) == (bool(reason), bool(reason)), said
    (course,) = plot_ask(state, "hydran").courses(FleetPlots.model_validate(sheet))
    assert course.waits == (waits.removeprefix("; ") if reason else "")
    carry_out_plot(state, "hydran", FleetPlots.model_validate(sheet))
    change_cloaks(state)
    execute_moves(table_of(state))
    assert state.units[state.fleet("hydran", "F1").units[0]].hex == ("0404" if reason else "0405")


@pytest.mark.rule("cutler", "2.4", "2.4.1.6", "9.2")
def test_a_stored_course_that_waits_says_so_where_it_is_left_as_it_is() -> None:
    state = world(f"{AT}hydran F1 0404 CA+DD[warp=0,imp=0] course 0405")
    assert read(state, {})[0].endswith("0404 → 0405; waits in 0404 this impulse: Hydran F1 Dd has no engines left.")
    state = world(f"{AT}hydran F1 0404 CA course 0405")
    state.units[CA].held_turn = 1
    held = "waits in 0404 this impulse: its survey keeps Hydran F1 Ca there for this turn"
    assert read(state, {})[0].endswith(f"0404 → 0405; {held}.")
    (course,) = [one for one in side_board(state, "hydran", Knowledge()).courses if one.kind == "plotted"]
    assert course.waits == held
    (piece,) = [one for one in side_board(state, "hydran", Knowledge()).counters if one.id == "F1"]
    assert piece.sub == "1 ship, speed 6, waits"


@pytest.mark.rule("cutler", "2.4")
def test_a_turns_sheet_says_which_courses_wait_in_impulse_1() -> None:
    ask = turn_ask(world("turn 1\nhydran F1 0404 AUX\nhydran F2 0303 CA"), "hydran")
    said = ask.read_back(ask.answer_from({"F1": {"course": "0405"}, "F2": {"course": "0304"}}))
    assert f"F1 (Hydran F1 Aux): 0404 → 0405; waits in 0404 in impulse 1: {SPEED_3}." in said
    assert "F2 (Hydran F2 Ca): 0303 → 0304." in said


@cases("ships, ends")
def test_turns_end_on_the_map_where_pfs_and_cloaked_ships_come_to_rest(ships: str, ends: Any) -> None:
    state = world(f"{AT}hydran F1 0404 {ships} course 0405 0406 0407 0408 0409")
    (course,) = [one for one in plot_ask(state, "hydran").courses(FleetPlots()) if one.counter == "F1"]
    assert [(stage.after, stage.said) for stage in course.stages] == ends
