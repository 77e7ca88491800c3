"""Standing orders: what a task force does by itself when it meets an enemy, and how long its side lets turns run on.

Records only. A task force obeys, in this order, its orders for the present contact, its own standing orders, its
side's, and the preset for the way in which its side wants to be asked. Orders never reach the other side.
"""

from dataclasses import field
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen, HexId
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.record import Record

Asks = Literal["steps", "contact"]
"""``steps``: at every step that leaves a choice. ``contact``: on one sheet when a contact is made, and not again."""
Level = Annotated[int, Field(ge=0, le=3)]
"""An identification level, ID0 to ID3. PQ-17 6.2."""
Keep = Annotated[Rational, Field(ge=0)]
"""Fuel points: after paying, every ship must have more than this left."""
Ratio = Annotated[Rational, Field(gt=0)]
"""The most that the enemy's movement cost may be, as a multiple of our own."""
Move = Literal["ask", "go on", "hold", "withdraw"]
Pursuit = Literal["ask", "never", "shadow", "battle"]


class SearchOrder(Frozen):
    """Whether to search contacts below level ``below``. PQ-17 6.3.2."""

    what: Literal["ask", "never", "search"]
    below: Level = 3
    keep: Keep | None = None


class ShadowOrder(Frozen):
    """Whether to declare shadowing with a search. PQ-17 7.2.1."""

    what: Literal["never", "shadow"]
    keep: Keep | None = None


class AttackOrder(Frozen):
    """Whether to attack contacts held at ``level`` or better whose movement cost is at most ``ratio`` times ours.

    Bases, and forces beside one, are attacked only if ``bases`` is set. PQ-17 8.4.2.
    """

    what: Literal["ask", "never", "attack"]
    level: Level = 0
    ratio: Ratio | None = None
    keep: Keep | None = None
    bases: bool = False


MOST_PROBES = 9999
"""The most that an order may name: more than any task force has aboard, and short enough to be read."""


class StandingClauses(Frozen):
    """Standing orders, clause by clause; a clause that is None is left to the next layer."""

    asks: Asks | None = None
    search: SearchOrder | None = None
    shadow: ShadowOrder | None = None
    probes: Annotated[int, Field(ge=0, le=MOST_PROBES)] | None = None
    """Probes to spend on a search that succeeds. PQ-17 6.3.4.11."""
    attack: AttackOrder | None = None
    raid: Literal["ask", "never", "raid"] | None = None
    """Whether to search and attack an enemy settled hex. PQ-17 8.6.2."""
    sweep: Literal["ask", "never", "sweep"] | None = None
    """Whether to sweep minefields, with a minesweeper. PQ-17 12.6.3."""
    move: Move | None = None
    """How it plots while it is in contact. PQ-17 5.3.2, 5.3.5."""
    pursue: Pursuit | None = None
    """What a winner does about withdrawing enemies. PQ-17 8.5.6.2."""
    power: Literal["ask", "full"] | None = None
    """An original defender's power. PQ-17 8.3.5."""
    regroup: Literal["ask", "keep"] | None = None
    """Withdrawing and regrouping after a battle. PQ-17 8.5.6.1, 8.5.7.2."""
    settled: Literal["search", "never"] | None = None
    """Whether settled hexes search on their own; only in a side's orders. PQ-17 1.7.4, ruling SET-1."""

    @cached_property
    def given(self) -> dict[str, object]:
        """The clauses that are ordered, by name."""
        return {name: value for name in StandingClauses.model_fields if (value := getattr(self, name)) is not None}

    def over(self, other: "StandingClauses") -> "StandingClauses":
        """These orders, with clauses they leave out taken from ``other``."""
        if not self.given:
            return other
        return other.model_copy(update=self.given) if other.given else self

    @cached_property
    def complete(self) -> "StandingClauses":
        """These orders with every clause, from the preset where they leave it out."""
        return self.over(PRESETS[self.asks or "steps"])


NO_ORDERS = StandingClauses()
_EVERYWHERE = StandingClauses(
    search=SearchOrder(what="ask"),
    shadow=ShadowOrder(what="never"),
    probes=0,
    attack=AttackOrder(what="ask"),
    raid="ask",
    move="ask",
    settled="search",
)
PRESETS: dict[Asks, StandingClauses] = {
    "steps": StandingClauses(asks="steps", pursue="ask", power="ask", regroup="ask", sweep="ask").over(_EVERYWHERE),
    "contact": StandingClauses(asks="contact", pursue="never", power="full", regroup="keep", sweep="sweep").over(
        _EVERYWHERE
    ),
}
"""The presets, used where nothing was ordered. Neither attacks by itself."""


def resolved(*layers: StandingClauses | None) -> StandingClauses:
    """Every clause, taken from the first layer that has it, or from the preset."""
    given = [layer for layer in layers if layer is not None and layer.given]
    if len(given) < 2:
        return given[0].complete if given else NO_ORDERS.complete
    clauses = {name: value for layer in reversed(given) for name, value in layer.given.items()}
    return PRESETS[asks_of(*given)].model_copy(update=clauses)


def asks_of(*layers: StandingClauses | None) -> Asks:
    """When the side wants to be asked: by the first layer that says so, or at every step."""
    return next((layer for layer in layers if layer is not None and layer.asks), NO_ORDERS).asks or "steps"


# --- running on -------------------------------------------------------------------------------------------------------


class Stop(Frozen):
    """A condition that ends running on: a new contact, one held at ``level`` or better, a task force that reached its
    route's end or ``hex``, fuel below ``fuel``, or a change of the victory points that the side knows of."""

    kind: Literal["contact", "arrived", "at", "fuel", "points"]
    level: Level | None = None
    task_force: str = ""
    hex: HexId = ""
    fuel: Keep | None = None


USUAL_STOPS = (Stop(kind="contact"), Stop(kind="arrived"))


class Run(Record):
    """Whether a side lets turns go by on its stored plan, and what it knew when it last planned."""

    on: bool = False
    until: int = 0
    """The turn for which it wants to plan again; 0: until something stops it."""
    stops: tuple[Stop, ...] = USUAL_STOPS
    contacts: dict[str, int] = field(default_factory=dict[str, int])
    """Levels by contact number, as of its last planning."""
    under_way: list[str] = field(default_factory=list[str])
    """The task forces that had a route then."""
    points: Rational | None = None
    """The victory points that it knew of then."""
    since: int = 0
    """The turn in which it began to run on."""


class StandingOrders(Record):
    """A side's standing orders."""

    ask_every_impulse: bool = False
    """Whether it wants to plot each impulse by hand; otherwise stored routes are followed until there is a contact."""
    orders: StandingClauses = NO_ORDERS
    run: Run = field(default_factory=Run)
    said: list[str] = field(default_factory=list[str])
    """Actions that its orders declined this turn and that its owner has been told of once."""
