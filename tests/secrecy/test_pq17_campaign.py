"""PQ-17's campaign: two worlds that differ in what a side was never told look alike to it, in all that the bot sends.

A world goes through everything that a campaign asks: purchases, deployment, special conditions, the period's sheet,
planning, logistics, and (the referee setting the calendar forward) a period's end and the next one's beginning.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from tests.secrecy import commanders
from tests.secrecy.commanders import plain, wishful
from tests.secrecy.two_worlds import watch
from tests.secrecy.worlds import Record, World, alike

ALLIANCE, COALITION = "alliance", "coalition"
DICE = {
    "condition/alliance": (50,),  # CLEAN SWEEP, with a star
    "condition/coalition": (64,),  # Port Strike
    "event/alliance": (4, 5),  # none
    "event/coalition": (4, 5),
}
"""What both sides roll for their periods: each holds an operation, so that both are asked for it."""
OTHER_DICE = {ALLIANCE: {"event/alliance": (1, 2)}, COALITION: {"event/coalition": (1, 2)}}  # port reconnaissance
NO_OPERATION = {ALLIANCE: {"condition/alliance": (70,)}, COALITION: {"condition/coalition": (80,)}}
"""None, with a star as well; and a large convoy."""
GUESSES = {ALLIANCE: ("C12", "Prowlers", "1605"), COALITION: ("A14", "Lance", "A4")}
"""What there is in the second world alone."""
OTHERWISE = {ALLIANCE: commanders.ALLIANCE, COALITION: commanders.COALITION}
CAMPAIGN = World("pq17/campaign", (ALLIANCE, COALITION), policies={ALLIANCE: plain, COALITION: plain}, dice=DICE)
PERIOD = CAMPAIGN.but(policies={ALLIANCE: wishful, COALITION: wishful}, turns=3, leaps={2: 30})
"""Turn 1, turn 30 with all that ends a period, and turn 31 with all that begins one."""

both = pytest.mark.parametrize("watcher", [ALLIANCE, COALITION])


def watched_by(watcher: str, world: World) -> World:
    """The world as this side sees it."""
    return world.but(sides=(watcher, ALLIANCE if watcher == COALITION else COALITION))


def otherwise(world: World, policy: Any = None) -> World:
    """The same, but the side that is not watched does in another way all it can, or what this policy does."""
    side = world.sides[1]
    policies = {**world.policies, side: policy or OTHERWISE[side]}
    return world.but(policies=policies, dice={**world.dice, **OTHER_DICE[side]})


def seen(world: World) -> Record:
    """Play it, with guesses at what the other side may have."""
    return watch(world, guesses=GUESSES[world.sides[0]])


@cache
def opening(watcher: str) -> Record:
    """The first turn as it is filled in, played once for all comparisons."""
    return seen(watched_by(watcher, CAMPAIGN))


def kinds(record: Record) -> set[str]:
    """The kinds of sheets that the other side handed in."""
    return {line.partition(" ")[2].rpartition(" ")[0] for line in record.hidden}


@both
def test_an_order_of_battle_and_the_first_turns_orders_are_unseen(watcher: str) -> None:
    # Ships bought, modules, hidden base, places, names, operations, arrivals, transfers, Patrol White, postures,
    # routes, mines, supply, suicide freighters: all of it is secret (C.purchase, C.oob, SOP 1.f, SOP 2.a).
    other = seen(otherwise(watched_by(watcher, CAMPAIGN)))
    alike(opening(watcher), other)
    asked = {"purchase", "deployment", "operations", "period", "planning"}
    assert kinds(opening(watcher)) == asked
    assert kinds(other) >= asked | {"logistics", "conversions"}


@pytest.mark.slow
@both
def test_a_periods_end_and_the_next_ones_beginning_are_unseen(watcher: str) -> None:
    # Reinforcements, emergency hulls within what is free of points, and another period's sheets (SOP 3.d).
    world = watched_by(watcher, PERIOD)
    other = seen(otherwise(world, commanders.UNSCORED[world.sides[1]]))
    alike(seen(world), other)
    assert kinds(other) >= {"purchase", "emergency", "operations", "period", "planning", "logistics"}


@pytest.mark.slow
@both
@pytest.mark.parametrize("policy", [commanders.PERIOD, commanders.PLANNING, commanders.LOGISTICS])
def test_each_sheet_by_itself_is_unseen(watcher: str, policy: Callable[..., Any]) -> None:
    alike(opening(watcher), seen(otherwise(watched_by(watcher, CAMPAIGN), policy)))


@pytest.mark.slow
@both
def test_where_windows_are_fixed_nobody_can_tell_whether_the_other_has_an_operation(watcher: str) -> None:
    # Ruling FOG-3. The other side is asked for its operation, its stores and its freighters, or for none of them; the
    # times of all deadlines and messages are the same.
    world = watched_by(watcher, CAMPAIGN).but(settings={"early": False})
    other = otherwise(world, commanders.OPERATIONS)
    alike(seen(world.but(dice={**DICE, **NO_OPERATION[world.sides[1]]})), seen(other))
