"""Chapter 7: ships must come into port from time to time, and suffer if they do not."""

from typing import Any

import pytest

from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.cutler.boards import side_board
from rules_engine.rulebooks.cutler.ch03_combat.battle_setup import secret_panels
from rules_engine.rulebooks.cutler.ch04_economics.repairs import mend
from rules_engine.rulebooks.cutler.ch06_espionage.missions import report_success
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.ch07_maintenance.deadlines import (
    deadlines,
    due_turn,
    is_in_port,
    maintains,
    pressing,
    turns_between,
)
from rules_engine.rulebooks.cutler.ch07_maintenance.maintenance import announce_deadlines, maintain, miss_maintenance
from rules_engine.rulebooks.cutler.ch07_maintenance.words import crew_panels, maintenance_panel, maintenance_warnings
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.state import Battle, Mission
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.armed import rearmed
from tests.rulebooks.cutler.combats import whole_turn
from tests.rulebooks.cutler.worlds import Run, alike, kind_of, set_fields, table_of, texts, world

CA, DD, FF = "hydran-F1-CA", "hydran-F1-DD", "hydran-F1-FF"


# --- when ------------------------------------------------------------------------------------------------------------
@cases("proves, code, figures, turns")
def test_how_often_each_is_due(code, figures, turns):
    assert turns_between(kind_of(code, **figures)) == turns


@pytest.mark.rule("cutler", "7.1")
def test_the_clock_runs_from_the_last_maintenance():
    state = world("hydran F1 0404 DD+SUR")
    assert due_turn(state.units[DD]) == 4
    state.units[DD].maintained = 3
    assert due_turn(state.units[DD]) == 7
    assert due_turn(state.units["hydran-F1-SUR"]) is None


# --- where -----------------------------------------------------------------------------------------------------------
@cases("type_, maintained")
def test_which_bases_maintain_what(type_, maintained):
    state = world(f"turn 2\nhydran F1 0404 CA+DD+PF\nhydran base 0404 Station[type={type_}]")
    maintain(table_of(state))
    assert [unit.record.name for unit in state.alive() if unit.maintained == 2] == maintained


@pytest.mark.rule("cutler", "7.2")
def test_a_tender_maintains_pfs_alone():
    state = world("turn 2\nhydran F1 0404 PFT+PF+CA\nhydran F2 0405 PF\nhydran F3 0405 CW\nlyran F1 0406 PFT")
    assert [unit.id for unit in state.alive() if is_in_port(state, unit)] == ["hydran-F1-PF2"]


@pytest.mark.rule("cutler", "7.2")
def test_only_a_base_of_its_race_in_its_hex_will_do():
    state = world("turn 2\nhydran F1 0404 CA\nhydran F2 0303 CW\nlyran base 0404 Den\nhydran base 0304 Station")
    assert not any(is_in_port(state, unit) for unit in state.alive() if unit.is_mobile)
    state.units["hydran-base-0304"].hex = "0303"
    assert is_in_port(state, state.units["hydran-F2-CW"])
    state.units["hydran-base-0304"].destroyed = True
    assert not is_in_port(state, state.units["hydran-F2-CW"])


@pytest.mark.rule("cutler", "7.0", "7.2")
def test_ships_in_port_are_maintained_in_the_economics_phase_and_cost_nothing():
    state = world("turn 3\nhydran F1 0404 DD[maintained=0]\nhydran F2 0505 FF course 0404\nhydran base 0404 Station")
    run = Run(turn := table_of(state), turn_steps(turn))
    # Turn 4: the DD begins it in port. The FF comes there only in the impulses, and has missed it.
    assert (state.units[DD].maintained, state.units[DD].missed, state.units[DD].crew_quality) == (4, 0, "normal")
    late = state.units["hydran-F2-FF"]
    assert (late.hex, late.maintained, late.missed, late.crew_quality) == ("0404", 0, 1, "poor")
    assert state.empires["hydran"].base_pool == 0
    assert "Maintained: Hydran F1 Dd." in run.texts("hydran")


# --- what is lost ----------------------------------------------------------------------------------------------------
def ends(state, *turns):
    """The ends of these turns."""
    table = table_of(state)
    for turn in turns:
        state.turn = turn
        miss_maintenance(table)
    return table


@pytest.mark.rule("cutler", "7.3")
def test_a_level_is_lost_at_the_deadline_and_after_each_further_interval(kept: Kept):
    state = world("hydran F1 0404 DD[crew=outstanding]")
    ship = state.units[DD]
    seen = {}
    for turn in range(3, 17):
        ends(state, turn)
        seen[turn] = ship.missed, ship.crew
    assert seen == kept()


@pytest.mark.rule("cutler", "7.3")
def test_breakdown_rolls_have_one_more_until_it_is_maintained_and_the_crew_stays_as_it_is():
    state = world("hydran F1 0404 DD")
    ship = state.units[DD]
    assert ship.condition == ""
    ends(state, 4)
    assert ship.condition == "crew poor, +1 to breakdown rolls"
    state.units |= world("hydran base 0404 Station").units
    state.turn = 5
    maintain(table_of(state))
    assert (ship.condition, ship.maintained, ship.missed) == ("crew poor", 5, 0)
    ends(state, 8)
    assert ship.missed == 0
    ends(state, 9)
    assert ship.crew == "poor, penalties doubled"


@pytest.mark.rule("cutler", "7.3")
def test_a_pf_that_is_away_two_turns_running_is_lost():
    state = world("turn 2\nhydran F1 0404 PF[maintained=1]\nhydran F2 0405 DD[maintained=1]")
    pf = state.units["hydran-F1-PF"]
    ends(state, 2)
    assert (pf.destroyed, pf.missed, pf.crew_quality) == (False, 1, "poor")
    table = ends(state, 3)
    assert pf.destroyed
    assert [fleet.key for fleet in state.fleets_of("hydran")] == ["F2"]
    told = [one.text for one in table.shared.reports if one.is_for("hydran")]
    assert told[-1] == "Hydran F1 Pf (PF) in 0404 is lost: two turns without a tender or a base."


@pytest.mark.rule("cutler", "7.3")
def test_a_pf_that_was_looked_after_between_is_not_lost():
    state = world("turn 2\nhydran F1 0404 PF[maintained=1]+PFT[maintained=1]")
    ends(state, 2)
    state.turn = 3
    maintain(table_of(state))
    ends(state, 3, 4)
    assert not state.units["hydran-F1-PF"].destroyed


@cases("said, lost")
def test_a_derelict_that_cannot_pay_for_life_support_is_destroyed_at_the_end_of_the_turn(said, lost):
    """It is due for maintenance in turn 8 only, so nothing else destroys it in turn 2."""
    state = world("turn 2 impulse 6\nhydran F1 0404 CA[warp=0,imp=0]\nlyran F1 0902 CC")
    ship = state.units[CA]
    ship.record, ship.cargo_cpv = kind_of("CA", cargo=9), 5
    ship.note_life_support(said)
    miss_maintenance(turn := table_of(state))
    assert (ship.destroyed, ship.cargo_cpv, bool(state.fleets_of("hydran"))) == (lost, 0 if lost else 5, not lost)
    assert defects(state) == []
    told = [one for one in turn.shared.reports if "derelict" in one.text]
    assert [(one.text, list(one.to)) for one in told] == (
        [("Hydran F1 Ca (CA) in 0404 is lost: a derelict without life support.", ["hydran"])] if lost else []
    )


@pytest.mark.rule("cutler", "2.4.1.6", "4.3")
def test_life_support_is_full_again_with_the_first_engine_that_works():
    unit = world("hydran F1 0404 CA[warp=0,imp=0]\nhydran F2 0404 DD").units
    for name, ends in ((CA, "none"), ("hydran-F2-DD", "full")):
        unit[name].note_life_support("none")
        assert unit[name].life_support == ends
    mend(unit[CA], {"cargo": 0})
    assert unit[CA].life_support == "none"
    mend(unit[CA], {"impulse": 1})
    assert unit[CA].life_support == "full"


@pytest.mark.rule("cutler", "2.4.1.6", "4.1.8")
def test_a_derelict_that_is_lost_takes_what_it_stores_with_it():
    state = world("turn 9 impulse 6\nhydran F1 0404 CA[warp=0,imp=0]")
    ship = state.units[CA]
    ship.record, ship.cargo_cpv = kind_of("CA", cargo=9), 5
    miss_maintenance(table_of(state))
    assert (ship.destroyed, ship.cargo_cpv, defects(state)) == (True, 0, [])


@pytest.mark.rule("cutler", "2.4.1.6")
def test_a_lost_derelicts_counter_and_what_others_knew_of_it_are_gone():
    state = world("turn 4 impulse 6\nhydran F1 0404 DD[warp=0,imp=0]\nlyran F1 0404 CW[maintained=3]")
    Run(turn := table_of(state), turn_steps(turn))
    assert state.units[DD].destroyed
    assert [contact.live for contact in turn.knowledge("lyran").contacts.values()] == [False]
    assert ("hydran", "0404") not in state.counters()


# --- what its owner is told ------------------------------------------------------------------------------------------
DUE = """
turn 3
hydran F1 0404 DD+CA
hydran F2 0505 DW
hydran F3 0205 FF
hydran base 0205 Station
lyran F1 0902 CC
"""


@pytest.mark.rule("cutler", "7.1")
def test_it_is_told_before_the_turns_sheet(kept: Kept):
    state = world(DUE.replace("turn 3", "turn 2"))
    state.turns = 9
    run = Run(turn := table_of(state), turn_steps(turn))
    assert [one.text.split(" turn ")[0] for one in run.told("hydran", "economy")][:2] == kept()


@pytest.mark.rule("cutler", "7.1")
def test_in_the_last_turn_nothing_is_said_of_the_next():
    turn = table_of(world(DUE))  # which has three turns
    announce_deadlines(turn)
    assert [one.text for one in turn.shared.reports] == ["Too late for maintenance in turn 3: Hydran F2 Dw in 0505."]


@pytest.mark.rule("cutler", "7.1", "7.3")
def test_the_turns_sheet_warns(kept: Kept):
    state = world(DUE)
    state.turns = 4
    assert turn_ask(state, "hydran").warn(TurnSheet())[-2:] == kept()
    assert turn_ask(world(DUE), "lyran").warn(TurnSheet()) == []


@pytest.mark.rule("cutler", "7.1", "7.2")
def test_the_board_lists_deadlines_for_their_owner(kept: Kept):
    state = world(DUE)
    ends(state, 3)
    panels = {side: side_board(state, side, Knowledge()).panel("Maintenance") for side in ("hydran", "klingon")}
    assert panels["hydran"].rows == kept()
    assert panels["klingon"].rows == ()


@pytest.mark.rule("cutler", "7.3")
def test_a_battles_players_read_of_their_own_crews_alone(kept: Kept):
    state = world("turn 1\nhydran F1 0404 CA[crew=poor]+DD\nlyran F1 0404 CC[missed=1]")
    lines = {"H1": CA, "H2": DD, "L1": "lyran-F1-CC"}
    battle = Battle(key="b", kind="main", hex="0404", sides=("hydran", "lyran"), lines=lines)
    rows = {
        side: [
            row for panel in secret_panels(state, battle, side, {}) if panel.title == "Your crews" for row in panel.rows
        ]
        for side in battle.sides
    }
    assert rows == kept()
    state.units[CA].crew_quality = "normal"
    assert [panel.title for panel in secret_panels(state, battle, "hydran", {})] == ["Your engines"]


@pytest.mark.rule("cutler", "6.4.1.4")
def test_a_spy_that_sees_a_ships_record_reads_of_its_crew():
    state = world("turn 3\nhydran F1 0404 DD[crew=poor]\nlyran F1 0902 CC")
    ends(state, 4)
    spied = Mission(
        line="M1", spy="lyran", kind="ship", against="hydran", target=DD, aimed="unit", said="the ship", ip=10
    )
    report_success(turn := table_of(state), spied, "file")
    assert "crew poor, penalties doubled" in turn.shared.reports[-1].text


@cases("crew")
def test_others_learn_nothing_of_maintenance(crew):
    """The Lyran ship was maintained, has missed it, or has a poor crew: the others see the same of it, met or not."""
    text = "turn 3\nhydran F1 0404 CA\nlyran F1 0404 CW[{}]\nlyran base 0902 Den\nklingon F1 0908 CW"
    one, other = (whole_turn(world(text.format(lyran))) for lyran in ("maintained=3", crew))
    alike(one, other, "hydran", "klingon")


@pytest.mark.rule("cutler", "7.1", "7.3", "2.4.1.6", "4.2.4.2.1")
def test_what_is_said_of_maintenance_that_is_due_missed_or_impossible(kept: Kept):
    text = (
        "turn 4\nhydran F1 0404 FF+DW+DD[maintained=1,missed=1]+CA[warp=0,imp=0]\n"
        "hydran F2 0505 PF[maintained=1,missed=3]\nlyran F1 0606 CC\n"
    )
    state = world(text)
    ship = state.units[DD]
    ship.record = kind_of("DD", shuttles=2)
    ship.holds = {}
    ask = turn_ask(state, "hydran")
    assert [one for one in ask.warn(ask.answer_from({})) if "7" in one or "shuttle" in one] == kept("#4")
    announce_deadlines(turn := table_of(state))
    miss_maintenance(turn)
    assert [one.text for one in turn.shared.reports if one.is_for("hydran")] == kept("#1")
    state = world(text.replace("turn 4", "turn 9"))
    state.units[FF].crew_quality = "poor"
    announce_deadlines(turn := table_of(state))
    miss_maintenance(turn)
    assert [one.text for one in turn.shared.reports if one.is_for("hydran")] == kept("#2")
    assert list(side_board(state, "hydran", Knowledge()).panel("Maintenance").rows) == kept("#3")


# --- deadlines -------------------------------------------------------------------------------------------------------
WORLD = """
turn 4
hydran F1 0404 CW
hydran F2 0505 DD[maintained=1]
hydran F3 0606 FF[maintained=2]
hydran F4 0205 DW[maintained=1]
hydran F5 0303 SUR
hydran base 0205 Yard
lyran F1 0707 CA
"""
"""In turn 4 the CW is too late, the DD due in the next turn, the FF in the one after; the DW is due now and in port."""


@pytest.mark.rule("cutler", "7.0", "7.1", "7.2")
def test_what_is_too_late_and_what_is_due_is_told_at_the_start_of_a_turn(kept: Kept) -> None:
    state = world(WORLD)
    state.turns = 5
    assert {turn: [unit.record.name for unit in units] for turn, units in deadlines(state, "hydran").items()} == kept()
    announce_deadlines(table := table_of(state))
    assert texts(table) == kept("texts(table)")
    assert texts(table, "lyran") == []
    assert maintenance_warnings(state, "hydran") == kept("maintenance_warnings(state, hydran)")
    state.turns = 4
    assert [[unit.record.name for unit in units] for units in pressing(state, "hydran")] == [["CW"], []]
    state.units["hydran-F1-CW"].hex = state.units["hydran-F2-DD"].hex = "0205"
    state.turns = 5
    assert (pressing(state, "hydran"), maintenance_warnings(state, "hydran")) == (([], []), [])
    announce_deadlines(table := table_of(state))
    assert texts(table) == []


@pytest.mark.rule("cutler", "7.2", "4.2.4.2.1")
def test_who_has_lost_all_shuttles_is_not_maintained(kept: Kept) -> None:
    state = world(WORLD)
    dw, dd = state.units["hydran-F4-DW"], state.units["hydran-F2-DD"]
    dd.hex = "0205"
    rearmed(dw, shuttles=1)
    dw.holds, dw.missed, dd.missed = {}, 1, 2
    survey = rearmed(state.units["hydran-F5-SUR"], shuttles=1)
    survey.holds = {}
    assert maintenance_warnings(state, "hydran")[-1] == kept()
    maintain(table := table_of(state))
    assert texts(table) == ["Not maintained, for want of a shuttle: Hydran F4 Dw.", "Maintained: Hydran F2 Dd."]
    assert [(unit.maintained, unit.missed) for unit in (dw, dd)] == [(1, 1), (4, 0)]
    dd.hex = "0505"
    maintain(table := table_of(state))
    assert texts(table) == ["Not maintained, for want of a shuttle: Hydran F4 Dw."]


@cases("host, figures, maintained")
def test_who_maintains_whom(host: str, figures: dict[str, Any], maintained: list[str]) -> None:
    state = world("hydran F1 0404 CA+DD+PF+CW\nhydran F2 0404 FF\nhydran base 0404")
    place = state.units["hydran-base-0404" if host == "base" else "hydran-F2-FF"]
    place.record = kind_of(host, **figures)
    state.units["hydran-F1-CW"].record = kind_of("PF", kind="interceptor", name="boat", size_class=5)
    units = [unit for key, unit in state.units.items() if key.startswith("hydran-F1")]
    assert sorted(unit.record.name for unit in units if maintains(place, unit)) == maintained
    if figures == {"base_type": "SAMS"}:
        state.units["hydran-F1-DD"].record = kind_of("DD", size_class=5)
        assert maintains(place, state.units["hydran-F1-DD"])


@cases("code, values, turn, told")
def test_what_comes_of_missing_it(code: str, values: dict[str, Any], turn: int, told: list[str]) -> None:
    state = world(f"turn {turn}\nhydran F1 0404 {code}")
    unit = state.units[f"hydran-F1-{code}"]
    set_fields(unit, values)
    miss_maintenance(table := table_of(state))
    assert [one.replace(unit.title, "{0}") for one in texts(table)] == told
    assert unit.destroyed is any("is lost" in one for one in told)
    assert ("hydran/F1" in state.fleets) is not unit.destroyed


@pytest.mark.rule("cutler", "7.1", "7.2")
def test_an_owner_reads_what_is_overdue_and_what_is_due(kept: Kept) -> None:
    state = world(WORLD)
    state.units["hydran-F1-CW"].missed = state.units["hydran-F4-DW"].missed = 1
    state.units["hydran-F1-CW"].crew_quality = "poor"
    assert maintenance_panel(state, "hydran").rows == kept()
    assert maintenance_panel(state, "klingon").rows == ()
    assert due_turn(state.units["hydran-F5-SUR"]) is None
    (panel,) = crew_panels({"1": state.units["hydran-F1-CW"], "2": state.units["hydran-F3-FF"]})
    assert (panel.title, panel.rows) == ("Your crews", ("1 Hydran F1 Cw: crew poor, +1 to breakdown rolls",))
    assert crew_panels({"2": state.units["hydran-F3-FF"]}) == []
