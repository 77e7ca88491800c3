"""Chapters 3.4, 3.5.9 and 3.7 for a tracker: open space and arriving flanks, terrain points and locations, sorties."""

from fractions import Fraction

import pytest

from rules_engine.core.grids.space import hexes_between
from rules_engine.core.tactics.battles import MIDDLE, TacticalBattle
from rules_engine.rulebooks.cutler.ch03_combat.tactics import flights
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
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
    step_of,
)
from tests.rulebooks.cutler.ch03_combat.terrain import test_ground_bases_in_battle, test_terrain
from tests.rulebooks.cutler.worlds import sees, world

PLAIN = "turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC+FF\n"
HYDRAN_FIRST = {"set-up, Hydran": [6], "set-up, Lyran": [1]}


@pytest.mark.rule("cutler", "3.4.3")
def test_the_side_with_the_higher_die_sets_up_first():
    for dice, order in ((HYDRAN_FIRST, "HL"), ({"set-up, Hydran": [2], "set-up, Lyran": [3]}, "LH")):
        battle = field_of(fought(PLAIN, dice))
        assert [step.units for step in battle.steps] == [(f"{one}1", f"{one}2") for one in order]
        assert (battle.forces, battle.title) == ((("hydran",), ("lyran",)), "Battle in 0404: Hydran and Lyran")


@pytest.mark.rule("cutler", "3.4.3")
def test_it_is_a_ship_or_pf_that_stands_at_exactly_40_where_there_is_one():
    text = "turn 2 impulse 3\nplanet minor 0404 hydran rock\nhydran F1 0404 CV[fighters=6]\nlyran F1 0404 CC\n"
    sent = {"hydran-F1-CV": {"place": "approach", "fighters": 6, "fighters_to": "approach"}}
    battle = field_of(fought(text, {"set-up, Hydran": [1], "set-up, Lyran": [6]}, allocate_hydran=sent))
    (code,) = [one.code for one in battle.ships if one.flight.form == "shuttle"]
    (carrier,) = [one.code for one in battle.ships if one.side == "hydran" and one.code != code]
    step = step_of(battle, code)
    assert broken(battle, step, {"L1": at("A", 0), carrier: at("A", 40), code: at("A", 41)}) == []
    assert broken(battle, step, {"L1": at("A", 0), carrier: at("A", 41), code: at("A", 40)}) == ["3.4.3"]
    assert step.conditions[-1].says == "At least one ship or PF at exactly 40 hexes from the nearest enemy."


@pytest.mark.rule("cutler", "3.4.4")
def test_all_begin_at_the_speed_of_the_slowest_of_their_force_and_weapon_status_1():
    # By warp and impulse: CA 30 + 1, DD 18 + 1 with 5 of its boxes left 5 + 1; DN 36, but 30 at most, + 1; PF 6 + 1,
    # without impulse engines 6.
    text = "turn 1 impulse 3\nhydran F1 0404 CA+DD[warp=5]\nlyran F1 0404 DN+PF[imp=0]\n"
    assert speeds(field_of(fought(text))) == {"H1": (6, 6, 1), "H2": (6, 6, 1), "L1": (6, 6, 1), "L2": (6, 6, 1)}
    text = "turn 1 impulse 3\nhydran F1 0404 DN[warp=30,imp=0]\nlyran F1 0404 DN\n"
    assert speeds(field_of(fought(text))) == {"H1": (30, 30, 1), "L1": (31, 31, 1)}


@pytest.mark.rule("cutler", "3.4.4")
def test_movement_figures_are_those_of_the_record_with_what_damage_has_left():
    ship, craft, _ = field_of(fought("turn 1 impulse 3\nhydran F1 0404 CA[warp=11,imp=3]+PF\nlyran F1 0404 CC\n")).ships
    assert (ship.name, ship.kind, ship.side, ship.left) == ("Hydran F1 Ca", "CA", "hydran", None)
    flight = ship.flight
    assert (flight.size_class, flight.form, flight.move_cost, flight.warp, flight.impulse) == (3, "ship", 1, 11, 3)
    assert (flight.turn_mode, flight.total_power, flight.reserve) == (None, None, None), "not in the record"
    turned = world("hydran F1 0404 CA").units["hydran-F1-CA"]
    turned.record = turned.record.model_copy(update={"turn_mode": "D", "move_cost": Fraction(3, 2), "source": "a book"})
    flight_by_record = flights.flight_of(turned)
    assert (flight_by_record.turn_mode, flight_by_record.source, flights.full_speed(turned)) == ("D", "a book", 21)
    assert (flight.source, flight.stays, craft.flight.form) == ("invented", False, "PF")


@pytest.mark.rule("cutler", "3.4.4")
def test_fighters_begin_as_fast_as_their_owner_likes_up_to_the_force():
    text = "turn 2 impulse 3\nplanet minor 0404 hydran rock\nhydran F1 0404 CV[fighters=6,warp=12]\nlyran F1 0404 CC\n"
    sent = {"hydran-F1-CV": {"place": "approach", "fighters": 4, "fighters_to": "approach"}}
    fighters = next(one for one in field_of(fought(text, allocate_hydran=sent)).ships if one.flight.form == "shuttle")
    assert (fighters.kind, fighters.least_speed, fighters.most_speed) == ("4 fighters", 0, 13)
    assert (fighters.flight.warp, fighters.flight.move_cost) == (None, None)


@pytest.mark.rule("cutler", "3.4.5", "3.4.5.1", "3.5.10")
def test_what_holds_for_all_is_said_and_what_fills_the_hex_is_everywhere():
    battle = field_of(fought(PLAIN + "nebula 0404\n"))
    assert [(one.kind, one.hexes) for one in battle.ground] == [("nebula", ())]
    assert "A floating map is used (3.4.5)." in battle.notes
    assert any("no closing for 20" in note for note in battle.notes)
    assert field_of(fought(PLAIN)).ground == ()


# --- flanks ----------------------------------------------------------------------------------------------------------
FLANKS = {"flank_hydran": {"hydran-F1-DD": {"group": 1}}, "flank_lyran": {"lyran-F1-FF": {"group": 1}}}
ON_TURN_4 = HYDRAN_FIRST | {"flank 1, hydran": [3], "flank 1, lyran": [3]}


@pytest.mark.rule("cutler", "3.7.2", "3.7.6")
def test_a_flank_arrives_on_its_turn_at_weapon_status_2_and_its_own_maximum_speed():
    text = "turn 1 impulse 3\nhydran F1 0404 CA+DD[warp=4]\nlyran F1 0404 CC\n"
    battle = field_of(fought(text, HYDRAN_FIRST | {"flank 1, hydran": [5]}, flank_hydran=FLANKS["flank_hydran"]))
    assert {one.code: one.arrives for one in battle.ships} == {"H1": 0, "H2": 6, "L1": 0}
    # Who flanks does not slow the others down.
    assert speeds(battle) == {"H1": (31, 31, 1), "H2": (5, 5, 2), "L1": (31, 31, 1)}
    assert [step.units for step in battle.steps] == [("H1",), ("L1",), ("H2",)]


@pytest.mark.rule("cutler", "3.7.2")
def test_a_flank_may_come_near_to_enemy_fighters_which_are_no_ships():
    text = "turn 2 impulse 3\nplanet minor 0404 hydran rock\nhydran F1 0404 CV[fighters=6]\nlyran F1 0404 CC+FF\n"
    sent = {"hydran-F1-CV": {"place": "approach", "fighters": 6, "fighters_to": "approach"}}
    battle = field_of(fought(text, allocate_hydran=sent, flank_lyran=FLANKS["flank_lyran"]))
    fighters = next(one.code for one in battle.ships if one.flight.form == "shuttle")
    carrier = next(one.code for one in battle.ships if one.side == "hydran" and one.code != fighters)
    spots = {"L1": at("A", 0), "L2": at("A", 80), carrier: at("A", 40), fighters: at("A", 50)}
    assert broken(battle, battle.steps[-1], spots) == []
    assert broken(battle, battle.steps[-1], spots | {carrier: at("A", 51)}) == ["3.7.2"]


@pytest.mark.rule("cutler", "3.7.4")
@pytest.mark.parametrize(("hydran", "lyran", "order"), [(2, 5, ["L2", "H2"]), (5, 2, ["H2", "L2"])])
def test_of_two_flanks_on_one_turn_the_higher_die_sets_up_first(hydran: int, lyran: int, order: list[str]):
    dice = ON_TURN_4 | {"meeting die 0, hydran": [hydran], "meeting die 0, lyran": [lyran]}
    battle = field_of(fought(PLAIN, dice, **FLANKS))
    assert [step.units for step in battle.steps] == [("H1",), ("L1",), *((code,) for code in order)]
    after = {one.code: one.arrives_after for one in battle.ships if one.arrives == 4}
    assert sorted(after, key=lambda code: after[code]) == order
    # The later one keeps its distance from the earlier one, too.
    first, second = order
    spots = {"H1": at("A", 0), "L1": at("A", 40), first: at("E", 60)}
    assert broken(battle, battle.steps[3], spots | {second: at("E", 90)}) == []
    assert broken(battle, battle.steps[3], spots | {second: at("E", 89)}) == ["3.7.2"]


@pytest.mark.rule("cutler", "3.7.1")
def test_where_all_flank_nobody_is_measured_to_them_before_they_come():
    both = {f"hydran-F1-{ship}": {"group": 1} for ship in ("CA", "DD")}
    battle = field_of(fought(PLAIN, HYDRAN_FIRST, flank_hydran=both))
    assert [step.units for step in battle.steps] == [("L1", "L2"), ("H1", "H2")]
    assert (broken(battle, battle.steps[0], {"L1": at("A", 0), "L2": at("A", 10)}), all_set_up(battle)) == ([], 4)


@pytest.mark.rule("cutler", "3.7.5")
def test_fighters_that_flank_from_their_carrier_have_a_code_of_their_own(kept: Kept):
    text = "turn 1 impulse 3\nhydran F1 0404 CV[fighters=6]\nlyran F1 0404 CC\n"
    battle = field_of(fought(text, {"flank 1, hydran": [2]}, flank_hydran={"hydran-F1-CV/fighters": {"group": 1}}))
    assert [(one.code, one.name, one.kind, one.arrives) for one in battle.ships] == kept()


@pytest.mark.rule("cutler", "3.7.8")
def test_flanks_are_the_trackers_alone():
    dice = ON_TURN_4 | {"meeting die 0, hydran": [4], "meeting die 0, lyran": [1]}
    runs = [fought(PLAIN, dice, **FLANKS), fought(PLAIN, dice, flank_hydran=FLANKS["flank_hydran"])]
    one, other = (battle_asks(run)[0] for run in runs)
    assert one.tactics.battle != other.tactics.battle
    assert sees(runs[0].table, runs[0].asks, "hydran") == sees(runs[1].table, runs[1].asks, "hydran")
    # What is said of set-ups at the start names nobody who comes later.
    for step in one.tactics.battle.steps[:2]:
        said = " ".join([step.says, *(condition.says for condition in step.conditions)])
        assert not {"H2", "L2"} & {*said.replace(".", " ").split()}
        assert not {"H2", "L2"} & {code for one in step.conditions for code in getattr(one, "others", ())}


# --- terrain fields --------------------------------------------------------------------------------------------------
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


def plain() -> TacticalBattle:
    """Open space, where the Hydran are set up first."""
    return field_of(fought(PLAIN, HYDRAN_FIRST))


def flank() -> TacticalBattle:
    """The Hydran CA stands in open space; DD and FF come around the flank."""
    text = "turn 1 impulse 3\nhydran F1 0404 CA+DD+FF\nlyran F1 0404 CC\n"
    group = {f"hydran-F1-{ship}": {"group": 1} for ship in ("DD", "FF")}
    return field_of(fought(text, HYDRAN_FIRST, flank_hydran=group))


NOTATION = {"at": at, "plain": plain, "flank": flank, "point": point, "belt": belt}


@cases("proves, battle, step, spots, rules")
def test_where_units_may_be_set_up(battle: str, step: int, spots: str, rules: list[str]):
    field = evaluated(battle, NOTATION)
    assert broken(field, field.steps[step], evaluated(spots, NOTATION)) == rules


@pytest.mark.rule("cutler", "3.4.4", "3.5.9")
def test_at_an_edge_all_begin_at_the_speed_of_the_slowest_of_their_force():
    assert speeds(belt()) == {"H1": (13, 13, 1), "H2": (13, 13, 1), "L1": (25, 25, 1), "L2": (25, 25, 1)}


# --- points ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "3.5.9")
def test_at_a_point_defenders_had_speed_6_and_attackers_their_maximum(kept: Kept):
    battle = point()
    assert speeds(battle) == {"H1": (0, 0, 1), "H2": (6, 6, 1), "H3": (4, 4, 1), "L1": (31, 31, 1), "L2": (25, 25, 1)}
    assert [one.code for one in battle.ships if one.flight.stays] == ["H1"]
    assert [(one.id, one.kind, one.name, one.hexes) for one in battle.ground] == kept()
    defence, attack = battle.steps
    assert (defence.faces_enemy, attack.faces) == (False, "planet")


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
    battle = field_of(test_ground_bases_in_battle.fought(test_ground_bases_in_battle.based()))
    assert [one.code for one in battle.ships if one.flight.stays] == ["K1", "K2"]
    spots = {"K1": MIDDLE, "K2": MIDDLE}
    assert broken(battle, battle.steps[0], spots) == []
    assert broken(battle, battle.steps[0], spots | {"K2": at("A", 1)}) == ["3.5, CU-R67"]


@pytest.mark.rule("cutler", "3.4.4")
def test_a_base_slows_nobody_down_and_moves_only_where_it_has_engines():
    units = world("hydran base 0404 Fort\nhydran F1 0404 CA\nhydran base 0505 Dock[type=FRD]\n").units
    fort, ship, dock = (units[key] for key in ("hydran-base-0404", "hydran-F1-CA", "hydran-base-0505"))
    dock.record = dock.record.model_copy(update={"impulse": 2, "move_cost": 1})
    dock.impulse_ok = 2
    assert [flights.stays(one) for one in (fort, ship, dock)] == [True, False, False]
    assert [flights.full_speed(one) for one in (fort, ship, dock)] == [0, 31, 1]
    assert flights.slowest([fort, ship, dock]) == 31
    assert flights.slowest([fort]) is None
    begins = flights.tactical_ship("H2", dock, status=1, speed=31)
    assert (begins.least_speed, begins.most_speed) == (1, 1)


# --- locations -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "3.5.2", "3.5.9")
def test_a_location_is_of_more_than_1000_hexes_around_the_middle(kept: Kept):
    rim, middle = belt().ground
    assert [(one.kind, one.name) for one in (rim, middle)] == kept()
    assert len(rim.hexes) + len(middle.hexes) == len({*rim.hexes, *middle.hexes}) == 1027
    assert max(hexes_between(MIDDLE, one) for one in rim.hexes) == 18


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
    battle = field_of(test_sorties.phase(answers={("attack", "hydran"): test_sorties.attack()}))
    assert speeds(battle) == {"H1": (0, 31, 1), "K1": (13, 13, 1), "K2": (13, 13, 1)}
    assert any("booster packs mounted" in note for note in battle.notes)
    assert all_set_up(battle) == 3
