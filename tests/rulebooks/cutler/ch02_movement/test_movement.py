"""Chapter 2: speeds, the impulse chart, stacking, dust, nebulae, counters and plots."""

import json

import pytest

from rules_engine.core.basics.canonical_json import canonical
from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler.boards import public_board, side_board
from rules_engine.rulebooks.cutler.ch02_movement import movement
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets, watch_counters
from rules_engine.rulebooks.cutler.ch02_movement.plot_words import warnings_of
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask, plotting_steps
from rules_engine.rulebooks.cutler.records.economy import DockWork
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import impulse_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, refusals, table_of, world


def moved(text: str, dice: dict[str, list[int]] | None = None):
    """The table after one movement phase."""
    turn = table_of(world(text), dice)
    movement.execute_moves(turn)
    tidy_fleets(turn.state)
    return turn


def at(table, unit: str) -> str:
    return table.state.units[unit].hex


# --- speeds and the chart --------------------------------------------------------------------------------------------
@cases("speed, impulses")
def test_the_impulse_chart(speed, impulses):
    assert [impulse for impulse in range(1, 7) if movement.may_move_in(speed, impulse)] == impulses


@pytest.mark.rule("cutler", "2.4", "2.4.1", "2.4.1.1", "2.4.1.4")
def test_undamaged_speeds_by_kind():
    state = world("hydran F1 0404 CA+AUX+MON+PF\nhydran base 0205\nplanet minor 0303 hydran\nhydran police 0303")
    speeds = {unit.kind: movement.top_speed(unit) for unit in state.alive()}
    assert speeds == {"ship": 6, "auxiliary": 3, "monitor": 2, "pf": 6, "base": 0, "police": 0}


@cases("ship, speed")
def test_what_damage_leaves_of_a_ships_speed(ship, speed):
    assert movement.top_speed(world(f"hydran F1 0404 {ship}").alive()[0]) == speed


@cases("ship, impulses")
def test_in_which_impulses_a_ship_has_an_opportunity_to_move(ship, impulses):
    (unit,) = world(f"hydran F1 0404 {ship}").alive()
    assert [impulse for impulse in range(1, 7) if movement.has_opportunity(unit, impulse)] == impulses


@cases("proves, ship, goal, impulses")
def test_in_which_impulses_a_ship_may_enter_a_hex(ship, goal, impulses):
    state = world(f"hydran F1 0404 {ship}; unsurveyed 0405")
    (unit,) = state.alive()
    assert [impulse for impulse in range(1, 7) if movement.may_enter(state, unit, goal, impulse)] == impulses


# --- execution -------------------------------------------------------------------------------------------------------


@cases("case, proves, impulses, text, dice, ends", "ends")
def test_where_fleets_are_after_the_moves_of_these_impulses(impulses, text, dice, ends):
    turn = table_of(world(f"turn 1; {text}"), dice)
    for turn.state.impulse in impulses:
        movement.execute_moves(turn)
        tidy_fleets(turn.state)
    stand = [
        " ".join([one.race, one.key, turn.state.units[one.units[0]].hex, *["course"] * bool(one.course), *one.course])
        for one in turn.state.fleets.values()
    ]
    assert "; ".join(stand) == ends
    assert all(roll.seen_by == frozenset({"hydran"}) for roll in turn.shared.rolls)  # what befalls it in a nebula


@pytest.mark.rule("cutler", "2.4.1.9")
def test_leaving_dust_costs_an_opportunity_that_is_spent_in_place():
    table = moved("turn 1 impulse 1\ndust 0404\nhydran F1 0404 CA course 0405 0505")
    unit = table.state.units["hydran-F1-CA"]
    assert (unit.hex, unit.dust_paid, unit.hexes_moved) == ("0404", True, 0)
    table.state.fleet("hydran", "F1").course = ["0403"]  # the goal may change in between
    table.state.impulse = 2
    movement.execute_moves(table)
    assert (unit.hex, unit.dust_paid, unit.hexes_moved) == ("0403", False, 1)


@cases("die, after_one, after_two")
def test_the_nebula_chart(die, after_one, after_two):
    falls = {"nebula/hydran/F1>0604/nebula": [die, 6], "drift": [4]}
    table = moved("turn 1 impulse 1\nnebula 0605\nhydran F1 0605 CA course 0604", falls)
    assert at(table, "hydran-F1-CA") == after_one
    if die == 2:
        assert table.state.fleet("hydran", "F1").course == []
        return
    table.state.impulse = 2
    movement.execute_moves(table)
    assert at(table, "hydran-F1-CA") == after_two
    assert [roll.purpose for roll in table.shared.rolls].count("nebula") == (2 if die == 1 else 1)


@pytest.mark.rule("cutler", "2.4.1.10")
def test_after_a_delay_another_goal_needs_another_roll():
    table = moved("turn 1 impulse 1\nnebula 0605\nhydran F1 0605 CA course 0604", {"nebula/hydran": [3, 5]})
    table.state.fleet("hydran", "F1").course = ["0606"]
    table.state.impulse = 2
    movement.execute_moves(table)
    assert (at(table, "hydran-F1-CA"), len(table.shared.rolls)) == ("0606", 2)


@pytest.mark.rule("cutler", "2.4.1.10")
@pytest.mark.parametrize("die", [3, 4])
def test_what_a_delay_allows_lapses_after_the_next_impulse(die):
    table = moved("turn 1 impulse 1\nnebula 0605\nhydran F1 0605 CA course 0604", {"nebula/hydran": [die, 1]})
    for table.state.impulse, course in ((2, []), (3, ["0604"])):
        table.state.fleet("hydran", "F1").course = course
        movement.execute_moves(table)
    # It held in impulse 2, so that it rolls anew, and is lost in the nebula.
    assert at(table, "hydran-F1-CA") == "0605"
    assert [roll.purpose for roll in table.shared.rolls] == ["nebula", "nebula"]


# --- stacking --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "2.5")
def test_a_called_off_move_can_overfill_the_hex_behind_it():
    # F1 may not enter 0504 (4 + 1 > 4), so it stays in 0404, where F2's three are then too many.
    state = world("hydran F1 0404 FF+FF\nhydran F2 0403 FF+FF+FF\nhydran F3 0504 FF+FF+FF")
    moves = {unit.id: "0504" for unit in state.units_in("0404")} | {unit.id: "0404" for unit in state.units_in("0403")}
    assert movement.abort_overstacked(state, "hydran", moves) == ["0404", "0504"]


@cases("there, docked, enters", "")
def test_who_lies_in_a_docking_bay_neither_counts_nor_commands(there, docked, enters):
    state = world(f"turn 1 impulse 1\nhydran base 0404\nhydran F1 0404 {there}\nhydran F2 0403 FF+FF+FF course 0404")
    for bay, ship in enumerate(docked, 1):
        work = DockWork(base="hydran-base-0404", bay=bay, race="hydran", into=kind_of("CC"), named="X", cost=9)
        state.works[work.key] = work.changed(ship=f"hydran-F1-{ship}")
    sheet = plot_ask(state, "hydran").default
    crowded = [one for one in warnings_of(state, "hydran", sheet) if "(2.5)" in one]
    assert bool(crowded) is not enters
    movement.execute_moves(table := table_of(state))
    assert at(table, "hydran-F2-FF") == ("0404" if enters else "0403")


@pytest.mark.rule("cutler", "2.5")
def test_a_ship_that_leaves_its_dock_counts_where_it_goes():
    """Four frigates are in 0504; the one from the dock would be the fifth."""
    state = world("turn 1 impulse 1\nhydran base 0404\nhydran F1 0404 FF course 0504\nhydran F2 0504 FF+FF+FF+FF")
    work = DockWork(base="hydran-base-0404", bay=1, race="hydran", into=kind_of("CC"), named="X", cost=9)
    state.works[work.key] = work.changed(ship="hydran-F1-FF")
    movement.execute_moves(table := table_of(state))
    assert at(table, "hydran-F1-FF") == "0404"


# --- counters --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "2.6", "2.6.1", "2.6.2")
def test_one_generic_counter_for_each_race_and_hex(kept: Kept):
    state = world(
        "hydran F1 0404 CA+DD\nhydran F2 0404 FF\nhydran F3 0505 PF\nlyran F1 0404 MON\nlyran F2 0506 AUX\n"
        "lyran base 0902\nlyran police 0803\nklingon F1 0708 CA"
    )
    assert state.counters() == kept()
    shown = [(c.owner, c.hex, c.label, c.sub) for c in public_board(state).counters]
    assert shown[0] == ("hydran", "0404", "Hydran CU", "")
    assert {(c.level_name, c.grade) for c in public_board(state).counters} == {("strength unknown", 0)}
    assert len(shown) == 5


def test_own_counters_tell_ships_and_speed_and_the_last_move_of_this_turn(kept: Kept):
    table = moved("turn 1 impulse 3\nhydran F1 0404 CA+DD course 0405\nhydran F2 0202 FF")
    board = side_board(table.state, "hydran", table.knowledge("hydran"))
    fleets = {c.label: (c.hex, c.sub) for c in board.counters if c.label.startswith("F")}
    assert fleets == {"F1": ("0405", "2 ships, speed 6"), "F2": ("0202", "1 ship, speed 6")}
    assert [(c.counter, c.kind, c.hexes) for c in board.courses if c.kind == "moved"] == kept()
    assert not side_board(table.state, "lyran", table.knowledge("lyran")).courses
    table.state.turn, table.state.impulse = 2, 0
    assert [c.kind for c in side_board(table.state, "hydran", table.knowledge("hydran")).courses][:1] == ["moved"]
    table.state.impulse = 1
    assert "moved" not in [c.kind for c in side_board(table.state, "hydran", table.knowledge("hydran")).courses]


@cases("die, told, alert")
def test_what_the_owner_is_told_of_ships_that_leave_a_nebula(die, told, alert):
    table = moved("turn 1 impulse 1\nnebula 0404\nhydran F1 0404 CA+DD course 0405", {"nebula": [die], "drift": [1]})
    ships = "Hydran F1 Ca (CA), Hydran F1 Dd (DD)"
    own = [one.text for one in table.shared.reports if one.is_for("hydran") and not one.is_public()]
    out = {2: "0403", 5: "0405", 6: "0405"}.get(die)
    moves = [f"Your moves: F1 0404→{out}."] if out else []
    assert own == [*(one.format(ships=ships) for one in [told] if one), *moves]
    assert table.state.empires["hydran"].alerts == [one for one in [alert] if one]


@pytest.mark.rule("cutler", "2.2", "3.4.5.4")
def test_stored_courses_are_drawn_from_where_a_fleet_is_after_a_forced_move(kept: Kept):
    state = world("turn 1 impulse 1\nhydran F1 0404 CA course 0405 0505\nhydran F2 0606 DD\nhydran F3 0202 FF")
    state.units["hydran-F3-FF"].retreat_hex = "0203"
    board = side_board(state, "hydran", table_of(state).knowledge("hydran"))
    assert [(c.counter, c.kind, c.hexes) for c in board.courses] == kept()


@pytest.mark.rule("cutler", "2.6.3")
def test_every_move_of_a_counter_is_announced_once_without_numbers():
    table = moved(
        "turn 1 impulse 1\nhydran F1 0404 CA+DD course 0405\nhydran F2 0404 FF course 0405\nhydran F3 0405 FF\n"
        "lyran F1 0505 DD course 0504"
    )
    public = [one.text for one in table.shared.reports if one.is_public()]
    assert public == ["Impulse 1, movement: Hydran CU 0404→0405; Lyran CU 0505→0504."]


@cases("lodged, forced, ends")
def test_a_lodged_plot_is_flown_before_any_course_and_after_a_forced_move(lodged, forced, ends):
    turn = table_of(world("turn 1 impulse 1\nhydran F1 0404 CA course 0405"))
    turn.state.empires["hydran"].lodged = {"hydran-F1-CA": lodged}
    turn.state.units["hydran-F1-CA"].retreat_hex = forced
    movement.execute_moves(turn)
    assert at(turn, "hydran-F1-CA") == ends


@pytest.mark.rule("cutler", "2.8")
def test_police_ships_and_bases_are_in_no_fleet_and_cannot_be_plotted():
    ask = plot_ask(world("turn 1 impulse 1\nhydran F1 0404 CA\nhydran police 0404\nhydran base 0404"), "hydran")
    assert [line.key for line in ask.form.lines] == ["F1", "coordination", "standing"]
    sheet = {"F1": {"ships": ["hydran-F1-CA", "hydran-police-0404"]}}
    assert refusal_words(ask, sheet) == ["F1.ships: this is not a ship of yours that moves"]


# --- plotting --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "2.2")
def test_a_course_is_read_hex_by_hex_and_waypoints_are_filled_in():
    state = world("turn 1 impulse 1\nhydran F1 0404 CA+DD")
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"F1": {"course": "0404 > 0405, 0408"}}))
    assert state.fleet("hydran", "F1").course == ["0405", "0406", "0407", "0408"]


@pytest.mark.rule("cutler", "2.2")
def test_ships_split_off_and_join(kept: Kept):
    state = world("turn 1 impulse 1\nhydran F1 0404 CA+DD+FF\nhydran F2 0404 SC")
    sheet = {
        "new": {"ships": ["hydran-F1-DD"], "course": "0405"},
        "F2": {"ships": ["hydran-F2-SC", "hydran-F1-FF"], "go": "0403"},
    }
    assert refusals(plot_ask(state, "hydran"), sheet) == []
    carry_out_plot(state, "hydran", FleetPlots.model_validate(sheet))
    assert {f.key: (f.units, f.course) for f in state.fleets_of("hydran")} == kept()


@cases("proves, text, impulses, wishes, asked", "asked")
def test_who_is_asked_to_plot_gets_its_map_and_nobody_else(text, impulses, wishes, asked):
    """In the last of these impulses, where all were asked in those before it."""
    state = world(f"turn 1; {text}")
    for race in wishes.split():
        state.empires[race].asking = "each"
    state.impulse = impulses[0]
    watch_counters(turn := table_of(state))
    for state.impulse in impulses:
        turn.shared.maps_for.clear()
        run = Run(turn, plotting_steps(turn))
    assert [f"{ask.parties[0]}: {ask.text}" for ask in run.asks] == asked
    assert turn.shared.maps_for == {ask.parties[0] for ask in run.asks}  # not everybody, as when no side is named
    assert not turn.shared.public_due  # a public map would tell that all were asked


@pytest.mark.rule("cutler", "2.5")
def test_warnings_speak_of_own_ships_only():
    state = world("turn 1 impulse 1\nhydran F1 0404 FF+FF+FF course 0405\nhydran F2 0405 FF+FF\nlyran base 0405")
    warned = warnings_of(state, "hydran", FleetPlots())
    # Five frigates where four can be commanded; that the hidden starbase would allow eight is not let out.
    assert any("can be commanded" in line for line in warned)


@cases("ships, warned")
def test_a_fleet_that_is_slower_than_some_of_its_ships_is_warned_of(ships, warned):
    assert warnings_of(world(f"turn 1 impulse 1\nhydran F1 0404 {ships}"), "hydran", FleetPlots()) == warned


# --- what is typed -------------------------------------------------------------------------------------------------
def plotted(line, text="turn 1 impulse 1\nhydran F1 0205 CA", key="F1"):
    """(course, read back, warned) of one line of a plot sheet that is legal."""
    ask = plot_ask(world(text), "hydran")
    sheet = ask.answer_from({key: line})
    return [one.hexes[1:] for one in ask.courses(sheet)], " ".join(ask.read_back(sheet)), " ".join(ask.warn(sheet))


@cases("line, problem, legal, near")
def test_nothing_typed_as_a_course_is_dropped(line, problem, legal, near):
    with pytest.raises(Refused) as caught:
        plot_ask(world("turn 1 impulse 1\nhydran F1 0205 CA"), "hydran").answer_from({"F1": line})
    (refusal,) = caught.value.refusals
    assert refusal.path == "F1.course"
    assert refusal.problem.startswith(problem)
    assert refusal.legal.startswith(legal)
    assert refusal.nearest[: len(near)] == near


@cases("line, course")
def test_next_and_course_go_together_where_they_agree(line, course):
    assert plotted(line)[0] == [course]


@pytest.mark.parametrize("typed", [{}, {"course": "0206 0207"}])
@cases("go, courses, said")
def test_a_stored_course_that_gives_way_to_next_is_named(typed, go, courses, said):
    stored = "turn 1 impulse 1\nhydran F1 0205 CA course 0206 0207"
    assert plotted({"go": go, **typed}, stored)[:2] == (courses, f"F1 (Hydran F1 Ca): {said}.")


@pytest.mark.rule("cutler", "2.2")
def test_what_is_ordered_for_no_ship_is_named():
    two = "turn 1 impulse 1\nhydran F1 0205 CA\nhydran F2 0205 DD"
    assert (
        "New fleet gets no ships, so what stands in its line does nothing."
        in plotted({"course": "0206"}, "turn 1 impulse 1\nhydran F1 0205 CA+DD", "new")[2]
    )
    ask = plot_ask(world(two), "hydran")
    joined = {"F1": {"ships": ["hydran-F1-CA", "hydran-F2-DD"]}}
    assert "does nothing" not in " ".join(ask.warn(ask.answer_from(joined)))
    sheet = ask.answer_from({**joined, "F2": {"course": "0206"}})
    assert "F2 gets no ships, so what stands in its line does nothing." in ask.warn(sheet)


@pytest.mark.rule("cutler", "5.2.2")
def test_what_could_be_razed_instead_is_named_in_one_order_also_when_it_was_stored():
    state = world("hydran F1 0404 CA\nplanet minor 0902 lyran zed\nplanet minor 0405 lyran aur\n")
    stored = CutlerState.from_json(json.loads(canonical(state.to_json())))
    said = []
    for one in (state, stored):
        with pytest.raises(Refused) as caught:
            plot_ask(one, "hydran").answer_from({"F1": {"raze": "nowhere"}})
        said.append(str(caught.value))
    assert said[0] == said[1]


# --- what a race reads of its own moves ------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "2.2", "2.6.3")
def test_each_race_is_told_which_of_its_fleets_moved_and_nobody_else_is(kept: Kept) -> None:
    text = "turn 1 impulse 2\nhydran F2 0404 CA+DD course 0405\nhydran F1 0404 FF course 0405\n"
    text += "hydran F3 0606 CA[cloak=up] course 0607\nhydran F4 0202 CW\nlyran F1 0902 CC course 0901\n"
    table = moved(text)
    told = {
        race: [one.text for one in table.shared.reports if one.is_for(race) and not one.is_public()]
        for race in ("hydran", "lyran", "klingon")
    }
    assert told == kept()


@pytest.mark.rule("cutler", "2.2", "2.7", "2.4.1.7")
def test_own_moves_name_convoys_parts_of_fleets_and_what_goes_through_a_hex(kept: Kept) -> None:
    """Part of F2 must leave by another way; the PF docked in F10 is carried, and so goes without saying."""
    text = "turn 1 impulse 2\nhydran F2 0404 CA+DD course 0405\nhydran F10 0606 PFT+PF[dock=PFT] course 0607\n"
    text += "hydran F3 0202 FF[mark=express] course 0203 0204\nhydran V1 0808 FL course 0807 0806\nlyran F1 0902 CC"
    state = world(text)
    state.units["hydran-F2-DD"].retreat_hex = "0304"
    Run(table := table_of(state), impulse_steps(table, 2))
    own = [one.text for one in table.shared.reports if one.text.startswith("Your moves")]
    assert own == kept()
    assert state.units["hydran-F10-PF2"].hex == "0607"


@pytest.mark.rule("cutler", "2.2", "2.4.1.5", "2.10")
def test_own_moves_name_a_base_in_tow_and_no_fleet_of_a_partner(kept: Kept) -> None:
    """The Lyran goes along as one force with the Hydran, and reads of itself alone."""
    text = "turn 1 impulse 2\nhydran base 0404 Dock[type=FRD]\nhydran F1 0404 CA[tractors=1] course 0405\n"
    state = world(f"{text}lyran F1 0404 CC course 0405\nklingon F1 0902 CC\ntogether hydran lyran")
    state.units["hydran-F1-CA"].take_in_tow(["hydran-base-0404"])
    movement.execute_moves(table := table_of(state))
    own = [(one.to, one.text) for one in table.shared.reports if not one.is_public()]
    assert own == kept()


@pytest.mark.rule("cutler", "2.5", "2.2")
def test_a_move_that_is_called_off_is_told_with_whose_it_was(kept: Kept) -> None:
    """A frigate commands three others: F1 and F2 together would be five."""
    text = "turn 1 impulse 2\nhydran F1 0404 FF+FF+FF course 0405\nhydran F2 0505 FF+FF course 0405\nlyran F1 0902 CC"
    table = moved(text)
    assert [(one.to, one.text) for one in table.shared.reports] == kept()
    assert any("called off" in alert for alert in table.state.empires["hydran"].alerts)
