"""What is done to an account of a battle beside filling in its lines: the short form, and taking over others' parts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.campaigns.loaded import AnyAdjudicator
from bot.cards.accounts import AccountPart, PlaceShown, compared_for, part_named, places_for, say
from bot.cards.form_values import read_fields
from bot.errors import Sorry
from bot.orders.find_prompt import FoundPrompt
from bot.recording.drafts import as_sent, complete, whole, with_values
from bot.records.prompts import Returned
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Line, Sheet
from rules_engine.core.protocol.asks import AnyAsk


def short_line(ask: AnyAsk, sheet: Sheet, number: int) -> Line:
    """A page of an account's short form, with what the sheet says now.

    Raises:
        Sorry: when the account has no such page, or nothing is to be asked on it.
    """
    guide = ask.guide
    if guide is None or number >= len(guide.short.pages):
        raise Sorry("This is not something I offered. `/orders show` shows your sheets as they are.", code="forged")
    line = guide.short.line(number, ask.form, sheet)
    if not line.fields:
        raise Sorry("There is nothing to be said here as the sheet stands.", code="sheet-moved")
    return line


def short_mark(line: Line) -> str:
    """What a form says of the questions that it asks, in their order."""
    return digest([field.key for field in line.fields])[:8]


@dataclass(frozen=True)
class ShortFormSent:
    """A page of the short form as it was sent back; ``mark`` is that of the questions that were asked."""

    number: int
    mark: str
    submitted: Mapping[str, Any]

    def sheets(self, adjudicator: AnyAdjudicator, ask: AnyAsk, found: FoundPrompt) -> Sequence[Sheet]:
        """The draft with all that it changes."""
        sheet = whole(ask, found.draft)
        line = short_line(ask, sheet, self.number)
        if short_mark(line) != self.mark or ask.guide is None:
            raise Sorry("The sheet is not what it was; look at it again.", code="sheet-moved")
        values, defects = read_fields(line.label, line.fields, self.submitted)
        if defects:
            raise Refused(defects)
        return (with_values(ask, found.draft, ask.guide.short.put_in(self.number, ask.form, sheet, values)),)

    def kept(self, before: Returned, taken: int | None) -> Returned:
        """What was not accepted before is no matter of this."""
        return before


class AlreadySo(Exception):
    """A side says already what it was to take over: nothing is to be done."""


@dataclass(frozen=True)
class TakenPart:
    """A part of another side's account in the place of one's own; ``mark`` is that of the one that was shown."""

    name: str
    mark: str

    def sheets(self, adjudicator: AnyAdjudicator, ask: AnyAsk, found: FoundPrompt) -> Sequence[Sheet]:
        """The account that was sent, or what is filled in since, with that part put in; of a line whose fields hang
        together, the whole line.

        Raises:
            AlreadySo: when one's own account says it already, and what is filled in since does.
            Sorry: when there is nothing to compare, or the other side has changed what it says.
            Refused: when the account would not be legal with it.
        """
        part, mine = part_named(ask, self.name), adjudicator.saved(found.side, ask.id)
        if part is None:
            raise Sorry("This is not something I offered. `/orders show` shows your sheets as they are.", code="forged")
        if mine is None:
            raise Sorry("Send your own account first; then it is compared with the others'.", code="nothing-sent")
        sent = as_sent(ask, mine)
        is_as_sent = found.draft is None or whole(ask, found.draft) == whole(ask, sent)
        stands = is_as_sent or part.mark_of(ask, whole(ask, found.draft)) == self.mark
        if stands and part.mark(ask, mine) == self.mark:
            raise AlreadySo
        others = [adjudicator.saved(force[0], ask.id) for force in ask.forces if found.side not in force]
        theirs = next((one for one in others if one is not None and part.mark(ask, one) == self.mark), None)
        if theirs is None:
            places = places_for(adjudicator, ask, found.side, compared_for(adjudicator, ask, found.side))
            raise Sorry(_moved(places, f"{part.name(ask)}-"), code="account-moved")
        base = sent if is_as_sent else found.draft
        sheets = [
            with_values(ask, base, {part.line: one.of(ask, theirs)})
            for one in dict.fromkeys((part, AccountPart(part.line)))
        ]
        return (_first_legal(adjudicator, ask, found.side, sheets),)

    def kept(self, before: Returned, taken: int | None) -> Returned:
        """What was not accepted before is no matter of this."""
        return before


def _first_legal(adjudicator: AnyAdjudicator, ask: AnyAsk, side: str, sheets: Sequence[Sheet]) -> Sheet:
    """The first sheet that is a legal account, so that none is kept that is not."""
    why: Refused | None = None
    for sheet in sheets:
        try:
            adjudicator.try_answer(side, ask.id, complete(ask, sheet))
        except Refused as refused:
            why = why or refused
        else:
            return sheet
    assert why is not None
    raise why


def _moved(places: Sequence[PlaceShown], name: str) -> str:
    """What others say now, where a button has something else."""
    place = next((one for one in places if one.make.startswith(name)), None)
    if place is None:
        return "They do not say that any more; nothing was changed. Your sheet shows how it stands now."
    ((who, words),) = place.theirs
    return f"{place.what}: {say(who)} **{words}** now. Nothing was changed; your sheet has the new value on its button."
