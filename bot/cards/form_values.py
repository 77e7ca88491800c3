"""What came back from a modal, made into values of a sheet. Knows no discord.py."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refusal, malformed, nearest
from rules_engine.core.forms.forms import Field

MOST_DIGITS = 9
_TRUE = {"yes", "true", "on", "1"}
_FALSE = {"no", "false", "off", "0"}


def read_fields(
    line: str, fields: Sequence[Field], submitted: Mapping[str, Any]
) -> tuple[dict[str, Json], list[Refusal]]:
    """The values of these fields, by key (None: left empty), and every defect. A field that was not sent is left out.

    ``submitted`` holds strings, booleans and lists by ``f<number>``. All of it may be forged, so it is checked again.
    """
    values: dict[str, Json] = {}
    defects: list[Refusal] = []
    for number, field in enumerate(fields):
        raw = submitted.get(f"f{number}", _ABSENT)
        if raw is _ABSENT:
            continue
        try:
            values[field.key] = _value(field, raw)
        except _Wrong as wrong:
            defects.append(malformed(wrong.problem, f"{line}, {field.label}", legal=wrong.legal, nearest=wrong.nearest))
    return values, defects


class _Wrong(Exception):
    def __init__(self, problem: str, legal: str = "", near: Sequence[str] = ()) -> None:
        self.problem = problem
        self.legal = legal
        self.nearest = near
        super().__init__(problem)


_ABSENT: Any = object()


def _value(field: Field, raw: Json) -> Json:
    match field.kind:
        case "flag":
            return _flag(field, raw)
        case "many":
            return _several(field, _words(raw))
        case "one":
            words = _words(raw) if isinstance(raw, list) else [raw]
            if len(words) > 1:
                raise _Wrong("only one choice is possible here")
            word = str(words[0]).strip() if words and words[0] is not None else ""
            return _choice(field, word) if word else None
        case "number":
            return _number(field, str(raw or "").strip())
        case "text":
            text = str(raw or "").strip()
            if field.most is not None and len(text) > field.most:
                raise _Wrong(f"has {len(text)} characters", f"at most {field.most} characters")
            return text or None


def _several(field: Field, words: Sequence[str]) -> list[Json]:
    chosen: list[Json] = []
    for word in words:
        choice = _choice(field, word)
        if choice in chosen:
            raise _Wrong(f"“{choice[:60]}” is named twice", "each of them once")
        chosen.append(choice)
    return chosen


def _words(raw: Json) -> list[str]:
    if isinstance(raw, list):
        return [str(one) for one in raw]
    return [word.strip() for word in str(raw or "").replace("\n", ",").split(",") if word.strip()]


def _choice(field: Field, word: str) -> str:
    by_word = {one.label.casefold(): one.value for one in field.choices}
    by_word |= {one.value.casefold(): one.value for one in field.choices}
    found = by_word.get(word.casefold())
    if found is None:
        known = [one.value for one in field.choices]
        legal = ", ".join(known[:10]) + (" …" if len(known) > 10 else "")
        raise _Wrong(f"“{word[:60]}” is not one of the choices", legal, nearest(word, known))
    return found


def _number(field: Field, text: str) -> int | None:
    if not text:
        return None
    legal = f"a whole number from {field.least} to {field.most}"
    if field.least is None or field.most is None:
        legal = "a whole number" + (f", at least {field.least}" if field.least is not None else "")
        legal += f", at most {field.most}" if field.most is not None else ""
    digits = text[1:] if text[0] in "+-" else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
        raise _Wrong(f"“{text[:20]}” is not a whole number", legal)
    number = int(text)
    if (field.least is not None and number < field.least) or (field.most is not None and number > field.most):
        raise _Wrong(f"{number} is out of range", legal)
    return number


def _flag(field: Field, raw: Json) -> bool | None:
    if isinstance(raw, bool):
        return raw
    words = _words(raw)
    if not words:
        return None if field.optional else False
    if len(words) > 1:
        raise _Wrong("only one answer is possible here", "yes or no")
    word = words[0].casefold()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise _Wrong(f"“{word[:20]}” is neither yes nor no", "yes or no")
