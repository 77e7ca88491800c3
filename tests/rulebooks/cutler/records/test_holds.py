"""Accessories: what units may hold of them and in which boxes, who serves or is transported, and typed minefields."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.records.accessories import catalogue, legends
from rules_engine.rulebooks.cutler.records.accessories.entries import catalogue_defects, loaded
from rules_engine.rulebooks.cutler.records.accessories.flown import (
    aces_in,
    boosters_in,
    fighters_in,
    flown,
    together,
    without,
)
from rules_engine.rulebooks.cutler.records.accessories.holds import (
    aboard,
    add,
    held,
    lacks_shuttle,
    layable,
    load_defects,
    mine_room,
    most_mrs,
    most_people,
    most_shuttles,
    put,
    refitted,
    shuttles_aboard,
    there,
    unarmed_fighters,
)
from rules_engine.rulebooks.cutler.records.accessories.lines import AccessoryLine
from rules_engine.rulebooks.cutler.records.accessories.mines import MinesLaid, first_of, read_chart, ring
from rules_engine.rulebooks.cutler.records.combat.terrain import HexTerrain
from rules_engine.rulebooks.cutler.records.parts.craft import (
    all_have_boosters,
    free_boxes,
    land,
    ready_fighters,
    recover,
    squadron,
    take_back,
    take_off,
    with_boosters,
)
from rules_engine.rulebooks.cutler.records.state import Fight, Unit
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.worlds import kind_of, put_aboard, set_fields, world
from tests.rulebooks.cutler.yards import counts, lots

CA, DD = "hydran-F1-CA", "hydran-F1-DD"


def ship(code: str = "CA", holds: dict[str, int] | None = None, **figures: Any) -> Unit:
    """A ship of a class with these figures, that holds this and nothing else."""
    unit = world(f"hydran F1 0404 {code}").units[f"hydran-F1-{code}"]
    unit.record = kind_of(code, **figures)
    unit.holds = lots(**(holds or {}))
    return unit


# --- lots ------------------------------------------------------------------------------------------------------------
def test_lots_grow_shrink_and_end() -> None:
    found = lots(shuttle=2)
    put(found, "shuttle", catalogue.STANDARD["shuttle"], 1)
    put(found, "mls", catalogue.STANDARD["mls"], 1)
    put(found, "mrs", catalogue.STANDARD["mrs"], 0)
    assert counts(found) == {"shuttle": 3, "mls": 1}
    put(found, "shuttle", catalogue.STANDARD["shuttle"], -2)
    put(found, "mls", catalogue.STANDARD["mls"], -1)
    put(found, "swac", catalogue.STANDARD["swac"], -1)
    assert counts(found) == {"shuttle": 1}


@cases("boxes, left")
def test_the_last_lot_is_lost_first_and_of_it_the_box_that_is_not_full(boxes: int, left: dict[str, int]) -> None:
    """41 CPV of mines fill three boxes of 20, and three shuttles two of two."""
    stowed = lots(mines=41, shuttle=3)
    assert [lot.boxes for lot in stowed.values()] == [3, 2]
    assert [lot.text for lot in stowed.values()] == ["41 CPV of mines", "3 x Shuttle"]
    catalogue.lose_boxes(stowed, boxes)
    assert counts(stowed) == left


@pytest.mark.rule("cutler", "4.2.4.1", "4.2.4.2")
def test_a_ship_comes_with_its_drones_and_shuttles_and_with_nothing_of_what_it_has_no_room_for() -> None:
    assert counts(catalogue.complement(kind_of("CA"))) == {}
    assert counts(catalogue.complement(kind_of("CA", drones=4))) == {"drone_1_slow": 4}
    assert counts(catalogue.complement(kind_of("CA", shuttles=3, ready_racks=1))) == {"shuttle": 2}


@cases("held, fighters, boosters, found")
def test_poor_pilots_fly_first_and_aces_last(held: dict[str, int], fighters: int, boosters: int, found) -> None:
    assert counts(flown(lots(**held), fighters, boosters)) == found


@pytest.mark.rule("cutler", "4.2.4.8")
def test_lots_are_counted_parted_and_put_together(kept: Kept) -> None:
    assert counts(without(lots(fighter=2, wbp=3), lots(fighter=2, wbp=1))) == {"wbp": 2}
    assert counts(without(lots(fighter=2), lots(wbp=1))) == {"fighter": 2}
    assert counts(together(lots(fighter=2), lots(fighter=1, wbp=1))) == {"fighter": 3, "wbp": 1}
    assert (fighters_in({}), boosters_in({}), aces_in(lots(fighter=2, ace=1))) == (0, 0, 0)
    some = lots(fighter=3, fighter_ace=1, fighter_poor=2, wbp=4, shuttle=2)
    assert (fighters_in(some), boosters_in(some), aces_in(some)) == (6, 4, 1)
    assert counts(without(some, lots(fighter=2, wbp=4))) == kept()
    assert counts(together(some, lots(fighter=1, ewp=5))) == {**counts(some), "fighter": 4, "ewp": 5}


# --- what a unit may hold --------------------------------------------------------------------------------------------
def defects(unit: Unit) -> list[str]:
    """What is wrong with its load, in all words, without its name."""
    said = [f"{text} ({law}). Legal: {legal}." for text, law, legal in load_defects(unit)]
    return [one.removeprefix("Hydran F1 Ca ") for one in said]


def most(words: list[str], count: int) -> list[str]:
    return [words[0].format(count, count)]


@cases("code, figures, holds, found")
def test_boxes_hold_what_they_are_for(code: str, figures: dict[str, Any], holds: dict[str, int], found: list[str]):
    assert defects(ship(code, holds, **figures)) == found


@pytest.mark.rule("cutler", "4.2.4.8")
def test_a_quarter_more_people_than_the_complement_is_aboard_at_most(kept: Kept) -> None:
    assert [most_people(count) for count in (0, 3, 4, 7, 8)] == [0, 3, 5, 8, 10]
    unit = ship(boarding_parties=4, crew_units=8)
    unit.boarding_parties, unit.crew_units = 5, 10
    assert defects(unit) == []
    unit.boarding_parties, unit.crew_units = 6, 11
    assert defects(unit) == kept()


@cases("code, figures, count")
def test_who_carries_multi_role_shuttles(code: str, figures: dict[str, Any], count: int) -> None:
    assert most_mrs(kind_of(code, **figures)) == count


@pytest.mark.rule("cutler", "4.2.4.2.1", "4.2.4.2.2", "4.2.4.3")
def test_shuttles_are_counted_without_fighters() -> None:
    assert [most_shuttles(kind_of("CV", shuttles=2, fighters=3, noted=noted)) for noted in (
        (), ("fighter_in_shuttle_box",), ("shuttle_in_fighter_box",))] == [2, 2, 5]  # fmt: skip
    assert shuttles_aboard(ship(holds={"shuttle": 1, "mls": 1, "mrs": 1, "swac": 1, "fighter": 9, "gcv": 3})) == 4
    assert lacks_shuttle(ship(shuttles=1)) is True
    assert lacks_shuttle(ship(shuttles=1, holds={"shuttle": 1})) is False
    assert lacks_shuttle(ship()) is False
    assert held(ship(holds={"fighter": 2, "fighter_ace": 1, "wbp": 3}), "fighter", "pack") == 6


@cases("figures, holds, captured_from, lays, room")
def test_a_minesweeper_lays_what_is_in_its_boxes_and_others_what_is_on_their_shuttles(
    figures: dict[str, Any], holds: dict[str, int], captured_from: str, lays: int, room: int
) -> None:
    """All have room for ten CPV of mines, and six on each minelaying shuttle."""
    unit = ship(holds=holds, mine_room=10, **figures)
    unit.captured_from = captured_from
    assert (layable(unit), mine_room(unit)) == (lays, room)


@pytest.mark.rule("cutler", "4.2.4.8")
def test_what_is_put_aboard_is_there_and_a_mixed_crew_is_as_its_worst() -> None:
    unit = ship()
    for key, boxes, count in (
        ("boarding_party", "own", 5), ("heavy_weapons", "own", 2), ("crew_normal", "own", 3), ("shuttle", "own", 1),
        ("shuttle", "cargo", 4),
    ):  # fmt: skip
        add(unit, key, catalogue.STANDARD[key], count, boxes=boxes)  # type: ignore[arg-type]
        assert there(unit, key, catalogue.STANDARD[key], boxes=boxes) == count  # type: ignore[arg-type]
    assert (unit.boarding_parties, unit.squads, unit.crew_units, unit.crew_quality) == (7, {"heavy": 2}, 3, "normal")
    assert there(unit, "commando", catalogue.STANDARD["commando"], boxes="own") == 0
    assert there(unit, "mls", catalogue.STANDARD["mls"], boxes="cargo") == 0
    add(unit, "crew_outstanding", catalogue.STANDARD["crew_outstanding"], 1, boxes="own")
    assert unit.crew_quality == "normal"
    add(unit, "crew_poor", catalogue.STANDARD["crew_poor"], 0, boxes="own")
    add(unit, "crew_poor", catalogue.STANDARD["crew_poor"], -1, boxes="own")
    assert (unit.crew_quality, unit.crew_units) == ("normal", 3)
    add(unit, "crew_poor", catalogue.STANDARD["crew_poor"], 1, boxes="own")
    assert (unit.crew_quality, unit.crew_units) == ("poor", 4)
    unit.crew_quality = "outstanding"
    add(unit, "crew", catalogue.STANDARD["crew_normal"].with_values(quality=None), 1, boxes="own")
    assert unit.crew_quality == "outstanding"
    add(unit, "heavy_weapons", catalogue.STANDARD["heavy_weapons"], -2, boxes="own")
    assert (unit.boarding_parties, unit.squads) == (5, {})


def test_what_is_aboard_is_told_in_words(kept: Kept) -> None:
    unit = ship(holds={"mines": 3, "fighter": 4}, fighters=4, reload_boxes=3)
    unit.crew_units, unit.stowed, unit.passengers = 7, lots(shuttle=2), lots(ace=1)
    assert aboard(unit) == kept()
    assert aboard(ship()) == []


@pytest.mark.rule("cutler", "4.2.3", "4.2.4.2", "4.2.4.8")
def test_a_refit_adds_what_is_new_and_leaves_behind_what_has_no_room() -> None:
    unit = ship(holds={"drone_1_slow": 1, "shuttle": 2}, drones=2, shuttles=3, boarding_parties=4, crew_units=8)
    unit.boarding_parties, unit.crew_units = 5, 10
    before, unit.record = unit.record, kind_of("CA", drones=5, shuttles=4, boarding_parties=4, crew_units=8)
    refitted(unit, before)
    assert (counts(unit.holds), unit.boarding_parties, unit.crew_units) == ({"drone_1_slow": 4, "shuttle": 3}, 5, 10)
    before, unit.record = unit.record, kind_of("CA", drones=3, shuttles=1, boarding_parties=3, crew_units=4)
    refitted(unit, before)
    assert (counts(unit.holds), unit.boarding_parties, unit.crew_units) == ({"drone_1_slow": 3, "shuttle": 1}, 3, 5)
    carrier = ship(holds={"fighter": 2, "fighter_ace": 2, "fighter_poor": 1, "mines": 4}, fighters=5, cargo=2)
    carrier.stowed, before = lots(mines=40), carrier.record
    carrier.record = kind_of("CA", fighters=3, cargo=1)
    refitted(carrier, before)
    assert counts(carrier.holds) == {"fighter_ace": 2, "fighter": 1}
    assert (counts(carrier.passengers), counts(carrier.stowed)) == ({}, {"mines": 20})
    before, carrier.record = carrier.record, kind_of("CA", fighters=1)
    refitted(carrier, before)
    assert (counts(carrier.holds), counts(carrier.passengers)) == ({"fighter_ace": 1}, {"ace": 1})


# --- officers and aces -----------------------------------------------------------------------------------------------
NAVIGATOR, ACE = catalogue.STANDARD["officer_navigator"], catalogue.STANDARD["ace"]


@pytest.mark.rule("cutler", "4.2.4.8")
def test_officers_serve_and_aces_fly_or_are_transported() -> None:
    unit = ship(holds={"fighter": 2, "fighter_poor": 1}, fighters=3)
    unit.officers = ("captain",)
    legends.board(unit, "officer_navigator", NAVIGATOR, 1, boxes="own", items=catalogue.STANDARD)
    legends.board(unit, "officer_navigator", NAVIGATOR, 1, boxes="hull", items=catalogue.STANDARD)
    legends.board(unit, "ace", ACE, 1, boxes="own", items=catalogue.STANDARD)
    assert (unit.officers, counts(unit.passengers)) == (("captain", "navigator"), {"officer_navigator": 1})
    assert counts(unit.holds) == {"fighter": 1, "fighter_poor": 1, "fighter_ace": 1}
    keys: Any = [(key, boxes) for key in ("officer_navigator", "officer_doctor", "ace") for boxes in ("own", "hull")]
    found = [legends.legends_there(unit, key, catalogue.STANDARD[key], boxes) for key, boxes in keys]
    assert found == [1, 1, 0, 0, 1, 0]
    captain = catalogue.STANDARD["officer_captain"]
    legends.board(unit, "officer_captain", captain, -1, boxes="own", items=catalogue.STANDARD)
    legends.board(unit, "ace", ACE, -1, boxes="own", items=catalogue.STANDARD)
    assert (unit.officers, counts(unit.holds)) == (("navigator",), {"fighter": 2, "fighter_poor": 1})


@cases("item, count, code, values, why")
def test_why_somebody_cannot_serve(item: str, count: int, code: str, values: dict[str, Any], why: Any) -> None:
    unit = ship(code, holds={"fighter": 2, "fighter_poor": 1}, fighters=3)
    set_fields(unit, values)
    found = legends.why_not_serving(unit, catalogue.STANDARD[item], count, catalogue.STANDARD)
    assert (found and list(found)) == why


@pytest.mark.rule("cutler", "4.2.4.8")
def test_who_transports_people_and_which_fighters_have_aces() -> None:
    assert [legends.transports(ship(code)) for code in ("CA", "PF", "FL")] == [True, False, True]
    fighters = ("fighter", "fighter_poor", "shuttle")
    assert [legends.with_ace(catalogue.STANDARD, key) for key in fighters] == ["fighter_ace", "", ""]


@pytest.mark.rule("cutler", "4.2.4.8", "2.9.6.2")
def test_who_is_aboard_a_ship_that_is_melted_down_goes_to_a_base_or_else_to_the_first_ship() -> None:
    def gone(*codes: str) -> list[tuple[str, dict[str, int]]]:
        state = world(f"hydran base 0404\nhydran F1 0404 {'+'.join(('CA', *codes))}")
        unit = state.units["hydran-F1-CA"]
        unit.officers, unit.passengers, unit.holds = ("captain",), lots(officer_navigator=1), lots(fighter_ace=2)
        legends.disembark(
            unit, [one for one in state.units.values() if one.kind != "base" or "base" in bases], catalogue.STANDARD
        )
        aboard_now = [(one.id, counts(one.passengers)) for one in state.units.values() if one.passengers]
        assert bool(unit.officers) == (not any(key != unit.id for key, _ in aboard_now))
        return aboard_now

    all_of_them = {"officer_navigator": 1, "officer_captain": 1, "ace": 2}
    bases = ["base"]
    assert gone("DD") == [("hydran-base-0404", all_of_them)]
    bases = []
    assert gone("FF", "DD") == [("hydran-F1-DD", all_of_them)]
    assert gone("PF") == [("hydran-F1-CA", {"officer_navigator": 1})]
    assert counts(legends.without_fighters(lots(fighter=3), catalogue.STANDARD)) == {}
    assert counts(legends.without_fighters(lots(fighter_ace=3), {})) == {}
    assert counts(legends.without_fighters(lots(fighter_ace=3), catalogue.STANDARD)) == {"ace": 3}


# --- minefields ------------------------------------------------------------------------------------------------------
@cases("text, places, refused")
def test_a_map_of_mines_is_read(text: str, places: dict[str, int], refused: list[str]) -> None:
    found, refusals = read_chart(text, "x")
    assert found == places
    assert [str(one).removeprefix("x: ") for one in refusals] == refused


def test_mines_without_a_map_lie_in_a_ring_and_are_swept_from_its_first_place(kept: Kept) -> None:
    assert [ring(cpv) for cpv in (0, 1, 8)] == kept()
    assert [first_of({"A1": 2, "B1": 3}, cpv) for cpv in (0, 1, 2, 3, 9)] == kept("#1")
    laid = MinesLaid(race="hydran", around="sun", hex="0404", places={"B1": 2, "A10": 1, "A2+1": 1, "A2": 3})
    assert (laid.key, laid.cpv, laid.chart) == ("hydran/sun", 7, "A2=3 A2+1=1 A10=1 B1=2")
    laid.sweep(0)
    assert laid.chart == "A2=3 A2+1=1 A10=1 B1=2"
    laid.sweep(2)
    assert laid.chart == "A2=1 A2+1=1 A10=1 B1=2"
    laid.sweep(4)
    assert laid.places == {"B1": 1}
    laid.sweep(9)
    assert (laid.places, laid.cpv) == ({}, 0)


# --- scenarios' catalogues -------------------------------------------------------------------------------------------
def item(key: str, **values: Any) -> dict[str, catalogue.Accessory]:
    """One accessory of a scenario's own."""
    return {key: catalogue.Accessory(**{"name": "X", "kind": "shuttle", "source": "R1"} | values)}


def officer(key: str, **values: Any) -> dict[str, catalogue.Accessory]:
    return item(key, kind="officer", **values)


MINES_KEY = "mines have the key 'mines', and nothing else has. Legal: 'mines' with kind 'mines'."
ACE_KEY = "an ace has the key 'ace', and nothing else has. Legal: 'ace' with kind 'pilot'."
OFFICE = "an officer, and nothing else, has an office. Legal: one of a unit's officers."
FLIES = (
    "a fighter whose pilot is not as usual, and nothing else, flies another fighter of the catalogue. Legal: the key "
    "of a fighter."
)


NOTATION = {
    "ACE_KEY": ACE_KEY, "FLIES": FLIES, "MINES_KEY": MINES_KEY, "OFFICE": OFFICE, "catalogue": catalogue,
    "item": item, "officer": officer,
}  # fmt: skip


@cases("items, found", "")
def test_accessories_of_a_scenario_are_what_they_should_be(items, found):
    found = evaluated(found, NOTATION)
    assert [str(one).removeprefix("at.") for one in catalogue_defects(evaluated(items, NOTATION), "at")] == found


def test_a_new_unit_holds_what_is_named_instead_of_what_its_class_comes_with() -> None:
    unit = ship(holds={"shuttle": 2, "drone_1_slow": 4})
    loaded(unit, catalogue.STANDARD, {"shuttle": 0, "mls": 1}, {"mines": 5, "shuttle": 0})
    assert (counts(unit.holds), counts(unit.stowed)) == ({"drone_1_slow": 4, "mls": 1}, {"mines": 5})


@pytest.mark.parametrize("line", [{"item": "mines"}, {"count": 1}, {"origin": "x"}, {"to": "x"}, {"turned_in": 1}])
def test_a_line_is_blank_only_if_nothing_is_said_on_it(line: dict[str, Any]) -> None:
    assert AccessoryLine(**line).is_blank is False
    assert AccessoryLine().is_blank is AccessoryLine(turned_in=0).is_blank is True


# --- fighters --------------------------------------------------------------------------------------------------------
def carrier(fighters: int, boosters: int, key: str = CA, boxes: int = 6) -> Unit:
    unit = ship(fighters=boxes)
    unit.id = key
    return put_aboard(unit, fighters, boosters)


@pytest.mark.rule("cutler", "2.9.5", "3.3.2", "3.7.5", "2.9.6.1")
def test_fighters_fly_with_boosters_as_far_as_there_are_some(kept: Kept) -> None:
    assert [with_boosters(carrier(*held)) for held in ((3, 5), (5, 3), (0, 3), (3, 0))] == [3, 3, 0, 0]
    squads = [squadron("s", "hydran", "S", "0404", carrier(*held).holds) for held in ((3, 3), (3, 2), (0, 3), (3, 4))]
    assert [all_have_boosters(squad) for squad in squads] == [True, False, False, True]
    ready = ready_fighters([carrier(3, 2), carrier(2, 0, "x"), squads[0]])
    assert [(one.id, one.name, one.fighters, one.booster_sets) for one in ready] == kept()
    unit = carrier(5, 3)
    gone = take_off(unit, 4)
    assert (gone["fighter"].count, gone["wbp"].count, unit.fighters, unit.booster_sets) == (4, 3, 1, 0)
    assert [free_boxes(carrier(count, 0)) for count in (0, 5, 6, 7)] == [6, 1, 0, 0]


@pytest.mark.rule("cutler", "2.9.6.1")
def test_fighters_land_in_the_order_of_the_units_with_their_boosters_first() -> None:
    one, other = carrier(4, 0, "a"), carrier(5, 1, "b")
    left = land([other, one], carrier(4, 3).holds)
    assert (one.fighters, one.booster_sets, other.fighters, other.booster_sets) == (6, 2, 6, 2)
    assert {key: lot.count for key, lot in left.items()} == {"fighter": 1}


@cases("fate, aboard, left")
def test_fighters_that_fought_apart_go_back_aboard_their_own_carrier(fate: str, aboard: int, left: list[str]) -> None:
    state = world("hydran F1 0404 CA+DD\nlyran F1 0404 FF")
    unit = state.units[CA]
    unit.record = kind_of("CA", fighters=3)
    craft = squadron("flight", "hydran", "Flight", "0404", carrier(0 if fate == "empty" else 3, 3).holds)
    fight = state.fights["0404"] = Fight(flights={"flight": craft}, ground=HexTerrain(carriers={"flight": CA}))
    craft.destroyed = fate == "craft"
    unit.destroyed = fate == "carrier"
    unit.race = "lyran" if fate == "captured" else "hydran"
    unit.hex = "0405" if fate == "away" else "0404"
    recover(state, "0404", fight)
    assert (unit.fighters, list(fight.flights), list(fight.ground.carriers)) == (aboard, left, left)
    if fate == "carrier":
        assert {race: lots["fighter"].count for race, lots in take_back(state, "0404", fight).items()} == {"hydran": 3}
        state.units[DD].record = kind_of("DD", fighters=3)
        assert take_back(state, "0404", fight) == {}
        assert state.units[DD].fighters == 3


@cases("figures, fighters, unarmed")
def test_fighters_beyond_their_reload_boxes_are_without_heavy_weapons(figures, fighters, unarmed):
    vessel = ship(**{"fighters": 6} | figures)
    vessel.holds = lots(fighter=fighters)
    assert unarmed_fighters(vessel) == unarmed


@cases("fighters, packs, all_have, boosted")
def test_fighters_with_boosters_are_no_more_than_there_are_packs(fighters, packs, all_have, boosted):
    held = lots(**{key: count for key, count in (("fighter", fighters), ("wbp", packs)) if count})
    squad = squadron("x", "hydran", "X", "0404", held)
    carrier = ship(fighters=2)
    carrier.holds = held
    assert (all_have_boosters(squad), with_boosters(carrier), free_boxes(carrier)) == (all_have, boosted, 2 - fighters)
    assert (squad.warp_ok, squad.impulse_ok, squad.kind, squad.entered_from) == (0, 0, "fighters", "")
    carrier.record = kind_of("CA", fighters=1)
    assert free_boxes(carrier) == (1 if not fighters else 0)
