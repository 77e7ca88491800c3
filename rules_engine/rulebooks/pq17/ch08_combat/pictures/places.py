"""Where two accounts of a battle differ, in the words of their form. PQ-17 8.5.5.6, ruling CMB-17"""

from collections.abc import Mapping

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.forms.forms import Field, Form
from rules_engine.core.protocol.accounts import Difference
from rules_engine.rulebooks.pq17.ch08_combat.pictures.outcome import became
from rules_engine.rulebooks.pq17.records.battles import BATTLE_LINE

Path = tuple[str, str]
"""A line of the sheet, and a field of it."""

_TURNS, _FATE = (BATTLE_LINE, "turns"), "fate"


def place_of(
    form: Form, path: Path, said: Mapping[Side, str], units: Mapping[Side, Mapping[str, Mapping[str, Json]]]
) -> Difference:
    """A field in which sides differ, by what each says there and of its units. A fate is taken with all else of its
    unit: the turn in which it left, say."""
    name, key = path
    field = _field(form, path)
    label = key if field is None else field.label
    what = label if name == BATTLE_LINE else f"{name} {label}"
    brief = {side: labelled(form, path, value) for side, value in said.items()}
    if path == _TURNS:
        turns = {side: counted(int(value), "turn") for side, value in said.items()}
        return Difference(name, (key,), what, turns, brief)
    if key == _FATE:
        words = {side: became(lines[name])[1] for side, lines in units.items()}
        return Difference(name, (), what, words, {side: one.partition(",")[0] for side, one in words.items()})
    return Difference(name, () if field is None else (key,), what, brief, brief)


def labelled(form: Form, path: Path, value: str) -> str:
    """What is said in a field, in the form's own words."""
    field = _field(form, path)
    return next((one.label for one in field.choices if one.value == value), value) if field is not None else value


def _field(form: Form, path: Path) -> Field | None:
    line = form.line(path[0])
    return next((one for one in line.fields if one.key == path[1]), None) if line is not None else None
