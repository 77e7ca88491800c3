"""Cloaks: slow and unseen. Whoever is under one chooses in secret whether to meet others; scans alone find it."""

import random

import pytest

from rules_engine.core.knowledge.views import STANDING_ORDERS, Knowledge
from rules_engine.rulebooks.cutler.boards import public_board, side_board
from rules_engine.rulebooks.cutler.ch02_movement.cloaks import change_cloaks, cloaked_meetings_steps, lose_sight
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import (
    execute_moves,
    has_opportunity,
    may_enter,
    top_speed,
    turn_limit,
)
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.escape import escape_modifiers
from rules_engine.rulebooks.cutler.ch05_planets.razing import raze_planets
from rules_engine.rulebooks.cutler.ch05_planets.rebellion import note_revolts
from rules_engine.rulebooks.cutler.ch06_espionage.missions import report_success
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_sheets_steps
from rules_engine.rulebooks.cutler.ch08_scanning.phase import planned_scans, scanning_phase
from rules_engine.rulebooks.cutler.ch09_surveying.orders import sites
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.conditions.cloaks import can_cloak
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.records.state import Mission
from rules_engine.rulebooks.cutler.sequence import close_turn, end_impulse, impulse_steps, turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, sees, table_of, world
from tests.rulebooks.cutler.yards import HOME, yard

FIGHT = {"force": {"card": "combat"}}
UP = "[cloak=up]"
OTHERS = ("hydran", "klingon")


def moved(text):
    """The table after cloaks and moves of one impulse."""
    turn = table_of(world(text))
    change_cloaks(turn.state)
    execute_moves(turn)
    tidy_fleets(turn.state)
    return turn


def ship(state, key="lyran-F1-CA"):
    return state.units[key]


# --- speed -----------------------------------------------------------------------------------------------------------
@cases("ship_text, speed, impulses")
def test_a_cloaked_ship_moves_four_hexes_at_most(ship_text, speed, impulses):
    (unit,) = world(f"lyran F1 0404 {ship_text}").alive()
    assert top_speed(unit) == speed
    assert [impulse for impulse in range(1, 7) if has_opportunity(unit, impulse)] == impulses


@pytest.mark.rule("cutler", "2.4.1.2")
def test_who_was_cloaked_in_a_turn_moves_no_more_than_four_hexes_in_it():
    turn = moved(f"turn 1 impulse 2\nlyran F1 0404 CA{UP} course 0405 0406 0407\n")
    state = turn.state
    state.fleet("lyran", "F1").cloak = False
    unit = ship(state)
    for state.impulse, hexes in ((3, 2), (4, 3)):
        change_cloaks(state)
        execute_moves(turn)
        tidy_fleets(state)
        assert (unit.cloaked, unit.hexes_moved, top_speed(unit), turn_limit(unit)) == (False, hexes, 6, 4)
    unit.hexes_moved = 4
    assert not may_enter(state, unit, "0408", 5)
    close_turn(turn)
    assert (turn_limit(unit), unit.was_cloaked) == (6, False)


@cases("hexes, rules")
def test_after_more_than_four_hexes_nobody_goes_under_cloak(hexes, rules):
    state = world(f"turn 1 impulse 6\nlyran F1 0404 CA[cloak=down,moved={hexes}]")
    assert refusal_words(plot_ask(state, "lyran"), {"F1": {"cloak": "cloaked"}}) == rules


# --- plotting --------------------------------------------------------------------------------------------------------
@cases("sheet, rules")
def test_what_is_refused_of_cloaks(sheet, rules):
    text = "turn 1 impulse 1\nplanet capital 0205 hydran den\nlyran F1 0404 SC[cloak=down]\n"
    ask = plot_ask(world(text + "lyran F2 0404 CA[cloak=down]+FF"), "lyran")
    assert [line.key for line in ask.form.lines if any(one.key == "cloak" for one in line.fields)] == ["F1", "new"]
    assert refusal_words(ask, sheet) == rules
    assert not any(field.key == "cloak" for line in plot_ask(world("hydran F1 0404 CA"), "hydran").form.lines
                   for field in line.fields)  # fmt: skip


@pytest.mark.rule("cutler", "2.6.2.1")
def test_a_cloak_is_plotted_kept_and_dropped_with_the_moves():
    turn = table_of(world("turn 1 impulse 2\nlyran F1 0404 CA[cloak=down] course 0405 0406 0407"))
    state = turn.state
    carry_out_plot(state, "lyran", FleetPlots.model_validate({"F1": {"cloak": "cloaked"}}))
    assert not ship(state).cloaked  # until the fleet moves
    for state.impulse, sheet, cloaked in ((2, {}, True), (3, {}, True), (5, {"F1": {"cloak": "open"}}, False)):
        carry_out_plot(state, "lyran", FleetPlots.model_validate(sheet))
        change_cloaks(state)
        execute_moves(turn)
        tidy_fleets(state)
        assert ship(state).cloaked == cloaked
    assert ship(state).was_cloaked, "so that it goes no farther than a cloaked one in this turn"
    # Of three moves the last alone was not under cloak.
    assert [one.text for one in turn.shared.reports if one.is_public()] == ["Impulse 5, movement: Lyran CU 0406→0407."]
    own = ["Your moves: F1 0404→0405.", "Your moves: F1 0405→0406.", "Your moves: F1 0406→0407."]
    assert [one.text for one in turn.shared.reports if one.to == ("lyran",)] == own
    assert not defects(state)


def test_a_prize_has_no_cloak_that_works_and_a_delayed_survey_keeps_ships_visible():
    state = world(f"turn 1 impulse 1\nunsurveyed 0404\nlyran F1 0404 SUR{UP}\nlyran F2 0404 CA[cloak=down]")
    assert sites(state, "lyran") == []
    state.units["lyran-F2-CA"].held_turn = 1
    state.fleet("lyran", "F2").cloak = True
    change_cloaks(state)
    assert [unit.cloaked for unit in state.alive()] == [True, False]
    prize = state.units["lyran-F1-SUR"]
    prize.taken_by("hydran")
    assert (prize.cloaked, can_cloak(prize)) == (False, False)


@pytest.mark.rule("cutler", "6.4.1.3", "2.6.2.1")
def test_a_lodged_plot_is_flown_before_a_cloak_is_raised():
    turn = table_of(world("turn 1 impulse 1\nlyran F1 0404 CA[cloak=down] course 0405 0406"))
    state = turn.state
    state.fleet("lyran", "F1").cloak, state.empires["lyran"].lodged = True, {"lyran-F1-CA": "0405"}
    for state.impulse, cloaked, ends in ((1, False, "0405"), (2, True, "0406")):
        change_cloaks(state)
        execute_moves(turn)
        tidy_fleets(state)
        assert (ship(state).cloaked, ship(state).hex) == (cloaked, ends)


# --- unseen ----------------------------------------------------------------------------------------------------------
LURKING = f"""
turn 1 impulse 2
planet capital 0205 hydran throne
planet minor 0404 hydran rock
hydran F1 0404 CA+FF
hydran F2 0304 SC
hydran base 0404 Rest
klingon F1 0606 CW
lyran base 0902 Den
lyran F2 0803 CC
lyran F1 0403 CA{UP}
"""
"""A cloaked Lyran cruiser one hex away from others."""


def impulse(text, *, dice=None, cards=("ask", "ask"), **answers):
    """A whole impulse. ``answers`` are named ``kind_side``."""
    state = world(text)
    turn = table_of(state, dice)
    state.fleet("hydran", "F2").scans = ["0404", "0403"]
    scripted = {tuple(name.split("_", 1)): value for name, value in answers.items()}
    run = Run(turn, impulse_steps(turn.at("I2"), 2), scripted)
    assert not defects(state)
    return run


def alike(one, other, *sides):
    for side in sides:
        assert sees(one.table, one.asks, side) == sees(other.table, other.asks, side)
    assert public_board(one.table.state) == public_board(other.table.state)


WITHOUT = LURKING.replace(f"lyran F1 0403 CA{UP}\n", "")


@pytest.mark.rule("cutler", "2.6.2.1", "2.6.2", "2.6.3")
@pytest.mark.parametrize("course", ["", " course 0404", " course 0402"])
@pytest.mark.parametrize("die", [2, 6])
def test_a_hidden_passage_shows_nowhere(course, die):
    # With the cruiser there or not: moves, counters, a starbase's hex, cards, scans that do not find it, and boards.
    text = LURKING.replace(f"CA{UP}", f"CA{UP}{course}")
    one, other = impulse(WITHOUT, dice={"scan of": [die, die]}), impulse(text, dice={"scan of": [die, die]})
    alike(one, other, *OTHERS)
    there = course == " course 0404"
    assert len(other.asked("lyran", "cloak")) == there
    assert ("3 Hydran units" in other.texts("lyran")) == there  # who stays hidden sees the others


@pytest.mark.rule("cutler", "9.7", "2.6.2.1")
def test_a_hidden_passage_makes_nobody_owner_of_a_hex_and_keeps_nobody_from_it():
    turn = moved(
        f"turn 1 impulse 2\nlyran F1 0403 CA{UP} course 0402\nlyran F2 0606 CA{UP}\nklingon F1 0607 CW course 0606"
    )
    assert turn.state.last_through == {"0606": "klingon"}


@pytest.mark.unseen("cutler", asks=("cloak",))
@pytest.mark.rule("cutler", "2.6.2.1")
def test_neither_a_choice_nor_its_offer_is_told_to_anybody_else(kept: Kept):
    text = LURKING.replace(f"CA{UP}", f"CA{UP} course 0404")
    hidden = impulse(text, dice={"scan of": [6, 6]}, cloak_lyran={"F1": {"does": "stay"}})
    alike(hidden, impulse(text, dice={"scan of": [6, 6]}), *OTHERS)
    (ask,) = hidden.asked("lyran", "cloak")
    assert ask.form.lines[0].note == "in 0404 with: Hydran"
    assert refusal_words(ask, {"F7": {"does": "show"}}) == kept()
    assert hidden.asked("hydran", "card") == hidden.asked("lyran", "card") == []


@pytest.mark.rule("cutler", "2.6.2.1")
def test_a_standing_order_to_stay_hidden_answers_without_a_wait():
    state = world(SCAN)
    ask = plot_ask(state, "lyran")
    asked = side_board(state, "lyran", Knowledge()).panel(STANDING_ORDERS)
    assert "Meeting others under cloak: you are asked." in asked.rows[-1]
    carry_out_plot(state, "lyran", ask.answer_from({"standing": {"lurking": "stay"}}))
    board = side_board(state, "lyran", Knowledge())
    assert "Meeting others under cloak: you stay hidden." in board.panel(STANDING_ORDERS).rows
    turn = table_of(state)
    assert Run(turn, cloaked_meetings_steps(turn)).asks == []
    assert "under cloak" not in str(plot_ask(state, "hydran").form.line("standing"))


@pytest.mark.rule("cutler", "2.6.2.1", "3.1.3")
def test_who_shows_itself_is_met_like_any_other_and_has_no_counter():
    text = LURKING.replace(f"CA{UP}", f"CA{UP}+DD{UP} course 0404") + f"lyran F3 0404 FF{UP}\n"
    run = impulse(text, dice={"scan of": [6, 6]}, cloak_lyran={"F1": {"does": "show"}})
    kinds = [ask.kind for ask in run.asks if "lyran" in ask.parties]
    assert kinds.index("cloak") < kinds.index("card")
    # The two that show themselves are met; the frigate of another fleet is not there for anybody.
    assert "In 0404: 2 Lyran units (size 3: CA; size 4: DD; under cloak: size 3: CA; size 4: DD)." in run.texts(
        "hydran"
    )
    assert [len(run.asked(side, "card")) for side in ("hydran", "lyran")] == [1, 1]
    assert ("lyran", "0404") not in run.table.state.counters()
    assert "C1, the Lyran ships in 0404, are gone." in run.texts("hydran")  # hidden again when the impulse ends
    assert not any(unit.engaged for unit in run.table.state.alive())


# --- found -----------------------------------------------------------------------------------------------------------
SCAN = f"""
turn 1 impulse 2
hydran F1 0404 CA
hydran F2 0304 SC
lyran F1 0404 CA{UP}
klingon F1 0404 CW
"""


def scan(text, die, *, scans=("0404",), **answers):
    """Scanning, the choice under cloak, and combat."""
    state = world(text)
    state.fleet("hydran", "F2").scans = [*scans]
    turn = table_of(state, {"scan of": [die, 6]})

    def steps():
        scanning_phase(turn.at("scan"))
        yield from cloaked_meetings_steps(turn.at("cloaks"))
        yield from combat_phase_steps(turn.at("combat"))
        end_impulse(turn)

    scripted = {tuple(name.split("_", 1)): value for name, value in answers.items()}
    run = Run(turn, steps(), scripted)
    assert not defects(state)
    return run


@cases("here, die, found")
def test_a_scan_finds_cloaked_ships_on_a_one_and_a_long_range_scan_never(here, die, found):
    # 0404 is one hex from 0304 and two from 0303, where a scan is a long-range one and succeeds on a 1 alone.
    run = scan(SCAN.replace("0304", here), die)
    scanned = [text for text in run.texts("hydran").split("\n") if text.startswith("Scanned")]
    assert any("1 Klingon unit" in text for text in scanned)
    assert ("Scanned in 0404: 1 Lyran unit (size 3: CA; under cloak: size 3: CA)." in scanned) == found
    assert ("Lyran" in run.texts("hydran")) == found


@pytest.mark.rule("cutler", "8.6", "2.6.2.1")
def test_a_scan_of_a_hex_with_cloaked_ships_alone_and_who_may_not_scan():
    alone = SCAN.replace("hydran F1 0404 CA\n", "").replace("klingon F1 0404 CW\n", "")
    empty = alone.replace(f"lyran F1 0404 CA{UP}\n", "")
    alike(scan(alone, 2), scan(empty, 2), *OTHERS)
    assert "Scanned in 0404: 1 Lyran unit" in scan(alone, 1).texts("hydran")
    assert scan(alone, 1).asked("lyran") == []  # found by who is not there: it is neither met nor told
    assert "found" not in scan(alone, 1).texts("lyran")
    state = world(f"lyran F1 0404 SC{UP}")
    state.fleet("lyran", "F1").scans = ["0405"]
    assert planned_scans(state, "lyran") == []
    state.units["lyran-F1-SC"].cloaked = False
    assert len(planned_scans(state, "lyran")) == 1


@pytest.mark.rule("cutler", "2.6.2.1", "8.6")
def test_the_found_are_fought_by_the_finder_alone_and_the_third_in_the_hex_learns_nothing():
    run = scan(SCAN, 1, card_hydran=[{"force": {"card": "bypass"}}, FIGHT])
    unfound = scan(SCAN, 2, card_hydran=[{"force": {"card": "bypass"}}, FIGHT])
    assert [ask.parties for ask in run.asks if ask.kind == "battle"] == [("hydran", "lyran")]
    assert [ask.parties for ask in unfound.asks if ask.kind == "battle"] == []
    assert "The Hydran found you under cloak in 0404, and may fight: Lyran F1 Ca." in run.texts("lyran")
    assert "Lyran" not in sees(run.table, run.asks, "klingon").replace('"Lyran"', "").replace("Lyran: 0 CPV", "")
    # The Klingon's card is for the Hydran, as it would be without the Lyran.
    (card,) = run.asked("klingon", "card")
    assert card.text.startswith("You share 0404 with: Hydran.")
    cards = [one.to for one in run.table.shared.reports if one.text.startswith("Cards in 0404")]
    assert cards == [("hydran", "klingon"), ("hydran", "lyran")]


@cases("hydran, fought")
def test_it_takes_ships_of_the_finder_in_the_hex(hydran, fought):
    run = scan(SCAN.replace("hydran F1 0404 CA", hydran).replace("klingon F1 0404 CW\n", ""), 1, card_hydran=FIGHT)
    assert bool(run.asked("lyran", "battle")) == fought
    assert bool(run.asked("lyran", "cloak")) == ("0404" in hydran)  # asked before, and not told that it was found


@pytest.mark.rule("cutler", "2.6.2.1")
def test_found_ships_stand_with_the_others_against_the_finder_and_are_lost_again():
    run = scan(SCAN.replace("klingon F1 0404 CW", "lyran F2 0404 DD"), 1, card_hydran=FIGHT)
    battle = next(ask for ask in run.asked("hydran", "battle") if "lyran" in ask.parties)
    assert sorted(line.key for line in battle.form.lines) == ["H1", "L1", "L2"]
    assert "L1 Lyran F1 Ca: CA (CA, size 3, BPV 125, invented); under cloak" in str(battle.setup.panels)
    assert ship(run.table.state).found_by == []
    # Who moves on is found no longer, either.
    state = world(f"turn 1 impulse 2\nlyran F1 0404 CA{UP} course 0405")
    ship(state).found_by = ["hydran"]
    execute_moves(table_of(state))
    assert ship(state).found_by == []


@cases("course, fought")
def test_location_detection_finds_cloaked_ships_until_they_leave_or_the_first_impulse_ends(course, fought):
    state = world(f"turn 1 impulse 6\nhydran F1 0404 CA\nlyran F1 0404 CA{UP}{course}")
    report_success(turn := table_of(state), spying("location"), "Intelligence file")
    assert "1 Lyran unit (size 3: CA; under cloak: size 3: CA)" in turn.shared.reports[-1].text
    # Impulse 6 stands for the first here: a cloaked ship has no move in impulse 1.
    execute_moves(turn)
    assert bool(Run(turn, combat_phase_steps(turn), {("card", "hydran"): FIGHT}).asked("lyran", "battle")) == fought
    lose_sight(state)
    assert ship(state).found_by == []


def spying(kind):
    return Mission(
        line="M1", spy="hydran", kind=kind, against="lyran", target="0404", aimed="hex", said="hex 0404", ip=30
    )


@cases("kind")
def test_other_missions_do_not_find_cloaked_ships(kind):
    seen = []
    for text in ("turn 1\nlyran F2 0404 DD", f"turn 1\nlyran F2 0404 DD\nlyran F1 0404 CA{UP}"):
        state = world(text)
        for unit in state.alive():
            unit.record, unit.cargo_cpv = kind_of(unit.record.name, cargo=9, cloak=unit.cloaked), 5
        report_success(turn := table_of(state, {"random ship": [1]}), spying(kind), "Intelligence file")
        seen.append(turn.shared.reports[-1].text)
    assert seen[0] == seen[1]


@pytest.mark.rule("cutler", "2.6.2.1", "4.2.3")
def test_a_ship_that_is_refit_into_one_without_a_cloak_is_seen_and_its_fleet_drops_cloaks_with_the_next_plots():
    state = yard(f"{HOME}hydran F1 0205 FF+CA\n")
    for key in ("ff", "ca"):
        state.classes[key] = state.classes[key].model_copy(update={"cloak": True})
    frigate, cruiser = state.members(state.fleet("hydran", "F1"))
    for one, key in ((frigate, "ff"), (cruiser, "ca")):
        one.record, one.cloaked = state.classes[key], True
    state.fleet("hydran", "F1").cloak = True
    turn = table_of(state)
    Run(turn, turn_sheets_steps(turn), {("turn", "hydran"): {"D1": {"work": f"refit {frigate.id} into sc"}}})
    assert (frigate.record.class_id, frigate.cloaked, cruiser.cloaked) == ("sc", False, True)
    assert defects(state) == []
    change_cloaks(state)
    assert not cruiser.cloaked


# --- planets and escapes ---------------------------------------------------------------------------------------------
@cases("wave, total")
def test_escaping_under_cloak(wave, total):
    state = world(f"hydran F1 0404 {wave}\nlyran F1 0404 CC")
    assert sum(escape_modifiers(state, "0404", state.alive("hydran"), state.alive("lyran")).values()) == total


@pytest.mark.rule("cutler", "5.3.5")
def test_cloaked_ships_call_no_planet_to_revolt_and_keep_none_from_it():
    for friend, holder, revolts in ((UP, "", False), ("", UP, True), ("", "", False)):
        text = f"planet minor 0404 lyran rock\nlyran F1 0404 CA{friend}"
        state = world(text + (f"\nhydran F1 0404 CA{holder}" if holder or not friend else ""))
        state.planets["rock"].owner, state.planets["rock"].captured_turn = "hydran", 1
        note_revolts(state)
        assert (state.revolts == ["rock"]) == revolts


@pytest.mark.rule("cutler", "5.2.2", "2.6.2.1")
def test_hidden_witnesses_of_razing_are_told_apart():
    text = "turn 1 impulse 2\nplanet minor 0404 klingon rock\nhydran F1 0404 CA\n"
    runs = []
    for more in ("", f"lyran F1 0404 CA{UP}"):
        turn = table_of(world(text + more))
        turn.state.fleet("hydran", "F1").raze = "rock"
        raze_planets(turn)
        runs.append(turn)
    assert [one.to for one in runs[1].shared.reports] == [("hydran", "klingon"), ("lyran",)]
    for side in OTHERS:
        assert sees(runs[0], [], side) == sees(runs[1], [], side)
    # A cloaked ship razes nothing itself.
    state = world(text.replace("CA", "CA[cloak=up]"))
    state.fleet("hydran", "F1").raze = "rock"
    raze_planets(table_of(state))
    assert state.planets["rock"].razed == 0


# --- windows ---------------------------------------------------------------------------------------------------------
def test_where_windows_are_fixed_all_wait_alike_whether_or_not_a_choice_is_offered():
    kinds = []
    for text in (SCAN, SCAN.replace(f"lyran F1 0404 CA{UP}", f"lyran F1 0909 CA{UP}")):
        state = world(text)
        state.classes = {"ca": kind_of("CA", cloak=True)}
        turn = table_of(state)
        turn.shared.patient = True
        kinds.append({ask.parties[0]: ask.kind for ask in Run(turn, cloaked_meetings_steps(turn)).asks})
    waiting = {"hydran": "waiting", "klingon": "waiting"}
    assert kinds == [{**waiting, "lyran": "cloak"}, {**waiting, "lyran": "waiting"}]


# --- a whole turn at random ------------------------------------------------------------------------------------------
AMONG = tuple(f"{column:02}{row:02}" for column in range(3, 7) for row in range(3, 7))
SHOWN = ("CA+FF", "DD", "SC", "SUR", "CW+PF")
HIDDEN = ("CA[cloak=up]", "DD[cloak=up]+FF[cloak=up]", "SUR[cloak=up]", "SC[cloak=up,officers=navigator/science]")
STAGE = """
turn 0
planet capital 0205 hydran throne
planet capital 0902 lyran den
planet capital 0908 klingon hearth
planet minor 0404 klingon rock
nebula 0505
dust 0304
unsurveyed 0603 0604
lyran base 0902 Den
lyran F1 0902 CC+FF
"""


def whole_turn(text, *, patient):
    """A turn in which every fleet goes straight to the hex that it names, and the Hydran fights whom it meets."""
    state = world(text)
    state.classes, state.navigators = {"ca": kind_of("CA", cloak=True)}, True
    for fleet in state.fleets.values():
        fleet.course = [*state.grid.line(state.place_of(fleet), fleet.course[0])[1:]] if fleet.course else []
    state.planets["rock"].owner, state.planets["rock"].captured_turn = "hydran", 1
    state.fleet("hydran", "F1").scans = ["0404"]
    turn = table_of(state, {"scan of": [4] * 99})
    turn.shared.patient = patient
    run = Run(turn, turn_steps(turn), {("card", "hydran"): lambda _: FIGHT})
    assert not defects(state)
    return run


@pytest.mark.rule("cutler", "2.6.2.1")
@pytest.mark.parametrize("patient", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_wherever_they_pass_hidden_ships_show_nowhere(seed, patient):
    # Through nebulae, dust and unsurveyed space, over planets in revolt, among others who meet, survey, scan and fight.
    chance = random.Random(seed)

    def fleets(race, numbers, ships):
        ways = [(number, *chance.choices(AMONG, k=2)) for number in numbers]
        return [f"{race} F{number} {here} {chance.choice(ships)} course {goal}\n" for number, here, goal in ways]

    shown = STAGE + "".join(fleets("hydran", (1, 2, 3), SHOWN) + fleets("klingon", (1, 2, 3), SHOWN))
    hidden = "".join(fleets("lyran", (2, 3, 4), HIDDEN))
    one, other = whole_turn(shown, patient=patient), whole_turn(shown + hidden, patient=patient)
    alike(one, other, *OTHERS)
    assert other.asked("lyran", "cloak")
