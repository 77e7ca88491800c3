"""The turn's context: what a sequence of play is given. State, dice, asks and reports, and nothing else.

A context knows its place in the sequence (``T3/I2/A``); asks and dice are named after that place. A *child*
made by :meth:`TurnContext.at` shares everything but the place, so that names in independent parts of play never
collide. Where play parts (:meth:`TurnContext.parting_steps`), each strand has a context that belongs to it.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from rules_engine.core.basics.base import Side, SideLabel, When
from rules_engine.core.basics.dice import DiceStream, Roll
from rules_engine.core.basics.record import Record
from rules_engine.core.knowledge.reports import EVERYBODY, REFEREE, Fact, Leak, Report, Why
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import A, Answers, Ask, Batch, Pace, Settlement, Steps, waiting_ask
from rules_engine.core.protocol.strands import HELD, Strand
from rules_engine.core.protocol.together import together_steps

S = TypeVar("S", bound=Record)
T = TypeVar("T")


@dataclass
class SharedTurn:
    """What all contexts of a campaign share: the dice, the reports, and what each side knows.

    ``patient``: sheets close only at their deadlines, so that a window lasts as long whether or not anybody is asked.
    ``orders_wait``: what standing orders answer takes the time of an answer all the same, where sheets may close early.
    """

    dice: DiceStream
    sides: tuple[SideLabel, ...]
    knowledge: dict[Side, Knowledge]
    now: When
    reports: list[Report] = field(default_factory=list[Report])
    rolls: list[Roll] = field(default_factory=list[Roll])
    next_report: int = 1
    roll_count: int = 0
    maps_for: set[Side] = field(default_factory=set[Side])
    public_due: bool = False
    told: set[str] = field(default_factory=set[str])
    """Who was told something since time last moved: sides, and ``*`` for everybody."""

    before_time_moves: Callable[[], None] = lambda: None
    out_of_play: Callable[[], frozenset[Side]] = frozenset[Side]
    """The sides that are asked nothing (any more)."""
    patient: bool = False
    orders_wait: bool = False
    settlements: dict[str, Settlement] = field(default_factory=dict[str, Settlement])
    """How the shared asks of this turn were settled, by id."""
    strands: dict[str, Strand] = field(default_factory=dict[str, Strand])
    """The strands that have not been joined again, by key."""

    held_back: list[Report] | None = None
    """What is told while something that comes before it is still being worked out; None: nothing is held back."""

    labels_now: Callable[[], tuple[SideLabel, ...]] | None = None
    """How the sides are named at present, where play may name them; else as in ``sides``."""

    @property
    def labels(self) -> tuple[SideLabel, ...]:
        """The sides as they are named at present."""
        return self.sides if self.labels_now is None else self.labels_now()


@dataclass(frozen=True)
class TurnContext(Generic[S]):
    """One place in the sequence of play, with all that the rules may use there."""

    state: S
    shared: SharedTurn
    place: str = ""
    strand: Strand | None = None

    def at(self, *parts: object) -> "TurnContext[S]":
        """A child context, one step further down: ``turn.at("I2", "A")``."""
        place = "/".join(map(str, (self.place, *parts) if self.place else parts))
        return TurnContext(self.state, self.shared, place, self.strand)

    @property
    def sides(self) -> tuple[Side, ...]:
        """All sides, in the scenario's order."""
        return tuple(label.key for label in self.shared.sides)

    @property
    def in_play(self) -> tuple[Side, ...]:
        """The sides that are not out of play, in the scenario's order."""
        out = self.shared.out_of_play()
        return tuple(side for side in self.sides if side not in out)

    def others(self, side: Side) -> tuple[Side, ...]:
        """Every side but this one."""
        return tuple(other for other in self.sides if other != side)

    def name_of(self, side: Side) -> str:
        """The side's present name."""
        return next(label.name for label in self.shared.labels if label.key == side)

    def knowledge(self, side: Side) -> Knowledge:
        """What ``side`` knows."""
        return self.shared.knowledge[side]

    @property
    def now(self) -> When:
        """The present point in campaign time."""
        return self.shared.now

    def set_time(self, turn: int, step: int, label: str) -> None:
        """Move campaign time. It never goes backwards. If the state itself tells the time, :meth:`moment_ends` comes
        before it is changed."""
        self.moment_ends()
        self.shared.now = When(turn=turn, step=step, label=label)

    def moment_ends(self) -> None:
        """The present moment is over: who was told something in it sees it so until they are told or asked more.

        Raises:
            RuntimeError: within a strand, for time is the same for all of them.
        """
        if self.strand is not None:
            raise RuntimeError(f"{self.place}: a strand cannot move time")
        self.shared.before_time_moves()

    def show_maps(self, *sides: Side, public: bool = False) -> None:
        """Post these sides' maps (none named: all), and the ``public`` one if asked, once the flow waits for answers.

        A public map tells everybody that all sides' maps were due, so use it only when that is no secret. Of a strand,
        the maps of others than its parties wait for its end; and all are due again then, for whether one was posted
        meanwhile depends on what else was asked.
        """
        self._only_sides(sides, "is shown maps")
        self._show(set(sides or self.sides), public=public or not sides)

    def _show(self, due: set[Side], *, public: bool) -> None:
        if self.strand is not None:
            self.strand.maps_for |= due
            self.strand.public_due |= public
            due, public = due & self.strand.parties, False
        self.shared.maps_for |= due
        self.shared.public_due |= public

    # --- dice ---------------------------------------------------------------------------------------------------

    def roll(
        self,
        purpose: str,
        *,
        faces: int,
        count: int = 1,
        low: int = 1,
        key: str = "",
        seen_by: Iterable[Side] | None = None,
    ) -> Roll:
        """Roll dice, named after this place and ``key`` (default: the purpose).

        ``seen_by`` None shows the roll to everybody; otherwise only these sides may ever be told of it. With none
        named, as for dice of outsiders, nobody reads of it before the record is opened at the end.
        """
        only = None if seen_by is None else frozenset(seen_by)
        self._only_sides(only or (), "sees dice")
        dice = self.shared.dice if self.strand is None else self.shared.dice.under(self.strand.seal)
        roll = dice.roll(
            f"{self.place}/{key or purpose}",
            purpose,
            faces=faces,
            count=count,
            low=low,
            seen_by=only,
        )
        self.shared.roll_count += 1
        self.shared.rolls.append(roll)
        return roll

    # --- telling ------------------------------------------------------------------------------------------------

    def tell(
        self, to: Sequence[Side], text: str, *, kind: str = "news", why: Why | None = None, facts: Iterable[Fact] = ()
    ) -> Report:
        """Tell ``to`` (sides, or EVERYBODY) one thing; what a strand tells others than its parties waits for its end.

        Raises:
            Leak: when the audience is empty or holds another than the sides and the referee, or the why contains a roll
                that somebody in the audience may not see.
        """
        named = tuple(to) if tuple(to) == EVERYBODY else tuple(sorted(set(to)))
        if not named:
            raise Leak(f"{self.place}: a report needs an audience")
        if named not in (EVERYBODY, REFEREE):
            self._only_sides(named, "is told")
        self._guard(named, why)
        report = Report(
            number=HELD,
            place=self.place,
            when=self.shared.now,
            to=named,
            kind=kind,
            text=text,
            why=why,
            facts=tuple(facts),
        )
        return self._pass_on(report)

    @contextmanager
    def holding_back(self) -> Generator[list[Report], None, None]:
        """Hold back all that is told within, in its order, so that what it follows from can be told first:
        :meth:`tell_held` tells it then. Nothing may be asked within.

        Raises:
            RuntimeError: when something is held back already.
        """
        if self.shared.held_back is not None:
            raise RuntimeError(f"{self.place}: something is held back already")
        held = self.shared.held_back = list[Report]()
        try:
            yield held
        finally:
            self.shared.held_back = None

    def tell_held(self, held: Iterable[Report]) -> None:
        """Tell what was held back."""
        for report in held:
            self._pass_on(report)

    def _pass_on(self, report: Report) -> Report:
        """Tell a report now, or hold it back if this is a strand with other parties."""
        if self.shared.held_back is not None:
            self.shared.held_back.append(report)
            return report
        if self.strand is None or self.strand.may_hear(report.to):
            report = report.model_copy(update={"number": self.shared.next_report})
            self.shared.next_report += 1
            self.shared.reports.append(report)
            self.shared.told.update(EVERYBODY if report.is_public() else ())
            for side in self._readers_of(report):
                self.shared.told.add(side)
                self.shared.knowledge[side].learn(report)
        if self.strand is not None:
            self.strand.said.append(report)
        return report

    def _readers_of(self, report: Report) -> list[Side]:
        return [side for side in self.sides if report.is_for(side)]

    def tell_all(self, text: str, *, kind: str = "news", why: Why | None = None) -> Report:
        """Tell everybody, spectators included."""
        return self.tell(EVERYBODY, text, kind=kind, why=why)

    def _only_sides(self, named: Iterable[Side], what: str) -> None:
        """Refuse whoever is no side: a slip of the rules, or an outsider, whom nobody commands."""
        strangers = sorted(set(named).difference(self.sides))
        if strangers:
            raise Leak(f"{self.place}: {', '.join(strangers)} {what}, but is no side")

    def _guard(self, to: tuple[str, ...], why: Why | None) -> None:
        for roll in why.dice if why else ():
            if roll.seen_by is None:
                continue
            if to == EVERYBODY or not set(to) <= set(roll.seen_by):
                raise Leak(f"{self.place}: a roll for {sorted(roll.seen_by)} would be shown to {to}")

    # --- asking -------------------------------------------------------------------------------------------------

    def ask_steps(self, ask: Ask[A]) -> Steps[A]:
        """Ask one thing."""
        answers = yield from self.ask_all_steps([ask])
        return answers[0]

    def ask_all_steps(self, asks: Sequence[Ask[A]], answered: Mapping[int, A] | None = None) -> Steps[list[A]]:
        """Ask several things at once; the answers come in the order of the asks.

        An ask without a choice is not asked; its default is taken. Nor are those, by their numbers, that are
        ``answered`` already, as by standing orders. Where windows are fixed, or orders wait, a waiting card stands for
        each of them, so that nobody can tell by the waiting who was asked; one for orders that wait closes early only
        when its side says that it is ready.

        Raises:
            Leak: when somebody is asked who is no side, or by a strand another side than its parties.
            ValueError: when a side is asked that is out of play.
            LookupError: when it is resumed with a part of the answers, or without one that has no default.
        """
        opened = [self._named(ask) for ask in asks]
        given = {opened[number].id: answer for number, answer in (answered or {}).items()}
        real = [ask for ask in opened if ask.id not in given and ask.is_choice()]
        batch = (*real, *self._in_place_of([ask for ask in opened if ask.id in given], real))
        answers: Answers = (yield Batch(batch)) if batch else {}
        if answers and any(ask.id not in answers for ask in real):
            raise LookupError(f"{self.place}: only a part of what was asked was closed")
        settled: list[A] = []
        for ask in opened:
            answer = given[ask.id] if ask.id in given else answers.get(ask.id, ask.default)
            if answer is None:
                raise LookupError(f"{ask.id} was closed without an answer")
            settled.append(answer)
        return settled

    def _in_place_of(self, given: Sequence[Ask[Any]], real: Sequence[Ask[Any]]) -> list[Ask[Any]]:
        """The waiting cards that stand for asks which are answered already, one for each side that is asked nothing."""
        if not (self.shared.patient or self.shared.orders_wait):
            return []
        asked = {side for ask in real for side in ask.parties}
        paces: dict[Side, Pace] = {}
        for ask in given:
            if ask.is_choice():
                paces |= {side: ask.pace for side in ask.parties if side not in asked}
        holds = not self.shared.patient
        return [self._named(waiting_ask(side, pace, holds=holds)) for side, pace in paces.items()]

    def settlement(self, kind: str, parties: Sequence[Side]) -> Settlement:
        """How the shared ask of this kind, put to these parties here, was settled."""
        return self.shared.settlements.get(self._id(kind, parties), "agreed")

    def window_steps(self, flow: Steps[T], pace: Pace) -> Steps[T]:
        """Run a flow so that, where windows are fixed, nobody can tell by the waiting whether it asks anybody: there is
        always a window of this ``pace``, with a waiting card for each side in play that is not asked. The flow may not
        part: :meth:`parting_steps` has a window of its own."""
        if not self.shared.patient:
            return (yield from flow)
        try:
            batch = next(flow)
        except StopIteration as stop:
            if self.in_play:
                yield self._with_cards(Batch(()), pace)
            return stop.value
        while True:
            answers: Answers = yield self._with_cards(batch, pace)
            try:
                batch = flow.send(answers)
            except StopIteration as stop:
                return stop.value

    def parting_steps(
        self,
        parties: Mapping[str, Iterable[Side]],
        flow: "Callable[[TurnContext[S], str], Steps[T]]",
        *,
        window: Pace | None = None,
    ) -> Steps[dict[str, T]]:
        """Part into strands, each with its ``parties`` and the ``flow`` made for its context and key, and go on when
        all have ended, with their results in the order of the keys.

        Each strand closes by itself. It may write only to what is its own, and read only that and what no other strand
        of this parting writes; what it does to the rest it returns, for the line after the parting to carry out.

        What its parties are shown as a strand's name is the end of its place in the sequence, its key above all: it may
        tell nothing that one of them must not know.

        With a ``window``, where windows are fixed, each side in play without a strand has one waiting card of that
        pace, whatever happens in the strands, and also where there are none.
        """
        around = frozenset(self.sides) if self.strand is None else self.strand.parties
        strands = {key: self._part(key, frozenset(parties[key])) for key in sorted(parties)}
        tables = {key: self._within(key, strands[key]) for key in strands}
        involved = frozenset[Side]().union(*(strand.parties for strand in strands.values()))
        if not involved <= around:
            raise Leak(f"{self.place}: {sorted(involved - around)} are no parties here")
        before = {side: self.shared.knowledge[side].copied() for side in involved}
        flows: dict[str, Steps[Any]] = {key: flow(tables[key], key) for key in strands}
        idle = around.intersection(self.in_play) - involved
        if window is not None and self.shared.patient and idle:
            waits = self._within(WAITING, self._part(WAITING, idle))
            flows |= {WAITING: waits._cards_steps(window)}
        results: dict[str, T] = yield from together_steps(flows)
        self._join(list(strands.values()), before)
        self.shared.strands.pop(self._place_of(WAITING), None)
        results.pop(WAITING, None)
        return results

    def _part(self, key: str, parties: frozenset[Side]) -> Strand:
        place = self._place_of(key)
        seal = self.shared.dice.parted(self._seal, place)
        strand = self.shared.strands[place] = Strand(key=place, parties=parties, seal=seal, outer=self.strand)
        return strand

    def _within(self, key: str, strand: Strand) -> "TurnContext[S]":
        return TurnContext(self.state, self.shared, self._place_of(key), strand)

    def _join(self, strands: Sequence[Strand], before: Mapping[Side, Knowledge]) -> None:
        """Tell what was held back, and fold the parties' knowledge anew, strand by strand, so that neither depends on
        which strand ended first."""
        self.shared.knowledge.update(before)
        for strand in strands:
            del self.shared.strands[strand.key]
            for report in strand.said:
                if report.number == HELD:
                    self._pass_on(report)
                    continue
                for side in self._readers_of(report):
                    self.shared.knowledge[side].learn(report)
                if self.strand is not None:
                    self.strand.said.append(report)
            self._show(strand.maps_for, public=strand.public_due)
        if not strands:
            return
        seal = self.shared.dice.joined(self._seal, [strand.seal for strand in strands])
        if self.strand is None:
            self.shared.dice.seal = seal
        else:
            self.strand.seal = seal

    def _cards_steps(self, pace: Pace) -> Steps[None]:
        assert self.strand is not None
        yield from self.ask_all_steps([waiting_ask(side, pace) for side in self.sides if side in self.strand.parties])

    @property
    def _seal(self) -> str:
        return self.shared.dice.seal if self.strand is None else self.strand.seal

    @property
    def _strand_key(self) -> str:
        return "" if self.strand is None else self.strand.key

    def _with_cards(self, batch: Batch, pace: Pace) -> Batch:
        if any(ask.strand != self._strand_key for ask in batch.asks):
            raise RuntimeError(f"{self.place}: a flow that parts has windows of its own")
        asked = {side for ask in batch.asks for side in ask.parties}
        return Batch((*batch.asks, *(self._named(waiting_ask(one, pace)) for one in self.in_play if one not in asked)))

    def _named(self, ask: Ask[A]) -> Ask[A]:
        self._only_sides(ask.parties, "is asked")
        if self.strand is not None and not self.strand.may_hear(ask.parties):
            raise Leak(f"{self.place}: {ask.parties} are asked by a strand of {sorted(self.strand.parties)}")
        if out := self.shared.out_of_play().intersection(ask.parties):
            raise ValueError(f"{self.place}: {sorted(out)} are asked and out of play")
        return ask.named(self._id(ask.key or ask.kind, ask.parties), self._strand_key)

    def _place_of(self, key: str) -> str:
        return f"{self.place}/{key}" if self.place else key

    def _id(self, key: str, parties: Sequence[Side]) -> str:
        return "/".join(filter(None, [self.place, key, "+".join(parties)]))


WAITING = "waiting"
"""The key of the strand in which the sides wait that are in no other."""
