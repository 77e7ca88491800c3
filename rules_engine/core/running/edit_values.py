"""Values as a referee types them, read by the type of what they are to replace, and refused in plain words."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from fractions import Fraction
from types import UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin

from pydantic import BaseModel, ValidationError

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.plain_text import LEGAL_LETTERS, seen_texts, unfit_texts, why_not_drawn
from rules_engine.core.basics.rational import parse_rational
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refusal, Refused, malformed, nearest, unfit_text
from rules_engine.core.forms.misfits import listed
from rules_engine.core.grids.hexes import Grid, UnknownHex
from rules_engine.core.running.state_paths import (
    NOTHING,
    StatePart,
    entry_kind,
    is_model,
    item_kind,
    key_of,
    kinds_of,
    may_be_none,
    names_by_key,
    path_of,
    plain_kind,
    required_of,
    within,
    written,
)

YES = frozenset({"yes", "y", "true", "on"})
NO = frozenset({"no", "n", "false", "off"})
LETTERED = frozenset({"name", "named", "emblem"})
"""Fields whose texts stand on maps and counters."""
NONE = frozenset({"none", "null", "nothing", "-", "–"})

MOST_DEEP = 20
"""Lists and objects in each other; what is deeper is no value of any state."""

_WHOLE = re.compile(r"[-+−]?\d{1,15}(?:[.,]0+)?")
_FIGURES = re.compile(r"#?\d[\d .,-]*")


class _NoFit(Exception):
    """A value that does not fit, and what would."""

    def __init__(self, problem: str, legal: str = "", nearest: Sequence[str] = (), where: str = "") -> None:
        self.problem, self.legal, self.nearest, self.where = problem, legal, tuple(nearest), where
        super().__init__(problem)

    def within(self, step: str) -> "_NoFit":
        """The same, found one step further in."""
        return _NoFit(self.problem, self.legal, self.nearest, f"{step}.{self.where}".strip("."))


def read_value(spots: Sequence[StatePart], typed: Json, grid: Grid | None = None) -> Json:
    """What ``typed`` means at the end of this way into a state: a text as people write it, or JSON already.

    A text is read by the type of the spot: ``1515`` is a hex where hexes stand, ``yes`` a flag, ``7/2`` a fraction,
    ``A1, A2`` a list.

    Raises:
        Refused: saying what is wrong with it, where, and what would be legal.
    """
    spot, path = spots[-1], path_of(spots)
    stands = spot.value
    if stands is NOTHING:  # its neighbours say what it is like
        stands = next((one.value for one in within(spots[-2])), None)
    try:
        value = seen_texts(_Reader(grid, spots[0].value).read(spot.kind, typed, str(spot.name), stands))
        unfit = [unfit_text(letter, f"{path}.{where}".strip(".")) for where, letter in unfit_texts(value)]
        if unfit:
            raise Refused(unfit)
        return value
    except _NoFit as misfit:
        where = f"{path}.{misfit.where}".strip(".")
        raise Refused([malformed(misfit.problem, where, legal=misfit.legal, nearest=misfit.nearest)]) from None
    except RecursionError:
        raise Refused([malformed("that value is too deep to be read", path)]) from None


class _Reader:
    """Reads values for one map."""

    def __init__(self, grid: Grid | None, state: Any) -> None:
        self._grid = grid
        self._state = state

    def read(self, kind: Any, typed: Json, name: str, stands: Any, depth: int = 0) -> Json:
        """The value as JSON of the type."""
        if depth > MOST_DEEP:
            raise _NoFit("that value is too deep to be read")
        if isinstance(typed, str):
            typed = _unquoted(typed)
        if may_be_none(kind) and (typed is None or _is(typed, NONE)):
            return None
        plain = plain_kind(kind)
        origin = get_origin(plain)
        if origin in (Union, UnionType):
            return self._one_of(plain, typed, name, stands, depth)
        if origin is Literal:
            return _choice(get_args(plain), typed)
        if origin in (list, tuple):
            return self._items(plain, typed, name, stands, depth)
        if origin is dict:
            return self._entries(plain, typed, name, depth)
        if isinstance(plain, type):
            if issubclass(plain, Enum):
                return _member(plain, typed)
            if is_model(plain):
                return self._record(plain, typed, depth)
            if plain in _PLAIN:
                return _PLAIN[plain](typed)
            if plain is str and key_of(kind) is not None:
                return self._key(kind, _text_of(typed))
            if plain is str:
                return self._text(typed, name, stands)
        return _as_json(typed)

    def _one_of(self, kind: Any, typed: Json, name: str, stands: Any, depth: int) -> Json:
        misfit: _NoFit | None = None
        for arm in get_args(kind):
            try:
                return self.read(arm, typed, name, stands, depth + 1)
            except _NoFit as found:
                misfit = misfit or found
        raise misfit or _NoFit("this does not fit here")

    def _key(self, kind: Any, typed: str) -> str:
        """The key that a text means: by itself, or by what its entry is called."""
        named = names_by_key(self._state, kind)
        text = typed.strip()
        if text in named:
            return text
        if not text or _is(text, NONE):
            return ""
        meant = [key for key, name in named.items() if _alike(text) in (_alike(name), _alike(key))]
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise _NoFit("this could be several", listed(meant), meant)
        note = key_of(kind)
        if note is not None and note.or_other:
            return typed
        names = [*named.values()]
        raise _NoFit("there is nothing of that name", f"a name or key, as {listed(names, 3)}", nearest(text, names))

    def _text(self, typed: Json, name: str, stands: Any) -> str:
        text = _text_of(typed)
        if name in LETTERED and (problem := why_not_drawn(text)):
            raise _NoFit(problem, LEGAL_LETTERS)
        means_hex = name == "hex" or name.endswith("_hex")
        if self._grid is None or not (means_hex or (isinstance(stands, str) and stands in self._grid)):
            return text
        if means_hex and (not text.strip() or _is(text, NONE)):
            return ""
        if not means_hex and not _FIGURES.fullmatch(text.strip()):
            return text
        try:
            return self._grid.parse(text)
        except UnknownHex as unknown:
            near = [f"`{one}`" for one in unknown.nearest]
            raise _NoFit("that is no hex of this map", "a hex number of the map", near) from None

    def _as_hex(self, typed: Json) -> str | None:
        """The hex that a number may mean where nothing says whether hexes stand there."""
        if self._grid is None or not isinstance(typed, str | int) or not _FIGURES.fullmatch(str(typed).strip()):
            return None
        try:
            return self._grid.parse(str(typed))
        except UnknownHex:
            return None

    def _items(self, kind: Any, typed: Json, name: str, stands: Any, depth: int) -> Json:
        simple = get_origin(plain_kind(item_kind(kind))) is None and not is_model(plain_kind(item_kind(kind)))
        items = _list_of(typed, split=simple)
        if items is None:
            legal = "a list, as A1, A2" if simple else "a list of objects, as [{…}, {…}]"
            raise _NoFit("a list is needed here", f"{legal}; - for an empty one")
        there = cast("Sequence[Any]", stands) if isinstance(stands, list | tuple) else ()
        example = next((one for one in there if not is_model(type(one))), None)
        found: list[Json] = []
        for number, item in enumerate(items):
            is_free = example is None and plain_kind(item_kind(kind, number)) is str
            stands = self._as_hex(item) if is_free else example
            try:
                found.append(self.read(item_kind(kind, number), item, name, stands, depth + 1))
            except _NoFit as misfit:
                raise misfit.within(str(number)) from None
        return found

    def _entries(self, kind: Any, typed: Json, name: str, depth: int) -> Json:
        table = _object_of(typed)
        if table is None:
            raise _NoFit("a table is needed here", 'names with values, as {"A1": 3}; {} for an empty one')
        found: dict[str, Json] = {}
        for key, entry in table.items():
            try:
                found[key] = self.read(entry_kind(kind), entry, name, None, depth + 1)
            except _NoFit as misfit:
                raise misfit.within(key) from None
        return found

    def _record(self, kind: type[BaseModel | Record], typed: Json, depth: int) -> Json:
        fields = kinds_of(kind)
        table = _object_of(typed)
        if table is None:
            legal = f'an object with fields, as {{"{next(iter(fields), "")}": …}}, or one field by its own path'
            raise _NoFit("this has several fields", f"{legal}: {listed(list(fields))}")
        found: dict[str, Json] = {}
        for key, entry in table.items():
            if key not in fields:
                raise _NoFit("there is no such field", listed(list(fields)), nearest(key, fields), key)
            try:
                found[key] = self.read(fields[key], entry, key, None, depth + 1)
            except _NoFit as misfit:
                raise misfit.within(key) from None
        needed = required_of(kind)
        missing = [key for key in needed if key not in found]
        if missing:
            raise _NoFit("this is missing", f"all of {listed(needed)}", where=missing[0])
        return found


# --- reading ----------------------------------------------------------------------------------------------------------


def _is(typed: Json, words: Iterable[str]) -> bool:
    return isinstance(typed, str) and typed.strip().casefold() in words


def _text_of(typed: Json) -> str:
    if isinstance(typed, bool) or not isinstance(typed, str | int):
        raise _NoFit("a text is needed here", "text")
    return str(typed)


def _unquoted(typed: str) -> str:
    text = typed.strip()
    if len(text) >= 2 and text[0] == text[-1] == '"':
        parsed = _parsed(text)
        return parsed if isinstance(parsed, str) else typed
    return typed


def _parsed(text: str) -> Any:
    """The JSON that a text is; None if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _as_json(typed: Json) -> Json:
    parsed = _parsed(typed) if isinstance(typed, str) else None
    return typed if parsed is None else parsed


def _list_of(typed: Json, *, split: bool) -> list[Json] | None:
    if isinstance(typed, list):
        return typed
    if not isinstance(typed, str):
        return [typed] if split and isinstance(typed, int) else None
    text = typed.strip()
    if not text or _is(text, NONE):
        return []
    if text.startswith("["):
        parsed = _parsed(text)
        if isinstance(parsed, list):
            return cast("list[Json]", parsed)
        text = text.strip("[]")
    if not split:
        return None
    return [part for one in re.split(r"[,;]" if re.search(r"[,;]", text) else r"\s+", text) if (part := one.strip())]


def _object_of(typed: Json) -> dict[str, Json] | None:
    if isinstance(typed, dict):
        return typed
    parsed = _parsed(typed) if isinstance(typed, str) else None
    return cast("dict[str, Json]", parsed) if isinstance(parsed, dict) else None


def _flag(typed: Json) -> bool:
    if isinstance(typed, bool):
        return typed
    if _is(typed, YES):
        return True
    if _is(typed, NO):
        return False
    raise _NoFit("yes or no is needed here", "yes or no")


def _whole(typed: Json) -> int:
    if isinstance(typed, int) and not isinstance(typed, bool):
        return typed
    if isinstance(typed, str) and _WHOLE.fullmatch(typed.strip()):
        return int(re.split(r"[.,]", typed.strip().replace("−", "-"))[0])
    raise _NoFit("a whole number is needed here", "a whole number")


def _fraction(typed: Json) -> str:
    try:
        return str(parse_rational(typed))
    except ValueError:
        raise _NoFit("a number is needed here", "a number such as 3, 7/2, 1 1/2 or 0.5") from None


_PLAIN: dict[Any, Callable[[Json], Json]] = {bool: _flag, int: _whole, Fraction: _fraction}


def _alike(text: object) -> str:
    """A word as it is compared: hyphens within it are spaces, but a minus stays one."""
    return re.sub(r"[\s_]+|(?<=\w)-(?=\w)", " ", str(text)).strip().casefold()


def _choice(choices: Sequence[Any], typed: Json) -> Json:
    for one in choices:
        if type(one) is type(typed) and one == typed:
            return one
    for one in choices:
        if _alike(one) == _alike(typed):
            return one
    if "" in choices and _is(typed, NONE):
        return ""
    names = [str(one) or '""' for one in choices]
    raise _NoFit("that is no choice here", listed(names), nearest(str(typed), names))


def _member(kind: type[Enum], typed: Json) -> Json:
    by_word: dict[str, Json] = {}
    for one in kind:
        for word in (getattr(one, "label", ""), one.name, one.value):
            by_word[_alike(word)] = one.value
    if _alike(typed) in by_word and not isinstance(typed, bool):
        return by_word[_alike(typed)]
    raise _NoFit("that is no choice here", listed(member_words(kind)), nearest(str(typed), by_word))


def member_words(kind: type[Enum]) -> list[str]:
    """The choices of an enumeration, with what people call them."""
    found: list[str] = []
    for one in kind:
        label = str(getattr(one, "label", "") or one.name.replace("_", " ").lower())
        found.append(str(one.value) if _alike(label) == _alike(one.value) else f"{one.value} ({label})")
    return found


# --- what would be legal ----------------------------------------------------------------------------------------------


def choices_of(kind: Any) -> list[str]:
    """The values among which one must be chosen; empty where there are no such."""
    plain = plain_kind(kind)
    none = ["none"] if may_be_none(kind) else []
    if get_origin(plain) is Literal:
        return [str(one) for one in get_args(plain) if one != ""] + none
    if isinstance(plain, type) and issubclass(plain, Enum):
        return [written(one) for one in plain] + none
    return ["yes", "no", *none] if plain is bool else none


_WORDS = {
    "missing": "this is missing",
    "extra_forbidden": "there is no such field",
    "unexpected_keyword_argument": "there is no such field",
    "greater_than": "the number is too small",
    "greater_than_equal": "the number is too small",
    "less_than": "the number is too large",
    "less_than_equal": "the number is too large",
    "string_too_long": "the text is too long",
    "string_too_short": "the text is too short",
    "too_long": "there are too many",
    "too_short": "there are too few",
    "string_type": "a text is needed here",
    "literal_error": "that is no choice here",
    "enum": "that is no choice here",
}
_BOUNDS = {
    "gt": "more than {}",
    "ge": "at least {}",
    "lt": "less than {}",
    "le": "at most {}",
    "max_length": "at most {} long",
    "min_length": "at least {} long",
}


def plain_words(
    error: ValidationError, path: str, spot: StatePart | None = None, *, whole: bool = False
) -> list[Refusal]:
    """What a model finds wrong with a value, in plain words. ``whole``: the whole state was looked at, so that places
    are paths by themselves; else they lie below ``path``."""
    found: dict[tuple[str, str], Refusal] = {}
    for defect in error.errors(include_url=False, include_input=False):
        inner = [str(part) for part in defect["loc"] if not re.search(r"[\[(]", str(part))]
        if spot is not None and inner[:1] == [written(spot.name)]:
            inner = inner[1:]
        place = ".".join(inner) if whole else ".".join([path, *inner])
        context = defect.get("ctx", {})
        problem = _WORDS.get(defect["type"], "this does not fit here")
        if defect["type"] in ("value_error", "assertion_error"):  # said by our own models, in their words
            problem = str(context.get("error", "")) or problem
        elif defect["type"].startswith("bool"):
            problem = "yes or no is needed here"
        elif defect["type"].startswith(("int", "float")):
            problem = "a whole number is needed here"
        legal = ", ".join(words.format(context[key]) for key, words in _BOUNDS.items() if key in context)
        found.setdefault((place, problem), malformed(problem, place or path, legal=legal))
    return list(found.values())
