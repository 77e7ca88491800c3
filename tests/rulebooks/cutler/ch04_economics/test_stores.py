"""Chapter 4.1: where CPV lie, how they change boxes, and when they are lost."""

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch04_economics.phase import collect_and_allocate
from rules_engine.rulebooks.cutler.ch04_economics.plan import cargo_room, places_of
from rules_engine.rulebooks.cutler.ch04_economics.sheet import plan_of
from rules_engine.rulebooks.cutler.ch04_economics.stores import unload
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask, turn_sheets_steps
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.combats import whole_turn
from tests.rulebooks.cutler.worlds import Run, alike, kind_of, offered, refusal_words, table_of, world

HOME = "planet capital 0205 hydran\nplanet major 0303 hydran\nplanet minor 0307 hydran\nplanet capital 0902 lyran\n"
"""The Hydran make 100, 50 and 25 CPV."""
BASE = "hydran-base-0205"
SHIP = "hydran-F1-AUX"


def sheet(**lines: object) -> TurnSheet:
    return TurnSheet.model_validate(lines)


def made(text: str, *, repair: int = 0, cargo: int = 50, ship: int = 0):
    """A world whose bases have these boxes, and whose auxiliaries have so many cargo boxes."""
    state = world(text)
    for unit in state.units.values():
        if unit.kind == "base":
            unit.record = kind_of("base", cargo=cargo, repair=repair)
        elif unit.kind == "auxiliary":
            unit.record = kind_of("AUX", cargo=ship)
    return state


@pytest.mark.rule("cutler", "4.1.6", "4.1.6.1", "4.4.1", "6.2")
def test_new_cpv_go_to_reserve_pool_and_the_boxes_of_the_planets_hex_and_the_rest_is_lost():
    turn = table_of(made(HOME + "hydran base 0205\nreserve hydran 40"))
    one = sheet(economy={"reserve": 30, "pool": 100}, H0205={"cargo": 20})
    plan = plan_of(turn.state, "hydran", one).money
    assert (plan.reserve, plan.pool, plan.used, plan.lost) == (30, 100, 20, 25)
    collect_and_allocate(turn, "hydran", one)
    empire = turn.state.empires["hydran"]
    assert (empire.reserve, empire.base_pool, empire.last_income) == (70, 100, 175)
    assert turn.state.units[BASE].cargo_cpv == 20
    assert "20 into cargo boxes in 0205; 25 lost" in turn.shared.reports[-1].text
    assert turn.shared.reports[-1].to == ("hydran",)


@pytest.mark.rule("cutler", "4.1.6.1")
def test_a_blank_pool_takes_the_rest_of_all_planets():
    state = made(HOME + "hydran base 0205")
    plan = plan_of(state, "hydran", sheet(economy={"reserve": 30}, H0205={"cargo": 10})).money
    assert (plan.reserve, plan.pool, plan.lost) == (30, 135, 0)
    assert plan_of(state, "hydran", TurnSheet()).money.pool == 175


@pytest.mark.rule("cutler", "4.1.5", "4.1.6.1")
def test_a_planet_loads_one_cpv_into_each_empty_cargo_box_of_its_own_hex():
    state = made(
        HOME + "hydran base 0307\nhydran base 0404\nlyran base 0205\nhydran F1 0303 AUX\nhydran F2 0303 CA", ship=8
    )
    rooms = {hex_id: cargo_room(place) for hex_id, place in places_of(state, "hydran").items()}
    # 50 boxes beside a planet that makes 25; 8 aboard beside one that makes 50; nobody's own boxes beside the capital;
    # boxes without a planet. A ship without cargo boxes takes none, whatever its hull.
    assert rooms == {"0205": 0, "0303": 8, "0307": 25, "0404": 0}
    state.units["hydran-base-0307"].cargo_cpv = 40
    assert cargo_room(places_of(state, "hydran")["0307"]) == 10


@cases("lines, words")
def test_allocations_that_do_not_fit_are_refused(lines, words):
    text = "hydran base 0205\nhydran base 0404\nlyran base 0902\nreserve hydran 280\nhydran F1 0303 AUX"
    state = made(HOME + text, repair=6, ship=8)
    state.units["hydran-base-0404"].cargo_cpv = 4
    state.units[SHIP].cargo_cpv = 3
    assert refusal_words(turn_ask(state, "hydran"), lines) == words


@pytest.mark.rule("cutler", "6.3", "4.1.5", "4.1.6", "4.1.6.1")
def test_the_sheet_says_what_is_made_and_stored_and_what_may_be_done_with_it(kept: Kept):
    state = made(HOME + "hydran base 0205\nhydran base 0404\nreserve hydran 280", repair=6)
    state.units["hydran-base-0404"].cargo_cpv = 4
    lines = turn_ask(state, "hydran").form.lines[:3]
    assert [(line.label, line.note) for line in lines] == kept("#1")
    assert [offered(line) for line in lines] == kept()


@pytest.mark.rule("cutler", "4.1.6.1")
def test_stored_cpv_go_into_repair_boxes_before_new_ones_and_never_to_pool_or_reserve(kept: Kept):
    turn = table_of(made(HOME + "hydran base 0205", repair=30))
    turn.state.units[BASE].cargo_cpv = 20
    collect_and_allocate(turn, "hydran", sheet(economy={"reserve": 100}, H0205={"repair": 30}))
    empire, base = turn.state.empires["hydran"], turn.state.units[BASE]
    # 20 of the 30 come out of the store, 10 are new: 175 - 100 - 10 are left for the pool.
    assert (empire.reserve, empire.base_pool, base.cargo_cpv, base.repair_cpv) == (100, 65, 0, 30)
    assert refusal_words(turn_ask(turn.state, "hydran"), {"economy": {"reserve": 100, "pool": 76}}) == kept()


@pytest.mark.rule("cutler", "4.1.6.2")
def test_cpv_left_in_repair_boxes_are_lost_at_the_end_of_the_turn():
    turn = table_of(made("turn 0\n" + HOME + "hydran base 0205\nhydran F1 0404 CA\nlyran F1 0902 CA", repair=8))
    run = Run(turn, turn_steps(turn), {("turn", "hydran"): {"H0205": {"repair": 8, "cargo": 5}}})
    base = turn.state.units[BASE]
    assert (base.repair_cpv, base.cargo_cpv) == (0, 5)
    assert "Unused in repair boxes, and lost: 8 CPV in 0205." in run.texts("hydran")
    assert "Unused" not in run.texts("lyran")


@pytest.mark.rule("cutler", "4.1.6.1")
def test_cpv_that_go_nowhere_are_warned_of():
    ask = turn_ask(made(HOME + "hydran base 0205", repair=8), "hydran")

    def warned(lines: dict[str, object]) -> str:
        return "\n".join(ask.warn(ask.answer_from(lines)))

    assert "100 CPV are allocated nowhere" in warned({"economy": {"reserve": 75, "pool": 0}})
    assert "3 CPV in repair boxes are used by nothing" in warned({"H0205": {"repair": 3}})
    assert "lost" not in warned({"economy": {"reserve": 75}})


# --- from box to box -------------------------------------------------------------------------------------------------
def loaded(*, base: int = 30, ship: int = 2):
    """A base of 50 boxes and an auxiliary of 10 beside the capital."""
    state = made(HOME + "hydran base 0205\nhydran F1 0205 AUX", ship=10)
    state.units[BASE].cargo_cpv, state.units[SHIP].cargo_cpv = base, ship
    return state


@cases("lines, base, ship")
def test_cpv_change_boxes_within_a_hex(lines, base, ship):
    turn = table_of(loaded())
    turn.state.units[BASE].record = kind_of("base", cargo=50, repair=40)
    Run(turn, turn_sheets_steps(turn), {("turn", "hydran"): lines})
    assert (turn.state.units[BASE].cargo_cpv, turn.state.units[SHIP].cargo_cpv) == (base, ship)


@pytest.mark.rule("cutler", "4.1.6.1", "4.1.7")
def test_a_single_cpv_passes_by_boxes_that_are_full():
    turn = table_of(loaded(base=50))
    Run(turn, turn_sheets_steps(turn), {("turn", "hydran"): {"H0205": {"cargo": 1}}})
    assert (turn.state.units[BASE].cargo_cpv, turn.state.units[SHIP].cargo_cpv) == (50, 3)


@cases("lines, words")
def test_loads_that_cannot_be_are_refused(lines, words):
    assert refusal_words(turn_ask(loaded(), "hydran"), lines) == words


@pytest.mark.rule("cutler", "4.1.7")
def test_a_ship_elsewhere_gets_nothing_and_cannot_hold_more_than_is_there(kept: Kept):
    state = made(HOME + "hydran base 0205\nhydran F1 0404 AUX", ship=10)
    state.units[BASE].cargo_cpv = 30
    assert refusal_words(turn_ask(state, "hydran"), {"L1": {"carry": 1}}) == kept()
    none = turn_ask(made(HOME + "hydran base 0205"), "hydran")
    assert refusal_words(none, {"L1": {"carry": 1}, "H0303": {"cargo": 1}}) == kept("none")


@pytest.mark.rule("cutler", "4.1.6.1", "4.1.7")
def test_a_ship_with_the_order_unloads_into_bases_on_arrival():
    state = made("turn 0\n" + HOME + "hydran base 0205\nhydran F1 0204 AUX course 0205\nlyran F1 0902 CA", ship=10)
    state.units[BASE].cargo_cpv, state.units[SHIP].cargo_cpv = 44, 9
    run = Run(table := table_of(state), turn_steps(table), {("turn", "hydran"): {"L1": {"unload": True}}})
    # Six boxes are empty at the base; three CPV stay aboard. An auxiliary moves first in impulse 2.
    assert (state.units[BASE].cargo_cpv, state.units[SHIP].cargo_cpv) == (50, 3)
    (report,) = [one for one in run.told("hydran", "economy") if "unloads" in one.text]
    assert (report.text, report.place) == ("Hydran F1 Aux unloads 6 CPV in 0205; 3 left aboard.", "T0/I2/arrival")
    assert "unloads" not in run.texts("lyran")


@pytest.mark.rule("cutler", "4.1.7")
def test_without_the_order_nothing_is_unloaded_and_ships_are_not_unloaded_into():
    state = made("hydran base 0205\nhydran F1 0205 AUX\nhydran F2 0404 AUX+AUX\nlyran base 0404", ship=10)
    for unit in state.units.values():
        unit.cargo_cpv = 5
    state.units["hydran-F2-AUX"].unload = True
    unload(table_of(state))
    assert [unit.cargo_cpv for unit in state.units.values()] == [5, 5, 5, 5, 5]


# --- in battle -------------------------------------------------------------------------------------------------------
MEET = "turn 1 impulse 3\nhydran F1 0404 AUX+CA\nlyran F1 0404 CC\n"
FIGHT = {"force": {"card": "combat"}}


def battle(**fates: object) -> Run:
    state = made(MEET, ship=10)
    state.units[SHIP].cargo_cpv, state.units[SHIP].unload = 8, True
    turn = table_of(state)
    result = {"H1": {"fate": "intact"}, "H2": {"fate": "intact"}, "L1": {"fate": "disengaged"}} | fates
    return Run(turn, combat_phase_steps(turn.at("combat")), {("card", "lyran"): FIGHT, ("battle", ""): result})


def line_of(run: Run, name: str) -> str:
    (ask,) = [ask for ask in run.asks if ask.kind == "battle"]
    return next(line.key for line in ask.form.lines if name in line.label)


@cases("case, proves, fate, race, cpv, boxes")
def test_what_a_battle_leaves_of_stored_cpv(fate, race, cpv, boxes):
    """Of eight CPV in ten boxes of an auxiliary with the order to unload."""
    run = battle(**{line_of(battle(), "Aux"): fate, "L1": {"fate": "intact" if race == "lyran" else "disengaged"}})
    ship = run.table.state.units[SHIP]
    assert (ship.race, ship.cargo_cpv, ship.cargo_boxes, ship.unload) == (race, cpv, boxes, race == "hydran")


@pytest.mark.rule("cutler", "4.1.8", "4.1.9")
def test_no_more_boxes_are_lost_than_there_are_and_cpv_by_themselves_not_at_all(kept: Kept):
    run = battle()
    (ask,) = [ask for ask in run.asks if ask.kind == "battle"]
    key = line_of(run, "Aux")
    whole = {name: {"fate": "intact"} for name in ("H1", "H2", "L1")}
    assert refusal_words(ask, whole | {key: {"fate": "damaged", "cargo_lost": 11}}) == kept("#1")
    assert refusal_words(ask, whole | {key: {"fate": "intact", "cargo_lost": 1}}) == kept("#2")
    assert refusal_words(ask, whole | {key: {"fate": "damaged", "cpv_lost": 1}}) == kept("#3")
    # A box that was lost before is no secret of the form: it names the boxes of the class.
    field = next(one for one in ask.form.line(key).fields if one.key == "cargo_lost")
    assert (field.least, field.most) == (0, 10)


# --- who sees it -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.1.5", "4.1.8", "6.4.1.9")
def test_stores_loads_and_lost_boxes_are_unseen_by_others():
    text = "turn 0\n" + HOME + "hydran base 0205\nhydran F1 0303 AUX\nlyran F1 0902 CA\nklingon F1 0908 CA"
    runs = []
    for stored, lines in ((0, {}), (9, {"H0205": {"cargo": 7, "repair": 4}, "L1": {"unload": True}})):
        state = made(text, repair=4, ship=10)
        state.units[BASE].cargo_cpv, state.units[SHIP].cargo_lost = stored, stored // 3
        runs.append(whole_turn(state, hydran=lines))
    alike(*runs, "lyran", "klingon")
