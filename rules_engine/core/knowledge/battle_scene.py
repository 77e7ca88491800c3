"""What a picture of a battle's set-up shows: who fights whom, where they start, the steps, and a row for each unit.

Made by a rulebook from what all parties of the battle may know; what one side alone may know is no part of it. Pictures
are the same for all who read them: the first force stands left, the second right.
"""

from typing import Literal, Self

from pydantic import Field, model_validator

from rules_engine.core.basics.base import Frozen, Party, Side
from rules_engine.core.knowledge.views import Panel

Ground = Literal["space", "point", "edge", "around"]
"""What the start is drawn as: two forces apart in open space, one at a feature (a point, or the edge of something
large), or one in the middle with others in six directions around it."""

Spot = Literal["middle", "near", "far", "beyond"]
"""Where a station lies: in the middle of the first force, near to that, across the distance, or beyond those."""

MOST_STEPS = 6
LONGEST_RULE = 24
"""The most letters of a rule's number that stands apart from its sentence."""
WAYS = 6
"""The directions of a hex, counted clockwise from the one that the force in the middle faces, which is 1."""


class BattleForce(Frozen):
    """Sides that fight as one, what they do there in a word (``defends``), and the same as a title
    (``original defender``)."""

    sides: tuple[Side, ...] = Field(min_length=1)
    does: str
    title: str = ""


class Station(Frozen):
    """Units that start together. ``codes`` are those of units, none where it is not said which, but how many ``units``
    there are at most. ``step`` is the number of the step that places them, from 1 (0: none). ``way`` is their direction
    where the ground is ``around``."""

    side: Side
    spot: Spot
    codes: tuple[str, ...] = ()
    units: int = Field(default=1, ge=1)
    step: int = Field(default=0, ge=0, le=MOST_STEPS)
    way: int = Field(default=0, ge=0, le=WAYS)


class BattleStart(Frozen):
    """Where the forces start. ``distance`` is how far apart, as a figure (``50``, ``40–45``), in ``unit``; ``feature``
    names what the ground has."""

    ground: Ground = "space"
    distance: str = ""
    unit: str = "hexes"
    feature: str = ""
    stations: tuple[Station, ...] = ()


class BattleStep(Frozen):
    """A step of setting up, by which side (none: by all), in a few words."""

    side: Side = ""
    says: str


class BattleFigure(Frozen):
    """A figure in a table. ``differs`` says that it is not the full value."""

    says: str = ""
    differs: bool = False


class BattleUnit(Frozen):
    """A unit of the battle, under its neutral ``code``.

    ``left`` of ``whole`` is what damage has left of what the book goes by, named by ``of`` (None: not known to all, or
    nothing of the kind); ``aside`` is one figure more in words (``fuel 12``), ``under`` a few words where there is no
    such measure; ``cells`` are its figures by the scene's columns.
    """

    code: str
    side: Side
    kind: str
    aside: str = ""
    under: str = ""
    left: int | None = Field(default=None, ge=0)
    whole: int | None = Field(default=None, ge=1)
    of: str = ""
    cells: tuple[BattleFigure, ...] = ()


class OwnUnits(Frozen):
    """A side's units in a battle with what it alone may know of them, such as what is left of their engines. ``cells``
    of the units are by these ``columns``."""

    units: tuple[BattleUnit, ...]
    columns: tuple[str, ...] = ()


class BattleNote(Frozen):
    """A sentence for the table, and the rule that says so."""

    says: str
    rule: str = ""


class BattleNotes(Frozen):
    """Sentences under a title: what to do before the first turn, how it ends."""

    title: str
    notes: tuple[BattleNote, ...] = ()


class BattleScene(Frozen):
    """All that the pictures of a battle's set-up show. ``title`` names the place, ``when`` says time and conditions in
    parts with a dot between them, ``remark`` is the one thing more that everybody must know at the start."""

    title: str
    when: str = ""
    parties: tuple[Party, ...]
    forces: tuple[BattleForce, ...] = Field(min_length=2, max_length=2)
    start: BattleStart | None = None
    steps: tuple[BattleStep, ...] = Field(default=(), max_length=MOST_STEPS)
    units: tuple[BattleUnit, ...] = ()
    columns: tuple[str, ...] = ()
    remark: str = ""
    notes: tuple[BattleNotes, ...] = ()

    @model_validator(mode="after")
    def _all_are_parties(self) -> Self:
        """Refuse what belongs to a side that is no party, and parties that stand in no force or in two."""
        keys = [party.label.key for party in self.parties]
        stand = [side for force in self.forces for side in force.sides]
        named = [unit.side for unit in self.units] + [step.side for step in self.steps if step.side]
        named += [station.side for station in self.start.stations] if self.start is not None else []
        if sorted(keys) != sorted(stand) or len(set(keys)) < len(keys) or not set(named) <= set(keys):
            raise ValueError("the parties of a battle are those of its forces, each once, and all in it is theirs")
        if any(len(unit.cells) > len(self.columns) for unit in self.units):
            raise ValueError("a unit has more figures than the table has columns")
        return self

    def party(self, side: Side) -> Party:
        """The party of a side."""
        return next(party for party in self.parties if party.label.key == side)

    def units_of(self, force: BattleForce) -> tuple[BattleUnit, ...]:
        """The units of a force, in their order."""
        return tuple(unit for unit in self.units if unit.side in force.sides)

    def names_of(self, force: BattleForce) -> str:
        """The names of a force's sides: ``Hydran and Lyran``."""
        return " and ".join(self.party(side).label.name for side in force.sides)


def notes_from(panel: Panel) -> BattleNotes:
    """A panel's rows as notes. The rule that a row or the title ends with, in brackets, stands apart from its words."""
    title, of_all = _parted(panel.title)
    rows = [_parted(row) for row in panel.rows]
    return BattleNotes(title=title, notes=tuple(BattleNote(says=says, rule=of or of_all) for says, of in rows))


def _parted(said: str) -> tuple[str, str]:
    """A sentence and the rule in brackets at its end: ``Sets up first`` and ``3.4.3`` of ``Sets up first (3.4.3).``"""
    words, bracket, end = said.rstrip().rpartition("(")
    rule = end.removesuffix(".").removesuffix(")")
    is_rule = bool(bracket) and rule != end.removesuffix(".") and rule[:1].isalnum() and any(map(str.isdigit, rule))
    if not is_rule or " " in rule.replace(", ", "") or len(rule) > LONGEST_RULE:
        return said.strip().removesuffix("."), ""
    return words.strip().removesuffix("."), rule
