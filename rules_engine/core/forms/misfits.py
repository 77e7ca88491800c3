"""Answers that do not fit their form, in the words of the form: which line, which field, and what would be right."""

import re
from collections.abc import Collection, Sequence

from pydantic import ValidationError

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refusal, malformed, nearest
from rules_engine.core.forms.forms import Field, FieldKind, Form, Line

MOST_LISTED = 16
"""The most choices or names that are listed; of more only the number is given."""

_LINE_OF_TEXT = re.compile(r"line \d+, ")

_WRONG_KIND: dict[FieldKind, str] = {
    "one": "that is no choice here",
    "many": "that is no choice here",
    "number": "a whole number is needed here",
    "flag": "yes or no is needed here",
    "text": "this text cannot be read here",
}
_OUT_OF_BOUNDS = {
    "greater_than": "the number is too small",
    "greater_than_equal": "the number is too small",
    "less_than": "the number is too large",
    "less_than_equal": "the number is too large",
    "string_too_long": "the text is too long",
}


def misfits(form: Form, error: ValidationError, document: Json) -> list[Refusal]:
    """Every defect that a model finds in the ``document`` that was sent as an answer, told by the lines and fields of
    its form. Each field is named once, and what was sent in it is not quoted."""
    found: dict[str, Refusal] = {}
    sent = set(document) if isinstance(document, dict) else set[str]()
    for defect in error.errors(include_url=False, include_input=False, include_context=False):
        one = _misfit(form, sent, [str(part) for part in defect["loc"]], defect["type"])
        found.setdefault(one.path, one)
    return list(found.values())


def _misfit(form: Form, sent: Collection[str], where: list[str], kind: str) -> Refusal:
    known = [number for number, part in enumerate(where) if form.line(part) is not None]
    at = next(iter(known or (number for number, part in enumerate(where) if part in sent)), None)
    key = where[at] if at is not None else ""
    line = form.line(key)
    if at is None or line is None:
        keys = [one.key for one in form.lines]
        problem = "there is no such line" if key else "this is no sheet of lines"
        return malformed(problem, key, legal=listed(keys) or "a line for each thing asked", nearest=nearest(key, keys))
    inner = where[at + 1 :]
    path = ".".join((line.key, *inner[:1]))
    field = next((one for one in line.fields if inner and one.key == inner[0]), None)
    if field is None:
        problem = "this line has no such field" if inner else "this line cannot be read as fields"
        return malformed(problem, path, legal=_fields(line))
    problem = "this is missing" if kind == "missing" else _OUT_OF_BOUNDS.get(kind, _WRONG_KIND[field.kind])
    explained = field.kind == "text" and kind != "string_too_long" and field.help
    return malformed(problem, path, legal=" ".join(field.help.split()) if explained else legal_values(field))


def _fields(line: Line) -> str:
    return listed([field.key for field in line.fields])


# --- what would be right ----------------------------------------------------------------------------------------------


def legal_values(field: Field) -> str:
    """The values that a field takes, in words."""
    match field.kind:
        case "one" | "many":
            several = " (several, with commas)" if field.kind == "many" else ""
            none = ", or - for none" if field.optional or field.kind == "many" else ""
            return f"{listed([choice.value for choice in field.choices])}{several}{none}"
        case "number":
            return f"{'' if field.least is None else field.least} to {'any' if field.most is None else field.most}"
        case "flag":
            return "yes or no"
        case "text":
            return f"text of at most {field.most} characters" if field.most else "text"


def listed(names: Sequence[str], most: int = MOST_LISTED) -> str:
    """The names with commas, each on one line; of more than ``most`` the first, and how many there are."""
    shown = ", ".join(" ".join(name.split()) for name in names[:most])
    return f"{shown} … ({len(names)} in all)" if len(names) > most else shown


def in_words(form: Form, refusal: Refusal) -> Refusal:
    """The same with the field that it is about as people see it: ``A1, Speed`` of ``A1.speed``, and ``Winner`` of
    ``battle.winner``, whose line is never called by its key. Of what was typed, the line of the text and
    the key that was written there stay before it."""
    typed = _LINE_OF_TEXT.match(refusal.path)
    row = typed.group() if typed else ""
    key, _, name = refusal.path.removeprefix(row).partition(".")
    line = form.line(key)
    field = next((one for one in line.fields if one.key == name), None) if line is not None else None
    if line is None or field is None:
        return refusal
    is_called_so = bool(row) or key.casefold() in line.label.casefold() or line.note.startswith(f"{key} ")
    where = f"{key}, {field.label}" if is_called_so else field.label
    return refusal.model_copy(update={"path": f"{row}{where}"})
