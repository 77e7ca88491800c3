"""The campaign's raid tables: the opposition a raid meets, and the types of local forces, as data.

PQ-17 C.raid.table, C.raid.convoy-and-base, C.raid.federation, C.raid.kzinti.
"""

from typing import NamedTuple

from rules_engine.core.basics.rules import rule

TypeCode = str
"""A type as the table prints it, e.g. ``"F-OL"``. The catalogue's class of a type has the same designation."""

MONITOR: TypeCode = "MON"
"""Offered beside some local defence types, where the raid has met a base. PQ-17 ruling RAID-7."""


class Meeting(NamedTuple):
    """A row of the raid table with explicit opposition: what joins the explicit task forces."""

    least: int
    most: int
    convoy: tuple[int, int]
    """The least and the most economic value of the convoy."""
    local_defense: bool = False
    base: bool = False


RAID_TABLE: tuple[Meeting, ...] = (
    Meeting(1, 40, (15, 44)),
    Meeting(41, 65, (45, 74)),
    Meeting(66, 80, (75, 104)),
    Meeting(81, 90, (105, 134), local_defense=True),
    Meeting(91, 100, (105, 134), local_defense=True, base=True),
)
"""The right-hand column; the left-hand one (no explicit opposition) always scores. PQ-17 C.raid.table, RAID-5."""

LEAST_DEFENSE = 50
"""The least combat value of local defence together with explicit task forces. PQ-17 C.raid.note6."""


@rule("C.raid.table")
def meeting_for(rolled: int) -> Meeting:
    """The row of a D100. PQ-17 C.raid.table."""
    return next(row for row in RAID_TABLE if row.least <= rolled <= row.most)


class TypeRow(NamedTuple):
    """A row of types: its numbers, and the type rolled, or several types from which the defender chooses."""

    least: int
    most: int
    types: tuple[TypeCode, ...]


class Category(NamedTuple):
    """A category: its numbers, its name, its types."""

    least: int
    most: int
    name: str
    rows: tuple[TypeRow, ...]

    def row_for(self, rolled: int) -> TypeRow:
        """The type row of a D100."""
        return next(row for row in self.rows if row.least <= rolled <= row.most)

    def types(self) -> tuple[TypeCode, ...]:
        """All its types, in printed order."""
        return tuple(code for row in self.rows for code in row.types)


ForceTable = tuple[Category, ...]


def _table(printed: str) -> ForceTable:
    """A table as it is printed, a line for each category, one that begins with blanks going on with the line before:
    ``01-10 Police: 01-50 F-HL, 51-00 F-LL/MON``. ``00`` is 100, and the defender chooses between types with a ``/``."""
    found: list[Category] = []
    for line in printed.strip().replace("\n ", " ").splitlines():
        heading, _, rows = line.partition(":")
        numbers, _, name = heading.partition(" ")
        parts = [part.split() for part in rows.split(",")]
        types = tuple(TypeRow(*_span(span), tuple(codes.split("/"))) for span, codes in parts)
        found.append(Category(*_span(numbers), name, types))
    return tuple(found)


def _span(numbers: str) -> tuple[int, int]:
    least, most = numbers.split("-")
    return int(least) or 100, int(most) or 100


CONVOY = _table("""
01-10 General Heavy Freighters: 01-50 F-OL, 51-00 F-OP
11-40 General Large Freighters: 01-10 F-HL, 11-20 F-LL, 21-40 F-L, 41-50 F-PL, 51-60 F-RL, 61-70 F-SL, 71-80 F-TL,
    81-90 STG, 91-00 UFL
41-80 General Small Freighters: 01-10 F-HS, 11-20 F-LS, 21-30 F-PS, 31-40 F-RS, 41-50 F-S, 51-60 F-SS, 61-70 F-TS,
    71-80 HTG, 81-90 TSS, 91-00 UFS
81-85 General Priority Transports: 01-25 APS, 26-50 APT, 51-75 CUT, 76-00 EPT
86-90 General Fast Transports: 01-00 FDX
91-95 General Free Trader: 01-30 FT, 31-40 FTK, 41-50 FTP, 51-60 FTR, 61-70 FTT, 71-80 FTZ, 81-90 PT, 91-00 PTC
96-00 General Skiffs & Cutters: 01-25 LB, 26-50 SK, 51-75 SSK, 76-00 MCR
""")
BASE = _table("""
01-00 General Bases: 01-04 BSC, 05-28 CCS, 29-52 CPL, 53-76 CPP, 77-00 SAM
""")
FEDERATION = _table("""
01-35 National Guard: 01-10 GCA/MON, 11-40 GDD, 41-90 GFF, 91-00 GSR
36-70 Police: 01-00 POL
71-90 Early Years: 01-05 YDN/MON, 06-10 YCC/MON, 11-15 YCA/MON, 16-25 YCL, 26-35 YCM, 36-45 YCS, 46-65 YD, 66-95 YFF,
    96-00 YTG
91-00 Warp Refit: 01-25 WCL, 26-50 WCM, 51-75 WSR, 76-00 WDD
""")
KZINTI = _table("""
01-35 Local Defense: 01-10 LCS/MON, 11-40 LCD, 41-00 LFF
36-70 Police: 01-00 POL
71-90 Early Years: 01-05 YDN/MON, 06-10 YCC/MON, 11-15 YCS/MON, 16-25 YSR, 26-35 YCL, 36-45 YCD, 46-65 YDF, 66-95 YFF,
    96-00 YCG
91-00 Warp Refit: 01-25 WCA/WCI, 26-50 WCL/WLI, 51-75 WDD, 76-00 WFF/WFI
""")

LOCAL_DEFENSE: dict[str, ForceTable] = {"Federation": FEDERATION, "Kzinti": KZINTI}
"""By the empire that has settled the hex. PQ-17 C.raid.federation, C.raid.kzinti."""


def category_for(table: ForceTable, rolled: int) -> Category:
    """The category of a D100."""
    return next(category for category in table if category.least <= rolled <= category.most)


def all_types() -> tuple[TypeCode, ...]:
    """Every type that any raid can meet, each once, ascending: a catalogue must have them all for raids to be
    played."""
    tables = (CONVOY, BASE, *LOCAL_DEFENSE.values())
    return tuple(sorted({code for table in tables for category in table for code in category.types()}))
