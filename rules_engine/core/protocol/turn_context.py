"""The turn's context: what a sequence of play is given. State, dice, asks and reports, and nothing else.

A context knows its place in the sequence (``T3/I2/A``); asks and dice are named after that place. A *child*
made by :meth:`TurnContext.at` shares everything but the place, so that names in independent branches never collide.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from rules_engine.core.basics.base import Side, SideLabel, When
from rules_engine.core.basics.dice import DiceStream, Roll
from rules_engine.core.basics.record import Record
from rules_engine.core.knowledge.reports import EVERYBODY, Fact, Leak, Report, Why
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import A, Answers, Ask, Batch, Pace, Settlement, Steps, waiting_ask

S = TypeVar("S", bound=Record)
T = TypeVar("T")


@dataclass
class SharedTurn:
    """What all contexts of a campaign share: the dice, the reports, and what each side knows.

    ``patient``: sheets close only at their deadlines, so that a window lasts as long whether or not anybody is asked.
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
    patient: bool = False
    settlements: dict[str, Settlement] = field(default_factory=dict[str, Settlement])
    """How the shared asks of the batch closed last were settled, by id."""


@dataclass(frozen=True)
class TurnContext(Generic[S]):
    """One place in the sequence of play, with all that the rules may use there."""

    state: S
    shared: SharedTurn
    place: str = ""

    def at(self, *parts: object) -> "TurnContext[S]":
        """A child context, one step further down: ``turn.at("I2", "A")``."""
        return TurnContext(self.state, self.shared, "/".join(map(str, (self.place, *parts) if self.place else parts)))

    @property
    def sides(self) -> tuple[Side, ...]:
        """All sides, in the scenario's order."""
        return tuple(label.key for label in self.shared.sides)

    def others(self, side: Side) -> tuple[Side, ...]:
        """Every side but this one."""
        return tuple(other for other in self.sides if other != side)

    def name_of(self, side: Side) -> str:
        """The side's printed name."""
        return next(label.name for label in self.shared.sides if label.key == side)

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
        """The present moment is over: who was told something in it sees it so until they are told or asked more."""
        self.shared.before_time_moves()

    def show_maps(self, *sides: Side, public: bool = False) -> None:
        """Post these sides' maps (none named: all), and the ``public`` one if asked, once the flow waits for answers.

        A public map tells everybody that all sides' maps were due, so use it only when that is no secret.
        """
        self.shared.maps_for.update(sides or self.sides)
        self.shared.public_due |= public or not sides

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

        ``seen_by`` None shows the roll to everybody; otherwise only these sides may ever be told of it.
        """
        roll = self.shared.dice.roll(
            f"{self.place}/{key or purpose}",
            purpose,
            faces=faces,
            count=count,
            low=low,
            seen_by=None if seen_by is None else frozenset(seen_by),
        )
        self.shared.roll_count += 1
        self.shared.rolls.append(roll)
        return roll

    # --- telling ------------------------------------------------------------------------------------------------

    def tell(
        self, to: Sequence[Side], text: str, *, kind: str = "news", why: Why | None = None, facts: Iterable[Fact] = ()
    ) -> Report:
        """Tell ``to`` (sides, or EVERYBODY) one thing.

        Raises:
            Leak: when the audience is empty, or the why contains a roll that somebody in the audience may not see.
        """
        named = tuple(to) if tuple(to) == EVERYBODY else tuple(sorted(set(to)))
        if not named:
            raise Leak(f"{self.place}: a report needs an audience")
        self._guard(named, why)
        report = Report(
            number=self.shared.next_report,
            place=self.place,
            when=self.shared.now,
            to=named,
            kind=kind,
            text=text,
            why=why,
            facts=tuple(facts),
        )
        self.shared.next_report += 1
        self.shared.reports.append(report)
        if report.is_public():
            self.shared.told.update(EVERYBODY)
        for side in self.sides:
            if report.is_for(side):
                self.shared.told.add(side)
                self.shared.knowledge[side].learn(report)
        return report

    def tell_all(self, text: str, *, kind: str = "news", why: Why | None = None) -> Report:
        """Tell everybody, spectators included."""
        return self.tell(EVERYBODY, text, kind=kind, why=why)

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

    def ask_all_steps(self, asks: Sequence[Ask[A]]) -> Steps[list[A]]:
        """Ask several things at once; the answers come in the order of the asks.

        An ask without a choice is not asked; its default is taken.
        """
        opened = [self._named(ask) for ask in asks]
        real = [ask for ask in opened if ask.is_choice()]
        answers: Answers = (yield Batch(tuple(real))) if real else {}
        settled: list[A] = []
        for ask in opened:
            answer = answers.get(ask.id, ask.default)
            if answer is None:
                raise LookupError(f"{ask.id} was closed without an answer")
            settled.append(answer)
        return settled

    def settlement(self, kind: str, parties: Sequence[Side]) -> Settlement:
        """How the shared ask of this kind, just put to these parties here, was settled."""
        return self.shared.settlements.get(self._id(kind, parties), "agreed")

    def window_steps(self, flow: Steps[T], pace: Pace) -> Steps[T]:
        """Run a flow so that, where windows are fixed, nobody can tell by the waiting whether it asks anybody: there is
        always a window of this ``pace``, with a waiting card for each side that is not asked."""
        if not self.shared.patient:
            return (yield from flow)
        try:
            batch = next(flow)
        except StopIteration as stop:
            yield self._with_cards(Batch(()), pace)
            return stop.value
        while True:
            answers: Answers = yield self._with_cards(batch, pace)
            try:
                batch = flow.send(answers)
            except StopIteration as stop:
                return stop.value

    def _with_cards(self, batch: Batch, pace: Pace) -> Batch:
        asked = {side for ask in batch.asks for side in ask.parties}
        return Batch((*batch.asks, *(self._named(waiting_ask(one, pace)) for one in self.sides if one not in asked)))

    def _named(self, ask: Ask[A]) -> Ask[A]:
        return ask.named(self._id(ask.key or ask.kind, ask.parties))

    def _id(self, key: str, parties: Sequence[Side]) -> str:
        return "/".join(filter(None, [self.place, key, "+".join(parties)]))


def together_steps(branches: Mapping[str, Steps[T]]) -> Steps[dict[str, T]]:
    """Run independent branches in lock-step, in the sorted order of their keys.

    Every round pools the open asks of all branches in one batch, so the order in which answers arrive cannot matter.
    """
    results: dict[str, T] = {}
    pending: dict[str, Batch] = {}
    for key in sorted(branches):
        _advance(key, branches[key], None, pending, results)
    while pending:
        pooled = Batch(tuple(ask for key in sorted(pending) for ask in pending[key].asks))
        answers: Answers = yield pooled
        for key in sorted(pending):
            batch = pending.pop(key)
            own: dict[str, Any] = {ask.id: answers[ask.id] for ask in batch.asks if ask.id in answers}
            _advance(key, branches[key], own, pending, results)
    return results


def _advance(
    key: str, branch: Steps[T], answers: Answers | None, pending: dict[str, Batch], results: dict[str, T]
) -> None:
    try:
        pending[key] = next(branch) if answers is None else branch.send(answers)
    except StopIteration as stop:
        results[key] = stop.value
