"""Asks: the questions a sequence of play puts to sides, and how answers are judged.

A sequence yields a :class:`Batch` of asks that are open at once and is resumed with the settled answers. Until the
batch closes every answer is private and may be revised.

One rule holds for all that an ask shows, judges or says: it is worked out when somebody looks or answers, and kept, for
the state does not change while an ask is open. When a referee corrects the state by hand, :meth:`Ask.forget` drops it
all. Only the default is settled when the ask is opened, and stays.
"""

from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar, cast

from pydantic import BaseModel, RootModel, ValidationError
from pydantic import Field as Bounded

from rules_engine.core.basics.base import Frozen, Json, Side
from rules_engine.core.basics.refusals import Refusal, Refused, malformed
from rules_engine.core.forms.forms import Field, Form, Line, Sheet
from rules_engine.core.forms.misfits import misfits
from rules_engine.core.knowledge.battle_scene import BattleScene, OwnUnits
from rules_engine.core.knowledge.views import Course, Panel
from rules_engine.core.protocol.accounts import AccountGuide, Difference, StatedEnd
from rules_engine.core.protocol.question import LineNow, Question, usual_lines, usual_question
from rules_engine.core.tactics.tactics import Tactics

A = TypeVar("A", bound=BaseModel)
K = TypeVar("K")
T = TypeVar("T")

Pace = Literal["orders", "decision", "battle", "tactical"]
"""The deadline class: a turn's orders, a decision inside a turn, a battle fought by hand, or a piece of one's turn that
is tracked.

The campaign's settings, not the rulebook, say how long each lasts. A ``battle`` never takes a default: when its
deadline falls without agreement the referee is called, and much later it ends by rule (:class:`StatedEnd`).
"""


class BattleSetup(Frozen):
    """Everything needed to set a battle up by hand.

    Each side alone gets its ``secret`` panels, and its ``own`` units as it alone may see them. ``scene`` is what
    pictures show of it, to all parties alike; without one they show the panels.
    """

    key: str
    title: str
    where: str
    panels: tuple[Panel, ...]
    secret: dict[Side, tuple[Panel, ...]] = Bounded(default_factory=dict[Side, tuple[Panel, ...]])
    scene: BattleScene | None = None
    own: dict[Side, OwnUnits] = Bounded(default_factory=dict[Side, OwnUnits])

    def common(self) -> "BattleSetup":
        """The set-up as all parties may see it: without anything that one side alone may."""
        return self.model_copy(update={"secret": {}, "own": {}})

    def seen_by(self, side: Side) -> "BattleSetup":
        """The set-up as one party may see it."""
        secret = {key: panels for key, panels in self.secret.items() if key == side}
        own = {key: units for key, units in self.own.items() if key == side}
        return self.model_copy(update={"secret": secret, "own": own})


@dataclass(frozen=True)
class Agreement(Generic[A]):
    """The outcome of comparing several accounts: settled, or the lines in which they differ; and ``places``, the same
    as parts of the sheet, of which one account can take another's. A rulebook may name none."""

    settled: A | None
    differences: tuple[str, ...] = ()
    places: tuple[Difference, ...] = ()


Force = tuple[Side, ...]
"""Sides that answer an ask as one; a side by itself is a force, too."""

Settlement = Literal["agreed", "alone", "ruling", "all agreed", "one sent", "some agreed", "by rule"]
"""How a shared ask was settled.

Between two sides: by accounts that agree, by the only one that was sent, or by the referee. Where there are more sides,
in two forces or more: by the accounts of all, by the only one, or by several that agree while other forces sent none.
"""

SETTLED_BY: dict[Settlement, str] = {
    "agreed": "both sides agree",
    "alone": "one side reported, the other did not object",
    "ruling": "the referee's ruling",
    "by rule": "no account was agreed on in time",
    "all agreed": "all accounts agree",
    "one sent": "one account was sent, and nobody objected",
    "some agreed": "the accounts that were sent agree, and nobody objected",
}
"""The same in words, for the why of a report."""


def _no_defects(_: Any) -> Sequence[Refusal]:
    return ()


def _no_lines(_: Any) -> Sequence[str]:
    return ()


def _no_courses(_: Any) -> Sequence[Course]:
    return ()


def _no_lines_now(_: Any) -> Mapping[str, LineNow]:
    return {}


class Remembered(Generic[K, T]):
    """A function that remembers its last few results, for what judging, reading back and drawing an answer share.

    It may read the state, which does not change while an ask is open; code that does change it calls :meth:`forget`.
    Results are shared, so callers must not change them. ``most`` results are kept. Arguments with an equal ``key``
    have the same result; without a ``key`` function, only the identical object has. Several threads may share one.
    """

    def __init__(self, work: Callable[[K], T], *, most: int = 8, key: Callable[[K], Hashable] | None = None) -> None:
        self._work = work
        self._most = most
        self._key = key
        self._by_key: dict[Hashable, T] = {}
        self._by_object: deque[tuple[K, T]] = deque(maxlen=most)

    def __call__(self, of: K) -> T:
        """The result for ``of``, worked out or remembered."""
        if self._key is not None:
            return self._keyed(of, self._key(of))
        for known, result in reversed(tuple(self._by_object)):
            if known is of:
                return result
        result = self._work(of)
        self._by_object.append((of, result))
        return result

    def _keyed(self, of: K, key: Hashable) -> T:
        try:
            return self._by_key[key]
        except KeyError:
            result = self._work(of)
        while len(self._by_key) >= self._most:
            self._by_key.pop(next(iter(tuple(self._by_key)), None), None)
        self._by_key[key] = result
        return result

    def forget(self) -> None:
        """Drop all remembered results."""
        self._by_key.clear()
        self._by_object.clear()


class FormField:
    """The field ``form`` of an ask: a form, or a function that makes it when somebody first looks."""

    def __set__(self, ask: "AnyAsk", form: Form | Callable[[], Form]) -> None:
        vars(ask)["form"] = form

    def __get__(self, ask: "AnyAsk | None", kind: object = None) -> Form:
        if ask is None:
            raise AttributeError("an ask has no form unless it is given one")
        held = vars(ask)
        if "made_form" not in held:
            held["made_form"] = held["form"] if isinstance(held["form"], Form) else held["form"]()
        return held["made_form"]


@dataclass(frozen=True)
class Ask(Generic[A]):
    """One question to one side, or to several forces whose accounts must agree.

    ``parties`` are all sides that are asked: who may see the ask and answer it. ``forces`` say who of them answer as
    one; each side stands in exactly one, and by itself where none are named. What any side of a force sent last is the
    answer of the whole force, whichever of them it was. An ask of several forces is shared: their accounts must
    ``agree``, which gets the account of each force by the force's first side, in the order in which they first came.
    It gets two at least: those of all forces, or at the deadline of three and more, those that were sent. An ask of one
    force needs no agreement; what stands at the end counts, or the default.

    ``check`` judges legality from the asked side's own knowledge alone, ``read_back`` says the answer in plain
    words, ``warn`` says what the side would probably regret, and ``courses`` draws the answer on the map. ``default``
    is the answer of a side that is silent at the deadline, and ``default_says`` announces it; None means that only
    people can answer. ``id`` is set by the turn's context when the ask is opened. ``forgets`` drop what these functions
    keep. Nobody waits for an ask that is not ``awaited`` or is notified of it, unless its side begins to answer it. One
    that ``holds`` is waited for though nobody is notified: it takes the time of an answer that is given already.
    ``topics`` name what it is about for people who look for it by a command, such as ``missions``.
    ``strand`` is the part of play that it belongs to, also set by the turn's context; empty where play does not part.
    ``set_up_from`` names the parts of the state that a battle was set up from, as paths: its units, and its own record.
    ``guide`` says how an account of it is asked for and shown, ``ends`` how it ends by rule if none is agreed on (None:
    as its form is filled in to begin with); ``tactics`` how the battle may be tracked, ``untracked``
    where its book failed to say it. An ask of a tracker stands ``beside`` the battle's ask of that id, and is gone when
    that closes.

    ``about`` is what people call the part of play that it belongs to, where that has a better name than its place.

    ``budget`` are the keys of its lines that are about money and stores: they may be handed in by themselves, line by
    line. ``losses`` says what the side will lose by an answer if it stays so, for a reminder before the deadline.

    ``question`` is what a card says first, and ``lines_now`` what each line of the sheet says as an answer stands, by
    its key; :attr:`asks_for` and :meth:`says_now` have them of any ask.

    ``idle`` finds words in an answer's texts that no rule reads. They are refused when the answer is sent; journals of
    earlier versions may hold some, which are played back as they were taken.

    Where ``lines_stand``, a line that an answer leaves out keeps its default, so that only changed
    lines need be sent, judged and journalled; the model is then a mapping of lines, and every answer holds them all.
    Such a sheet always leaves something to choose; of any other, ``leaves_choice`` says so without making its form.
    """

    kind: str
    parties: tuple[Side, ...]
    title: str
    text: str
    model: type[A]
    rule: str
    form: FormField = FormField()
    default: A | None = None
    default_says: str = ""
    pace: Pace = "orders"
    key: str = ""
    id: str = ""
    strand: str = ""
    check: Callable[[A], Sequence[Refusal]] = field(default=_no_defects)
    read_back: Callable[[A], Sequence[str]] = field(default=_no_lines)
    warn: Callable[[A], Sequence[str]] = field(default=_no_lines)
    courses: Callable[[A], Sequence[Course]] = field(default=_no_courses)
    idle: Callable[[A], Sequence[Refusal]] = field(default=_no_defects)
    agree: Callable[[Mapping[Side, A]], Agreement[A]] | None = None
    setup: BattleSetup | None = None
    tactics: Tactics | None = None
    untracked: str = ""
    beside: str = ""
    guide: AccountGuide | None = None
    ends: StatedEnd | None = None
    forgets: tuple[Callable[[], None], ...] = ()
    awaited: bool = True
    holds: bool = False
    lines_stand: bool = False
    leaves_choice: bool = False
    topics: frozenset[str] = frozenset()
    set_up_from: frozenset[str] = frozenset()
    forces: tuple[Force, ...] = ()
    question: Question | None = None
    lines_now: Callable[[A], Mapping[str, LineNow]] = field(default=_no_lines_now)
    budget: frozenset[str] = frozenset()
    losses: Callable[[A], Sequence[str]] = field(default=_no_lines)
    about: str = ""

    def __post_init__(self) -> None:
        if not self.forces:
            object.__setattr__(self, "forces", tuple((side,) for side in self.parties))
        placed = [side for force in self.forces for side in force]
        if not all(self.forces) or len(set(placed)) < len(placed) or sorted(placed) != sorted(self.parties):
            raise TypeError(f"ask {self.kind!r} has a party that stands in no force or in two, or a force of no party")
        if self.is_shared and self.agree is None:
            raise TypeError(f"ask {self.kind!r} has several parties and needs a way to agree")
        if self.default is None and self.pace != "battle":
            raise TypeError(f"ask {self.kind!r} needs a default: its deadline will fall")
        if self.lines_stand and _lines(self.default) is None:
            raise TypeError(f"ask {self.kind!r} has no lines that could stand")

    @property
    def is_shared(self) -> bool:
        """Whether several forces must agree on it."""
        return len(self.forces) > 1

    @property
    def asks_for(self) -> Question:
        """What is needed and what is going on, in a few words."""
        usual = usual_question(self.title, self.text)
        question = self.question or usual
        is_said = question.situation or question.whole
        return question if is_said else question._replace(situation=usual.situation)

    def says_now(self, answer: A, keys: Iterable[str]) -> dict[str, LineNow]:
        """What these lines of the sheet say in ``answer``, in a few words."""
        said = self.lines_now(answer)
        wanted = [line for key in keys if (line := self.form.line(key)) is not None]
        others = [line for line in wanted if line.key not in said]
        if not others:
            return {line.key: said[line.key] for line in wanted}
        is_all = len(others) == len(self.form.lines)
        usual = usual_lines(others, self.sheet_of(answer), self.read_back(answer), self.warn(answer), is_all=is_all)
        return {line.key: said[line.key] if line.key in said else usual[line.key] for line in wanted}

    def force_of(self, side: Side) -> Force:
        """The force in which ``side`` stands. Raises KeyError when it is no party."""
        for force in self.forces:
            if side in force:
                return force
        raise KeyError(side)

    def is_choice(self) -> bool:
        """Whether there is anything to choose; an ask without a choice is answered by its default at once."""
        return self.default is None or self.lines_stand or self.leaves_choice or self.form.is_choice()

    def named(self, ask_id: str, strand: str = "") -> "Ask[A]":
        """The same ask under the id with which it is opened, in the strand that asks it."""
        ask = copy(self)
        object.__setattr__(ask, "id", ask_id)
        object.__setattr__(ask, "strand", strand)
        return ask

    def standing_beside(self, ask_id: str, strand: str, battle: str) -> "Ask[A]":
        """The same ask as one of a battle that is tracked beside that ask, in a strand of its own: with the battle's
        name, since others ask the same at the same time."""
        ask = copy(self)
        object.__setattr__(ask, "title", f"{battle} · {self.title}")
        object.__setattr__(ask, "strand", strand)
        object.__setattr__(ask, "beside", ask_id)
        return ask

    def answer_from(self, document: Json) -> A:
        """Read ``document`` (a sheet, or any JSON of the answer model) as an answer.

        Raises:
            Refused: with every defect, malformed or illegal, and nothing changed.
        """
        try:
            answer = self.model.model_validate(document)
        except ValidationError as error:
            raise Refused(misfits(self.form, error, document)) from None
        answer = self._in_order(answer)
        refusals = tuple(self.check(answer))
        if refusals:
            raise Refused(refusals)
        return answer

    def changes_in(self, document: Json) -> Json:
        """A document that is read as the same answer: without lines that only repeat what stands in any case."""
        if not self.lines_stand or not isinstance(document, dict):
            return document
        return {key: line for key, line in document.items() if line != self._standing.get(key)}

    @cached_property
    def _standing(self) -> dict[str, Json]:
        """The lines of the default, as they would be sent to say the same."""
        return {} if self.default is None else self.default.model_dump(mode="json", exclude_unset=True)

    def refusals_of(self, values: Sheet) -> tuple[Refusal, ...]:
        """What would be refused if ``values`` were put into the sheet as it is filled in to begin with."""
        sheet = self.form.prefilled()
        try:
            self.answer_from({**sheet, **{key: {**sheet.get(key, {}), **line} for key, line in values.items()}})
        except Refused as refused:
            return refused.refusals
        return ()

    def _in_order(self, answer: A) -> A:
        """An answer that maps lines: put in the order of the sheet and, where lines stand, filled up with defaults."""
        lines = _lines(answer)
        if lines is None:
            return answer
        if self.lines_stand:  # a default is filled in from the sheet, line by line
            in_order = {**(_lines(self.default) or {}), **lines}
        else:
            in_order = {line.key: lines[line.key] for line in self.form.lines if line.key in lines} | lines
        return answer.model_copy(update={"root": in_order})

    def forget(self) -> None:
        """Drop what was kept: the state was changed by hand while this ask was open. The default stays as it is."""
        vars(self).pop("made_form", None)
        for forget in self.forgets:
            forget()

    def document_of(self, answer: A, given: Json) -> Json:
        """The document the journal keeps for an ``answer`` that was ``given``: what was said, without defaults.

        Judging it gives the same answer, with the same fields set and unset.
        """
        if self.lines_stand:
            return {**cast("dict[str, Json]", given)}
        return answer.model_dump(mode="json", exclude_unset=True)

    def sheet_of(self, answer: A) -> Sheet:
        """The answer as a sheet, to go on editing."""
        return answer.model_dump(mode="json")


def _lines(answer: object) -> "dict[str, Any] | None":
    """The lines of an answer that is a mapping of them; None of any other."""
    root = cast("RootModel[Any]", answer).root if isinstance(answer, RootModel) else None
    return cast("dict[str, Any]", root) if isinstance(root, dict) else None


AnyAsk = Ask[Any]


class WaitingLine(Frozen):
    """The one line of a :class:`WaitingCard`."""

    noted: bool = False


class WaitingCard(RootModel[dict[str, WaitingLine]]):
    """The answer to a waiting ask, which decides nothing."""


HOLDS = (
    "Your standing orders have answered what is asked here. Nobody can tell: play goes on once you say that you are "
    "ready, or at the deadline, as if you had been asked."
)


def waiting_ask(side: Side, pace: Pace, *, holds: bool = False) -> Ask[WaitingCard]:
    """The ask that is open for a side in a window in which it has nothing to decide. Nobody is notified of it. If it
    ``holds``, play waits for its side all the same, until that says that it is ready."""
    noted = Field(key="noted", label="Seen", kind="flag", value=False)
    form = Form(lines=(Line(key="card", label="Nothing to decide", fields=(noted,)),))
    return Ask(
        kind="waiting",
        parties=(side,),
        title="Waiting",
        text=HOLDS
        if holds
        else "Here sides may have something to decide; yours has not. Play goes on at the deadline in any case.",
        model=WaitingCard,
        form=form,
        rule="standing orders" if holds else "fixed windows",
        default=WaitingCard({}),
        default_says="Nothing is to be done.",
        pace=pace,
        check=lambda card: [
            malformed("there is no such line", key, legal="card") for key in sorted(set(card.root) - {"card"})
        ],
        awaited=False,
        holds=holds,
        question=Question("Waiting", HOLDS) if holds else None,
    )


@dataclass(frozen=True)
class Batch:
    """Asks that are open at the same time. Those of one strand close together, those of several each by itself: then
    the flow is sent the answers of one, and yields the asks that are still open, the same ones, with what opens now."""

    asks: tuple[AnyAsk, ...]


Answers = Mapping[str, Any]
"""Settled answers by ask id."""

Steps = Generator[Batch, Answers, T]
"""A flow of play: yields batches, receives answers, returns a T. Named ``*_steps`` and always ``yield from``-ed."""
