"""Chapters 4.2.4.2 to 4.2.4.4, 4.2.4.6 and 4.2.4.7: shuttles, fighters, MRS, SWAC, booster packs."""

from types import SimpleNamespace

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch04_accessories.losses import lose_accessories, loss_fields, say_losses
from rules_engine.rulebooks.cutler.ch06_espionage.espionage import espionage_steps
from rules_engine.rulebooks.cutler.ch07_maintenance.maintenance import maintain, miss_maintenance
from rules_engine.rulebooks.cutler.ch07_maintenance.words import maintenance_warnings
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot, complement
from rules_engine.rulebooks.cutler.records.accessories.holds import aboard, load_defects, refitted
from rules_engine.rulebooks.cutler.records.planetary import can_land
from rules_engine.rulebooks.cutler.records.state import CutlerState, Mission, Unit
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, table_of, world
from tests.rulebooks.cutler.yards import HOME, YARD, counts, refused_in_words, turn, yard

CA = "hydran-F1-CA"


def ship(code: str = "CA", holds: dict[str, int] | None = None, **figures: object) -> Unit:
    """A ship of a class with these figures, with what it comes with or else with these accessories."""
    unit = world(f"hydran F1 0404 {code}").units[f"hydran-F1-{code}"] if code != "base" else None
    unit = unit or world("hydran base 0404").units["hydran-base-0404"]
    unit.record = kind_of(code, **figures)
    unit.holds = complement(unit.record)
    if holds is not None:
        unit.holds = {key: Lot(item=STANDARD[key], count=count) for key, count in holds.items()}
    return unit


def broken(unit: Unit) -> list[str]:
    return [law for _, law, _ in load_defects(unit)]


def docked(base_type: str = "SB", holds: dict[str, int] | None = None, **figures: object) -> CutlerState:
    state = yard(HOME + "hydran F1 0205 CA\n", base_type=base_type)
    model = ship(holds=holds, **figures)
    state.units[CA].record, state.units[CA].holds = model.record, model.holds
    state.classes["ca"] = model.record
    return state


def order(item: str, to: str = CA, **more: object) -> dict[str, object]:
    return {"item": item, "to": to, **more}


# --- shuttles --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.4.2")
def test_a_ship_is_built_with_all_its_shuttles_and_may_leave_some(kept: Kept):
    assert counts(ship(shuttles=4, ready_racks=1, fighters=6).holds) == {"shuttle": 3}
    state = docked(shuttles=4)
    turn(state, A1=order("shuttle", f"{YARD} cargo", origin=CA, count=3))
    assert (counts(state.units[CA].holds), state.units[YARD].stowed["shuttle"].count) == ({"shuttle": 1}, 3)
    assert state.empires["hydran"].base_pool == 125  # nothing comes back
    assert refused_in_words(state, A1=order("shuttle", f"{YARD} cargo", origin=CA)) == kept()


@pytest.mark.rule("cutler", "4.2.4.2.1")
def test_a_ship_without_a_shuttle_is_maintained_when_it_has_bought_one():
    state = docked(shuttles=2, holds={})
    state.turn = 8  # a heavy cruiser is due in turn 8
    table = table_of(state)
    assert "Hydran F1 Ca (4.2.4.2.1)" in " ".join(maintenance_warnings(state, "hydran"))
    maintain(table)
    miss_maintenance(table)
    assert (state.units[CA].maintained, state.units[CA].crew_quality) == (0, "poor")
    assert "Not maintained, for want of a shuttle: Hydran F1 Ca." in Run(table, iter(())).texts("hydran")
    turn(state, A1=order("shuttle"))
    assert (counts(state.units[CA].holds), [one.cpv for one in state.spent]) == ({"shuttle": 1}, [2])
    maintain(table_of(state))
    assert (state.units[CA].maintained, maintenance_warnings(state, "hydran")) == (8, [])


@cases("holds, shuttles, maintained")
def test_fighters_are_no_shuttles(holds, shuttles, maintained):
    # One shuttle box has a ready rack, so that a ship with no other one has no room for a shuttle to lose.
    state = docked(shuttles=shuttles, holds=holds, fighters=3, ready_racks=min(1, shuttles))
    maintain(table_of(state))
    assert state.units[CA].maintained == maintained
    assert can_land([state.units[CA]]) == bool(holds.keys() & {"mrs", "shuttle"})


@pytest.mark.rule("cutler", "4.2.4.2.1")
def test_shuttles_are_lost_in_battle_the_ordinary_ones_first(kept: Kept):
    state = world("turn 1 impulse 3\nhydran F1 0404 CC\nlyran F1 0404 CA")
    cruiser = state.units["hydran-F1-CC"]
    model = ship("CC", shuttles=4, holds={"shuttle": 2, "mrs": 1, "mines": 6})
    cruiser.record, cruiser.holds = model.record, model.holds
    result = {"H1": {"fate": "damaged", "shuttles_lost": 3}, "L1": {"fate": "destroyed"}}
    answers = {("card", "hydran"): {"force": {"card": "combat"}}, ("battle", ""): result}
    run = Run(table := table_of(state), combat_phase_steps(table.at("combat")), answers)
    assert counts(cruiser.holds) == {}  # the mines went with the MRS
    assert "H1 Hydran F1 Cc: damaged, lost 3 shuttles" in run.texts("lyran")
    (ask,) = [one for one in run.asks if one.kind == "battle"]
    most = {field.key: field.most for field in ask.form.line("H1").fields}
    assert (most["shuttles_lost"], most["mines_dropped"]) == (4, 24)  # four minelaying shuttles of 6 CPV
    assert refusal_words(ask, ask.form.prefilled() | {"H1": {"fate": "intact", "shuttles_lost": 5}}) == kept()


@cases("figures, shuttles, mines")
def test_all_that_a_ship_may_carry_may_be_reported_lost(figures, shuttles, mines):
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CA")
    cruiser = state.units[CA]
    cruiser.record = kind_of("CA", shuttles=2, **figures)
    carried = {"mls": shuttles, "mines": mines}
    cruiser.holds = {key: Lot(item=STANDARD[key], count=count) for key, count in carried.items()}
    assert load_defects(cruiser) == []
    lost = {"fate": "damaged", "shuttles_lost": shuttles - 1, "mines_dropped": mines - 6}
    answers = {("card", "hydran"): {"force": {"card": "combat"}}}
    answers[("battle", "")] = {"H1": lost, "L1": {"fate": "destroyed"}}
    Run(table := table_of(state), combat_phase_steps(table.at("combat")), answers)
    assert counts(cruiser.holds) == {"mls": 1, "mines": 6}


@cases("lost, left, said")
def test_no_more_is_lost_than_there_is(lost, left, said):
    unit = ship("MS", shuttles=4, crew_units=40, holds={"shuttle": 4, "mines": 6})
    unit.crew_units = 30
    line = SimpleNamespace(shuttles_lost=lost[0], crew_lost=lost[1], mines_dropped=lost[2])
    lose_accessories(unit, line)
    held = counts(unit.holds)
    assert (unit.crew_units, held.get("shuttle", 0), held.get("mines", 0)) == left
    assert say_losses(line) == said


@cases("figures, asked")
def test_a_battles_form_asks_for_what_a_class_can_carry(figures, asked):
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CA")
    fields = loss_fields(state, ship(**figures))
    assert [f"{one.label}: {one.least} to {one.most}, {one.value}" for one in fields] == asked


@cases("shuttles, figures, words")
def test_shuttles_need_boxes_for_shuttles(shuttles, figures, words):
    assert broken(ship(shuttles=4, holds={"shuttle": shuttles}, **figures)) == ["4.2.4.2.2"] * len(words)
    bought = docked(shuttles=4, holds={"shuttle": shuttles - 1}, **figures)
    assert refused_in_words(bought, A1=order("shuttle")) == words


# --- fighters --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.4.3")
def test_fighters_without_reload_boxes_fire_no_heavy_weapons():
    few = ship(fighters=6, reload_boxes=4, holds={"fighter": 6})
    assert aboard(few) == ["6 x Fighter", "2 of the fighters without heavy weapons"]
    assert aboard(ship(fighters=6, holds={"fighter": 6})) == ["6 x Fighter"]
    assert "reload" not in " ".join(STANDARD)


@pytest.mark.rule("cutler", "4.2.4.7", "4.2.4.3")
def test_a_fighter_is_built_with_three_sets_of_booster_packs_of_each_kind(kept: Kept):
    state = docked(fighters=6, shuttles=1)
    run = turn(state, A1=order("fighter", count=4))
    assert counts(state.units[CA].holds) == {"shuttle": 1, "fighter": 4, "ewp": 12, "wbp": 12}
    assert [(one.item, one.cpv) for one in state.spent] == [("4 x Fighter", 32)]
    assert "4 x Fighter with 3 EWP and 3 WBP sets each for 32 CPV" in run.texts("hydran")
    assert refused_in_words(state, A1=order("ewp")) == kept("#1")
    assert refused_in_words(state, A1=order("fighter", count=3)) == kept("#2")


# --- MRS and SWAC ----------------------------------------------------------------------------------------------------
@cases("base_type, item, figures, expected")
def test_where_craft_are_bought_and_by_whom(base_type, item, figures, expected):
    assert refused_in_words(docked(base_type, shuttles=4, holds={"shuttle": 1}, **figures), A1=order(item)) == expected


# --- refits, and what spies see --------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.4.2", "4.2.3")
def test_a_refit_brings_shuttles_for_new_boxes_and_leaves_what_has_no_room():
    unit = ship(shuttles=4, fighters=6, drones=8, holds={"shuttle": 2, "fighter": 6, "drone_1_slow": 8})
    before, unit.record = unit.record, kind_of("CA", shuttles=5, fighters=4, drones=6)
    refitted(unit, before)
    assert counts(unit.holds) == {"shuttle": 3, "fighter": 4, "drone_1_slow": 6}
    # Room that is not new brings nothing; of six fighters five stay, or the one for which there is a box.
    unit = ship(shuttles=4, drones=6, fighters=6, holds={"shuttle": 1, "fighter": 6, "drone_1_slow": 3})
    unit.record = kind_of("CA", shuttles=4, drones=6, fighters=6, boarding_parties=10)
    unit.boarding_parties = 3
    for shuttles, fighters in ((4, 5), (3, 1), (3, 0)):
        before, unit.record = unit.record, unit.record.model_copy(update={"shuttles": shuttles, "fighters": fighters})
        refitted(unit, before)
        left = {"shuttle": 1, "fighter": fighters, "drone_1_slow": 3}
        assert counts(unit.holds) == {key: count for key, count in left.items() if count}
        assert unit.boarding_parties == 3
    state = docked(shuttles=4, refits={"cc": 20})
    state.classes["cc"] = kind_of("CC", shuttles=6)
    turn(state, D1={"work": f"refit {CA} into cc"})
    assert (state.units[CA].record.class_id, counts(state.units[CA].holds)) == ("cc", {"shuttle": 6})


@pytest.mark.rule("cutler", "6.4.1.4", "6.4.1.2")
def test_spies_see_what_a_ship_carries_and_what_was_bought():
    state = docked(fighters=6, shuttles=3, holds={"shuttle": 2, "fighter": 5})
    state.empires["lyran"].reserve = 100
    turn(state, A1=order("fighter"), A2=order("drone_ecm", f"{YARD} cargo", count=3))
    for n, kind in enumerate(("ship", "construction"), 1):
        aimed = {"aimed": "unit", "target": CA} if kind == "ship" else {"aimed": "hex", "target": "0205"}
        state.missions.append(Mission(line=f"M{n}", spy="lyran", kind=kind, against="hydran", said="", ip=20, **aimed))
    found = Run(table := table_of(state), espionage_steps(table)).texts("lyran")
    assert "3 x EWP Set; 6 x Fighter; 2 x Shuttle; 3 x WBP Set" in found
    assert "built 8 CPV on 1 x Fighter; 6 CPV on 3 x ECM Drone this turn." in found
