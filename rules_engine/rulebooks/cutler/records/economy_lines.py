"""The lines of a turn's sheet that are about CPV (chapter 4)."""

from typing import Literal

from pydantic import Field

from rules_engine.core.basics.refusals import Refusal, malformed, not_drawn
from rules_engine.rulebooks.cutler.records.lines import PartialLine

LONGEST_NAME = 40
"""Characters of a new ship's or base's name."""
LONGEST_HEX = 20
"""Characters of the number of a hex, as somebody types it."""


def name_in(text: str | None) -> str:
    """A name that somebody typed, on one line; blank where they typed none."""
    return " ".join((text or "").split())


def not_a_name(name: str, path: str) -> list[Refusal]:
    """Why a name would be taken for something else, or be left off maps: one without letters reads as the number of a
    hex."""
    if not name or any(letter.isalpha() for letter in name):
        return not_drawn(name, path)
    return [malformed(f"{name!r} has no letter", path, legal="a name with a letter in it, or none")]


class EconomyLine(PartialLine):
    """What new CPV of any planet goes to. ``pool`` left blank takes all that is not named. ``stands`` says whether all
    of the budget stands for later turns (blank: as it was). 4.1.6.1, CU-R80, CU-N150"""

    reserve: int = Field(default=0, ge=0, strict=True)
    pool: int | None = Field(default=None, ge=0, strict=True)
    stands: Literal["yes", "once", "no"] | None = Field(default=None, exclude_if=lambda said: said is None)


class PlaceLine(PartialLine):
    """A hex: new CPV into its cargo boxes, and all CPV into its repair boxes (blank: what the work there takes).
    4.1.6.1"""

    cargo: int = Field(default=0, ge=0, strict=True)
    repair: int | None = Field(default=None, ge=0, strict=True)


class LoadLine(PartialLine):
    """A ship with cargo boxes: how many CPV it holds after the economics phase (blank: as it comes), and whether it
    unloads into bases wherever it comes upon them. 4.1.6.1, 4.1.7"""

    carry: int | None = Field(default=None, ge=0, strict=True)
    unload: bool | None = None


class BaseLine(PartialLine):
    """A base for which CPV are set aside: its class, or an upgrade, its hex (blank: where the first tug is), its name.
    4.4.2, 4.4.5"""

    type: str | None = Field(default=None, max_length=120)
    at: str | None = Field(default=None, max_length=LONGEST_HEX)
    name: str | None = Field(default=None, max_length=LONGEST_NAME)


class ScrapLine(PartialLine):
    """A base that is scrapped, if that is meant. 4.4.5"""

    base: str | None = Field(default=None, max_length=60)
    sure: bool = False


class GroundLine(PartialLine):
    """A planet: how many ground bases are built there, and on which hexsides (none named: on all); likewise on those
    moons in its hex that are named, by key (none named: on all). All are of the class ``type``; blank: the cheapest.
    4.4.9, CU-N63, CU-N113"""

    build: int = Field(default=0, ge=0, le=100, strict=True)
    sides: tuple[str, ...] = ()
    on_moons: int = Field(default=0, ge=0, le=100, strict=True)
    moons: tuple[str, ...] = ()
    moon_sides: tuple[str, ...] = ()
    type: str | None = None


class DockLine(PartialLine):
    """A docking bay: what is begun there, or that it is given up; a new ship's name (blank: one is found), its
    ``people``, a crew that is not normal and legendary officers; how many CPV go into it (blank: as many as there are);
    and the refit that follows in the same turn, if any.

    4.2.1, 4.2.1.3, 4.2.3.3, 4.2.4.8
    """

    work: str | None = Field(default=None, max_length=120)
    name: str | None = Field(default=None, max_length=LONGEST_NAME)
    cpv: int | None = Field(default=None, ge=0, strict=True)
    then: str | None = Field(default=None, max_length=60)
    people: tuple[str, ...] = ()
