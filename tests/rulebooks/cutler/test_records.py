"""Small questions that all rooms ask of what is recorded, at none, one and two of a thing."""

from typing import Any

import pytest

from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch01_setup.forces import judge_force
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.accessories.holds import unarmed_fighters
from rules_engine.rulebooks.cutler.records.combat.work import RepairsDue, WorkOfImpulse
from rules_engine.rulebooks.cutler.records.conditions.strength import whole_of
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.parts.craft import all_have_boosters, free_boxes, squadron, with_boosters
from rules_engine.rulebooks.cutler.records.parts.ground_units import (
    ground_units,
    hexside_room,
    stand_on,
    that_fall,
)
from rules_engine.rulebooks.cutler.records.parts.moons import is_gas_giant, moons_of
from rules_engine.rulebooks.cutler.records.parts.planets import Planet
from rules_engine.rulebooks.cutler.records.parts.surface_shuttles import spare_shuttles, take_spare_shuttles
from rules_engine.rulebooks.cutler.records.parts.troops import Landed
from rules_engine.rulebooks.cutler.records.planetary import crew_room, garrison, room_for, vehicles_for
from rules_engine.rulebooks.cutler.records.setup import Limit, Setup, SetupRules, StarSystem
from rules_engine.rulebooks.cutler.records.state import Unit
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.worlds import kind_of, table_of, world
from tests.rulebooks.cutler.yards import counts, lots

CA = "hydran-F1-CA"


def unit(code: str = "CA", **figures: Any) -> Unit:
    """A unit of that class with other figures, whole."""
    found = world(f"hydran F1 0404 {code}").units[f"hydran-F1-{code}"]
    found.record = kind_of(code, **figures)
    found.warp_ok, found.impulse_ok = found.record.warp, found.record.impulse
    return found


# --- accessories -----------------------------------------------------------------------------------------------------
@cases("figures, fighters, unarmed")
def test_fighters_beyond_their_reload_boxes_are_without_heavy_weapons(figures, fighters, unarmed):
    ship = unit(**{"fighters": 6} | figures)
    ship.holds = lots(fighter=fighters)
    assert unarmed_fighters(ship) == unarmed


@cases("holds, spare")
def test_a_ship_keeps_one_shuttle_of_all(holds, spare):
    ship = unit(shuttles=9)
    ship.holds = lots(**holds)
    assert (spare_shuttles(ship), take_spare_shuttles([ship], 9), take_spare_shuttles([ship], 0)) == (spare, spare, 0)


@cases("fighters, packs, all_have, boosted")
def test_fighters_with_boosters_are_no_more_than_there_are_packs(fighters, packs, all_have, boosted):
    held = lots(**{key: count for key, count in (("fighter", fighters), ("wbp", packs)) if count})
    squad = squadron("x", "hydran", "X", "0404", held)
    carrier = unit(fighters=2)
    carrier.holds = held
    assert (all_have_boosters(squad), with_boosters(carrier), free_boxes(carrier)) == (all_have, boosted, 2 - fighters)
    assert (squad.warp_ok, squad.impulse_ok, squad.kind, squad.entered_from) == (0, 0, "fighters", "")
    carrier.record = kind_of("CA", fighters=1)
    assert free_boxes(carrier) == (1 if not fighters else 0)


# --- troops ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.4.8")
@pytest.mark.parametrize(("kind", "most"), [("capital", 600), ("major", 300), ("minor", 150), ("moon", 50)])
def test_a_planet_or_moon_holds_so_many_boarding_parties_and_crew_units(kind: str, most: int):
    planet = next(iter(world("planet capital 0404 hydran").planets.values()))
    planet.kind, planet.boarding_parties, planet.crew_units = kind, 0, 0
    assert (room_for(planet, "hydran"), room_for(planet, "lyran"), crew_room(planet)) == (most, most, most)


@pytest.mark.rule("cutler", "4.2.4.8", "5.3.3")
def test_what_a_planet_has_room_for_and_counts(kept: Kept):
    """A minor planet holds 150 of each (4.2.4.8); squads of heavy weapons, vehicles and shuttles count as one each,
    commandos for nothing (5.3.3)."""
    planet = Planet(key="p", name="P", kind="minor", hex="0101", race="hydran", owner="hydran")
    assert (room_for(planet, "hydran"), room_for(planet, "lyran"), crew_room(planet), garrison(planet)) == kept()
    planet.boarding_parties, planet.crew_units, planet.landed = 149, 150, {"lyran": 150}
    assert (room_for(planet, "hydran"), room_for(planet, "lyran"), crew_room(planet)) == (1, 0, 0)
    planet.squads, planet.gcv, planet.shuttles = {"commando": 3, "heavy": 4}, 2, 1
    assert garrison(planet) == 149
    planet.squads = {}
    assert garrison(planet) == 152
    assert [vehicles_for(parties) for parties in (0, 9, 10, 19, 20)] == [0, 0, 1, 1, 2]


# --- ground bases and moons -------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.4.9", "5.3")
def test_ground_bases_are_numbered_on_each_hexside_and_the_last_fall_first():
    state = world("turn 1\nplanet minor 0404 hydran cub\nlyran F1 0606 CA")
    cub, kind = state.planets["cub"], GroundBaseCost().record
    stand_on(state, cub, {"B": 1}, kind)
    stand_on(state, cub, {"B": 1, "D": 1}, kind)
    posts = ground_units(state, cub)
    assert [one.name for one in posts] == ["Cub B1", "Cub B2", "Cub D1"]
    assert [hexside_room(state, cub, side) for side in ("A", "B", "D")] == [2, 0, 1]
    fallen = [[one.name for one in that_fall(posts, left)] for left in (3, 2, 1, 0)]
    assert fallen == [[], ["Cub B2"], ["Cub B1", "Cub B2"], ["Cub B1", "Cub B2", "Cub D1"]]
    posts[0].perish()
    stand_on(state, cub, {"B": 1}, kind)
    assert [one.name for one in ground_units(state, cub)] == ["Cub B1", "Cub B2", "Cub D1"]


@cases("system, names")
def test_moons_are_numbered_from_one(system, names):
    system = evaluated(system, NOTATION)
    cub = world("planet minor 0404 hydran cub").planets["cub"]
    assert [moon.name for moon in moons_of(cub, system).values()] == names
    assert is_gas_giant("giant_0404", {"0404": system}) == (system.gas_giant == 1)


# --- units -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.4.2", "4.4.3")
@pytest.mark.parametrize(("cargo", "lost", "builds"), [(0, 0, False), (1, 0, True), (1, 1, False), (2, 1, True)])
def test_who_has_a_cargo_box_left_builds_bases(cargo, lost, builds):
    tug = unit(hull_type="TUG", cargo=cargo)
    tug.cargo_lost = lost
    assert tug.builds_bases == builds


@pytest.mark.rule("cutler", "4.1.8", "5.1")
def test_what_is_captured_or_destroyed_has_nothing_left_of_its_own():
    for end in ("taken", "perish"):
        ship = unit(crew_units=9, boarding_parties=8, cargo=5, repair=5, shuttles=2)
        ship.boarding_parties, ship.crew_units, ship.cargo_cpv, ship.repair_cpv, ship.held_turn = 8, 9, 3, 4, 2
        ship.holds = lots(fighter=2, wbp=1, shuttle=2)
        if end == "taken":
            ship.taken_by("lyran")
            assert (ship.race, ship.captured_from, ship.held_turn, counts(ship.holds)) == (
                "lyran", "hydran", 0, {"shuttle": 2},
            )  # fmt: skip
        else:
            ship.perish()
            assert (ship.destroyed, ship.cargo_cpv, ship.repair_cpv, ship.holds) == (True, 0, 0, {})
        assert (ship.crew_units, ship.boarding_parties, ship.crew_quality) == (0, 0, "normal")


@cases("warp, impulse, percent")
def test_what_damage_has_left_of_a_ship(warp, impulse, percent):
    """Of 34 boxes, rounded down; whoever is in play has one percent at least."""
    ship = unit()
    ship.warp_ok, ship.impulse_ok = warp, impulse
    assert whole_of([ship]) == percent
    assert whole_of([]) == 100


# --- what is seen and counted -----------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "2.10")
def test_the_best_command_rating_counts_and_there_may_be_none():
    state = world("hydran F1 0606 CA+DD\nlyran police 0606")
    assert [state.command_rating(race, "0606") for race in ("hydran", "lyran", "klingon")] == [8, 0, 0]


@pytest.mark.rule("cutler", "3.1.3")
def test_a_glance_counts_units_and_fighters_apart_one_by_one(kept: Kept):
    state = world("lyran F1 0606 CA+DD+DD\nhydran F1 0606 FF")
    ships = state.units_in("0606", "lyran")
    tacintel.show(turn := table_of(state), "klingon", "lyran", "0606", ships, text="Seen.", why=because("3.1.3"))
    (seen,) = turn.knowledge("klingon").contacts.values()
    assert (seen.latest.headline, seen.latest.details) == ("3 Lyran units", ("size 3: CA", "size 4: DD ×2"))
    assert (seen.latest.level, seen.latest.level_name) == (5, "S1-S5")
    assert tacintel.in_words("Lyran", ships) == "3 Lyran units (size 3: CA; size 4: DD ×2)"
    assert tacintel.in_words("Lyran", ships[:1]) == "1 Lyran unit (size 3: CA)"
    assert [tacintel.headline(state, some) for some in (ships[:1], ships, state.units_in("0606"))] == kept()
    assert [tacintel.number_told(one) for one in ("1 Lyran unit", "12 Lyran units", "Lyran", "")] == [1, 12, None, None]


# --- the work of an impulse, and what must never be ------------------------------------------------------------------
NOTATION = {"Landed": Landed, "Limit": Limit, "RepairsDue": RepairsDue, "StarSystem": StarSystem}


@cases("limit, figures, counted")
def test_what_counts_against_a_limit_of_first_ships(limit, figures, counted):
    limit = evaluated(limit, NOTATION)
    kind = kind_of("CA", **figures)
    assert limit.counts(kind) == counted
    setup = Setup(rules=SetupRules(races=(), limits=(limit,)), classes={"ca": kind})
    assert [one.problem for one in judge_force(setup, {"p": {"ca": 2}})] == ([f"2 of {limit.says}"] if counted else [])


@pytest.mark.rule("cutler", "2.4.1.5")
def test_nobody_is_in_two_tows():
    state = world("turn 1\nhydran F1 0404 CA[tractors=1]+CC[tractors=1]+DD+FF")
    units = state.units
    units["hydran-F1-CA"].towing, units["hydran-F1-CC"].towing = ["hydran-F1-DD"], ["hydran-F1-FF"]
    assert defects(state) == []
    units["hydran-F1-CC"].towing = ["hydran-F1-DD"]
    said = "tows, and is towed or shares its tow"
    assert defects(state) == [f"unit hydran-F1-CA {said}", f"unit hydran-F1-CC {said}"]


def test_repairs_of_several_battles_add_up():
    work = WorkOfImpulse()
    work.will_repair("a", 0, {"warp": 0})
    assert work.repairs == {}
    work.will_repair("a", 4, {"warp": 2, "cargo": 0})
    work.will_repair("a", 3, {"warp": 1, "impulse": 1})
    assert work.repairs == {"a": RepairsDue(points=7, boxes={"warp": 3, "impulse": 1})}
