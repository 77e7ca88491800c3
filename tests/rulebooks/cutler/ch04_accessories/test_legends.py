"""Chapter 4.2.4.8 and 2.9.6.2: crews of new ships, legendary officers, pilots."""

import pytest

from rules_engine.rulebooks.cutler.boards import side_board
from rules_engine.rulebooks.cutler.ch02_movement.navigators import may_have_navigators
from rules_engine.rulebooks.cutler.ch02_sorties.returning import return_sorties
from rules_engine.rulebooks.cutler.ch04_accessories.aces import refuge, rescue_aces
from rules_engine.rulebooks.cutler.ch04_economics.shown import dock_panel
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Accessory, Lot
from rules_engine.rulebooks.cutler.records.accessories.entries import catalogue_defects
from rules_engine.rulebooks.cutler.records.accessories.holds import aboard
from rules_engine.rulebooks.cutler.records.conditions.officers import has_navigator
from rules_engine.rulebooks.cutler.records.parts.sorties import Sortie
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, kind_of, sees, table_of, world
from tests.rulebooks.cutler.yards import HOME, counts, lots, refused, refused_in_words, turn, yard

CA, FF, NEW = "hydran-F1-CA", "hydran-F1-FF", "hydran-1"


def school(base_type: str = "SB", ships: str = "CA[officers=navigator]+FF") -> CutlerState:
    """A yard with one bay; a frigate is to have 21 crew units, a boat 2, and a shuttle none."""
    state = yard(HOME + f"hydran F1 0205 {ships}\n", bays=(100,), base_type=base_type)
    state.classes["ff"] = kind_of("FF", crew_units=21, refits={"sc": 30})
    state.classes["pf"] = kind_of("PF", crew_units=2)
    state.classes["launch"] = kind_of("PF", class_id="launch", name="Launch", size_class=6, crew_units=1)
    return state


def moved(item: str, to: str, origin: str = CA, **more: object) -> dict[str, object]:
    return {"item": item, "to": to, "origin": origin, **more}


# --- along with a new ship -------------------------------------------------------------------------------------------
@cases("people, cpv, said")
def test_a_ship_is_built_with_its_crew_and_officers(people, cpv, said):
    state = school()
    run = turn(state, D1={"work": "build ff", **people})
    unit = state.units[NEW]
    officers = tuple(one for one in ("navigator", "captain") if one in people.get("people", ()))
    crew = next((one for one in ("poor", "outstanding") if one in said), "normal")
    assert (unit.crew_quality, unit.officers, unit.crew_units) == (crew, officers, 21)
    assert [(one.item, one.cpv) for one in state.spent] == [(f"an {said}", cpv)]
    assert f"FF 1 (FF){said.removeprefix('FF')} is completed at Yard in 0205." in run.texts("hydran")


@pytest.mark.rule("cutler", "4.2.4.8", "4.2.1.3")
def test_what_is_begun_with_a_crew_keeps_it_and_costs_as_much(kept: Kept):
    state = school()
    turn(state, D1={"work": "build ff", "people": ["outstanding_crew", "science"], "cpv": 90})
    assert (
        "FF 1 (FF) with an outstanding crew and a legendary science officer, 90 of 101 CPV"
        in (dock_panel(state, "hydran").rows[0])
    )
    assert refused_in_words(state, D1={"people": ["captain"]}) == kept()
    turn(state)
    assert (state.units[NEW].crew_quality, state.units[NEW].officers) == ("outstanding", ("science",))


@cases("base_type, line, expected")
def test_where_new_ships_get_crews_and_officers(base_type, line, expected):
    assert refused_in_words(school(base_type), D1=line) == expected


@pytest.mark.rule("cutler", "4.2.4.8")
def test_a_bay_that_trains_nobody_asks_for_nobody():
    asked = {
        base: {field.key for field in turn_ask(school(base), "hydran").form.line("D1").fields} for base in ("SB", "BS")
    }
    assert "people" in asked["SB"] - asked["BS"]


@pytest.mark.unseen("cutler", asks=("turn",), reports=("economy",))
@pytest.mark.rule("cutler", "4.2.4.8")
def test_crews_and_officers_are_their_owners_alone():
    seen: dict[str, set[str]] = {"hydran": set(), "lyran": set()}
    for people in ({"people": ["poor_crew"]}, {"people": ["navigator"]}):
        state = school()
        run = turn(state, D1={"work": "build ff", **people}, A1=moved("officer_navigator", f"{FF} hull"))
        for side, texts in seen.items():
            texts.add(sees(run.table, [*run.asks, turn_ask(state, side)], side))
    assert [len(texts) for texts in seen.values()] == [2, 1]


# --- as a refit ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.4.8", "4.2.3", "6.4.1.2")
def test_officers_and_aces_are_trained_as_a_refit(kept: Kept):
    state = school(ships="CA+FF")
    state.units[CA].holds = lots(fighter=3)
    state.units[CA].record = kind_of("CA", fighters=3)
    run = turn(state, D1={"work": f"train officer_captain for {CA}"})
    assert state.units[CA].officers == ("captain",)
    turn_two = turn(state, D1={"work": f"train ace for {CA}"})
    assert counts(state.units[CA].holds) == {"fighter": 2, "fighter_ace": 1}
    assert [(one.item, one.cpv) for one in state.spent] == kept()
    assert "A Legendary Captain is trained for Hydran F1 Ca at Yard in 0205." in run.texts("hydran")
    assert "Legendary" not in turn_two.texts("lyran")


@cases("base_type, line, words")
def test_where_officers_are_trained_and_for_whom(base_type, line, words):
    state = school(base_type)
    assert refused_in_words(state, D1=line) == words
    if len(line) == 1:
        offered = [choice.value for choice in turn_ask(state, "hydran").form.line("D1").fields[0].choices]
        assert (line["work"] in offered) == (not words)


@pytest.mark.rule("cutler", "4.2.4.8", "4.3.1")
def test_a_damaged_ship_trains_nobody(kept: Kept):
    state = school()
    state.units[FF].warp_ok -= 1
    assert refused_in_words(state, D1={"work": f"train officer_doctor for {FF}"}) == kept()


@pytest.mark.rule("cutler", "2.4.1.10", "4.2.4.8")
def test_all_know_whether_navigators_can_be_trained():
    state = school(ships="CA")
    assert may_have_navigators(state)
    none = STANDARD["officer_navigator"].model_copy(update={"price": None})
    state.accessories = STANDARD | {"officer_navigator": none}
    assert not may_have_navigators(state)
    state.navigators = True
    assert may_have_navigators(state)


# --- moving them -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.4.8")
def test_an_officer_serves_on_another_ship_or_has_no_effect_in_its_hull():
    state = school()
    turn(state, A1=moved("officer_navigator", f"{FF} hull"))
    frigate = state.units[FF]
    assert (state.units[CA].officers, counts(frigate.passengers)) == ((), {"officer_navigator": 1})
    assert not has_navigator([frigate, state.units[CA]])
    assert "1 x Legendary Navigator in hull boxes" in aboard(frigate)
    board = side_board(state, "hydran", table_of(state).knowledge("hydran"))
    assert "1 x Legendary Navigator in hull boxes" in board.model_dump_json()
    turn(state, A1=moved("officer_navigator", FF, f"{FF} hull"))
    assert (frigate.officers, frigate.passengers, has_navigator([frigate])) == (("navigator",), {}, True)


@cases("line, expected")
def test_who_is_moved_where(line, expected):
    state = school(ships="CA[officers=navigator]+FF\nhydran F2 0205 DD[officers=navigator]+PF+CW\nhydran F3 0206 FF")
    state.units["hydran-F2-CW"].captured_from = "lyran"
    state.units[CA].record = kind_of("CA", boarding_parties=4)
    state.units[CA].boarding_parties = 2
    assert refused_in_words(state, A1=line) == expected


@pytest.mark.rule("cutler", "4.2.4.8")
def test_hull_boxes_are_offered_where_there_is_somebody_to_transport():
    state = school()
    ask = turn_ask(state, "hydran").form.line("A1")
    assert f"{FF} hull" in [choice.value for choice in ask.fields[2].choices]
    state.units[CA].officers = ()
    ask = turn_ask(state, "hydran").form.line("A1")
    assert f"{FF} hull" not in [choice.value for choice in ask.fields[2].choices]


# --- pilots ----------------------------------------------------------------------------------------------------------
@cases("base_type, item, cpv")
def test_fighters_are_bought_with_their_pilots(base_type, item, cpv):
    state = school(base_type)
    state.units[CA].record = kind_of("CA", fighters=2)
    turn(state, A1={"item": item, "to": CA, "count": 2})
    assert counts(state.units[CA].holds) == {item: 2, "ewp": 6, "wbp": 6}
    assert [one.cpv for one in state.spent] == [cpv]


@pytest.mark.rule("cutler", "4.2.4.8", "4.2.1.2")
def test_a_base_station_builds_fighters_and_trains_no_pilots(kept: Kept):
    state = school("BS")
    state.units[CA].record = kind_of("CA", fighters=2)
    assert refused(state, A1={"item": "fighter", "to": CA}) == []
    assert refused_in_words(state, A1={"item": "fighter_ace", "to": CA}) == kept("#1")
    assert refused_in_words(state, A1={"item": "fighter_poor", "to": CA}) == kept("#2")


@pytest.mark.rule("cutler", "4.2.4.8")
def test_an_ace_takes_over_a_fighter_and_leaves_it(kept: Kept):
    state = school(ships="CA+FF")
    for key, held in ((CA, lots(fighter_ace=1, fighter_poor=1)), (FF, lots(fighter=1))):
        state.units[key].holds, state.units[key].record = held, kind_of(key[-2:], fighters=2)
    turn(state, A1=moved("ace", f"{FF} hull"))
    assert (counts(state.units[CA].holds), counts(state.units[FF].passengers)) == kept("#1")
    assert refused_in_words(state, A1=moved("ace", FF, f"{FF} hull", count=2)) == kept("#2")
    turn(state, A1=moved("ace", FF, f"{FF} hull"))
    assert (counts(state.units[FF].holds), state.units[FF].passengers) == ({"fighter_ace": 1}, {})
    turn(state, A1=moved("ace", f"{CA} hull", FF))
    state.units[FF].holds = lots(fighter_poor=1)
    assert refused_in_words(state, A1=moved("ace", FF, f"{CA} hull")) == kept("#3")


@cases("text, held, found, refuge")
def test_aces_survive_without_their_fighters(text, held, found, refuge):
    state = world(text)
    for unit in state.units.values():
        unit.holds = {}  # no fighters but those under way
    state.sorties = [Sortie(key="1", race="hydran", origin="0404", target="0505", holds=lots(**held))]
    run = Run(table := table_of(state), iter(()))
    return_sorties(table)
    assert {key: counts(unit.passengers) for key, unit in state.units.items() if unit.passengers} == refuge
    assert sum(unit.fighters for unit in state.units.values()) == found
    if found:
        assert counts(state.units[CA].holds) == {"fighter_ace": 1, "wbp": 1}
    said = "2 legendary aces survive without their fighters: aboard Hydran F1 Ca in 0404."
    assert (said in run.texts("hydran")) == (refuge == {CA: {"ace": 2}})
    assert run.texts("lyran") == run.texts("klingon") == ""
    assert defects(state) == []


@cases("key, item, words")
def test_a_catalogue_with_persons_who_are_none_is_refused(key, item, words):
    found = Accessory.model_validate({"name": "Odd", "source": "invented", **item})
    assert [str(one) for one in catalogue_defects({key: found}, "accessories")] == words


def test_a_catalogue_may_have_aces_for_its_own_fighters():
    own = {"stinger": {"kind": "fighter"}, "stinger_ace": {"kind": "fighter", "pilot": "ace", "flies": "stinger"}}
    items = {key: Accessory.model_validate({"name": key, "source": "own", **item}) for key, item in own.items()}
    assert catalogue_defects(STANDARD | items, "") == []


@cases("aces, said")
def test_how_many_aces_survive_is_told(aces, said):
    state = world("turn 1\nhydran F1 0505 DD\nlyran F1 0404 CA")
    table = table_of(state)
    lots = [{"fighter_ace": Lot(item=STANDARD["fighter_ace"], count=count)} for count in aces]
    rescue_aces(table, "hydran", ("0404", "0505"), *lots)
    assert [one.text for one in table.shared.reports if one.is_for("hydran")] == said
    assert counts(state.units["hydran-F1-DD"].passengers) == ({"ace": sum(aces)} if aces else {})
    assert [one.text for one in table.shared.reports if one.is_for("lyran")] == []


@pytest.mark.rule("cutler", "2.9.6.2")
def test_aces_go_home_first_then_to_where_they_flew_then_to_the_nearest():
    state = world("hydran F1 0404 DD+CA\nhydran F2 0606 DD\nhydran F3 0607 CA\nhydran F4 0901 CA\nlyran F1 0606 CA")
    found = []
    for _ in range(6):
        unit = refuge(state, "hydran", ("0404", "0606"))
        found.append(unit and unit.id)
        if unit:
            unit.perish()
    assert found == ["hydran-F1-CA", "hydran-F1-DD", "hydran-F2-DD", "hydran-F3-CA", "hydran-F4-CA", None]


@pytest.mark.rule("cutler", "4.2.4.8")
def test_nobody_is_taken_out_of_hull_boxes_in_which_nobody_is(kept: Kept):
    state = school()
    there = {"item": "officer_captain", "to": f"{FF} hull", "origin": f"{CA} hull"}
    assert refused_in_words(state, A1=there) == ["A1.count: 0 x Legendary Captain are there (4.2.4). Legal: at most 0."]
    state.units[CA].passengers = lots(officer_captain=1)
    assert refused(state, A1=there) == []
    assert refused_in_words(state, A1=there | {"count": 2}) == kept()
