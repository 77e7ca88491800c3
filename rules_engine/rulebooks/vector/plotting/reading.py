"""Reading a unit's line: thrust, turns, and the plot in words, as one plot."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.grids.space import WAYS, Way
from rules_engine.rulebooks.vector.plotting.actions import BY_LETTER, VERBS, read_action
from rules_engine.rulebooks.vector.plotting.unread import EVERYTHING, UnreadClause
from rules_engine.rulebooks.vector.plotting.writing import COASTS
from rules_engine.rulebooks.vector.records.pieces import piece_ahead
from rules_engine.rulebooks.vector.records.plots import (
    IMPULSES,
    MOST_HET_ENERGY,
    PlotAction,
    PlotCondition,
    PlotEvent,
    UnitPlot,
)
from rules_engine.rulebooks.vector.records.sheets import PlotLine
from rules_engine.rulebooks.vector.typed.clauses import MOST_CLAUSES, Misread, TypedClause, Words, clauses_of
from rules_engine.rulebooks.vector.typed.names import BattleNames

WHEN = "when nearest enemy within 8: turn towards"
PATH = "path A first, or an order of moves such as path ABAB"
ENERGY = "energy 20+1 (warp and impulse), energy 20"
FRICTION = "friction A: the element that it takes from"
MOST_POINTS = 999

_SETTINGS = ("path", "energy", "friction", COASTS)
_OFFERED = [*VERBS, *_SETTINGS, "when"]
_MINUS = re.compile(r"[-−]\s*(?=\d)")


def example(first: int, then: int) -> str:
    """A plot as it may be typed, with something on each of two impulses."""
    return f"accelerate 6 on {first}; turn right on {then}; path A first; reserve 3"


EXAMPLE = example(1, 4)


@dataclass
class ReadPlot:
    """A unit's plot as it was understood, and every defect of its words.

    ``events`` are what it does, each with the field of the line in which it was said. ``warp`` and ``impulse`` are the
    points allocated, ``het_energy`` those for its high energy turns, ``moves`` the path, ``unread`` what could not be
    read, ``typed`` see :class:`UnitPlot`.
    """

    unit: str
    events: list[tuple[PlotEvent, str]] = field(default_factory=list[tuple[PlotEvent, str]])
    moves: str = ""
    warp: int | None = None
    impulse: int | None = None
    het_energy: int | None = None
    friction: Way | None = None
    coasts: bool = False
    refusals: list[Refusal] = field(default_factory=list[Refusal])
    unread: list[UnreadClause] = field(default_factory=list[UnreadClause])

    typed: tuple[int, ...] = ()

    def put_in_order(self) -> None:
        """Put events by their impulses, of one impulse as they were said, and those on a condition last; ``typed``
        keeps when these are done that were said before others. Fields stand in no order of their own: what is said in
        ``plot`` of reserve power may pay for what another has. CJD1.22, VM-R09"""
        elsewhere = {event.impulse for event, name in self.events if name != "plot"}

        def comes_later(place: int) -> bool:
            event = self.events[place][0]
            return event.action != "reserve" or event.impulse not in elsewhere

        places = range(len(self.events))
        by_impulse = sorted(places, key=lambda place: (self.events[place][0].impulse or 99, comes_later(place)))
        said = sorted(places, key=comes_later)
        if any(event.impulse is None for event, _ in self.events):
            self.typed = tuple(by_impulse.index(place) for place in said)
            self.typed = () if self.typed == tuple(places) else self.typed
        self.events = [self.events[place] for place in by_impulse]

    def plot(self) -> UnitPlot:
        """The plot."""
        events = tuple(event for event, _ in self.events)
        return UnitPlot(
            events=events,
            typed=self.typed,
            path=self.moves,
            warp=self.warp,
            impulse=self.impulse,
            friction=self.friction,
        )


def read_line(names: BattleNames, unit: str, line: PlotLine) -> ReadPlot:
    """What a line plots for its unit in the piece ahead."""
    read = ReadPlot(unit)
    for name, text in (("thrust", _thrust(line.thrust)), ("turn", _each(line.turn, "turn")), ("plot", line.plot or "")):
        path = f"{unit}.{name}"
        clauses = list(clauses_of(text))
        if len(clauses) > MOST_CLAUSES:
            problem = f"{len(clauses)} things are said here"
            read.refusals.append(malformed(problem, path, legal=f"at most {MOST_CLAUSES}"))
            read.unread.append(UnreadClause(f"{name}, of {len(clauses)} things", EVERYTHING))
            continue
        for clause in clauses:
            reader = _ClauseReader(read, names, clause, name)
            try:
                reader.read_it()
            except Misread as wrong:
                read.refusals.append(clause.refusal(wrong, path))
                read.unread.append(UnreadClause.of(clause))
    if read.coasts and (read.events or read.moves):
        problem = "it coasts, and does something as well"
        read.refusals.append(malformed(problem, f"{unit}.plot", legal="coast, or what it does"))
    energy = read.het_energy if line.het_energy is None else line.het_energy
    if energy is not None:
        _give_energy(read, energy)
    read.put_in_order()
    return read


def _give_energy(read: ReadPlot, energy: int) -> None:
    """Give the high energy turns of a line the energy that its field says, but for those that say their own. VM-R21"""
    turns = [number for number, (event, _) in enumerate(read.events) if event.action == "het"]
    if not turns and not read.unread:
        problem = f"energy {energy} is for a high energy turn, and none is plotted"
        read.refusals.append(malformed(problem, f"{read.unit}.het_energy", legal="“het E on 9” in Plot, or nothing"))
    for number in turns:
        event, name = read.events[number]
        if event.energy is None:
            read.events[number] = event.with_values(energy=energy), name


def said_in_order(
    names: BattleNames, unit: str, parts: Sequence[tuple[str, str]], stands: Mapping[str, Json]
) -> dict[str, Json]:
    """The fields of a line as one plot, where what was typed to them, ``parts`` in its order, would be done in another
    order by the fields; nothing where that makes no difference. What ``stands`` there comes before, but for thrust and
    turns of the plot on impulses that are said anew. VM-R09"""
    said = [(name, text) for name, text in parts if name in _WITH_VERBS]
    new = read_line(names, unit, _line_of(said)).events
    before = [
        (name, text) for name in _WITH_VERBS if name not in {one for one, _ in said} and (text := _text(stands, name))
    ]
    kept = [(name, _left_of(names, unit, text, new) if name == "plot" else text) for name, text in before]
    everything = [(name, text) for name, text in (*kept, *said) if text]
    changed: dict[str, Json] = {
        name: text or None for (name, text), (_, was) in zip(kept, before, strict=True) if text != was
    }
    whole = "; ".join(_WITH_VERBS[name](text) for name, text in everything)
    apart, together = (read_line(names, unit, line) for line in (_line_of(everything), PlotLine(plot=whole)))
    if _orders(apart.plot()) == _orders(together.plot()):
        return changed
    return {**dict.fromkeys(name for name, _ in everything), "plot": whole}


def _line_of(said: Sequence[tuple[str, str]]) -> PlotLine:
    """A line with these texts, whatever their lengths: it is read, and not sent."""

    def of(name: str) -> str:
        return "; ".join(text for one, text in said if one == name)

    return PlotLine.model_construct(thrust=of("thrust"), turn=of("turn"), plot=of("plot"))


def _text(stands: Mapping[str, Json], name: str) -> str:
    there = stands.get(name)
    return there if isinstance(there, str) else ""


def _left_of(names: BattleNames, unit: str, text: str, new: Sequence[tuple[PlotEvent, str]]) -> str:
    """A plot without the thrust and turns of impulses for which the same is said anew."""
    taken = {(_KIND.get(event.action), event.impulse) for event, _ in new if event.impulse}
    clauses = [f"{one.condition}: {one.text}" if one.condition else one.text for one in clauses_of(text)]
    events = [[event for event, _ in read_line(names, unit, PlotLine(plot=clause)).events] for clause in clauses]
    return "; ".join(
        clause
        for clause, found in zip(clauses, events, strict=True)
        if not any(one.action in _KIND and (_KIND[one.action], one.impulse) in taken for one in found)
    )


_KIND: Mapping[PlotAction, str] = {"accelerate": "thrust", "reverse": "thrust", "turn": "turn"}
"""What is said twice of one impulse if it is of one kind."""


def _orders(plot: UnitPlot) -> list[list[PlotEvent]]:
    """What a plot may do on each impulse, in its order, but for reserve, which only has to be there in time."""

    def may_be(event: PlotEvent, impulse: int) -> bool:
        when = event.when
        return event.impulse == impulse if when is None else when.first <= impulse <= when.last

    events = [one for one in plot.as_typed if one.action != "reserve"]
    return [[one for one in events if may_be(one, impulse)] for impulse in range(1, IMPULSES + 1)]


def _thrust(text: str | None) -> str:
    """What stands in the field for thrust, with verbs: a minus is thrust in reverse."""
    return _each(_MINUS.sub("reverse ", text or ""), "accelerate")


def _each(text: str | None, verb: str) -> str:
    """The clauses of a field that is for one verb, each with it."""
    said = [one.text for one in clauses_of(text or "")]
    return "; ".join(one if one.partition(" ")[0].casefold() in VERBS else f"{verb} {one}" for one in said)


_WITH_VERBS: Mapping[str, Callable[[str], str]] = {
    "thrust": _thrust,
    "turn": lambda text: _each(text, "turn"),
    "plot": str,
}
"""The fields that plot, each with how its text stands in ``plot``."""


@dataclass
class _ClauseReader:
    """Reads one clause of the field ``name`` into what is read of the line."""

    read: ReadPlot
    names: BattleNames
    clause: TypedClause
    name: str

    def read_it(self) -> None:
        """Read it.

        Raises:
            Misread: for the first word of it that has no meaning there.
        """
        when = _condition(self.names, self.clause.condition) if self.clause.condition else None
        words = Words(self.clause.text, EXAMPLE)
        words.skip("plot")
        verb = words.next
        words.skip(*_OFFERED)
        if verb in VERBS:
            event, on = read_action(VERBS[verb], words, self.names)
            self.read.events += [(one, self.name) for one in self._placed(event, on, when)]
        elif verb == "when":
            raise Misread("a colon stands between a condition and what is to be done", WHEN)
        elif verb not in _SETTINGS:
            problem = f"“{verb}” is not understood" if verb else "it does not say what is to be done"
            raise Misread(problem, f"for example {EXAMPLE}", nearest(verb, _OFFERED) if verb else ())
        elif when is not None:
            raise Misread(f"{verb} goes with no condition", WHEN)
        else:
            self._set(verb, words)
            if words.left:
                raise words.odd()

    def _placed(self, event: PlotEvent, on: int | None, when: PlotCondition | None) -> Iterator[PlotEvent]:
        """The event on its impulse, or with its condition; nothing where that is refused. VM-R36"""
        piece = piece_ahead(self.names.battle)
        if when is not None and on is not None:
            raise Misread("it is done on an impulse, or on a condition", "one of the two")
        said = [on] if on is not None else [when.first, when.last] if when is not None else []
        outside = next((one for one in said if one not in piece), None)
        if outside is not None:
            problem = f"{self.clause.quoted}: impulse {outside} is not in this piece of the turn"
            legal = f"impulses {piece[0]} to {piece[-1]}"
            self.read.refusals.append(illegal(problem, "VM-R36", f"{self.read.unit}.{self.name}", legal=legal))
            self.read.unread.append(UnreadClause.of(self.clause))
            return
        yield event.with_values(impulse=None if when else on or piece[0], when=when)

    def _set(self, verb: str, words: Words) -> None:
        match verb:
            case "path":
                self._path(words)
            case "energy":
                self._energy(words)
            case "friction":
                words.legal = FRICTION
                self.read.friction = words.one_of(BY_LETTER, "a direction")
            case _:
                self.read.coasts = True

    def _path(self, words: Words) -> None:
        moves = words.next.upper()
        if not moves or any(one not in WAYS for one in moves):
            raise Misread(f"“{words.next}” is no order of moves" if moves else "it says no moves", PATH)
        words.legal = PATH
        words.skip(moves.casefold())
        if len(moves) == 1:
            words.skip("first")
        if self.read.moves not in ("", moves):
            raise Misread(f"the path was said before, as {self.read.moves}", "one of them")
        self.read.moves = moves

    def _energy(self, words: Words) -> None:
        words.legal = ENERGY
        if words.skip("for"):
            words.skip("it")
            self.read.het_energy = words.number("a number of points", 0, MOST_HET_ENERGY)
            return
        if self.read.warp is not None:
            raise Misread("energy was said before", "one of them")
        self.read.warp = words.number("a number of points", 0, MOST_POINTS)
        self.read.impulse = words.number("a number of points of impulse power", 0, 1) if words.skip("+") else 0


def _condition(names: BattleNames, text: str) -> PlotCondition:
    piece = piece_ahead(names.battle)
    words = Words(text, WHEN)
    words.skip("when")
    unit = ""
    if words.skip("nearest", "closest", "enemy"):
        words.skip("enemy", "unit", "ship")
    else:
        unit = words.named(names.seen, "unit", names.like_seen)
    words.skip("is", "comes")
    if not words.skip("within"):
        raise words.odd() if words.left else Misread("it says no distance", WHEN)
    within = words.number("a number of hexes", 0, MOST_POINTS)
    words.skip("hexes", "hex")
    first, last = piece[0], piece[-1]
    if words.skip("from"):
        words.skip("impulse")
        first = words.number("an impulse", 1, 32)
    if words.skip("to", "until", "till"):
        words.skip("impulse")
        last = words.number("an impulse", 1, 32)
    if words.left:
        raise words.odd()
    if first > last:
        raise Misread(f"impulse {first} comes after {last}", f"from {last} to {first}")
    return PlotCondition(unit=unit, within=within, first=first, last=last)
