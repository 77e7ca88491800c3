"""The campaign's order of battle in a scenario file: nations, force pools, bases, convoys and deployment.

Plain data; buying, deploying, convoys, command points and victory are functions over it.
Hexes may be given as spans along a row or a column of the map, ``"1719-1722"``. PQ-17 1.4.2, C.oob.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.rational import Rational
from rules_engine.core.catalogues.ship_records import Boxes
from rules_engine.rulebooks.pq17.tables.ship_classes import Category

HexSpan = Annotated[str, Field(pattern=r"^\d{4}(-\d{4})?$")]
HexNumber = Annotated[str, Field(pattern=r"^\d{4}$")]
Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,31}$")]

PoolCategory = Literal["BB", "DN", "CA", "CL", "DD", "FF", "PF", "TUG", "POD", "CIV"]
"""The categories of the force lists; ``CIV`` are points for civilian freighters. PQ-17 C.purchase.1, C.purchase.2."""

POOL_ORDER: tuple[PoolCategory, ...] = ("BB", "DN", "CA", "CL", "DD", "FF", "PF", "TUG", "POD", "CIV")


def spread(spans: Iterable[str]) -> tuple[HexId, ...]:
    """The hexes that spans stand for, in their order, without duplicates.

    Raises:
        ValueError: for a span whose ends share neither row nor column.
    """
    found: list[HexId] = []
    for span in spans:
        first, _, last = span.partition("-")
        last = last or first
        rows, columns = sorted((int(first[:2]), int(last[:2]))), sorted((int(first[2:]), int(last[2:])))
        if rows[0] != rows[1] and columns[0] != columns[1]:
            raise ValueError(f"{span} runs along neither a row nor a column")
        found += [
            f"{row:02}{column:02}"
            for row in range(rows[0], rows[1] + 1)
            for column in range(columns[0], columns[1] + 1)
        ]
    return tuple(dict.fromkeys(found))


class Nation(Frozen):
    """One nation of a side."""

    key: Key
    name: Annotated[str, Field(min_length=1, max_length=24)]
    side: Side
    empires: tuple[str, ...]
    """The empires whose classes it may buy, as in the classes' ``empire``."""
    home: HexNumber
    """The hex where units begin that are deployed nowhere else."""
    entry: tuple[HexSpan, ...]
    """The edge hexes where its reinforcements enter and its transfers leave. PQ-17 C.schedule.note3."""
    commanded_by: str = ""
    """The nation whose command points it uses; its own when empty. PQ-17 ruling GEN-8."""
    command_points: Boxes = 0
    """Command points a period."""
    command_points_start: Boxes = 0
    command_points_most: Boxes = 0
    """How many may be held, the new ones included; 0: none is kept over a period's end."""
    ship_names: tuple[str, ...] = ()

    @cached_property
    def commander(self) -> str:
        """The key of the nation whose command points it uses. PQ-17 ruling GEN-8."""
        return self.commanded_by or self.key


class OrderOfBattleForce(Frozen):
    """A set of pools that are bought and brought on together: a nation's order of battle, mercenaries, a convoy."""

    key: Key
    nation: Key
    name: Annotated[str, Field(min_length=1, max_length=40)]
    points: dict[PoolCategory, Annotated[Rational, Field(ge=0)]] = Field(default_factory=dict[PoolCategory, Rational])
    """Points at the start, by category. A category that is not listed starts with none and gets them by the
    schedule."""
    most: dict[Category, Boxes] = Field(default_factory=dict[Category, Boxes])
    """The most hulls of a category that may be bought."""
    arrives: Literal["deployed", "entry", "held"] = "deployed"
    """``deployed`` on the map by the deployment rules; ``entry`` on turn 1 at ``entry``; ``held`` off the map."""
    entry: tuple[HexSpan, ...] = ()
    each_period: bool = False
    """Whether the same points are given again every period."""


class Convoy(Frozen):
    """Freighters that cost no points and come every period. PQ-17 C.oob.*.base-convoy, ruling SUP-9."""

    key: Key
    nation: Key
    name: Annotated[str, Field(min_length=1, max_length=40)]
    boxes: Annotated[int, Field(ge=1)]
    """Cargo boxes of all its ships together."""
    classes: tuple[str, ...]
    entry: tuple[HexSpan, ...]
    """The hexes where it enters and where it must leave."""
    unload_at: tuple[HexNumber, ...]
    """The bases where its cargo may be unloaded, besides those that its nation builds."""


class Mandatory(Frozen):
    """Ships that a force gets without paying for them."""

    force: Key
    count: Annotated[int, Field(ge=1)]
    classes: tuple[str, ...]
    """The classes they may be of; the first is the default."""


class BaseEntry(Frozen):
    """A base with the pods and modules it has at the start."""

    id: Annotated[str, Field(pattern=r"^[A-Z]{1,2}[1-9]\d{0,2}$")]
    """The id of its task force."""
    key: Key
    nation: Key
    name: Annotated[str, Field(min_length=1, max_length=32)]
    class_id: str
    hex: HexNumber | None = None
    """Its hex; None if the owner places it within ``zone``."""
    zone: tuple[HexSpan, ...] = ()
    away_from_settled: Boxes = 0
    """If it is placed in a zone, its distance from every enemy settled hex must be greater than this."""
    known: bool = True
    conditions: Annotated[int, Field(ge=1, le=4)]
    fittings: dict[str, Annotated[int, Field(ge=1)]] = Field(default_factory=dict[str, int])
    """The fixed pods and modules, by class."""
    choose: Boxes = 0
    """The number of further ones that the owner chooses."""
    choices: tuple[str, ...] = ()
    """The classes to choose from; the first is taken for what is not chosen."""
    mine_packages: Boxes = 0
    """Tactical minefield packages, for the battle sheet. PQ-17 ruling SCN-36."""


class Area(Frozen):
    """Where a force may begin, or a named part of it. PQ-17 C.oob.*.deployment, rulings SCN-3, SCN-7, SCN-30 to 33."""

    key: Key
    forces: tuple[Key, ...]
    name: Annotated[str, Field(min_length=1, max_length=40)]
    units: dict[str, Annotated[int, Field(ge=1)]] = Field(default_factory=dict[str, int])
    """A named group: how many hulls by category (``DD/FF``: of either) or class. Empty for ships in no named group."""
    categories: tuple[Category, ...] = ()
    """For ships in no named group: the categories that may begin here; empty: all."""
    hexes: tuple[HexSpan, ...] = ()
    around: HexNumber | None = None
    within: Boxes = 0
    """Distance from ``around``, or from ``near``."""
    near: tuple[Literal["base", "settled"], ...] = ()
    """Own bases or own settled hexes of the force's nation; a base of any nation of the side if ``any_base``."""
    any_base: bool = False
    with_force: str = ""
    """Together with ships of this force, they may begin wherever that force enters."""
    bases: tuple[Key, ...] = ()
    """In port at one of these bases."""
    tag: str = ""
    """The tag that its units keep for the rest of the campaign."""
    bound: bool = False
    """Whether the tagged units may not leave until the restriction is lifted. PQ-17 C.oob.klingon.restriction."""


MOST_UNITS_TEXT = 600
"""The most characters of the text that lists a task force's first ships."""


class BuyLine(Frozen):
    """A line of a purchase: of a pool, of ships without cost, of a convoy (``buy``), or of a base (``modules``)."""

    buy: Annotated[str, Field(max_length=600)] | None = None
    modules: Annotated[str, Field(max_length=200)] | None = None


class DeployLine(Frozen):
    """A line of a deployment: a task force, or a base that its owner places."""

    hex: HexNumber | None = None
    port: bool | None = None
    units: Annotated[str, Field(max_length=MOST_UNITS_TEXT)] | None = None
    name: Annotated[str, Field(max_length=24)] | None = None


class ReadyMade(Frozen):
    """A legal order of battle that comes with the scenario, and where it begins: the sheets' lines as they stand."""

    purchase: dict[str, BuyLine] = Field(default_factory=dict[str, BuyLine])
    deployment: dict[str, DeployLine] = Field(default_factory=dict[str, DeployLine])


class OrderOfBattle(Frozen):
    """A campaign's own data."""

    year: int = 167
    victory_table: Literal["standard", "pq17"] = "standard"
    sc1_counts_as_sc2: bool = False
    """Whether the option of ruling SCN-22 is in use."""
    minelayer_year: int = 168
    """The year of minelayers and minesweepers. PQ-17 C.year-in-service.minelayers."""
    drone_upgrade: Annotated[Rational, Field(ge=0)] = Fraction(0)
    """The cost of general availability drones for each rack space. PQ-17 C.purchase.3a."""
    fallback_delivery: HexNumber | None = None
    """The hex to which supplies for the Kzinti go once both their bases are lost. PQ-17 C.vp.note5."""
    nation: tuple[Nation, ...] = ()
    force: tuple[OrderOfBattleForce, ...] = ()
    convoy: tuple[Convoy, ...] = ()
    mandatory: tuple[Mandatory, ...] = ()
    base: tuple[BaseEntry, ...] = ()
    area: tuple[Area, ...] = ()

    @cached_property
    def nations(self) -> dict[str, Nation]:
        """The nations by key."""
        return {one.key: one for one in self.nation}

    @cached_property
    def builders(self) -> dict[str, Nation]:
        """The nations by the empires that they build for; if two build for one empire, the first."""
        return {empire: one for one in reversed(self.nation) for empire in one.empires}

    @cached_property
    def leaders(self) -> dict[Side, Nation]:
        """By side, the first nation in the file."""
        return {one.side: one for one in reversed(self.nation)}

    def nation_of(self, key: str) -> Nation:
        """The nation of that key.

        Raises:
            KeyError: when there is none.
        """
        return self.nations[key]

    def force_of(self, key: str) -> OrderOfBattleForce:
        """The force of that key."""
        return next(one for one in self.force if one.key == key)

    def convoy_of(self, key: str) -> Convoy:
        """The convoy of that key."""
        return next(one for one in self.convoy if one.key == key)

    def base_of(self, key: str) -> BaseEntry:
        """The base of that key."""
        return next(one for one in self.base if one.key == key)

    def nations_of(self, side: Side) -> list[Nation]:
        """A side's nations, in the file's order."""
        return [one for one in self.nation if one.side == side]

    def nation_of_empire(self, empire: str) -> Nation | None:
        """The nation that builds a class."""
        return self.builders.get(empire)
