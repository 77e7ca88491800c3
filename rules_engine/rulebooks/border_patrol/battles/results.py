"""The account of a battle: its form, what is refused, and whether both Teams agree. G-6

Both Teams fill in the same form and read the same words of it, so nothing here is told from what is left of a unit
before the battle: that its own Team alone knows. Figures are bounded by what its class has.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Json, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, Sheet, choices, number_field
from rules_engine.core.forms.short_forms import ShortForm, ShortPage, WhichLines, in_words
from rules_engine.core.knowledge.battle_outcome import Ending, UnitOutcome
from rules_engine.core.protocol.accounts import AccountGuide, Difference
from rules_engine.core.protocol.asks import Agreement
from rules_engine.rulebooks.border_patrol.battles.monsters import side_of
from rules_engine.rulebooks.border_patrol.records.battles import Battle
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import CARRIED, NEUTRALS, Unit

FATES = choices(
    intact="Still there, as before",
    damaged="Still there, damaged",
    disengaged="Disengaged",
    captured="Captured",
    destroyed="Destroyed",
)
FATE_WORDS = tuple(choice.value for choice in FATES)
_ENDINGS: dict[Json, tuple[Ending, str]] = {
    "intact": ("there", "still there"),
    "damaged": ("hurt", "damaged"),
    "disengaged": ("left", "left"),
    "captured": ("taken", "captured"),
    "destroyed": ("lost", "destroyed"),
}
FIGURES: dict[str, tuple[str, str]] = {
    "warp": ("warp_ok", "Warp engine boxes that work"),
    "dcr": ("dcr", "Damage Control Rating"),
    "tractors": ("tractors_ok", "Tractor beams that work"),
    "special": ("special_sensors_ok", "Special sensors that work"),
}
"""What is counted of a unit after a battle: the field of its record, and the label."""
UNDAMAGED = {
    "warp": "warp_original",
    "dcr": "dcr_original",
    "tractors": "tractors_original",
    "special": "special_sensors_original",
}
"""What an undamaged unit has of each: the field of its record."""
FLAGS: dict[str, tuple[str, str]] = {
    "sensors": ("sensors_damaged", "Sensors or scanners damaged"),
    "crippled": ("crippled", "Crippled"),
    "dropped": ("warp_dropped", "Dropped its warp engines"),
}

Left = Annotated[int, Bounded(ge=0, le=999, strict=True)]


class UnitAccount(Frozen):
    """How a unit came out: its fate, and what is left of it; blank is as before."""

    fate: str = "intact"
    warp: Left | None = None
    dcr: Left | None = None
    tractors: Left | None = None
    special: Left | None = None
    sensors: bool | None = None
    crippled: bool | None = None
    dropped: bool | None = None


class BattleResult(RootModel[dict[str, UnitAccount]]):
    """A line for every unit in the battle."""


def unit_of(state: BorderState, battle: Battle, code: str) -> Unit:
    """The unit of a code."""
    return state.units[battle.lines[code]]


@rule("V8.48")
def figure_fields(unit: Unit) -> list[Field]:
    """What is reported of a unit beside its fate: all that later movement goes by. V8.48, G-6"""
    fields = [
        number_field(key, label, range(most + 1), None, "How many are left; blank is as before", optional=True)
        for key, (_, label) in FIGURES.items()
        if (most := _most(unit, key))
    ]
    flags = {"sensors": unit.kind not in NEUTRALS, "crippled": not unit.crippled, "dropped": bool(unit.warp_original)}
    return fields + [Field(key, FLAGS[key][1], "flag", value=False) for key, there in flags.items() if there]


def _most(unit: Unit, key: str) -> int:
    """The most that a unit may have left: what it has undamaged. Nothing is told of a monster."""
    return 0 if unit.kind in NEUTRALS else getattr(unit, UNDAMAGED[key])


def result_form(state: BorderState, battle: Battle) -> Form:
    """A line for each unit, filled in as it stands."""
    lines: list[Line] = []
    for code in battle.lines:
        unit = unit_of(state, battle, code)
        fates = tuple(one for one in FATES if one.value not in _impossible(unit))
        fields = (Field("fate", "Fate", "one", choices=fates, value="intact"), *figure_fields(unit))
        whose = state.teams[unit.team].name if unit.team else unit.kind
        label = f"{code}: {unit.name} ({whose})"
        lines.append(Line(code, label, fields))
    return Form(lines=tuple(lines))


def _impossible(unit: Unit) -> tuple[str, ...]:
    """What never becomes of such a unit."""
    return ("disengaged",) if unit.kind == "base" else ("captured",) if unit.kind in (*CARRIED, *NEUTRALS) else ()


def after(unit: Unit, line: UnitAccount) -> dict[str, int | bool]:
    """What is left of a unit by a line, field by field of its record: never more than it had, and what the line leaves
    blank is as before. For whoever carries it out: its own Team alone may know."""
    left: dict[str, int | bool] = {}
    for key, (name, _) in FIGURES.items():
        value, before = getattr(line, key), getattr(unit, name)
        left[name] = before if value is None else min(value, before)
    return left | {name: bool(getattr(line, key)) or getattr(unit, name) for key, (name, _) in FLAGS.items()}


def _said(line: UnitAccount) -> dict[str, int | bool]:
    """What a line says of a unit beside its fate."""
    figures = {key: value for key in FIGURES if (value := getattr(line, key)) is not None}
    return figures | {key: True for key in FLAGS if getattr(line, key)}


def fate_of(line: UnitAccount) -> str:
    """A unit's fate by its line; who is said to be as before, and of whom something is said, is damaged."""
    return "damaged" if line.fate == "intact" and _said(line) else line.fate


@rule("V8.14", "V8.48")
def judge_account(state: BorderState, battle: Battle, result: BattleResult) -> list[Refusal]:
    """Refusals of an account: every unit once, with no more than its class has, and none that left without engines.
    V8.14, V8.48, G-6"""
    refusals = [
        malformed(f"{unit_of(state, battle, code).name} is not accounted for", code, legal=", ".join(FATE_WORDS))
        for code in battle.lines
        if code not in result.root
    ]
    for code, line in result.root.items():
        if code not in battle.lines:
            near = nearest(code, battle.lines)
            refusals.append(malformed("no such unit took part", code, legal=", ".join(battle.lines), nearest=near))
        else:
            refusals += _judge_line(unit_of(state, battle, code), code, line)
    return [*refusals, *_taken_by_nobody(state, battle, result)]


def _taken_by_nobody(state: BorderState, battle: Battle, result: BattleResult) -> Iterator[Refusal]:
    """Refusals of captures where none of the others stay to take the unit. BP-N28"""
    fates = {code: line.fate for code, line in result.root.items() if code in battle.lines}
    teams = {code: unit_of(state, battle, code).team for code in fates}
    stay = {teams[code] for code, fate in fates.items() if fate in ("intact", "damaged")}
    for code, fate in fates.items():
        captor = state.other(teams[code])
        if fate == "captured" and captor not in stay:
            text = (
                f"{unit_of(state, battle, code).name} is captured, and nobody of the {state.teams[captor].name} stays"
            )
            legal = "another fate, or a unit of theirs that is intact or damaged"
            yield illegal(text, "BP-N28", f"{code}.fate", legal=legal)


def _judge_line(unit: Unit, code: str, line: UnitAccount) -> list[Refusal]:
    refusals: list[Refusal] = []
    if line.fate not in FATE_WORDS:
        near = nearest(line.fate, FATE_WORDS)
        return [malformed("no such fate", f"{code}.fate", legal=", ".join(FATE_WORDS), nearest=near)]
    for key, (_, label) in FIGURES.items():
        value, most = getattr(line, key), _most(unit, key)
        if value is not None and value > most:
            text = f"{unit.name}: {label.lower()}: {value}, and its class has {most}"
            refusals.append(illegal(text, "V8.48, G-6", f"{code}.{key}", legal=f"0 to {most}"))
    if unit.crippled and line.crippled is False:
        text = f"{unit.name} was crippled before"
        refusals.append(illegal(text, "G-6", f"{code}.crippled", legal="yes"))
    if line.fate == "disengaged" and unit.kind == "base":
        text = f"{unit.name} is a base and cannot leave"
        refusals.append(illegal(text, "V8.14, BP-R06", f"{code}.fate", legal="intact, damaged, captured or destroyed"))
    elif line.fate == "captured" and unit.kind in (*CARRIED, *NEUTRALS):
        text = f"a {unit.kind} is not captured by itself"
        refusals.append(illegal(text, "BP-N28", f"{code}.fate", legal="another fate"))
    elif line.fate == "disengaged" and not can_leave(unit, line):
        text = f"{unit.name} has no warp engine that works, and cannot leave the hex"
        refusals.append(illegal(text, "V8.14, BP-N25", f"{code}.fate", legal="intact, damaged, captured or destroyed"))
    return refusals


@rule("V8.14")
def can_leave(unit: Unit, line: UnitAccount) -> bool:
    """Whether a unit is able to leave the hex by itself, as far as an account says and both Teams see. V8.14, BP-N25"""
    if unit.kind in NEUTRALS:
        return True
    warp = unit.warp_original if line.warp is None else line.warp
    return unit.changed(warp_ok=warp, warp_dropped=bool(line.dropped)).has_warp and not unit.towed_by


def line_text(state: BorderState, battle: Battle, code: str, line: UnitAccount) -> str:
    """A line in words."""
    return f"{code} {unit_of(state, battle, code).name}: {_came_out(line)}"


def _came_out(line: UnitAccount) -> str:
    """How a unit came out, in words; what is left of it matters only if it is there."""
    said = {} if line.fate == "destroyed" else _said(line)
    words = [_figure_said(key, value) if key in FIGURES else FLAGS[key][1].lower() for key, value in said.items()]
    return ", ".join([fate_of(line), *words])


def _figure_said(key: str, value: int) -> str:
    """What is left of a figure, in words."""
    match key:
        case "warp":
            return counted(value, "warp engine box")
        case "tractors":
            return counted(value, "tractor beam")
        case "special":
            return counted(value, "special sensor")
        case _:
            return f"{FIGURES[key][1]} {value}"


def agree(state: BorderState, battle: Battle, accounts: Mapping[Side, BattleResult]) -> Agreement[BattleResult]:
    """Both Teams' accounts, compared line by line; what is left of units that are gone does not matter."""
    first = next(iter(accounts.values()))
    form, differences, places = result_form(state, battle), list[str](), list[Difference]()
    for line in form.lines:
        code, unit = line.key, unit_of(state, battle, line.key)
        said = {side: account.root[code] for side, account in accounts.items()}
        each_fate = {side: fate_of(one) for side, one in said.items()}
        fates = {*each_fate.values()}
        figures = {side: after(unit, one) for side, one in said.items()}
        alike = all(one == figures[side] for side in figures for one in figures.values())
        if len(fates) == 1 and (alike or fates == {"destroyed"}):
            continue
        words = {side: _came_out(one) for side, one in said.items()}
        each = "; ".join(f"{state.teams[side].name} says {one}" for side, one in words.items())
        differences.append(f"{code} {unit.name}: {each}")
        if len(fates) > 1:
            places.append(Difference(code, (), f"{code} {unit.name}", words, each_fate))
            continue
        names = {key: name for key, (name, _) in (*FIGURES.items(), *FLAGS.items())}
        for field in (one for one in line.fields if one.key in names):
            if len({one[names[field.key]] for one in figures.values()}) > 1:
                each_said = {side: _value_said(field, _said(one)) for side, one in said.items()}
                places.append(
                    Difference(code, (field.key,), f"{code} {unit.name}: {field.label}", each_said, each_said)
                )
    return Agreement(None if differences else first, tuple(differences), tuple(places))


def _value_said(field: Field, said: Mapping[str, int | bool]) -> str:
    return in_words(field, said[field.key]) if field.key in said else "as before"


def battle_guide(state: BorderState, battle: Battle, form: Form) -> AccountGuide:
    """Which units were destroyed, damaged, crippled or left: all others are as before."""
    lines = {code: Choice(code, form.by_key[code].label) for code in battle.lines}
    teams = {code: side_of(battle, unit_of(state, battle, code)) for code in battle.lines}

    def which(fate: str, label: str) -> WhichLines:
        there = tuple(lines[code] for code in lines if fate in _values(form.by_key[code]))
        return WhichLines(fate, label, "fate", fate, "intact", there)

    crippled = WhichLines("crippled", "Crippled", "crippled", value=True, otherwise=False, lines=tuple(lines.values()))
    what = (
        which("destroyed", "Destroyed"),
        which("damaged", "Still there, damaged"),
        which("disengaged", "Disengaged"),
        which("captured", "Captured"),
        crippled,
    )
    short = ShortForm((ShortPage("How it ended", what),))
    return AccountGuide(
        short, lambda sheet: tuple(_outcome(form.by_key[code], team, sheet) for code, team in teams.items())
    )


def _values(line: Line) -> tuple[str, ...]:
    return tuple(choice.value for choice in line.fields[0].choices)


def _outcome(line: Line, side: Side, sheet: Sheet) -> UnitOutcome:
    said = sheet.get(line.key, {})
    fate = said.get("fate")
    less = any(said.get(field.key, field.value) != field.value for field in line.fields if field.key != "fate")
    if less and fate in (None, "intact"):
        fate = "damaged"
    ending, says = _ENDINGS.get(fate if isinstance(fate, str) else "intact", _ENDINGS["intact"])
    return UnitOutcome(code=line.key, side=side, says=says, ending=ending)
