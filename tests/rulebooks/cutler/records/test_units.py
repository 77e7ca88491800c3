"""Units, their classes, and what is looked up of all of them: each branch and each bound."""

from typing import Any

import pytest
from pydantic import ValidationError

from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.accessories.mines import MinesToLay
from rules_engine.rulebooks.cutler.records.combat.battles import Wave
from rules_engine.rulebooks.cutler.records.combat.terrain import HexTerrain, TerrainFeature, WaysOut
from rules_engine.rulebooks.cutler.records.combat.work import LastBattle, RepairsDue, WorkOfImpulse
from rules_engine.rulebooks.cutler.records.conditions import towing
from rules_engine.rulebooks.cutler.records.conditions.officers import has_navigator, has_officer, officers_in_words
from rules_engine.rulebooks.cutler.records.conditions.strength import whole_of
from rules_engine.rulebooks.cutler.records.economy import BaseSite, DockWork, RepairPoints
from rules_engine.rulebooks.cutler.records.parts.coordination import Coordination
from rules_engine.rulebooks.cutler.records.parts.craft import (
    squadron,
)
from rules_engine.rulebooks.cutler.records.setup import Bases
from rules_engine.rulebooks.cutler.records.shipping.convoys import disguise_defects, sails_in_convoys
from rules_engine.rulebooks.cutler.records.state import Fight, Moment, Unit
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import kind_of, put_aboard, set_fields, world
from tests.rulebooks.cutler.yards import counts, lots

CA, DD, FF = "hydran-F1-CA", "hydran-F1-DD", "lyran-F1-FF"
WORLD = """
turn 2 impulse 3
hydran F1 0404 CA+DD
lyran F1 0404 FF
hydran base 0205 Yard
planet capital 0205 hydran throne
"""


def ship(code: str = "CA", **figures: Any) -> Unit:
    """A ship of a class with these figures."""
    unit = world(f"hydran F1 0404 {code}").units[f"hydran-F1-{code}"]
    unit.record = kind_of(code, **figures)
    return unit


# --- classes ---------------------------------------------------------------------------------------------------------


@cases("code, figures, wrong")
def test_a_class_is_whole(code: str, figures: dict[str, Any], wrong: str) -> None:
    if not wrong:
        kind_of(code, **figures)
        return
    with pytest.raises(ValidationError) as error:
        kind_of(code, **figures)
    assert [one["msg"] for one in error.value.errors()] == [f"Value error, {wrong}"]


@cases("figures, bays")
def test_repair_boxes_are_split_over_the_bays(figures: dict[str, Any], bays: tuple[int, ...]) -> None:
    record = kind_of("base", **figures)
    assert record.bays == bays
    assert record.has_docking_module is bool(bays)
    assert kind_of("base", **figures, base_type="BATS").has_docking_module is False


@cases("asked, code, figures, answer")
def test_what_follows_from_the_figures_of_a_class(asked: str, code: str, figures: dict[str, Any], answer: int) -> None:
    assert getattr(kind_of(code, **figures), asked) == answer


@pytest.mark.rule("cutler", "3.1.3", "2.7.3")
def test_a_q_ship_has_the_size_class_of_a_freighter_of_its_size(kept: Kept) -> None:
    ships = {"ore": kind_of("FL"), "decoy": kind_of("QL"), "small": kind_of("QS", size_class=3)}
    assert disguise_defects(ships) == [], "there is no small freighter"
    ships |= {"boat": kind_of("FS"), "seeker": kind_of("FS", marks=["survey"], size_class=3)}
    assert [str(one) for one in disguise_defects(ships)] == kept()
    ships["barge"] = kind_of("FS", size_class=3)
    assert disguise_defects(ships) == []
    ships["small"] = kind_of("QS", size_class=4)
    assert [one.legal for one in disguise_defects(ships)] == ["3 or 5"]
    sailing = [sails_in_convoys(kind_of(code)) for code in ("FL", "QS", "SFL", "CA", "AUX", "police")]
    assert sailing == [True, True, False, False, False, False]


# --- units -----------------------------------------------------------------------------------------------------------
@cases("quality, missed, doubled, said")
def test_what_befell_a_crew_is_said(quality: str, missed: int, doubled: bool, said: str) -> None:
    unit = ship()
    unit.crew_quality, unit.missed, unit.penalties_doubled = quality, missed, doubled
    assert unit.condition == said


def test_what_a_unit_is_by_its_kind() -> None:
    kinds = {code: ship(code) for code in ("CA", "AUX", "FL", "SFL", "PF", "MON", "QS")}
    assert [code for code, unit in kinds.items() if unit.has_counter] == ["CA", "AUX", "PF", "MON"]
    assert [code for code, unit in kinds.items() if unit.in_fleets] == ["CA", "AUX", "SFL", "PF", "MON"]
    kinds["CA"].cloaked = True
    assert (kinds["CA"].is_cu, kinds["CA"].has_counter) == (True, False)
    base = world("hydran base 0205 Yard").units["hydran-base-0205"]
    assert (base.is_station, base.is_mobile, base.in_fleets, base.is_cu) == (True, False, False, False)
    assert kinds["CA"].is_station is False


@cases("lost, left")
def test_boxes_are_lost_empty_ones_first_then_those_with_cpv(lost: int, left: tuple[int, int, int]) -> None:
    """Of six boxes, two hold four shuttles, three hold a CPV each, and one is empty."""
    unit = ship(cargo=6)
    unit.stowed, unit.cargo_cpv = {"shuttle": Lot(item=STANDARD["shuttle"], count=4)}, 3
    assert (unit.whole_cargo_boxes, unit.cargo_boxes) == (6, 4)
    unit.lose_cargo_boxes(lost)
    shuttles = unit.stowed["shuttle"].count if unit.stowed else 0
    assert (unit.cargo_lost, unit.cargo_cpv, shuttles) == left


@pytest.mark.rule("cutler", "5.1")
def test_what_a_captor_gets_is_bare_of_all_that_was_aboard(kept: Kept) -> None:
    unit = put_aboard(ship(fighters=4, boarding_parties=5, cloak=True), 4, 2)
    unit.boarding_parties, unit.crew_units, unit.crew_quality, unit.penalties_doubled = 5, 8, "poor", True
    unit.officers, unit.found_by, unit.towing, unit.lays = ("captain",), ["lyran"], ["x"], MinesToLay(around="x")
    unit.squads, unit.cloaked, unit.engaged, unit.unload, unit.held_turn = {"heavy": 2}, True, True, True, 3
    unit.passengers = {"ace": Lot(item=STANDARD["ace"], count=1)}
    unit.taken_by("lyran")
    assert (unit.race, unit.captured_from, unit.boarding_parties, unit.squads, unit.crew_units) == kept()
    assert (unit.crew_quality, unit.penalties_doubled, unit.holds, unit.passengers) == ("normal", False, {}, {})
    assert (unit.officers, unit.found_by, unit.towing, unit.lays) == ((), [], [], None)
    assert (unit.cloaked, unit.engaged, unit.unload, unit.held_turn) == (False, False, False, 0)
    unit.taken_by("klingon")
    assert (unit.race, unit.captured_from) == ("klingon", "hydran")
    unit.taken_by("hydran")
    assert (unit.race, unit.captured_from) == ("hydran", "")


def test_the_percent_that_is_left_of_units_is_whole_only_if_nothing_is_lost() -> None:
    one, other = ship(cargo=6), ship("FF", special_sensors=2)
    other.special_sensors_ok = 2
    assert [whole_of([]), whole_of([one]), whole_of([one, other])] == [100, 100, 100]
    one.warp_ok -= 1
    assert [whole_of([one]), whole_of([one, other])] == [97, 98]  # 39 of 40, and 55 of 56
    one.cargo_lost, other.special_sensors_ok = 6, 0
    assert [whole_of([one]), whole_of([other]), whole_of([one, other])] == [82, 87, 83]  # 33 of 40, 14 of 16, 47 of 56
    one.warp_ok = one.impulse_ok = 0
    assert whole_of([one]) == 1


def test_officers_are_found_and_named(kept: Kept) -> None:
    one, other = ship(), ship("DD")
    one.officers, other.officers = ("captain",), ("science", "navigator")
    assert [has_navigator([]), has_navigator([one]), has_navigator([one, other])] == [False, False, True]
    assert [has_officer([one, other], "captain"), has_officer([other], "captain")] == [True, False]
    assert [officers_in_words(unit) for unit in (one, other, ship("FF"))] == kept()


# --- what is looked up -----------------------------------------------------------------------------------------------
def test_units_races_and_fleets_are_looked_up(kept: Kept) -> None:
    state = world(WORLD)
    state.units[DD].destroyed = True
    assert [unit.id for unit in state.alive()] == [CA, "hydran-base-0205", FF]
    assert [unit.id for unit in state.alive("lyran")] == [FF]
    assert [unit.id for unit in state.units_in("0404")] == [CA, FF]
    assert [unit.id for unit in state.units_in("0404", "hydran")] == [CA]
    assert (state.races_in("0404"), state.races_in("0205"), state.races_in("0101")) == kept()
    assert state.meetings() == ["0404"]
    state.units[FF].destroyed = True
    assert (state.meetings(), state.races_in("0404")) == ([], ["hydran"])
    fleet = state.fleets["hydran/F1"]
    assert [unit.id for unit in state.members(fleet)] == [CA]
    state.units[CA].race = "lyran"
    assert state.members(fleet) == []
    assert (state.fleet("hydran", "F2"), state.names_of(["hydran", "lyran"])) == (None, "Hydran and Lyran")
    assert state.cloaks is False
    state.classes = {"ca": kind_of("CA"), "cloaked": kind_of("CA", cloak=True)}
    assert state.cloaks is True
    for number in (11, 2):
        state.new_fleet("hydran", [CA]).key = f"F{number}"
    assert [one.key for one in state.fleets_of("hydran")] == ["F1", "F2", "F11"]


def test_fighters_that_are_apart_are_looked_up_where_they_fight() -> None:
    state = world(WORLD)
    craft = squadron("flight", "hydran", "Flight", "0404", {})
    state.fights["0404"] = Fight(flights={"flight": craft})
    assert state.fighting("0404", "flight") is craft
    assert state.fighting("0404", CA) is state.fighting("0505", CA) is state.units[CA]


def test_a_new_unit_gets_a_number_that_is_free_and_a_fleet_if_it_moves() -> None:
    state = world(WORLD)
    state.units["hydran-2"] = state.units[DD]
    made = [state.commission("hydran", "N", kind_of(code), "0205").id for code in ("CA", "base", "FL", "SFL")]
    assert made == ["hydran-1", "hydran-3", "hydran-4", "hydran-5"]
    assert [fleet.units for fleet in state.fleets_of("hydran")][1:] == [["hydran-1"], ["hydran-5"]]


@pytest.mark.rule("cutler", "2.6.2", "2.7.5", "2.10")
def test_there_is_one_counter_for_each_race_and_hex() -> None:
    state = world(f"{WORLD}hydran F2 0505 FF\nhydran waits 0606 FL\nlyran F2 0303 MON")
    assert state.counters() == [("hydran", "0404"), ("hydran", "0505"), ("lyran", "0303"), ("lyran", "0404")]
    assert [state.command_rating(race, "0404") for race in ("hydran", "lyran", "klingon")] == [8, 3, 0]
    assert state.command_rating("hydran", "0606") == 0
    state.units["hydran-F2-FF"].destroyed = state.units["lyran-F2-MON"].cloaked = True
    assert state.counters() == [("hydran", "0404"), ("lyran", "0404")]
    state.coordination = Coordination(forces=[["hydran", "lyran"]])
    assert state.counters() == [("hydran", "0404")]
    state.fights["0404"], state.shown = Fight(), [("klingon", "0101")]
    assert state.counters() == [("klingon", "0101")]


@pytest.mark.rule("cutler", "2.10")
def test_a_force_shows_the_counter_on_which_it_agrees_or_that_of_the_best_rating(kept: Kept) -> None:
    force = Coordination(forces=[["hydran", "lyran", "klingon"]])
    ratings = {"hydran": 3, "lyran": 8, "klingon": 8}

    def shown(*there: str, **colours: str) -> str:
        force.colours = dict(colours)
        return force.colour(there, ratings.__getitem__)

    assert shown("hydran", "lyran", "klingon") == "lyran"
    assert shown("hydran", "lyran", hydran="hydran", lyran="hydran") == "hydran"
    assert shown("hydran", "lyran", hydran="hydran", lyran="lyran") == "lyran"
    assert shown("hydran", "lyran", hydran="hydran") == "lyran"
    assert shown("hydran", "lyran", hydran="klingon", lyran="klingon") == "lyran"
    placed = {("hydran", "0404"), ("lyran", "0404"), ("klingon", "0505"), ("hydran", "0606")}
    force.colours = {}
    assert force.merged(placed, lambda race, _: ratings[race]) == placed - {("hydran", "0404")}
    assert (force.force_of("lyran"), force.side_of("klingon")) == (("hydran", "lyran", "klingon"), "hydran")
    alone = Coordination(forces=[["hydran", "lyran"]])
    assert (alone.force_of("klingon"), alone.races_of("klingon", "hydran")) == kept()
    alone.told = {"lyran": ["hydran"], "klingon": ["hydran", "lyran"], "hydran": ["lyran"]}
    assert [alone.offers_to(race) for race in ("hydran", "lyran", "klingon")] == [["klingon"], ["klingon"], []]


@cases("text, nothing")
def test_a_race_has_nothing_without_planets_units_and_troops(text: str, nothing: bool) -> None:
    state = world(text)
    assert state.has_nothing("hydran") is nothing
    if "lyran cub" in text:
        state.planets["cub"].landed = {"hydran": 0, "klingon": 1}
        assert [state.has_nothing(race) for race in state.races()] == [True, False, False]
        state.planets["cub"].landed = {"hydran": 1}
        assert state.has_nothing("hydran") is False


# --- works and words -------------------------------------------------------------------------------------------------
def work(**values: Any) -> DockWork:
    return DockWork(
        **{"base": "b", "bay": 2, "race": "hydran", "into": kind_of("CA"), "named": "Ox", "cost": 9} | values
    )


def test_what_is_under_way_is_named(kept: Kept) -> None:
    found = [
        (one.title, one.is_for_people, one.key)
        for one in (
            work(), work(ship="x"), work(ship="x", crew="poor"), work(ship="x", trains="ace", person="ace"),
            work(manned="outstanding", officers=("captain", "doctor")), work(manned="poor"),
            work(officers=("captain",)),
        )
    ]  # fmt: skip
    assert found == kept()
    site = BaseSite(key="S1", race="hydran", hex="0404", into=kind_of("base"), named="Den", cost=9, set_aside=9)
    assert (site.title, site.changed(upgrades="b").title) == ("Den (Base)", "upgrade of Den to Base")
    assert [RepairPoints(warp=3, impulse=2).of(kind) for kind in ("warp", "impulse", "cargo")] == [3, 2, 1]
    assert Bases(capital="a", minor="b").at("capital") == ["a"]
    assert Bases(capital="a", minor="b", police="c").at("minor") == ["b", "c"]
    assert Bases(capital="a", minor="b", police="c").at("major") == ["c"]


def test_repairs_are_noted_once_and_not_of_what_was_taken() -> None:
    one, other = WorkOfImpulse(), WorkOfImpulse()
    one.will_repair("a", 0, {"warp": 0})
    one.will_repair("b", 2, {"warp": 0})
    one.will_repair("c", 0, {"warp": 1})
    assert one.repairs == {"b": RepairsDue(points=2), "c": RepairsDue(boxes={"warp": 1})}
    other.will_repair("b", 1, {"warp": 2, "impulse": 1})
    other.will_repair("d", 5, {})
    other.last = {"b": LastBattle(kind="main", against=("lyran",))}
    one.take_in(other, ["d", "x"])
    assert one.repairs == {
        "b": RepairsDue(points=3, boxes={"warp": 2, "impulse": 1}), "c": RepairsDue(boxes={"warp": 1}),
    }  # fmt: skip
    assert one.last == other.last


def test_who_fought_at_which_feature_is_known_by_the_base_that_is_one_by_itself() -> None:
    here = HexTerrain(bases={"den": "base1", "yard": "planet"}, places={"b": "planet", "a": "planet", "c": "sun"})
    here.features = [TerrainFeature(key=key, name=key.title(), kind="point") for key in ("sun", "planet")]
    here.note_fought(["x"], "base1")
    here.note_fought(["y", "z"], "planet")
    here.note_fought(["w"], "sun")
    assert here.fought_at == {"x": "den", "y": "planet", "z": "planet", "w": "sun"}
    assert [here.where_fought(key) for key in ("x", "y", "w", "v")] == ["base1", "planet", "sun", ""]
    assert (here.of("planet"), here.of("moon1"), here.named("planet").name) == (["a", "b"], [], "Planet")
    goals = tuple(here.features)
    ways = WaysOut(runners=("hydran", "lyran"), attacker="lyran", goals=goals)
    assert (ways.goals_of("lyran"), ways.goals_of("hydran")) == (goals, ())
    wave = Wave(race="hydran", number=1, units=[], pursuit={"10": ["a"], "9": ["b"], "1": ["c"]})
    assert wave.in_order() == [("1", ["c"]), ("9", ["b"]), ("10", ["a"])]


# --- tows ------------------------------------------------------------------------------------------------------------
@cases("code, figures, count")
def test_how_many_units_a_tower_tows(code: str, figures: dict[str, Any], count: int) -> None:
    unit = ship(code, **figures)
    assert towing.tow_capacity(unit) == count
    for warp, impulse in ((1, 0), (0, 1), (0, 0)):
        unit.warp_ok, unit.impulse_ok = warp, impulse
        assert towing.tow_capacity(unit) == (count if warp or impulse else 0)


TOWS = """
turn 2 impulse 3
hydran F1 0404 CA[tractors=1]+DD+FF
hydran F2 0404 CC[tractors=2,mark=tug]
hydran base 0404 Dock[type=FRD]
hydran base 0405 Mod[type=BLM]
hydran waits 0404 FL+FS[warp=0,imp=0]+QS[warp=0]
"""
TUG, DOCK, WRECK = "hydran-F2-CC", "hydran-base-0404", "hydran-waits-FS"


@pytest.mark.rule("cutler", "4.4.1", "2.4.1.5", "3.5")
def test_docks_modules_and_freighters_without_engines_are_towed_alone() -> None:
    state = world(TOWS)
    alone = [key for key, unit in state.units.items() if towing.is_towed_alone(unit)]
    assert sorted(alone) == [DOCK, "hydran-base-0405", WRECK]
    assert [unit.id for unit in towing.towables(state, "hydran", "0404")] == [DOCK, WRECK]
    state.units[DOCK].record = kind_of("base", base_type="FRD", impulse=2)
    assert [unit.id for unit in towing.towables(state, "hydran", "0404")] == [WRECK]
    state.units[DOCK].record = kind_of("base", base_type="BS")
    assert towing.is_towed_alone(state.units[DOCK]) is False
    state = world(TOWS + "hydran V1 0404 FS[warp=0,imp=0] course 0405")
    assert [unit.id for unit in towing.towables(state, "hydran", "0404")] == [DOCK, WRECK]
    dock = state.units[DOCK]
    assert (towing.is_in_tow(state, dock), towing.is_deployed(state, dock)) == (False, True)
    state.units[TUG].towing = [DOCK]
    assert (towing.is_in_tow(state, dock), towing.is_deployed(state, dock)) == (True, False)
    dock.record = kind_of("base", base_type="BS")
    assert towing.is_in_tow(state, dock) is False
    state.units[TUG].towing = []
    dock.record, dock.entered_at = kind_of("base", base_type="FRD", impulse=2), Moment(turn=2, impulse=3)
    assert towing.is_deployed(state, dock) is False
    dock.entered_at = Moment(turn=2, impulse=2)
    assert towing.is_deployed(state, dock) is True
    dock.record, dock.entered_at = kind_of("base", base_type="FRD"), Moment(turn=2, impulse=3)
    assert towing.is_deployed(state, dock) is True, "it has no engines, so it was brought here"


@pytest.mark.rule("cutler", "2.4.1.5", "4.4.1")
def test_tugs_are_given_their_tows_first() -> None:
    state = world(TOWS)
    units = [state.units[key] for key in (CA, DD, "hydran-F1-FF", TUG)]
    assert (towing.allot_tows(units, []), towing.allot_tows(units, [DOCK])) == ({}, {TUG: [DOCK]})
    assert towing.allot_tows(units, [DOCK, WRECK, DD]) == {TUG: [DD, DOCK], CA: [WRECK]}
    assert towing.allot_tows(units, [DOCK, WRECK, DD, "x"]) == {TUG: [DD, DOCK], CA: [WRECK]}
    assert towing.allot_tows(units, [TUG]) == {CA: [TUG]}
    state.units[TUG].towing, state.units[CA].towing = [DOCK, WRECK], [DD]
    assert towing.towed_among(units) == [DD, DOCK, WRECK]
    assert [unit.id for unit in towing.under_way(units)] == [CA, "hydran-F1-FF", TUG]
    assert {key: unit.id for key, unit in towing.leaders(state, [CA, DD, TUG]).items()} == {
        CA: CA, DD: CA, TUG: TUG, DOCK: TUG, WRECK: TUG,
    }  # fmt: skip
    assert towing.with_their_towers(state, {CA: "0405", TUG: "0305"}) == {DOCK: "0305", WRECK: "0305"}


@cases("key, values, kept")
def test_a_tow_ends_with_whom_it_takes_two(key: str, values: dict[str, Any], kept: bool) -> None:
    state = world(TOWS)
    state.units[CA].towing, state.units[TUG].towing = [DD], [DOCK]
    set_fields(state.units[key], values)
    towing.end_tows(state)
    assert (state.units[CA].towing, state.units[TUG].towing) == ([DD] if kept else [], [DOCK])


@pytest.mark.rule("cutler", "2.4.1.5")
def test_a_tow_is_of_one_fleet_or_alone_and_no_more_than_there_are_tractors_for() -> None:
    state = world(TOWS)
    state.units[TUG].towing, state.units[CA].towing = [DD], [WRECK, "hydran-F1-FF"]
    towing.end_tows(state)
    assert (state.units[TUG].towing, state.units[CA].towing) == ([], [WRECK])
    state.units[TUG].towing = [DOCK]
    towing.let_go(state, [DD, "flight"])
    assert (state.units[TUG].towing, state.units[CA].towing) == ([DOCK], [WRECK])
    towing.let_go(state, [WRECK])
    assert (state.units[TUG].towing, state.units[CA].towing) == ([DOCK], [])
    towing.let_go(state, [TUG])
    assert state.units[TUG].towing == []


@cases("cargo, lost, builds")
def test_who_has_a_cargo_box_left_builds_bases(cargo, lost, builds):
    tug = ship(hull_type="TUG", cargo=cargo)
    tug.cargo_lost = lost
    assert tug.builds_bases == builds


@cases("end, left")
def test_what_is_captured_or_destroyed_has_nothing_left_of_its_own(end: str, left: dict[str, int]) -> None:
    unit = ship(crew_units=9, boarding_parties=8, cargo=5, repair=5, shuttles=2)
    unit.boarding_parties, unit.crew_units, unit.cargo_cpv, unit.repair_cpv, unit.held_turn = 8, 9, 3, 4, 2
    unit.holds = lots(fighter=2, wbp=1, shuttle=2)
    if end == "taken":
        unit.taken_by("lyran")
        assert (unit.race, unit.captured_from, unit.held_turn) == ("lyran", "hydran", 0)
    else:
        unit.perish()
        assert (unit.destroyed, unit.cargo_cpv, unit.repair_cpv) == (True, 0, 0)
    assert counts(unit.holds) == left
    assert (unit.crew_units, unit.boarding_parties, unit.crew_quality) == (0, 0, "normal")


@cases("warp, impulse, percent")
def test_what_damage_has_left_of_a_ship(warp, impulse, percent):
    """Of 34 boxes, rounded down; whoever is in play has one percent at least."""
    vessel = ship()
    vessel.warp_ok, vessel.impulse_ok = warp, impulse
    assert whole_of([vessel]) == percent


@pytest.mark.rule("cutler", "2.10")
def test_the_best_command_rating_counts_and_there_may_be_none():
    state = world("hydran F1 0606 CA+DD\nlyran police 0606")
    assert [state.command_rating(race, "0606") for race in ("hydran", "lyran", "klingon")] == [8, 0, 0]


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
