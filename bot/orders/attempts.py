"""What somebody does to a sheet: the sheets that may come of it, and what is kept for them if none is accepted.

A draft holds what is legal. What is not stands on no sheet: whoever wrote it gets it back, and may mend it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from bot.campaigns.loaded import AnyAdjudicator
from bot.cards.prompts.standing import mentions
from bot.errors import Sorry
from bot.orders.find_prompt import FoundPrompt
from bot.recording.drafts import as_sent, with_values, without_step
from bot.records.captains import Team
from bot.records.prompts import Returned, Step
from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refusal, Refused, malformed
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.protocol.asks import AnyAsk

LONGEST_KEPT = 4_000
"""Characters of typed orders that are kept to be mended: as many as a form shows."""

SheetMaker = Callable[[AnyAdjudicator, AnyAsk, FoundPrompt], Sheet]
"""Makes the new sheet of a prompt."""


@dataclass(frozen=True)
class Reading:
    """What was made of a form: values for the sheet, what could not be read, and all of it as it was sent."""

    values: Sheet
    defects: Sequence[Refusal] = ()
    sent: Sheet | None = None


class SheetAttempt(Protocol):
    """What somebody does to a sheet."""

    def sheets(self, adjudicator: AnyAdjudicator, ask: AnyAsk, found: FoundPrompt) -> Sequence[Sheet]:
        """What the sheet may become, to be judged in this order; the first legal one is taken.

        Raises:
            Refused: when what was sent cannot be read.
            Sorry: for other reasons.
        """
        ...

    def kept(self, before: Returned, taken: int | None) -> Returned:
        """What is kept of what was not accepted: beside ``before``, or of it once the sheet of that number is taken."""
        ...


@dataclass(frozen=True)
class WholeSheet:
    """A sheet in the place of the old one."""

    make: SheetMaker

    def sheets(self, adjudicator: AnyAdjudicator, ask: AnyAsk, found: FoundPrompt) -> Sequence[Sheet]:
        """The one that is made."""
        return (self.make(adjudicator, ask, found),)

    def kept(self, before: Returned, taken: int | None) -> Returned:
        """What was not accepted before is no matter of this."""
        return before


class StartOver:
    """The sheet as it was filled in to begin with; another captain's lines stay as they are."""

    def sheets(self, adjudicator: AnyAdjudicator, ask: AnyAsk, found: FoundPrompt) -> Sequence[Sheet]:
        """What was filled in; where that is no answer yet, what stands if nothing is sent."""
        if ask.pace == "battle":
            return ({},)
        team = found.team(adjudicator)
        others = {} if team is None else _of_others(team, found.user_id, found.draft or {})
        return ({**with_values(ask, None, {}), **others}, {**as_sent(ask, ask.default), **others})

    def kept(self, before: Returned, taken: int | None) -> Returned:
        """Nothing, once the sheet is as it was."""
        return before if taken is None else Returned()


@dataclass(frozen=True)
class TakeBack:
    """The sheet as it was before its last change."""

    step: Step

    def sheets(self, adjudicator: AnyAdjudicator, ask: AnyAsk, found: FoundPrompt) -> Sequence[Sheet]:
        """The draft without the change; where nothing is left of it, the sheet as it was filled in to begin with."""
        sheet = without_step(found.draft, self.step)
        return (sheet,) if sheet else StartOver().sheets(adjudicator, ask, found)

    def kept(self, before: Returned, taken: int | None) -> Returned:
        """What was not accepted before is no matter of this."""
        return before


@dataclass(frozen=True)
class TypedOrders:
    """Orders as text."""

    text: str

    def sheets(self, adjudicator: AnyAdjudicator, ask: AnyAsk, found: FoundPrompt) -> Sequence[Sheet]:
        """The draft with what the text says put in."""
        stands = found.draft or as_sent(ask, adjudicator.saved(found.side, ask.id))
        values = read_sheet(ask.form, self.text, ask.refusals_of, lambda: places_of(adjudicator, found.side), stands)
        if not any(values.values()):
            raise NothingSaid
        return (with_values(ask, found.draft, values),)

    def kept(self, before: Returned, taken: int | None) -> Returned:
        """The text, until one is accepted."""
        if taken is not None:
            return Returned()
        return replace(before, text=self.text if len(self.text) <= LONGEST_KEPT else "")


@dataclass
class FilledIn:
    """A form of one line, or a part of its form."""

    read: Callable[[AnyAsk], Reading]
    before: Returned
    _sent: Sheet = field(default_factory=dict[str, dict[str, Json]], init=False)

    def sheets(self, adjudicator: AnyAdjudicator, ask: AnyAsk, found: FoundPrompt) -> Sequence[Sheet]:
        """The draft with the form put in: first with what else was sent of its line and not accepted.

        The parts of a long line's form may be legal together alone.
        """
        reading = self.read(ask)
        self._sent = reading.sent if reading.sent is not None else reading.values
        if reading.defects:
            raise Refused(list(reading.defects))
        alone = with_values(ask, found.draft, reading.values)
        waiting = {key: self.before.lines[key] for key in reading.values if key in self.before.lines}
        if not waiting:
            return (alone,)
        return (with_values(ask, with_values(ask, found.draft, waiting), reading.values), alone)

    def kept(self, before: Returned, taken: int | None) -> Returned:
        """The fields that were sent, until they are accepted."""
        for key, values in self._sent.items():
            if taken is None:
                before = before.with_line(key, values)
                continue
            left = {name: value for name, value in before.lines.get(key, {}).items() if name not in values}
            before = before.without_line(key)
            if left and taken:
                before = before.with_line(key, left)
        return before


def places_of(adjudicator: AnyAdjudicator, side: str) -> dict[str, str]:
    """Hexes by what a side calls them on its own map: places that have names there, forces and contacts. What several
    are called alike is left out."""
    board = adjudicator.view(side).board
    found: dict[str, set[str]] = {}
    for name, hex_id in (
        *((one.name, one.hex) for one in board.hexes if one.name),
        *((one.label, one.hex) for one in board.counters),
        *((board.places.called(one), one) for one in board.places.ids() if not board.places.is_numbered),
    ):
        found.setdefault(name, set()).add(hex_id)
    return {name: next(iter(hexes)) for name, hexes in found.items() if len(hexes) == 1}


def check_captains(team: Team, user_id: int, before: Sheet, after: Sheet) -> None:
    """Whether somebody orders no other captain's ships.

    Raises:
        Refused: when they do.
    """
    refusals: list[Refusal] = []
    for key in dict.fromkeys((*before, *after)):
        was, line = before.get(key, {}), after.get(key, {})
        if was != line and (theirs := team.objecting(user_id, key, was, line)):
            refusals.append(malformed(f"it orders ships of {mentions(theirs)}, who may hand them to you", key))
    if refusals:
        raise Refused(refusals)


def _of_others(team: Team, user_id: int, draft: Sheet) -> Sheet:
    """The lines of a draft that are other captains' alone."""
    return {key: line for key, line in draft.items() if team.objecting(user_id, key, line, line)}


class NothingSaid(Sorry):
    """There was nothing in a text."""

    def __init__(self) -> None:
        super().__init__(
            "Nothing was in that text, so nothing was changed. Write `name: field value`, one line for each thing; "
            "“All orders” on your sheet, and “As a file” there, says what may stand there.",
            code="nothing-said",
        )
