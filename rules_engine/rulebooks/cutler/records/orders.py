"""The sheets that sides fill in. A sheet is ``{line: {field: value}}``; the key of a line tells its kind.

``F1``, ``F2`` … are fleets and ``new`` ships to be split off; ``S1`` … units that never move and scan; ``M1`` …
missions; ``E0205`` … freighters that wait in a hex, ``V1`` … convoys under way; ``H0205`` … the stores of a hex,
``D1`` … docking bays, ``G1`` … ground bases of planets, ``L1`` … the loads of ships; ``economy``, ``base``, ``scrap``,
``counter``, ``survey`` and ``standing`` one line each. ``A1`` … are accessories, ``K1`` … units that lay mines,
``N1`` … minefields.
"""

import re
from itertools import pairwise
from typing import Any, Literal, cast

from pydantic import ConfigDict, Field, RootModel, model_serializer, model_validator

from rules_engine.core.basics.base import Frozen, HexId
from rules_engine.core.basics.refusals import Refusal, malformed
from rules_engine.core.grids.hexes import Grid, NoWay, UnknownHex
from rules_engine.rulebooks.cutler.records.accessories.lines import AccessoryLine, LayLine, SweptLine
from rules_engine.rulebooks.cutler.records.economy_lines import (
    BaseLine,
    DockLine,
    EconomyLine,
    GroundLine,
    LoadLine,
    PlaceLine,
    ScrapLine,
)
from rules_engine.rulebooks.cutler.records.lines import PartialLine
from rules_engine.rulebooks.cutler.records.parts.empires import Asking, Cards, Lurking
from rules_engine.rulebooks.cutler.records.shipping.convoys import ConvoyLine, DepartureLine
from rules_engine.rulebooks.cutler.records.tables import MissionKind

LONGEST_COURSE = 40

TO = "to"
"""Before a hex of a course: go there. It may be left out, since gaps in a course are filled in anyway."""
COURSE_WORDS = f"hex numbers in order, as 0404 0505, or {TO} 0505"
_BETWEEN_COURSE = re.compile(r"[\s,;>→]+")
_BETWEEN_HEXES = re.compile(r"[\s,;]+")


class FleetLine(PartialLine):
    """A fleet's ships (by id), its course, and the hexes its sensors scan each impulse.

    ``go`` is the short way to a course of one hex: a neighbour, ``hold``, or ``course`` for what ``course`` says.
    ``raze`` and ``land`` are planets by key, or ``none``; ``parties`` are the boarding parties to land, blank for all,
    ``crews`` the crew units, blank for none; ``shuttles`` are left in ground bases there.
    ``cloak`` is ``cloaked`` or ``open``, ``tow`` the ships of the fleet that the others tow, ``dock`` the PFs in its
    hex that are docked on it, ``escort`` the convoy that it goes with, ``sent`` for that which the sheet sends, or
    ``none``. ``orders`` are its standing orders in words, ``stop`` what ends its course.
    """

    ships: tuple[str, ...] | None = None
    go: str | None = None
    course: str | None = Field(default=None, max_length=300)
    scan: str | None = Field(default=None, max_length=100)
    raze: str | None = None
    land: str | None = None
    parties: int | None = Field(default=None, ge=1, strict=True)
    crews: int | None = Field(default=None, ge=1, strict=True)
    shuttles: int | None = Field(default=None, ge=0, strict=True)
    cloak: str | None = None
    tow: tuple[str, ...] | None = None
    dock: tuple[str, ...] | None = None
    escort: str | None = Field(default=None, max_length=20)
    orders: str | None = Field(default=None, max_length=300)
    stop: str | None = Field(default=None, max_length=100)

    @property
    def is_sent_off(self) -> bool:
        """Whether it names a hex to go to."""
        return bool((self.course or "").strip()) or self.go not in (None, "course", "hold")


class StationLine(PartialLine):
    """The hexes that a base or a police ship scans in each impulse. 8.3.1"""

    scan: str | None = Field(default=None, max_length=100)


class StandingLine(PartialLine):
    """What answers routine questions: the card to show, when to be asked for plots, what cloaked ships do that meet
    others, and standing orders in words."""

    cards: Cards | None = None
    impulses: Asking | None = None
    lurking: Lurking | None = None
    orders: str | None = Field(default=None, max_length=300)


class CoordinationLine(PartialLine):
    """The races with which one would act as one force, and whose counter is to stand for it; ``rating`` leaves that to
    the command ratings. 2.10"""

    partners: tuple[str, ...] | None = None
    colour: str | None = None


class CounterLine(PartialLine):
    """IP set aside against the others' missions."""

    points: int = Field(default=0, ge=0, strict=True)


class SalvageLine(PartialLine):
    """Prizes to be melted down, by id. 5.1"""

    ships: tuple[str, ...] = ()


class MissionLine(PartialLine):
    """One mission. Its target is one of those offered, or typed as ``other``; a blank line is no mission."""

    kind: MissionKind | None = None
    against: str | None = None
    target: str | None = Field(default=None, max_length=60)
    other: str | None = Field(default=None, max_length=60)
    ip: int | None = Field(default=None, strict=True)

    @property
    def is_blank(self) -> bool:
        """Whether nothing was filled in."""
        return not (self.kind or self.against or self.target or self.other or self.ip)


_ONLY_IF_USED = frozenset({"salvage", "coordination"})
"""Lines that are not on every sheet, and are written down only where they say something."""


_LATER = ("orders", "stop", "dock")
"""Fields of lines that there are only since some version, and that are written down only where they say something: so
campaigns that were written down before play back."""


def _written(line: PartialLine) -> dict[str, Any]:
    return {
        name: value for name, value in line.model_dump(mode="json").items() if value is not None or name not in _LATER
    }


class SurveyLine(PartialLine):
    """The hexes that are surveyed this turn; None: all that can be. 9.1"""

    hexes: tuple[str, ...] | None = None


_GROUPED = re.compile(
    r"(?P<fleets>F\d+|new)|(?P<stations>S\d+)|(?P<missions>M\d+)|(?P<places>H\d{4})|(?P<docks>D\d+)|(?P<loads>L\d+)"
    r"|(?P<ground>G\d+)|(?P<accessories>A\d+)|(?P<layers>K\d+)|(?P<swept>N\d+)"
    r"|(?P<departures>E\d{4})|(?P<convoys>V\d+)"
)


def _group_of(key: str) -> str | None:
    """The group of lines that a line belongs to; None of a line that stands alone."""
    found = _GROUPED.fullmatch(key)
    return found.lastgroup if found else None


class FleetPlots(Frozen):
    """Fleets, convoys, scans of units that never move, and standing orders."""

    fleets: dict[str, FleetLine] = Field(default_factory=dict[str, FleetLine])
    departures: dict[str, DepartureLine] = Field(default_factory=dict[str, DepartureLine])
    convoys: dict[str, ConvoyLine] = Field(default_factory=dict[str, ConvoyLine])
    stations: dict[str, StationLine] = Field(default_factory=dict[str, StationLine])
    layers: dict[str, LayLine] = Field(default_factory=dict[str, LayLine])
    coordination: CoordinationLine = CoordinationLine()
    standing: StandingLine = StandingLine()

    @model_validator(mode="before")
    @classmethod
    def _gather(cls, sheet: Any) -> Any:
        """Put the lines of a flat sheet under their groups."""
        if not isinstance(sheet, dict):
            return sheet
        groups = cls.model_fields
        gathered: dict[str, Any] = {}
        for key, value in cast("dict[str, Any]", sheet).items():
            group = _group_of(str(key))
            if group is not None and group in groups:
                gathered.setdefault(group, {})[key] = value
            else:
                gathered[key] = value
        return gathered

    @model_serializer(mode="plain")
    def _flatten(self) -> dict[str, Any]:
        flat: dict[str, Any] = {}
        for name in type(self).model_fields:
            value = getattr(self, name)
            if name in _ONLY_IF_USED and value == type(value)():
                continue
            lines = (
                cast("dict[str, PartialLine]", value) if isinstance(value, dict) else {name: cast("PartialLine", value)}
            )
            flat.update({key: _written(line) for key, line in lines.items()})
        return flat


class TurnSheet(FleetPlots):
    """All orders at the start of a turn: money, missions, and the fleets' standing courses."""

    economy: EconomyLine = EconomyLine()
    places: dict[str, PlaceLine] = Field(default_factory=dict[str, PlaceLine])
    docks: dict[str, DockLine] = Field(default_factory=dict[str, DockLine])
    ground: dict[str, GroundLine] = Field(default_factory=dict[str, GroundLine])
    base: BaseLine = BaseLine()
    scrap: ScrapLine = ScrapLine()
    loads: dict[str, LoadLine] = Field(default_factory=dict[str, LoadLine])
    accessories: dict[str, AccessoryLine] = Field(default_factory=dict[str, AccessoryLine])
    swept: dict[str, SweptLine] = Field(default_factory=dict[str, SweptLine])
    counter: CounterLine = CounterLine()
    salvage: SalvageLine = SalvageLine()
    missions: dict[str, MissionLine] = Field(default_factory=dict[str, MissionLine])
    survey: SurveyLine = SurveyLine()


class LodgeLine(PartialLine):
    """Where a fleet goes in impulse 1, handed in ahead ("" = stays)."""

    to: str = ""


class CounterSheet(RootModel[dict[str, dict[str, Any]]]):
    """The answer to an announced mission; read by :meth:`points` and :meth:`lodged`."""

    model_config = ConfigDict(frozen=True)

    @model_validator(mode="after")
    def _lines_fit(self) -> "CounterSheet":
        for key, line in self.root.items():
            if key == "counter":
                CounterLine.model_validate(line)
            elif _group_of(key) == "fleets":
                LodgeLine.model_validate(line)
            else:
                raise ValueError(f"there is no line {key!r} on this sheet")
        return self

    def points(self) -> int:
        """Counter-intelligence points committed."""
        return CounterLine.model_validate(self.root.get("counter", {})).points

    def lodged(self) -> dict[str, HexId]:
        """Impulse-1 destinations by fleet."""
        return {key: LodgeLine.model_validate(line).to for key, line in self.root.items() if key != "counter"}


class CardLine(PartialLine):
    """One card. A race of a coordinated force says, too, whether it stays in it. 2.10"""

    card: Literal["bypass", "combat"] = "bypass"
    stay: bool = True


class CardSheet(RootModel[dict[Literal["force"], CardLine]]):
    """The card a race shows in one hex. 3.1.1"""

    @property
    def card(self) -> Literal["bypass", "combat"]:
        """The card; bypass if none was chosen."""
        return self.root["force"].card if "force" in self.root else "bypass"

    @property
    def stays(self) -> bool:
        """Whether a race stays in its coordinated force."""
        return self.root["force"].stay if "force" in self.root else True


class ChallengeLine(PartialLine):
    """Whom the acting player challenges; blank passes."""

    race: str | None = None


class ChallengeSheet(RootModel[dict[Literal["challenge"], ChallengeLine]]):
    """The acting player's choice. 3.2"""

    @property
    def race(self) -> str | None:
        """The challenged race, or None to pass."""
        return self.root["challenge"].race if "challenge" in self.root else None


AWAY = "away"
"""Where a wave goes that tries to avoid all combat."""


class WaveLine(PartialLine):
    """Ships that break away: ``to`` a terrain feature, or to avoid all combat. ``left`` are carriers among them that
    leave their fighters behind at the feature from which they break away. Docked PFs that are named among the ``ships``
    leave their docks and run; ``launch`` are those that leave them and stay, ``caught`` those that do so if the wave is
    caught. 3.5.5, CU-R23, CU-R75"""

    ships: tuple[str, ...] = ()
    to: str | None = None
    left: tuple[str, ...] = ()
    launch: tuple[str, ...] = ()
    caught: tuple[str, ...] = ()


class WaveSheet(RootModel[dict[Literal["wave"], WaveLine]]):
    """One escape wave. 3.3.3"""

    @property
    def line(self) -> WaveLine:
        """Its line, or an empty one."""
        return self.root.get("wave", WaveLine())

    @property
    def ships(self) -> tuple[str, ...]:
        """Their ids."""
        return self.line.ships

    @property
    def to(self) -> str:
        """The feature that they try to reach, or "" to avoid all combat."""
        return "" if self.line.to in (None, AWAY) else self.line.to


class GroupLine(PartialLine):
    """The group a ship joins, 0 for none; ``early`` if its legendary navigator brings a flanking group sooner. A docked
    PF that joins one leaves its dock, and so does one that ``leaves`` it for the main force."""

    group: int = Field(default=0, ge=0, le=999, strict=False)
    early: bool = False
    leaves: bool = False


class GroupSheet(RootModel[dict[str, GroupLine]]):
    """Ships by group: pursuit groups (3.3.4) or flanking groups (3.7.1)."""

    def groups(self) -> dict[str, int]:
        """The group of each ship that joins one."""
        return {key: line.group for key, line in self.root.items() if line.group}

    def leaving(self) -> list[str]:
        """The docked PFs that leave their docks for the main force. CU-R23"""
        return [key for key, line in self.root.items() if line.leaves and not line.group]

    def early(self) -> set[int]:
        """The groups that a navigator brings sooner. 3.7.7"""
        return {line.group for line in self.root.values() if line.group and line.early}


def read_course(grid: Grid, start: HexId, text: str, path: str) -> tuple[list[HexId], list[Refusal]]:
    """The hexes of a typed course, one by one; paths between waypoints are filled in. ``start`` may be repeated.

    Hexes are separated by blanks, commas or arrows: ``0304 0505``, ``0304 > 0404``. ``to 0505`` is the same as
    ``0505``. The path is the shortest; of several shortest ones the straightest; of those the one with the lowest hex
    numbers.
    """
    way: list[HexId] = []
    refusals: list[Refusal] = []
    at = start
    after_to = False
    for word in [word for word in _BETWEEN_COURSE.split(text) if word] + [""]:
        is_to = word.casefold() == TO
        if after_to and (is_to or not word):
            refusals.append(malformed(f"{TO!r} needs a hex after it", path, legal=COURSE_WORDS))
        after_to = is_to
        if is_to or not word:
            continue
        try:
            goal = word if word in grid else grid.parse(word)
            legs = (goal,) if goal in grid.neighbours(at) else grid.line(at, goal)[1:]
        except UnknownHex as error:
            problem = str(error).split(";", maxsplit=1)[0]
            refusals.append(malformed(problem, path, legal=COURSE_WORDS, nearest=error.nearest))
            continue
        except NoWay as error:
            refusals.append(malformed(str(error), path))
            continue
        way += legs
        at = goal
    if len(way) > LONGEST_COURSE:
        refusals.append(malformed(f"a course has at most {LONGEST_COURSE} hexes, this one {len(way)}", path))
    return way, refusals


def as_far_as_it_goes(way: list[HexId], refusals: list[Refusal]) -> list[Refusal]:
    """The refusals of a course that may end anywhere: of one that is too long, with the hex that it may reach."""
    if len(way) <= LONGEST_COURSE:
        return refusals
    last = way[LONGEST_COURSE - 1]
    more = {"legal": f"as far as {last}", "nearest": (f"{TO} {last}",)}
    return [one.model_copy(update={} if one.legal else more) for one in refusals]


_STEP_BY_STEP = re.compile(r"(?:>|→)\s*")


def gaps_in(grid: Grid, start: HexId, text: str) -> list[tuple[HexId, HexId, list[HexId]]]:
    """The steps of a course that is typed step by step (``0412 > 0414``) which do not lead to a neighbour: from where,
    to where, and the hexes that are put between."""
    words = [word.strip() for word in _STEP_BY_STEP.split(text)]
    if len(words) < 2 or not all(word in grid for word in words):
        return []
    at = [start, *words]
    legs = [(one, two, read_course(grid, one, two, "")[0][:-1]) for one, two in pairwise(at)]
    return [(one, two, between) for one, two, between in legs if between]


def read_hexes(grid: Grid, text: str, path: str) -> tuple[list[HexId], list[Refusal]]:
    """Typed hex numbers, without filling in paths between them."""
    found: list[HexId] = []
    refusals: list[Refusal] = []
    for word in _BETWEEN_HEXES.split(text):
        if not word:
            continue
        try:
            found.append(grid.parse(word))
        except UnknownHex as error:
            refusals.append(malformed(str(error).split(";", maxsplit=1)[0], path, nearest=error.nearest))
    return found, refusals
