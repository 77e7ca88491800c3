"""Chapters 4 and 6: the words of the turn's sheet, of docks, bases, ground bases, accessories and missions."""

import pytest

from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.rulebooks.cutler.worlds import offered, on_sheet
from tests.rulebooks.cutler.yards import HOME, yard


@pytest.mark.rule("cutler", "4.1.6", "4.2.1.1", "4.4.1", "4.4.5", "4.4.9", "4.2.4", "6.4", "6.4.1.8")
def test_what_the_sheet_of_a_turn_asks() -> None:
    said = on_sheet(turn_ask(yard(HOME + "hydran F1 0205 CA+FF\nreserve hydran 40\n"), "hydran"))
    left_out = ("- Begin: ", "- Accessory: ", "Accessory order ", "Mission ")
    assert [
        one for one in dict.fromkeys(said) if not one.startswith(left_out) or one.endswith(" 1") or " 1 (" in one
    ] == [
        "Turn 1: economy, espionage and courses",
        "You make 125 CPV this turn. Place them, plot missions, and set your fleets' courses.",
        "Work goes on, all other new CPV go to the Base Pool; no missions; fleets keep their courses.",
        "New CPV (125 new CPV; Reserve 40 of 300, Base Pool 0)",
        "- To Intelligence: 0 to 125; 0; IP, 1 for 1",
        "- To the Base Pool: 0 to 125; None; blank: all the rest",
        "- Later turns: It stands: each turn from now on, It does not stand; 'no'",
        "CPV in 0205 (makes 100, stores 0 in 50 boxes)",
        "- New CPV into cargo boxes: 0 to 50; 0",
        "- CPV into repair boxes: 0 to 50; None; blank: what the work there takes; more is lost",
        "D1: Yard, bay 1 (0205, 30 repair boxes: free)",
        "- Name: text; None; blank: one is found",
        "- CPV into it: 0 to 30; None; blank: as many as there are",
        "- Then refit into: CA, FF; None; in the same turn",
        "- People of a new ship: Legendary navigator, Legendary science officer, Legendary captain, "
        "Legendary engineer, Legendary weapons officer, Legendary doctor, Legendary officer of marines; "
        "None; none: a normal crew",
        "D2: Yard, bay 2 (0205, 20 repair boxes: free)",
        "- CPV into it: 0 to 20; None; blank: as many as there are",
        "New base or upgrade (Built by a tug or large freighter that stays there)",
        "- Set aside for: BATS, BS; None; from the Base Pool, all of it at once",
        "- Hex: text; None; where a builder will come",
        "Scrap a base (for half of its value, into the Base Pool)",
        "- Base: Yard (Base), 0205; None; blank: none",
        "- This cannot be undone. Sure?: flag; False",
        "Ground bases on P0205 (no ground bases; paid with the new CPV of this planet alone)",
        "- Ground bases to build: 0 to 5; 0; 20 CPV each",
        "- Hexsides: A: 4 free, B: 4 free, C: 4 free, D: 4 free, E: 4 free, F: 4 free; []; one by one in "
        "turn; none: on all",
        "Ground bases on P0307 (no ground bases; paid with the new CPV of this planet alone)",
        "- Ground bases to build: 0 to 1; 0; 20 CPV each",
        "- Hexsides: A: 2 free, B: 2 free, C: 2 free, D: 2 free, E: 2 free, F: 2 free; []; one by one in "
        "turn; none: on all",
        "Accessory order 1 (Bought through repair boxes that docks leave free, or moved within a hex)",
        "- How many: 1 to 200; None; blank: one",
        "- Into: Hydran F1 Ca (CA), 0205, Hydran F1 Ff (FF), 0205, Yard (Base), 0205, Cargo boxes of "
        "Yard (Base), 0205; None",
        "- From: Hydran F1 Ca (CA), 0205, Hydran F1 Ff (FF), 0205, Yard (Base), 0205, Cargo boxes of "
        "Yard (Base), 0205; None; blank: bought at a base in that hex",
        "- Factory drones turned in: 0 to 200; None; credited",
        "Counter-intelligence (Taken from the Reserve)",
        "- Set aside: 0 to 165; 0; 0, or 10 and more",
        "Mission 1",
        "- Mission: Minefield Detection, Construction Plans, Movement Plot, Ship Plans, Base Plans, "
        "Location Detection, Insurrection, Resource Check, Planet Check; None",
        "- Against: Lyran, Klingon; None",
        "- Target: P0902, 0902 (Lyran); None; a planet for Insurrection and Planet Check, none for Base "
        "Plans, else a hex",
        "- Or another target: text; None; a hex by its number, as 0404, or a planet by name; for Ship "
        "Plans also a ship whose name you know",
        "- IP: 10 to 300; None",
        "F1: Hydran F1 Ca, Hydran F1 Ff (at 0205, speed 6)",
        "- Next: As the course says, Hold, To 0204, To 0305, To 0306, To 0206, To 0106, To 0105; 'course'",
        "- Course: text; ''; Hex numbers in order, e.g. 0404 0505, or to 0505; loop to repeat; blank holds",
        "- Ships: Hydran F1 Ca (CA), Hydran F1 Ff (FF); ['hydran-F1-CA', 'hydran-F1-FF']",
        "- Raze: No planet, P0902, 0902; 'none'; In each impulse that it ends there, after combat",
        "- Standing orders: text; None; For example combat x1.5; run x2; pursue never; counter 10; go on",
        "- Its course ends at: text; None; For example contact; turn 5; at 0505",
        "New fleet (Ships of one hex that go their own way)",
        "- Ships to split off: Hydran F1 Ca (CA), 0205, Hydran F1 Ff (FF), 0205; []",
        "- Their course: text; None",
        "Coordinated force (Takes effect when all who are named name each other; ends when one no longer does)",
        "- One force with: Lyran, Klingon; []",
        "- Its counter: By command rating, Yours, Lyran, Klingon; 'rating'",
        "Standing orders",
        "- Meeting others: Ask me each time, Always bypass, Always combat; 'ask'",
        "- Plots: Ask for plots when something is near, Ask for plots in every impulse; 'contact'",
        "- In words: text; None; For all fleets without orders of their own, for example combat x1.5; run x2; "
        "pursue never; counter 10; go on",
    ]


def busy() -> CutlerState:
    """A yard in whose hex a tug is, and a frigate that is damaged."""
    state = yard(HOME + "hydran F1 0205 CA+FF[warp=9]\nhydran F2 0205 AUX\nreserve hydran 200\n")
    state.empires["hydran"].base_pool = 200
    return state


ORDERS = {
    "economy": {"reserve": 20, "pool": 10},
    "H0205": {"cargo": 5, "repair": 40},
    "D1": {"work": "build ff", "cpv": 10},
    "D2": {"work": "repair hydran-F1-FF", "cpv": 14},
    "L1": {"carry": 5, "unload": False},
    "base": {"type": "bs", "at": "0404"},
    "scrap": {},
    "G2": {"build": 1, "sides": ["C"]},
    "counter": {"points": 10},
    "M1": {"kind": "location", "against": "lyran", "other": "0404", "ip": 20},
    "M2": {"kind": "insurrection", "against": "lyran", "other": "p0902", "ip": 10},
    "F1": {"course": "0206"},
}


@pytest.mark.rule("cutler", "4.1.6", "4.2.1", "4.3", "4.4.6", "4.4.9", "6.4", "6.4.1.8")
def test_the_sheet_of_a_turn_is_read_back() -> None:
    ask = turn_ask(busy(), "hydran")
    assert ask.read_back(ask.answer_from(ORDERS)) == [
        "20 CPV to the Reserve, 10 to the Base Pool, 30 lost.",
        "In 0205: 5 new CPV into cargo boxes, 40 CPV into repair boxes.",
        "152 CPV of the Base Pool are set aside for BS 1 (BS) in 0404.",
        "P0307 will have 1 ground base (hexside C 1).",
        "D1: begins FF 1 (FF) with 10 CPV, then 10 of 60.",
        "D2: repairs Hydran F1 Ff: 2 warp boxes for 10 CPV.",
        "Hydran F2 Aux holds 5 CPV.",
        "10 IP for counter-intelligence.",
        "M1: Location Detection against the Lyran, hex 0404 with 20 IP.",
        "M2: Insurrection against the Lyran, the planet P0902 in 0902 with 10 IP.",
        "F1 (Hydran F1 Ca, Hydran F1 Ff): 0205 → 0206.",
        "F2 (Hydran F2 Aux): holds in 0205.",
    ]


@pytest.mark.rule("cutler", "4.1.6.1", "4.1.6.2", "4.3", "4.4.2", "6.4.1.7")
def test_a_sheet_of_a_turn_warns_of_what_is_lost_or_comes_to_nothing() -> None:
    ask = turn_ask(busy(), "hydran")
    assert ask.warn(ask.answer_from(ORDERS)) == [
        "30 CPV are allocated nowhere and will be lost (4.1.6.1).",
        "16 CPV in repair boxes are used by nothing and will be lost (4.1.6.2).",
        "No tug or large freighter with cargo boxes is in 0404 to build (4.4.2).",
        "D2: 4 CPV repair no whole box and will be lost (4.3).",
        "M2: only a captured planet can revolt (6.4.1.7).",
        "F1 moves at the speed of Hydran F1 Ff, 5.",
    ]


@pytest.mark.rule("cutler", "4.1.5", "4.1.7")
def test_what_a_carrier_of_cpv_may_be_told() -> None:
    lines = turn_ask(busy(), "hydran").form.by_key
    assert [lines["L1"].label, lines["L1"].note, *map(repr, offered(lines["L1"]))] == [
        "Load of Hydran F2 Aux",
        "at 0205, 0 CPV in 40 boxes",
        "('CPV to hold', '0 to 40', None, 'blank: as it comes')",
        "('Unload into bases it comes upon', 'flag', False, '')",
    ]
