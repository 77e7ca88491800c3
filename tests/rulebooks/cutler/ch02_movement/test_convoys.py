"""Chapter 2.7: convoys of freighters and Q-ships, from where they embark to where they are bound."""

from collections.abc import Mapping
from typing import Any

import pytest

from map_render.drawing.theme import DEFAULT
from map_render.words import describe
from rules_engine.core.knowledge.views import Knowledge, SideView
from rules_engine.rulebooks.cutler.boards import side_board
from rules_engine.rulebooks.cutler.ch02_movement.convoys import under_way
from rules_engine.rulebooks.cutler.ch02_movement.convoys.shown import (
    convoy_counters,
    convoy_courses,
    convoy_keys,
    convoy_panel,
)
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves, paces, stacked
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.escape import escape_modifiers
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.economy import BaseSite
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.records.shipping.convoys import PlottedConvoy
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import impulse_steps, turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, refusals, table_of, world

W = "hydran-waits-"
FL, FL2, FS, FS2, QL, QL2, QS = (f"{W}{code}" for code in ("FL", "FL2", "FS", "FS2", "QL", "QL2", "QS"))
PORTS = "planet capital 0302 hydran home\nplanet minor 0307 hydran front\n"
FIGHT = {"force": {"card": "combat"}}


def sail(turn: Any) -> None:
    """The movement of an impulse."""
    under_way.set_out(turn)
    execute_moves(turn, under_way.convoy_moves(turn.state))
    under_way.arrive(turn)
    assert defects(turn.state) == []


def impulses(state: CutlerState, numbers: range, dice: Mapping[str, list[int]] | None = None) -> dict[int, str]:
    """Where the first Hydran convoy's first unit is after each of these impulses of movement alone."""
    found: dict[int, str] = {}
    first = next(key for key in sorted(state.units) if key.startswith("hydran-V1"))
    for state.impulse in numbers:
        sail(table_of(state, dice))
        found[state.impulse] = state.units[first].hex
    return found


def fates(ask: Any, lines: Mapping[str, Mapping[str, Any]]) -> Any:
    """A battle's result: these units fare so, by their names, and all others are as before."""
    sheet = ask.form.prefilled()
    for line in ask.form.lines:
        for name, fate in lines.items():
            if f" {name} (" in line.label:
                sheet[line.key] |= fate
    return sheet


# --- the printed example ---------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "2.7", "2.7.1", "2.7.3")
def test_the_printed_convoy_plays_through_as_printed() -> None:
    # From the starbase in 0302 straight to the planet in 0307, but for a detour around the nebula in 0304.
    state = world(
        f"turn 0\n{PORTS}hydran base 0302\nnebula 0304\nhydran waits 0302 FL+FL+FS+FS+QL+QL+QS\nhydran F1 0101 FF\n"
        "klingon F1 0404 CA\nklingon F2 0305 CA\nlyran F1 1101 CC"
    )
    ships = [FL, FL2, FS, FS2, QL, QS]
    route = "0303 0403 0404 0305"
    # The most are one large and one small Q-ship.
    state.turn = 1
    many = {"E0302": {"ships": [*ships, QL2], "to": "0307", "course": route}}
    assert refusals(turn_ask(state, "hydran"), many) == [("E0302.ships", "2.7.3, CU-R42")]
    state.turn = 0
    sheet = {"E0302": {"ships": ships, "to": "0307", "course": route}}
    crippled = {"Hydran Waits Fs": {"fate": "damaged", "warp_lost": 2}}
    turn = table_of(state)
    answers = {("turn", "hydran"): sheet, ("card", "klingon"): FIGHT, ("battle", ""): lambda a: fates(a, crippled)}
    Run(turn, turn_steps(turn), answers)
    # It set off at a speed of 3, and is caught in 0404 with its third move.
    convoy = state.convoys["hydran/V1"]
    assert (convoy.at, convoy.course) == ("0404", ["0305", "0306", "0307"])
    assert state.units[FS].warp_ok == 4  # a third of its 6 is lost
    assert paces(state)[FL] == 2
    # It goes on at a speed of 2, its moves being in impulses 3 and 6, and is caught again in 0305.
    lost = {name: {"fate": "destroyed"} for name in ("Hydran Waits Fs", "Hydran Waits Fs2", "Hydran Waits Fl2")}
    state.units["klingon-F1-CA"].hex = "0909"
    for number in range(1, 4):
        state.turn, state.impulse = 2, number
        turn = table_of(state)
        met = {("card", "klingon"): FIGHT, ("battle", ""): lambda a: fates(a, lost)}
        Run(turn.at("I"), impulse_steps(turn, number), met)
        assert state.units[FL].hex == ("0305" if number == 3 else "0404")
    assert [unit.id for unit in state.alive("hydran") if unit.id in convoy.units] == [FL, QL, QS]
    # One of the Q-ships returns to the starbase, the other goes on with the freighter, both at a speed of 3 again.
    run = Run(turn := table_of(state), impulse_steps(turn, 4), {})
    back = state.convoys["hydran/V2"]
    assert "returns to 0302" in run.texts("hydran")
    assert (convoy.units, convoy.at, convoy.course) == ([FL, QS], "0306", ["0307"])
    assert (back.units, back.kind, back.at, back.course) == ([QL], "return", "0304", ["0303", "0302"])


# --- speed and delay -------------------------------------------------------------------------------------------------


@cases("case, proves, text, number, dice, places, left", "places, left")
def test_where_a_convoy_is_after_each_impulse(text: str, number: int, dice: Any, places: str, left: list[str]) -> None:
    state = world(f"turn 1; {text}")
    assert " ".join(impulses(state, range(1, number + 1), dice).values()) == places
    waiting = under_way.waiting(state, "hydran")
    waits = [f"{place} waits {' '.join(one.id for one in there)}" for place, there in waiting.items()]
    assert [*(f"{name} {said}" for name, said in under(state).items()), *waits] == left
    assert state.empires["hydran"].alerts == []  # nothing is to be plotted, and others would see that it is asked


@pytest.mark.rule("cutler", "2.7", "3.4.5.4")
def test_none_of_a_slow_convoy_had_an_opportunity_where_it_did_not_move() -> None:
    # So who is driven off there in impulse 4 goes back to where all came from.
    slow = world("turn 1\nhydran V1 0302 FL+FL[warp=8] course 0402 0502 0602 0702")
    impulses(slow, range(1, 5))
    assert {unit.last_opportunity and unit.last_opportunity.impulse for unit in slow.alive()} == {3}


@pytest.mark.rule("cutler", "2.7.1", "2.7.2")
def test_who_has_no_engines_sails_nowhere_and_from_a_place_that_was_lost_one_may() -> None:
    state = world(f"turn 1\n{PORTS}hydran waits 0302 FL[warp=0,imp=0]")
    sheet = {"E0302": {"ships": [FL], "to": "0307"}}
    assert ("E0302.ships", "2.4.1.6, CU-R41") in refusals(plot_ask(state, "hydran"), sheet)
    state = world(f"turn 1\n{PORTS}hydran waits 0307 FL")
    state.planets["front"].owner = "lyran"
    assert refusals(plot_ask(state, "hydran"), {"E0307": {"to": "0302"}}) == []


@pytest.mark.rule("cutler", "2.7.2", "2.5")
def test_overstacking_calls_off_ships_and_no_convoy(kept: Kept) -> None:
    # A frigate commands 4 ships in all; five that would meet in 0402 stay where they are.
    state = world("turn 1\nhydran V1 0302 FL course 0402\nhydran F1 0401 FF+FF+FF+FF+FF course 0402")
    assert stacked(state.alive()) == 5  # no freighter among them
    state.impulse = 2
    execute_moves(table_of(state), under_way.convoy_moves(state))
    assert {key: unit.hex for key, unit in state.units.items() if "FF" not in key or key.endswith("FF")} == kept()


# --- Q-ships ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "2.7.3", "2.7.4")
def test_q_ships_without_freighters_return_each_at_its_own_speed_and_wait() -> None:
    state = world(f"turn 1\n{PORTS}hydran V1 0302 FL+FL+QL[warp=8]+QS course 0303 0304 0305 0306 0307")
    impulses(state, range(1, 7))  # at a speed of 2: in 0304
    for key in ("hydran-V1-FL", "hydran-V1-FL2"):
        state.units[key].destroyed = True
    for unit in state.alive():
        unit.hexes_moved = 0
    state.turn = 2
    state.impulse = 2
    turn = table_of(state)
    under_way.set_out(turn)
    execute_moves(turn, under_way.convoy_moves(state))
    assert [state.units[key].hex for key in ("hydran-V1-QL", "hydran-V1-QS")] == ["0304", "0303"]
    for number in (3, 4):
        state.impulse = number
        sail(turn)
    assert [state.units[key].hex for key in ("hydran-V1-QL", "hydran-V1-QS")] == ["0303", "0302"]
    assert [unit.id for unit in under_way.waiting(state, "hydran")["0302"]] == ["hydran-V1-QS"]


@pytest.mark.rule("cutler", "2.7.3")
def test_the_owner_says_which_q_ship_turns_back(kept: Kept) -> None:
    text = f"turn 1\n{PORTS}hydran V1 0304 FL+QL+QS course 0305 0306 0307\nlyran F1 1101 CC"
    assert refusal_words(plot_ask(world(text), "hydran"), {"V1": {"back": ["hydran-V1-FL"]}}) == kept()
    for named, stays in (([], "hydran-V1-QS"), (["hydran-V1-QS"], "hydran-V1-QL")):
        state = world(text)
        state.empires["hydran"].asking = "each"
        state.impulse = 2
        Run(turn := table_of(state), impulse_steps(turn, 2), {("plot", "hydran"): {"V1": {"back": named}}})
        assert state.convoys["hydran/V1"].units == ["hydran-V1-FL", stays]


@pytest.mark.rule("cutler", "2.7.4")
def test_q_ships_defend_the_place_where_they_wait_and_sail_nowhere_alone(kept: Kept) -> None:
    state = world(f"turn 1 impulse 1\n{PORTS}hydran base 0302 Rock\nhydran waits 0302 QL\nlyran F1 0302 CC")
    sheet = {"E0302": {"ships": [QL], "to": "0307"}}
    assert refusal_words(plot_ask(state, "hydran"), sheet) == kept()
    assert plot_ask(state, "hydran").form.line("E0302").filled_in()["ships"] == []
    run = Run(turn := table_of(state), combat_phase_steps(turn), {("card", "lyran"): FIGHT})
    battle = next(ask for ask in run.asks if ask.kind == "battle")
    assert any("Hydran Waits Ql" in line.label for line in battle.form.lines)


@pytest.mark.rule("cutler", "2.7.1", "2.4.1.9")
def test_who_embarks_in_dust_pays_for_it_together() -> None:
    state = world("turn 1\ndust 0302\nplanet minor 0302 hydran\nplanet minor 0402 hydran\nhydran waits 0302 FL+FS")
    state.units[FS].dust_paid = True
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"E0302": {"to": "0402"}}))
    state.impulse = 2
    execute_moves(table_of(state), under_way.convoy_moves(state))
    assert {unit.hex for unit in state.alive()} == {"0302"}


# --- driven off, captured, escorted ----------------------------------------------------------------------------------
@cases("text, course")
def test_freighters_that_disengage_leave_and_come_back(text: str, course: list[str]) -> None:
    state = world(f"turn 1 impulse 1\nplanet minor 0305 hydran\n{text}\nlyran F1 0403 CC")
    turn = table_of(state, {"retreat": [1]})
    gone = {"Hydran V1 Fl": {"fate": "disengaged"}, "Hydran V1 Fs": {"fate": "disengaged"}}
    gone |= {name.replace("V1", "Waits"): fate for name, fate in gone.items()}
    Run(turn, combat_phase_steps(turn), {("card", "lyran"): FIGHT, ("battle", ""): lambda ask: fates(ask, gone)})
    assert {unit.retreat_hex for unit in state.alive("hydran")} == {"0402"}
    for number in range(1, 3):
        state.impulse = number
        sail(turn)
    assert {unit.hex for unit in state.alive("hydran")} == {"0402"}
    (convoy,) = state.convoys.values()
    assert (convoy.units, convoy.course) == (sorted(unit.id for unit in state.alive("hydran")), course)


@pytest.mark.rule("cutler", "2.7.1", "3.4.5.4")
def test_a_freighter_that_was_driven_off_and_lost_its_engines_stays_without_a_word() -> None:
    state = world("turn 1 impulse 1\nhydran waits 0403 FL[warp=0,imp=0]+FS\nlyran F1 1101 CC")
    for unit in state.alive("hydran"):
        unit.retreat_hex = "0402"
    turn = table_of(state)
    for state.impulse in (2, 3):
        sail(turn)
    assert {key: unit.hex for key, unit in state.units.items()} == {FL: "0403", FS: "0402", "lyran-F1-CC": "1101"}
    told = [(report.to, report.text) for report in turn.shared.reports]
    assert (told, state.empires["hydran"].convoys_named) == ([(("hydran",), "Your moves: V1 0403→0402.")], 1)


@pytest.mark.rule("cutler", "2.7", "5.1")
def test_captured_freighters_wait_where_they_are_and_may_be_brought_in(kept: Kept) -> None:
    state = world("turn 1 impulse 1\nplanet minor 0902 lyran\nhydran V1 0602 FL+QL course 0702\nlyran F1 0602 CC")
    turn = table_of(state)
    taken = {"Hydran V1 Fl": {"fate": "captured"}, "Hydran V1 Ql": {"fate": "captured"}}
    Run(turn, combat_phase_steps(turn), {("card", "lyran"): FIGHT, ("battle", ""): lambda ask: fates(ask, taken)})
    assert (state.convoys, defects(state)) == ({}, [])
    # The weapons of a captured Q-ship are barred, so that it sails as a freighter.
    assert refusals(plot_ask(state, "lyran"), {"E0602": {"to": "0902", "ships": ["hydran-V1-QL"]}}) == []
    assert refusals(plot_ask(state, "lyran"), {"E0602": {"to": "0902"}}) == []
    # At a port it still does, though a Q-ship of one's own may not sail alone.
    prize = state.units["hydran-V1-QL"]
    prize.hex = "0902"
    state.planets |= world("planet minor 1004 lyran").planets
    alone = {"E0902": {"to": "1004", "ships": [prize.id]}}
    assert refusals(plot_ask(state, "lyran"), alone) == []
    prize.captured_from = ""
    assert refusal_words(plot_ask(state, "lyran"), alone) == kept()


@pytest.mark.rule("cutler", "2.7.3")
def test_a_q_ship_that_sailed_from_no_port_goes_on_when_its_freighter_is_lost() -> None:
    state = world("turn 1 impulse 1\nplanet minor 0305 hydran\nhydran waits 0302 FL+QL\nlyran F1 1101 CC")
    sheet = FleetPlots.model_validate({"E0302": {"to": "0305", "ships": [FL, QL]}})
    assert refusals(plot_ask(state, "hydran"), {"E0302": {"to": "0305", "ships": [FL, QL]}}) == []
    carry_out_plot(state, "hydran", sheet)
    state.units[FL].destroyed = True
    Run(table := table_of(state), impulse_steps(table, 2), {})
    (convoy,) = state.convoys.values()
    assert (convoy.kind, convoy.at, convoy.course) == ("return", "0303", ["0304", "0305"])


@pytest.mark.rule("cutler", "2.7.5", "2.6.2")
def test_an_escort_of_ships_shows_a_counter_and_a_convoy_none() -> None:
    text = "turn 1 impulse 1\nhydran V1 0302 FL+QL course 0402"
    assert world(text).counters() == []
    escorted = world(f"{text}\nhydran F1 0302 FF")
    assert escorted.counters() == [("hydran", "0302")]
    # Ships are under no restriction: as many as one likes escort one freighter, and they may leave it.
    assert refusals(plot_ask(escorted, "hydran"), {"F1": {"course": "0101"}}) == []
    turn = table_of(escorted)
    escorted.impulse = 2
    escorted.fleet("hydran", "F1").course = ["0402"]
    execute_moves(turn, under_way.convoy_moves(escorted))
    assert "Hydran CU 0302→0402" in "\n".join(report.text for report in turn.shared.reports)
    assert {unit.hex for unit in escorted.alive()} == {"0402"}


@pytest.mark.rule("cutler", "3.3.7.1")
def test_freighters_that_run_count_as_ships_and_are_slow() -> None:
    state = world("hydran V1 0302 FL+FS course 0402\nlyran F1 0302 CC")
    runs, hunts = state.alive("hydran"), state.alive("lyran")
    assert escape_modifiers(state, "0302", runs, hunts) == {"2 ships escaping": 1, "slow escapers": 3}


@pytest.mark.rule("cutler", "2.4.1.1", "2.6.1", "2.6.3")
def test_auxiliaries_are_as_slow_as_freighters_but_counters_plotted_in_each_impulse(kept: Kept) -> None:
    state = world("turn 1 impulse 2\nhydran F1 0302 AUX course 0402\nlyran F1 1101 CC")
    assert (state.counters(), state.convoys) == ([("hydran", "0302"), ("lyran", "1101")], {})
    assert refusals(plot_ask(state, "hydran"), {"F1": {"course": "0303"}}) == []
    turn = table_of(state)
    execute_moves(turn, under_way.convoy_moves(state))
    assert [report.text for report in turn.shared.reports if report.is_for("lyran")] == kept()
    state.impulse = 3  # a speed of 3 has no move there
    state.fleet("hydran", "F1").course = ["0502"]
    execute_moves(turn, under_way.convoy_moves(state))
    assert state.units["hydran-F1-AUX"].hex == "0402"


# --- cargo -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.1.6.1", "4.1.5", "2.7")
@pytest.mark.parametrize(("unload", "aboard", "ashore"), [(None, 0, 20), (False, 20, 0)])
def test_a_convoy_takes_cpv_to_another_base(unload: bool | None, aboard: int, ashore: int) -> None:
    state = world(
        "turn 0\nplanet capital 0302 hydran\nhydran base 0302 Home\nhydran base 0303 Midway\nhydran base 0304 Post\n"
        "hydran waits 0302 FL\nlyran F1 1101 CC\nklingon F1 1109 CA"
    )
    state.units["hydran-base-0302"].cargo_cpv = 30
    sheet = {"L1": {"carry": 20}, "E0302": {"to": "0304", "unload": unload}}
    Run(turn := table_of(state), turn_steps(turn), {("turn", "hydran"): sheet})
    assert (state.units[FL].hex, state.units[FL].cargo_cpv) == ("0304", aboard)
    stored = {key: state.units[f"hydran-base-{key}"].cargo_cpv for key in ("0302", "0303", "0304")}
    assert stored == {"0302": 10, "0303": 0, "0304": ashore}  # what it passes on the way gets nothing


@pytest.mark.rule("cutler", "4.1.8")
def test_cpv_are_lost_with_the_boxes_of_a_freighter() -> None:
    state = world("turn 1 impulse 1\nhydran V1 0602 FL+FL course 0702\nlyran F1 0602 CC")
    for key in ("hydran-V1-FL", "hydran-V1-FL2"):
        state.units[key].cargo_cpv = 25
    hit = {"Hydran V1 Fl": {"fate": "damaged", "cargo_lost": 10}, "Hydran V1 Fl2": {"fate": "destroyed"}}
    turn = table_of(state)
    Run(turn, combat_phase_steps(turn), {("card", "lyran"): FIGHT, ("battle", ""): lambda ask: fates(ask, hit)})
    assert [state.units[key].cargo_cpv for key in ("hydran-V1-FL", "hydran-V1-FL2")] == [15, 0]
    tidy_fleets(state)
    assert state.convoys["hydran/V1"].units == ["hydran-V1-FL"]


def test_freighters_that_wait_are_no_convoy_on_maps():
    state = world("planet minor 0101 hydran rock\nhydran waits 0101 FL+FS\nlyran F1 0902 CC")
    board = side_board(state, "hydran", Knowledge())
    (counter,) = [one for one in board.counters if one.id == "E0101"]
    assert (counter.form, counter.label, counter.sub) == ("freighters", "Freighters", "2 waiting")
    assert DEFAULT.form_look(counter.form).glyph == "convoy"
    assert "Freighters at 0101, 2 waiting" in describe(SideView(side="hydran", board=board))


# --- on both sides of each bound -------------------------------------------------------------------------------------
V1 = "hydran/V1"


def told(turn: Any, side: str = "hydran") -> list[str]:
    return [one.text for one in turn.shared.reports if one.is_for(side)]


def under(state: CutlerState) -> dict[str, str]:
    """Each convoy's kind, ships, place, point of embarkation and course."""
    return {
        f"{one.race} {one.key}": f"{one.kind} {'+'.join(key.rsplit('-')[-1] for key in one.units)} at {one.at} "
        f"from {one.embarked}: {' '.join(one.course)}"
        for race in state.races()
        for one in under_way.convoys_of(state, race)
    }


def test_convoys_come_in_the_order_of_their_numbers() -> None:
    state = world("hydran V1 0302 FL course 0402\nhydran V2 0302 FL course 0402\nlyran V1 0302 FL course 0402")
    state.convoys["hydran/V10"] = state.convoys.pop(V1)
    state.convoys["hydran/V10"].key = "V10"
    assert [one.key for one in under_way.convoys_of(state, "hydran")] == ["V2", "V10"]
    assert [one.key for one in under_way.convoys_of(state, "lyran")] == ["V1"]


@pytest.mark.rule("cutler", "2.7")
def test_where_freighters_may_sail_to() -> None:
    state = world(
        "turn 1 impulse 1\nplanet minor 0307 lyran\nplanet minor 0101 hydran\nhydran base 0504\nlyran base 0608\n"
        "hydran base 0606 Rig[type=BLM]\nhydran base 0707 Dock[type=BLM]\nhydran F1 0707 CA[tractors=1]\n"
        "hydran police 0808"
    )
    state.units["hydran-F1-CA"].towing = ["hydran-base-0707"]
    for race, hex_id in (("hydran", "0406"), ("lyran", "0407")):
        site = BaseSite(key=race, race=race, hex=hex_id, into=kind_of("base"), named="Reef", cost=100, set_aside=100)
        state.sites[site.key] = site
    # Any planet, and of its own race bases that stand there, and sites.
    assert under_way.ports(state, "hydran") == ["0101", "0307", "0406", "0504", "0606"]
    assert under_way.ports(state, "lyran") == ["0101", "0307", "0407", "0608"]


@cases("ships, most")
def test_one_q_ship_for_every_two_freighters_of_its_size(ships: str, most: tuple[int, int]) -> None:
    assert under_way.escorts_allowed(world(f"hydran waits 0302 {ships}").alive()) == dict(
        zip(("large", "small"), most, strict=True)
    )


@cases("ships, most")
def test_no_two_q_ships_escort_one_freighter(ships: str, most: int) -> None:
    assert under_way.too_many_escorts(world(f"hydran waits 0302 {ships}").alive()) == most


@cases("ships, forced, left, said")
def test_who_sets_out_who_turns_back_and_who_is_left_behind(ships, forced, left, said):
    state = world(f"turn 1 impulse 2\n{PORTS}hydran V1 0302 {ships} course 0402 0502")
    for unit in state.alive():
        unit.retreat_hex = forced
    turn = table_of(state)
    under_way.set_out(turn)
    assert (under(state), told(turn), told(turn, "lyran")) == (left, said, [])


@pytest.mark.rule("cutler", "2.7.3")
def test_a_q_ship_that_was_driven_off_where_it_embarked_comes_back_there() -> None:
    state = world(f"turn 1 impulse 2\n{PORTS}hydran V1 0302 FL+QL+QS course 0402 0502")
    state.units["hydran-V1-QL"].retreat_hex = "0303"
    ways = []
    for state.impulse in (2, 4):
        turn = table_of(state)
        under_way.set_out(turn)
        execute_moves(turn, under_way.convoy_moves(state))
        ways.append(state.units["hydran-V1-QL"].hex)
        under_way.arrive(turn)
    assert ways == ["0303", "0302"]
    assert [unit.id for unit in under_way.waiting(state, "hydran")["0302"]] == ["hydran-V1-QL"]


@pytest.mark.rule("cutler", "2.7.1", "3.4.5.4")
def test_who_waits_and_is_driven_off_sails_also_with_impulse_engines_alone(kept: Kept) -> None:
    state = world("turn 1 impulse 1\nhydran waits 0403 FL[warp=0]+FS+QL+FL[warp=0,imp=0]")
    for key, goal in ((FL, "0402"), (FS, "0402"), (QL, "0503"), (FL2, "0402")):
        state.units[key].retreat_hex = goal
    under_way.set_out(table_of(state))
    assert under(state) == kept()


@cases("ships, impulse, forced, goals")
def test_a_convoy_moves_together_or_not_at_all(ships: str, impulse: int, forced: str, goals: dict[str, str]) -> None:
    state = world(f"turn 1 impulse {impulse}\nhydran V1 0302 {ships} course 0402 0502")
    state.units["hydran-V1-FS"].retreat_hex = forced
    assert under_way.convoy_moves(state) == {f"hydran-V1-{key}": goal for key, goal in goals.items()}


@cases("hexes, left")
def test_a_convoy_that_parts_goes_on_to_where_it_was_bound(hexes: str, left: dict[str, str]) -> None:
    state = world("turn 1 impulse 2\nhydran V1 0302 FL+FL+FS course 0402 0502")
    state.convoys[V1].embarked, state.convoys[V1].back = "0205", ["x"]
    for unit, hex_id in zip(state.alive(), hexes.split(), strict=True):
        unit.hex, unit.destroyed = hex_id, hex_id == "gone"
    under_way.tidy_convoys(state)
    assert under(state) == {f"hydran {key}": said for key, said in left.items()}
    assert [one.back for one in state.convoys.values()] == [["x"]] * len(left)


@cases("kind, course, left")
def test_who_is_thrown_off_its_plot_sails_back_to_it_or_straight_to_its_goal(kind: Any, course: str, left: str) -> None:
    state = world("turn 1 impulse 2\nhydran V1 0302 FL course 0402")
    convoy = state.convoys[V1]
    convoy.kind, convoy.course, convoy.embarked = kind, course.split(), "0304"
    state.units["hydran-V1-FL"].hex = "0202"
    under_way.tidy_convoys(state)
    assert (convoy.at, convoy.course) == ("0202", left.split())


@pytest.mark.rule("cutler", "2.7", "2.7.2", "2.8", "3.4.5.4")
def test_who_has_come_to_the_end_of_its_plot_and_need_not_leave_is_there(kept: Kept) -> None:
    state = world(
        "turn 1 impulse 2\nhydran V1 0302 FL+FS course 0402\nhydran V2 0302 FL course 0402\nhydran police 0302"
    )
    state.convoys[V1].course = []
    state.convoys["hydran/V3"] = PlottedConvoy(
        key="V3", race="hydran", kind="police", units=["hydran-police-0302"], at="0302", embarked="0302", course=[]
    )
    state.units["hydran-V1-FS"].retreat_hex = state.units["hydran-V1-FL"].retreat_hex = "0303"
    turn = table_of(state)
    under_way.arrive(turn)
    state.units["hydran-V1-FS"].retreat_hex = state.units["hydran-V1-FL"].retreat_hex = ""
    under_way.arrive(turn)
    assert told(turn) == kept()
    assert [one.why.rule for one in turn.shared.reports if one.why] == ["2.8, CU-R43", "2.7, 2.7.2, CU-R40"]
    assert list(state.convoys) == ["hydran/V2"]


@pytest.mark.rule("cutler", "2.7.1")
def test_convoys_are_announced_race_by_race_where_they_are_and_police_is_not() -> None:
    state = world(
        "turn 1 impulse 1\nhydran V1 0404 FL course 0405\nhydran V2 0404 FS course 0405\nlyran V1 0404 QL course 0405\n"
        "klingon V1 0405 FL course 0406\nklingon police 0404\nklingon F1 0404 CA"
    )
    state.convoys["klingon/V2"] = PlottedConvoy(
        key="V2", race="klingon", kind="police", units=["klingon-police-0404"], at="0404", embarked="0404", course=[]
    )
    turn = table_of(state)
    under_way.announce_convoys(turn, "0404", ["hydran", "lyran", "klingon"])
    under_way.announce_convoys(turn, "0404", ["hydran", "klingon"])
    hydran, lyran = (f"The {name} announces a convoy in 0404." for name in ("Hydran", "Lyran"))
    assert {side: told(turn, side) for side in state.races()} == {
        "hydran": [hydran, lyran, hydran],
        "lyran": [hydran, lyran],
        "klingon": [hydran, lyran, hydran],
    }


def test_what_the_owner_sees_of_its_convoys(kept: Kept) -> None:
    state = world(
        "turn 1 impulse 1\nhydran V1 0404 FL+FS[warp=4] course 0405 0406 0407\nhydran V2 0505 FL course 0506\n"
        "hydran V3 0606 FL+FS course 0607\nhydran police 0303\nhydran waits 0202 FL+FL\nhydran waits 0101 FS\n"
        "lyran V1 0404 FL course 0405\nlyran waits 0202 FL"
    )
    state.convoys["hydran/V4"] = PlottedConvoy(
        key="V4", race="hydran", kind="police", units=["hydran-police-0303"], at="0303", embarked="0303",
        course=["0304"],
    )  # fmt: skip
    state.units["hydran-V2-FL"].destroyed = state.units["hydran-V3-FS"].destroyed = True  # in this phase
    state.units["hydran-V3-FL"].retreat_hex = "0605"

    def short(unit: Any) -> str:
        return unit.id.rsplit("-", maxsplit=1)[-1]

    assert [(one.id, one.hex, one.sub, one.details, one.ships) for one in convoy_counters(state, "hydran", short)] == [
        ("V1", "0404", "speed 2", ("FL", "FS"), 2), ("V3", "0606", "speed 3", ("FL",), 1),
        ("E0101", "0101", "1 waiting", ("FS",), 1), ("E0202", "0202", "2 waiting", ("FL", "FL2"), 2),
    ]  # fmt: skip
    assert [(one.counter, one.hexes, one.stages) for one in convoy_courses(state, "hydran")] == kept("#2")
    (panel,) = convoy_panel(state, "hydran", short)
    assert panel.rows == kept()
    assert convoy_panel(state, "klingon", short) == convoy_courses(state, "klingon") == []
    lines = {
        key.rsplit("-", maxsplit=1)[-1]: line for key, line in convoy_keys(state, "hydran").items() if "waits" in key
    }
    assert lines == {"FL": "E0202", "FL2": "E0202", "FS": "E0101"}
    state.convoys["hydran/V1"].course = []
    assert convoy_panel(state, "hydran", short)[0].rows[0] == "V1 at 0404: FL; FS"
    assert [one.counter for one in convoy_courses(state, "hydran")] == ["V3", "own/hydran-police-0303"]
