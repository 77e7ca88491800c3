"""Drafts: what is kept of a sheet while it is filled in, and what is handed in of it."""

from typing import Any, cast

from bot.errors import explained
from bot.records.prompts import Prompt, Step
from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.form_names import has_own_notation
from rules_engine.core.forms.forms import Field, Sheet
from rules_engine.core.forms.order_text import write_sheet
from rules_engine.core.forms.short_forms import in_words
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.question import is_code
from rules_engine.core.running.adjudicator import Adjudicator


def unsent(adjudicator: Adjudicator[Any], ask: AnyAsk, prompt: Prompt) -> Any:
    """The legal account of a battle that a draft holds, if it is not the one that was sent; else None."""
    if ask.pace != "battle" or not prompt.draft:
        return None
    try:
        answer = ask.answer_from(complete(ask, prompt.draft))
    except Refused:
        return None
    return None if answer == adjudicator.saved(prompt.side, ask.id) else answer


def reads_as(ask: AnyAsk, draft: Sheet, answer: Any) -> bool:
    """Whether a draft says what was answered, and nothing else."""
    try:
        return answer is not None and ask.answer_from(complete(ask, draft)) == answer
    except Refused:
        return False


def whole(ask: AnyAsk, draft: Sheet | None) -> Sheet:
    """A draft with the lines that it does not hold, as they were filled in."""
    return {**ask.form.prefilled(), **(draft or {})}


MOST_SAID = 300
"""Characters that are kept of what a change said."""


def step_between(ask: AnyAsk, before: Sheet | None, after: Sheet, user_id: int) -> Step | None:
    """What has changed from one draft to another, so that it can be taken back; None if nothing that can be seen."""
    old, new = whole(ask, before), whole(ask, after)
    if old == new:
        return None
    kept = before or {}
    lines = {key: kept.get(key) for key in dict.fromkeys((*kept, *after)) if kept.get(key) != after.get(key)}
    return Step(lines, words_between(ask, old, new)[:MOST_SAID], user_id)


def words_between(ask: AnyAsk, before: Sheet, after: Sheet) -> str:
    """What is on one whole sheet and not on another, in the words of its form: ``The fleet: number 7, no motto``; what
    people know by a short name goes by that. A line with a notation of its own reads as it is typed."""
    told: list[str] = []
    for key, now in after.items():
        line, was = ask.form.line(key), before.get(key, {})
        fields = () if line is None else line.fields
        said = [_in_words(one, now.get(one.key)) for one in fields if _differ(now.get(one.key), was.get(one.key))]
        if line is not None and said:
            between = "; " if has_own_notation(line) else ", "
            told.append(f"{key if is_code(key) else line.label}: {between.join(said)}")
    return "; ".join(told)


def _in_words(field: Field, value: Json) -> str:
    label = field.label.partition(", ")[0].partition(" (")[0]  # what it is called, without what is said of it
    name = label if label[1:2].isupper() else f"{label[:1].lower()}{label[1:]}"
    words = in_words(field, value)
    if field.others and words:
        return words
    return f"{name} {words}" if words else f"no {name}"


def said_between(ask: AnyAsk, before: Sheet, after: Sheet) -> str:
    """What is on one whole sheet and not on another, as orders are typed; what was emptied reads so."""
    changed: Sheet = {}
    for key, line in after.items():
        usual = before.get(key, {})
        values = {name: line.get(name) for name in dict.fromkeys((*line, *usual))}
        differing = {name: value for name, value in values.items() if _differ(value, usual.get(name))}
        if differing:
            changed[key] = differing
    return write_sheet(ask.form, changed, notes=False, clears=True) if changed else ""


def _differ(one: Json, other: Json) -> bool:
    """Whether two values of a field differ; a field that is left empty says nothing, in whatever way it is empty."""
    return one != other and not (one in _EMPTY and other in _EMPTY)


_EMPTY: tuple[Json, ...] = (None, "", [])


def without_step(draft: Sheet | None, step: Step) -> Sheet:
    """A draft as it was before a change."""
    sheet = {key: line for key, line in (draft or {}).items() if key not in step.lines}
    return sheet | {key: dict(line) for key, line in step.lines.items() if line is not None}


def as_sent(ask: AnyAsk, answer: Any) -> Sheet:
    """The draft of an answer that was accepted; an empty one where none was, or where it cannot be made."""
    if answer is None:
        return {}
    sheet: Sheet = {}
    for key, said in ask.sheet_of(answer).items():
        line: dict[str, Json] = {name: value for name, value in said.items() if value is not None}
        if not (ask.lines_stand and line == ask.form.filled_in(key)):
            sheet[key] = line
    try:
        return sheet if ask.answer_from(complete(ask, sheet)) == answer else {}
    except Refused:
        return {}


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


def problems_of(adjudicator: Adjudicator[Any], ask: AnyAsk, prompt: Prompt) -> list[str]:
    """What is wrong with the draft that stands on a side's own sheet; an account of a battle is not judged unasked."""
    if ask.pace == "battle" or not prompt.draft:
        return []
    try:
        adjudicator.try_answer(prompt.side, ask.id, complete(ask, prompt.draft))
    except Refused as refused:
        return explained(refused.refusals, ask.form)
    return []
