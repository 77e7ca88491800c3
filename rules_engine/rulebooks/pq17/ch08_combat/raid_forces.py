"""The local forces that a raid meets: rolled one by one within a budget, with the defender's picks.

PQ-17 C.raid.note6, C.raid.convoy-and-base.note1-2, C.raid.federation, C.raid.kzinti; rulings RAID-6 to RAID-9.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch08_combat.raid_tables import (
    BASE,
    CONVOY,
    LEAST_DEFENSE,
    LOCAL_DEFENSE,
    MONITOR,
    Category,
    ForceTable,
    Meeting,
    TypeCode,
    all_types,
    category_for,
)
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.special_conditions.ships_brought import class_for, find_class
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

Worth = Callable[[ShipClass], Fraction]


@dataclass
class Pick:
    """One unit of the local forces: its class, and the refits bought for it."""

    kind: ShipClass
    part: str
    """``convoy``, ``local defence`` or ``base``."""
    refits: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class Muster:
    """The facts when local forces are raised: defender, place, and attackers."""

    side: Side
    hex: HexId
    empire: str
    meeting: Meeting
    attackers: Fraction
    """Combat value of the attacking task forces."""
    explicit: Fraction
    """Combat value of the defending ones."""

    @property
    @rule("C.raid.note6")
    def defense_budget(self) -> Fraction:
        """The most that local defence may be worth: the attackers' value, or 50. C.raid.note6, ruling RAID-6."""
        return max(Fraction(0), max(self.attackers, Fraction(LEAST_DEFENSE)) - self.explicit)


def missing_types(classes: Mapping[str, ShipClass]) -> list[TypeCode]:
    """Types that raids can meet and the catalogue lacks. PQ-17 ruling RAID-9."""
    empires = ("", *LOCAL_DEFENSE)
    return [code for code in all_types() if not any(find_class(classes, code, empire) for empire in empires)]


def muster_steps(turn: TurnContext[State], muster: Muster) -> Steps[list[Pick]]:
    """All local forces of a raid: base, local defence and convoy as the raid table calls for them. C.raid.note5-6."""
    picks: list[Pick] = []
    if muster.meeting.base:
        picks += yield from _base_steps(turn, muster)
    if muster.meeting.local_defense and muster.empire in LOCAL_DEFENSE:
        picks += yield from _defense_steps(turn, muster)
    picks += yield from _convoy_steps(turn, muster)
    yield from _refit_steps(turn, muster, picks)
    return picks


@rule("C.raid.convoy-and-base")
def _base_steps(turn: TurnContext[State], muster: Muster) -> Steps[list[Pick]]:
    """One base, whatever it is worth. PQ-17 C.raid.convoy-and-base."""
    return (yield from _Drawing(turn, muster, "base", BASE, lambda kind: kind.bpv_economic).one_steps())


@rule("C.raid.federation", "C.raid.kzinti")
def _defense_steps(turn: TurnContext[State], muster: Muster) -> Steps[list[Pick]]:
    """Local defence by the table of the empire that has settled the hex. PQ-17 C.raid.federation, C.raid.kzinti."""
    forces = LOCAL_DEFENSE[muster.empire]
    drawing = _Drawing(turn, muster, "local defence", forces, lambda kind: kind.bpv_combat)
    return (yield from drawing.fill_steps(Fraction(0), muster.defense_budget))


@rule("C.raid.convoy-and-base")
def _convoy_steps(turn: TurnContext[State], muster: Muster) -> Steps[list[Pick]]:
    """A convoy with an economic value in the raid table's range. PQ-17 C.raid.convoy-and-base."""
    least, most = muster.meeting.convoy
    drawing = _Drawing(turn, muster, "convoy", CONVOY, lambda kind: kind.bpv_economic)
    return (yield from drawing.fill_steps(Fraction(least), Fraction(most)))


# --- drawing units ----------------------------------------------------------------------------------------------------


@dataclass
class _Drawing:
    """Draws the units of one part, one at a time. ``drawn`` counts the rolls, so that each has its own label."""

    turn: TurnContext[State]
    muster: Muster
    part: str
    forces: ForceTable
    worth: Worth
    drawn: int = 0

    def one_steps(self) -> Steps[list[Pick]]:
        """Draw a single unit of any value: the base. PQ-17 C.raid.convoy-and-base.note2."""
        kind: ShipClass | None = None
        while kind is None:
            kind = yield from self._draw_steps(None)
        return [Pick(kind, self.part)]

    @rule("C.raid.note6")
    def fill_steps(self, least: Fraction, most: Fraction) -> Steps[list[Pick]]:
        """Draw units until their value is in the range; for local defence (no least) until no type fits.

        PQ-17 C.raid.note6, C.raid.convoy-and-base.note1, C.raid.federation.note1, C.raid.kzinti.note3."""
        picks: list[Pick] = []
        total = Fraction(0)
        while (total < least or not least) and self._any_fits(most - total):
            kind = yield from self._draw_steps(most - total)
            if kind is not None:
                picks.append(Pick(kind, self.part))
                total += self.worth(kind)
        return picks

    def _any_fits(self, budget: Fraction) -> bool:
        codes = {code for category in self.forces for code in self._allowed(category.types())}
        return any(self._fits(code, budget) for code in codes)

    def _allowed(self, codes: Sequence[TypeCode]) -> list[TypeCode]:
        """The types allowed: a monitor only if there is a base. PQ-17 ruling RAID-7."""
        return [code for code in codes if code != MONITOR or self.muster.meeting.base]

    def _class(self, code: TypeCode) -> ShipClass:
        return class_for(self.turn.state, code, self.muster.empire)

    def _fits(self, code: TypeCode, budget: Fraction | None) -> bool:
        kind = find_class(self.turn.state.classes, code, self.muster.empire)
        return kind is not None and (budget is None or self.worth(kind) <= budget)

    @rule("C.raid.note6")
    def _draw_steps(self, budget: Fraction | None) -> Steps[ShipClass | None]:
        """Roll category and type; the defender chooses where the table allows it; None if no type of the category fits.

        PQ-17 C.raid.note6."""
        self.drawn += 1
        here = self.turn.at(self.muster.hex, "raid", self.part)
        seen = self.turn.sides
        first = here.roll(f"{self.part} category {self.drawn}", faces=100, seen_by=seen)
        second = here.roll(f"{self.part} type {self.drawn}", faces=100, seen_by=seen)
        category = category_for(self.forces, first.total)
        rolled = self._allowed(category.row_for(second.total).types)
        fitting = [code for code in rolled if self._fits(code, budget)]
        text = f"{category.name}, {' or '.join(rolled)}"
        if not fitting:
            others = [code for code in category.types() if code != MONITOR and self._fits(code, budget)]
            fitting = list(dict.fromkeys(others))
            text += " does not fit" if fitting else ": nothing of the category fits"
        inputs: dict[str, object] = {"part": self.part}
        if budget is not None:
            inputs["value left"] = show_fraction(budget)
        code = (yield from self._choose_steps(category, fitting)) if len(fitting) > 1 else next(iter(fitting), None)
        why = because("PQ-17 C.raid.note6", inputs, [first, second])
        ending = f"{code} joins" if code else "rolled again"
        said = f"Raid on {self.muster.hex}: {text}; {ending}."
        self.turn.tell(self.turn.sides, said, kind="raid", why=why)
        return self._class(code) if code else None

    def _choose_steps(self, category: Category, codes: Sequence[TypeCode]) -> Steps[TypeCode]:
        """Ask the defender for one type of several; the default is the most valuable."""
        ask = _pick_ask(self, category, codes)
        answer = yield from self.turn.at(self.muster.hex, "raid", self.part, f"pick {self.drawn}").ask_steps(ask)
        return answer.chosen or codes[0]

    def choice(self, code: TypeCode) -> Choice:
        """A type as a choice on the sheet."""
        kind = self._class(code)
        return Choice(value=code, label=f"{kind.name} ({show_fraction(self.worth(kind))})")

    def best(self, codes: Sequence[TypeCode]) -> TypeCode:
        """The type of the highest value, the first of equals."""
        return max(codes, key=lambda code: (self.worth(self._class(code)), -list(codes).index(code)))


class PickLine(Frozen):
    """The type that the defender takes."""

    type: str


class PickSheet(RootModel[dict[str, PickLine]]):
    """The defender's pick."""

    @property
    def chosen(self) -> str:
        """The type; empty when left out."""
        line = self.root.get("pick")
        return line.type if line else ""


def _pick_ask(drawing: _Drawing, category: Category, codes: Sequence[TypeCode]) -> Ask[PickSheet]:
    best = drawing.best(codes)
    options = tuple(drawing.choice(code) for code in codes)
    one = Field(key="type", label="Type", kind="one", choices=options, value=best)
    return Ask(
        kind="local force",
        parties=(drawing.muster.side,),
        title=f"Raid on {drawing.muster.hex}: a unit of the {drawing.part}",
        text=f"{category.name}: choose which type joins your local forces in the battle.",
        question=Question(
            f"Raid in {drawing.muster.hex}",
            f"Which type of the {drawing.part} joins your local forces?",
            (drawing.muster.hex,),
        ),
        model=PickSheet,
        form=Form(lines=(Line(key="pick", label="Joins", fields=(one,)),)),
        rule="PQ-17 C.raid.note6",
        default=PickSheet({"pick": PickLine(type=best)}),
        default_says=f"The most valuable: {best}.",
        pace="decision",
        check=lambda answer: _check_pick(codes, answer),
        read_back=lambda answer: [f"{answer.chosen or best} joins."],
    )


def _check_pick(codes: Sequence[TypeCode], answer: PickSheet) -> list[Refusal]:
    legal = ", ".join(codes)
    found = [malformed("there is one line, pick", key, legal="pick") for key in answer.root if key != "pick"]
    if answer.chosen and answer.chosen not in codes:
        near = nearest(answer.chosen, codes)
        problem = "that type does not fit, or was not rolled"
        found.append(illegal(problem, "PQ-17 C.raid.note6", "pick.type", legal=legal, nearest=near))
    return found


# --- refits -----------------------------------------------------------------------------------------------------------


class RefitLine(Frozen):
    """The refits bought for one unit."""

    refits: tuple[str, ...] = ()


class RefitSheet(RootModel[dict[str, RefitLine]]):
    """All refits that the defender buys, by unit."""


@rule("C.raid.note6")
def _refit_steps(turn: TurnContext[State], muster: Muster, picks: Sequence[Pick]) -> Steps[None]:
    """Ask for refits of rolled units, within the rest of their part's budget, if any could be bought.

    PQ-17 C.raid.note6, C.raid.convoy-and-base.note1, C.raid.federation.note1."""
    left = _left(muster, picks)
    named = {f"{pick.part} {number}": pick for number, pick in enumerate(picks, start=1)}
    open_to = {
        key: pick
        for key, pick in named.items()
        if pick.part in left and any(refit.bpv <= left[pick.part] for refit in pick.kind.refits)
    }
    lines = tuple(_refit_line(key, pick, left[pick.part]) for key, pick in open_to.items())
    ask = Ask(
        kind="local refits",
        parties=(muster.side,),
        title=f"Raid on {muster.hex}: refits",
        text="Your local forces have value left. Choose refits that fit into it; each part has a budget of its own.",
        question=Question(f"Raid in {muster.hex}", "Your local forces have value left for refits.", (muster.hex,)),
        model=RefitSheet,
        form=Form(lines=lines),
        rule="PQ-17 C.raid.note6",
        default=RefitSheet({}),
        default_says="No refits.",
        pace="decision",
        check=lambda answer: _check_refits(open_to, left, answer),
        read_back=lambda answer: (
            [f"{key}: {', '.join(line.refits) or 'no refits'}." for key, line in answer.root.items()] or ["No refits."]
        ),
    )
    answer = yield from turn.at(muster.hex, "raid", "refits").ask_steps(ask)
    for key, line in answer.root.items():
        open_to[key].refits = list(line.refits)


def _left(muster: Muster, picks: Sequence[Pick]) -> dict[str, Fraction]:
    spent = {"convoy": Fraction(0), "local defence": Fraction(0)}
    for pick in picks:
        if pick.part == "convoy":
            spent["convoy"] += pick.kind.bpv_economic
        elif pick.part == "local defence":
            spent["local defence"] += pick.kind.bpv_combat
    return {
        "convoy": muster.meeting.convoy[1] - spent["convoy"],
        "local defence": muster.defense_budget - spent["local defence"],
    }


def _refit_line(key: str, pick: Pick, left: Fraction) -> Line:
    offered = tuple(
        Choice(value=refit.name, label=f"{refit.name} ({show_fraction(refit.bpv)})")
        for refit in pick.kind.refits
        if refit.bpv <= left
    )
    many = Field(key="refits", label="Refits", kind="many", choices=offered, optional=True)
    return Line(key=key, label=f"{key}: {pick.kind.name}", fields=(many,), note=f"{show_fraction(left)} left")


def _check_refits(open_to: dict[str, Pick], left: dict[str, Fraction], answer: RefitSheet) -> list[Refusal]:
    found: list[Refusal] = []
    spent = dict.fromkeys(left, Fraction(0))
    for key, line in answer.root.items():
        pick = open_to.get(key)
        if pick is None:
            near = nearest(key, open_to)
            found.append(malformed("no such unit takes refits", key, legal=", ".join(open_to), nearest=near))
            continue
        prices = {refit.name: refit.bpv for refit in pick.kind.refits}
        for name in line.refits:
            if name not in prices:
                near = nearest(name, prices)
                found.append(malformed("it has no such refit", f"{key}.refits", legal=", ".join(prices), nearest=near))
                continue
            spent[pick.part] += prices[name]
        if len(set(line.refits)) < len(line.refits):
            found.append(malformed("a refit is bought once", f"{key}.refits", legal="each once"))
    for part, points in spent.items():
        if points > left[part]:
            problem = f"the refits of the {part} cost {show_fraction(points)}"
            found.append(illegal(problem, "PQ-17 C.raid.note6", part, legal=f"at most {show_fraction(left[part])}"))
    return found
