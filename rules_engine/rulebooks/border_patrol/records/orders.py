"""The sheet of a strategic turn, and what stays of it in the state: orders of stacks, to be carried out phase by phase.

A sheet is ``{line: {field: value}}``: ``F1`` is where a stack goes and what it does, ``F1-ships`` how its units part,
join, tow and are overhauled. What a line leaves out stays as it is; a stack without a line holds.
"""

from dataclasses import field
from typing import Annotated, Literal

from pydantic import Field, RootModel

from rules_engine.core.basics.base import Frozen, HexId
from rules_engine.core.basics.record import Record

LONGEST_ROUTE = 200
"""Characters of a route."""
MOST_IN_WORDS = 300
"""Characters of standing orders."""

React = Literal["no", "must", "lone", "any", "ask"]
"""What a stack that lies in wait reacts to: nothing (it does not lie in wait), what it must alone, also others that
come alone, also all others; ``ask`` leaves these to its captain, one by one. V8.61"""
Onward = Literal["go on", "stop", "turn back", "ask"]
"""What a stack does before it enters a hex in which it sees others."""
Held = Literal["stay", "withdraw", "break out", "either"]
"""What a stack does that others hold: it stays, asks them to let it go, leaves by what it leaves behind or by its
Command Rating, or tries that and then asks. V8.23, V8.24, V8.25"""
LetGo = Literal["refuse", "let go", "ask"]
"""The answer to others that would leave a hex before combat. V8.25"""
Afterwards = Literal["stay", "go back", "ask"]
"""What a stack does that caught whom it reacted to, and has points left. V8.69"""
Cloak = Literal["no", "all turn", "until it reacts"]
"""How long a stack is under cloak. V8.51, V8.63"""


Company = Literal["leave behind", "keep together"]
"""What a stack does with those of it that cannot move at all: it leaves them behind as it goes, or stays with them.
BP-R59"""
Convoys = Literal["let run", "fight", "ask"]
"""What a cloaked stack does that comes upon a supply convoy. T8.730"""


class RouteLeg(Frozen):
    """A hex to be entered, not before ``phase``; 0 is as soon as the allowance lets it. T8.93"""

    hex: HexId
    phase: Annotated[int, Field(ge=0, le=8)] = 0


class StackPlot(Frozen):
    """A stack's line. Units are named by id, tows as ``tower>towed``, pods as ``tug>pod``; ``part_route`` is the way of
    those that it detaches. ``orders`` are standing
    orders in words; those that were chosen from lists before there were words, ``within``, ``onward``, ``held`` and
    ``let_go``, are read in records of that time."""

    route: Annotated[str, Field(max_length=LONGEST_ROUTE)] | None = None
    emergency: tuple[str, ...] | None = None
    cloak: Cloak | None = None
    react: React | None = None
    within: Annotated[int, Field(ge=0, le=9)] | None = None
    onward: Onward | None = None
    held: Held | None = None
    rearguard: tuple[str, ...] | None = None
    let_go: LetGo | None = None
    tow: tuple[str, ...] | None = None
    overhaul: tuple[str, ...] | None = None
    detach: tuple[str, ...] | None = None
    part_route: Annotated[str | None, Field(max_length=LONGEST_ROUTE, exclude_if=lambda route: route is None)] = None
    join: str | None = None
    pods: Annotated[tuple[str, ...] | None, Field(exclude_if=lambda pods: pods is None)] = None
    orders: Annotated[str | None, Field(max_length=MOST_IN_WORDS, exclude_if=lambda said: said is None)] = None


SHIPS = "-ships"
"""What the key of a stack's second line ends with."""
OF_SHIPS = ("rearguard", "detach", "part_route", "tow", "pods", "overhaul", "join")
"""The fields that stand there."""


class TurnPlots(RootModel[dict[str, StackPlot]]):
    """A Team's sheet for a turn, by line."""

    def of(self, stack: str) -> StackPlot:
        """What both lines of a stack say together; nothing where there is none."""
        line, ships = (self.root.get(key, StackPlot()) for key in (stack, f"{stack}{SHIPS}"))
        said = {name: value for name in OF_SHIPS if (value := getattr(ships, name)) is not None}
        return line.with_values(**said)


class StackOrders(Record):
    """What a stack is ordered: the ``way`` that is still before it, and what it does when something comes up.

    The standing ones (``STANDING``) hold until they are changed, the rest for a turn. ``turned`` is that it is on its
    way back.
    """

    way: list[RouteLeg] = field(default_factory=list[RouteLeg])
    turned: bool = False
    react: React = "no"
    within: Annotated[int, Field(ge=0, le=9)] = 9
    onward: Onward = "go on"
    held: Held = "stay"
    rearguard: list[str] = field(default_factory=list[str])
    let_go: LetGo = "refuse"
    after: Annotated[Afterwards, Field(exclude_if=lambda word: word == "stay")] = "stay"
    convoys: Annotated[Convoys, Field(exclude_if=lambda word: word == "let run")] = "let run"
    company: Annotated[Company, Field(exclude_if=lambda word: word == "leave behind")] = "leave behind"


STANDING = ("within", "onward", "held", "let_go", "after", "convoys", "company")
"""The orders of a stack that hold until they are changed."""


class StackChoice(Frozen):
    """A captain's answer for one stack in the middle of a turn; ``way`` is the hex that it enters first, ``route`` all
    that it enters."""

    answer: Annotated[str, Field(max_length=20)] = ""
    way: Annotated[str, Field(max_length=20)] | None = None
    route: Annotated[str | None, Field(max_length=LONGEST_ROUTE, exclude_if=lambda route: route is None)] = None


class StackChoices(RootModel[dict[str, StackChoice]]):
    """Answers by stack."""
