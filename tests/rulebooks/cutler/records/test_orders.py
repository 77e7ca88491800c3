"""Sheets as they are read, what is typed on them, what a glance shows, and who is seen as one force."""

from typing import Any

import pytest
from pydantic import ValidationError

from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch01_setup.forces import judge_force
from rules_engine.rulebooks.cutler.records import orders, tacintel
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.conditions.cloaks import (
    can_cloak,
    faced,
    hunted_pairs,
    hunts_in,
    is_hidden,
    meeting_races,
    open_races,
    seen,
)
from rules_engine.rulebooks.cutler.records.contest import roll_order
from rules_engine.rulebooks.cutler.records.economy_lines import name_in, not_a_name
from rules_engine.rulebooks.cutler.records.open_space import open_space
from rules_engine.rulebooks.cutler.records.parts.coordination import Coordination
from rules_engine.rulebooks.cutler.records.parts.seen import as_parties, counter_of, counters_for, owners_of
from rules_engine.rulebooks.cutler.records.parts.sorties import InterceptSheet, Sortie, SortieSheet
from rules_engine.rulebooks.cutler.records.setup import Limit, Setup, SetupRules
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.worlds import kind_of, put_aboard, table_of, world

GRID = Grid(columns=11, rows=9)


# --- sheets ----------------------------------------------------------------------------------------------------------
@cases("line")
def test_a_mission_is_blank_only_if_nothing_is_said(line: Any) -> None:
    assert orders.MissionLine(**line).is_blank is False
    assert orders.MissionLine().is_blank is orders.MissionLine(ip=0, target="").is_blank is True


def test_cards_challenges_waves_and_groups_say_what_is_on_them_or_what_goes_without_saying() -> None:
    cards = [orders.CardSheet.model_validate(given) for given in ({}, {"force": {"card": "combat", "stay": False}})]
    assert [(sheet.card, sheet.stays) for sheet in cards] == [("bypass", True), ("combat", False)]
    challenges = [orders.ChallengeSheet.model_validate(given) for given in ({}, {"challenge": {"race": "lyran"}})]
    assert [sheet.race for sheet in challenges] == [None, "lyran"]
    waves = [
        orders.WaveSheet.model_validate(given)
        for given in ({}, {"wave": {"ships": ["a"]}}, {"wave": {"to": "away"}}, {"wave": {"to": "moon1"}})
    ]
    assert [(sheet.ships, sheet.to) for sheet in waves] == [((), ""), (("a",), ""), ((), ""), ((), "moon1")]
    lines = {"a": {"group": 0, "early": True}, "b": {"group": 1}, "c": {"group": 2, "early": True}, "d": {"group": 2}}
    groups = orders.GroupSheet.model_validate(lines)
    assert (groups.groups(), groups.early()) == ({"b": 1, "c": 2, "d": 2}, {2})
    sorties = [
        SortieSheet.model_validate(given)
        for given in ({}, {"coordination": {"stay": False}, "a": {"target": "0404"}, "b": {"fighters": 1}})
    ]
    assert [(sheet.stays, list(sheet.lines)) for sheet in sorties] == [(True, []), (False, ["a"])]
    assert InterceptSheet.model_validate({}).line.against is None
    assert InterceptSheet.model_validate({"sortie": {"against": "x"}}).line.against == "x"
    holds = {key: Lot(item=STANDARD[key], count=count) for key, count in (("fighter", 3), ("wbp", 2))}
    sortie = Sortie(key="s", race="hydran", origin="0404", target="0405", holds=holds)
    assert (sortie.fighters, sortie.booster_sets) == (3, 2)


def test_an_answer_to_a_mission_has_points_and_courses_and_nothing_else() -> None:
    sheet = orders.CounterSheet.model_validate({"counter": {"points": 3}, "F1": {"to": "0404"}, "F2": {}})
    assert (sheet.points(), sheet.lodged()) == (3, {"F1": "0404", "F2": ""})
    assert (orders.CounterSheet.model_validate({}).points(), orders.CounterSheet.model_validate({}).lodged()) == (0, {})
    for given in ({"S1": {}}, {"economy": {}}, {"F1": {"points": 1}}, {"counter": {"to": "0404"}}):
        with pytest.raises(ValidationError):
            orders.CounterSheet.model_validate(given)


def test_a_flat_sheet_is_read_by_groups_and_written_down_flat_again() -> None:
    keys = {
        "F1": "fleets", "new": "fleets", "S1": "stations", "M1": "missions", "H0404": "places", "D1": "docks",
        "L1": "loads", "G1": "ground", "A1": "accessories", "K1": "layers", "N1": "swept", "E0404": "departures",
        "V1": "convoys",
    }  # fmt: skip
    sheet = orders.TurnSheet.model_validate({key: {} for key in keys})
    assert {key: group for group in set(keys.values()) for key in getattr(sheet, group)} == keys
    flat = sheet.model_dump()
    assert keys.keys() <= flat.keys()
    assert not {"salvage", "coordination"} & flat.keys()
    assert {"economy", "standing", "survey", "base"} <= flat.keys()
    assert orders.TurnSheet.model_validate(flat) == sheet
    said = orders.TurnSheet.model_validate({"salvage": {"ships": ["a"]}, "coordination": {"partners": ["lyran"]}})
    assert {"salvage", "coordination"} <= said.model_dump().keys()
    assert orders.TurnSheet.model_validate(said) is said
    for model, given in (
        (orders.TurnSheet, {"X1": {}}),
        (orders.FleetPlots, {"M1": {}}),
        (orders.TurnSheet, {"H04": {}}),
        (orders.TurnSheet, []),
    ):
        with pytest.raises(ValidationError):
            model.model_validate(given)


@cases("text, way, refused")
def test_a_typed_course_is_read(text: str, way: list[str], refused: list[str]) -> None:
    found, refusals = orders.read_course(GRID, "0404", text, "x")
    assert (found, [str(one).removeprefix("x: ") for one in refusals]) == (way, refused)


def test_a_course_has_forty_hexes_at_most(kept: Kept) -> None:
    there_and_back = "0405 0404 " * 20
    assert orders.read_course(GRID, "0404", there_and_back, "x")[1] == []
    assert [str(one) for one in orders.read_course(GRID, "0404", f"{there_and_back} 0405", "x")[1]] == kept()
    assert [one.path for one in orders.read_course(GRID, "0404", "9999 0405", "x")[1]] == ["x"]
    assert orders.read_course(GRID, "0404", "9999 0405", "x")[0] == ["0405"]


def test_typed_hexes_and_names_are_read(kept: Kept) -> None:
    found, refusals = orders.read_hexes(GRID, " 0404, 0505;9999 ", "x")
    assert (found, [one.path for one in refusals]) == (["0404", "0505"], ["x"])
    assert orders.read_hexes(GRID, "", "x") == ([], [])
    assert [name_in(text) for text in (None, "", "  a \n b ")] == ["", "", "a b"]
    assert [[str(one) for one in not_a_name(name, "x")] for name in ("", "a", "1a", "12")] == kept()


def test_name_is_refused_when_maps_have_no_letters_for_it(kept: Kept) -> None:
    """Of planets, bases and ships: all are lettered on maps."""
    assert [[str(one) for one in not_a_name(name, "x")] for name in ("Łódź", "Новый Киев 2")] == kept()


# --- dice ------------------------------------------------------------------------------------------------------------
def test_the_highest_roll_is_first_and_equal_ones_roll_again() -> None:
    table = table_of(world(""), {"test, Hydran": [3, 2], "test, Lyran": [3, 5], "test, Klingon": [6]})
    assert (roll_order(table, ["hydran"], "test"), roll_order(table, [], "test")) == ((["hydran"], []), ([], []))
    order, rolls = roll_order(table, ["hydran", "lyran", "klingon"], "test")
    assert (order, [roll.total for roll in rolls]) == (["klingon", "lyran", "hydran"], [3, 3, 6, 2, 5])
    table = table_of(world(""), {"test, Hydran": [3], "test, Lyran": [4]})
    assert roll_order(table, ["hydran", "lyran"], "test", plus={"hydran": 2})[0] == ["hydran", "lyran"]


@cases("dice, star, found")
def test_what_three_dice_find_in_open_space(dice: list[int], star: int | None, found: Any) -> None:
    terrain, rolls = open_space(table_of(world(""), {"open space": dice, "black hole": [star or 1]}), "0404")
    assert (terrain, len(rolls)) == (found, 2 if star else 1)


# --- glances ---------------------------------------------------------------------------------------------------------
SKY = """
hydran F1 0404 CA+DD+DD+FF
hydran V1 0404 FL course 0405
hydran base 0404 Dock[type=FRD]
hydran police 0404
lyran F1 0404 CC[cloak=up]
lyran F2 0404 FF
klingon F1 0606 CA[cloak=up]
"""


def test_a_glance_tells_sizes_and_hulls_the_biggest_first() -> None:
    state = world(SKY)
    units = [state.units[f"hydran-F1-{code}"] for code in ("FF", "DD", "DD2", "CA")]
    assert tacintel.glance(units) == ("size 3: CA", "size 4: DD ×2", "size 4: FF")
    assert tacintel.headline(state, units) == "4 Hydran units"
    assert tacintel.headline(state, units[:1]) == "1 Hydran unit"
    assert tacintel.headline(state, [*units[:1], state.units["lyran-F2-FF"]]) == "2 Hydran and Lyran units"
    assert owners_of(state, [state.units["lyran-F2-FF"], *units]) == "Hydran and Lyran"
    assert [tacintel.number_told(text) for text in ("12 Lyran units", "nobody", "")] == [12, None, None]
    assert tacintel.in_words("Hydran", units[:1]) == "1 Hydran unit (size 4: FF)"
    units[0].cloaked = True
    assert tacintel.in_words("Hydran", units[:2]) == "2 Hydran units (size 4: DD; size 4: FF; under cloak: size 4: FF)"
    squad = put_aboard(state.units["hydran-F1-CA"], 5, 0)
    assert tacintel.number_of([squad, units[0]]) == 2
    squad.record = kind_of("AUX", kind="fighters", size_class=6)
    assert (tacintel.number_of([squad, units[0]]), tacintel.glance([squad])) == (6, ("size 6: fighters ×5",))


def test_units_are_seen_as_ships_as_what_keeps_to_a_hex_or_as_what_moves_without_a_counter(kept: Kept) -> None:
    state = world(SKY)
    found = {key: tacintel.part_of(state, unit) for key, unit in state.units.items() if key.startswith("hydran")}
    assert {key.removeprefix("hydran-"): part for key, part in found.items()} == kept()
    state.units["hydran-F1-CA"].towing = ["hydran-base-0404"]
    state.convoys["hydran/V1"].units.append("hydran-police-0404")
    assert tacintel.part_of(state, state.units["hydran-base-0404"]) == "convoy"
    assert tacintel.part_of(state, state.units["hydran-police-0404"]) == "convoy"
    state.units["hydran-base-0404"].record = kind_of("base", base_type="FRD", impulse=2)
    state.units["hydran-F1-CA"].towing = []
    assert tacintel.part_of(state, state.units["hydran-base-0404"]) == "convoy", "it moves by itself"
    keys = [tacintel.Subject(race="lyran", hex="0404", part=part).key() for part in ("force", "fixed", "convoy")]  # type: ignore[arg-type]
    assert keys == ["lyran@0404", "lyran@0404/fixed", "lyran@0404/convoy"]


# --- cloaks ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "2.6.2.1", "3.1.3")
def test_who_is_hidden_from_whom_and_who_meets_whom() -> None:
    state = world(SKY)
    cc, ff = state.units["lyran-F1-CC"], state.units["lyran-F2-FF"]

    def ids(units: Any) -> list[str]:
        return [unit.id.removeprefix("lyran-") for unit in units]

    assert [is_hidden(unit) for unit in (cc, ff)] == [True, False]
    assert [can_cloak(unit) for unit in (cc, ff)] == [True, False]
    assert ids(seen(state, "0404", "lyran", "hydran")) == ["F2-FF"]
    cc.found_by = ["hydran"]
    assert (
        ids(seen(state, "0404", "lyran", "hydran"))
        == ids(faced(state, "0404", "lyran", "hydran"))
        == ["F1-CC", "F2-FF"]
    )
    assert ids(seen(state, "0404", "lyran", "klingon")) == ["F2-FF"]
    assert (hunts_in(state, "hydran", "0404"), hunts_in(state, "klingon", "0606")) == (True, False)
    for key in ("CA", "DD", "DD2", "FF"):
        state.units[f"hydran-F1-{key}"].hex = "0505"
    state.units["hydran-V1-FL"].hex = state.units["hydran-police-0404"].hex = "0505"
    assert hunts_in(state, "hydran", "0404") is False, "a base hunts nobody"
    assert ids(faced(state, "0404", "lyran", "hydran")) == ["F2-FF"]
    assert ids(seen(state, "0404", "lyran", "hydran")) == ["F1-CC", "F2-FF"]
    assert (open_races(state, "0404"), hunted_pairs(state, "0404")) == (["hydran", "lyran"], [])
    ff.hex = "0505"
    assert (open_races(state, "0404"), meeting_races(state, "0404")) == (["hydran"], [])
    state.units["hydran-F1-CA"].hex = "0404"
    assert (hunted_pairs(state, "0404"), meeting_races(state, "0404")) == ([("hydran", "lyran")], ["hydran", "lyran"])
    state.coordination = Coordination(forces=[["hydran", "lyran"]])
    assert (hunted_pairs(state, "0404"), meeting_races(state, "0404")) == ([], [])
    state.coordination = Coordination()
    cc.found_by = []
    assert (hunted_pairs(state, "0404"), meeting_races(state, "0404")) == ([], [])
    cc.engaged = True
    assert (is_hidden(cc), meeting_races(state, "0404")) == (False, ["hydran", "lyran"])
    cc.captured_from = "klingon"
    assert can_cloak(cc) is False


# --- forces ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "2.10")
def test_a_force_looks_like_one_race_to_others_and_like_several_to_its_own() -> None:
    state = world("together hydran lyran\nhydran F1 0404 FF\nlyran F1 0404 CA\nlyran F2 0505 DD\nklingon F1 0404 CW")
    found = {race: state.units_in("0404", race) for race in state.races()}

    def parties(viewer: str) -> dict[str, int]:
        return {race: len(units) for race, units in as_parties(state, viewer, "0404", found).items()}

    assert parties("klingon") == {"lyran": 2}, "it has the better command rating"
    assert parties("hydran") == {"lyran": 1, "klingon": 1}
    assert parties("lyran") == {"hydran": 1, "klingon": 1}
    assert state.counters() == [("lyran", "0404"), ("lyran", "0505"), ("klingon", "0404")]
    assert counters_for(state, "klingon") == state.counters()
    assert counters_for(state, "hydran") == state.counters(), "it knows of none that is not with it"
    assert counters_for(state, "lyran") == [*state.counters(), ("hydran", "0404")]
    assert counter_of(state, ["hydran", "lyran"], "0404") == "lyran"
    assert counter_of(state, ["hydran", "lyran"], "0909") == "hydran"
    found["lyran"] = []
    assert parties("klingon") == {"hydran": 1}


def test_empires_that_nobody_has_are_free() -> None:
    rules = SetupRules(races=())
    setup = Setup(rules=rules, classes={}, empires=[("0101", "0102", "0103"), ("0201",), ("0301", "0302")])
    assert (setup.free, setup.labels()) == ([0, 1, 2], {"0102": "Empire 1", "0201": "Empire 2", "0302": "Empire 3"})
    setup.chosen = {"seat-1": 1}
    assert (setup.free, setup.of("seat-1")) == ([0, 2], ("0201",))


# --- contacts --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "2.6.2", "3.1.3")
def test_contacts_are_kept_as_long_as_they_are_where_they_were_seen(kept: Kept) -> None:
    state = world("turn 2 impulse 1\nhydran F1 0404 CA\nlyran F1 0404 CC+DD\nlyran base 0404 Lair\nklingon F1 0606 CW")
    table = table_of(state)
    units = state.units_in("0404", "lyran")
    assert tacintel.same_as_known(table, "hydran", "lyran", "0404", units) is False
    tacintel.show(table, "hydran", "lyran", "0404", units, text="Seen.", why=because("3.1.3"))
    contacts = table.knowledge("hydran").contacts
    assert [(one.form, one.latest.headline, one.latest.details) for one in contacts.values()] == kept()

    def known(seen: Any = None) -> bool:
        return tacintel.same_as_known(table, "hydran", "lyran", "0404", units if seen is None else seen)

    assert known() is True
    assert known(units[:2]) is False, "a part that was seen is not there"
    assert known([unit for unit in units if unit.record.name != "DD"]) is False
    assert tacintel.same_as_known(table, "hydran", "lyran", "0405", units) is False
    assert tacintel.same_as_known(table, "hydran", "klingon", "0404", []) is True
    state.units["lyran-F1-DD"].record = kind_of("FF")
    assert known() is False
    state.units["lyran-F1-DD"].record = kind_of("DD")
    table.set_time(3, 10, "later")
    assert known() is False, "it was told in another turn"
    table.set_time(2, 20, "then")
    assert known() is True
    table.shared.reports.clear()
    tacintel.fade(table)
    tacintel.fade_convoys(table)
    assert table.shared.reports == []
    for key in ("lyran-F1-CC", "lyran-F1-DD"):
        state.units[key].hex = "0405"
    tacintel.fade(table)
    gone = "C1, the Lyran ships in 0404, are gone."
    assert [(one.to, one.text) for one in table.shared.reports] == [(("hydran",), gone)]
    assert [one.live for one in contacts.values()] == [False, True]
    assert known() is False
    assert known([unit for unit in units if unit.kind == "base"]) is True
    tacintel.fade(table)
    assert len(table.shared.reports) == 1


@pytest.mark.rule("cutler", "2.7")
def test_contacts_of_convoys_are_held_on_by_who_shares_their_hex() -> None:
    state = world("turn 2 impulse 1\nhydran F1 0404 CA\nlyran V1 0404 FL course 0405\nlyran F1 0404 DD")
    table = table_of(state)
    tacintel.show(table, "hydran", "lyran", "0404", state.units_in("0404", "lyran"), text="Seen.", why=because("3.1.3"))
    table.shared.reports.clear()
    tacintel.fade_convoys(table)
    assert table.shared.reports == []
    state.units["hydran-F1-CA"].hex = "0303"
    tacintel.fade_convoys(table)
    assert [one.text for one in table.shared.reports] == ["C2, the Lyran convoy in 0404, may have sailed on."]
    assert [one.live for one in table.knowledge("hydran").contacts.values()] == [True, False]
    state.units["hydran-F1-CA"].hex = "0404"
    tacintel.show(table, "hydran", "lyran", "0404", state.units_in("0404", "lyran"), text="Seen.", why=because("3.1.3"))
    table.shared.reports.clear()
    state.units["lyran-V1-FL"].hex = "0405"
    tacintel.fade_convoys(table)
    assert [one.text for one in table.shared.reports] == ["C3, the Lyran convoy in 0404, may have sailed on."]


@pytest.mark.rule("cutler", "2.6.2", "2.10", "3.1.3")
def test_contacts_that_are_gone_are_called_as_their_reader_knows_them() -> None:
    state = world("turn 2 impulse 1\nhydran F1 0404 CA\nlyran F1 0404 DD\nklingon F1 0505 CA+DD\nlyran F2 0505 FF\n")
    table = table_of(state)
    for race, hex_id in (("lyran", "0404"), ("klingon", "0505")):
        units = [unit for unit in state.units_in(hex_id) if unit.race != "hydran"]
        tacintel.show(table, "hydran", race, hex_id, units, text="Seen.", why=because("3.1.3"))
    state.units["lyran-F1-DD"].hex = "0303"
    tacintel.fade(table)
    assert table.shared.reports[-1].text == "C1, the Lyran ship in 0404, is gone."
    state.units["klingon-F1-CA"].hex = state.units["klingon-F1-DD"].hex = "0707"
    tacintel.fade(table)
    assert table.shared.reports[-1].text == "C2, the Lyran and Klingon ships in 0505, are gone."
    tacintel.show(table, "hydran", "lyran", "0505", state.units_in("0505"), text="Seen.", why=because("3.1.3"))
    tacintel.show(table, "hydran", "klingon", "0707", state.units_in("0707"), text="Seen.", why=because("3.1.3"))
    for unit in state.alive():
        unit.hex = "0101"
    tacintel.fade(table)
    said = "C4, the Klingon ships in 0707, and C3, the Lyran ship in 0505, are gone."
    assert table.shared.reports[-1].text == said


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


@cases("limit, figures, counted")
def test_what_counts_against_a_limit_of_first_ships(limit, figures, counted):
    limit = evaluated(limit, {"Limit": Limit})
    kind = kind_of("CA", **figures)
    assert limit.counts(kind) == counted
    setup = Setup(rules=SetupRules(races=(), limits=(limit,)), classes={"ca": kind})
    assert [one.problem for one in judge_force(setup, {"p": {"ca": 2}})] == ([f"2 of {limit.says}"] if counted else [])
