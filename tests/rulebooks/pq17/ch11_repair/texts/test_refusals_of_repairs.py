"""Why a repair is refused, on the logistics sheet, on the form of a battle's result and after a battle: whole refusals.

The cruiser's record: thirty warp boxes, four AWR, twelve of hull, four of excess damage, one HET bonus box, shields of
twenty, a DAMCON track of 4, 2, 2, 0. Costs as in yards.COSTS, times five.
"""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.pq17.ch11_repair.boxes import destroy
from rules_engine.rulebooks.pq17.ch11_repair.costs import read_repair_table
from rules_engine.rulebooks.pq17.ch11_repair.damage_shown import repair_defects
from rules_engine.rulebooks.pq17.ch11_repair.plan import repair_refusals
from rules_engine.rulebooks.pq17.ch11_repair.self_repair import MendFields, RepairFields, check_mend, say_repairs
from rules_engine.rulebooks.pq17.plotting.logistics_sheet import logistics_steps
from rules_engine.rulebooks.pq17.records.damage import RefitInHand
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.ship_classes import Refit
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import asks_of, table
from tests.rulebooks.pq17.worlds.repair import Fight, docked, order, unit, yard

PLUS = Refit(name="plus", year=165, bpv=Fraction(8), boxes_added={"battery": 2})
LATE = Refit(name="late", year=170, bpv=Fraction(4), shields_changed=(1, 2))
DUEL = "A1 0405 CA speed 2 U\nC1 0405 CA speed 1 ID0"
WON: dict[str, Any] = {"battle": {"winner": "alliance", "turns": 4}, "DF1": {"fate": "destroyed"}}


def refusals_of(state: State, sheet: dict[str, Any]) -> list[str]:
    """What the Alliance's logistics sheet is refused for."""
    (ask,) = asks_of(logistics_steps(table(state)))
    with pytest.raises(Refused) as caught:
        ask.answer_from(sheet)
    return [str(one) for one in caught.value.refusals]


# --- the logistics sheet ----------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "11.4.9.3.3", "11.4.9.3.4", "11.4.9.3.5", "11.3.6", "11.2.6", "11.4.9.2.7")
@cases("line, said", "")
def test_repairs_that_are_refused(line: dict[str, Any], said: str) -> None:
    """Lost are two hull boxes, one of excess damage, the bonus, ten warp boxes and two self-repairs."""
    state = yard("A1 0405 CA[warp=20]+RS+CB logistics speed 0")
    ship = unit(state, "A1.CA", self_repairs_left=6)
    for box in ("hull", "hull", "excess", "het"):
        destroy(state, ship, box)
    assert refusals_of(state, {"repair-A1.CA": line}) == [f"repair-A1.CA.{said}"]


@pytest.mark.rule(
    "pq17", "11.4.9.2.1", "11.4.9.2.3", "11.4.9.2.4", "11.4.9.2.5", "11.4.9.2.6", "11.4.9.2.7", "11.4.9.2"
)
@cases("text, groups, orders, said", "")
def test_repair_boxes_that_are_elsewhere(text: str, groups: list[str], orders: list[Any], said: str) -> None:
    state = yard(text)
    if "A1.RP" in state.units:
        state.units["A1.RP"].carried_by = "A1.TG"
    plan = docked(state, *groups, port="A9" if "A9" in text else "")
    for ship, host in orders:
        order(state, ship, host, "warp")
    (found,) = repair_refusals(state, plan)
    assert str(found) == f"repair-A1.CA.by: {said}"


@pytest.mark.rule("pq17", "11.4.9.2.6")
def test_a_tender_that_works_on_one_patrol_ship_is_refused_for_another() -> None:
    state = yard("A1 0405 PT+PF#2[warp=1] logistics speed 0")
    for boat in ("A1.PF", "A1.PF2"):
        state.units[boat].carried_by = "A1.PT"
    plan = docked(state, "A1.PT>>A1.PF+A1.PF2")
    for boat in ("A1.PF", "A1.PF2"):
        order(state, boat, "A1.PT", "warp")
    (found,) = repair_refusals(state, plan)
    assert str(found) == "repair-A1.PF2.by: A1.PT works on others already (PQ-17 11.4.9.2.6). Legal: another."


@pytest.mark.rule("pq17", "11.5.2", "11.5.3")
@pytest.mark.parametrize(
    ("refits", "by", "refit", "said"),
    [
        ((PLUS, LATE), "A1.RS", "plus", ["by: A1.RS cannot refit (PQ-17 11.5.2). Legal: SB, BATS, FRD."]),
        ((PLUS, LATE), "A9.FRD", "late", ["refit: that refit is not open to it (PQ-17 11.5.3). Legal: plus."]),
        ((LATE,), "A9.FRD", "late", ["refit: that refit is not open to it (PQ-17 11.5.3). Legal: no refit this year."]),
    ],
)
def test_refits_that_are_refused(refits: tuple[Refit, ...], by: str, refit: str, said: list[str]) -> None:
    """The campaign's year is 167."""
    state = yard("A9 0303 FRD base Dock known\nA1 0303 CA+RS logistics speed 0 port A9")
    state.classes["CA"] = state.classes["CA"].model_copy(update={"refits": refits})
    plan = docked(state, f"{by}>A1.CA", port="A9")
    order(state, "A1.CA", by, refit=refit)
    assert [str(one) for one in repair_refusals(state, plan)] == [f"repair-A1.CA.{one}" for one in said]


# --- the result of a battle -------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "11.3.2", "11.3.3", "11.4.4", "11.4.5.1", "11.4.5.3", "11.4.6.1", "11.4.8", "11.2.6", "9.8")
@cases("line, said", "")
def test_accounts_of_repairs_that_are_refused(line: dict[str, Any], said: str) -> None:
    """Before the battle ten warp boxes and two hull boxes are destroyed, and three supply points are aboard."""
    state = yard(DUEL)
    destroy(state, unit(state, "A1.CA", warp=20, supply=3), "hull", 2)
    ask = Fight(state).result_ask()
    with pytest.raises(Refused) as caught:
        ask.answer_from(WON | {"AT1": {"fate": "ok", **line}})
    assert [str(one) for one in caught.value.refusals] == [f"AT1{said}"]


@pytest.mark.rule("pq17", "11.4.1", "11.4.5.2", "11.4.6.2")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        (RepairFields(), []),
        (RepairFields(damcon=4, damage="", cdr=0, edr=0), []),
        (
            RepairFields(damcon=3, damage="hull 2", cdr=2, edr=1),
            ["DAMCON boxes 3", "destroyed: hull 2", "2 repaired by CDR", "1 repaired by EDR"],
        ),
    ],
)
def test_what_changed_is_said_of_damage_and_repairs(line: RepairFields, said: list[str]) -> None:
    assert say_repairs(line, yard(DUEL).units["A1.CA"]) == said


# --- after a battle ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "11.4.7.1", "11.4.7.2", "11.4.9.3.3", "11.4.9.3.4", "11.4.9.3.5", "11.3.4", "11.2.6")
@cases("boxes, said", "")
def test_self_repairs_that_are_refused(boxes: str, said: str) -> None:
    state = yard(DUEL)
    ship = unit(state, "A1.CA", warp=10)
    for box, count in {"hull": 2, "excess": 1, "het": 1, "shield-1": 3}.items():
        destroy(state, ship, box, count)
    found = check_mend(state, ship, MendFields(boxes=boxes), "repair A1.CA")
    assert [str(one) for one in found] == [f"repair A1.CA.{said}"]


@pytest.mark.rule("pq17", "11.4.7.1", "11.4.7.2")
def test_self_repairs_with_nothing_left_for_them(kept: Kept) -> None:
    """One self-repair and one repair point of its own, with one of supply; the DAMCON box left is a zero. The hull box
    is repaired first, and then nothing but a shield is left."""
    state = yard(DUEL)
    ship = unit(state, "A1.CA", self_repairs_left=1, rp_damcon=1, supply=1, damcon_track=[0])
    state.classes["CA"] = state.classes["CA"].model_copy(update={"damcon_track": (0,)})
    for box in ("hull", "shield-1"):
        destroy(state, ship, box)
    found = check_mend(state, ship, MendFields(boxes="hull, awr", shields=True), "repair A1.CA")
    assert [str(one) for one in found] == kept()


# --- files and records ------------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "11.4.9.3")
def test_tables_of_costs_that_are_refused(kept: Kept) -> None:
    _, wrong = read_repair_table("[cost]\nshield-2 = 2\nWarp = 3\nself-repair = 9\nppt = 1")
    assert [str(one) for one in wrong] == kept()
    _, wrong = read_repair_table("[cost")
    assert [str(one) for one in wrong] == [
        "repair.toml: is not TOML: Expected ']' at the end of a table declaration (at end of document)"
    ]


@pytest.mark.rule("pq17", "9.8", "11.3.2")
def test_records_that_cannot_be(kept: Kept) -> None:
    """Thirty warp boxes, twelve of hull, four DAMCON boxes; a track of five sums up to nine self-repairs."""
    state = yard(DUEL)
    ship = unit(state, "A1.CA", warp=31, self_repairs_left=10, damcon_track=[4, 2, 2, 1, 0])
    ship.repairs = ship.repairs.with_values(damage={"hull": 13})
    assert list(repair_defects(state, ship)) == kept()
    assert ship.repairs.refit is None
    ship.repairs = ship.repairs.with_values(refit=RefitInHand(name="plus", points=1, turn=0))
    assert len(list(repair_defects(state, ship))) == 4
