"""A prompt as a person may work on it: its ask, its draft, and what becomes of the draft."""

from dataclasses import dataclass
from typing import Any, cast

from bot.desk.ledger import CampaignInfo
from bot.desk.live import AnyReferee
from bot.prompts.cards import Card, PromptState, prompt_card
from rules_engine.core.asks import AnyAsk
from rules_engine.core.base import Json
from rules_engine.core.forms import Form, Sheet
from rules_engine.core.refusals import Refused
from rules_engine.core.sheets import write_sheet


@dataclass(frozen=True)
class Prompt:
    """A prompt as a person may work on it: rights are checked, the ask is open."""

    token: str
    campaign: CampaignInfo
    side: str
    ask: AnyAsk
    state: PromptState
    kept: Sheet | None
    """The draft as it is kept."""

    @property
    def draft(self) -> Sheet:
        """The sheet as it was left, or as it was filled in at the beginning."""
        return whole(self.ask, self.kept)

    @property
    def card(self) -> Card:
        """Its card."""
        return prompt_card(self.state)

    @property
    def form(self) -> Form:
        """Its form."""
        return self.ask.form

    def text(self, *, notes: bool = True) -> str:
        """The whole sheet as text, to be edited and sent back; without ``notes`` as short as it goes."""
        return write_sheet(self.ask.form, self.draft, title=self.ask.title if notes else "", notes=notes)

    def changes(self) -> str:
        """What of the sheet is not as it was filled in, as text; empty where nothing is."""
        before = self.form.prefilled()
        changed: Sheet = {}
        for key, line in self.draft.items():
            usual = before.get(key, {})
            values = {name: value for name, value in line.items() if value != usual.get(name)}
            if values:
                changed[key] = values
        return write_sheet(self.form, changed, notes=False) if changed else ""

    def example(self) -> str:
        """A line of this sheet as it may be typed."""
        for line in self.form.lines[1:] or self.form.lines:
            filled = [field for field in line.fields if field.value not in (None, "", [])]
            if filled:
                shown = {line.key: {field.key: field.value for field in filled[:2]}}
                return write_sheet(self.form, shown, notes=False).strip()
        return ""


def unsent(referee: AnyReferee, ask: AnyAsk, row: Any) -> Any:
    """The legal account of a battle that a draft holds, if it is not the one that was sent; else None."""
    if ask.pace != "battle" or not row["draft"]:
        return None
    try:
        answer = ask.answer_from(complete(ask, row["draft"]))
    except Refused:
        return None
    return None if answer == referee.saved(row["side"], ask.id) else answer


def whole(ask: AnyAsk, draft: Sheet | None) -> Sheet:
    """A draft with the lines that it does not hold, as they were filled in."""
    return {**ask.form.prefilled(), **(draft or {})}


def with_values(ask: AnyAsk, draft: Sheet | None, values: Sheet) -> Sheet:
    """The draft with ``values`` put in; None takes a value out. Of an ask whose lines stand, changed lines alone."""
    sheet = dict(draft or {}) if ask.lines_stand else whole(ask, draft)
    for key, said in values.items():
        filled_in = ask.form.filled_in(key)
        line = dict(sheet.get(key, filled_in))
        for name, value in said.items():
            if value is None:
                line.pop(name, None)
            else:
                line[name] = value
        if ask.lines_stand and line == filled_in:
            sheet.pop(key, None)
        else:
            sheet[key] = line
    return sheet


def complete(ask: AnyAsk, draft: Sheet) -> Json:
    """What is handed in for a draft: without lines that hold nothing, so that untouched optional ones are absent."""
    if ask.lines_stand:
        return cast(Json, draft)
    known = ask.form.by_key
    return {key: line for key, line in draft.items() if line or key not in known}
