"""What pydantic finds wrong with a document, as refusals in plain words."""

from collections.abc import Iterable, Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from rules_engine.core.basics.refusals import Refusal, malformed, nearest

MOST_LISTED = 12
"""Keys of a table that a refusal lists; of a larger one it names those alone that may have been meant."""

_Place = tuple[int | str, ...]


def from_validation(error: ValidationError, prefix: str = "", model: type[BaseModel] | None = None) -> list[Refusal]:
    """Pydantic's own list of defects as refusals, each with its dotted path. Inputs are not quoted back.

    With the ``model`` that was asked for, a misspelt key is told with the one that was meant, which then does not also
    count as missing.
    """
    defects = error.errors(include_url=False, include_input=False, include_context=False)
    extra = {defect["loc"] for defect in defects if defect["type"] == "extra_forbidden"}
    missing = {defect["loc"] for defect in defects if defect["type"] == "missing"}
    meant = {place: _meant(place, missing, model) for place in extra}
    refusals: list[Refusal] = []
    for defect in defects:
        place = defect["loc"]
        path = ".".join(str(part) for part in place)
        where = f"{prefix}.{path}" if prefix and path else prefix or path
        if place in extra:
            refusals.append(_no_such_key(place, where, meant[place], model))
        elif place not in missing:
            refusals.append(malformed(defect["msg"].removeprefix("Value error, "), where))
        elif not any(place[:-1] == other[:-1] and str(place[-1]) in near[:1] for other, near in meant.items()):
            refusals.append(malformed("this key is missing", where))
    return refusals


def _no_such_key(place: _Place, where: str, near: tuple[str, ...], model: type[BaseModel] | None) -> Refusal:
    known = sorted(_keys(model, place[:-1]))
    listed = ", ".join(known) if 0 < len(known) <= MOST_LISTED and not near else ""
    return malformed("there is no such key here", where, legal=listed, nearest=near)


def _meant(place: _Place, missing: Iterable[_Place], model: type[BaseModel] | None) -> tuple[str, ...]:
    """The keys that an unknown one may stand for, those first that are missing."""
    wanted = [str(one[-1]) for one in missing if one[:-1] == place[:-1]]
    word = str(place[-1])
    return tuple(dict.fromkeys((*nearest(word, wanted, 1), *nearest(word, _keys(model, place[:-1])))))


def _keys(model: type[BaseModel] | None, place: _Place) -> list[str]:
    """The keys of the table at this place of a model's document; none where it cannot be said."""
    reached: list[Any] = [] if model is None else [model]
    for part in place:
        reached = [inner for one in reached for inner in _inside(one, part)]
    tables = [one for one in reached if isinstance(one, type) and issubclass(one, BaseModel)]
    return [field.alias or key for table in tables for key, field in table.model_fields.items()]


def _inside(kind: Any, part: int | str) -> Iterator[Any]:
    """What may stand under a key, or at a place, of something of this kind."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        for key, field in kind.model_fields.items():
            if part in (key, field.alias):
                yield from _choices(field.annotation)
        return
    origin, words = get_origin(kind), get_args(kind)
    if isinstance(origin, type) and issubclass(origin, Mapping) and len(words) == 2:
        yield from _choices(words[1])
    elif isinstance(part, int) and words:
        yield from _choices(words[min(part, len(words) - 1)] if Ellipsis not in words else words[0])


def _choices(kind: Any) -> Iterator[Any]:
    """A kind without its annotations; each choice of a union by itself."""
    origin = get_origin(kind)
    if origin is Annotated:
        yield from _choices(get_args(kind)[0])
    elif origin in (Union, UnionType):
        for one in get_args(kind):
            yield from _choices(one)
    else:
        yield kind
