"""Chapter 2: movement on both sides of each bound: speeds, stacking, forced moves, fleets that part, and counters."""

import pytest

from rules_engine.core.knowledge.glance import Stage
from rules_engine.rulebooks.cutler.ch02_movement import movement
from rules_engine.rulebooks.cutler.ch02_movement.convoys.under_way import convoy_moves
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets, watch_counters
from rules_engine.rulebooks.cutler.ch02_movement.passage import note_passages, owner_by_passage
from rules_engine.rulebooks.cutler.ch02_movement.stages import stages_of_course
from rules_engine.rulebooks.cutler.records.parts.craft import squadron
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.worlds import table_of, world

CA, DD, FF = (f"hydran-F1-{code}" for code in ("CA", "DD", "FF"))


def moved(state: CutlerState, **sailing: str) -> CutlerTurn:
    """The table after one movement phase."""
    turn = table_of(state)
    movement.execute_moves(turn, sailing)
    tidy_fleets(state)
    return turn


# --- speed -----------------------------------------------------------------------------------------------------------
@cases("ship, sublight, derelict")
def test_who_is_sublight_and_who_is_a_derelict(ship, sublight, derelict) -> None:
    (unit,) = world(f"hydran F1 0404 {ship}").alive()
    assert (movement.is_sublight(unit), movement.is_derelict(unit)) == (sublight, derelict)


@pytest.mark.rule("cutler", "2.4.1.3", "2.4.1.6")
def test_a_base_is_neither() -> None:
    (base,) = world("hydran base 0404").alive()
    for base.impulse_ok in (0, 1):
        assert (movement.is_sublight(base), movement.is_derelict(base), movement.top_speed(base)) == (False, False, 0)


@pytest.mark.rule("cutler", "2.4", "3.3.7.5", "2.4.1.2", "2.4.1.7")
def test_fighters_are_slower_on_a_sortie_and_who_was_cloaked_is_no_faster_than_it_is() -> None:
    assert [movement.top_speed(squadron("x", "hydran", "x", "0404", {}, origin=one)) for one in ("", "0403")] == [6, 5]
    limits = {}
    for ship in ("MON", "CA", "PF"):
        (unit,) = world(f"hydran F1 0404 {ship}[cloak=down]").alive()
        limits[ship] = [movement.turn_limit(unit) for unit.was_cloaked in (False, True)]
    assert limits == {"MON": [2, 2], "CA": [6, 4], "PF": [2, 2]}
    assert movement.fleet_speed([]) == 0


@cases("held, turn, forced, kept")
def test_a_delayed_survey_keeps_a_ship_for_its_turn_alone(held, turn, forced, kept) -> None:
    (unit,) = world("hydran F1 0404 CA").alive()
    unit.held_turn, unit.retreat_hex = held, forced
    assert movement.is_held(unit, turn) is kept


@cases("ship, impulses")
def test_the_halved_speed_is_rounded_down_and_at_least_one(ship, impulses) -> None:
    state = world(f"hydran F1 0404 {ship}\nunsurveyed 0405")
    (unit,) = state.alive()
    for unit.hex, goal in (("0404", "0405"), ("0405", "0404")):
        assert [impulse for impulse in range(1, 7) if movement.may_enter(state, unit, goal, impulse)] == impulses
    # As many hexes as the halved speed has impulses: the last of them is still made, none more.
    unit.hexes_moved = len(impulses) - 1
    assert movement.may_enter(state, unit, "0404", 6)
    unit.hexes_moved = len(impulses)
    assert not movement.may_enter(state, unit, "0404", 6)


@pytest.mark.rule("cutler", "9.3", "2.7.1")
def test_a_convoy_is_as_slow_in_unsurveyed_space() -> None:
    # Three hexes a turn, of which half is one: in impulse 6.
    state = world("turn 1\nunsurveyed 0402\nhydran V1 0302 FL+FS course 0402 0502")
    turn, at = table_of(state), []
    for state.impulse in range(1, 7):
        movement.execute_moves(turn, convoy_moves(state))
        at.append({unit.hex for unit in state.alive()})
    assert at == [{"0302"}] * 5 + [{"0402"}]


@pytest.mark.rule("cutler", "2.4.1.8", "3.4.5.4")
def test_an_express_ship_makes_one_step_of_a_course_of_one_hex_and_of_a_forced_move() -> None:
    one = world("turn 1 impulse 1\nhydran F1 0301 FF[mark=express] course 0302")
    forced = world("turn 1 impulse 1\nhydran F1 0301 FF[mark=express] course 0302 0303")
    forced.units[FF].retreat_hex = "0302"
    for state, left in ((one, []), (forced, ["0303"])):
        moved(state)
        assert (state.units[FF].hex, state.units[FF].hexes_moved, state.fleets["hydran/F1"].course) == ("0302", 1, left)


# --- stacking --------------------------------------------------------------------------------------------------------


@cases("text, limit, count")
def test_how_many_may_be_in_a_hex_and_how_many_count(text, limit, count) -> None:
    state = world(text)
    here = state.units_in("0404", "hydran")
    assert (movement.stack_limit(state, "hydran", "0404", here), movement.stacked(here)) == (limit, count)


@pytest.mark.rule("cutler", "2.5")
@pytest.mark.parametrize(("more", "count"), [(0, 3), (1, 3), (2, 4), (3, 5)])
def test_of_police_ships_one_does_not_count(more: int, count: int) -> None:
    state = world("hydran F1 0404 FF+AUX+MON+PF\nhydran base 0404")
    police = world("hydran police 0404").alive()
    assert movement.stacked([*state.alive(), *police * more]) == count
    assert (movement.stacked([]), movement.command_limit([])) == (0, 1)


@pytest.mark.rule("cutler", "2.5")
@pytest.mark.parametrize(("number", "there", "ends"), [(8, "lyran base 0404", "0404"), (9, "lyran base 0404", "0403"),
                                                        (4, "", "0404"), (5, "", "0403")])  # fmt: skip
def test_as_many_as_can_be_commanded_come_and_twice_that_against_a_starbase(number, there, ends) -> None:
    state = world(f"turn 1 impulse 1\n{there}\nhydran F1 0403 {'+'.join(['FF'] * number)} course 0404")
    turn = moved(state)
    assert {unit.hex for unit in state.alive("hydran")} == {ends}
    off = "No move into 0404: that many ships cannot be commanded in one hex. All movers stay where they are."
    own = f"{off} Called off: F1." if ends == "0403" else "Your moves: F1 0403→0404."
    assert combats.told_alone(turn) == {"hydran": [own]}


@pytest.mark.rule("cutler", "2.5", "2.10")
def test_of_a_force_only_who_would_have_moved_is_told_that_it_did_not(kept: Kept) -> None:
    text = "turn 1 impulse 1\nhydran F1 0404 FF+FF+FF\nlyran F1 0403 FF+FF course 0404\nlyran F2 0606 FF course 0607\n"
    state = world(text + "together hydran lyran")
    assert list(combats.told_alone(moved(state))) == ["lyran"]
    assert {race: empire.alerts for race, empire in state.empires.items()} == kept()
    assert [unit.hex for unit in state.alive("lyran")] == ["0403", "0403", "0607"]


# --- moves -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "3.4.5.4", "2.4")
@pytest.mark.parametrize(("forced", "ends"), [("CA", ("0304", "0404")), ("MON", ("0405", "0404"))])
def test_who_must_leave_and_the_rest_of_its_fleet_do_not_wait_for_each_other(forced, ends) -> None:
    # In impulse 1 a monitor has no move.
    state = world("turn 1 impulse 1\nhydran F1 0404 CA+MON course 0405")
    state.units[f"hydran-F1-{forced}"].retreat_hex = "0304"
    movement.execute_moves(table_of(state))
    assert tuple(unit.hex for unit in state.alive()) == ends


@pytest.mark.rule("cutler", "3.4.5.4", "9.2", "2.4.1.9", "2.4.1.10", "2.6.2.1")
def test_a_move_ends_what_kept_a_ship_where_it_was() -> None:
    state = world("turn 1 impulse 2\nhydran F1 0404 CA[moved=1]")
    unit = state.units[CA]
    unit.retreat_hex, unit.held_turn, unit.dust_paid = "0405", 1, True
    unit.nebula_exit, unit.found_by = "0405", ["lyran"]
    moved(state)
    assert (unit.hex, unit.entered_from, unit.hexes_moved, unit.sailed) == ("0405", "0404", 2, True)
    assert (unit.retreat_hex, unit.held_turn, unit.dust_paid, unit.nebula_exit, unit.found_by) == ("", 0, False, "", [])
    assert unit.entered_at == unit.last_opportunity == state.moment()


@pytest.mark.rule("cutler", "2.4.1.9")
def test_dust_is_told_race_by_race_and_hex_by_hex() -> None:
    state = world(
        "turn 1 impulse 1\ndust 0404 0606\nhydran F1 0404 CA+DD course 0405\nhydran F2 0606 FF course 0607\n"
        "hydran F3 0404 MON course 0405\nlyran F1 0404 CC course 0405\nklingon F1 0404 DN\n"
    )
    text = "Dust in {} takes a move to leave. Still there, out with the next move: {}."
    assert combats.told_alone(moved(state)) == {
        "hydran": [
            text.format("0404", "Hydran F1 Ca (CA), Hydran F1 Dd (DD)"),
            text.format("0606", "Hydran F2 Ff (FF)"),
        ],
        "lyran": [text.format("0404", "Lyran F1 Cc (CC)")],
    }
    # Who had no move in this impulse, or did not mean to go, has not paid.
    assert [unit.id for unit in state.alive() if unit.dust_paid] == [CA, DD, "hydran-F2-FF", "lyran-F1-CC"]


@pytest.mark.rule("cutler", "2.6.3", "2.10")
def test_moves_are_announced_by_race_then_from_where_and_a_force_hides_no_others(kept: Kept) -> None:
    state = world(
        "turn 1 impulse 1\nhydran F1 0404 CA course 0304\nhydran F2 0403 DD course 0504\n"
        "hydran F3 0808 CA course 0807\nlyran F1 0808 CC course 0807\nklingon F1 0808 DN course 0807\n"
        "together hydran lyran"
    )
    (public,) = [one.text for one in moved(state).shared.reports if one.is_public()]
    assert public == kept()


# --- fleets ----------------------------------------------------------------------------------------------------------
@cases("hexes, course, fleets")
def test_which_part_of_a_fleet_keeps_its_name_and_its_course(hexes, course, fleets) -> None:
    state = world(f"turn 1 impulse 1\nhydran F1 0404 CA+DD+FF course {course}")
    for unit, hex_id in zip(state.alive(), hexes.split(), strict=True):
        unit.hex = hex_id
    tidy_fleets(state)
    assert {
        fleet.key: f"{' '.join(key.rsplit('-')[-1] for key in fleet.units)}: {' '.join(fleet.course)}"
        for fleet in state.fleets_of("hydran")
    } == fleets
    assert state.empires["hydran"].alerts == [f"{key} parted from F1" for key in list(fleets)[1:]]


@pytest.mark.rule("cutler", "2.2", "3.4.5.4", "2.6.2.1")
def test_ships_part_that_must_go_different_ways_and_take_their_cloaks_along() -> None:
    state = world("turn 1 impulse 1\nhydran F1 0404 CA[cloak=up]+DD[cloak=up]+FF[cloak=up]")
    state.units[CA].retreat_hex = "0405"
    tidy_fleets(state)
    assert [(fleet.units, fleet.cloak) for fleet in state.fleets_of("hydran")] == [([DD, FF], True), ([CA], True)]


@pytest.mark.rule("cutler", "2.2")
def test_lost_ships_are_dropped_and_fleets_without_any() -> None:
    state = world("turn 1 impulse 1\nhydran F1 0404 CA+DD+FF\nhydran F2 0404 CA\nhydran F3 0404 FF")
    state.units[DD].destroyed = state.units["hydran-F2-CA"].destroyed = True
    state.units["hydran-F3-FF"].race = "lyran"
    tidy_fleets(state)
    assert {name: fleet.units for name, fleet in state.fleets.items()} == {"hydran/F1": [CA, FF]}


@cases("at, forced, course, left")
def test_a_course_is_trimmed_as_it_is_made_and_given_up_where_it_cannot_go_on(at, forced, course, left) -> None:
    state = world(f"turn 1 impulse 1\nhydran F1 {at} CA course {course}")
    state.units[CA].retreat_hex = forced
    tidy_fleets(state)
    assert state.fleets["hydran/F1"].course == (left or "").split()
    thrown = ["F1 was thrown off its course and holds"] if left is None else []
    assert state.empires["hydran"].alerts == thrown


@cases("more, alerts")
def test_a_new_counter_within_two_hexes_is_a_reason_to_be_asked_once(more, alerts) -> None:
    state = world(f"turn 1 impulse 1\nhydran F1 0404 CA\n{more}")
    turn, own = table_of(state), state.empires["hydran"]
    watch_counters(turn)
    assert own.alerts == alerts
    watch_counters(turn)
    assert own.alerts == alerts
    for unit in state.alive("lyran"):
        unit.hex = "0909"
    watch_counters(turn)
    for unit in state.alive("lyran"):
        unit.hex = "0405"
    watch_counters(turn)
    together = "together" in more or not state.alive("lyran")
    assert own.alerts == [*alerts, *([] if together else ["a Lyran counter is at 0405"])]


@pytest.mark.rule("cutler", "9.7")
def test_who_has_a_neutral_hex_to_itself_is_the_last_that_moved_through() -> None:
    state = world(
        "turn 1 impulse 1\nunsurveyed 0606\nhydran F1 0404 CA\nhydran F2 0405 CA\nlyran F1 0405 CC\n"
        "klingon F1 0606 DN\nklingon F2 0707 DN\nlyran F2 0808 CC"
    )
    state.territory = {**state.territory, "0707": "hydran"}
    note_passages(state, {"0404", "0405", "0606", "0707", "0909"})
    assert state.last_through == {"0404": "hydran"}
    state.last_through |= {"0606": "klingon", "0707": "klingon"}
    assert [owner_by_passage(state, one) for one in ("0404", "0405", "0606", "0707")] == ["hydran", None, None, None]


# --- where turns end -------------------------------------------------------------------------------------------------
@cases("impulse, has_moved, speed, hexes, stages", "hexes")
def test_where_the_turns_end_on_a_course(impulse, has_moved, speed, hexes, stages) -> None:
    state = world(f"turn 1 impulse {impulse}\nhydran F1 0404 CA")
    unit = state.units[CA]
    if has_moved:
        unit.last_opportunity = state.moment()
    ends = [one.split() for one in stages.split(", ") if one]
    assert stages_of_course(state, unit, speed, hexes) == tuple(Stage(after=int(n), said=t) for n, t in ends)
