"""Conditions of a set-up, as data: how near or far units must stand from others, and the words for it.

A rulebook says them; whoever tracks its battles judges by them and never needs to know the book.
"""

from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen

Code = str
"""The neutral code of a unit, or the id of a piece of terrain."""

Hexes = Annotated[int, Field(ge=0, le=9999)]


class Distance(Frozen):
    """Each of ``units`` stands ``least`` to ``most`` hexes (None: no bound) from the ``nearest`` of ``others``, or from
    ``each`` of them. One that is among the ``others`` is not measured against itself; others that are not there, or not
    placed yet, are not measured. ``rule`` says so, and ``says`` is the whole in a sentence for those who set up."""

    kind: Literal["distance"] = "distance"
    units: tuple[Code, ...] = Field(min_length=1)
    others: tuple[Code, ...] = Field(min_length=1)
    measure: Literal["nearest", "each"] = "each"
    least: Hexes | None = None
    most: Hexes | None = None
    rule: str
    says: str


class OneOf(Frozen):
    """At least one of these holds, as that one unit stands at exactly 40 hexes."""

    kind: Literal["one of"] = "one of"
    distances: tuple[Distance, ...] = Field(min_length=1)
    rule: str
    says: str


class Bearing(Frozen):
    """Each of ``units`` lies in a direction from the nearest of ``others``, by that one's facing: 1 is ahead of it,
    others go round clockwise, and 4 is behind. A direction reaches 30 degrees to both sides, so that a hex half-way
    lies in two; where several are nearest, one will do. Others that are not there, or not placed yet, do not matter."""

    kind: Literal["bearing"] = "bearing"
    units: tuple[Code, ...] = Field(min_length=1)
    others: tuple[Code, ...] = Field(min_length=1)
    way: Annotated[int, Field(ge=1, le=6)]
    rule: str
    says: str


Condition = Annotated[Distance | OneOf | Bearing, Field(discriminator="kind")]


class SetUpStep(Frozen):
    """What is placed together, in secret of each other, and seen by all before the next step. ``units`` may belong to
    several sides. ``conditions`` are judged when all units of the step are in, each side's own as far as it can know:
    one that names units of another side in the same step is judged by none (so none should).

    Each unit's speed is between ``least_speed`` and ``most_speed``, straight ahead or straight back as its vector.
    ``one_facing``: all face one way, that of units of their own force which an earlier such step has placed;
    ``faces_enemy``: each that says nothing is turned towards the nearest enemy once
    all are placed, or towards the piece of ground that ``faces`` names."""

    units: tuple[Code, ...] = Field(min_length=1)
    conditions: tuple[Condition, ...] = ()
    one_facing: bool = False
    faces_enemy: bool = True
    faces: Code = ""
    says: str
    rule: str
