"""Reports: facts with an audience and a why. Who is told what is decided by the rules, through `TurnContext.tell`."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen, HexId, Owner, Side, When
from rules_engine.core.basics.dice import Roll

EVERYBODY: tuple[str, ...] = ("*",)
"""The audience of what is public; spectators are included."""

REFEREE: tuple[str, ...] = ("@referee",)
"""The audience of what only a referee who plays no side may read."""


class Leak(Exception):
    """The engine was about to tell a side something it must not know. Nothing was told."""


class Why(Frozen):
    """Why something came out as it did: the rule, what went in, and the dice that this audience may see."""

    rule: str
    inputs: tuple[tuple[str, str], ...] = ()
    dice: tuple[Roll, ...] = ()

    def text(self) -> str:
        """One line, e.g. ``Scout column 3 (2 + 1 passive target), rolled 71; 6.3.4.4``."""
        parts = [f"{name} {value}".strip() for name, value in self.inputs]
        parts += [f"{_before_a_number(roll.purpose)} {'+'.join(map(str, roll.dice))}" for roll in self.dice]
        return "; ".join([*parts, self.rule])


def _before_a_number(purpose: str) -> str:
    """What dice were for, before their faces: a number at its end is none of them."""
    return f"{purpose}:" if purpose[-1:].isdigit() else purpose


class Sighted(Frozen):
    """A contact was seen, or seen better. ``track`` is the viewer's own number for it."""

    fact: Literal["sighted"] = "sighted"
    track: str
    hex: HexId
    form: str = "force"
    level: int = 0
    level_name: str = ""
    headline: str = ""
    details: tuple[str, ...] = ()
    owner: Owner = ""


class Lost(Frozen):
    """A contact is no longer held; its last position stays on the map and ages."""

    fact: Literal["lost"] = "lost"
    track: str


class Removed(Frozen):
    """A contact is known to be no more (destroyed, or merged into another)."""

    fact: Literal["removed"] = "removed"
    track: str
    into: str = ""


class MapNote(Frozen):
    """A line for the side's own notes, under ``topic`` (an intelligence file, say)."""

    fact: Literal["noted"] = "noted"
    topic: str
    text: str


Fact = Annotated[Sighted | Lost | Removed | MapNote, Field(discriminator="fact")]


class Report(Frozen):
    """One thing told to one audience. ``number`` counts all reports of a campaign and is never shown."""

    number: int
    place: str
    when: When
    to: tuple[str, ...]
    kind: str
    text: str
    why: Why | None = None
    facts: tuple[Fact, ...] = ()

    def is_for(self, side: Side) -> bool:
        """Whether ``side`` may read it."""
        return self.to == EVERYBODY or side in self.to

    def is_public(self) -> bool:
        """Whether everybody may read it."""
        return self.to == EVERYBODY


def audience(sides: Iterable[Side]) -> tuple[str, ...]:
    """Exactly these sides. An empty audience is an error in the rules.

    Raises:
        Leak: when no side is named, since ``()`` could be read as "no restriction".
    """
    named = tuple(sorted(set(sides)))
    if not named:
        raise Leak("a report needs an audience")
    return named


def because(rule: str, inputs: Mapping[str, object] | None = None, dice: Iterable[Roll] = ()) -> Why:
    """A why, from plain values."""
    return Why(rule=rule, inputs=tuple((name, str(value)) for name, value in (inputs or {}).items()), dice=tuple(dice))
