"""Chapters 4.2.3 and 4.3: refits, conversions and retrofits, and repairs at a base."""

import pytest

from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch04_economics.docks import has_left, keep_docks
from rules_engine.rulebooks.cutler.ch04_economics.repairs import cost_of, damage, repaired_for
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.economy import RepairPoints
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.combats import whole_turn
from tests.rulebooks.cutler.worlds import Run, alike, kind_of, refusal_words, set_fields, table_of
from tests.rulebooks.cutler.yards import HOME, YARD, refused, refused_in_words, turn, yard

FF, CA = "hydran-F1-FF", "hydran-F1-CA"
SHIPS = HOME + "hydran F1 0205 FF+CA\nhydran F2 0303 FF\n"
SCOUT = {"work": f"refit {FF} into sc"}


@pytest.mark.rule("cutler", "4.2.3", "4.2.3.1")
def test_a_refit_takes_effect_when_it_is_complete():
    state = yard(SHIPS, bays=(20,))
    ship = state.units[FF]
    turn(state, D1=SCOUT)
    (work,) = state.works.values()
    assert (work.ship, work.paid, work.cost) == (FF, 20, 30)
    assert (ship.record.class_id, ship.special_sensors_ok) == ("ff", 0)
    run = turn(state)
    assert state.works == {}
    assert (ship.record.class_id, ship.special_sensors_ok, ship.name) == ("sc", 2, "Hydran F1 Ff")
    assert state.empires["hydran"].base_pool == 105 + 115
    assert "Hydran F1 Ff is made into an SC at Yard in 0205." in run.texts("hydran")
    assert state.fleet("hydran", "F1").units == [FF, CA]


@pytest.mark.rule("cutler", "4.2.3", "4.2.4.8")
def test_boarding_parties_for_whom_the_new_class_has_no_room_leave_it():
    """A class of four has room for five, a quarter more."""
    state = yard(SHIPS, bays=(30,))
    ship = state.units[FF]
    ship.record = kind_of("FF", boarding_parties=8, refits={"sc": 30})
    state.classes["ff"], state.classes["sc"] = ship.record, kind_of("SC", boarding_parties=4)
    ship.boarding_parties = 8
    turn(state, D1=SCOUT)
    assert (ship.record.class_id, ship.boarding_parties) == ("sc", 5)


@cases("base_type, order, words")
def test_which_ships_are_made_into_what_and_where(base_type, order, words):
    state = yard(SHIPS + "lyran F1 0205 FF\n", base_type=base_type)
    assert refused_in_words(state, D1={"work": order}) == words
    offered = [choice.value for choice in turn_ask(state, "hydran").form.line("D1").fields[0].choices]
    assert (order in offered) == (not words)


@pytest.mark.rule("cutler", "4.2.3.1")
def test_a_refit_into_a_class_of_another_race_is_refused(kept: Kept):
    state = yard(SHIPS)
    state.classes["sc"] = kind_of("SC", empire="lyran")
    assert refused_in_words(state, D1=SCOUT) == kept()


@cases("hurt, words")
def test_a_damaged_ship_is_not_refit_before_the_turn_after_its_repair(hurt, words):
    state = yard(SHIPS)
    set_fields(state.units[FF], hurt)
    assert refused_in_words(state, D1=SCOUT) == words
    assert ("D2.work", "4.2.3.3, 4.3.1, CU-R86") in refused(state, D1={"work": f"repair {FF}"}, D2=SCOUT)
    assert refused_in_words(state, D1={"work": f"repair {FF}", "then": "sc"}) == [
        "D1.then: only a ship that is built or refit here is refit then (4.2.3.3, CU-R86)"
    ]
    turn(state, D1={"work": f"repair {FF}"})
    assert refused(state, D1=SCOUT) == []


@pytest.mark.rule("cutler", "4.3.1", "4.2.3")
def test_a_refit_rests_while_its_ship_is_damaged(kept: Kept):
    state = yard(SHIPS, bays=(20, 20))
    turn(state, D1=SCOUT)
    state.units[FF].warp_ok = 10
    assert refused_in_words(state, D1={"cpv": 1}) == kept("#1")
    assert refused_in_words(state, D2={"work": f"repair {FF}"}) == kept("#2")
    turn(state)
    assert next(iter(state.works.values())).paid == 20
    turn(state, D1={"work": f"repair {FF}"})
    assert (next(iter(state.works.values())).paid, state.units[FF].warp_ok) == (20, 12)
    turn(state)
    assert (state.works, state.units[FF].record.class_id) == ({}, "sc")


@cases("course, kept")
def test_a_federal_express_ship_that_is_back_in_the_same_impulse_has_undocked_all_the_same(course, kept):
    state = yard("turn 1 impulse 1\n" + HOME + "hydran F1 0205 FF\n", bays=(20, 20))
    turn(state, D1=SCOUT)
    ship = state.units[FF]
    ship.record = ship.record.model_copy(update={"marks": ("express",)})
    state.fleet("hydran", "F1").course = course
    execute_moves(table := table_of(state))
    assert (ship.hex, ship.hexes_moved) == ("0205", len(course))
    keep_docks(table)
    assert (len(state.works) == 1) == kept


@pytest.mark.rule("cutler", "4.2.3", "2.4.1.6")
def test_the_refit_of_a_derelict_that_is_lost_at_the_end_of_the_turn_is_lost_with_it():
    state = yard("turn 0\n" + SHIPS + "lyran F1 0902 CA\nklingon F1 0908 CA", bays=(20, 20))
    state.turns = 9
    turn(state, D1=SCOUT)
    ship = state.units[FF]
    ship.record = ship.record.model_copy(update={"shuttles": 1})  # it lost its shuttle, so that nobody maintains it
    ship.warp_ok = ship.impulse_ok = 0
    state.turn = 3  # a frigate is due in turn 4
    run = Run(table := table_of(state), turn_steps(table))
    assert ship.destroyed
    assert (state.works, defects(state)) == ({}, [])
    assert f"{ship.name} is no longer docked at Yard in 0205" in run.texts("hydran")


@pytest.mark.rule("cutler", "4.2.3.3")
def test_a_ship_is_built_and_refit_in_one_turn_and_refit_twice():
    state = yard(SHIPS, bays=(90, 30))
    turn(state, D1={"work": "build ff", "name": "Foam", "then": "sc"})
    (foam,) = [unit for unit in state.alive("hydran") if unit.name == "Foam"]
    # 60 for the frigate, 30 for the scout.
    assert (foam.record.class_id, state.works, state.empires["hydran"].base_pool) == ("sc", {}, 125 - 90)
    turn(state, D1={"work": f"refit {FF} into sc", "then": "ff"}, D2={"work": f"refit {CA} into cc", "then": "ca"})
    # 30 and 25 back again; 20, and 10 of the 20 back.
    assert state.units[FF].record.class_id == "ff"
    assert (state.units[CA].record.class_id, [work.paid for work in state.works.values()]) == ("cc", [10])


@cases("lines, expected")
def test_what_may_follow_and_what_counts_as_begun(lines, expected):
    assert refused(yard(SHIPS, bays=(90, 60)), **lines) == expected


@pytest.mark.rule("cutler", "4.2.3.5", "4.2.3")
def test_as_many_ships_are_refit_as_there_are_bays():
    state = yard(HOME + "hydran F1 0205 FF+FF+FF\n", bays=(10, 10, 10))
    ships = [FF, f"{FF}2", f"{FF}3"]
    turn(state, **{f"D{number}": {"work": f"refit {ship} into dd"} for number, ship in enumerate(ships, 1)})
    assert [state.units[ship].record.class_id for ship in ships] == ["dd", "dd", "dd"]


# --- undocking -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.3")
def test_a_ship_that_moves_away_loses_what_was_spent():
    state = yard("turn 0\n" + SHIPS + "lyran F1 0902 CA\nklingon F1 0908 CA", bays=(20,))
    table = table_of(state)
    lines = {"D1": SCOUT, "new": {"ships": [FF], "course": "0204 0205"}}
    run = Run(table, turn_steps(table), {("turn", "hydran"): lines})
    assert state.units[FF].hex == "0205"  # it came back, and lies there as it was
    assert (state.works, state.units[FF].record.class_id) == ({}, "ff")
    (report,) = [one for one in run.told("hydran", "economy") if "no longer docked" in one.text]
    assert report.place == "T0/I1/undocked"
    assert "20 of 30 CPV" in report.text
    assert "docked" not in run.texts("lyran")


@cases("change, void")
def test_what_undocks_a_ship(change, void):
    state = yard(SHIPS, bays=(20,))
    turn(state, D1=SCOUT)
    ship, (work,) = state.units[FF], state.works.values()
    set_fields(ship, change)
    assert has_left(ship, state.units[work.base]) == void
    keep_docks(table_of(state))
    assert (state.works == {}, ship.sailed) == (void, False)


@pytest.mark.rule("cutler", "4.2.3")
def test_ships_that_run_pursue_or_flank_have_undocked():
    state = yard("turn 1 impulse 3\n" + SHIPS + "lyran F1 0205 CC[from=0204]+FF[from=0204]\n", bays=(20, 20))
    turn(state, D1=SCOUT, D2={"work": f"refit {CA} into cc", "cpv": 5})
    table = table_of(state)

    def run_away(ask):
        able = [choice.value for choice in ask.form.lines[0].fields[0].choices]
        return {"wave": {"ships": [FF] if FF in able else []}}

    def intact(ask):
        return {line.key: {"fate": "destroyed" if line.key == "L1" else "intact"} for line in ask.form.lines}

    answers = {
        ("card", "lyran"): {"force": {"card": "combat"}},
        ("allocate", "hydran"): {CA: {"place": "approach"}, FF: {"place": "planet"}},
        ("wave", "hydran"): run_away,
        ("flank", "hydran"): {CA: {"group": 1}},
        ("battle", ""): intact,
    }
    Run(table, combat_phase_steps(table.at("combat")), answers)
    assert (state.units[FF].sailed, state.units[CA].sailed) == (True, True)
    assert not state.units["lyran-F1-CC"].sailed
    keep_docks(table)
    assert state.works == {}


@pytest.mark.rule("cutler", "4.2.3")
def test_a_ship_that_pursues_has_undocked_and_one_that_stands_has_not():
    state = yard("turn 1 impulse 3\n" + SHIPS + "lyran F1 0205 CC[from=0204]+FF[from=0204]\n", bays=(20, 20))
    turn(state, D1=SCOUT, D2={"work": f"refit {CA} into cc", "cpv": 5})
    table = table_of(state)
    answers = {
        ("card", "lyran"): {"force": {"card": "combat"}},
        ("allocate", "hydran"): {FF: {"place": "approach"}, CA: {"place": "planet"}},
        ("wave", "lyran"): [{"wave": {"ships": ["lyran-F1-FF"]}}],
        ("pursuit", "hydran"): {FF: {"group": 1}},
        ("battle", ""): lambda ask: {line.key: {"fate": "intact"} for line in ask.form.lines},
    }
    Run(table, combat_phase_steps(table.at("combat")), answers)
    assert (state.units[FF].sailed, state.units[CA].sailed) == (True, False)
    keep_docks(table)
    assert [work.ship for work in state.works.values()] == [CA]


@pytest.mark.rule("cutler", "4.2.3", "3.5.4.2")
def test_a_docked_ship_that_is_sent_away_from_the_planet_has_undocked_and_its_owner_is_warned():
    state = yard("turn 1 impulse 3\n" + SHIPS + "lyran F1 0205 CC[from=0204]\n", bays=(20, 20))
    turn(state, D1=SCOUT, D2={"work": f"refit {CA} into cc", "cpv": 5})
    table = table_of(state)
    answers = {
        ("card", "lyran"): {"force": {"card": "combat"}},
        ("allocate", "hydran"): {CA: {"place": "sun"}, FF: {"place": "planet"}},
    }
    run = Run(table, combat_phase_steps(table.at("combat")), answers)
    assert (state.units[FF].sailed, state.units[CA].sailed) == (False, True)
    (ask,) = run.asked("hydran", "allocate")
    # A silent owner leaves them in their docks. 2.5, CU-R129
    assert list(ask.warn(ask.default)) == []
    leaving = [{key: {"place": place} for key in (CA, FF)} for place in ("planet", "approach")]
    assert [len(ask.warn(ask.model.model_validate(sheet))) for sheet in leaving] == [0, 2]


@pytest.mark.rule("cutler", "4.2.3")
def test_refits_are_unseen_by_others():
    text = "turn 0\n" + SHIPS + "lyran F1 0902 CA\nklingon F1 0908 CA"
    refits = {"D1": SCOUT, "D2": {"work": f"refit {CA} into cc"}}
    alike(whole_turn(yard(text)), whole_turn(yard(text), hydran=refits), "lyran", "klingon")


# --- repairs ---------------------------------------------------------------------------------------------------------
HURT = HOME + "hydran F1 0205 CA[warp=26,imp=3]+FF\nhydran F2 0303 CA[warp=1]\n"
"""The cruiser has lost four warp engines and one impulse engine."""
POINTS = RepairPoints(warp=10, impulse=5, cargo=1)


@cases("boxes, cost")
def test_points_of_one_order_are_summed_halved_and_rounded_up(boxes, cost):
    # A warp engine of 10 points costs 5; 7 points together cost 4, not 3 + 1.
    assert cost_of(boxes, POINTS) == cost


@cases("cpv, boxes")
def test_warp_engines_come_first(cpv, boxes):
    unit = yard(HURT).units[CA]
    assert damage(unit) == {"warp": 4, "impulse": 1}
    assert repaired_for(unit, POINTS, cpv) == boxes


@cases("case, proves, bays, points, order, left, told", made="points")
def test_a_docked_ship_is_repaired(bays, points, order, *, left, told):
    """``left`` are its warp and impulse boxes afterwards, the CPV in repair boxes, and what went into the work."""
    state = yard(HURT, bays=bays)
    state.repair_points = points
    lines = {"D1": {"work": f"repair {CA}", **order}}
    ask = turn_ask(state, "hydran")
    warned = [text for text in ask.warn(ask.answer_from(lines)) if "2 CPV repair no whole box" in text]
    assert len(warned) == (order == {"cpv": 7})
    run = turn(state, **lines)
    ship, spent = state.units[CA], 125 - state.empires["hydran"].base_pool
    assert [ship.warp_ok, ship.impulse_ok, state.units[YARD].repair_cpv, spent] == left
    assert [one.text for one in run.told("hydran") if "repaired" in one.text] == told
    done = spent - state.units[YARD].repair_cpv
    assert ([(one.item, one.cpv) for one in state.spent], state.works) == ([("repairs of a CA", done)], {})


@cases("base_type, lines, words")
def test_repairs_that_cannot_be_are_refused(base_type, lines, words):
    state = yard(HURT + "lyran F1 0205 FF[warp=3]\n", base_type=base_type)
    assert refusal_words(turn_ask(state, "hydran"), lines) == words


@pytest.mark.rule("cutler", "4.3")
def test_a_base_repairs_its_own_cargo_boxes_whatever_its_size():
    state = yard(HURT, base_type="BATS")
    state.units[YARD].cargo_lost = 9
    turn(state, D1={"work": f"repair {YARD}"})
    assert (state.units[YARD].cargo_boxes, state.empires["hydran"].base_pool) == (50, 120)
