"""Chapters 4 and 6: the words of the turn's sheet, of docks, bases, ground bases, accessories and missions."""

import pytest

from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept
from tests.rulebooks.cutler.worlds import offered, on_sheet
from tests.rulebooks.cutler.yards import HOME, yard


@pytest.mark.rule("cutler", "4.1.6", "4.2.1.1", "4.4.1", "4.4.5", "4.4.9", "4.2.4", "6.4", "6.4.1.8")
def test_what_the_sheet_of_a_turn_asks(kept: Kept) -> None:
    said = on_sheet(turn_ask(yard(HOME + "hydran F1 0205 CA+FF\nreserve hydran 40\n"), "hydran"))
    left_out = ("- Begin: ", "- Accessory: ", "Accessory order ", "Mission ")
    assert [
        one for one in dict.fromkeys(said) if not one.startswith(left_out) or one.endswith(" 1") or " 1 (" in one
    ] == kept()


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
def test_the_sheet_of_a_turn_is_read_back(kept: Kept) -> None:
    ask = turn_ask(busy(), "hydran")
    assert ask.read_back(ask.answer_from(ORDERS)) == kept()


@pytest.mark.rule("cutler", "4.1.6.1", "4.1.6.2", "4.3", "4.4.2", "6.4.1.7")
def test_a_sheet_of_a_turn_warns_of_what_is_lost_or_comes_to_nothing(kept: Kept) -> None:
    ask = turn_ask(busy(), "hydran")
    assert ask.warn(ask.answer_from(ORDERS)) == kept()


@pytest.mark.rule("cutler", "4.1.5", "4.1.7")
def test_what_a_carrier_of_cpv_may_be_told(kept: Kept) -> None:
    lines = turn_ask(busy(), "hydran").form.by_key
    assert [lines["L1"].label, lines["L1"].note, *map(repr, offered(lines["L1"]))] == kept()
