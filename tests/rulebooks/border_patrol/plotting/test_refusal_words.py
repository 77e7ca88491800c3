"""What is refused of a turn's sheet, in the words that captains read."""

from typing import Any

from tests.expected.kept import cases
from tests.rulebooks.border_patrol.plays import refused, world

LINES = """
blue B1 0505 CA+DD
blue B2 0505 FF
blue B3 0505 FF
blue B4 0707 FF[towing=B4-DD]+DD+FF
blue B5 0808 CA[warp_ok=0]
blue B6 0909 CA+FF[kind=fighter]
"""


def told(sheet: dict[str, Any]) -> list[str]:
    return [str(one) for one in refused(world(LINES), sheet)]


@cases("route, says")
def test_of_a_route(route: str, says: str):
    assert told({"B1": {"route": route}}) == [f"B1.route: {says}"]


def test_of_a_stack_that_does_not_move():
    assert told({"B5": {"route": "0809"}}) == [
        "B5.route: B5 would enter 1 hex in this turn (V8.12, V8.93). Legal: none: it does not move."
    ]
    assert told({"B5": {"route": "P8 0809"}})[0] == (
        "B5.route: B5 would enter 1 hex in phase 8 (V8.93, V8.94). Legal: none: it does not move."
    )


def test_of_stacks_and_units():
    assert told({"B9": {}, "B2": {"emergency": ["B2-XX"]}}) == [
        "B9: you command no such stack. Legal: B1, B2, B3, B4, B5, B6.",
        "B2.emergency: no such unit is in B2. Legal: B2-FF. Did you mean B2-FF?",
    ]


def test_of_parting_and_joining():
    assert told({"B1": {"detach": ["B1-CA", "B1-DD"]}, "B6": {"detach": ["B6-CA"]}}) == [
        "B1-ships.detach: nobody would be left in B1. Legal: some of its units.",
        "B6-ships.detach: B6-FF would be aboard nothing (V8.18, BP-R09). Legal: a unit beside them that travels.",
    ]
    joins = {
        ("B1", "B4"): "B1 cannot join B4. Legal: B2, B3.",
        ("B4", "B99"): "there is no such stack. Legal: no other stack is there.",
    }
    for (one, other), says in joins.items():
        assert told({one: {"join": other}}) == [f"{one}-ships.join: {says}"]
    assert told({"B1": {"join": "B2"}, "B2": {"join": "B3"}}) == [
        "B1-ships.join: B2 joins another itself. Legal: a stack that stays one."
    ]
    assert told({"B1": {"join": "B2", "emergency": ["B1-CA"]}}) == [
        "B1.emergency: B1 joins B2, and does what B2 does. Legal: say it in the line of B2."
    ]


def test_of_a_rearguard():
    torn = "B4-FF tows B4-DD, and one of them would stay (V8.35, BP-R22). Legal: both, or neither."
    for rear in ("B4-FF", "B4-DD"):
        assert told({"B4": {"rearguard": [rear]}}) == [f"B4-ships.rearguard: {torn}"]
    assert told({"B4": {"rearguard": ["B4-FF", "B4-DD", "B4-FF2"]}}) == [
        "B4-ships.rearguard: all of B4 would stay (V8.23). Legal: some of its units."
    ]
    assert told({"B1": {"rearguard": ["B1-CA"], "held": "either"}}) == [
        "B1-ships.rearguard: B1-CA has the highest Command Rating of B1, 8, and would stay (V8.24, BP-R14). "
        "Legal: B1-CA among those that break out."
    ]


def test_of_overhauls_and_reaction():
    assert told({"B1": {"overhaul": ["B1-CA"]}}) == [
        "B1-ships.overhaul: nothing in 0505 overhauls engines (V8.45, BP-R37). "
        "Legal: a hex with an own SB, MB, BS, BATS or FRD, or an own star system."
    ]
    assert told({"B1": {"react": "any", "route": "0506"}}) == [
        "B1.route: B1 lies in wait, and would go its way as well (V8.61). Legal: a route, or Reactionary Movement."
    ]
