"""What is refused of a turn's sheet, in the words that captains read."""

from typing import Any

from tests.expected.kept import Kept, cases
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


def test_of_a_stack_that_does_not_move(kept: Kept):
    assert told({"B5": {"route": "0809"}}) == kept()
    assert told({"B5": {"route": "P8 0809"}})[0] == (
        "B5.route: B5 would enter 1 hex in phase 8 (V8.93, V8.94). Legal: none: it does not move."
    )


def test_of_stacks_and_units(kept: Kept):
    assert told({"B9": {}, "B2": {"emergency": ["B2-XX"]}}) == kept()


def test_of_parting_and_joining(kept: Kept):
    assert told({"B1": {"detach": ["B1-CA", "B1-DD"]}, "B6": {"detach": ["B6-CA"]}}) == kept("#1")
    joins = {
        ("B1", "B4"): "B1 cannot join B4. Legal: B2, B3.",
        ("B4", "B99"): "there is no such stack. Legal: no other stack is there.",
    }
    for (one, other), says in joins.items():
        assert told({one: {"join": other}}) == [f"{one}-ships.join: {says}"]
    assert told({"B1": {"join": "B2"}, "B2": {"join": "B3"}}) == kept("#2")
    assert told({"B1": {"join": "B2", "emergency": ["B1-CA"]}}) == kept("#3")


def test_of_a_rearguard(kept: Kept):
    torn = "B4-FF tows B4-DD, and one of them would stay (V8.35, BP-R22). Legal: both, or neither."
    for rear in ("B4-FF", "B4-DD"):
        assert told({"B4": {"rearguard": [rear]}}) == [f"B4-ships.rearguard: {torn}"]
    assert told({"B4": {"rearguard": ["B4-FF", "B4-DD", "B4-FF2"]}}) == kept("#1")
    assert told({"B1": {"rearguard": ["B1-CA"], "held": "either"}}) == kept("#2")


def test_of_overhauls_and_reaction(kept: Kept):
    assert told({"B1": {"overhaul": ["B1-CA"]}}) == kept("told({B1: {overhaul: (B1-CA)}})")
    assert told({"B1": {"react": "any", "route": "0506"}}) == kept("#2")
