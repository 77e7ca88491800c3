"""Standing orders: what a race or a fleet of its does without being asked, and where its patrol goes.

Records only. A fleet obeys its own orders and then its race's; where both are silent, the race is asked as ever.
"""

from dataclasses import field
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen, HexId
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.record import Record

MOST_POINTS = 9999
"""The most counter-intelligence points that an order may name."""

Near = Literal["ask", "go on", "hold"]


class Act(Frozen):
    """Whether something is done: always, or with ``ratio`` only where one side has so many times the other's units."""

    what: Literal["ask", "never", "do"]
    ratio: Annotated[Rational, Field(gt=0)] | None = None


class CounterOrder(Frozen):
    """Points used against each mission: at most so many, or None for all that are left."""

    what: Literal["ask", "never", "do"]
    points: Annotated[int, Field(ge=1, le=MOST_POINTS)] | None = None


class RoutineOrders(Frozen):
    """Standing orders, clause by clause; a clause that is None is left to the next layer."""

    cards: Act | None = None
    """The card: combat where it is done, bypass else. 3.1.1"""
    run: Act | None = None
    """Whether ships that can break away do. 3.3.1"""
    pursue: Act | None = None
    """Whether ships pursue escape waves. 3.3.4"""
    flank: Literal["ask", "never", "flank"] | None = None
    """Whether ships flank. 3.7.1"""
    counter: CounterOrder | None = None
    """Points against each mission; only in a race's orders. 6.4.1.8"""
    lodge: Literal["ask", "course"] | None = None
    """What is lodged where a plot is spied upon. 6.4.1.3"""
    land: Literal["never", "land"] | None = None
    """Whether troops land on planets of others that a fleet comes to. 5.3"""
    challenge: Literal["ask", "never"] | None = None
    """Whether others are challenged; only in a race's orders. 3.2"""
    cloak: Literal["ask", "stay", "show"] | None = None
    """What cloaked ships do that meet others. 2.6.2.1"""
    sorties: Literal["ask", "never"] | None = None
    """Whether fighters sortie; only in a race's orders. 2.9.7"""
    transfers: Literal["ask", "never"] | None = None
    """Whether people and goods are moved between battles; only in a race's orders. 3.9"""
    details: Literal["ask", "never"] | None = None
    """Whether choices within a battle are asked for: posts, order, depth, surrounding, steering; only in a race's
    orders. 3.5.4.2, 3.5.5.1, 3.5.7, 3.5.9, 3.6.1.1"""
    near: Near | None = None
    """What a fleet does when a counter comes near it. CU-R33"""

    @cached_property
    def given(self) -> dict[str, object]:
        """The clauses that are ordered, by name."""
        return {name: value for name in RoutineOrders.model_fields if (value := getattr(self, name)) is not None}


NO_ORDERS = RoutineOrders()


class RouteStop(Frozen):
    """A condition that ends a fleet's course and patrol: a counter near it, its being in ``hex``, or a ``turn``."""

    kind: Literal["contact", "at", "turn"]
    hex: HexId = ""
    turn: int = 0


class StandingRecord(Record):
    """The standing orders of a race or a fleet, and a fleet's patrol: the hexes that it repeats, and what stops it."""

    orders: RoutineOrders = NO_ORDERS
    loop: list[HexId] = field(default_factory=list[HexId])
    stops: tuple[RouteStop, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is ordered."""
        return not (self.orders.given or self.loop or self.stops)
