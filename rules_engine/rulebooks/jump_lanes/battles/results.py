"""The account of a battle: its form, what is refused, and whether all parties agree. G-6"""

from collections.abc import Mapping

from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, Sheet, choices
from rules_engine.core.forms.short_forms import ShortForm, ShortPage, WhichLines
from rules_engine.core.knowledge.battle_outcome import Ending, UnitOutcome
from rules_engine.core.protocol.accounts import AccountGuide, Difference, say_difference
from rules_engine.core.protocol.asks import Agreement
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import Unit

FATES = choices(
    intact="Still there, as before", crippled="Still there, crippled", withdrew="Withdrew", destroyed="Destroyed"
)
FATE_WORDS = tuple(choice.value for choice in FATES)
_ENDINGS: dict[str, tuple[Ending, str]] = {
    "intact": ("there", "still there"),
    "crippled": ("hurt", "crippled"),
    "withdrew": ("left", "withdrew"),
    "destroyed": ("lost", "destroyed"),
}


class FateAccount(Frozen):
    """How a unit came out; ``hurt`` is that one which withdrew was crippled."""

    fate: str = "intact"
    hurt: bool | None = None


class LaneBattleResult(RootModel[dict[str, FateAccount]]):
    """A line for every unit in the battle."""


def unit_of(state: LanesState, battle: Battle, code: str) -> Unit:
    """The unit of a code."""
    return state.units[battle.lines[code]]


def fates_for(battle: Battle, unit: Unit) -> tuple[Choice, ...]:
    """The fates that a unit may have: nobody withdraws from a lane or from the ground, nor a base or what is in tow of
    others alone. JL-N14"""
    moves = battle.kind == "space" and not battle.in_lane and bool(unit.squadron)
    gone = [] if moves else ["withdrew"]
    gone += ["crippled"] if battle.kind == "ground" or unit.crippled else []
    return tuple(one for one in FATES if one.value not in gone)


def result_form(state: LanesState, battle: Battle) -> Form:
    """A line for each unit, filled in as it stands."""
    lines: list[Line] = []
    for code in battle.lines:
        unit = unit_of(state, battle, code)
        fields = [Field("fate", "Fate", "one", choices=fates_for(battle, unit), value="intact")]
        if "withdrew" in _values(fields[0]) and not unit.crippled:
            fields.append(Field("hurt", "Crippled, and withdrew", "flag", value=False))
        label = f"{code}: {unit.name} ({state.empires[unit.empire].name})"
        lines.append(Line(code, label, tuple(fields)))
    return Form(lines=tuple(lines))


def is_crippled(unit: Unit, line: FateAccount) -> bool:
    """Whether a unit is crippled after a battle."""
    return unit.crippled or line.fate == "crippled" or (line.fate == "withdrew" and bool(line.hurt))


@rule("13.2")
def judge_account(state: LanesState, battle: Battle, result: LaneBattleResult) -> list[Refusal]:
    """Refusals of an account: every unit once, with a fate that it may have, and squadrons that withdraw as a whole.
    13.2, G-6, JL-N14"""
    refusals = [
        malformed(f"{unit_of(state, battle, code).name} is not accounted for", code, legal=", ".join(FATE_WORDS))
        for code in battle.lines
        if code not in result.root
    ]
    for code, line in result.root.items():
        if code not in battle.lines:
            near = nearest(code, battle.lines)
            refusals.append(malformed("no such unit took part", code, legal=", ".join(battle.lines), nearest=near))
            continue
        unit = unit_of(state, battle, code)
        allowed = [one.value for one in fates_for(battle, unit)]
        if line.fate not in allowed:
            where = "lane" if battle.in_lane else "battle"
            text = f"{unit.name} cannot be {line.fate} in this {where}" if line.fate in FATE_WORDS else "no such fate"
            near = nearest(line.fate, allowed)
            refusals.append(illegal(text, "G-6, JL-N14", f"{code}.fate", legal=", ".join(allowed), nearest=near))
    return refusals or _split(state, battle, result)


def _split(state: LanesState, battle: Battle, result: LaneBattleResult) -> list[Refusal]:
    """That a part of a squadron withdraws and a part stays."""
    refusals: list[Refusal] = []
    for squadron in dict.fromkeys(unit_of(state, battle, code).squadron for code in battle.lines):
        left = {
            code: line.fate
            for code, line in result.root.items()
            if squadron and unit_of(state, battle, code).squadron == squadron and line.fate != "destroyed"
        }
        if len({fate == "withdrew" for fate in left.values()}) > 1:
            stays = next(code for code, fate in left.items() if fate != "withdrew")
            # By their codes: what others call their squadrons is theirs to know.
            text = f"{', '.join(left)}: one squadron, which withdraws as a whole or not at all"
            legal = "all its units that are not destroyed withdrew, or none"
            refusals.append(illegal(text, "JL-N14", f"{stays}.fate", legal=legal))
    return refusals


def fate_text(unit: Unit, line: FateAccount) -> str:
    """A unit's fate in words."""
    return "withdrew, crippled" if line.fate == "withdrew" and is_crippled(unit, line) else line.fate


def line_text(state: LanesState, battle: Battle, code: str, line: FateAccount) -> str:
    """A line in words."""
    unit = unit_of(state, battle, code)
    return f"{code} {unit.name}: {fate_text(unit, line)}"


def agree(state: LanesState, battle: Battle, accounts: Mapping[Side, LaneBattleResult]) -> Agreement[LaneBattleResult]:
    """The accounts that were sent, compared line by line."""
    differences: list[str] = []
    places: list[Difference] = []
    for code in battle.lines:
        unit = unit_of(state, battle, code)
        said = {side: fate_text(unit, account.root[code]) for side, account in accounts.items()}
        if len({*said.values()}) > 1:
            what = f"{code} {unit.name}"
            differences.append(
                say_difference(what, [([state.empires[side].name], words) for side, words in said.items()])
            )
            places.append(Difference(code, (), what, said, said))
    first = next(iter(accounts.values()))
    return Agreement(None if differences else first, tuple(differences), tuple(places))


def battle_guide(state: LanesState, battle: Battle, form: Form) -> AccountGuide:
    """Which units were destroyed, crippled or withdrew: all others are as before."""
    lines = {line.key: Choice(line.key, line.label) for line in form.lines}

    def which(fate: str, label: str) -> WhichLines:
        there = tuple(lines[line.key] for line in form.lines if fate in _values(line.fields[0]))
        return WhichLines(fate, label, "fate", fate, "intact", there)

    what = tuple(
        one
        for one in (
            which("destroyed", "Destroyed"),
            which("crippled", "Still there, crippled"),
            which("withdrew", "Withdrew"),
        )
        if one.lines
    )
    owners = {code: unit_of(state, battle, code).empire for code in battle.lines}
    return AccountGuide(
        ShortForm((ShortPage("How it ended", what),)),
        lambda sheet: tuple(_outcome(code, owner, sheet) for code, owner in owners.items()),
    )


def _values(field: Field) -> list[str]:
    return [choice.value for choice in field.choices]


def _outcome(code: str, side: Side, sheet: Sheet) -> UnitOutcome:
    fate = sheet.get(code, {}).get("fate")
    ending, says = _ENDINGS.get(fate if isinstance(fate, str) else "intact", _ENDINGS["intact"])
    return UnitOutcome(code=code, side=side, says=says, ending=ending)
