"""Chapter 3.6.1.1 and 3.7.4: pursuers that surround, and flanks that arrive together."""

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from tests.rulebooks.cutler.worlds import Run, refusals, sees, table_of, world

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
