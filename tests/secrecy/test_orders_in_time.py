"""Standing orders in time, over messages, deadlines and all that the watcher may ask for: the watcher spies upon a race
that answers by hand in one world, and by its standing orders in the other. Three races."""

from random import Random
from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from tests.secrecy.quiet_policies import by_default, cutler_sheet
from tests.secrecy.test_cutler import GUESSES, PLAIN
from tests.secrecy.two_worlds import watch
from tests.secrecy.worlds import Record, World, alike

SPIES = {"M1": {"kind": "location", "against": "lyran", "other": "0702", "ip": 20}}
WAIT = {"at_once": False}
KEEPS = {"counter": {"points": 20}}
BY_ORDERS = {**KEEPS, "standing": {"orders": "counter 5; go on"}}


def by_hand(adjudicator: Any, side: str, ask: AnyAsk, chance: Random) -> Any:
    """The same said by hand."""
    if ask.kind == "counter":
        return {"counter": {"points": 5}}
    return cutler_sheet(KEEPS)(adjudicator, side, ask, chance)


def spied_upon(lyran: Any, **more: Any) -> World:
    """The Hydran watches and spies; the Lyran answers so."""
    policies = {**PLAIN.policies, "hydran": cutler_sheet(SPIES), "lyran": lyran}
    return PLAIN.but(**{"policies": policies, "settings": WAIT, **more})


def both(**more: Any) -> tuple[Record, Record]:
    """The two worlds."""
    one, other = (watch(spied_upon(policy, **more), guesses=GUESSES) for policy in (by_hand, cutler_sheet(BY_ORDERS)))
    assert one.hidden != other.hidden
    return one, other


@pytest.mark.parametrize(
    "late",
    [frozenset[str](), pytest.param(frozenset({"lyran"}), marks=pytest.mark.thorough)],
    ids=["ready", "never ready"],
)
def test_who_is_spied_upon_answers_alike_by_hand_and_by_orders(late: frozenset[str]) -> None:
    one, other = both(late=late)
    assert any("counter" in line for line in one.hidden)
    assert not any(" counter " in line for line in other.hidden)
    alike(one, other)


def test_where_orders_answer_at_once_it_can_be_told() -> None:
    """Else nothing would be compared."""
    one, other = both(late=frozenset({"lyran"}), settings={"at_once": True})
    with pytest.raises(AssertionError):
        alike(one, other)


def test_a_race_that_is_out_of_it_sees_the_same() -> None:
    """The Klingon, who has nothing to do with the mission."""
    sides = ("klingon", "hydran", "lyran")
    policies = {**PLAIN.policies, "klingon": by_default, "hydran": cutler_sheet(SPIES)}
    worlds = [
        PLAIN.but(sides=sides, late=frozenset({"lyran"}), settings=WAIT, policies={**policies, "lyran": policy})
        for policy in (by_hand, cutler_sheet(BY_ORDERS))
    ]
    alike(*(watch(world, guesses=()) for world in worlds))
