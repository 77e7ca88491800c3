"""Chapter 4.4: bases are set aside from the Base Pool, built by a tug that stays, upgraded, and scrapped."""

import pytest

from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch04_economics.building.bases import builders_of, keep_sites, note_bases
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot, complement
from rules_engine.rulebooks.cutler.records.economy import BaseSite
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import Kept, cases
from tests.form_documents import form_text
from tests.rulebooks.cutler.combats import whole_turn
from tests.rulebooks.cutler.worlds import Run, alike, kind_of, sees, set_fields, table_of
from tests.rulebooks.cutler.yards import BASES, HOME, YARD, yard
from tests.rulebooks.cutler.yards import refused_saving as refused
from tests.rulebooks.cutler.yards import refused_saving_in_words as refused_in_words
from tests.rulebooks.cutler.yards import turn_saving as turn

TUG = "hydran-F1-AUX"
"""A tug of 40 cargo boxes."""
SITE = HOME + "hydran F1 0404 AUX\nhydran F2 0404 AUX+CA\n"


def start(text: str = SITE, *, pool: int = 200, **figures: object) -> CutlerState:
    state = yard(text, **figures)
    state.empires["hydran"].base_pool = pool
    note_bases(state)
    return state


BS = {"type": "bs", "at": "0404", "name": "Reef"}


@pytest.mark.rule("cutler", "4.4.1", "4.4.2", "4.4.3", "4.4.6", "4.4.7")
def test_a_base_is_set_aside_whole_and_channelled_by_the_tugs_cargo_boxes():
    state = start()
    run = turn(state, base=BS)
    # 101 half as much again is 151.5, so 152; 40 of them are channelled at once.
    (site,) = state.sites.values()
    assert (site.cost, site.set_aside, site.builder, state.empires["hydran"].base_pool) == (152, 112, TUG, 48)
    assert "Hydran F1 Aux channels 40 CPV to Reef (BS) in 0404: 40 of 152." in run.texts("hydran")
    for left in (72, 32):
        turn(state)
        assert site.set_aside == left
    assert not [unit for unit in state.alive("hydran") if unit.name == "Reef"]
    turn(state)
    (base,) = [unit for unit in state.alive("hydran") if unit.name == "Reef"]
    assert (base.hex, base.record.base_type, state.sites, state.empires["hydran"].base_pool) == ("0404", "BS", {}, 48)
    assert "0404" in state.empires["hydran"].base_hexes


@pytest.mark.rule("cutler", "4.4.3")
def test_a_starbase_takes_seven_turns_with_an_ore_carrier_of_100_boxes():
    state = start(HOME + "hydran F1 0205 AUX\n", pool=700)
    state.units[TUG].record = state.units[TUG].record.model_copy(update={"cargo": 100})
    state.classes["sb"] = state.classes["sb"].model_copy(update={"bpv_economic": 700})
    turn(state, base={"type": "sb", "name": "Great"})
    for count in range(6):
        assert len(state.sites) == 1, count
        turn(state)
    assert state.sites == {}
    assert [unit.record.base_type for unit in state.alive("hydran") if unit.name == "Great"] == ["SB"]


@pytest.mark.rule("cutler", "4.4.2", "4.4.3")
def test_one_tug_builds_one_base_and_only_its_working_boxes_count():
    state = start(HOME + "hydran F1 0404 AUX+CA\n", pool=400)
    state.units[TUG].cargo_lost = 15
    turn(state, base=BS)
    turn(state, base={"type": "bs", "at": "0404", "name": "Second"})
    assert [site.cost - site.set_aside for site in state.sites.values()] == [50, 0]
    assert [site.builder for site in state.sites.values()] == [TUG, ""]
    state = start(pool=400)
    turn(state, base=BS)
    turn(state, base={"type": "bs", "at": "0404", "name": "Second"})
    assert [site.cost - site.set_aside for site in state.sites.values()] == [80, 40]


@pytest.mark.rule("cutler", "4.4.2", "4.4.3", "4.4.4")
def test_what_lies_in_a_tugs_cargo_boxes_does_not_keep_it_from_building():
    state = start()
    turn(state, base=BS)
    for key in (TUG, "hydran-F2-AUX"):
        state.units[key].stowed["shuttle"] = Lot(item=STANDARD["shuttle"], count=80)  # two in each of forty boxes
    keep_sites(table_of(state))
    turn(state)
    (site,) = state.sites.values()
    assert site.cost - site.set_aside == 80


@cases("lines, expected")
def test_orders_for_bases_that_cannot_be_are_refused(lines, expected):
    text = SITE + "dust 0504\nnebula 0605\nunsurveyed 0606\nlyran F1 0205 CA\n"
    text += "hydran base 0307 Post\nhydran base 0101 Fort\nlyran base 0902 Den"
    state = start(text, bays=(30, 20))
    state.units["hydran-base-0307"].record = state.units["lyran-base-0902"].record = state.classes["bs"]
    state.units["hydran-base-0101"].record = state.classes["bats"]
    assert refused_in_words(state, **lines) == expected


def test_the_line_of_new_bases_is_there_where_somebody_can_ever_build_them():
    state = start()
    assert "blank: 0404, where Hydran F1 Aux is" in form_text(turn_ask(state, "hydran").form)
    state = start(HOME + "hydran F1 0404 CA\n")
    assert "where a builder will come" in form_text(turn_ask(state, "hydran").form)
    state.classes["aux"] = state.classes["aux"].model_copy(update={"empire": "lyran"})
    assert turn_ask(state, "hydran").form.line("base") is None


@pytest.mark.rule("cutler", "4.4.2")
def test_without_a_tug_a_site_waits_for_one_and_says_so():
    state = start(HOME + "hydran F1 0205 AUX\nhydran F2 0404 CA\n")
    ask = turn_ask(state, "hydran")
    assert any("No tug" in text for text in ask.warn(ask.answer_from({"economy": {"pool": 0}, "base": BS})))
    turn(state, base=BS)
    (site,) = state.sites.values()
    keep_sites(table_of(state))
    turn(state)
    assert (site.builder, site.set_aside, len(state.sites)) == ("", 152, 1)
    state.units[TUG].hex = "0404"
    turn(state)
    assert (site.builder, site.set_aside) == (TUG, 112)
    # One that has lost its cargo boxes builds nothing.
    state.units[TUG].cargo_lost = 40
    keep_sites(table := table_of(state))
    assert state.sites == {}
    assert "Nobody builds on in 0404: Reef (BS) is lost" in table.shared.reports[-1].text
    assert table.shared.reports[-1].to == ("hydran",)


@cases("change, kept")
def test_a_base_is_lost_when_its_builder_is_gone_and_kept_when_another_has_come(change, kept):
    for text, second in ((HOME + "hydran F1 0404 AUX+CA\n", False), (SITE, True)):
        state = start(text)
        turn(state, base=BS)
        set_fields(state.units[TUG], change)
        keep_sites(table_of(state))
        assert len(state.sites) == (kept or second)
        if second and not kept:
            assert next(iter(state.sites.values())).builder == "hydran-F2-AUX"
        assert state.empires["hydran"].base_pool == 48


@cases("case, text, line, warned", made="text")
def test_who_sends_a_builder_away_is_warned_unless_another_stays(text, line, warned):
    state = start(text)
    turn(state, base=BS)
    ask = turn_ask(state, "hydran")
    said = [[one for one in ask.warn(ask.answer_from({"economy": {"pool": 0}, **sheet})) if "leaves" in one]
            for sheet in (line, {})]  # fmt: skip
    assert said == [warned, []]


@pytest.mark.rule("cutler", "4.4.2", "4.4.4")
def test_a_tug_that_flies_away_in_a_turn_loses_the_base_in_that_impulse():
    state = start("turn 0\n" + HOME + "hydran F1 0404 AUX\nlyran F1 0902 CA\nklingon F1 0908 CA")
    table = table_of(state)
    lines = {"economy": {"pool": 0}, "base": BS, "F1": {"course": "0405 0404"}}
    run = Run(table, turn_steps(table), {("turn", "hydran"): lines})
    assert (state.units[TUG].hex, state.sites) == ("0404", {})
    (report,) = [one for one in run.told("hydran", "economy") if "Nobody builds" in one.text]
    assert report.place == "T0/I2/sites"  # an auxiliary's first move
    assert "Nobody builds" not in run.texts("lyran")


@pytest.mark.rule("cutler", "4.4.5")
def test_a_base_station_is_upgraded_by_a_tug_from_the_pool(kept: Kept):
    state = start(HOME + "hydran base 0404 Reef\nhydran F1 0404 AUX+CA\n")
    base = state.units["hydran-base-0404"]
    base.record, base.cargo_cpv = state.classes["bs"], 7
    turn(state, base={"type": "upgrade hydran-base-0404 into bats"})
    # 60 as the catalogue says, without the half for a new place.
    assert (base.record.base_type, state.empires["hydran"].base_pool) == ("BS", 140)
    assert refused_in_words(state, base={"type": "upgrade hydran-base-0404 into bats"}) == kept("#1")
    assert refused_in_words(state, scrap={"base": base.id, "sure": True}) == kept("#2")
    turn(state)
    assert (base.record.base_type, base.cargo_cpv, base.cargo_boxes, state.sites) == ("BATS", 7, 30, {})


@pytest.mark.rule("cutler", "4.4.5", "4.2.4.2")
def test_an_upgraded_base_has_what_its_new_class_comes_with_and_keeps_its_damage():
    state = start(HOME + "hydran base 0404 Reef\nhydran F1 0404 AUX\nhydran F2 0404 AUX\n")
    base = state.units["hydran-base-0404"]
    base.record = kind_of("base", **BASES["bs"], class_id="bs", shuttles=2, drones=4, crew_units=8, impulse=4)
    base.holds, base.impulse_ok, base.crew_units = complement(base.record), 3, 10
    base.stowed["shuttle"] = Lot(item=STANDARD["shuttle"], count=14)
    small = {"drones": 2, "crew_units": 4, "impulse": 6, "cargo": 5}
    state.classes["bats"] = kind_of("base", **BASES["bats"] | small, class_id="bats", shuttles=6)
    turn(state, base={"type": "upgrade hydran-base-0404 into bats"})
    turn(state)
    assert (base.record.base_type, base.impulse_ok, base.crew_units) == ("BATS", 5, 5)
    assert {key: lot.count for key, lot in base.holds.items()} == {"shuttle": 6, "drone_1_slow": 2}
    assert (base.stowed["shuttle"].count, base.cargo_boxes) == (10, 0)


@pytest.mark.rule("cutler", "4.4.5")
def test_a_whole_base_is_scrapped_for_half_of_its_value(kept: Kept):
    state = start(pool=0)
    state.units[YARD].record = state.classes["bs"]
    state.units[YARD].cargo_cpv = 5
    ask = turn_ask(state, "hydran")
    lines = {"economy": {"pool": 0}, "scrap": {"base": YARD, "sure": True}}
    assert any("What Yard stores is lost" in text for text in ask.warn(ask.answer_from(lines)))
    state.units[YARD].cargo_lost = 1
    assert refused_in_words(state, **lines) == kept()
    state.units[YARD].cargo_lost = 0
    run = turn(state, scrap=lines["scrap"])
    assert (state.units[YARD].destroyed, state.empires["hydran"].base_pool) == (True, 50)
    assert "Yard in 0205 is scrapped: 50 CPV go into the Base Pool." in run.texts("hydran")
    assert "scrapped" not in run.texts("lyran")


# --- who sees it -----------------------------------------------------------------------------------------------------
NEIGHBOURS = "turn 0\n" + SITE + "lyran F1 0902 CA\nklingon F1 0908 CA\nreserve lyran 60\n"
SPIES = {"M1": {"kind": "base", "against": "hydran", "ip": 30}}


@pytest.mark.rule("cutler", "4.4.1", "4.4.2", "4.4.5")
def test_sites_are_unseen_by_others():
    idle = whole_turn(start(NEIGHBOURS))
    for lines in ({"base": BS}, {"scrap": {"base": YARD, "sure": True}}):
        alike(idle, whole_turn(start(NEIGHBOURS), hydran=lines), "lyran", "klingon")


@cases("line, found")
def test_a_spy_learns_the_pool_and_where_bases_are_being_built(line, found):
    sheet = {"economy": {"pool": 0}, "base": line}
    run = whole_turn(start(NEIGHBOURS), {"mission": [1]}, hydran=sheet, lyran=SPIES)
    assert found in run.texts("lyran")
    assert "Reef" not in sees(run.table, run.asks, "lyran")


# --- what builds, and until when -------------------------------------------------------------------------------------
@cases("figures, builds")
def test_tugs_and_large_freighters_with_cargo_boxes_build_bases(figures, builds):
    state = start(HOME + "hydran F1 0404 CA\n")
    state.units["hydran-F1-CA"].record = kind_of("CA", **{"cargo": 60} | figures)
    if "freighter_size" in figures:
        state.fleets.clear()
    turn(state, base=BS)
    assert [site.cost - site.set_aside for site in state.sites.values()] == [60 if builds else 0]


@pytest.mark.rule("cutler", "4.4.2", "4.4.4")
def test_a_builder_that_is_lost_between_impulses_must_be_replaced_by_the_end_of_the_next_economics_phase():
    world = "turn 0\n" + HOME + "hydran F1 0404 AUX\nhydran F2 0405 AUX\nlyran F1 0902 CA\nklingon F1 0908 CA"
    for hex_id, lost in (("0405", True), ("0404", False)):
        state = start(world)
        turn(state, base=BS)
        state.units[TUG].destroyed, state.units["hydran-F2-AUX"].hex = True, hex_id
        tidy_fleets(state)
        run = Run(table := table_of(state), turn_steps(table))
        assert [one.place for one in run.told("hydran") if "Nobody builds" in one.text] == ["T0/sites"] * lost
        assert [site.set_aside for site in state.sites.values()] == [72] * (not lost)


@pytest.mark.rule("cutler", "4.4.4")
def test_who_is_left_builds_on_at_what_was_begun():
    state = start(HOME + "hydran F1 0404 AUX\n", pool=400)
    turn(state, base=BS)
    turn(state, base={"type": "bs", "at": "0404", "name": "Second"})
    first, second = state.sites.values()
    first.builder, second.builder = "", TUG
    assert builders_of(state, "hydran") == {"B2": state.units[TUG]}


@pytest.mark.rule("cutler", "4.4.5")
def test_a_base_at_which_a_ship_is_repaired_or_melted_down_is_no_scrap():
    state = start(HOME + "hydran F1 0205 CA+DD\n", bays=(30,))
    scrapped = {"scrap": {"base": YARD, "sure": True}}
    state.units["hydran-F1-CA"].warp_ok -= 1
    state.units["hydran-F1-DD"].captured_from = "lyran"
    busy = [("scrap.base", "4.4.5, CU-N62")]
    assert refused(state, **scrapped) == []
    assert refused(state, **scrapped, D1={"work": "repair hydran-F1-CA"}) == busy
    assert refused(state, **scrapped, salvage={"ships": ["hydran-F1-DD"]}) == busy


@pytest.mark.rule("cutler", "4.4.5", "4.4.6")
def test_what_scrap_brings_may_be_set_aside_in_the_same_phase(kept: Kept):
    state = start(pool=101)
    state.units[YARD].record = state.classes["bs"]
    assert refused_in_words(state, base=BS) == kept("refused_in_words(state, base=BS)")
    assert refused(state, base=BS | {"at": "0205"}) == []
    # Half of 101 are 50, with 101 one less than the 152 of a new place.
    lines = {"base": BS, "scrap": {"base": YARD, "sure": True}}
    assert refused_in_words(state, **lines) == kept("refused_in_words(state, **lines)")
    state.empires["hydran"].base_pool = 102
    run = turn(state, **lines)
    assert (state.empires["hydran"].base_pool, state.units[YARD].destroyed, len(state.sites)) == (0, True, 1)
    assert "the Base Pool keeps 0." in run.texts("hydran")


@pytest.mark.rule("cutler", "4.4.5")
def test_a_base_that_lacks_any_box_is_no_scrap():
    state = start()
    for figures, lost in (({"impulse": 4}, {"impulse_ok": 3}), ({"warp": 2}, {"warp_ok": 0}), ({}, {"cargo_lost": 1})):
        base = state.units[YARD]
        base.record = kind_of("base", **figures)
        base.warp_ok, base.impulse_ok, base.cargo_lost = base.record.warp, base.record.impulse, 0
        lines = {"scrap": {"base": YARD, "sure": True}}
        assert refused(state, **lines) == []
        set_fields(base, lost)
        assert refused(state, **lines) == [("scrap.base", "4.4.5, CU-R92")]


@pytest.mark.rule("cutler", "4.4.2", "1.1.2.5.2")
def test_a_class_and_a_name_that_are_others_are_refused(kept: Kept):
    state = start(SITE + "hydran base 0307 Post", bays=(30,), pool=400)
    state.units["hydran-base-0307"].record = state.classes["bs"]
    upgrade = {"type": "upgrade hydran-base-0307 into bats"}
    state.classes["bats"] = state.classes["bats"].model_copy(update={"empire": "lyran"})
    assert refused_in_words(state, base=upgrade) == kept("#6")
    turn(state, base=BS)
    assert refused_in_words(state, D1={"work": "build ff", "name": "reef"}) == kept("#7")


@pytest.mark.rule("cutler", "4.4.5")
def test_who_finds_no_room_in_an_upgraded_base_leaves_it():
    state = start(HOME + "hydran base 0404 Reef\nhydran F1 0404 AUX\n")
    base = state.units["hydran-base-0404"]
    base.record = state.classes["bs"].model_copy(update={"boarding_parties": 20})
    base.boarding_parties = 20
    state.classes["bats"] = state.classes["bats"].model_copy(update={"boarding_parties": 8})
    turn(state, base={"type": "upgrade hydran-base-0404 into bats"})
    turn(state)
    assert (base.record.base_type, base.boarding_parties) == ("BATS", 10)


@pytest.mark.rule("cutler", "4.4.7")
def test_no_price_tells_of_a_hidden_base_of_others():
    """The order, its price, what it is refused for, and the form are alike whether a foreign base stands there."""
    seen = []
    for stands in ("", "lyran base 0404 Lair\n"):
        state = start(NEIGHBOURS + stands, pool=150)
        ask = turn_ask(state, "hydran")
        seen.append((refused(state, base=BS), form_text(ask.form), state.empires["hydran"].base_pool))
        state.empires["hydran"].base_pool = 152
        sheet = ask.answer_from({"economy": {"pool": 0}, "base": BS})
        seen[-1] += (ask.read_back(sheet), ask.warn(sheet))
    assert (seen[0], seen[0][0]) == (seen[1], [("base.type", "4.4.6")])


@pytest.mark.rule("cutler", "6.4.1.5", "4.4.5")
def test_a_spy_learns_of_upgrades_by_hex_and_class_and_a_third_race_learns_nothing():
    runs = []
    for upgrade in (True, False):
        state = start(NEIGHBOURS + "hydran base 0404 Reef\n")
        state.units["klingon-F1-CA"].record = state.classes["aux"]
        state.units["hydran-base-0404"].record = state.classes["bs"]
        lines = {"base": {"type": "upgrade hydran-base-0404 into bats"}} if upgrade else {}
        # A third race's site is none of theirs.
        values = {"race": "klingon", "hex": "0908", "named": "Keep", "cost": 99, "builder": "klingon-F1-CA"}
        state.sites = {"klingon/B1": BaseSite(key="B1", into=state.classes["sb"], set_aside=99, **values)}
        run = whole_turn(state, {"mission": [1]}, hydran={"economy": {"pool": 0}} | lines, lyran=SPIES)
        assert ("140 CPV in the Base Pool; being built: an upgrade to BATS in 0404." in run.texts("lyran")) is upgrade
        runs.append(run)
    alike(*runs, "klingon")
