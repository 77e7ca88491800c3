"""Troops, and what they stand on: squads, garrisons, moons, ground bases and the shuttles in their boxes."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.rulebooks.cutler.records import ground
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.parts import surface_shuttles, troops
from rules_engine.rulebooks.cutler.records.parts.ground_units import (
    ground_base_limit,
    ground_bases_in,
    ground_classes,
    ground_on,
    ground_units,
    hexside_room,
    kinds_in_words,
    parties_in,
    pass_to,
    stand_on,
    that_fall,
)
from rules_engine.rulebooks.cutler.records.parts.moons import held_by, is_gas_giant, is_held, moons_of, moons_of_all
from rules_engine.rulebooks.cutler.records.parts.surface_shuttles import spare_shuttles, take_spare_shuttles
from rules_engine.rulebooks.cutler.records.planetary import (
    base_rate,
    can_land,
    crew_room,
    garrison,
    in_words,
    is_free_to_act,
    lose_garrison,
    number,
    room_for,
    say_with,
    transporters_ok,
    vehicles_for,
    witnesses,
)
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState, Planet, Unit
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.worlds import kind_of, set_fields, world
from tests.rulebooks.cutler.yards import lots

WORLD = """
turn 2 impulse 3
planet capital 0205 hydran throne
planet minor 0404 klingon cub
hydran F1 0404 CA+DD
lyran F1 0404 FF
"""
CA, DD = "hydran-F1-CA", "hydran-F1-DD"


def ship(code: str = "CA", **figures: Any) -> Unit:
    """A ship of a class with these figures."""
    unit = world(f"hydran F1 0404 {code}").units[f"hydran-F1-{code}"]
    unit.record = kind_of(code, **figures)
    return unit


# --- squads ----------------------------------------------------------------------------------------------------------
@cases("squads, parties, count, gone, left")
def test_ordinary_boarding_parties_go_first_and_commandos_last(squads: troops.Squads, parties, count, *, gone, left):
    """What is gone of so many boarding parties of which the squads are some, and what is left."""
    assert troops.drawn(squads, parties, count) == gone
    assert troops.remaining(squads, parties, count) == left


SAID = {
    "plus": troops.plus, "squads": troops.squads_in_words, "more": ground.with_more, "only": ground.with_only,
    "bases": ground.in_words,
}  # fmt: skip


@cases("asked, answer")
def test_squads_and_ground_bases_are_added_taken_away_and_named(asked: str, answer: object) -> None:
    assert evaluated(asked, SAID) == answer


@cases("squads, parties, defect")
def test_squads_are_some_of_the_boarding_parties(squads: troops.Squads, parties: int, defect: bool) -> None:
    assert troops.squad_defects(squads, parties) is defect
    if not defect:
        assert troops.drawn(squads, parties, parties) == squads


# --- moons -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "1.1.2.4", "1.1.2.4.2", "1.1.2.4.3")
def test_a_planet_has_its_moons_and_those_of_the_gas_giant_beside_it(kept: Kept) -> None:
    state = world(WORLD)
    throne = state.planets["throne"]
    throne.owner = "lyran"
    moons = moons_of(throne, StarSystem(moons=(4, 6), gas_giant=1, giant_moons=(8,)))
    assert {key: (moon.name, moon.race, moon.owner, moon.feature) for key, moon in moons.items()} == kept()
    assert list(moons_of(throne, StarSystem(giant_moons=(8,)))) == []
    assert list(moons_of_all(state.planets.values(), {"0404": StarSystem(moons=(4,))})) == ["moon1_0404"]


def test_a_gas_giant_is_known_by_its_hex() -> None:
    systems = {"0404": StarSystem(gas_giant=1), "0505": StarSystem(moons=(4,))}
    named = ("giant_0404", "giant_0505", "giant_0606", "moon1_0404", "giant")
    assert [is_gas_giant(key, systems) for key in named] == [True, False, False, False, False]


def test_who_has_troops_on_a_moon_holds_it() -> None:
    moons = moons_of(world(WORLD).planets["cub"], StarSystem(moons=(4, 6, 8, 10, 12)))
    for key, what in (("moon2", "boarding_parties"), ("moon3", "crew_units"), ("moon4", "gcv"), ("moon5", "gcv")):
        setattr(moons[f"{key}_0404"], what, 1)
    moons["moon5_0404"].owner = "lyran"
    assert [is_held(moon) for moon in moons.values()] == [False, True, True, True, True]
    assert [moon.feature for moon in held_by(moons, "klingon")] == ["moon2", "moon3", "moon4"]
    assert [moon.feature for moon in held_by(moons, "lyran")] == ["moon5"]


# --- ground bases ----------------------------------------------------------------------------------------------------
def based(**sides: int) -> tuple[CutlerState, Planet]:
    """A planet with so many ground bases on each hexside, one more on its moon, and one on another planet."""
    state = world(WORLD)
    throne = state.planets["throne"]
    stand_on(state, throne, sides, state.ground_base_cost.record)  # type: ignore[arg-type]
    (moon,) = moons_of(throne, StarSystem(moons=(4,))).values()
    state.moons[moon.key] = moon
    stand_on(state, moon, {"A": 1}, state.ground_base_cost.record)
    stand_on(state, state.planets["cub"], {"A": 1}, state.ground_base_cost.record)
    return state, throne


@pytest.mark.rule("cutler", "4.4.9", "5.2.3")
def test_ground_bases_are_counted_where_they_stand() -> None:
    state, throne = based(B=2, A=1)
    assert [unit.name for unit in ground_units(state, throne)] == ["Throne A1", "Throne B1", "Throne B2"]
    assert ground_on(state, throne) == {"A": 1, "B": 2}
    assert [hexside_room(state, throne, side) for side in ("A", "B", "C")] == [3, 2, 4]
    assert [ground_base_limit(kind) for kind in ("capital", "major", "minor", "moon")] == [24, 18, 12, 6]
    assert [ground_bases_in(state, "0205"), ground_bases_in(state, "0205", "hydran")] == [4, 0]
    assert [ground_bases_in(state, "0205", "lyran"), ground_bases_in(state, "0303")] == [4, 0]
    assert kinds_in_words(ground_units(state, throne)) == "A Ground Base; B Ground Base, Ground Base"
    first, second, _ = ground_units(state, throne)
    first.boarding_parties, second.boarding_parties = 2, 3
    assert parties_in(ground_units(state, throne)) == 5
    second.destroyed = True
    assert ground_on(state, throne) == {"A": 1, "B": 1}
    assert ground_bases_in(state, "0205") == 3
    stand_on(state, throne, {"B": 2}, state.ground_base_cost.record)
    assert [unit.name for unit in ground_units(state, throne)] == ["Throne A1", "Throne B1", "Throne B2", "Throne B3"]
    full, body = based(A=4)
    assert hexside_room(full, body, "A") == 0


@pytest.mark.rule("cutler", "5.3")
def test_ground_bases_fall_from_the_hexside_that_has_the_most_the_last_built_first() -> None:
    state, throne = based(A=1, B=3, C=2)
    units = ground_units(state, throne)

    def falling(left: int) -> list[str]:
        return [unit.name.split()[1] for unit in that_fall(units, left)]

    assert [falling(left) for left in (6, 5, 4, 3)] == [[], ["B3"], ["B2", "B3"], ["B2", "B3", "C2"]]
    assert falling(0) == ["A1", "B1", "B2", "B3", "C1", "C2"]


@pytest.mark.rule("cutler", "5.3")
def test_ground_bases_go_to_the_new_holder_as_no_prizes_and_he_forgets_their_names(kept: Kept) -> None:
    state, throne = based(A=2)
    first, second = ground_units(state, throne)
    first.boarding_parties, second.race = 3, "lyran"
    second.boarding_parties = 2
    state.empires["lyran"].known_ships = {first.id: "hydran", second.id: "hydran", "x": "klingon"}
    pass_to(state, throne, "lyran")
    assert [(unit.race, unit.captured_from, unit.boarding_parties) for unit in (first, second)] == kept()
    assert state.empires["lyran"].known_ships == {second.id: "hydran", "x": "klingon"}


@pytest.mark.rule("cutler", "4.4.9")
def test_a_race_builds_the_ground_bases_of_its_catalogue_the_cheapest_first() -> None:
    state = world(WORLD)
    assert [kind.name for kind in ground_classes(state, "hydran").values()] == ["Ground Base"]

    def kind(key: str, price: int, empire: str = "any") -> None:
        figures = {"kind": "ground_base", "warp": 0, "impulse": 0, "empire": empire, "class_id": key}
        state.classes[key] = kind_of("AUX", **figures, bpv_economic=price, bpv_combat=price)

    kind("dear", 30)
    kind("theirs", 5, "lyran")
    assert list(ground_classes(state, "hydran")) == ["dear"]
    kind("b", 20, "hydran")
    kind("a", 20)
    assert list(ground_classes(state, "hydran")) == ["a", "b", "dear"]
    assert list(ground_classes(state, "lyran")) == ["theirs", "a", "dear"]


# --- shuttles on the surface -----------------------------------------------------------------------------------------
def laden(unit: Unit, **counts: int) -> Unit:
    """The unit with so many accessories in its own boxes, and nothing else."""
    unit.holds = {key: Lot(item=STANDARD[key], count=count) for key, count in counts.items()}
    return unit


@cases("count, taken, left")
def test_shuttles_are_left_by_the_ship_first_that_has_the_most(count: int, taken: int, left: tuple[int, int]) -> None:
    state = world(WORLD)
    ca, dd = laden(state.units[CA], shuttle=3, mls=1), laden(state.units[DD], shuttle=4)
    ca.holds["shuttle"] = Lot(item=STANDARD["shuttle"], count=3)
    ca.holds.pop("mls")
    assert surface_shuttles.take_spare_shuttles([ca, dd], count) == taken
    assert (ca.holds["shuttle"].count, dd.holds["shuttle"].count) == left


@pytest.mark.rule("cutler", "4.2.4.8")
def test_shuttles_without_a_box_are_lost() -> None:
    state, throne = based(A=2)  # with a box for one shuttle each
    assert surface_shuttles.boxes_for_shuttles(state, throne) == 2
    throne.shuttles = 3
    surface_shuttles.keep_in_boxes(state, throne)
    assert throne.shuttles == 2
    throne.shuttles = 1
    surface_shuttles.keep_in_boxes(state, throne)
    assert throne.shuttles == 1


# --- planets ---------------------------------------------------------------------------------------------------------
@cases("values, free")
def test_who_is_free_to_raze_and_land(values: dict[str, Any], free: bool) -> None:
    unit = ship()
    set_fields(unit, values)
    assert is_free_to_act(unit) is free
    if "escaped_to" in values:
        assert is_free_to_act(unit, "moon1") is (values["escaped_to"] == "moon1")


@pytest.mark.rule("cutler", "4.2.4.8")
def test_troops_land_with_shuttles_or_with_transporters_that_have_power(kept: Kept) -> None:
    bare, beaming = laden(ship()), laden(ship(transporters=2))
    assert [can_land(units) for units in ([], [bare], [beaming], [bare, beaming], [laden(ship(), shuttle=1)])] == kept()
    assert can_land([laden(ship(), fighter=3)]) is False
    found = []
    for warp, impulse in ((1, 0), (0, 1), (0, 0)):
        beaming.warp_ok, beaming.impulse_ok = warp, impulse
        found.append(transporters_ok(beaming))
    assert found == [2, 2, 0]
    assert can_land([beaming]) is False


@pytest.mark.rule("cutler", "4.1.4.1", "4.2.4.8", "5.3.3")
def test_what_a_planet_makes_holds_and_counts() -> None:
    cub = world(WORLD).planets["cub"]
    assert base_rate(cub) == 25
    cub.discovered = True
    assert base_rate(cub) == Fraction(75, 4)
    cub.boarding_parties, cub.crew_units, cub.gcv, cub.shuttles = 40, 149, 4, 3
    cub.squads, cub.landed = {"heavy": 5, "commando": 6}, {"hydran": 150, "lyran": 151}
    assert [room_for(cub, race) for race in ("klingon", "hydran", "lyran")] == [110, 0, 0]
    assert [crew_room(cub), garrison(cub)] == [1, 40 - 6 + 4 + 3]
    cub.crew_units = 151
    assert crew_room(cub) == 0
    lose_garrison(cub, 31)
    assert (cub.boarding_parties, cub.gcv, cub.squads) == (9, 0, {"heavy": 3, "commando": 6})
    cub.boarding_parties, cub.gcv, cub.squads = 40, 2, {}
    lose_garrison(cub, 10)
    assert (cub.boarding_parties, cub.gcv) == (30, 2)


def test_what_planets_and_troops_are_called() -> None:
    assert [number(one) for one in (12, Fraction(5, 2), Fraction(15, 16))] == ["12", "2.5", "0.9375"]
    assert [in_words(one) for one in (0, 1, 2)] == ["0 boarding parties", "1 boarding party", "2 boarding parties"]
    cub = world(WORLD).planets["cub"]
    assert say_with(cub, "lyran") == ""
    cub.landed_with = {"lyran": troops.Landed(squads={"heavy": 2}, gcv=3), "hydran": troops.Landed(squads={"heavy": 1})}
    assert say_with(cub, "lyran") == " (2 heavy weapons squads among them) with 3 GCV"
    assert say_with(cub, "hydran") == " (1 heavy weapons squads among them)"


@pytest.mark.rule("cutler", "5.2.3")
def test_who_is_hidden_learns_of_a_razing_apart_from_all_others() -> None:
    state = world(WORLD)
    cub = state.planets["cub"]
    assert witnesses(state, cub) == [["hydran", "lyran", "klingon"]]
    state.units["lyran-F1-FF"].cloaked = True
    assert witnesses(state, cub) == [["hydran", "klingon"], ["lyran"]]
    state.units[CA].cloaked = True
    assert witnesses(state, cub) == [["hydran", "klingon"], ["lyran"]], "the destroyer is seen"
    state.units[DD].cloaked = True
    assert witnesses(state, cub) == [["klingon"], ["hydran"], ["lyran"]]
    assert witnesses(state, state.planets["throne"]) == [["hydran"]]


@cases("holds, spare")
def test_a_ship_keeps_one_shuttle_of_all(holds, spare):
    vessel = ship(shuttles=9)
    vessel.holds = lots(**holds)
    assert spare_shuttles(vessel) == take_spare_shuttles([vessel], 9) == spare
    assert take_spare_shuttles([vessel], 0) == 0


@cases("kind, most")
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


@cases("system, names", made="system")
def test_moons_are_numbered_from_one(system, names):
    cub = world("planet minor 0404 hydran cub").planets["cub"]
    assert [moon.name for moon in moons_of(cub, system).values()] == names
    assert is_gas_giant("giant_0404", {"0404": system}) == (system.gas_giant == 1)
