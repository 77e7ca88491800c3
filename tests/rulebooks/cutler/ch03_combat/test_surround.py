"""Chapter 3.6.1.1 and 3.7.4: pursuers that surround, and flanks that arrive together."""

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from tests.rulebooks.cutler.worlds import Run, offered, refusal_words, refusals, sees, table_of, world

FIGHT = {"force": {"card": "combat"}}


def in_directions(run):
    """The panel of an escape battle that says where its pursuers stand, without the last line."""
    setup = next(ask for ask in run.asks if ask.kind == "battle").setup
    panel = next(one for one in setup.panels if one.title.startswith("Where the pursuers stand"))
    return panel.rows[:-1]


@pytest.mark.rule("cutler", "3.6.1.1")
def test_the_books_own_example_of_a_surrounded_carrier_group():
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
    turn = table_of(world(text), dice)
    run = Run(turn, combat_phase_steps(turn.at("combat")), answers)
    assert in_directions(run) == (
        "Direction 1: K2 Klingon F1 Ca2, K3 Klingon F1 Ca3, K6 Klingon F1 Dw3, K7 Klingon F1 Dw4",
        "Direction 3: K1 Klingon F1 Ca, K8 Klingon F1 Dw5, K9 Klingon F1 Dw6",
        "Direction 4: K4 Klingon F1 Dw, K5 Klingon F1 Dw2",
    )
    rolled = [roll.purpose for roll in turn.shared.rolls if "group" in roll.purpose and "escape" not in roll.purpose]
    assert rolled == [*(f"surround, group {n}" for n in range(1, 7)), *(f"direction, group {n}" for n in (1, 4, 5, 6))]


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
    turn = table_of(world(text), dice)
    return Run(turn, combat_phase_steps(turn.at("combat")), answers)


def stands(run):
    """Where the ship stands that tried to surround: the last that is said of directions."""
    return next(row.split(":")[0] for row in in_directions(run) if "Cw" in row)


@pytest.mark.rule("cutler", "3.6.1.1", "3.6.1.1.1", "3.6.1.1.2")
@pytest.mark.parametrize(
    ("runner", "hunter", "limit"), [("", "", 3), ("", NAVIGATOR, 4), (NAVIGATOR, "", 2), (NAVIGATOR, NAVIGATOR, 3)]
)
def test_navigators_change_the_die_at_which_a_group_surrounds(runner, hunter, limit):
    came = [stands(surrounded(runner, hunter, die=die, way=5)) == "Direction 5" for die in range(1, 7)]
    assert came == [die <= limit for die in range(1, 7)]
    asked = surrounded(runner, hunter).asked("lyran", "surround")[0]
    assert f"succeeds on 1 to {limit};" in asked.text


@pytest.mark.rule("cutler", "3.6.1.1.1")
@pytest.mark.parametrize(("way", "shift", "stood"), [(6, 1, 1), (6, -1, 5), (1, -1, 6), (3, 0, 3), (3, None, 3)])
def test_a_pursuing_navigator_may_shift_a_direction_by_one(way, shift, stood):
    steer = None if shift is None else {"G1": {"shift": shift}}
    run = surrounded("", NAVIGATOR, way=way, steer=steer)
    assert [ask.parties for ask in run.asks if ask.kind == "steer"] == [("lyran",)]
    assert stands(run) == f"Direction {stood}"
    ask = run.asked("lyran", "steer")[0]
    assert refusal_words(ask, {"G2": {"shift": 1}}) == ["G2: no such group surrounds. Legal: G1."]
    assert refusals(ask, {"G1": {"shift": 2}}) != []


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
def test_a_sheet_of_pursuers_offers_groups_and_directions_and_says_which_are_none():
    (ask,) = surrounded().asked("lyran", "surround")
    assert [(line.label, offered(line)) for line in ask.form.lines] == [
        (
            "Your force",
            [
                (
                    "Direction",
                    "Direction 1, in their path, Direction 2, Direction 3, Direction 4, behind them, Direction 5, "
                    "Direction 6",
                    "1",
                    "",
                )
            ],
        ),
        (
            "Lyran F1 Cc (CC)",
            [("Surround", "Does not surround, Surrounding group 1, Surrounding group 2", "0", "")],
        ),
        (
            "Lyran F1 Cw (CW)",
            [("Surround", "Does not surround, Surrounding group 1, Surrounding group 2", "0", "")],
        ),
    ]
    assert ask.text == (
        "Each group that tries to surround succeeds on 1 to 3; a second die is its direction. Directions count from "
        "the facing of the escaping ships, which is 1; 4 is behind them."
    )
    assert ask.read_back(ask.answer_from({"lyran-F1-CW": {"group": 1}})) == [
        "Your force is set up in direction 1.",
        "Group 1 surrounds: Lyran F1 Cw (CW).",
    ]
    sheets = [
        {"hydran-F1-DD": {"group": 1}},
        {"lyran-F1-CW": {"group": 3}},
        {"lyran-F1-CW": {"direction": 4}},
        {"rest": {"direction": 7}},
        {"rest": {"group": 1}},
    ]
    assert [one for sheet in sheets for one in refusal_words(ask, sheet)] == [
        "hydran-F1-DD: this unit has not caught anybody here (3.6.1.1). Legal: lyran-F1-CC, lyran-F1-CW. "
        "Did you mean lyran-F1-CW or lyran-F1-CC?",
        "lyran-F1-CW.group: there is no such group. Legal: 0 to 2.",
        "lyran-F1-CW.direction: the direction of a group is rolled for (3.6.1.1). Legal: a group.",
        "rest.direction: there is no such direction (3.6.1.1). Legal: 1 to 6.",
        "rest.group: the rest of the force is in no group. Legal: a direction.",
    ]


@pytest.mark.rule("cutler", "3.6.1.1.2")
def test_an_escaping_navigator_shifts_it_and_two_shift_nothing():
    run = surrounded(NAVIGATOR, "", die=2, way=2, steer={"G1": {"shift": 1}})
    assert [ask.parties for ask in run.asks if ask.kind == "steer"] == [("hydran",)]
    assert stands(run) == "Direction 3"
    assert [ask for ask in surrounded(NAVIGATOR, NAVIGATOR).asks if ask.kind == "steer"] == []
    assert [ask for ask in surrounded("", NAVIGATOR, die=5).asks if ask.kind == "steer"] == [], "none surrounds"


@pytest.mark.rule("cutler", "3.6.1", "3.6.1.1")
def test_without_orders_the_pursuers_stand_together_and_no_die_falls():
    judged: list = []

    def surround(ask):
        for sheet in (
            {"hydran-F1-DD": {"group": 1}},
            {"lyran-F1-FF": {"group": 2}},
            {"lyran-F1-FF": {"direction": 4}},
            {"rest": {"direction": 7}},
            {"rest": {"group": 1}},
        ):
            judged.extend(refusals(ask, sheet))
        return {"rest": {"direction": 5}}

    text = "turn 1 impulse 3\nhydran F1 0404 DD\nlyran F1 0404 FF\n"
    answers = {
        ("card", "lyran"): FIGHT,
        ("wave", "hydran"): [{"wave": {"ships": ["hydran-F1-DD"]}}],
        ("pursuit", "lyran"): {"lyran-F1-FF": {"group": 1}},
        ("surround", "lyran"): surround,
    }
    turn = table_of(world(text), {"escape from": [6]})
    run = Run(turn, combat_phase_steps(turn.at("combat")), answers)
    assert in_directions(run) == ("Direction 5: L1 Lyran F1 Ff",)
    assert not [roll for roll in turn.shared.rolls if "surround" in roll.purpose or "direction" in roll.purpose]
    assert judged == [
        ("hydran-F1-DD", "3.6.1.1"),
        ("lyran-F1-FF.group", ""),
        ("lyran-F1-FF.direction", "3.6.1.1"),
        ("rest.direction", "3.6.1.1"),
        ("rest.group", ""),
    ]


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
    turn = table_of(world(text))
    Run(turn, combat_phase_steps(turn.at("combat")), answers)
    rolled = [roll.purpose for roll in turn.shared.rolls if "escape from group" in roll.purpose]
    assert rolled == [f"escape from group {number}" for number in range(1, 12)]


# --- flanks that arrive together -------------------------------------------------------------------------------------


def flanked(dice, *, lyran_flanks=True):
    """A battle in which both sides flank with a ship each, or the Hydran alone."""
    text = "turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC+FF\n"
    answers = {("card", "hydran"): FIGHT, ("flank", "hydran"): {"hydran-F1-DD": {"group": 1}}}
    if lyran_flanks:
        answers[("flank", "lyran")] = {"lyran-F1-FF": {"group": 1}}
    turn = table_of(world(text), dice)
    return Run(turn, combat_phase_steps(turn.at("combat")), answers)


def own_dice(run, side):
    panels = next(ask for ask in run.asks if ask.kind == "battle").setup.secret[side]
    return next(one.rows for one in panels if "3.7.4" in one.title)


@pytest.mark.rule("cutler", "3.7.4")
def test_of_two_flanks_that_arrive_together_the_higher_die_sets_up_first():
    # Both roll 3 and arrive on turn 4; their dice are equal at first, then 2 and 5.
    dice = {"flank 1, hydran": [3], "flank 1, lyran": [3], "meeting die 0, hydran, again": [2]}
    dice |= {"meeting die 0, lyran, again": [5], "meeting die 0, hydran": [6], "meeting die 0, lyran": [6]}
    run = flanked(dice)
    assert own_dice(run, "hydran")[0] == "Turn 4: your die is 2."
    assert own_dice(run, "lyran")[0] == "Turn 4: your die is 5."
    assert "the higher sets up first" in own_dice(run, "lyran")[1]


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
