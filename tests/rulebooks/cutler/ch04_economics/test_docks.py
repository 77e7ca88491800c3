"""Chapter 4.2: what is built, where, how fast, and how much of it in a turn."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler.ch04_economics.docks import can_build, docks_of, keep_docks
from rules_engine.rulebooks.cutler.ch04_economics.permits import limits_on, why_not_built
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD
from rules_engine.rulebooks.cutler.records.accessories.holds import load_defects, put
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_units, stand_on
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, kind_of, sees, table_of
from tests.rulebooks.cutler.yards import HOME, YARD, refused, refused_in_words, turn, yard

# --- through repair boxes --------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "4.2.1", "4.1.6", "4.2.1.1")
def test_each_repair_box_of_the_bay_channels_one_cpv_a_turn_until_the_ship_is_there():
    state = yard()
    turn(state, D1={"work": "build dd", "name": "Foam"})
    (work,) = state.works.values()
    assert (work.key, work.named, work.paid, work.cost) == (f"{YARD}/1", "Foam", 30, 80)
    assert state.empires["hydran"].base_pool == 95  # 125 made, 30 of them into the bay
    turn(state)
    assert (work.paid, state.empires["hydran"].base_pool) == (60, 190)
    assert not [unit for unit in state.alive("hydran") if unit.is_mobile]
    run = turn(state)
    assert state.works == {}
    assert state.empires["hydran"].base_pool == 190 + 105
    (ship,) = [unit for unit in state.alive("hydran") if unit.is_mobile]
    assert (ship.name, ship.record.class_id, ship.hex, ship.warp_ok) == ("Foam", "dd", "0205", 18)
    assert state.fleet("hydran", "F1").units == [ship.id]
    assert "Foam (DD) is completed at Yard in 0205." in run.texts("hydran")
    assert run.texts("lyran").count("Foam") == 0


@pytest.mark.rule("cutler", "4.2.1", "4.2.1.1")
@cases("lines, expected")
def test_orders_to_docks_that_cannot_be_are_refused(lines, expected):
    assert refused(yard(), **lines) == expected


@pytest.mark.rule("cutler", "4.2.1", "4.2.1.1")
@cases("lines, words")
def test_orders_to_docks_that_cannot_be_are_refused_and_why(lines, words):
    assert refused_in_words(yard(), **lines) == words


@pytest.mark.rule("cutler", "4.1.6.1", "4.2.1")
def test_work_takes_cpv_of_its_own_hex_alone_and_stored_ones_first(kept: Kept):
    state = yard("planet minor 0307 hydran\nhydran base 0205 Yard\nplanet capital 0404 hydran")
    assert refused_in_words(state, D1={"work": "build dd", "cpv": 1}) == kept()
    state.units[YARD].cargo_cpv = 12
    turn(state, D1={"work": "build dd"})
    (work,) = state.works.values()
    assert (work.paid, state.units[YARD].cargo_cpv, state.empires["hydran"].base_pool) == (12, 0, 125)


@pytest.mark.rule("cutler", "4.1.6.1", "4.2.1.3")
def test_what_is_named_comes_before_work_that_takes_what_there_is():
    state = yard()
    turn(state, D1={"work": "build dd"}, economy={"reserve": 60, "pool": 60})
    assert next(iter(state.works.values())).paid == 5
    # With the hex's repair boxes named, the work has those and no more; what it cannot use is lost.
    turn(state, H0205={"repair": 12})
    assert next(iter(state.works.values())).paid == 17
    turn(state, H0205={"repair": 33})
    assert (next(iter(state.works.values())).paid, state.units[YARD].repair_cpv) == (47, 3)


@pytest.mark.rule("cutler", "4.2.1.3")
def test_work_halts_and_goes_on_later():
    state = yard()
    turn(state, D1={"work": "build dd", "cpv": 7})
    (work,) = state.works.values()
    turn(state, D1={"cpv": 0})
    assert work.paid == 7
    turn(state, D1={"cpv": 2})
    assert work.paid == 9


@pytest.mark.rule("cutler", "4.2.1.1")
def test_a_bay_holds_one_ship_until_it_is_done_or_given_up(kept: Kept):
    state = yard()
    turn(state, D1={"work": "build dd"})
    assert refused_in_words(state, D1={"work": "build ff"}) == kept("#1")
    assert refused_in_words(state, D1={"name": "Other"}) == kept("#2")
    assert refused_in_words(state, D1={"work": "give up", "cpv": 1}) == kept("#3")
    assert refused(state, D2={"work": "build ff"}) == []
    run = turn(state, D1={"work": "give up"})
    assert state.works == {}
    assert "Given up: DD 1 (DD), 30 of 80 CPV." in run.texts("hydran")
    assert state.empires["hydran"].base_pool == 95 + 125
    assert refused(state, D1={"work": "build ff"}) == []


@pytest.mark.rule("cutler", "4.2.1.1")
def test_boxes_are_those_of_the_bays_or_split_evenly():
    def boxes(**figures: object) -> list[int]:
        return [dock.boxes for dock in docks_of(yard(**figures), "hydran").values()]

    assert boxes() == [30, 20]
    assert boxes(bays=(), repair=11, docks=3) == [4, 4, 3]
    assert boxes(bays=(), repair=11) == [11]
    assert boxes(bays=(), repair=2, docks=5) == [1, 1]
    assert boxes(bays=(), repair=0) == []
    with pytest.raises(ValueError, match="docking_bays share out its repair boxes"):
        kind_of("base", repair=9, docking_bays=(5, 5))


@pytest.mark.rule("cutler", "4.2.1.1")
@pytest.mark.parametrize("fate", ["destroyed", "captured"])
def test_what_is_being_built_is_lost_with_its_base(fate):
    state = yard(HOME + "hydran base 0307 Other")
    turn(state, D1={"work": "build dd", "name": "Foam"}, D3={"work": "build ff", "name": "Spray"})
    base = state.units[YARD]
    if fate == "destroyed":
        base.destroyed = True
        base.lose_all_cpv()
    else:
        base.race = "lyran"
    table = table_of(state)
    keep_docks(table)
    assert [work.named for work in state.works.values()] == ["Spray"]
    assert [report.to for report in table.shared.reports] == [("hydran",)]
    assert "Foam (DD), 30 of 80 CPV" in table.shared.reports[0].text
    assert not [unit for unit in state.units.values() if unit.name == "Foam"]
    assert defects(state) == []


@pytest.mark.rule("cutler", "4.2.1.1")
def test_what_is_being_built_has_no_effect_until_it_is_complete():
    text = HOME + "lyran F1 0205 CC"
    state = yard(text)
    turn(state, D1={"work": "build dd", "name": "Foam"})
    assert [unit.name for unit in state.units_in("0205", "hydran")] == ["Yard"]
    assert state.counters() == [("lyran", "0205")]


# --- what is built where ---------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "4.2.1.2")
@cases("base_type, smallest, largest")
def test_bases_build_units_of_their_sizes(base_type, smallest, largest):
    base = kind_of("base", base_type=base_type)
    built = [size for size in range(1, 8) if can_build(base, kind_of("FF", size_class=size))]
    assert built == (list(range(largest, smallest + 1)) if smallest else [])


@pytest.mark.rule("cutler", "4.2.1.2", "4.2.1", "4.4.1")
@cases("base_type, code, expected")
def test_what_a_base_cannot_build_is_refused(base_type, code, expected):
    state = yard(base_type=base_type)
    assert refused(state, D1={"work": f"build {code}"}) == expected
    offered = [choice.value for choice in turn_ask(state, "hydran").form.line("D1").fields[0].choices]
    assert (f"build {code}" in offered) == (not expected)


@pytest.mark.rule("cutler", "4.2.1.2", "4.2.1", "4.4.1")
@cases("base_type, code, words")
def test_what_a_base_cannot_build_is_refused_and_why(base_type, code, words):
    state = yard(base_type=base_type)
    assert refused_in_words(state, D1={"work": f"build {code}"}) == words


@pytest.mark.rule("cutler", "4.2.1")
def test_classes_of_other_races_and_without_a_price_are_not_built(kept: Kept):
    state = yard(HOME + "hydran base 0404 Post\n")
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


@pytest.mark.rule("cutler", "4.2.1")
def test_a_police_ship_is_built_without_a_fleet():
    state = yard(bays=(60,))
    turn(state, D1={"work": "build police"})
    (police,) = [unit for unit in state.alive("hydran") if unit.kind == "police"]
    assert (police.name, police.hex, state.fleets) == ("Police 1", "0205", {})


@pytest.mark.rule("cutler", "4.2.1")
def test_a_freighter_is_built_and_waits_for_a_convoy():
    state = yard(bays=(60,))
    state.classes["fl"] = kind_of("FL")
    assert refused(state, D1={"work": "build fl"}) == []
    turn(state, D1={"work": "build fl"})
    (built,) = [unit for unit in state.alive("hydran") if unit.kind == "freighter"]
    assert (built.name, built.hex, state.fleets, state.convoys) == ("FL 1", "0205", {}, {})


# --- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "4.2.2")
@cases("figures, groups")
def test_which_classes_are_limited(figures, groups):
    code, values = figures
    assert limits_on(kind_of(code, **values)) == groups


@pytest.mark.rule("cutler", "4.2.2")
def test_one_scout_is_begun_a_turn_and_none_is_saved(kept: Kept):
    state = yard(HOME + "hydran base 0307 Post\n")
    assert refused_in_words(state, D1={"work": "build sc"}, D2={"work": "build sc"}) == kept("#1")
    assert refused_in_words(state, D1={"work": "build sc"}, D3={"work": "build sc"}) == kept("#2")
    assert refused(state, D1={"work": "build sc"}, D2={"work": "build cc"}) == []
    assert refused(state, D1={"work": "build ff"}, D2={"work": "build ff"}) == []
    turn(state)
    turn(state)
    assert refused_in_words(state, D1={"work": "build sc"}, D2={"work": "build sc"}) == kept("#3")
    # One that was begun in an earlier turn goes on beside a new one.
    turn(state, D1={"work": "build sc"})
    assert refused(state, D1={"cpv": 5}, D2={"work": "build sc"}) == []


# --- who sees it -----------------------------------------------------------------------------------------------------

NEIGHBOURS = "turn 0\n" + HOME + "hydran F1 0205 CA\nlyran F1 0902 CA\nklingon F1 0908 CA\nreserve lyran 60\n"


def whole_turn(state: CutlerState, **lines: object) -> Run:
    table = table_of(state, {"mission": [1] * 9})
    spying = {"M1": {"kind": "construction", "against": "hydran", "other": "0205", "ip": 30}}
    return Run(table, turn_steps(table), {("turn", "hydran"): lines, ("turn", "lyran"): spying})


@pytest.mark.rule("cutler", "4.2.1", "4.2.1.1")
def test_docks_and_what_is_built_are_unseen_by_others():
    quiet, busy = (
        whole_turn(yard(NEIGHBOURS), **lines)
        for lines in ({}, {"D1": {"work": "build dd", "name": "Foam"}, "D2": {"work": "build sc"}})
    )
    assert sees(quiet.table, quiet.asks, "klingon") == sees(busy.table, busy.asks, "klingon")
    # One that was completed stands under the counter that was there.
    quiet, busy = (whole_turn(yard(NEIGHBOURS, bays=(90,)), **lines) for lines in ({}, {"D1": {"work": "build dd"}}))
    assert len(busy.table.state.alive("hydran")) == len(quiet.table.state.alive("hydran")) + 1
    assert sees(quiet.table, quiet.asks, "klingon") == sees(busy.table, busy.asks, "klingon")


@pytest.mark.rule("cutler", "6.4.1.2", "4.2.1")
def test_a_spy_learns_what_a_base_built_in_this_turn_and_for_how_many_points():
    state = yard(NEIGHBOURS)
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
    state = yard(HOME)
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
        assert refused(state, D1={"work": work}) == [("D1.work", rule)]
    offered = [choice.value for choice in turn_ask(state, "hydran").form.line("D1").fields[0].choices]
    assert not any("fort" in value or base.id in value for value in offered)


def test_classes_have_the_right_article():
    state = yard(HOME)
    state.classes |= {"escort": kind_of("FF", name="Escort", refits={"ff": 10}), "ff": kind_of("FF")}
    with pytest.raises(Refused) as caught:
        turn_ask(state, "hydran").answer_from({"D1": {"work": "build escort", "then": "escort"}})
    assert [one.problem for one in caught.value.refusals] == ["an Escort is not made into that"]
    escort = state.commission("hydran", "Foam", state.classes["escort"], "0205")
    put(escort.holds, "swac", STANDARD["swac"], 1)
    assert "an Escort carries no SWAC" in [text for text, *_ in load_defects(escort)]
