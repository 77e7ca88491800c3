"""Chapter 4.2.4: the catalogue of accessories, and lots of them aboard units."""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Count, Frozen
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.conditions.officers import OFFICER_WORDS, Officer
from rules_engine.rulebooks.cutler.records.parts.troops import Squad

AccessoryKind = Literal[
    "mines",
    "drone",
    "shuttle",
    "mls",
    "mrs",
    "swac",
    "fighter",
    "pack",
    "party",
    "crew",
    "officer",
    "pilot",
    "vehicle",
]
"""A ``pack`` is a set of booster packs, warp (WBP) or electronic (EWP), of a fighter; a ``party`` is a boarding party;
a ``pilot`` is a legendary ace without a fighter, a ``vehicle`` a ground combat vehicle (GCV). 4.2.4.7, 4.2.4.8"""

PEOPLE: frozenset[AccessoryKind] = frozenset({"party", "crew"})
"""Kinds that are numbers of a unit, not lots. 4.2.4.8"""

LEGENDS: frozenset[AccessoryKind] = frozenset({"officer", "pilot"})
"""Kinds that serve on a unit or are transported in hull boxes. 4.2.4.8"""

Boxes = Literal["own", "cargo", "hull"]
"""Where something is aboard: in boxes of its own kind, inert in cargo boxes, or, of persons, in hull boxes. 4.2.4.8"""

PilotQuality = Literal["poor", "normal", "ace"]
PILOTS: tuple[PilotQuality, ...] = ("poor", "normal", "ace")
"""The qualities of pilots, in the order in which their fighters fly and are lost. 4.2.4.8, CU-N121"""

CrewQuality = Literal["outstanding", "normal", "poor"]
QUALITIES: tuple[CrewQuality, ...] = ("outstanding", "normal", "poor")
"""The qualities of crews, the best first. 4.2.4.8, 7.3"""

SHUTTLES: frozenset[AccessoryKind] = frozenset({"shuttle", "mls", "mrs", "swac"})
"""Kinds that fly from shuttle boxes; fighters do not count as shuttles. 4.2.4.2.1"""


class Accessory(Frozen):
    """One thing that can be held and perhaps bought. ``price`` is in CPV for each, for mines for each CPV worth of
    them; None: not sold by itself. ``a_box`` lie in one cargo box, inert; ``size_class`` says which bases make it.

    ``mines`` are the CPV worth of mines that it carries, if it is a shuttle that can; a ``special`` drone counts
    against a ship's maximum; ``credit`` is what a drone is worth when it is turned in; ``quality`` is that of a crew
    unit. ``officer`` is which legendary officer it is; a fighter's ``pilot`` is as good as is said, and one that is not
    as usual names the fighter that it ``flies`` by its key. A boarding party may be a ``squad`` of another kind.
    4.2.4, 4.2.4.8, 5.3.3, CU-R83, CU-N65
    """

    name: str = Field(min_length=1, max_length=40)
    kind: AccessoryKind
    price: Annotated[Rational, Field(ge=0)] | None = None
    a_box: Annotated[int, Field(ge=1)] = 10
    size_class: Annotated[int, Field(ge=1, le=7)] = 7
    mines: Count = 0
    special: bool = False
    quality: CrewQuality | None = None
    officer: Officer | None = None
    squad: Squad | None = None
    pilot: PilotQuality = "normal"
    flies: str = Field(default="", max_length=60)
    credit: Annotated[Rational, Field(ge=0)] = Fraction(0)
    empire: str = "any"
    source: str = Field(min_length=1)


class Lot(Frozen):
    """So many accessories of one kind in one place."""

    item: Accessory
    count: Annotated[int, Field(ge=1)]

    @property
    def boxes(self) -> int:
        """The cargo boxes that it fills."""
        return -(-self.count // self.item.a_box)

    @property
    def text(self) -> str:
        """``12 CPV of mines``, ``2 x Shuttle``."""
        return f"{self.count} CPV of mines" if self.item.kind == "mines" else f"{self.count} x {self.item.name}"


Lots = dict[str, Lot]
"""Lots by the keys of the catalogue."""

MINES, SHUTTLE, FIGHTER, WBP, FACTORY_DRONE, ACE = "mines", "shuttle", "fighter", "wbp", "drone_1_slow", "ace"
OFFICER_CPV = Fraction(20)
"""What a legendary officer costs beside the ship, or as a refit. Invented. 4.2.4.8"""

STANDARD: dict[str, Accessory] = {
    MINES: Accessory(name="Mines", kind="mines", price=Fraction(1), a_box=20, source="invented"),
    SHUTTLE: Accessory(name="Shuttle", kind="shuttle", price=Fraction(2), a_box=2, size_class=6, source="invented"),
    "mls": Accessory(
        name="Minelaying Shuttle", kind="mls", price=Fraction(4), a_box=2, size_class=6, mines=6, source="invented"
    ),
    "mrs": Accessory(
        name="Multi-Role Shuttle", kind="mrs", price=Fraction(8), a_box=2, size_class=6, mines=6, source="invented"
    ),
    "swac": Accessory(name="SWAC", kind="swac", price=Fraction(15), a_box=2, size_class=6, source="invented"),
    FIGHTER: Accessory(name="Fighter", kind="fighter", price=Fraction(8), a_box=2, size_class=6, source="invented"),
    "fighter_ace": Accessory(
        name="Fighter with Ace",
        kind="fighter",
        price=Fraction(18),
        a_box=2,
        size_class=6,
        pilot="ace",
        flies=FIGHTER,
        source="invented",
    ),
    "fighter_poor": Accessory(
        name="Fighter with Poor Pilot",
        kind="fighter",
        price=Fraction(7),
        a_box=2,
        size_class=6,
        pilot="poor",
        flies=FIGHTER,
        source="invented",
    ),
    ACE: Accessory(name="Legendary Ace", kind="pilot", price=Fraction(10), size_class=4, source="invented"),
    "ewp": Accessory(name="EWP Set", kind="pack", a_box=20, source="invented"),
    WBP: Accessory(name="WBP Set", kind="pack", a_box=20, source="invented"),
    FACTORY_DRONE: Accessory(
        name="Type I Slow Drone", kind="drone", price=Fraction(0), a_box=50, credit=Fraction(1, 2), source="invented"
    ),
    "drone_1_fast": Accessory(
        name="Type I Fast Drone", kind="drone", price=Fraction(3, 2), a_box=50, source="invented"
    ),
    "drone_ecm": Accessory(
        name="ECM Drone", kind="drone", price=Fraction(2), a_box=50, special=True, source="invented"
    ),
    "boarding_party": Accessory(
        name="Boarding Party", kind="party", price=Fraction(1, 2), size_class=4, source="invented"
    ),
    "commando": Accessory(
        name="Commando Squad", kind="party", price=Fraction(1), size_class=4, squad="commando", source="invented"
    ),
    "heavy_weapons": Accessory(
        name="Heavy Weapons Squad", kind="party", price=Fraction(1), size_class=4, squad="heavy", source="invented"
    ),
    "gcv": Accessory(
        name="Ground Combat Vehicle", kind="vehicle", price=Fraction(3), a_box=2, size_class=6, source="invented"
    ),
    "crew_outstanding": Accessory(
        name="Outstanding Crew Unit",
        kind="crew",
        price=Fraction(2),
        size_class=4,
        quality="outstanding",
        source="invented",
    ),
    "crew_normal": Accessory(
        name="Crew Unit", kind="crew", price=Fraction(1), size_class=4, quality="normal", source="invented"
    ),
    "crew_poor": Accessory(
        name="Poor Crew Unit", kind="crew", price=Fraction(1, 2), size_class=4, quality="poor", source="invented"
    ),
} | {
    f"officer_{officer}": Accessory(
        name=f"Legendary {word.title().replace(' Of ', ' of ')}",
        kind="officer",
        price=OFFICER_CPV,
        size_class=4,
        officer=officer,
        source="invented",
    )
    for officer, word in OFFICER_WORDS.items()
}
"""What every campaign offers, unless its scenario says otherwise; prices and room are invented, CPV are whole, and what
one order comes to is rounded up. 4.2.4, CU-N65"""


@rule("4.1.8")
def lose_boxes(lots: Lots, boxes: int) -> None:
    """Lose so many cargo boxes of these lots and what is in them: the last lot by key first, of each the fullest boxes
    stay. 4.1.8, CU-N65"""
    for key in sorted(lots, reverse=True):
        lot = lots[key]
        lost = min(max(0, boxes), lot.boxes)
        boxes -= lost
        if left := min(lot.count, (lot.boxes - lost) * lot.item.a_box):
            lots[key] = Lot(item=lot.item, count=left)
        else:
            del lots[key]


@rule("4.2.4.1", "4.2.4.2")
def complement(record: UnitClass) -> Lots:
    """What a unit of the class comes with, in its price: drones of the first type, and all its shuttles, whether or not
    they are left off it later. Fighters are bought. 4.2.4.1, 4.2.4.2, CU-N70"""
    lots = {FACTORY_DRONE: record.drones, SHUTTLE: record.shuttle_room}
    return {key: Lot(item=STANDARD[key], count=count) for key, count in lots.items() if count}
