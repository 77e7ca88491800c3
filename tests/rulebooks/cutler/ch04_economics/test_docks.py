"""Chapters 4.2 and 4.4.9: what is built in docks, where and how fast, and ground bases, which stand at once."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler.ch04_economics.docks import docks_of, keep_docks
from rules_engine.rulebooks.cutler.ch04_economics.permits import why_not_built
from rules_engine.rulebooks.cutler.ch05_planets.razing import raze_planets
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask, turn_sheets_steps
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD
from rules_engine.rulebooks.cutler.records.accessories.holds import load_defects, put
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_on, ground_units, stand_on
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept, cases
from tests.form_documents import form_text
from tests.rulebooks.cutler import combats, worlds, yards
from tests.rulebooks.cutler.armed import armed
from tests.rulebooks.cutler.worlds import Run, kind_of, sees, table_of, world


# --- through repair boxes --------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.1", "4.1.6", "4.2.1.1")
def test_each_repair_box_of_the_bay_channels_one_cpv_a_turn_until_the_ship_is_there():
    state = yards.yard()
    yards.turn(state, D1={"work": "build dd", "name": "Foam"})
    (work,) = state.works.values()
    assert (work.key, work.named, work.paid, work.cost) == (f"{yards.YARD}/1", "Foam", 30, 80)
    assert state.empires["hydran"].base_pool == 95  # 125 made, 30 of them into the bay
    yards.turn(state)
    assert (work.paid, state.empires["hydran"].base_pool) == (60, 190)
    assert not [unit for unit in state.alive("hydran") if unit.is_mobile]
    run = yards.turn(state)
    assert (state.works, state.empires["hydran"].base_pool) == ({}, 190 + 105)
    (ship,) = [unit for unit in state.alive("hydran") if unit.is_mobile]
    assert (ship.name, ship.record.class_id, ship.hex, ship.warp_ok) == ("Foam", "dd", "0205", 18)
    assert state.fleet("hydran", "F1").units == [ship.id]
    assert "Foam (DD) is completed at Yard in 0205." in run.texts("hydran")
    assert run.texts("lyran").count("Foam") == 0


@cases("lines, words")
def test_orders_to_docks_that_cannot_be_are_refused(lines, words):
    assert yards.refused_in_words(yards.yard(), **lines) == words


@pytest.mark.rule("cutler", "4.1.6.1", "4.2.1")
def test_work_takes_cpv_of_its_own_hex_alone_and_stored_ones_first(kept: Kept):
    state = yards.yard("planet minor 0307 hydran\nhydran base 0205 Yard\nplanet capital 0404 hydran")
    assert yards.refused_in_words(state, D1={"work": "build dd", "cpv": 1}) == kept()
    state.units[yards.YARD].cargo_cpv = 12
    yards.turn(state, D1={"work": "build dd"})
    (work,) = state.works.values()
    assert (work.paid, state.units[yards.YARD].cargo_cpv, state.empires["hydran"].base_pool) == (12, 0, 125)


@pytest.mark.rule("cutler", "4.1.6.1", "4.2.1.3")
def test_what_is_named_comes_before_work_that_takes_what_there_is():
    state = yards.yard()
    yards.turn(state, D1={"work": "build dd"}, economy={"reserve": 60, "pool": 60})
    assert next(iter(state.works.values())).paid == 5
    # With the hex's repair boxes named, the work has those and no more; what it cannot use is lost.
    yards.turn(state, H0205={"repair": 12})
    assert next(iter(state.works.values())).paid == 17
    yards.turn(state, H0205={"repair": 33})
    assert (next(iter(state.works.values())).paid, state.units[yards.YARD].repair_cpv) == (47, 3)


@pytest.mark.rule("cutler", "4.2.1.3")
def test_work_halts_and_goes_on_later():
    state = yards.yard()
    yards.turn(state, D1={"work": "build dd", "cpv": 7})
    (work,) = state.works.values()
    yards.turn(state, D1={"cpv": 0})
    assert work.paid == 7
    yards.turn(state, D1={"cpv": 2})
    assert work.paid == 9


@pytest.mark.rule("cutler", "4.2.1.1")
def test_a_bay_holds_one_ship_until_it_is_done_or_given_up(kept: Kept):
    state = yards.yard()
    yards.turn(state, D1={"work": "build dd"})
    assert yards.refused_in_words(state, D1={"work": "build ff"}) == kept("#1")
    assert yards.refused_in_words(state, D1={"name": "Other"}) == kept("#2")
    assert yards.refused_in_words(state, D1={"work": "give up", "cpv": 1}) == kept("#3")
    assert yards.refused(state, D2={"work": "build ff"}) == []
    run = yards.turn(state, D1={"work": "give up"})
    assert state.works == {}
    assert "Given up: DD 1 (DD), 30 of 80 CPV." in run.texts("hydran")
    assert (state.empires["hydran"].base_pool, yards.refused(state, D1={"work": "build ff"})) == (95 + 125, [])


@cases("figures, boxes")
def test_boxes_are_those_of_the_bays_or_split_evenly(figures, boxes):
    assert [dock.boxes for dock in docks_of(yards.yard(**figures), "hydran").values()] == boxes


@cases("fate")
def test_what_is_being_built_is_lost_with_its_base(fate):
    state = yards.yard(yards.HOME + "hydran base 0307 Other")
    yards.turn(state, D1={"work": "build dd", "name": "Foam"}, D3={"work": "build ff", "name": "Spray"})
    base = state.units[yards.YARD]
    if fate == "destroyed":
        base.destroyed = True
        base.lose_all_cpv()
    else:
        base.race = "lyran"
    keep_docks(table := table_of(state))
    assert [work.named for work in state.works.values()] == ["Spray"]
    assert [report.to for report in table.shared.reports] == [("hydran",)]
    assert "Foam (DD), 30 of 80 CPV" in table.shared.reports[0].text
    assert not [unit for unit in state.units.values() if unit.name == "Foam"]
    assert defects(state) == []


@pytest.mark.rule("cutler", "4.2.1.1")
def test_what_is_being_built_has_no_effect_until_it_is_complete():
    state = yards.yard(yards.HOME + "lyran F1 0205 CC")
    yards.turn(state, D1={"work": "build dd", "name": "Foam"})
    assert [unit.name for unit in state.units_in("0205", "hydran")] == ["Yard"]
    assert state.counters() == [("lyran", "0205")]


# --- what is built where ---------------------------------------------------------------------------------------------
@cases("base_type, code, words")
def test_what_a_base_cannot_build_is_refused(base_type, code, words):
    state = yards.yard(base_type=base_type)
    assert yards.refused_in_words(state, D1={"work": f"build {code}"}) == words
    offered = [choice.value for choice in turn_ask(state, "hydran").form.line("D1").fields[0].choices]
    assert (f"build {code}" in offered) == (not words)


@pytest.mark.rule("cutler", "4.2.1")
def test_classes_of_other_races_and_without_a_price_are_not_built(kept: Kept):
    state = yards.yard(yards.HOME + "hydran base 0404 Post\n")
    state.classes |= {
        "raider": kind_of("CA", empire="lyran"),
        "ranger": kind_of("CA", empire="hydran"),
        "hulk": kind_of("CA", bpv_economic=0),
        "hauler": kind_of("CA", kind="freighter"),
    }
    docks = docks_of(state, "hydran")
    ships = {key: item for key, item in state.classes.items() if item.kind != "base" or key == "base"}
    reasons = {key: why_not_built(state, "hydran", docks["D1"], item) for key, item in ships.items()}
    assert {key: reason[1] for key, reason in reasons.items() if reason} == kept()
    # A police ship is built for a planet (2.8) at any base that can: there is none at 0404, so that it would sail.
    assert why_not_built(state, "hydran", docks["D3"], state.classes["police"]) is None


@cases("code, kind, name")
def test_a_police_ship_or_a_freighter_is_built_without_a_fleet(code, kind, name):
    state = yards.yard(bays=(60,))
    state.classes["fl"] = kind_of("FL")
    assert yards.refused(state, D1={"work": f"build {code}"}) == []
    yards.turn(state, D1={"work": f"build {code}"})
    (built,) = [unit for unit in state.alive("hydran") if unit.kind == kind]
    assert (built.name, built.hex, state.fleets, state.convoys) == (name, "0205", {}, {})


# --- limits ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.2")
def test_one_scout_is_begun_a_turn_and_none_is_saved(kept: Kept):
    state = yards.yard(yards.HOME + "hydran base 0307 Post\n")
    assert yards.refused_in_words(state, D1={"work": "build sc"}, D2={"work": "build sc"}) == kept("#1")
    assert yards.refused_in_words(state, D1={"work": "build sc"}, D3={"work": "build sc"}) == kept("#2")
    assert yards.refused(state, D1={"work": "build sc"}, D2={"work": "build cc"}) == []
    assert yards.refused(state, D1={"work": "build ff"}, D2={"work": "build ff"}) == []
    yards.turn(state)
    yards.turn(state)
    assert yards.refused_in_words(state, D1={"work": "build sc"}, D2={"work": "build sc"}) == kept("#3")
    # One that was begun in an earlier turn goes on beside a new one.
    yards.turn(state, D1={"work": "build sc"})
    assert yards.refused(state, D1={"cpv": 5}, D2={"work": "build sc"}) == []


# --- who sees it -----------------------------------------------------------------------------------------------------
NEIGHBOURS = "turn 0\n" + yards.HOME + "hydran F1 0205 CA\nlyran F1 0902 CA\nklingon F1 0908 CA\nreserve lyran 60\n"


def whole_turn(state: CutlerState, **lines: object) -> Run:
    spying = {"M1": {"kind": "construction", "against": "hydran", "other": "0205", "ip": 30}}
    return combats.whole_turn(state, {"mission": [1] * 9}, hydran=lines, lyran=spying)


@pytest.mark.rule("cutler", "4.2.1", "4.2.1.1")
def test_docks_and_what_is_built_are_unseen_by_others():
    quiet, busy = (
        whole_turn(yards.yard(NEIGHBOURS), **lines)
        for lines in ({}, {"D1": {"work": "build dd", "name": "Foam"}, "D2": {"work": "build sc"}})
    )
    worlds.alike(quiet, busy, "klingon")
    # One that was completed stands under the counter that was there.
    quiet, busy = (
        whole_turn(yards.yard(NEIGHBOURS, bays=(90,)), **lines) for lines in ({}, {"D1": {"work": "build dd"}})
    )
    assert len(busy.table.state.alive("hydran")) == len(quiet.table.state.alive("hydran")) + 1
    worlds.alike(quiet, busy, "klingon")


@pytest.mark.rule("cutler", "6.4.1.2", "4.2.1")
def test_a_spy_learns_what_a_base_built_in_this_turn_and_for_how_many_points():
    state = yards.yard(NEIGHBOURS)
    run = whole_turn(state, D1={"work": "build dd", "name": "Foam"}, D2={"work": "build sc", "cpv": 4})
    assert "the base in 0205 built 30 CPV on a DD; 4 CPV on an SC this turn" in run.texts("lyran")
    assert "Foam" not in sees(run.table, run.asks, "lyran")
    assert "of 80" not in sees(run.table, run.asks, "lyran")
    # The next turn it is what was spent in that one.
    run = whole_turn(state, D1={"cpv": 0}, D2={"cpv": 9})
    assert "the base in 0205 built 9 CPV on an SC this turn" in run.texts("lyran")
    run = whole_turn(state, D1={"cpv": 0}, D2={"cpv": 0})
    assert "the base in 0205 built nothing this turn" in run.texts("lyran")


@pytest.mark.rule("cutler", "4.2.1", "4.3", "4.4.9")
def test_ground_bases_are_neither_built_nor_worked_on_in_a_docking_bay():
    state = yards.yard(yards.HOME)
    kind = GroundBaseCost().record.model_copy(update={"cargo": 2, "refits": {"fort": 10}, "size_class": 4})
    fort = kind.model_copy(update={"class_id": "fort", "name": "Fort"})
    state.classes |= {"ground_base": kind, "fort": fort}
    stand_on(state, state.planets["p0205"], {"A": 1}, kind)
    (base,) = ground_units(state, state.planets["p0205"])
    base.cargo_lost = 1
    for work, rule in (
        ("build fort", "4.4.9"),
        (f"repair {base.id}", "4.3, 4.4.9"),
        (f"refit {base.id} into fort", "4.2.3, 4.4.9"),
    ):
        assert yards.refused(state, D1={"work": work}) == [("D1.work", rule)]
    offered = [choice.value for choice in turn_ask(state, "hydran").form.line("D1").fields[0].choices]
    assert not any("fort" in value or base.id in value for value in offered)


def test_classes_have_the_right_article():
    state = yards.yard(yards.HOME)
    state.classes |= {"escort": kind_of("FF", name="Escort", refits={"ff": 10}), "ff": kind_of("FF")}
    with pytest.raises(Refused) as caught:
        turn_ask(state, "hydran").answer_from({"D1": {"work": "build escort", "then": "escort"}})
    assert [one.problem for one in caught.value.refusals] == ["an Escort is not made into that"]
    escort = state.commission("hydran", "Foam", state.classes["escort"], "0205")
    put(escort.holds, "swac", STANDARD["swac"], 1)
    assert "an Escort carries no SWAC" in [text for text, *_ in load_defects(escort)]


# --- ground bases ----------------------------------------------------------------------------------------------------
PLACES = """
planet capital 0205 hydran throne
planet major 0303 hydran tide
planet minor 0307 hydran rock
planet capital 0902 lyran den
hydran F1 0205 CA
lyran F1 0902 CC
klingon F1 0908 CW
reserve lyran 60
"""


def start(price: int = 5, text: str = PLACES) -> CutlerState:
    state = world(text)
    state.ground_base_cost = GroundBaseCost(cpv=price)
    return state


@pytest.mark.rule("cutler", "4.1.2", "4.4.9")
def test_ground_bases_stand_at_once_and_cost_the_new_cpv_of_their_planet():
    state = start(7)
    run = yards.turn_saving(state, G2={"build": 3, "sides": ["D", "A"]}, economy={"reserve": 154})
    assert ground_on(state, state.planets["throne"]) == {"A": 2, "D": 1}
    assert (len(ground_units(state, state.planets["throne"])), state.empires["hydran"].reserve) == (3, 154)
    assert "Throne (0205) builds 3 for 21 CPV, and has 3 ground bases (hexsides A 2, D 1)." in run.texts("hydran")
    assert "154 to the Intelligence Reserve, 0 to the Base Pool, 21 into ground bases in 0205." in run.texts("hydran")
    # On all hexsides: B, C, E and F get their first, then B its second.
    yards.turn_saving(state, G2={"build": 5})
    assert ground_on(state, state.planets["throne"]) == {"A": 2, "B": 2, "C": 1, "D": 1, "E": 1, "F": 1}


@cases("key, planet, side, most, in_all, words")
def test_a_planet_has_room_for_so_many_on_a_hexside_and_pays_by_itself(key, planet, side, *, most, in_all, words):
    state, too_many = start(5), [(f"{key}.build", "4.4.9, CU-R94")]
    assert yards.refused_saving(state, **{key: {"build": most}}) == []
    assert yards.refused_saving_in_words(state, **{key: {"build": most + 1}}) == words
    state.ground_base_cost = GroundBaseCost(cpv=1)
    assert yards.refused_saving(state, **{key: {"build": side, "sides": ["E"]}}) == []
    assert yards.refused_saving(state, **{key: {"build": side + 1, "sides": ["E"]}}) == too_many
    assert yards.refused_saving(state, **{key: {"build": in_all}}) == []
    assert yards.refused_saving(state, **{key: {"build": in_all + 1}}) == too_many
    yards.turn_saving(state, **{key: {"build": in_all}})
    assert ground_on(state, state.planets[planet]) == dict.fromkeys("ABCDEF", side)
    assert key not in {line.key for line in turn_ask(state, "hydran").form.lines}
    assert yards.refused_saving(state, **{key: {"build": 1}}) == too_many


@pytest.mark.rule("cutler", "4.4.9", "4.1.6.1")
def test_new_cpv_that_are_used_elsewhere_build_no_ground_base(kept: Kept):
    state = yards.yard(yards.HOME, bays=(30,))
    state.ground_base_cost = GroundBaseCost(cpv=50)
    base = state.units[yards.YARD]
    base.cargo_cpv = 20
    # 100 are made in 0205, and 20 lie there: two ground bases leave repair boxes those 20, and cargo boxes nothing.
    two = {"G1": {"build": 2}, "economy": {"pool": 25}}
    assert yards.refused_saving(state, **two, H0205={"repair": 20}) == []
    assert yards.refused_saving_in_words(state, **two, H0205={"repair": 21}) == kept("#1")
    assert yards.refused_saving_in_words(state, **two, H0205={"cargo": 1}) == kept("#2")
    assert yards.refused_saving_in_words(state, **two | {"economy": {"pool": 26}}) == kept("#3")
    # Stored CPV and those of other planets pay nothing.
    state.planets["p0205"].razed = 50
    assert yards.refused_saving_in_words(state, G1={"build": 2}) == kept("#4")
    state.planets["p0205"].razed = 51
    assert yards.refused_saving_in_words(state, G1={"build": 1}) == kept("#5")


@pytest.mark.rule("cutler", "4.4.9")
def test_lines_that_name_no_planet_or_hexside_are_refused(kept: Kept):
    state = start()
    assert yards.refused_saving_in_words(state, G4={"build": 1}) == ["G4: you hold no such planet. Legal: G1, G2, G3."]
    assert yards.refused_saving_in_words(state, G1={"build": 1, "sides": ["A", "G"]}) == kept()
    assert "Ground bases on Den" not in form_text(turn_ask(state, "hydran").form)


@pytest.mark.rule("cutler", "4.4.9", "5.2.3")
def test_ground_bases_that_are_built_keep_their_planet_from_being_razed():
    for build, razed in ((1, 0), (0, 5)):
        state = armed("turn 1 impulse 1\nplanet minor 0404 klingon cub\nhydran F1 0404 CA+DD\nklingon F1 0908 CW")
        state.fleet("hydran", "F1").raze = "cub"
        table = table_of(state)
        Run(table, turn_sheets_steps(table), {("turn", "klingon"): {"economy": {"pool": 0}, "G1": {"build": build}}})
        raze_planets(table)
        assert state.planets["cub"].razed == razed


@pytest.mark.rule("cutler", "4.4.9", "6.4.1.10")
def test_a_planet_check_finds_ground_bases_with_their_hexsides_and_nobody_else_does():
    runs = []
    spy = {"M1": {"kind": "planet", "against": "hydran", "other": "throne", "ip": 30}}
    for lines in ({"G2": {"build": 3, "sides": ["C", "F"]}}, {}):
        state, sheet = start(text="turn 0\n" + PLACES), {"economy": {"pool": 0}} | lines
        runs.append(run := combats.whole_turn(state, {"mission": [1]}, hydran=sheet, lyran=spy))
        found = "3 ground bases (hexsides C 2, F 1), no ships" if lines else "no ground bases, no ships"
        assert found in run.texts("lyran")
        assert found not in sees(run.table, run.asks, "hydran")
    worlds.alike(*runs, "klingon")


@pytest.mark.rule("cutler", "4.4.9")
def test_what_is_built_is_unseen_by_others():
    idle, busy = (
        combats.whole_turn(start(text="turn 0\n" + PLACES), hydran={"economy": {"pool": 0}} | lines)
        for lines in ({}, {"G2": {"build": 3}})
    )
    worlds.alike(idle, busy, "lyran", "klingon")
    said = "3 ground bases (hexsides A 1, B 1, C 1)"
    assert [said in sees(run.table, run.asks, "hydran") for run in (idle, busy)] == [False, True]
