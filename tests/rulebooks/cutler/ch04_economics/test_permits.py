"""What docking bays may do, each reason by itself; what a class counts as; and the people of ships."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch04_economics import docks, permits
from rules_engine.rulebooks.cutler.ch04_economics.battle_repairs import boxes_for
from rules_engine.rulebooks.cutler.ch04_economics.crews import crew_choices, crew_cost, read_crew, why_no_crew
from rules_engine.rulebooks.cutler.ch04_economics.officers import (
    extra_for_crew,
    for_sale,
    people_fields,
    price_of_new,
    read_people,
    read_training,
    training_choices,
    training_cost,
    trains,
    why_not_trained,
)
from rules_engine.rulebooks.cutler.ch04_economics.repairs import damage, in_words, mend, repaired_for
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD
from rules_engine.rulebooks.cutler.records.combat.work import RepairsDue
from rules_engine.rulebooks.cutler.records.economy import DockWork, RepairPoints
from rules_engine.rulebooks.cutler.records.economy_lines import DockLine
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.worlds import kind_of, set_fields, table_of, world
from tests.rulebooks.cutler.yards import HOME, YARD, yard

CA, FF = "hydran-F1-CA", "hydran-F1-FF"


def bay(text: str = HOME, base_type: str = "SB", **more: Any) -> tuple[CutlerState, docks.Dock]:
    """A world with ships beside a base, and the first bay of that base."""
    state = yard(text + "hydran F1 0205 CA+FF\n", base_type=base_type, **more)
    return state, docks.docks_of(state, "hydran")["D1"]


# --- why not ---------------------------------------------------------------------------------------------------------
@cases("code, figures, text, why")
def test_why_a_class_is_not_built(code: str, figures: dict[str, Any], text: str, why: Any) -> None:
    state, dock = bay(text)
    assert permits.why_not_built(state, "hydran", dock, kind_of(code, **figures)) == why


@cases("base_type, least")
def test_a_base_builds_from_its_size_class_on(base_type: str, least: int) -> None:
    base = kind_of("base", base_type=base_type)
    assert [size for size in range(1, 8) if docks.can_build(base, kind_of("CA", size_class=size))] == list(
        range(least, 8)
    )
    assert docks.can_build(kind_of("CA"), kind_of("CA")) is False
    state, dock = bay(base_type=base_type)
    found = permits.why_not_built(state, "hydran", dock, kind_of("CA", size_class=3))
    assert found == (
        None if least <= 3 else (
            "Yard, a Base, builds no units of size class 3", "4.2.1.2, CU-R83", "another base, or class",
        )
    )  # fmt: skip


@cases("values, into, base_type, why")
def test_why_a_ship_is_not_refit(values: dict[str, Any], into: dict[str, Any], base_type: str, why: Any) -> None:
    state, dock = bay(base_type=base_type)
    set_fields(state.units[FF], values)
    assert (
        permits.why_not_refit(state, "hydran", dock, state.units[FF], kind_of("DD", **{"class_id": "dd"} | into)) == why
    )


@pytest.mark.rule("cutler", "4.3", "4.2.3", "4.4.5", "4.4.9")
def test_why_bases_are_not_refit_and_what_is_repaired(kept: Kept) -> None:
    state, dock = bay(base_type="BS")
    base, ship = state.units[YARD], state.units[FF]
    assert permits.why_not_refit(state, "hydran", dock, base, kind_of("DD")) == kept()
    assert permits.why_not_repaired(dock, ship) == ("Hydran F1 Ff is not damaged", "4.3", "a damaged unit")
    ship.warp_ok -= 1
    assert permits.why_not_repaired(dock, ship) == kept("#1")
    ship.record = kind_of("FF", size_class=6)
    assert permits.why_not_repaired(dock, ship) is None
    ship.hex = "0206"
    assert permits.why_not_repaired(dock, ship) == ("Hydran F1 Ff is not docked at Yard", "4.3", "a unit in 0205")
    base.cargo_lost = 1
    assert permits.why_not_repaired(dock, base) is None, "whatever its size"
    ship.hex, ship.record = "0205", kind_of("AUX", kind="ground_base", warp=0, impulse=0)
    for found, law in (
        (permits.why_not_refit(state, "hydran", dock, ship, kind_of("DD")), ("4.2.3, 4.4.9", "a ship")),
        (permits.why_not_repaired(dock, ship), ("4.3, 4.4.9", "a ship, or a base in space")),
    ):
        assert found == ("Hydran F1 Ff is a ground base, and docks nowhere", *law)


@pytest.mark.rule("cutler", "4.2.3")
def test_what_lies_at_a_bay() -> None:
    state, dock = bay()
    ship = state.units[FF]
    assert permits.lies_at(dock, ship)
    for name, value in (("race", "lyran"), ("hex", "0206"), ("destroyed", True)):
        before = getattr(ship, name)
        setattr(ship, name, value)
        assert not permits.lies_at(dock, ship), name
        setattr(ship, name, before)


@cases("old, new, printed, hybrid, cost")
def test_what_a_refit_costs(old: int, new: int, printed: int, hybrid: str, cost: int) -> None:
    before = kind_of("FF", bpv_economic=old, refits={"dd": printed}, hybrid=hybrid in ("old", "both"))
    after = kind_of("DD", class_id="dd", bpv_economic=new, hybrid=hybrid in ("new", "both"))
    assert permits.refit_cost(before, after) == cost


@cases("code, figures, groups")
def test_of_which_groups_a_class_is(code: str, figures: dict[str, Any], groups: list[str]) -> None:
    record = kind_of(code, **figures)
    assert (permits.limits_on(record), permits.over_the_limits([("D1.work", record)])) == (groups, [])
    found = [str(one) for one in permits.over_the_limits([("D1.work", record), ("D2.then", record)])]
    assert found == [
        f"D2.then: one {group} may be begun a turn, and D1 begins one (4.2.2, CU-R84). Legal: another class, or a "
        "later turn."
        for group in groups
    ]


@pytest.mark.rule("cutler", "4.2.3.4")
def test_a_class_is_made_into_one_of_its_kind_that_sails_as_it_does(kept: Kept) -> None:
    def found(into: str, **classes: Any) -> list[str]:
        old = classes.pop("old")
        return [str(one) for one in permits.refit_defects({"old": old.with_values(refits={into: 5}), **classes})]

    assert found("dd", old=kind_of("FF"), dd=kind_of("DD")) == []
    assert found("dx", old=kind_of("FF"), dd=kind_of("DD")) == ["ships.old.refits: no class 'dx'"]
    assert found("aux", old=kind_of("FF"), aux=kind_of("AUX")) == kept("#1")
    assert found("fs", old=kind_of("FL"), fs=kind_of("FS")) == found("x", old=kind_of("SFL"), x=kind_of("SFS")) == []
    assert found("sfl", old=kind_of("FL"), sfl=kind_of("SFL")) == kept("#2")
    assert found("fl", old=kind_of("SFL"), fl=kind_of("FL")) == kept("#3")


# --- docks -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.1.1")
def test_bays_are_named_by_their_base_and_by_their_number_if_there_are_several(kept: Kept) -> None:
    assert [dock.title for dock in docks.docks_of(yard(bays=(30, 20)), "hydran").values()] == kept()
    assert [dock.title for dock in docks.docks_of(yard(bays=(30,)), "hydran").values()] == ["Yard"]
    state = yard(HOME + "hydran base 0307 Den\nlyran base 0902 Lair\nhydran F1 0205 CA\n", bays=(9, 8))
    state.units["hydran-F1-CA"].record = kind_of("CA", repair=5, docks=1)
    found = docks.docks_of(state, "hydran")
    assert [(key, dock.base.name, dock.bay, dock.boxes) for key, dock in found.items()] == kept("#1")


@cases("change, told")
def test_what_is_under_way_is_lost_with_its_bay(change: dict[str, Any], told: list[str]) -> None:
    state, _ = bay()
    work = DockWork(
        base=YARD, bay=2, race="hydran", into=kind_of("CA"), named="Ox", ship=CA, cost=9, paid=3,
    )  # fmt: skip
    state.works[work.key] = work
    base = state.units[YARD]
    for name, value in change.items():
        if name == "record":
            base.record = kind_of("base", docking_bays=(9,), repair=9)
        elif name == "ship":
            state.units[CA].sailed = True
        else:
            setattr(base, name, value)
    docks.keep_docks(table := table_of(state))
    assert [one.text for one in table.shared.reports] == told
    assert bool(state.works) is not bool(told)
    assert (base.module_lost, state.units[CA].sailed) == (False, False)


# --- repairs ---------------------------------------------------------------------------------------------------------
def hurt(warp: int = 0, impulse: int = 0, cargo: int = 0) -> Unit:
    unit = world("hydran F1 0404 CA").units[CA]
    unit.record = kind_of("CA", cargo=10)
    unit.warp_ok, unit.impulse_ok, unit.cargo_lost = 30 - warp, 4 - impulse, cargo
    return unit


@cases("cpv, boxes")
def test_warp_boxes_are_repaired_first_then_impulse_then_cargo(cpv: int, boxes: dict[str, int]) -> None:
    """Half a CPV a point: ten points for a warp box, five for an impulse box, one for a cargo box."""
    unit = hurt(warp=2, impulse=1, cargo=3)
    assert damage(unit) == {"warp": 2, "impulse": 1, "cargo": 3}
    assert repaired_for(unit, RepairPoints(), cpv) == boxes
    due = RepairsDue(points=2 * cpv, boxes={"warp": 9, "impulse": 9, "cargo": 9})
    assert boxes_for(unit, due, RepairPoints()) == boxes
    mend(unit, boxes)
    left = {kind: count - boxes.get(kind, 0) for kind, count in {"warp": 2, "impulse": 1, "cargo": 3}.items()}
    assert damage(unit) == {kind: count for kind, count in left.items() if count}


@pytest.mark.rule("cutler", "3.9")
def test_after_combat_no_more_is_repaired_than_was_lost_in_the_impulse(kept: Kept) -> None:
    unit = hurt(warp=2, impulse=1, cargo=3)
    due = RepairsDue(points=99, boxes={"warp": 1, "cargo": 2})
    assert boxes_for(unit, due, RepairPoints()) == {"warp": 1, "cargo": 2}
    assert [in_words(one) for one in ({}, {"warp": 1}, {"warp": 2}, {"warp": 1, "cargo": 1})] == kept()


# --- people ----------------------------------------------------------------------------------------------------------


@cases("values, quality, base_type, why")
def test_why_a_ship_gets_no_crew(values: dict[str, Any], quality: Any, base_type: str, why: Any) -> None:
    state, dock = bay(base_type=base_type)
    set_fields(state.units[FF], values)
    assert why_no_crew(state, "hydran", dock, state.units[FF], quality) == why
    offered = [choice.value for choice in crew_choices(state, "hydran", dock, [state.units[FF]])]
    assert (f"crew {quality} for {FF}" in offered) is (why is None)
    assert why_no_crew(state, "hydran", dock, state.units[YARD], quality) == ("Yard is a base", "4.2.4.8", "a ship")


@cases("values, key, base_type, why")
def test_why_nobody_is_trained_for_a_ship(values: dict[str, Any], key: str, base_type: str, why: Any) -> None:
    state, dock = bay(base_type=base_type)
    set_fields(state.units[FF], values)
    assert why_not_trained(state, "hydran", dock, state.units[FF], STANDARD[key]) == why
    assert trains(dock) is (base_type != "BS")
    offered = [choice.value for choice in training_choices(state, "hydran", dock, [state.units[FF]])]
    assert (f"train {key} for {FF}" in offered) is (why is None)
    assert why_not_trained(state, "hydran", dock, state.units[YARD], STANDARD[key]) == (
        "Yard is a base", "4.2.4.8", "a ship",
    )  # fmt: skip


@pytest.mark.rule("cutler", "4.2.4.8", "4.2.3.2", "4.2.1")
def test_what_people_cost() -> None:
    """A crew unit costs 2 CPV if outstanding, 1 if normal, ½ if poor; no refit costs less than 10."""
    state, _ = bay()
    unit = state.units[FF]
    costs = {}
    for crew in (0, 5, 6, 21):
        unit.record = kind_of("FF", crew_units=crew)
        costs[crew] = [crew_cost(state, unit, quality) for quality in ("outstanding", "normal", "poor")]
        extra = [extra_for_crew(STANDARD, unit.record, quality) for quality in ("outstanding", "normal", "poor")]
        assert extra == [crew, 0, Fraction(-crew, 2)]
    assert costs == {0: [10, 10, 10], 5: [10, 10, 10], 6: [12, 10, 10], 21: [42, 21, 11]}
    prices = [price_of_new(state, "hydran", kind_of("FF", crew_units=21), quality, officers) for quality, officers in (
        ("normal", ()), ("poor", ()), ("outstanding", ("captain",)), ("normal", ("captain", "doctor")))]  # fmt: skip
    assert prices == [60, 50, 101, 100]
    assert price_of_new(state, "hydran", kind_of("FF", bpv_economic=3, crew_units=21), "poor", ()) == 1
    found = [training_cost(STANDARD["ace"].with_values(price=price)) for price in (None, 9, 10, Fraction(21, 2))]
    assert found == [10, 10, 10, 11]
    state.accessories = {**STANDARD, "cheap": STANDARD["crew_outstanding"].with_values(price=Fraction(3, 2))}
    unit.record = kind_of("FF", crew_units=20)
    assert crew_cost(state, unit, "outstanding") == 30
    state.accessories = {}
    assert [crew_cost(state, unit, quality) for quality in ("outstanding", "normal", "poor")] == [10, 10, 10]
    assert extra_for_crew({}, unit.record, "outstanding") == 0
    state.accessories = dict(STANDARD)
    state.accessories["theirs"] = STANDARD["officer_captain"].with_values(empire="lyran")
    state.accessories["free"] = STANDARD["officer_captain"].with_values(price=None)
    sold = for_sale(state, "hydran")
    assert {"ace", "officer_captain"} <= sold.keys()
    assert not {"theirs", "free", "crew_normal", "fighter_ace"} & sold.keys()
    assert "theirs" in for_sale(state, "lyran")


@pytest.mark.rule("cutler", "4.2.4.8", "7.3")
def test_a_new_crew_is_whole(kept: Kept) -> None:
    unit = bay()[0].units[FF]
    unit.record, unit.crew_units, unit.penalties_doubled = kind_of("FF", crew_units=8), 5, True
    docks.new_crew(unit, "outstanding")
    assert (unit.crew_units, unit.crew_quality, unit.penalties_doubled) == (8, "outstanding", False)
    unit.crew_units = 10
    docks.new_crew(unit, "normal")
    assert unit.crew_units == 10
    assert [read_crew(text) for text in ("crew poor for x", "crew bad for x", "train ace for x", "poor for x")] == [
        ("poor", "x"), (None, ""), (None, ""), (None, ""),
    ]  # fmt: skip
    state, _ = bay()
    read = [read_training(state, "hydran", text) for text in (
        "train ace for x", "train mines for x", "crew poor for x", "ace for x")]  # fmt: skip
    assert read == [("ace", "x"), ("", ""), ("", ""), ("", "")]


@cases("people, figures, base_type, crew, refused")
def test_the_people_of_a_new_ship_are_read(people, figures, base_type, crew, refused):
    state, dock = bay(base_type=base_type)
    item = kind_of("FF", **{"crew_units": 5} | figures)
    found, officers, refusals = read_people(state, "hydran", dock, DockLine(people=people), item)
    assert (found, [str(one) for one in refusals]) == (crew, refused)
    assert officers == (("captain",) if "captain" in people else ())


@pytest.mark.rule("cutler", "4.2.4.8")
def test_crews_are_offered_where_a_class_that_can_be_built_has_crew_units() -> None:
    state, dock = bay(base_type="BATS")

    def offered() -> list[str]:
        return [choice.value for one in people_fields(state, "hydran", dock) for choice in one.choices][:2]

    assert offered() == ["navigator", "science"]
    state.classes["ca"] = kind_of("CA", crew_units=5)
    assert offered() == ["navigator", "science"], "no cruiser is built at a battle station"
    state.classes["ff"] = kind_of("FF", crew_units=5)
    assert offered() == ["outstanding_crew", "poor_crew"]
    assert people_fields(state, "hydran", replace(dock, base=bay(base_type="BS")[1].base)) == ()
    state.accessories, state.classes = {}, {}
    assert people_fields(state, "hydran", dock) == ()


NOTATION = {"CA": CA, "kind_of": kind_of}


@cases("values, spent, told", "")
def test_what_is_paid_for_is_there_and_said(values: dict[str, Any], spent: str, told: str) -> None:
    state, _ = bay()
    ship = state.units[CA]
    ship.record, ship.cargo_cpv = kind_of("CA", cargo=3), 2
    told_of = {"base": YARD, "bay": 1, "race": "hydran", "into": kind_of("CA"), "named": "Ox", "cost": 9}
    work = DockWork(**told_of | evaluated(values, NOTATION))
    table = table_of(state)
    assert docks.channel(table, work, 8) is None
    assert list(state.works) == [work.key]
    assert docks.channel(table, work, 0) is None
    assert docks.channel(table, work, 1) is not None
    assert ([(one.item, one.cpv) for one in state.spent], state.works) == ([(spent, 8), (spent, 1)], {})
    assert [one.text for one in table.shared.reports] == [told]
