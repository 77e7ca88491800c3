"""The money of a turn at its bounds: what hexes hold and take, what is read back and warned of, and bases."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch04_economics import accessory_money, stores
from rules_engine.rulebooks.cutler.ch04_economics.building import bases
from rules_engine.rulebooks.cutler.ch04_economics.building.base_orders import (
    base_lines,
    judge_bases,
    warn_bases,
    why_not_scrapped,
    why_not_upgraded,
)
from rules_engine.rulebooks.cutler.ch04_economics.building.ground_bases import (
    ground_lines,
    judge_ground,
    most_affordable,
    on_moons,
    read_ground,
    sides_in,
)
from rules_engine.rulebooks.cutler.ch04_economics.dock_orders import DockPlan, judge_docks
from rules_engine.rulebooks.cutler.ch04_economics.docks import docks_of
from rules_engine.rulebooks.cutler.ch04_economics.income import cpv_rate, income, income_of, public_rate
from rules_engine.rulebooks.cutler.ch04_economics.phase import collect_and_allocate
from rules_engine.rulebooks.cutler.ch04_economics.plan import Demand, Place, cargo_room, make_plan, places_of
from rules_engine.rulebooks.cutler.ch04_economics.shown import dock_panel, store_rows
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.economy import BaseSite, DockWork
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState, Moment
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.armed import mooned, taken, valued
from tests.rulebooks.cutler.worlds import kind_of, offered, set_fields, table_of, texts, world
from tests.rulebooks.cutler.yards import HOME, YARD, yard

AUX = "hydran-F2-AUX"


# --- income ----------------------------------------------------------------------------------------------------------
@cases("values, made")
def test_what_a_minor_planet_makes(values: dict[str, Any], made: list[int]) -> None:
    state = world("planet minor 0404 hydran cub\nplanet major 0606 lyran den")
    cub = valued(state, state.planets["cub"], **values)
    assert [income_of(cub, turn) for turn in (2, 3, 4)] == made
    state.turn = 2
    assert (income(state, "hydran"), cpv_rate(state, "hydran")) == (made[0], made[1])
    valued(state, cub, razed=99)
    unrazed = 12 if values.get("captured_turn") == 1 else 25 if "razed" in values else made[1]
    assert public_rate(state, "hydran") == unrazed


# --- hexes -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.1.5", "4.1.6", "4.1.6.1", "4.1.7")
def test_what_a_hex_keeps_uses_and_has_free() -> None:
    place = Place("0205", made=20, stored=6, boxes=10, work=4, spare=5, cargo=3, ground=2)
    found = place.repair, place.from_store, place.new_used, place.kept, place.free
    assert found == (9, 6, 3 + 3 + 2, 6 - 6 + 3, 26 - 9 - 3 - 2)
    assert cargo_room(place) == 10  # of ten boxes all are empty when six stored CPV are used, and fifteen are left
    assert cargo_room(Place("0205", made=20, stored=6, boxes=10)) == 4
    assert cargo_room(Place("0205", made=3, stored=6, boxes=10)) == 3
    assert cargo_room(Place("0205", made=9, stored=6, boxes=10, work=9)) == 6
    assert cargo_room(Place("0205", made=9, stored=0, boxes=10, work=9)) == 0
    assert cargo_room(Place("0205", made=9, stored=0, boxes=10, ground=10)) == 0


def stocked() -> CutlerState:
    """Two bases and a carrier in one hex, a planet without boxes, a base without a planet, and a freighter away."""
    text = HOME + "hydran base 0205 Depot\nhydran base 0404 Post\nhydran F2 0205 AUX\nhydran F3 0606 FF\n"
    state = yard(text.replace("hydran base 0205 Depot\n", ""), bays=(5,))
    state.units[YARD].cargo_cpv, state.units[AUX].cargo_cpv, state.units["hydran-base-0404"].cargo_cpv = 3, 2, 7
    return state


@pytest.mark.rule("cutler", "4.1.5", "4.1.6")
def test_a_sheet_speaks_of_hexes_with_planets_and_boxes(kept: Kept) -> None:
    state = stocked()
    places = places_of(state, "hydran")
    found = {key: (one.made, one.stored, one.boxes, one.repair_boxes) for key, one in places.items()}
    assert found == {"0205": (100, 5, 90, 5), "0307": (25, 0, 0, 0), "0404": (0, 7, 50, 5)}
    state.units["hydran-base-0404"].record = kind_of("base", repair=5, cargo=0, base_type="FRD")
    state.units[AUX].record = kind_of("AUX", cargo=40, repair=3)
    state.units["hydran-F3-FF"].record = kind_of("FF", repair=3)
    found = {key: (one.stored, one.boxes, one.repair_boxes) for key, one in places_of(state, "hydran").items()}
    assert found == {"0205": (5, 90, 5), "0307": (0, 0, 0), "0404": (7, 0, 5)}
    state = stocked()
    assert [unit.id for unit in stores.holders(state, "hydran", "0205")] == [YARD, AUX], "bases come first"
    assert stores.carriers(state, "hydran") == {"L1": state.units[AUX]}
    assert store_rows(state, "hydran") == kept()


@cases("total, fixed, loads")
def test_more_goes_to_the_first_with_room_and_less_is_taken_from_the_first(total, fixed, loads):
    state = stocked()
    found = stores.shared_out([state.units[YARD], state.units[AUX]], total, fixed)
    assert [found[YARD], found[AUX]] == loads


@cases("lines, asked, gets, left")
def test_work_takes_what_is_named_or_else_what_there_is(lines: Any, asked: int | None, gets: int, left: Any) -> None:
    """Five CPV are stored where the yard is, and go into repair boxes first; all the rest goes to the pool."""
    state = stocked()
    demand = Demand("D1.cpv", "0205", 5, asked)
    plan = make_plan(state, "hydran", TurnSheet.model_validate(lines), [demand])
    assert plan.refusals == []
    if "pool" in lines.get("economy", {}):
        assert (demand.gets, plan.pool) == (gets, left[1])
    else:
        assert (demand.gets, plan.spare) == (gets, left[0])
        assert plan.pool == 125


@pytest.mark.rule("cutler", "4.1.6.1", "4.1.7", "4.1.6.2", "6.4.1.9")
def test_ships_unload_into_bases_as_far_as_there_is_room() -> None:
    state = stocked()
    base, ship = state.units[YARD], state.units[AUX]
    full, one_free = (True, 2, 50, (2, 50)), (True, 2, 49, (1, 50))
    for order, carried, held, after in ((False, 2, 3, (2, 3)), (True, 0, 3, (0, 3)), full, one_free):
        ship.unload, ship.cargo_cpv, base.cargo_cpv = order, carried, held
        stores.unload(table := table_of(state))
        assert (ship.cargo_cpv, base.cargo_cpv) == after
        moved = carried - after[0]
        said = [f"Hydran F2 Aux unloads {moved} CPV in 0205; {after[0]} left aboard."] if moved else []
        assert texts(table) == said
    base.repair_cpv, state.units["hydran-base-0404"].repair_cpv = 2, 1
    stores.empty_repair_boxes(table := table_of(state))
    assert texts(table) == ["Unused in repair boxes, and lost: 2 CPV in 0205, 1 CPV in 0404."]
    assert (base.repair_cpv, base.cargo_cpv) == (0, 50)
    stores.empty_repair_boxes(table := table_of(state))
    assert texts(table) == []


# --- read back and warned of -----------------------------------------------------------------------------------------
def read(state: CutlerState, **lines: Any) -> tuple[list[str], list[str]]:
    """What is read back of a sheet's money, and what is warned of."""
    ask = turn_ask(state, "hydran")
    sheet = ask.answer_from(lines)
    money = ("CPV to", "In ", "D1", "D2", "B", "Hydran F2", "P0")
    return [one for one in ask.read_back(sheet) if one.startswith(money) or "CPV to" in one], ask.warn(sheet)


@cases("lines, said, warned")
def test_what_a_bay_does_is_read_back(lines: Any, said: str, warned: list[str]) -> None:
    told, warns = read(yard(HOME + "hydran F1 0205 FF\n", bays=(80,)), **lines)
    assert told[-1] == said
    assert [one for one in warns if one.startswith("D1")] == warned


@pytest.mark.rule("cutler", "4.2.1.1", "4.3", "4.1.5")
def test_what_goes_on_rests_or_is_given_up_is_read_back(kept: Kept) -> None:
    state = yard(HOME + "hydran F1 0205 FF[warp=9]\nhydran F2 0205 AUX\n", bays=(80, 9))
    work = DockWork(base=YARD, bay=1, race="hydran", into=kind_of("CA"), named="Ox", cost=100, paid=40)
    state.works[work.key] = work
    assert read(state)[0][-1] == "D1: goes on with Ox (CA) with 60 CPV, done."
    assert read(state, D1={"cpv": 59})[0][-1] == "D1: goes on with Ox (CA) with 59 CPV, then 99 of 100."
    assert read(state, D1={"work": "give up"})[0][-1] == "D1: Ox (CA), 40 of 100 CPV: given up."
    mends = {"work": "repair hydran-F1-FF"}
    assert read(state, D2={**mends, "cpv": 5})[0][-1] == "D2: repairs Hydran F1 Ff: 1 warp box for 5 CPV."
    state.units[AUX].unload = True
    assert read(state, L1={"carry": 0, "unload": True})[0][-1] == "Hydran F2 Aux holds 0 CPV."
    assert read(state, L1={"unload": False})[0][-1] == "Hydran F2 Aux no longer unloads into bases it comes upon."
    state.units[AUX].unload = False
    assert read(state, L1={"unload": True})[0][-1] == "Hydran F2 Aux unloads into bases it comes upon."
    assert dock_panel(state, "hydran").rows == kept()


# --- bases -----------------------------------------------------------------------------------------------------------
SITED = HOME + "hydran F1 0404 AUX+CA\nhydran F2 0404 AUX\nhydran F3 0606 AUX\n"


def site(state: CutlerState, key: str = "B1", hex_id: str = "0404", **values: Any) -> BaseSite:
    found = {"key": key, "race": "hydran", "hex": hex_id, "into": state.classes["bs"], "named": key, "cost": 152}
    made = BaseSite(**{**found, "set_aside": 152, **values})
    state.sites[f"{made.race}/{key}"] = made
    return made


@pytest.mark.rule("cutler", "4.4.7")
def test_a_base_is_dearer_where_there_never_was_one(kept: Kept) -> None:
    state = yard(HOME + "hydran base 0303 Dock\nlyran base 0505\n")
    bases.note_bases(state)
    bases.note_bases(state)
    assert state.empires["hydran"].base_hexes == ["0205", "0303"]
    bs = kind_of("base", bpv_economic=101)
    # A base of others may stand hidden: what it costs in 0505 must not tell.
    prices = {hex_id: bases.price(state, "hydran", bs, hex_id) for hex_id in ("0205", "0404", "0505")}
    assert (prices, bases.dearer(bs)) == ({"0205": 101, "0404": 152, "0505": 152}, 152)
    assert [bases.dearer(kind_of("base", bpv_economic=value)) for value in (100, 102, 103)] == [150, 153, 155]
    assert bases.scrap_value(state.units[YARD]) == 300
    moved = state.units["hydran-base-0303"]
    moved.record, moved.hex = kind_of("base", base_type="FRD", impulse=2), "0304"
    moved.entered_at = Moment(turn=state.turn, impulse=state.impulse)
    bases.note_bases(state)
    assert "0304" not in state.empires["hydran"].base_hexes, "it is on its way"


@pytest.mark.rule("cutler", "4.4.2", "4.4.3", "4.4.4")
def test_each_site_has_the_builder_with_most_boxes_and_those_begun_come_first(kept: Kept) -> None:
    state = yard(SITED)
    one, other = "hydran-F1-AUX", "hydran-F2-AUX"
    site(state, "B10")
    site(state, "B2")
    assert [found.key for found in bases.sites_of(state, "hydran")] == ["B2", "B10"]
    assert {key: unit.id for key, unit in bases.builders_of(state, "hydran").items()} == {"B2": one, "B10": other}
    state.units[one].cargo_lost = 1
    assert bases.builders_of(state, "hydran")["B2"].id == other
    state.sites["hydran/B10"].builder = other
    assert {key: unit.id for key, unit in bases.builders_of(state, "hydran").items()} == {"B10": other, "B2": one}
    state.units[one].cargo_lost = 0
    assert bases.builders_of(state, "hydran")["B10"].id == other, "who built last goes on"
    bases.build_bases(table := table_of(state), "hydran")
    assert texts(table) == kept("texts(table)")
    state.sites["hydran/B2"].set_aside = 40
    bases.build_bases(table := table_of(state), "hydran")
    assert texts(table)[0] == "Hydran F1 Aux channels 40 CPV to B2 (BS) in 0404: it is complete."
    assert list(state.sites) == ["hydran/B10"]
    assert "0404" in state.empires["hydran"].base_hexes
    site(state, "B3", "0505")
    bases.build_bases(table := table_of(state), "hydran")
    assert len(texts(table)) == 1, "nobody is in 0505"
    assert dock_panel(state, "hydran").rows[-2:] == kept("dock_panel(state, hydran).rows(-2:)")


@cases("values, change, told")
def test_a_site_is_lost_with_its_builder_or_its_base(values: Any, change: Any, told: list[str]) -> None:
    state = yard(SITED)
    made = site(state, **{"hex_id" if key == "hex" else key: value for key, value in values.items()})
    set_fields(state.units[YARD], change)
    bases.keep_sites(table := table_of(state))
    assert texts(table) == told
    assert bool(state.sites) is not bool(told)
    if values.get("builder") == "gone":
        assert made.builder == "hydran-F1-AUX", "another goes on"


@pytest.mark.rule("cutler", "4.4.5", "1.1.2.5.2", "4.4.1")
def test_why_a_base_is_neither_upgraded_nor_scrapped_and_what_scrap_brings(kept: Kept) -> None:
    state = yard(SITED)
    base, bats = state.units[YARD], kind_of("base", class_id="bats", name="BATS", base_type="BATS")
    base.record = kind_of("base", base_type="BS", refits={"bats": 60, "sb": 9}, cargo=10, bpv_economic=101)
    assert why_not_upgraded(state, "hydran", base, bats) is None
    assert why_not_upgraded(state, "hydran", base, bats.with_values(class_id="x")) == kept("#1")
    assert why_not_upgraded(state, "hydran", base, kind_of("base", class_id="sb")) == kept("#2")
    assert why_not_upgraded(state, "hydran", base, bats.with_values(empire="lyran")) == kept("#3")
    assert why_not_upgraded(state, "hydran", base, bats.with_values(empire="hydran")) is None
    assert why_not_scrapped(state, base) is None
    site(state, hex_id="0205", upgrades="other")
    assert (why_not_upgraded(state, "hydran", base, bats), why_not_scrapped(state, base)) == (None, None)
    site(state, hex_id="0205", upgrades=YARD)
    assert why_not_upgraded(state, "hydran", base, bats) == ("Yard is being upgraded", "4.4.5")
    assert why_not_scrapped(state, base) == ("something is under way at Yard", "4.4.5, CU-N62")
    state.sites = {}
    work = DockWork(base="other", bay=1, race="hydran", into=kind_of("CA"), named="Ox", cost=9)
    state.works = {"x": work}
    assert why_not_scrapped(state, base) is None
    work.base = YARD
    assert why_not_scrapped(state, base) == ("something is under way at Yard", "4.4.5, CU-N62")
    state.works, base.cargo_lost = {}, 1
    assert why_not_scrapped(state, base) == ("Yard has lost 1 cargo box", "4.4.5, CU-R92")
    plan = bases.BasePlan(site=site(state), scraps=base)
    assert warn_bases(state, "hydran", plan, {}) == []
    base.cargo_cpv = 1
    assert warn_bases(state, "hydran", plan, {YARD: 0}) == []
    assert warn_bases(state, "hydran", plan, {}) == ["What Yard stores is lost when it is scrapped (4.1.5)."]
    assert warn_bases(state, "hydran", bases.BasePlan(site=site(state, hex_id="0505")), {}) == kept()
    bases.scrap(table := table_of(state), bases.BasePlan())
    assert texts(table) == []
    bases.scrap(table := table_of(state), bases.BasePlan(scraps=base))
    assert texts(table) == ["Yard in 0205 is scrapped: 50 CPV go into the Base Pool."]
    assert (base.destroyed, state.empires["hydran"].base_pool) == (True, 50)


@cases("base_type, terrain, towed, lost")
def test_a_base_that_is_let_go_where_none_may_be_is_lost(base_type: str, terrain: Any, towed: bool, lost: bool) -> None:
    state = world(f"hydran base 0404 Dock[type={base_type}]\nhydran F1 0404 CA[tractors=1]")
    base = state.units["hydran-base-0404"]
    state.terrain |= {"0404": terrain} if terrain else {}
    state.units["hydran-F1-CA"].towing = [base.id] if towed else []
    bases.lose_bases_adrift(table := table_of(state))
    said = ["No base may be in 0404: Dock, which nobody tows there, is lost."]
    assert (texts(table), base.destroyed) == (said if lost else [], lost)


@pytest.mark.rule("cutler", "4.4.1", "4.4.5")
def test_lines_for_bases_are_there_where_there_is_something_to_say() -> None:
    assert [line.key for line in base_lines(yard(SITED), "hydran")] == ["base", "scrap"]
    none = yard("hydran F1 0404 CA\n")
    none.empires["hydran"].base_pool = 101
    (line,) = base_lines(none, "hydran")
    assert line.key == "base"
    none.empires["hydran"].base_pool = 100
    assert base_lines(none, "hydran") == []
    none.empires["hydran"].base_pool = 101
    none.classes = {key: kind for key, kind in none.classes.items() if not kind.is_tug}
    assert base_lines(none, "hydran") == []
    state = yard(HOME)
    state.units[YARD].cargo_lost = 1
    assert [line.key for line in base_lines(state, "hydran")] == ["base"]


@pytest.mark.rule("cutler", "4.4.1", "4.4.5")
def test_bases_are_offered_as_far_as_the_pool_could_ever_pay_them() -> None:
    """The pool, what is made, and what the dearest base brings that can be scrapped."""
    state = yard("hydran base 0205 Yard\nhydran base 0303 Post\nhydran F1 0205 AUX\n", cargo=10)
    post = state.units["hydran-base-0303"]
    post.record, post.name = kind_of("base", base_type="BS", refits={"bats": 60}, bpv_economic=100), "N" * 60
    state.classes["bats"] = state.classes["bats"].with_values(name="C" * 60)

    def offered_here(pool: int) -> tuple[list[str], list[str]]:
        state.empires["hydran"].base_pool = pool
        lines = {line.key: line for line in base_lines(state, "hydran")}
        types = [choice.value for choice in lines["base"].fields[0].choices] if "base" in lines else []
        return types, [choice.value for choice in lines["scrap"].fields[0].choices] if "scrap" in lines else []

    upgrade = "upgrade hydran-base-0303 into bats"
    assert offered_here(0) == (["bats", "bs", upgrade], [YARD, post.id])  # three hundred CPV of the yard's
    state.units[YARD].cargo_lost = 1
    assert offered_here(0) == ([], [post.id])
    assert offered_here(9) == ([], [post.id])
    assert offered_here(10) == ([upgrade], [post.id])
    assert offered_here(51) == (["bs", upgrade], [post.id])
    (line,) = [line for line in base_lines(state, "hydran") if line.key == "base"]
    assert [len(choice.label) for choice in line.fields[0].choices if choice.value == upgrade] == [100]
    tugs = {"tug": kind_of("AUX", hull_type="TUG", cargo=1, class_id="tug")}
    del state.units["hydran-F1-AUX"]
    state.fleets = {}
    for changes in ({}, {"cargo": 0}, {"empire": "lyran"}, {"hull_type": "CA"}):
        state.classes = {"bs": state.classes["bs"], "tug": tugs["tug"].with_values(**changes)}
        assert bool(offered_here(51)[0]) is not bool(changes), changes


def judged_bases(state: CutlerState, **line: Any) -> tuple[list[str], str]:
    """What is refused of a base's line, and the name of the site."""
    plan = judge_bases(state, "hydran", TurnSheet.model_validate({"base": line}), pool=0, docks=[])
    return [str(one) for one in plan.refusals], plan.site.named if plan.site else ""


@pytest.mark.rule("cutler", "4.4.2")
def test_a_base_has_a_name_of_its_own_or_the_first_number_that_is_free() -> None:
    state = yard(SITED)
    assert judged_bases(state, type="bs", at="0404") == ([], "BS 1")
    figures = {"base_type": "BS", "refits": {"bats": 60}, "docking_bays": (5,), "repair": 5}
    state.units[YARD].record = kind_of("base", **figures)
    assert judged_bases(state, type=f"upgrade {YARD} into bats") == ([], "Yard")
    refused, named = judged_bases(state, type=f"{YARD} into bats")
    assert ([one.split(". Legal")[0] for one in refused], named) == (["base.type: no such base"], "")
    state.units[YARD].name = "bs 1"
    assert judged_bases(state, type="bs", at="0404") == ([], "BS 2")
    state.sites = {}
    site(state, named="BS 2")
    assert judged_bases(state, type="bs", at="0404") == ([], "BS 3")
    taken_name = "base.name: you have another {!r}. Legal: another name, or none."
    for name in ("BS 1", "Bs 2", "hydran f1 aux"):
        assert judged_bases(state, type="bs", at="0404", name=name) == ([taken_name.format(name)], "")
    site(state, named="Reef", upgrades="x")
    assert judged_bases(state, type="bs", at="0404", name="Reef") == ([], "Reef")
    work = DockWork(base=YARD, bay=1, race="hydran", into=kind_of("CA"), named="Ox", cost=9)
    bay = next(iter(docks_of(state, "hydran").values()))
    sheet = TurnSheet.model_validate({"base": {"type": "bs", "at": "0404", "name": "OX"}})
    plan = judge_bases(state, "hydran", sheet, pool=0, docks=[DockPlan(bay, work), DockPlan(bay)])
    assert [str(one) for one in plan.refusals] == [taken_name.format("OX")]


@cases("warp, impulse, cargo")
def test_an_upgraded_base_keeps_its_damage(warp: int, impulse: int, cargo: int) -> None:
    """From two warp, two impulse and twenty cargo boxes to three, three and eight."""
    state = yard(SITED)
    base = state.units[YARD]
    base.record = kind_of("base", base_type="BS", warp=2, impulse=2, cargo=20, repair=9)
    base.warp_ok, base.impulse_ok, base.cargo_lost = 2 - min(warp, 2), 2 - min(impulse, 2), cargo
    base.cargo_cpv, base.repair_cpv = 7, 5
    into = kind_of("base", base_type="BATS", warp=3, impulse=3, cargo=8, repair=4, special_sensors=2)
    site(state, hex_id="0205", into=into, upgrades=YARD, set_aside=40)
    state.units["hydran-F1-AUX"].hex = "0205"
    bases.build_bases(table_of(state), "hydran")
    assert (base.record.base_type, base.warp_ok, base.impulse_ok) == ("BATS", 3 - min(warp, 2), 3 - min(impulse, 2))
    assert (base.cargo_lost, base.cargo_cpv) == (min(cargo, 8), min(7, 8 - min(cargo, 8)))
    assert (base.repair_cpv, base.special_sensors_ok) == (4, 2)


# --- accessories beside docks ----------------------------------------------------------------------------------------
@cases("lines, refused, most")
def test_accessories_take_repair_boxes_for_which_no_bay_names_a_number(lines, refused, most):
    """The yard has bays of thirty and twenty, and so has Den elsewhere; a shuttle costs two CPV."""
    state = yard(HOME + "hydran base 0307 Den\n")
    count = lines.get("A1")
    order = {"A1": {"item": "shuttle", "count": count, "to": f"{YARD} cargo"}} if count else {}
    sheet = TurnSheet.model_validate({**lines, **order})
    docks = judge_docks(state, "hydran", sheet)
    found = accessory_money.accessories_beside(state, "hydran", sheet, docks)
    assert [str(one) for one in found.refusals] == refused
    assert [demand.most for demand in docks.demands] == most
    spent = [(one.path, one.hex, one.most, one.asked) for one in accessory_money.demands_of(found)]
    assert spent == ([("A1.count", "0205", 2 * count, 2 * count)] if count and not refused else [])


@pytest.mark.rule("cutler", "4.2.4", "4.2.1")
def test_what_is_made_is_spent_and_what_is_moved_is_not(kept: Kept) -> None:
    state = yard(HOME)
    state.units[YARD].stowed = {"shuttle": Lot(item=STANDARD["shuttle"], count=1)}
    orders = {
        "A1": {"item": "shuttle", "count": 2, "to": f"{YARD} cargo"},
        "A2": {"item": "mines", "count": 3, "to": f"{YARD} cargo"},
        "A3": {"item": "shuttle", "to": YARD, "origin": f"{YARD} cargo"},
    }
    state.units[YARD].record = kind_of("base", cargo=50, shuttles=2, docking_bays=(30, 20), repair=50)
    sheet = TurnSheet.model_validate(orders)
    found = accessory_money.accessories_beside(state, "hydran", sheet, judge_docks(state, "hydran", sheet))
    accessory_money.make_accessories(table := table_of(state), "hydran", found)
    assert {(one.base, one.race) for one in state.spent} == {(YARD, "hydran")}
    assert [(one.item, one.cpv) for one in state.spent] == [("2 x Shuttle", 4), ("3 CPV of mines", 3)]
    assert texts(table) == kept()


# --- ground bases ----------------------------------------------------------------------------------------------------
def grounded(**more: Any) -> CutlerState:
    """A minor planet that makes 25 CPV, with two moons; ground bases cost ten."""
    state = mooned(world("planet minor 0307 hydran cub"), "0307", system=StarSystem(moons=(4, 6)))
    state.ground_base_cost = GroundBaseCost(cpv=10)
    set_fields(state, more)
    return state


def judged(state: CutlerState, **line: Any) -> tuple[dict[str, Any], list[str]]:
    plan = judge_ground(state, "hydran", TurnSheet.model_validate({"G1": line}))
    return plan.standing, [str(one) for one in plan.refusals]


MOON1, MOON2 = "moon1_0307", "moon2_0307"


@cases("line, standing, refused")
def test_ground_bases_are_paid_by_their_planet_and_have_room(line: Any, standing: Any, refused: list[str]) -> None:
    state = grounded(classes={"ca": kind_of("CA")})
    state.planets["den"] = world("planet minor 0404 hydran den").planets["den"]
    mooned(state, "0404", system=StarSystem(moons=(4,), gas_giant=2))
    assert judged(state, **line) == (standing, refused)


@pytest.mark.rule("cutler", "4.4.9")
def test_hexsides_and_moons_that_are_full_get_none(kept: Kept) -> None:
    state = grounded()
    cub = state.planets["cub"]
    valued(state, cub, ground=dict.fromkeys("AB", 2))
    assert judged(state, build=2, sides=["A", "C"])[0] == {"cub": {"A": 2, "B": 2, "C": 2}}
    assert judged(state, build=1, sides=["B"])[1] == kept()
    assert [most_affordable(state, cub, *bodies) for bodies in ((cub,), (), state.moons.values())] == [2, 0, 2]
    valued(state, cub, ground={"C": 2, "D": 2, "E": 2, "F": 1})
    assert most_affordable(state, cub, cub) == 1
    assert (sides_in([]), sides_in(["C", "A", "x"])) == (["A", "B", "C", "D", "E", "F"], ["A", "C"])
    moons = list(state.moons.values())
    valued(state, moons[0], ground={"A": 1})
    assert on_moons(state, moons, 2, ["A", "B"]) == {MOON1: {"A": 1, "B": 1}, MOON2: {"A": 1}}
    assert on_moons(state, moons, 1, ["A"]) == {MOON2: {"A": 1}}
    assert on_moons(state, moons, 9, ["A"]) == {MOON2: {"A": 1}}
    assert on_moons(state, [], 1, ["A"]) == {}


@pytest.mark.rule("cutler", "4.4.9")
def test_what_is_built_on_planets_and_moons_is_offered_and_read_back(kept: Kept) -> None:
    state = grounded()
    (line,) = ground_lines(state, "hydran")
    assert offered(line) == kept("offered")
    sheet = TurnSheet.model_validate({"G1": {"build": 1, "on_moons": 1}})
    assert read_ground(state, judge_ground(state, "hydran", sheet)) == kept("#1")
    dead = {"kind": "ground_base", "warp": 0, "impulse": 0}
    for key, cost in (("post", 5), ("fort", 25)):
        state.classes[key] = kind_of("AUX", **dead, class_id=key, name=key.title(), bpv_economic=cost)
    assert [field.label for field in ground_lines(state, "hydran")[0].fields][-1] == "Of which class"
    assert read_ground(state, judge_ground(state, "hydran", sheet))[0] == kept()
    assert judged(state, build=1, type="fort")[0] == {"cub": {"A": 1}}
    taken(state, "cub", "lyran", 0)
    assert ground_lines(state, "hydran") == []
    state.classes = {"fort": state.classes["fort"].with_values(bpv_economic=26)}
    state.planets["cub"].owner, state.planets["cub"].captured_turn = "hydran", None
    assert ground_lines(state, "hydran") == []


# --- the phase -------------------------------------------------------------------------------------------------------
@cases("lines, told, left")
def test_where_the_money_of_a_turn_went_is_told(lines: Any, told: str, left: int) -> None:
    state = stocked()
    for key in (YARD, "hydran-base-0404"):
        state.units[key].record = kind_of("base", docking_bays=(5, 5), repair=10, cargo=50)
    collect_and_allocate(table := table_of(state), "hydran", TurnSheet.model_validate(lines))
    assert texts(table)[0] == told
    unused = [state.units[key].repair_cpv for key in (YARD, "hydran-base-0404")]
    assert unused == [left, 2 if "H0404" in lines else 0]
    assert state.empires["hydran"].last_income == 125
    why = table.shared.reports[0].why
    assert why is not None
    assert dict(why.inputs) == {"planets": "2", "reserve now": str(lines.get("economy", {}).get("reserve", 0))}


@pytest.mark.rule("cutler", "4.1.6.2", "4.2.1", "4.2.3.3", "4.3")
def test_what_is_done_in_bays_uses_repair_boxes_and_the_rest_stays_there() -> None:
    state = yard(HOME + "hydran F1 0205 FF[warp=11]+CA\n")
    sheet: dict[str, Any] = {"D1": {"work": "build ff", "cpv": 12}, "H0205": {"repair": 20}}
    sheet["D2"] = {"work": "repair hydran-F1-FF", "cpv": 5}
    collect_and_allocate(table := table_of(state), "hydran", TurnSheet.model_validate(sheet))
    assert texts(table)[1:] == ["Hydran F1 Ff is repaired at Yard in 0205: 1 warp box for 5 CPV."]
    assert [(one.item, one.cpv) for one in state.spent] == [("an FF", 12), ("repairs of an FF", 5)]
    assert (state.units[YARD].repair_cpv, state.units["hydran-F1-FF"].warp_ok) == (3, 12)
    (work,) = state.works.values()
    assert work.paid == 12
    collect_and_allocate(table := table_of(state), "hydran", TurnSheet.model_validate({"D1": {"work": "give up"}}))
    assert (texts(table)[1:], state.works) == (["Given up: FF 1 (FF), 12 of 60 CPV."], {})
    state = yard(HOME + "hydran F1 0205 FF\n", bays=(80,))
    follow = {"D1": {"work": "build ff", "cpv": 60, "then": "sc"}}
    collect_and_allocate(table_of(state), "hydran", TurnSheet.model_validate(follow))
    assert state.works == {}, "nothing is left for the refit"
    follow["D1"] |= {"cpv": 61}
    collect_and_allocate(table_of(state), "hydran", TurnSheet.model_validate(follow))
    (work,) = state.works.values()
    assert (work.title, work.paid, work.cost) == ("refit of FF 2 into SC", 1, 30)
