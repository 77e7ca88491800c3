"""Chapter 2: the words of a sheet of plots: towing, escorts, cloaks, coordination and standing orders."""

import pytest

from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from tests.rulebooks.cutler.worlds import offered, on_sheet, world

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


CONVOYS = """
turn 1 impulse 1
planet capital 0205 hydran throne
planet minor 0207 hydran tide
dust 0206
hydran waits 0205 FL+FL+FS+QL
hydran base 0409 Post
hydran V1 0404 FL+FL+FL+FL+QL+QL course 0405 0406
"""
SAILS = {"E0205": {"to": "0207", "ships": ["hydran-waits-FL", "hydran-waits-FS"]}, "V1": {"back": ["hydran-V1-QL2"]}}


@pytest.mark.rule("cutler", "2.7", "2.7.2", "2.7.3")
def test_what_a_sheet_asks_of_convoys() -> None:
    lines = plot_ask(world(CONVOYS), "hydran").form.by_key
    assert [
        one for key in ("E0205", "V1") for one in (lines[key].label, lines[key].note, *map(repr, offered(lines[key])))
    ] == [
        "Freighters in 0205: Hydran Waits Fl, Hydran Waits Fl2, Hydran Waits Fs, Hydran Waits Ql",
        "at 0205, waiting",
        "('Sail to', 'Tide, 0207, Your base, 0409', None, 'blank: nobody sails')",
        "('Who sails', 'Hydran Waits Fl (FL), Hydran Waits Fl2 (FL), Hydran Waits Fs (FS), Hydran Waits "
        "Ql (QL)', ['hydran-waits-FL', 'hydran-waits-FL2', 'hydran-waits-FS', 'hydran-waits-QL'], '')",
        "('Over', 'text', None, 'Hexes on the way, as 0404 0505; blank is the straight way. It cannot be "
        "changed later')",
        "('Unload into bases on arrival', 'flag', True, '')",
        "V1: Hydran V1 Fl and 5 more",
        "at 0404, under way; of Q-ships too many these return first",
        "('Turn back first', 'Hydran V1 Ql (QL), Hydran V1 Ql2 (QL)', [], '')",
    ]


@pytest.mark.rule("cutler", "2.7", "2.7.2", "2.7.3")
def test_orders_to_convoys_are_read_back() -> None:
    ask = plot_ask(world(CONVOYS), "hydran")
    assert ask.read_back(ask.answer_from(SAILS))[:2] == [
        "Convoy (Hydran Waits Fl, Hydran Waits Fs): 0205 → 0206 → 0207, for good; unloads on arrival.",
        "V1: first to turn back Hydran V1 Ql2.",
    ]


@pytest.mark.rule("cutler", "2.7.1", "2.4.1.9")
def test_a_convoy_is_warned_of_dust_and_of_a_slow_ship() -> None:
    state = world(CONVOYS)
    state.units["hydran-waits-FS"].warp_ok = 4
    ask = plot_ask(state, "hydran")
    assert ask.warn(ask.answer_from(SAILS)) == [
        "The convoy of E0205 is held up in 0206 (2.4.1.9, 2.4.1.10, 9.3).",
        "The convoy of E0205 sails at the speed of Hydran Waits Fs, 2 (2.7.1).",
    ]


@pytest.mark.rule("cutler", "2.2", "2.7.2")
def test_the_examples_of_the_help_texts_are_accepted_and_mean_what_they_say() -> None:
    state = world("turn 1 impulse 1\nhydran F1 0403 CA\nplanet minor 0505 hydran\nhydran waits 0403 FL")
    ask = plot_ask(state, "hydran")
    assert offered(ask.form.by_key["F1"])[1][3].startswith("Hex numbers in order, e.g. 0404 0505, or to 0505;")
    assert offered(ask.form.by_key["E0403"])[2][3].startswith("Hexes on the way, as 0404 0505;")
    for key, course in (("F1", "0404 0505"), ("F1", "to 0505"), ("E0403", "0404 0505")):
        (plotted,) = ask.courses(ask.answer_from({key: {"course": course}}))
        assert (plotted.counter, plotted.hexes) == (key, ("0403", "0404", "0505"))
