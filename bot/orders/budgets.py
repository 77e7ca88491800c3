"""A budget as text: a part of a sheet whose lines are taken one by one, those that are legal."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.campaigns.loaded import AnyAdjudicator
from bot.errors import Sorry, explained
from bot.orders.attempts import LONGEST_KEPT, check_captains, places_of
from bot.orders.find_prompt import FoundPrompt
from bot.recording.drafts import as_sent, complete, whole, with_values
from bot.records.prompts import Returned
from rules_engine.core.basics.refusals import Refusal, Refused
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.forms.misfits import in_words
from rules_engine.core.forms.order_rows import OrderRow, TakenRows, read_rows, take_rows
from rules_engine.core.protocol.asks import AnyAsk


class NoBudget(Sorry):
    """The sheet has none."""

    def __init__(self) -> None:
        super().__init__("This sheet has no budget; nothing was changed.", code="no-budget")


@dataclass
class TypedBudget:
    """A budget as text. After :meth:`sheets`, ``refusals`` say in the form's words which of its lines are not taken,
    and why; ``left`` has these as they were written."""

    text: str
    refusals: tuple[Refusal, ...] = field(default=(), init=False)
    left: str = field(default="", init=False)

    def sheets(self, adjudicator: AnyAdjudicator, ask: AnyAsk, found: FoundPrompt) -> Sequence[Sheet]:
        """The draft with all of its lines that are good put in.

        Raises:
            Refused: when none of them is.
            Sorry: when the sheet has no budget.
        """
        if not ask.budget:
            raise NoBudget
        rows = read_rows(ask.form, self.text, ask.refusals_of, lambda: places_of(adjudicator, found.side))
        found = as_it_fits(adjudicator, ask, found)
        taken = taken_of(adjudicator, ask, found, rows)
        self.refusals, self.left = tuple(in_words(ask.form, one) for one in taken.refusals), taken.left
        if not any(taken.sheet.values()):
            raise Refused(self.refusals)
        return (with_values(ask, found.draft, taken.sheet),)

    def kept(self, before: Returned, taken: int | None) -> Returned:
        """The lines that were not taken, with the reasons; all of the text where none was."""
        left = self.left if taken is not None else self.text
        if not left:
            return Returned()
        why = tuple(explained(self.refusals)) if taken is not None else before.why
        return replace(before, text=left if len(left) <= LONGEST_KEPT else "", why=why)


def as_it_fits(adjudicator: AnyAdjudicator, ask: AnyAsk, found: FoundPrompt) -> FoundPrompt:
    """The prompt with its draft, or with what was sent where the draft is legal no longer, after a correction."""
    try:
        adjudicator.try_answer(found.side, ask.id, complete(ask, found.draft or {}))
    except Refused:
        return found.with_draft(as_sent(ask, adjudicator.saved(found.side, ask.id)))
    return found


def taken_of(adjudicator: AnyAdjudicator, ask: AnyAsk, found: FoundPrompt, rows: Sequence[OrderRow]) -> TakenRows:
    """As many lines of a budget as may be saved on a sheet as it stands."""
    team = found.team(adjudicator)

    def trial(values: Sheet) -> Sequence[Refusal]:
        sheet = with_values(ask, found.draft, values)
        try:
            if team is not None:
                check_captains(team, found.user_id, whole(ask, found.draft), whole(ask, sheet))
            adjudicator.try_answer(found.side, ask.id, complete(ask, sheet))
        except Refused as refused:
            return refused.refusals
        return ()

    return take_rows(ask.form, rows, ask.budget, trial)
