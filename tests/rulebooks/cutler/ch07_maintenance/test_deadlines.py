"""Maintenance at its bounds: what is late, what is due, who cannot be maintained, and what is lost."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch07_maintenance.deadlines import deadlines, due_turn, maintains, pressing
from rules_engine.rulebooks.cutler.ch07_maintenance.maintenance import announce_deadlines, maintain, miss_maintenance
from rules_engine.rulebooks.cutler.ch07_maintenance.words import crew_panels, maintenance_panel, maintenance_warnings
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.armed import rearmed
from tests.rulebooks.cutler.worlds import kind_of, table_of, world

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


def texts(table: Any, side: str = "hydran") -> list[str]:
    """All that a side was told."""
    return [one.text for one in table.shared.reports if one.is_for(side)]


@pytest.mark.rule("cutler", "7.0", "7.1")
def test_what_is_too_late_and_what_is_due_is_told_at_the_start_of_a_turn(kept: Kept) -> None:
    state = world(WORLD)
    state.turns = 5
    assert {turn: [unit.record.name for unit in units] for turn, units in deadlines(state, "hydran").items()} == {
        4: ["CW", "DW"], 5: ["DD"], 6: ["FF"],
    }  # fmt: skip
    table = table_of(state)
    announce_deadlines(table)
    assert texts(table) == kept("texts(table)")
    assert texts(table, "lyran") == []
    assert maintenance_warnings(state, "hydran") == kept("maintenance_warnings(state, hydran)")
    state.turns = 4
    assert [[unit.record.name for unit in units] for units in pressing(state, "hydran")] == [["CW"], []]
    state.units["hydran-F1-CW"].hex = state.units["hydran-F2-DD"].hex = "0205"
    state.turns = 5
    assert (pressing(state, "hydran"), maintenance_warnings(state, "hydran")) == (([], []), [])
    table = table_of(state)
    announce_deadlines(table)
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
    table = table_of(state)
    maintain(table)
    assert texts(table) == ["Not maintained, for want of a shuttle: Hydran F4 Dw.", "Maintained: Hydran F2 Dd."]
    assert [(unit.maintained, unit.missed) for unit in (dw, dd)] == [(1, 1), (4, 0)]
    dd.hex = "0505"
    table = table_of(state)
    maintain(table)
    assert texts(table) == ["Not maintained, for want of a shuttle: Hydran F4 Dw."]


@pytest.mark.rule("cutler", "7.2")
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


@pytest.mark.rule("cutler", "7.3", "2.4.1.6")
@cases("code, values, turn, told")
def test_what_comes_of_missing_it(code: str, values: dict[str, Any], turn: int, told: list[str]) -> None:
    state = world(f"turn {turn}\nhydran F1 0404 {code}")
    unit = state.units[f"hydran-F1-{code}"]
    for name, value in values.items():
        setattr(unit, name, value)
    table = table_of(state)
    miss_maintenance(table)
    assert texts(table) == [one.format(unit.title) for one in told]
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
    own = {"1": state.units["hydran-F1-CW"], "2": state.units["hydran-F3-FF"]}
    (panel,) = crew_panels(own)
    assert (panel.title, panel.rows) == ("Your crews", ("1 Hydran F1 Cw: crew poor, +1 to breakdown rolls",))
    assert crew_panels({"2": state.units["hydran-F3-FF"]}) == []
