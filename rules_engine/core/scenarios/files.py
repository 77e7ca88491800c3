"""Reading a scenario's TOML files as models, all defects of all of them at once."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.documents import toml_document
from rules_engine.core.basics.plain_text import without_unfit
from rules_engine.core.basics.rational import file_decimal
from rules_engine.core.basics.refusals import Refusal, Refused, malformed, nearest
from rules_engine.core.basics.validation import from_validation
from rules_engine.core.scenarios.lines import Lines

M = TypeVar("M", bound=Frozen)
_NONE: Mapping[str, Any] = {}
LONGEST_PATH = 120
LONGEST_PROBLEM = 300
"""Characters of a refusal, which may quote what a file holds."""


def strange_files(files: Mapping[str, str], known: Iterable[str]) -> list[Refusal]:
    """That a file is none of a scenario."""
    names = tuple(known)
    return [
        malformed("this file is not part of a scenario", name, nearest=nearest(name, names))
        for name in sorted(files)
        if name not in names
    ]


def parsed(
    files: Mapping[str, str], name: str, model: type[M], refusals: list[Refusal], stand_ins: Mapping[str, Any] = _NONE
) -> M | None:
    """A file as its model, with what is wrong with it added to ``refusals``. Others stand in for keys with defects, so
    that the rest can be looked at; None where nothing can. :func:`wrong_keys` gives those keys."""
    if name not in files:
        refusals.append(malformed("this file is missing", name))
        return None
    document: dict[str, Any] = {}
    try:
        document = toml_document(files[name], name, parse_float=file_decimal)
        return model.model_validate(document)
    except ValidationError as error:
        refusals += from_validation(error, name, model)
        wrong = {str(one["loc"][0]) for one in error.errors(include_context=False)}
        replaced = {key: value for key, value in stand_ins.items() if key in wrong}
        unknown = {key for key in wrong if key not in model.model_fields}
        kept = {key: value for key, value in document.items() if key not in unknown}
        try:
            return model.model_validate({**kept, **replaced})
        except ValidationError:
            return None
    except Refused as unfit:
        refusals += unfit.refusals
    except (ValueError, RecursionError) as error:
        # beside broken syntax: a whole number of thousands of digits, brackets nested a thousand deep
        refusals.append(malformed(f"this is not TOML: {error}", name))
    return None


def defaults(model: type[Frozen], **required: Any) -> dict[str, Any]:
    """What may stand in for each key of a file: what it is where it is left out, and what is given for the others."""
    kept = {key: field for key, field in model.model_fields.items() if not field.is_required()}
    return {key: field.get_default(call_default_factory=True) for key, field in kept.items()} | required


def wrong_keys(refusals: Iterable[Refusal], name: str) -> frozenset[str]:
    """The outermost keys of a file that refusals are about: what hangs on them cannot be looked at."""
    start = f"{name}."
    return frozenset(one.path.removeprefix(start).partition(".")[0] for one in refusals if one.path.startswith(start))


def refusal_of(files: Mapping[str, str], refusals: Iterable[Refusal]) -> Refused:
    """The refusal of a scenario with these defects, that any screen can show, whatever the files hold, each with the
    line that it is about."""
    lines = Lines(files)
    return Refused(_clean(one, lines) for one in refusals)


def _clean(refusal: Refusal, lines: Lines) -> Refusal:
    path, problem = without_unfit(refusal.path)[:LONGEST_PATH], without_unfit(refusal.problem)
    place = lines.place_of(refusal.path)
    return refusal.with_values(path=f"{path} {place}".strip(), problem=problem[:LONGEST_PROBLEM])
