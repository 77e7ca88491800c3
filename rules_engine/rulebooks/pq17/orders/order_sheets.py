"""Models of the answers to sheets: planning, the plot of an impulse, and whether to make a plotted move after all.

Each is a sheet ``{line: {field: value}}``. A line holds only the fields that its form offers; what is left out keeps
its present value.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field, RootModel

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest, not_drawn
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Form
from rules_engine.core.forms.misfits import listed
from rules_engine.rulebooks.pq17.orders.standing_words import MOST_CHARACTERS
from rules_engine.rulebooks.pq17.records.forces import MOST_NAME, Posture, TowGroup
from rules_engine.rulebooks.pq17.records.logistics import RefuelWish, SheetWish
from rules_engine.rulebooks.pq17.tables.operations import Speed
from rules_engine.rulebooks.pq17.tables.ship_classes import FASTEST, PowerWord

SIDE_LINE = "side"
"""The planning sheet's line for the whole side."""

PostureWord = Literal["cloak", "warp off", "passive", "logistics"]
"""The words for what differs from the default posture. PQ-17 5.2.2."""

MOST_STEPS = 90
"""The most steps of a stored route: a period of 30 turns, three steps each."""
LEGAL_TOWS = (
    "ship>ship, or ship>ship+ship*5 (five warp boxes off; * alone for all), the towing ship first; several with commas"
)
"""How towing is written."""
MOST_ROUTE = 500
"""The most characters of a written route."""


_LIKE_A_NUMBER = re.compile(r"[a-z]{1,2}\d+(?![a-z\d])", re.IGNORECASE)
_TOW_SHIP = re.compile(r"(?P<name>[^*\s]+)\s*(?P<star>\*(?P<boxes>\d{1,3})?)?")
"""A ship in a towing order: its id, and how far its warp engines are off."""


class ShipFigures(Frozen):
    """What only its players know of a ship; None leaves a figure as it is. Rulings SPD-2, PST-5, CMB-17."""

    practical_speed: Annotated[int, Field(ge=0, le=FASTEST)] | None = None
    """Its warp practical speed, 0 to 30."""
    unpowered: tuple[PowerWord, ...] | None = None
    """All that it cannot power."""

    @property
    def figures(self) -> tuple[int | None, tuple[PowerWord, ...] | None]:
        """Both figures."""
        return self.practical_speed, self.unpowered


class PlanLine(ShipFigures):
    """A line of the planning sheet: of the side, of a unit, or of a task force."""

    bid: Annotated[int, Field(ge=0)] | None = None
    ask: Literal["contact", "always"] | None = None
    task_force: str | None = None
    name: Annotated[str, Field(max_length=MOST_NAME)] | None = None
    posture: tuple[PostureWord, ...] | None = None
    speed: Speed | None = None
    route: Annotated[str, Field(max_length=MOST_ROUTE)] | None = None
    shadow: bool | None = None
    tow: Annotated[str, Field(max_length=200)] | None = None
    doctrine: Annotated[str, Field(max_length=MOST_CHARACTERS)] | None = None
    run: Literal["ask", "on", "2", "3", "5", "10", "go on"] | None = None
    stop: Annotated[str, Field(max_length=MOST_CHARACTERS)] | None = None
    sheet: SheetWish | None = None
    refuel: RefuelWish | None = None


class PlanSheet(RootModel[dict[str, PlanLine]]):
    """A side's answer to the planning sheet."""


class MovementPlot(Frozen):
    """One task force's plot for one impulse."""

    move: str | None = None
    speed: Speed | None = None
    shadow: Literal["go on", "keep speed", "plotted speed"] | None = None
    tow: Annotated[str, Field(max_length=200)] | None = None


class MovementPlots(RootModel[dict[str, MovementPlot]]):
    """A side's plots for one impulse, by task force."""


class StayLine(Frozen):
    """Whether a task force makes its plotted move."""

    move: Literal["go", "stay"] | None = None


class StaySheet(RootModel[dict[str, StayLine]]):
    """For each task force that has the option to remain: whether it uses it."""


def misplaced(form: Form, lines: Mapping[str, Frozen]) -> list[Refusal]:
    """Lines that the form does not have, and fields that do not belong on their line."""
    refusals: list[Refusal] = []
    for key, line in lines.items():
        known = form.line(key)
        if known is None:
            keys = [one.key for one in form.lines]
            legal = listed(keys)
            if (absent := form.absence(key)) is not None:
                refusals.append(illegal(absent.problem, absent.rule, key, legal=legal))
                continue
            refusals.append(malformed("there is no such line", key, legal=legal, nearest=nearest(key, keys)))
            continue
        fields = [field.key for field in known.fields]
        for name in sorted(line.model_fields_set):
            if getattr(line, name) is None or name in fields:
                continue
            path, legal = f"{key}.{name}", ", ".join(fields)
            absent = form.absence(key, name)
            problem = "this line has no such field"
            refusals.append(
                malformed(problem, path, legal=legal)
                if absent is None
                else illegal(absent.problem, absent.rule, path, legal=legal)
            )
    return refusals


@rule("5.4.2", "5.4.4", "5.4.7.3.2")
def read_tows(text: str, path: str) -> tuple[list[TowGroup], list[Refusal]]:
    """Towing as it is written: ``vigil>lance+orb*, heron*5>mote``; a star means that the ship's warp engines are off,
    with a number that so many of its warp boxes are. PQ-17 5.4.2, 5.4.4, 5.4.7.3.2."""
    groups: list[TowGroup] = []
    refusals: list[Refusal] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        tower, arrow, rest = part.partition(">")
        written = [tower, *filter(None, (one.strip() for one in rest.split("+")))]
        found = [_TOW_SHIP.fullmatch(one.strip()) for one in written]
        ships = [one for one in found if one is not None]
        if not arrow or len(written) < 2 or len(ships) < len(written):
            refusals.append(malformed(f"{part!r} is no towing order", path, legal=LEGAL_TOWS))
            continue
        names = [one["name"] for one in ships]
        off = [one["name"] for one in ships if one["star"] and not one["boxes"]]
        some = {one["name"]: int(one["boxes"]) for one in ships if one["boxes"]}
        groups.append(TowGroup(tower=names[0], towed=names[1:], engines_off=off, boxes_off=some))
    return groups, refusals


@rule("1.6.4.1")
def read_name(text: str, path: str) -> tuple[str, list[Refusal]]:
    """A task force's name, on one line; none that could be taken for another's number, or that maps could not show.
    PQ-17 1.6.4.1."""
    name = " ".join(text.split())
    if _LIKE_A_NUMBER.match(name):
        problem = f"“{name}” begins like the number of a task force or contact"
        return "", [malformed(problem, path, legal="a name that begins with a word")]
    return name, not_drawn(name, path)


def write_tows(groups: Iterable[TowGroup]) -> str:
    """The reverse of :func:`read_tows`."""
    return ", ".join(
        f"{_write_ship(tow, tow.tower)}>{'+'.join(_write_ship(tow, one) for one in tow.towed)}" for tow in groups
    )


def _write_ship(tow: TowGroup, unit_id: str) -> str:
    off = tow.boxes_off.get(unit_id)
    return f"{unit_id}*" if unit_id in tow.engines_off else unit_id if off is None else f"{unit_id}*{off}"


# --- postures in words ------------------------------------------------------------------------------------------------


@rule("5.2.2", "5.2.3", "5.2.3.1")
def posture_of(words: Sequence[PostureWord]) -> Posture:
    """The posture that the words stand for. ``cloak`` includes passive sensors. PQ-17 5.2.2, 5.2.3.1."""
    return Posture(
        cloak="cloak" in words,
        warp="warp off" not in words,
        active="passive" not in words and "cloak" not in words,
        logistics="logistics" in words,
    )


@rule("5.2.2", "5.2.3")
def posture_words(posture: Posture) -> tuple[PostureWord, ...]:
    """The words for what differs from the default posture. PQ-17 5.2.2."""
    shown: dict[PostureWord, bool] = {
        "cloak": posture.cloak,
        "warp off": not posture.warp,
        "passive": not posture.active and not posture.cloak,
        "logistics": posture.logistics,
    }
    return tuple(word for word, is_so in shown.items() if is_so)


def posture_text(posture: Posture) -> str:
    """A posture in words; ``active`` for the default."""
    return ", ".join(posture_words(posture)) or "active"
