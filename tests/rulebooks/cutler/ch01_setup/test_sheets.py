"""Chapter 1.1: the words of the sheets of the set-up."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch01_setup.draft import empires_steps, races_steps
from rules_engine.rulebooks.cutler.ch01_setup.planets import placement_steps
from rules_engine.rulebooks.cutler.ch01_setup.steps import draw_map
from tests.rulebooks.cutler.ch01_setup import test_planets_and_space
from tests.rulebooks.cutler.ch01_setup.ring import opened, table
from tests.rulebooks.cutler.shown import heads
from tests.rulebooks.cutler.worlds import Run, on_sheet

DICE = {"player order, Seat 1": [6, 6], "player order, Seat 2": [1, 2]}


def drafted(until: str = "races") -> Run:
    """The choice of races by two players, and of their empires."""
    state, setup = opened(2)
    turn: Any = table(state, DICE)
    run = Run(turn, races_steps(turn, setup))
    if until == "races":
        return run
    draw_map(turn, setup)
    return Run(turn, empires_steps(turn, setup))


@pytest.mark.rule("cutler", "1.1.1", "1.1.1.1")
def test_which_race_one_would_play_is_asked() -> None:
    assert on_sheet(drafted().asked("seat-1", "race")[0]) == [
        "Set-up: your race",
        "Two dice decide who chooses first. Say which races you would like, best first; each is played once.",
        "You take the first race of the list that is left.",
        "Race",
        "- First choice: Hydran, Federation, Klingon, Lyran, ISC, Gorn, Romulan, Tholian, Orion; None",
        "- Second choice: Hydran, Federation, Klingon, Lyran, ISC, Gorn, Romulan, Tholian, Orion; None",
        "- Third choice: Hydran, Federation, Klingon, Lyran, ISC, Gorn, Romulan, Tholian, Orion; None",
    ]


@pytest.mark.rule("cutler", "1.1.2.2")
def test_which_empire_one_would_take_is_asked() -> None:
    run = drafted("empires")
    assert heads(run, "seat-1") + heads(run, "seat-2") == [
        "empire: Set-up: empire of player 1 | Choose your empire. Who is asked to intercede at the same "
        "time may take one before you; then you choose again. | You take empire 1. | You take empire 1.",
        "intercede: Set-up: before the Hydran chooses | You may intercede now and take an empire before "
        "the Hydran's choice counts, or wait. | You wait. | You wait.",
    ]


@pytest.mark.rule("cutler", "1.1.2.3")
def test_where_planets_lie_is_asked() -> None:
    _, setup, turn = test_planets_and_space.settled()
    run = Run(turn, placement_steps(turn, setup))
    fields = [one for line in run.asked("seat-1", "planets")[0].form.lines for one in line.fields]
    assert [(one.key, one.most) for one in fields] == [("hex", 12), ("name", 30)] * 7
    assert on_sheet(run.asked("seat-1", "planets")[0])[:9] == [
        "Set-up: your planets",
        "Place your planets within your empire: each in a hex of its own, no two of them next to each "
        "other. All races' planets are shown at once when everybody is done, and never move.",
        "Your planets lie as they are filled in.",
        "Capital planet",
        "- Hex: text; '0104'",
        "- Name: text; 'Seat 1 Prime'",
        "Major 1 planet",
        "- Hex: text; '0106'",
        "- Name: text; 'Seat 1 II'",
    ]
