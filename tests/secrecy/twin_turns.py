"""Twin worlds without a screen: a campaign's turn played twice from one snapshot, with something hidden changed.

The first world is the campaign as it is. In the second, secrets of the other side were changed before the turn
began: things that the watcher was never told. Everything that the watcher gets during the turn is recorded in both:
reports, boards, asks with their forms, defaults, refusals, warnings and read-backs, odds and tables. Both sides submit
the same sheets in both worlds, the dice are the same, and the two records must be equal.
"""

import functools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any
from unittest import mock

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.dice import DiceStream, Die
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.reports import Report, Sighted
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running import position, transitions
from rules_engine.core.running.adjudicator import Adjudicator
from tests.form_documents import form_text
from tests.rulebooks.pq17.playing.campaign_play import AT, CampaignPlay
from tests.rulebooks.pq17.playing.officers import Manner, Officer

Data = dict[str, Any]
"""A state as its snapshot keeps it."""
PRINTED = ("classes", "grid")
"""Parts of a state that hold printed matter and nobody's names."""
FORCE = re.compile(r"(?<![\w.-])[A-Z]\d+(?![\w-])")
"""An id of a task force."""
READ = 4
"""The level of identification at which a status is read."""
ODDS = 3
"""How many pairs the watcher asks the odds of at each moment."""


@dataclass
class Change:
    """One hidden change. ``apply`` changes the data in place and says whether there was anything to change.

    ``names`` are old ids and names by new ones, so that sheets and dice can be translated. ``until`` says what shows
    the watcher what was changed: a battle's ``sheet``, or a status read at ``ID4``; only what comes before is compared.
    """

    name: str
    apply: Callable[[Data, Side], bool]
    names: dict[str, str] = field(default_factory=dict[str, str])
    until: frozenset[str] = frozenset()


@dataclass
class Sight:
    """What the watcher got in one turn, moment by moment, and what the worlds had in common."""

    moments: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    documents: dict[tuple[Side, str], Json] = field(default_factory=dict[tuple[Side, str], Json])
    reports: Counter[str] = field(default_factory=Counter[str])
    asks: Counter[str] = field(default_factory=Counter[str])
    """Kinds of all reports and asks of the turn, of either side."""
    shown: dict[str, int] = field(default_factory=dict[str, int])
    """At which moment the watcher first saw a battle's ``sheet``, or a status at ``ID4``."""
    waits: int = 0
    """How often others were asked while the watcher was neither asked nor told anything."""

    parted: bool = False
    """The other side's sheets do not fit this world: from there on nothing can be compared."""


class SameDice(DiceStream):
    """Dice labelled with the names of the first world."""

    names: Mapping[str, str] = {}
    strange: list[str]
    """Labels with a force that was raised in this world under another number than in the first: the dice differ."""

    def draw(self, label: str, ordinal: int, die: Die, count: int) -> tuple[int, ...]:
        """The dice that fell under this label in the first world."""
        letters = {name[0] for name in self.names if FORCE.fullmatch(name)}
        if any(one[0] in letters and one not in self.names for one in FORCE.findall(label)):
            self.strange.append(label)
        return super().draw(renamed_text(label, self.names), ordinal, die, count)


def renamed_text(text: str, names: Mapping[str, str]) -> str:
    """A text with whole words changed."""
    if not names:
        return text
    return _any_of(tuple(names)).sub(lambda found: names[found[1]], text)


@functools.cache
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """Any of these as a whole word."""
    words = "|".join(re.escape(one) for one in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<![\w.@-])({words})(?![\w-])")


def renamed_data(value: Any, names: Mapping[str, str]) -> Any:
    """JSON with ids and names changed, keys too."""
    if isinstance(value, dict):
        return {renamed_text(key, names): renamed_data(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [renamed_data(one, names) for one in value]
    return renamed_text(value, names) if isinstance(value, str) else value


class Twin:
    """One of the two worlds: a turn that is played from a snapshot."""

    def __init__(self, game: CampaignPlay, watcher: Side, seed: int, *, manner: Manner | None = None) -> None:
        assert game.snapshot is not None
        self.game = game
        self.watcher = watcher
        self.seed = seed
        self.manner = manner or Manner(bold=0.6, whims=0.4)
        self.adjudicator: Adjudicator[Any]
        self.sight = Sight()
        self.looked, self.was_told = "", True
        self.back: dict[str, str] = {}
        """Names of the first world by this one's."""

    def play(self, data: Data, *, first: Sight | None = None, names: Mapping[str, str] | None = None) -> Sight:
        """Play the turn; with a ``first`` world, its sheets are used."""
        game, snapshot = self.game, self.game.snapshot
        assert snapshot is not None
        self.back = dict(names or {})
        strange: list[str] = []
        dice = type("Dice", (SameDice,), {"names": self.back, "strange": strange})
        with mock.patch.object(position, "DiceStream", dice):
            self.adjudicator = Adjudicator(game.adjudicator.rulebook, game.adjudicator.genesis, game.key)
            self.adjudicator.head = game.adjudicator.head
            begun: transitions.Snapshot = snapshot.model_copy(update={"state": data})
            self.adjudicator._restore(begun)
            self.adjudicator._last_shown.show_the_present(self.adjudicator._readers())
            self._told(list(self.adjudicator._shared.reports), self.adjudicator._shared.maps_for)
            self.adjudicator._forget_told()
            turn = self.adjudicator.turn
            while self.adjudicator.ending is None and self.adjudicator.turn == turn and not self.sight.parted:
                before = len(self.sight.moments)
                self._batch(first, {new: old for old, new in self.back.items()})
                if strange:
                    self.sight.parted = True
                    del self.sight.moments[before:]
        return self.sight

    def _batch(self, first: Sight | None, names: Mapping[str, str]) -> None:
        adjudicator = self.adjudicator
        for ask in adjudicator.asks_for(self.watcher):
            self._see_sheet(ask)
        looks = "\n".join(self.lookups())
        if adjudicator.asks_for(self.watcher):
            sheets = [line for ask in adjudicator.asks_for(self.watcher) for line in ask_as_seen(ask, self.watcher)]
            self._note("state of play", "\n".join([looks, *sheets]))
        elif not self.was_told:
            assert looks == self.looked, "while others are asked, what they look up stands still"
            self.sight.waits += 1
        self.looked, self.was_told = looks, False
        for label in adjudicator.sides:
            for ask in adjudicator.asks_for(label.key):
                self.sight.asks[ask.kind] += 1
                document = self._document(label.key, ask, first, names)
                if document is not None:
                    adjudicator.answer(label.key, ask.id, document, by=label.key, at=AT)
        if self.sight.parted:
            return
        if adjudicator.asks_for(self.watcher):
            self._note("orders in", adjudicator.view(self.watcher).model_dump_json())
        step = adjudicator.close("deadline", by="clock", at=AT)
        self._taken(step)
        self._told(step.reports, set(step.maps_for))

    def _document(self, side: Side, ask: AnyAsk, first: Sight | None, names: Mapping[str, str]) -> Json:
        """The sheet a side submits: its own choice in the first world, the same sheet in the second."""
        old_id = renamed_text(ask.id, {new: old for old, new in names.items()})
        if first is None:
            key = ask.parties[0] if len(ask.parties) > 1 else side
            chance = Random(f"{self.seed}/{self.adjudicator.turn}/{key}/{ask.id}")
            document = Officer(self.adjudicator, side, chance, self.manner).answer(ask)
            self.sight.documents[side, ask.id] = document
            return document
        if (side, old_id) not in first.documents:
            is_routine = ask.kind == "logistics"  # a side with nothing to decide in the first world follows the routine
            self.sight.parted = self.sight.parted or (side != self.watcher and not is_routine)
            return None
        if first.documents[side, old_id] is None:
            return None
        document = renamed_data(first.documents[side, old_id], names if side != self.watcher else {})
        if side != self.watcher and isinstance(document, dict):  # things that do not exist in this world have no line
            document = self._raised(ask, document)
            lines = {line.key for line in ask.form.lines}
            document = {key: value for key, value in document.items() if key in lines}
        try:
            self.adjudicator.try_answer(side, ask.id, document)
        except Refused as refused:
            if side == self.watcher and len(ask.parties) == 1:
                self._note("refused", str(refused))
            self.sight.parted = True
            return None
        return document

    def _raised(self, ask: AnyAsk, document: Data) -> Data:
        """Give forces that the sheet forms numbers that are free in this world, and use them from then on."""
        numbers: dict[str, str] = {}
        for line in ask.form.lines:
            choices = next((field.choices for field in line.fields if field.key == "task_force"), ())
            wanted = (document.get(line.key) or {}).get("task_force")
            if not choices or wanted is None or wanted in numbers or any(wanted == one.value for one in choices):
                continue
            free = (one.value for one in choices if one.label.endswith("(new)") and one.value not in numbers.values())
            numbers[wanted] = next(free, wanted)
        for wanted, number in numbers.items():
            if wanted in self.back:
                self.back[number] = self.back.pop(wanted)
        return renamed_data(document, numbers)

    # --- writing down -------------------------------------------------------------------------------------------------

    def _note(self, what: str, text: str) -> None:
        self.sight.moments.append((what, text))

    def _told(self, reports: Any, maps_for: set[Side]) -> None:
        for report in reports:
            self.sight.reports[report.kind] += 1
            if report.is_for(self.watcher):
                self.was_told = True
                if any(isinstance(fact, Sighted) and fact.level >= READ for fact in report.facts):
                    self.sight.shown.setdefault("ID4", len(self.sight.moments))
                self._note(f"report {report.kind}", report_as_read(report))
        if self.watcher in maps_for:
            self._note("maps", f"{len(maps_for) == len(self.adjudicator.sides)}")

    def _taken(self, step: transitions.Transition) -> None:
        for ask_id, lines in step.taken.items():
            if ask_id.rpartition("/")[2].split("+").count(self.watcher):
                self._note("taken", "\n".join(lines))

    def _see_sheet(self, ask: AnyAsk) -> None:
        if ask.setup is not None:
            self.sight.shown.setdefault("sheet", len(self.sight.moments))

    def lookups(self) -> Iterator[str]:
        """All that the watcher can look up at any time."""
        adjudicator, side = self.adjudicator, self.watcher
        yield adjudicator.view(side).model_dump_json()
        yield adjudicator.public_view().model_dump_json()
        for ledger in adjudicator.side_tables(side):
            yield ledger.model_dump_json()
        menu = adjudicator.odds_menu(side)
        yield menu.model_dump_json()
        for own in menu.own[:ODDS]:
            for target in menu.targets[:ODDS]:
                yield f"{own} {target} {odds_as_read(adjudicator, side, own.value, target.value)}"


def odds_as_read(adjudicator: Adjudicator[Any], side: Side, own: str, target: str) -> str:
    """The odds, or why there are none."""
    try:
        return adjudicator.odds(side, own, target).model_dump_json()
    except Refused as refused:
        return str(refused)


def report_as_read(report: Report) -> str:
    """What its audience reads; its number, its place and the labels of dice are shown to nobody."""
    why = report.why.text() if report.why else ""
    dice = [str(roll) for roll in report.why.dice] if report.why else []
    facts = [fact.model_dump_json() for fact in report.facts]
    return json.dumps([report.kind, report.when.model_dump(), report.text, why, dice, facts, report.to])


def ask_as_seen(ask: AnyAsk, side: Side) -> Iterator[str]:
    """An ask with all that it says of itself, and of sheets that a curious person may try."""
    yield f"{ask.id} {ask.kind} {ask.title} {ask.text} {ask.rule} {ask.pace} {ask.awaited} {ask.default_says}"
    yield form_text(ask.form)
    if ask.setup is not None:
        yield json.dumps([one.model_dump() for one in (*ask.setup.panels, *ask.setup.secret.get(side, ()))])
    tries: list[Json] = [ask.form.prefilled(), *curious(ask)]
    if ask.default is not None:
        tries.append(ask.default.model_dump(mode="json"))
    for document in tries:
        yield from judged(ask, document)


def judged(ask: AnyAsk, document: Json) -> Iterator[str]:
    """What comes back for a sheet: refusals, or the read-back, warnings and courses."""
    try:
        answer = ask.answer_from(document)
    except Refused as refused:
        yield "; ".join(f"{one.path} {one.problem} {one.rule} {one}" for one in refused.refusals)
        return
    yield json.dumps(answer.model_dump(mode="json"))
    yield "\n".join([*ask.read_back(answer), *ask.warn(answer)])
    yield json.dumps([course.model_dump(mode="json") for course in ask.courses(answer)])


def curious(ask: AnyAsk) -> Iterator[Json]:
    """Sheets that guess at the enemy: strange values in the first lines, and every choice of the first field."""
    prefilled = ask.form.prefilled()
    for line in ask.form.lines[:3]:
        for one in line.fields[:4]:
            guesses: list[Json] = [choice.value for choice in one.choices[:4]] or ["C1", "E1", 3]
            for guess in [*guesses, "C2"]:
                value = [guess] if one.kind == "many" else guess
                yield {**prefilled, line.key: {**prefilled.get(line.key, {}), one.key: value}}


# --- comparing ----------------------------------------------------------------------------------------------------
def difference(one: Sight, other: Sight, until: frozenset[str] = frozenset()) -> str:
    """Where two records differ first, or nothing. Once a world's sheets no longer fit, or the watcher was shown what
    was changed, only what came before is compared."""
    ends = [sight.shown[what] for sight in (one, other) for what in sorted(until) if what in sight.shown]
    most = min(ends, default=None)
    for (what, text), (label, again) in zip(one.moments[:most], other.moments[:most], strict=False):
        if (what, text) != (label, again):
            lines, others = text.split("\n"), again.split("\n")
            first = next((pair for pair in zip(lines, others, strict=False) if pair[0] != pair[1]), (text, again))
            at = next((n for n, (a, b) in enumerate(zip(*first, strict=False)) if a != b), min(map(len, first)))
            start = max(0, at - 150)
            return f"{what} | {label}\n- {first[0][start : at + 200]}\n+ {first[1][start : at + 200]}"
    if most is None and not (one.parted or other.parted) and len(one.moments) != len(other.moments):
        return f"{len(one.moments)} moments against {len(other.moments)}"
    return ""


def compare(
    game: CampaignPlay, watcher: Side, change: Change, seed: int = 0, *, first: Sight | None = None
) -> tuple[Sight, Sight] | None:
    """Play the game's present turn in both worlds. None if there is nothing to change.

    The ``first`` world is the same for every change: give it again when the turn is watched for another one.

    Raises:
        AssertionError: when the watcher can tell the worlds apart.
    """
    assert game.snapshot is not None
    plain: Data = game.snapshot.state
    data: Data = json.loads(json.dumps(plain))
    if not change.apply(data, watcher):
        return None
    names = {old: new for new, old in change.names.items()}
    data = {key: one if key in PRINTED else renamed_data(one, names) for key, one in data.items()}
    one = first or Twin(game, watcher, seed).play(json.loads(json.dumps(plain)))
    other = Twin(game, watcher, seed).play(data, first=one, names=change.names)
    found = difference(one, other, change.until)
    assert not found, f"{game.where()}, watched by the {watcher}, {change.name}:\n{found}"
    return one, other
