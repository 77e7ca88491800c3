"""Chapter 6.4.1: what each mission finds, word for word, and what is no part of it."""

from typing import Any

import pytest

from rules_engine.core.knowledge.reports import MapNote, Sighted
from rules_engine.rulebooks.cutler.ch06_espionage.missions import report_success
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.economy import BaseSite, Spent
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_units, stand_on
from rules_engine.rulebooks.cutler.records.parts.missions import Mission
from rules_engine.rulebooks.cutler.records.shipping.convoys import PlottedConvoy
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.armed import mooned
from tests.rulebooks.cutler.worlds import kind_of, table_of, world


def report(state: CutlerState, kind: Any, target: str, aimed: Any = "hex", dice: Any = None) -> CutlerTurn:
    """A Hydran mission against the Lyran, which has succeeded."""
    turn = table_of(state, dice)
    said = f"the target {target}"
    mission = Mission(line="M1", spy="hydran", kind=kind, against="lyran", target=target, aimed=aimed, said=said, ip=30)
    report_success(turn, mission, "File")
    return turn


def finds(state: CutlerState, kind: Any, target: str, aimed: Any = "hex", dice: Any = None) -> str:
    """What the Hydran reads of it, without the heading."""
    (one,) = report(state, kind, target, aimed, dice).shared.reports
    assert (one.to, one.kind) == (("hydran",), "intelligence")
    heading, found = one.text.split(f"Lyran, the target {target}: ")
    assert one.facts[0] == MapNote(topic="File", text=f"Turn {state.turn}: {one.text}")
    assert heading.endswith(", ")
    return found


@pytest.mark.rule("cutler", "6.4.1.2")
def test_construction_plans_name_what_was_built_at_one_base_and_at_several(kept: Kept) -> None:
    state = world("lyran base 0902 A\nlyran base 0101 B\nlyran base 0202 C\nlyran base 0303 D\nlyran F1 0404 CC\n")
    state.units["lyran-base-0101"].hex = "0902"
    spent = (("0902", "a Frigate", 20), ("0202", "a Cruiser", 50), ("0101", "repairs", 5))
    state.spent = [Spent(base=f"lyran-base-{b}", race="lyran", item=item, cpv=cpv) for b, item, cpv in spent]
    assert [finds(state, "construction", hex_id) for hex_id in ("0902", "0202", "0303", "0404", "0505")] == kept()


@pytest.mark.rule("cutler", "6.4.1.3")
def test_a_movement_plot_names_hulls_by_where_they_go_but_none_that_is_cloaked_or_never_moves() -> None:
    text = "lyran F1 0902 CA+FF\nlyran F2 0902 DD\nlyran F3 0902 CW[cloak=up]\nlyran base 0902\nlyran F4 0902 DW\n"
    state = world(f"{text}lyran police 0902\nlyran police 0404\nlyran base 0505\n")
    lodged = {"lyran-F1-CA": "0901", "lyran-F1-FF": "0901", "lyran-F2-DD": "", "lyran-F4-DW": "0901"}
    state.empires["lyran"].lodged = lodged
    state.units["lyran-F4-DW"].retreat_hex = "0803"
    assert finds(state, "movement", "0902") == "in impulse 1, DD stay; DW go to 0803; CA, FF go to 0901."
    assert finds(state, "movement", "0404") == "no ships of theirs in 0404."
    assert finds(state, "movement", "0505") == "no ships of theirs in 0505."
    state.convoys["lyran/P1"] = PlottedConvoy(
        key="P1", race="lyran", kind="police", units=["lyran-police-0404"], at="0404", embarked="0404",
        course=["0504", "0603"],
    )  # fmt: skip
    assert finds(state, "movement", "0404") == "in impulse 1, police go to 0504."
    state.units["lyran-police-0404"].cloaked = True
    assert finds(state, "movement", "0404") == "no ships of theirs in 0404."


SHIPS = """
lyran F1 0902 CA+FF+MON[officers=navigator,crew=poor]+PF+SC
lyran F2 0902 CW[cloak=up]
lyran F3 0404 DD
lyran base 0902
lyran waits 0902 FL
klingon F1 0902 DD
"""
CREW, INVENTED = "crew normal", "all figures invented."
@cases("number, drawn, plans")
def test_ship_plans_draw_one_of_the_ships_and_monitors_that_are_not_cloaked(number: int, drawn: str, plans: str):
    state = world(SHIPS)
    turn = report(state, "ship", "0902", dice={"random ship": [number]})
    assert [(roll.faces, roll.seen_by) for roll in turn.shared.rolls] == [(4, frozenset())]
    assert turn.shared.reports[0].text.split("the target 0902: ")[1] == plans
    assert state.empires["hydran"].known_ships == {f"lyran-F1-{drawn}": "lyran"}


@pytest.mark.rule("cutler", "6.4.1.4")
def test_of_one_ship_or_of_none_no_die_is_rolled(kept: Kept) -> None:
    state = world(SHIPS)
    alone = "Lyran F3 Dd, DD (DD, size class 4); BPV 80/80; warp 18 of 18; impulse 2 of 2; crew normal; "
    assert finds(state, "ship", "0404") == alone + INVENTED
    assert finds(state, "ship", "0505") == "no ship of theirs in 0505."
    assert finds(state, "ship", "lyran-F3-DD", "unit") == alone + INVENTED
    assert finds(state, "ship", "lyran-F9-DD", "unit") == "no such ship in service."
    assert finds(state, "ship", "klingon-F1-DD", "unit") == "no such ship in service."
    assert finds(state, "ship", "lyran-F2-CW", "unit").startswith("Lyran F2 Cw, CW"), "known by name, cloaked or not"
    for target in ("0404", "lyran-F2-CW"):
        assert report(state, "ship", target, "hex" if target == "0404" else "unit").shared.rolls == []
    ship = state.units["lyran-F3-DD"]
    ship.record = kind_of("DD", cargo=5, boarding_parties=6, source="printed")
    ship.boarding_parties, ship.warp_ok, ship.impulse_ok = 1, 7, 0
    ship.holds["mines"] = Lot(item=STANDARD["mines"], count=4)
    assert finds(state, "ship", "0404") == kept()


@pytest.mark.rule("cutler", "6.4.1.5")
def test_base_plans_name_what_is_being_built_by_somebody_for_that_race(kept: Kept) -> None:
    state = world("lyran base 0902")
    state.empires["lyran"].base_pool = 33
    assert finds(state, "base", "") == "33 CPV in the Base Pool; no base is being built or refit."
    into = kind_of("base", class_id="bats", name="Battle Station")
    sites = [("lyran", "0404", "", ""), ("klingon", "0405", "", "tug")]
    state.sites = {
        str(number): BaseSite(
            key=str(number), race=race, hex=at, into=into, named="N", cost=9, set_aside=1, upgrades=old, builder=by
        )
        for number, (race, at, old, by) in enumerate(sites)
    }
    assert finds(state, "base", "") == "33 CPV in the Base Pool; no base is being built or refit."
    state.sites["2"] = state.sites["0"].changed(key="2", builder="tug")
    state.sites["3"] = state.sites["0"].changed(key="3", builder="tug", upgrades="lyran-base-0902", hex="0902")
    assert finds(state, "base", "") == kept()


@pytest.mark.rule("cutler", "6.4.1.6")
def test_location_detection_finds_who_is_cloaked_for_good_and_makes_contacts() -> None:
    state = world("turn 1\nlyran F1 0902 CC[cloak=up]+FF\nklingon F1 0902 DD[cloak=up]\n")
    state.units["lyran-F1-CC"].found_by = ["klingon"]
    for _ in range(2):
        (one,) = report(state, "location", "0902").shared.reports
        assert one.text.endswith(": 2 Lyran units (size 3: CC; size 4: FF; under cloak: size 3: CC).")
        assert [type(fact) for fact in one.facts] == [MapNote, Sighted]
        found = {key: unit.found_by for key, unit in state.units.items()}
        assert found == {"lyran-F1-CC": ["klingon", "hydran"], "lyran-F1-FF": [], "klingon-F1-DD": []}
    assert finds(state, "location", "0404") == "no unit of theirs in 0404."
    others = report(state, "resources", "0902").shared.reports[0].facts
    assert [type(fact) for fact in others] == [MapNote], "no other mission makes contacts"


@pytest.mark.rule("cutler", "6.4.1.9")
def test_a_resource_check_counts_cargo_and_repair_boxes_but_of_none_that_is_cloaked() -> None:
    state = world("lyran F1 0902 CC[cloak=up]+FF\nlyran base 0902\nklingon F1 0902 DD\n")
    state.units["lyran-base-0902"].repair_cpv = 3
    for unit, cargo in zip(state.units.values(), (500, 7, 20, 90), strict=True):
        unit.cargo_cpv = cargo
    assert finds(state, "resources", "0902") == "30 CPV in cargo and repair boxes."
    assert finds(state, "resources", "0404") == "0 CPV in cargo and repair boxes."


@cases("die")
def test_a_success_adds_a_die_to_the_rebels_of_a_captured_planet(die: int) -> None:
    state = world("planet minor 0404 klingon cub\nplanet minor 0505 klingon kit\n")
    state.planets["cub"].owner, state.planets["cub"].captured_turn = "lyran", 0
    state.rebels = {"cub": 7}
    turn = report(state, "insurrection", "cub", "planet", {"insurrection": [die]})
    assert turn.shared.reports[0].text.endswith(f": {die} more rebel{'s' if die > 1 else ''} will rise on Cub.")
    assert [(roll.faces, roll.seen_by) for roll in turn.shared.rolls] == [(6, frozenset({"hydran"}))]
    assert state.rebels == {"cub": 7 + die}
    assert finds(state, "insurrection", "kit", "planet") == "Kit is in the hands of its own people; nobody rises."
    report(state, "insurrection", "cub", "planet", {"insurrection": [2]})
    state.rebels.pop("cub")
    report(state, "insurrection", "cub", "planet", {"insurrection": [3]})
    assert state.rebels == {"cub": 3}


@pytest.mark.rule("cutler", "6.4.1.10", "4.2.4.8")
def test_a_planet_check_tells_of_all_who_stand_there_and_of_ground_bases_with_their_people() -> None:
    state = mooned(world("planet minor 0404 lyran cub\n"), "0404")
    cub = state.planets["cub"]
    cub.boarding_parties, cub.crew_units, cub.gcv = 30, 15, 3
    people = "30 boarding parties, 15 crew units, 3 ground vehicles"
    nothing = "no ships and no other units on the surface."
    assert finds(state, "planet", "cub", "planet") == f"{people}; no ground bases, {nothing}"
    cub.landed = {"klingon": 4, "hydran": 1}
    cub.shuttles = 1
    landed = f"{people}, 1 boarding party of the Hydran, 4 boarding parties of the Klingon"
    boxes = "no ships and 1 shuttle in their boxes."
    assert finds(state, "planet", "cub", "planet") == f"{landed}; no ground bases, {boxes}"
    cub.landed, cub.shuttles = {}, 0
    price = GroundBaseCost(cpv=20, shuttles=0, boarding_parties=0, crew_units=0)
    stand_on(state, cub, {"A": 2}, price.record)
    assert finds(state, "planet", "cub", "planet") == f"{people}; 2 ground bases (hexside A 2), {nothing}"
    crewed = price.model_copy(update={"crew_units": 1}).record.model_copy(
        update={"class_id": "phaser", "name": "Phaser Base"}
    )
    stand_on(state, cub, {"C": 1}, crewed)
    kinds = "3 ground bases (hexsides A 2, C 1): A Ground Base, Ground Base; C Phaser Base"
    units = {unit.name: unit for unit in ground_units(state, cub)}
    for parties, crews, within in (
        (0, 0, ""),
        (1, 0, " with 1 boarding party and 0 crew units"),
        (0, 1, " with 0 boarding parties and 1 crew unit"),
        (3, 2, " with 3 boarding parties and 2 crew units"),
    ):
        units["Cub A1"].boarding_parties, units["Cub C1"].crew_units = parties, crews
        assert finds(state, "planet", "cub", "planet") == f"{people}; {kinds}{within}, {nothing}"
    moon = next(iter(state.moons.values()))
    assert finds(state, "planet", moon.key, "planet").startswith("0 boarding parties, 0 crew units, 0 ground vehicles;")
