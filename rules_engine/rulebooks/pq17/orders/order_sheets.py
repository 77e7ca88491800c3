"""Models of the answers to sheets: planning, the plot of an impulse, and whether to make a plotted move after all.

Each is a sheet ``{line: {field: value}}``. A line holds only the fields that its form offers; what is left out keeps
its present value.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field, RootModel

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.refusals import Refusal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Form
from rules_engine.rulebooks.pq17.orders.standing_words import MOST_CHARACTERS
from rules_engine.rulebooks.pq17.records.forces import Posture, TowGroup
from rules_engine.rulebooks.pq17.records.logistics import RefuelWish, SheetWish
from rules_engine.rulebooks.pq17.tables.operations import Speed

SIDE_LINE = "side"
"""The planning sheet's line for the whole side."""

PostureWord = Literal["cloak", "warp off", "passive", "logistics"]
"""The words for what differs from the default posture. PQ-17 5.2.2."""

MOST_STEPS = 90
"""The most steps of a stored route: a period of 30 turns, three steps each."""
MOST_ROUTE = 500
"""The most characters of a written route."""


class PlanLine(Frozen):
    """A line of the planning sheet: of the side, of a unit, or of a task force."""

    bid: Annotated[int, Field(ge=0)] | None = None
    ask: Literal["contact", "always"] | None = None
    task_force: str | None = None
    name: Annotated[str, Field(max_length=24)] | None = None
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
            refusals.append(malformed("there is no such line", key, legal=", ".join(keys), nearest=nearest(key, keys)))
            continue
        fields = [field.key for field in known.fields]
        refusals.extend(
            malformed("this line has no such field", f"{key}.{name}", legal=", ".join(fields))
            for name in sorted(line.model_fields_set)
            if getattr(line, name) is not None and name not in fields
        )
    return refusals


@rule("5.4.2", "5.4.4", "5.4.7.3.2")
def read_tows(text: str, path: str) -> tuple[list[TowGroup], list[Refusal]]:
    """Towing as it is written: ``vigil>lance+orb*, heron>mote``; a star means that the towed ship's engines are off.

    PQ-17 5.4.2, 5.4.4, 5.4.7.3.2."""
    groups: list[TowGroup] = []
    refusals: list[Refusal] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        tower, arrow, rest = part.partition(">")
        towed = [one.strip() for one in rest.split("+") if one.strip()]
        if not arrow or not towed:
            refusals.append(malformed(f"{part!r} is no towing order", path, legal="tower>towed+towed, …"))
            continue
        names = [one.rstrip("*") for one in towed]
        off = [one.rstrip("*") for one in towed if one.endswith("*")]
        groups.append(TowGroup(tower=tower.strip(), towed=names, engines_off=off))
    return groups, refusals


def write_tows(groups: Iterable[TowGroup]) -> str:
    """The reverse of :func:`read_tows`."""
    return ", ".join(
        f"{tow.tower}>" + "+".join(f"{one}*" if one in tow.engines_off else one for one in tow.towed) for tow in groups
    )


# --- postures in words ------------------------------------------------------------------------------------------------


@rule("5.2.2", "5.2.3.1")
def posture_of(words: Sequence[PostureWord]) -> Posture:
    """The posture that the words stand for. ``cloak`` includes passive sensors. PQ-17 5.2.2, 5.2.3.1."""
    return Posture(
        cloak="cloak" in words,
        warp="warp off" not in words,
        active="passive" not in words and "cloak" not in words,
        logistics="logistics" in words,
    )


@rule("5.2.2")
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
