"""Chapter 3.5.9 for a tracker: battles at terrain points, at the edges of locations and deep within them; sorties."""

import pytest

from rules_engine.core.grids.space import hexes_between
from rules_engine.core.tactics.battles import MIDDLE, TacticalBattle
from rules_engine.rulebooks.cutler.ch03_combat.tactics.flights import full_speed, slowest, stays, tactical_ship
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.ch02_sorties import test_sorties
from tests.rulebooks.cutler.ch03_combat import test_hydraxx
from tests.rulebooks.cutler.ch03_combat.tactics.fields import (
    all_set_up,
    at,
    battle_asks,
    broken,
    field_of,
    fought,
    speeds,
)
from tests.rulebooks.cutler.ch03_combat.terrain import test_ground_bases_in_battle, test_terrain
from tests.rulebooks.cutler.worlds import world

ROCK = "turn 2 impulse 3\nplanet minor 0404 hydran rock\nhydran base 0404 Fort\nhydran F1 0404 CA+FF[warp=3]\n"
ATTACK = "lyran F1 0404 CC+CW\n"
BELT = "turn 2 impulse 3\nasteroids 0404\nhydran F1 0404 CA+FF\nlyran F1 0404 CC[from=0505]+CW[from=0505]\n"


def point() -> TacticalBattle:
    """The Hydran defend a planet with its base: H1 the base, H2 the CA, H3 the FF."""
    sent = {f"hydran-F1-{ship}": {"place": "planet"} for ship in ("CA", "FF")}
    return field_of(fought(ROCK + ATTACK, allocate_hydran=sent))


def belt(depth: str = "edge", dice: dict[str, list[int]] | None = None) -> TacticalBattle:
    """The Hydran defend an asteroid belt, the Lyran attack."""
    sent = {f"hydran-F1-{ship}": {"place": "asteroids"} for ship in ("CA", "FF")}
    return field_of(fought(BELT, dice, allocate_hydran=sent, depth_hydran={"battle": {"depth": depth}}))


# --- points ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "3.5.9")
def test_at_a_point_defenders_had_speed_6_and_attackers_their_maximum(kept: Kept):
    battle = point()
    assert speeds(battle) == {"H1": (0, 0, 1), "H2": (6, 6, 1), "H3": (4, 4, 1), "L1": (31, 31, 1), "L2": (25, 25, 1)}
    assert [one.code for one in battle.ships if one.flight.stays] == ["H1"]
    assert [(one.id, one.kind, one.name, one.hexes) for one in battle.ground] == kept()
    defence, attack = battle.steps
    assert (defence.faces_enemy, attack.faces) == (False, "planet")


@pytest.mark.rule("cutler", "3.5.9")
@pytest.mark.parametrize(("far", "rules"), [(20, []), (21, ["3.5.9"])])
def test_defenders_of_a_point_stand_within_20_hexes_of_it_and_as_far_apart_as_they_like(far: int, rules: list[str]):
    battle = point()
    spots = {"H1": at("A", 1), "H2": at("B", far), "H3": at("E", 20)}
    assert broken(battle, battle.steps[0], spots) == rules


@pytest.mark.rule("cutler", "3.5.9")
@cases("first, second, legal")
def test_attackers_may_surround_a_point_at_40_to_45_hexes_one_at_exactly_40(first: int, second: int, legal: bool):
    battle = point()
    spots = {"H1": at("A", 0), "H2": at("A", 0), "H3": at("A", 0), "L1": at("A", first), "L2": at("D", second)}
    assert broken(battle, battle.steps[1], spots) == ([] if legal else ["3.5.9"])


@pytest.mark.rule("cutler", "3.5.9", "3.5.2")
def test_a_base_that_is_the_feature_stands_in_its_hex_and_ground_bases_on_their_body():
    text = "turn 2 impulse 3\nhydran base 0404 Post\nhydran F1 0404 CA\nlyran F1 0404 CC\n"
    battle = field_of(fought(text, allocate_hydran={"hydran-F1-CA": {"place": "base1"}}))
    (marker,) = battle.ground
    assert (marker.kind, marker.name) == ("buoy", "the base 1 of the Hydran")
    assert broken(battle, battle.steps[0], {"H1": MIDDLE, "H2": at("A", 20)}) == []
    assert broken(battle, battle.steps[0], {"H1": at("A", 1), "H2": at("A", 20)}) == ["3.5, CU-R67"]


@pytest.mark.rule("cutler", "3.5.9")
def test_every_battle_of_the_books_example_can_be_set_up():
    run = test_hydraxx.played()
    fields = [field_of(run, number) for number in range(len(battle_asks(run)))]
    assert len(fields) == 4
    assert [all_set_up(one) for one in fields] == [len(one.ships) for one in fields]
    giant = fields[2].ground[0]
    assert (giant.name, len(giant.hexes)) == ("the gas giant", 37), "of size 3"
    assert any("invented" in note for note in fields[2].notes)
    assert [(one.name, len(one.hexes)) for one in fields[3].ground] == [("the planet Hydraxx", 1)]


@pytest.mark.rule("cutler", "3.5.9", "3.5")
def test_ground_bases_stand_on_their_planet():
    run = test_ground_bases_in_battle.fought(test_ground_bases_in_battle.based())
    battle = field_of(run)
    grounded = [one.code for one in battle.ships if one.flight.stays]
    assert grounded == ["K1", "K2"]
    spots = {"K1": MIDDLE, "K2": MIDDLE}
    assert broken(battle, battle.steps[0], spots) == []
    assert broken(battle, battle.steps[0], spots | {"K2": at("A", 1)}) == ["3.5, CU-R67"]


@pytest.mark.rule("cutler", "3.4.4")
def test_a_base_slows_nobody_down_and_moves_only_where_it_has_engines():
    units = world("hydran base 0404 Fort\nhydran F1 0404 CA\nhydran base 0505 Dock[type=FRD]\n").units
    fort, ship, dock = (units[key] for key in ("hydran-base-0404", "hydran-F1-CA", "hydran-base-0505"))
    dock.record = dock.record.model_copy(update={"impulse": 2, "move_cost": 1})
    dock.impulse_ok = 2
    assert [stays(one) for one in (fort, ship, dock)] == [True, False, False]
    assert [full_speed(one) for one in (fort, ship, dock)] == [0, 31, 1]
    assert slowest([fort, ship, dock]) == 31
    assert slowest([fort]) is None
    begins = tactical_ship("H2", dock, status=1, speed=31)
    assert (begins.least_speed, begins.most_speed) == (1, 1)


# --- locations -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "3.5.2", "3.5.9")
def test_a_location_is_of_more_than_1000_hexes_around_the_middle(kept: Kept):
    rim, middle = belt().ground
    assert [(one.kind, one.name) for one in (rim, middle)] == kept()
    assert len(rim.hexes) + len(middle.hexes) == len({*rim.hexes, *middle.hexes}) == 1027
    assert max(hexes_between(MIDDLE, one) for one in rim.hexes) == 18


@pytest.mark.rule("cutler", "3.5.9")
@pytest.mark.parametrize(("first", "second", "legal"), [(8, 8, True), (28, 28, True), (7, 8, False), (28, 29, False)])
def test_defenders_of_an_edge_stand_within_10_hexes_of_it(first: int, second: int, legal: bool):
    # The edge is 18 hexes from the middle.
    battle = belt()
    spots = {"H1": at("A", first), "H2": at("A", second)}
    assert broken(battle, battle.steps[0], spots) == ([] if legal else ["3.5.9"])
    assert speeds(battle) == {"H1": (13, 13, 1), "H2": (13, 13, 1), "L1": (25, 25, 1), "L2": (25, 25, 1)}


@pytest.mark.rule("cutler", "3.5.9")
def test_defenders_of_an_edge_stand_within_10_hexes_of_each_other():
    battle = belt()
    for apart, rules in ((10, []), (11, ["3.5.9"])):
        assert broken(battle, battle.steps[0], {"H1": at("A", 18), "H2": at("C", apart, at("A", 18))}) == rules


@pytest.mark.rule("cutler", "3.5.9", "3.4.3")
@cases("defenders, attackers, legal")
def test_attackers_of_an_edge_stand_40_or_more_from_it_and_from_enemies_as_in_open_space(
    defenders: tuple[int, int], attackers: tuple[int, int], legal: bool
):
    battle = belt()
    spots = {f"H{number}": at("A", far) for number, far in enumerate(defenders, 1)}
    spots |= {f"L{number}": at("A", far) for number, far in enumerate(attackers, 1)}
    assert (broken(battle, battle.steps[1], spots) == []) == legal


@pytest.mark.rule("cutler", "3.5.9")
@pytest.mark.parametrize("defenders", [(8, 8), (8, 18), (18, 28), (28, 28)])
def test_wherever_defenders_of_an_edge_stand_attackers_find_their_places(defenders: tuple[int, int]):
    battle = belt()
    placed = {f"H{number}": at("A", far) for number, far in enumerate(defenders, 1)}
    assert broken(battle, battle.steps[0], placed) == []
    assert all_set_up(battle, placed) == 4


@pytest.mark.rule("cutler", "3.5.9", "3.4.3")
def test_deep_within_a_location_it_is_everywhere_and_set_up_as_in_open_space():
    battle = belt("deep", {"set-up, Hydran": [2], "set-up, Lyran": [5]})
    assert [(one.kind, one.name, one.hexes) for one in battle.ground] == [("asteroids", "the asteroid belt", ())]
    assert [step.units for step in battle.steps] == [("L1", "L2"), ("H1", "H2")]
    spots = {"L1": at("A", 0), "L2": at("A", 0), "H1": at("A", 40), "H2": at("A", 45)}
    assert broken(battle, battle.steps[1], spots) == []
    assert broken(battle, battle.steps[1], spots | {"H1": at("A", 39)}) == ["3.5.9, 3.4.3"]


@pytest.mark.rule("cutler", "3.5.9")
def test_a_sun_is_no_ground_to_fly_through():
    sent = {"hydran-F1-CA": {"place": "sun"}, "hydran-F1-FF": {"place": "sun"}}
    text = ROCK.replace("hydran base 0404 Fort\n", "")
    run = fought(text + ATTACK, allocate_hydran=sent, allocate_lyran={"lyran-F1-CC": {"place": "sun"}})
    sun = next(one.tactics.battle for one in battle_asks(run) if one.tactics and "sun" in one.title)
    assert {one.kind for one in sun.ground} == {"planet"}
    assert any(note.startswith("The book gives the sun no shape") for note in sun.notes)


@pytest.mark.rule("cutler", "3.5.1", "3.5.2")
def test_what_is_said_of_a_moon_stands_among_the_notes():
    systems = {"0404": StarSystem(moons=(9,))}
    sent = test_terrain.at(CA="moon1", DD="moon1", PF="moon1")
    answers = {("allocate", "hydran"): sent, ("allocate", "lyran"): {"lyran-F1-CC": {"place": "moon1"}}}
    run = test_terrain.fought(answers=answers, systems=systems)
    moon = next(one.tactics.battle for one in battle_asks(run) if one.tactics and "moon" in one.title)
    assert moon.ground[0].kind == "planet"
    assert "The moon is 9 hexes from the planet." in moon.notes


@pytest.mark.rule("cutler", "2.9.5")
def test_fighters_of_a_sortie_are_set_up_as_in_open_space():
    run = test_sorties.phase(answers={("attack", "hydran"): test_sorties.attack()})
    battle = field_of(run)
    assert speeds(battle) == {"H1": (0, 31, 1), "K1": (13, 13, 1), "K2": (13, 13, 1)}
    assert any("booster packs mounted" in note for note in battle.notes)
    assert all_set_up(battle) == 3
