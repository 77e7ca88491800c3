"""PFs that are docked on tenders: how they dock and leave, what carries them, who sees them, and what befalls them.

2.4.1.7, 2.6.1, 3.3.7, CU-R23
"""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.boards import side_board
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves, fleet_speed
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch06_espionage.missions import report_success
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.conditions.docking import keep_docked, leave_dock
from rules_engine.rulebooks.cutler.records.state import CutlerState, Mission
from rules_engine.rulebooks.cutler.sequence import close_turn, impulse_steps, turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.armed import files
from tests.rulebooks.cutler.test_docked_pfs_in_play import TENDERS, with_tenders
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, refusals, sees, table_of, world

TENDER, PF, PF2 = "hydran-F1-PFT", "hydran-F1-PF2", "hydran-F1-PF3"  # the second and third whose code begins so
DOCKED = "hydran F1 0404 PFT+PF[dock=PFT]+PF[dock=PFT]"
FIGHT = {"force": {"card": "combat"}}


def plotted(state: CutlerState, **lines: dict[str, Any]) -> CutlerState:
    """The world after a plot sheet of the Hydran's."""
    ask = plot_ask(state, "hydran")
    carry_out_plot(state, "hydran", ask.answer_from(lines))
    assert defects(state) == []
    return state


def moved(state: CutlerState, impulses: int = 1) -> CutlerState:
    """The world after the movement of so many impulses."""
    for _ in range(impulses):
        execute_moves(table_of(state))
        tidy_fleets(state)
        state.impulse += 1
    assert defects(state) == []
    return state


def docked(state: CutlerState) -> dict[str, str]:
    """Who is docked on whom."""
    return {unit.id: unit.docked_at for unit in state.alive() if unit.docked_at}


# --- docking and undocking -------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "2.4.1.7", "2.6.1")
def test_pfs_of_the_hex_dock_on_a_fleet_whose_line_names_them_and_join_it():
    state = world("turn 1 impulse 1\nhydran F1 0404 PFT+PF\nhydran F2 0404 PF+DD\nhydran F3 0505 PF\nlyran F1 0909 CC")
    ask = plot_ask(state, "hydran")
    fields = {line.key: [one for one in line.fields if one.key == "dock"] for line in ask.form.lines[:3]}
    ways = {key: [way.value for one in found for way in one.choices] for key, found in fields.items()}
    assert ways == {"F1": [PF, "hydran-F2-PF"], "F2": [], "F3": []}
    sheet = {"F1": {"dock": [PF, "hydran-F2-PF"], "course": "0405 0406"}}
    assert "docked: Hydran F1 Pf2, Hydran F2 Pf." in ask.read_back(ask.answer_from(sheet))[0]
    plotted(state, **sheet)
    assert [fleet.units for fleet in state.fleets_of("hydran")][:2] == [[TENDER, PF, "hydran-F2-PF"], ["hydran-F2-DD"]]
    assert docked(state) == {PF: TENDER, "hydran-F2-PF": TENDER}
    plotted(state, F1={"dock": [PF]})
    leaving = plot_ask(state, "hydran")
    assert "Hydran F1 Pf2 leaves its dock" in leaving.read_back(leaving.answer_from({"F1": {"dock": []}}))[0]
    for lines, left in (({}, {PF: TENDER}), ({"F1": {"dock": []}}, {})):  # what is left out stays as it was
        assert docked(state) == {PF: TENDER}
        plotted(state, **lines)
        assert docked(state) == left


@pytest.mark.rule("cutler", "2.4.1.7")
def test_too_many_docked_pfs_are_refused_in_words(kept: Kept):
    state = world("turn 1 impulse 1\nhydran F1 0404 PFT+PF+PF\nlyran F1 0909 CC")
    state.units[TENDER].record = kind_of("PFT", pf_docks=1)
    assert refusal_words(plot_ask(state, "hydran"), {"F1": {"dock": [PF, PF2]}}) == kept()


@cases("lines, fleets, still", "", made="lines, fleets, still")
def test_docked_pfs_go_with_a_tender_that_is_split_off_unless_they_leave_it(lines, fleets, still):
    state = world(f"turn 1 impulse 1\n{DOCKED}+DD\nlyran F1 0909 CC")
    plotted(state, **lines)
    assert [sorted(fleet.units) for fleet in state.fleets_of("hydran")] == [sorted(units) for units in fleets]
    assert sorted(docked(state)) == sorted(still)


@pytest.mark.rule("cutler", "2.4.1.7", "2.6.1")
def test_pfs_dock_on_a_base_with_docks_too_and_do_not_go_anywhere_then():
    state = world("turn 1 impulse 1\nhydran base 0404 Fort\nhydran F1 0404 PF+DD\nlyran F1 0909 CC")
    base, pf = state.units["hydran-base-0404"], state.units["hydran-F1-PF"]
    base.record = kind_of("base", pf_docks=2)
    plotted(state, F1={"dock": [pf.id]})
    assert docked(state) == {pf.id: base.id}
    assert refusals(plot_ask(state, "hydran"), {"F1": {"course": "0405"}}) == [("F1.course", "2.4.1.7, CU-R23")]
    plotted(state, new={"ships": ["hydran-F1-DD"], "course": "0405"})
    moved(state)
    assert (pf.hex, docked(state), state.units["hydran-F1-DD"].hex) == ("0404", {pf.id: base.id}, "0405")
    base.perish(1)
    keep_docked(state)
    assert pf.destroyed


@pytest.mark.rule("cutler", "2.4.1.7", "2.6.1")
def test_docked_pfs_are_left_behind_by_a_tender_that_is_another_races_now():
    state = world(f"turn 1 impulse 1\n{DOCKED}\nlyran F1 1101 CC")
    state.units[TENDER].taken_by("lyran")
    keep_docked(state)
    pfs = [state.units[key] for key in (PF, PF2)]
    assert [(pf.hex, pf.race, pf.destroyed, pf.docked_at) for pf in pfs] == [("0404", "hydran", False, "")] * 2


# --- one sheet for all docks -----------------------------------------------------------------------------------------


def at_the_port(*, first_lies_there: bool) -> CutlerState:
    """Two fleets of the Ash in 0403, each a tender with one dock and two PFs, at a base with two docks. The PFs of one
    fleet lie there; those of the other fly."""
    made = files({"Ash": ["0403", "0403"], "Birch": ["0707"], "Cedar": ["0808"]}, turns=2)
    tender = TENDERS.replace("pf_docks = 2", "pf_docks = 1")
    port = """
[[class]]
class_id = "port"
name = "Port"
empire = "any"
source = "invented"
hull_type = "other"
kind = "base"
base_type = "BS"
size_class = 2
move_cost = 0
bpv_economic = 100
bpv_combat = 100
pf_docks = 2
"""
    made["ships.toml"] += tender + port
    units = [part for part in made["units.toml"].split("\n[units.") if 'race = "ash"' in part]
    lies = 0 if first_lies_there else 1
    fleets = "\n[units.".join(
        part.replace("war_cruiser", "tender").replace("destroyer", "patrol").replace("frigate", "patrol")
        + ('\ndocked_on = "ash_port"' if f"ash_{lies}" in part and "war_cruiser" not in part else "")
        for part in units
    )
    base = '\n[units.ash_port]\nrace = "ash"\nname = "Port"\ntype = "port"\nhex = "0403"'
    others = "".join(f"\n[units.{part}" for part in made["units.toml"].split("\n[units.") if 'race = "ash"' not in part)
    made["units.toml"] = fleets + base + others
    state = RULEBOOK.set_up(RULEBOOK.read_scenario(made))
    state.turn, state.impulse = 1, 1
    return state


A1, A2, B1, B2 = "ash_01", "ash_02", "ash_11", "ash_12"  # PFs of the first fleet and of the second
PORT, FIRST, SECOND = "ash_port", "ash_00", "ash_10"


@cases("first_lies_there, lines, expected", "", made="lines, expected")
def test_docks_that_some_leave_are_free_for_others_when_both_stand_on_one_sheet(first_lies_there, lines, expected):
    state = at_the_port(first_lies_there=first_lies_there)
    carry_out_plot(state, "ash", plot_ask(state, "ash").answer_from(lines))
    assert defects(state) == []
    assert docked(state) == expected


@cases("lines, refused", "", made="lines")
def test_a_sheet_on_which_docks_do_not_suffice_is_refused_where_they_are_entered(lines, refused):
    found = refusals(plot_ask(at_the_port(first_lies_there=False), "ash"), lines)
    assert [path for path, _ in found] == [path for path, _ in refused]


@pytest.mark.rule("cutler", "2.6.2.1", "2.4.1.7")
def test_a_pf_that_was_found_under_cloak_is_found_no_more_when_it_docks():
    state = world("turn 1 impulse 1\nhydran F1 0404 PFT[cloak=up]+PF[cloak=up]\nlyran F1 0909 CC")
    state.units[PF].found_by = ["lyran"]
    plotted(state, F1={"dock": [PF]})
    assert (state.units[PF].cloaked, state.units[PF].found_by) == (False, [])


@pytest.mark.rule("cutler", "2.4.1.7")
def test_a_pf_that_is_to_dock_in_two_other_fleets_is_refused(kept: Kept):
    text = "turn 1 impulse 1\nhydran F1 0404 PFT\nhydran F2 0404 PFT\nhydran F3 0404 PF\nlyran F1 0909 CC"
    lines = {"F1": {"dock": ["hydran-F3-PF"]}, "F2": {"dock": ["hydran-F3-PF"]}}
    assert refusal_words(plot_ask(world(text), "hydran"), lines) == kept()
    # Whose own line still has it, as that was filled in, goes to the one that names it besides.
    state = world(text.replace("F3 0404 PF", "F3 0404 PFT+PF[dock=PFT]"))
    plotted(state, F3={"dock": ["hydran-F3-PF2"]}, F1={"dock": ["hydran-F3-PF2"]})
    assert docked(state) == {"hydran-F3-PF2": "hydran-F1-PFT"}


# --- what carries them -----------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "2.4.1.7")
def test_hexes_carried_while_docked_do_not_count_and_a_pf_may_then_move_two_by_itself():
    state = world(f"turn 1 impulse 1\n{DOCKED} course 0405 0406 0407 0408\nlyran F1 1101 CC")
    moved(state, 4)
    pf, tender = state.units[PF], state.units[TENDER]
    assert [(unit.hex, unit.hexes_moved) for unit in (tender, pf)] == [("0408", 4), ("0408", 0)]
    plotted(state, new={"ships": [PF], "course": "0407 0406 0405"})
    moved(state, 2)
    # Impulses 5 and 6: it moves two hexes, and the tender stays.
    assert [(unit.hex, unit.hexes_moved) for unit in (tender, pf)] == [("0408", 4), ("0406", 2)]
    assert docked(state) == {PF2: TENDER}
    state.impulse = 6
    moved(state)
    assert pf.hex == "0406"
    close_turn(table_of(state))
    assert pf.hexes_moved == 0


@pytest.mark.rule("cutler", "2.4.1.7")
def test_without_docking_a_tender_and_its_pfs_stop_after_two_hexes():
    state = world("turn 1 impulse 1\nhydran F1 0404 PFT+PF course 0405 0406 0407 0408\nlyran F1 1101 CC")
    moved(state, 4)
    assert state.units[TENDER].hex == "0406"


@cases("fleet, speed", "")
def test_a_fleet_is_as_fast_as_its_slowest_unit_that_is_not_docked(fleet, speed):
    state = world(f"turn 1 impulse 1\nhydran F1 0404 {fleet}\nlyran F1 1101 CC")
    assert fleet_speed(state.alive("hydran")) == speed
    assert f"speed {speed}" in plot_ask(state, "hydran").form.lines[0].note


@pytest.mark.rule("cutler", "2.4.1.7", "2.4.1.9", "2.4.1.10")
@pytest.mark.parametrize(("terrain", "impulses"), [("dust", 2), ("nebula", 1)])
def test_docked_pfs_leave_dust_and_nebulae_with_their_tender(terrain, impulses):
    state = world(f"turn 1 impulse 1\n{terrain} 0404\n{DOCKED} course 0405\nlyran F1 1101 CC")
    for _ in range(impulses):
        execute_moves(table_of(state, {"nebula": [6]}))
        tidy_fleets(state)
        state.impulse += 1
    assert [(unit.hex, unit.hexes_moved) for unit in state.alive("hydran")] == [("0405", 0), ("0405", 0), ("0405", 1)]


@pytest.mark.rule("cutler", "2.4.1.5", "2.4.1.7")
def test_a_tender_in_tow_takes_its_pfs_along_and_docked_pfs_neither_tow_nor_are_towed():
    state = world(
        "turn 1 impulse 2\nhydran F1 0404 CA[tractors=2]+PFT+PF[dock=PFT,tractors=1] course 0405\nlyran F1 1101 CC"
    )
    assert refusals(plot_ask(state, "hydran"), {"F1": {"tow": ["hydran-F1-PF2"]}}) == [("F1.tow", "")]
    plotted(state, F1={"tow": [TENDER]})
    assert state.units["hydran-F1-CA"].towing == [TENDER]
    moved(state)
    assert {unit.hex for unit in state.alive("hydran")} == {"0405"}
    assert docked(state) == {PF: TENDER}


@pytest.mark.rule("cutler", "2.4.1.7", "3.4.5.4")
def test_a_pf_that_leaves_its_dock_is_where_its_tender_is_and_must_retreat_with_it():
    state = world(f"turn 1 impulse 3\n{DOCKED}\nlyran F1 1101 CC")
    tender = state.units[TENDER]
    tender.hex, tender.entered_from, tender.retreat_hex = "0405", "0404", "0404"
    tender.disengaged_from = ["lyran"]
    tidy_fleets(state)
    assert len(state.fleets_of("hydran")) == 1
    pf = state.units[PF]
    leave_dock(pf, tender)
    assert (pf.hex, pf.entered_from, pf.retreat_hex, pf.disengaged_from) == ("0405", "0404", "0404", ["lyran"])
    assert (pf.docked_at, state.units[PF2].docked_at) == ("", TENDER)


# --- who sees them ---------------------------------------------------------------------------------------------------

NEAR = "turn 0\nplanet capital 0205 hydran\nplanet capital 0902 lyran\nplanet capital 0908 klingon\n"


@pytest.mark.rule("cutler", "2.6.1", "3.1.3")
@pytest.mark.parametrize("tender", ["PFT", "PFT[cloak=up]"])
@pytest.mark.parametrize("where", ["0404", "0504"])
def test_docked_pfs_are_unseen_by_others_in_a_whole_turn(tender, where):
    """Two worlds that differ in the PFs that are docked: the Lyran scan and spy on the hex, or share it, and fight."""
    ends = []
    spying = {
        "M1": {"kind": "location", "against": "hydran", "other": "0404", "ip": 40}, "F1": {"scan": "0404 0405"},
        "M2": {"kind": "movement", "against": "hydran", "other": "0404", "ip": 30},
    }  # fmt: skip
    answers = {
        ("turn", "lyran"): spying, ("card", "lyran"): FIGHT, ("wave", "hydran"): [{"wave": {"ships": [TENDER]}}] * 2,
        ("pursuit", "lyran"): {"lyran-F1-CC": {"group": 1}},
    }  # fmt: skip
    for pfs in ("", "+PF[dock=PFT]+PF[dock=PFT]"):
        others = f"lyran F1 {where} SC+CC\nklingon F1 0606 CW\nreserve lyran 80"
        text = f"{NEAR}hydran F1 0404 {tender}{pfs} course 0405 0406\n{others}"
        table = table_of(world(text), {"scan": [1] * 9, "mission": [1] * 9, "escape from": [3] * 9})
        run = Run(table, turn_steps(table), answers)
        assert defects(table.state) == []
        ends.append({side: sees(run.table, run.asks, side) for side in ("lyran", "klingon")})
        assert len(docked(table.state)) == (2 if pfs else 0)
    assert ends[0] == ends[1]


@pytest.mark.rule("cutler", "2.6.1")
def test_pfs_that_leave_their_docks_stand_under_a_counter_and_are_seen():
    state = world("turn 1 impulse 3\nhydran F1 0404 PFT[cloak=up]+PF[dock=PFT]\nlyran F1 0505 CC")
    assert state.counters() == [("lyran", "0505")]
    plotted(state, F1={"cloak": "open", "dock": []})
    assert ("hydran", "0404") in state.counters()


@pytest.mark.rule("cutler", "2.6.2.1")
def test_a_cloaked_tender_needs_no_cloak_on_docked_pfs_and_one_on_those_that_leave():
    state = world("turn 1 impulse 1\nhydran F1 0404 PFT[cloak=down]+PF[dock=PFT]\nlyran F1 0909 CC")
    ask = plot_ask(state, "hydran")
    assert refusals(ask, {"F1": {"cloak": "cloaked"}}) == []
    assert refusals(ask, {"F1": {"cloak": "cloaked", "dock": []}}) == [("F1.cloak", "2.6.2.1, CU-N73")]
    plotted(state, F1={"cloak": "cloaked", "course": "0405"})
    table = table_of(state)
    Run(table, impulse_steps(table, 2))
    assert [(unit.cloaked, unit.hex) for unit in state.alive("hydran")] == [(False, "0405"), (True, "0405")]
    assert (state.counters(), defects(state)) == ([("lyran", "0909")], [])


@pytest.mark.rule("cutler", "6.4.1.4")
def test_a_spy_who_sees_a_tenders_record_reads_how_many_pfs_are_docked_on_it():
    table = table_of(world(f"turn 1\n{DOCKED}\nlyran F1 0909 CC"))
    aim = {"kind": "ship", "target": TENDER, "ip": 20, "aimed": "unit"}
    report_success(table, Mission(line="M1", said="", spy="lyran", against="hydran", **aim), "file")
    assert "2 PFs docked on it" in Run(table, iter(())).texts("lyran")


@pytest.mark.rule("cutler", "2.6.1")
def test_its_owners_map_sheet_and_board_say_who_is_docked_where():
    state = world(f"turn 1 impulse 1\n{DOCKED}\nlyran F1 0909 CC")
    note = plot_ask(state, "hydran").form.lines[0].note
    assert note == "at 0404, speed 6; docked on Hydran F1 Pft: Hydran F1 Pf2, Hydran F1 Pf3"
    board = side_board(state, "hydran", table_of(state).knowledge("hydran"))
    said = " ".join(row for panel in board.panels for row in panel.rows)
    assert "docked on Hydran F1 Pft: Hydran F1 Pf2, Hydran F1 Pf3" in said
    assert [one.sub for one in board.counters if one.id == "F1"] == ["1 ship, 2 PFs docked, speed 6"]


# --- scenarios -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "2.4.1.7", "2.6.1")
def test_a_scenarios_pfs_begin_docked_where_it_says_so():
    state = RULEBOOK.set_up(RULEBOOK.read_scenario(with_tenders()))
    assert docked(state) == {
        f"{race}_{fleet}2": f"{race}_{fleet}1" for race in ("ash", "birch", "cedar") for fleet in (0, 1)
    }
    assert defects(state) == []


@cases("change, to, said", "")
def test_a_scenario_in_which_a_pf_cannot_be_docked_is_refused(change, to, said):
    with pytest.raises(Refused) as refused:
        RULEBOOK.read_scenario(with_tenders(change, to))
    assert any(said in str(one) for one in refused.value.refusals)
