"""Chapter 2: the words of a sheet of plots: towing, escorts, cloaks, coordination and standing orders."""

import pytest

from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from tests.rulebooks.cutler.worlds import on_sheet, world

TEXT = """
turn 1 impulse 1
planet capital 0205 hydran
hydran F1 0404 CA[tractors=1]+FF[warp=0,imp=0]
hydran F2 0503 DD[cloak=up]
hydran V1 0404 FL+FL+QL course 0405 0406
lyran F1 0606 CA
"""


@pytest.mark.rule("cutler", "2.2", "2.4.1.5", "2.6.2.1", "2.7.5", "2.10")
def test_what_a_sheet_of_plots_asks() -> None:
    ask = plot_ask(world(TEXT), "hydran")
    assert on_sheet(ask) == [
        "Turn 1, impulse 1: plots",
        "You wished to be asked in every impulse. Stored courses are filled in; change what you like.",
        "All fleets keep their stored courses.",
        "F1: Hydran F1 Ca, Hydran F1 Ff (at 0404, speed 0)",
        "- Next: As the course says, Hold, To 0403, To 0504, To 0505, To 0405, To 0305, To 0304; 'course'",
        "- Course: text; ''; Hex numbers in order, e.g. 0404 0505, or to 0505; blank holds",
        "- Ships: Hydran F1 Ca (CA), Hydran F1 Ff (FF); ['hydran-F1-CA', 'hydran-F1-FF']",
        "- In tow: Hydran F1 Ca (CA), Hydran F1 Ff (FF); []; By others of the fleet, which makes 3 hexes a turn then",
        "- Escorts: Nobody, Convoy V1; 'none'; Goes where it goes, when it goes; leave the course as it is",
        "F2: Hydran F2 Dd (at 0503, speed 4)",
        "- Next: As the course says, Hold, To 0502, To 0602, To 0603, To 0504, To 0403, To 0402; 'course'",
        "- Course: text; ''; Hex numbers in order, e.g. 0404 0505, or to 0505; blank holds",
        "- Cloak: Under cloak: speed 4, Not cloaked; 'cloaked'",
        "New fleet (Ships of one hex that go their own way)",
        "- Ships to split off: Hydran F1 Ca (CA), 0404, Hydran F1 Ff (FF), 0404, Hydran F2 Dd (DD), 0503; []",
        "- Their course: text; None",
        "- Cloak: Under cloak: speed 4, Not cloaked; None",
        "Coordinated force (Takes effect when all who are named name each other; ends when one no longer does)",
        "- One force with: Lyran, Klingon; []",
        "- Its counter: By command rating, Yours, Lyran, Klingon; 'rating'",
        "Standing orders",
        "- Meeting others: Ask me each time, Always bypass, Always combat; 'ask'",
        "- Plots: Ask for plots when something is near, Ask for plots in every impulse; 'contact'",
        "- Meeting others under cloak: Ask me each time, Always stay under cloak; 'ask'",
    ]


@pytest.mark.rule("cutler", "2.2")
def test_stored_courses_are_read_back() -> None:
    ask = plot_ask(world(TEXT), "hydran")
    assert ask.read_back(ask.answer_from({})) == [
        "F1 (Hydran F1 Ca, Hydran F1 Ff): holds in 0404.",
        "F2 (Hydran F2 Dd): holds in 0503; under cloak.",
        "Standing orders: meeting others, you are asked for a card; you are asked for plots when "
        "something is near; under cloak you are asked.",
    ]
