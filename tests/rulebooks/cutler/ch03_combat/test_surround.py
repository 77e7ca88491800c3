"""Chapter 3.6.1.1 and 3.7.4: pursuers that surround, and flanks that arrive together."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.flanking import flank_dice, may_flank
from rules_engine.rulebooks.cutler.ch03_combat.steering import SteerSheet, steered_steps
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.parts.craft import squadron, take_off
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.shown import battles_of
from tests.rulebooks.cutler.worlds import Run, offered, refusal_words, sees, table_of, world

FIGHT = {"force": {"card": "combat"}}


def in_directions(run):
    """The panel of an escape battle that says where its pursuers stand, without the last line."""
    setup = next(ask for ask in run.asks if ask.kind == "battle").setup
    return next(one for one in setup.panels if one.title.startswith("Where the pursuers stand")).rows[:-1]


@pytest.mark.rule("cutler", "3.6.1.1")
def test_the_books_own_example_of_a_surrounded_carrier_group(kept: Kept):
    # Three KE (CA here) and six WE (DW): the Romulans are the Klingons here, the Federation CVA the Hydran DN.
    text = "turn 1 impulse 3\nhydran F1 0404 DN\nklingon F1 0404 CA+CA+CA+DW+DW+DW+DW+DW+DW\n"
    ke, we = ["CA", "CA2", "CA3"], ["DW", "DW2", "DW3", "DW4", "DW5", "DW6"]
    groups = {ship: number for number, ship in enumerate(ke, 1)} | {ship: 4 + n // 2 for n, ship in enumerate(we)}
    answers = {
        ("card", "klingon"): FIGHT,
        ("wave", "hydran"): [{"wave": {"ships": ["hydran-F1-DN"]}}],
        ("pursuit", "klingon"): {f"klingon-F1-{ship}": {"group": 1} for ship in groups},
        ("surround", "klingon"): {f"klingon-F1-{ship}": {"group": number} for ship, number in groups.items()}
        | {"rest": {"direction": 1}},
    }
    # The dice 1, 5, 4, 3, 2, 2 are those of the groups; 3, 4, 1, 3 of those that succeed: 1, 4, 5 and 6.
    dice = {"escape from": [6]} | {f"surround, group {n}": [die] for n, die in enumerate((1, 5, 4, 3, 2, 2), 1)}
    dice |= {f"direction, group {n}": [die] for n, die in zip((1, 4, 5, 6), (3, 4, 1, 3), strict=True)}
    assert combats.account(combats.met(text, answers, dice)) == kept()


NAVIGATOR = "[officers=navigator]"


def surrounded(runner="", hunter="", *, die=3, way=6, steer=None):
    """A Hydran FF that runs, is caught and surrounded by one of two Lyran ships."""
    text = f"turn 1 impulse 3\nhydran F1 0404 FF{runner}\nlyran F1 0404 CC{hunter}+CW\n"
    answers = {
        ("card", "lyran"): FIGHT,
        ("wave", "hydran"): [{"wave": {"ships": ["hydran-F1-FF"]}}],
        ("pursuit", "lyran"): {"lyran-F1-CC": {"group": 1}, "lyran-F1-CW": {"group": 1}},
        ("surround", "lyran"): {"lyran-F1-CW": {"group": 1}},
        ("steer", "lyran"): steer,
        ("steer", "hydran"): steer,
    }
    dice = {"escape from": [6], "surround, group 1": [die], "direction, group 1": [way]}
    return Run(turn := table_of(world(text), dice), combat_phase_steps(turn.at("combat")), answers)


def stands(run):
    """Where the ship stands that tried to surround: the last that is said of directions."""
    return next(row.split(":")[0] for row in in_directions(run) if "Cw" in row)


@cases("runner, hunter, limit", "", made="runner, hunter")
def test_navigators_change_the_die_at_which_a_group_surrounds(runner, hunter, limit):
    came = [stands(surrounded(runner, hunter, die=die, way=5)) == "Direction 5" for die in range(1, 7)]
    assert came == [die <= limit for die in range(1, 7)]
    asked = surrounded(runner, hunter).asked("lyran", "surround")[0]
    assert f"succeeds on 1 to {limit};" in asked.text


@cases("case, proves, navigators, die, way, shift", "")
def test_the_whole_account_of_a_ship_that_is_surrounded(navigators: str, die: int, way: int, shift: Any, kept: Kept):
    """``navigators`` are aboard of the runner, the hunter or both; their shift of the direction is asked for."""
    runner, hunter = (NAVIGATOR if who in navigators else "" for who in ("runner", "hunter"))
    steer = None if shift is None else {"G1": {"shift": shift}}
    run = surrounded(runner, hunter, die=die, way=way, steer=steer)
    assert combats.account(run) == kept()
    why = [one.why for one in run.told("hydran", "combat") if "surround" in one.text]
    assert [(dict(one.inputs), [(roll.faces, roll.total) for roll in one.dice]) for one in why] == kept("why")


@pytest.mark.rule("cutler", "3.6.1.1.1")
def test_a_navigators_sheet_offers_a_direction_lower_or_higher_and_says_what_comes_of_it():
    (ask,) = surrounded("", NAVIGATOR, way=6).asked("lyran", "steer")
    (line,) = ask.form.lines
    assert line.label == "Group 1 in direction 6"
    assert offered(line) == [("Direction", "One lower, As rolled, One higher", "0", "")]
    said = []
    for choice in line.fields[0].choices:
        said += ask.read_back(ask.answer_from({"G1": {"shift": int(choice.value)}}))
    assert said == ["Group 1: direction 5.", "Group 1: direction 6.", "Group 1: direction 1."]
    assert ask.text.endswith("may shift the direction of each group that surrounds by 1; next to 6 is 1.")
    assert ask.default_says == "The directions stay as they were rolled."
    assert refusal_words(ask, {"G2": {"shift": 1}}) == ["G2: no such group surrounds. Legal: G1."]
    assert refusal_words(ask, {"G1": {"shift": 2}}) == ["G1.shift: the number is too large. Legal: -1, 0, 1."]


@pytest.mark.rule("cutler", "3.6.1.1")
def test_a_sheet_of_pursuers_offers_groups_and_directions_and_says_which_are_none(kept: Kept):
    (ask,) = surrounded().asked("lyran", "surround")
    assert [(line.label, offered(line)) for line in ask.form.lines] == kept("#1")
    assert ask.text == kept("ask.text")
    assert ask.read_back(ask.answer_from({"lyran-F1-CW": {"group": 1}})) == kept("#3")
    sheets = [
        {"hydran-F1-DD": {"group": 1}}, {"lyran-F1-CW": {"group": 3}}, {"lyran-F1-CW": {"direction": 4}},
        {"rest": {"direction": 7}}, {"rest": {"group": 1}},
    ]  # fmt: skip
    assert [one for sheet in sheets for one in refusal_words(ask, sheet)] == kept("#2")


@pytest.mark.rule("cutler", "3.6.1", "3.6.1.1")
def test_without_orders_the_pursuers_stand_together_and_no_die_falls(kept: Kept):
    answers = {
        ("card", "lyran"): FIGHT, ("wave", "hydran"): [{"wave": {"ships": ["hydran-F1-DD"]}}],
        ("pursuit", "lyran"): {"lyran-F1-FF": {"group": 1}}, ("surround", "lyran"): {"rest": {"direction": 5}},
    }  # fmt: skip
    text = "turn 1 impulse 3\nhydran F1 0404 DD\nlyran F1 0404 FF\n"
    assert combats.account(combats.met(text, answers, {"escape from": [6]})) == kept()


@pytest.mark.rule("cutler", "3.3.4", "3.3.7.6")
def test_there_are_as_many_pursuit_groups_as_ships_and_they_are_rolled_in_the_order_of_their_numbers():
    ships = ["FF", *(f"FF{number}" for number in range(2, 12))]
    text = f"turn 1 impulse 3\nhydran F1 0404 DD\nlyran F1 0404 DN+{'+'.join(['FF'] * 11)}\n"
    groups = {f"lyran-F1-{ship}": {"group": number} for number, ship in enumerate(ships, 1)}
    answers = {
        ("card", "lyran"): FIGHT,
        ("wave", "hydran"): [{"wave": {"ships": ["hydran-F1-DD"]}}],
        ("pursuit", "lyran"): groups,
    }
    Run(turn := table_of(world(text)), combat_phase_steps(turn.at("combat")), answers)
    rolled = [roll.purpose for roll in turn.shared.rolls if "escape from group" in roll.purpose]
    assert rolled == [f"escape from group {number}" for number in range(1, 12)]


# --- flanks that arrive together -------------------------------------------------------------------------------------
def flanked(dice, *, lyran_flanks=True):
    """A battle in which both sides flank with a ship each, or the Hydran alone."""
    text = "turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC+FF\n"
    answers = {("card", "hydran"): FIGHT, ("flank", "hydran"): {"hydran-F1-DD": {"group": 1}}}
    if lyran_flanks:
        answers[("flank", "lyran")] = {"lyran-F1-FF": {"group": 1}}
    return Run(turn := table_of(world(text), dice), combat_phase_steps(turn.at("combat")), answers)


@pytest.mark.rule("cutler", "3.7.4")
def test_of_two_flanks_that_arrive_together_the_higher_die_sets_up_first(kept: Kept):
    # Both roll 3 and arrive on turn 4; their dice are equal at first, then 2 and 5.
    dice = {"flank 1, hydran": [3], "flank 1, lyran": [3], "meeting die 0, hydran, again": [2]}
    dice |= {"meeting die 0, lyran, again": [5], "meeting die 0, hydran": [6], "meeting die 0, lyran": [6]}
    assert combats.account(flanked(dice)) == kept()


@pytest.mark.rule("cutler", "3.7.4", "3.7.8")
def test_its_die_tells_nobody_whether_another_flank_comes():
    # The Lyran flanks on another turn, on the same one, or not at all: what the Hydran reads is the same.
    dice = {"flank 1, hydran": [3], "meeting die 0, hydran": [4], "meeting die 0, lyran": [1], "set-up, Hydran": [6]}
    dice |= {"set-up, Lyran": [1]}
    runs = [
        flanked(dice | {"flank 1, lyran": [3]}),
        flanked(dice | {"flank 1, lyran": [6]}),
        flanked(dice, lyran_flanks=False),
    ]
    seen = [sees(run.table, run.asks, "hydran") for run in runs]
    assert seen[0] == seen[1] == seen[2]


# --- each by itself --------------------------------------------------------------------------------------------------
@cases("sheet, ways")
def test_directions_go_round_from_one_to_six(sheet, ways):
    rolled = dict(enumerate((1, 2, 5, 6), 1))
    said = SteerSheet.model_validate(sheet)
    assert [said.way(number, die) for number, die in rolled.items()] == ways
    turn = table_of(world("hydran F1 0404 FF"))
    assert Run(turn, steered_steps(turn, "0404", None, rolled)).result == rolled
    run = Run(turn, steered_steps(turn, "0404", "lyran", rolled), {("steer", "lyran"): sheet})
    assert list(run.result.values()) == ways
    (ask,) = run.asks
    assert [line.label for line in ask.form.lines] == [f"Group {n} in direction {die}" for n, die in rolled.items()]
    assert refusal_words(ask, {"G5": {"shift": 1}}) == ["G5: no such group surrounds. Legal: G1, G2, G3, G4."]
    assert refusal_words(ask, {"G1": {"shift": -2}}) == ["G1.shift: the number is too small. Legal: -1, 0, 1."]


@pytest.mark.rule("cutler", "3.6.1.1")
def test_a_sheet_names_its_groups_in_their_order_and_where_the_rest_stands(kept: Kept):
    (ask,) = surrounded().asked("lyran", "surround")
    sheet = {"rest": {"direction": 4}, "lyran-F1-CW": {"group": 1}, "lyran-F1-CC": {"group": 2}}
    assert ask.read_back(ask.answer_from(sheet)) == kept()
    for nothing in ({}, {"rest": {}}, {"rest": {"direction": 1}, "lyran-F1-CW": {"group": 0}}):
        assert ask.read_back(ask.answer_from(nothing)) == ["Your force is set up in direction 1."]
    legal = [{"rest": {"direction": n}} for n in (1, 6)] + [{"lyran-F1-CW": {"group": n}} for n in (0, 2)]
    assert [refusal_words(ask, one) for one in legal] == [[]] * 4
    none = "rest.direction: there is no such direction (3.6.1.1). Legal: 1 to 6."
    assert [refusal_words(ask, {"rest": {"direction": n}}) for n in (0, 7)] == [[none], [none]]


@pytest.mark.rule("cutler", "3.7.5")
def test_who_may_flank(kept: Kept):
    state = world(
        "hydran F1 0404 CA+PF\nhydran base 0404 Fort\nhydran police 0404\nhydran F2 0404 CV[fighters=6]\n"
        "hydran F3 0404 CV[fighters=6,boosters=1]\n"
    )
    wings = [squadron(key, "hydran", key, "0404", take_off(state.units[f"hydran-{key}-CV"], 2)) for key in ("F2", "F3")]
    assert {unit.id: may_flank(unit) for unit in [*state.alive("hydran"), *wings]} == kept()


@cases("early, dice, turns")
def test_a_group_comes_a_die_and_one_turn_after_the_one_before_or_a_turn_sooner(early, dice, turns):
    text = "turn 1 impulse 3\nhydran F1 0404 CA[officers=navigator]+DD[officers=navigator]\nlyran F1 0404 CC\n"
    sheet = {ship: {"group": n, "early": n in early} for n, ship in enumerate(("hydran-F1-CA", "hydran-F1-DD"), 1)}
    falls = {f"flank {n}, hydran": [die] for n, die in enumerate(dice, 1)}
    setup = battles_of(combats.met(text, {("card", "hydran"): FIGHT, ("flank", "hydran"): sheet}, falls))[0].setup
    (rows,) = [one.rows for one in setup.secret["hydran"] if one.title == "Your flanking groups"]
    assert rows[:2] == (f"Arrives on turn {turns[0]}: Hydran F1 Ca", f"Arrives on turn {turns[1]}: Hydran F1 Dd")


@pytest.mark.rule("cutler", "3.7.4")
def test_only_groups_that_arrive_together_roll_again_while_they_are_equal():
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\n")
    battle = Battle(key="b", kind="main", hex="0404", sides=("hydran", "lyran"), lines={})
    dice = {"meeting die 0, hydran, again": [3, 2], "meeting die 0, lyran, again": [3, 5]}
    dice |= {"meeting die 0, hydran": [4], "meeting die 1, hydran": [6]}
    dice |= {"meeting die 0, lyran": [4], "meeting die 1, lyran": [6]}
    turn = table_of(state, dice)
    arrivals = {"hydran": {1: 4, 2: 9}, "lyran": {1: 4, 2: 8}}
    assert flank_dice(turn, battle, arrivals) == {"hydran": [2, 6], "lyran": [5, 6]}
    seen = {roll.purpose: (roll.faces, roll.seen_by) for roll in turn.shared.rolls}
    assert seen["meeting die 0, lyran"] == (6, frozenset({"lyran"}))
    assert seen["meeting die 0, lyran, again"] == (6, frozenset())
    assert len(turn.shared.rolls) == 4 + 4
    turn = table_of(state, {"meeting die": [1]})
    assert flank_dice(turn, battle, {"lyran": {3: 5}}) == {"lyran": [1]}
    assert flank_dice(turn, battle, {}) == {}
