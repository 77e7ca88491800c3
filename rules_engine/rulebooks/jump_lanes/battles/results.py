"""The account of a battle: its form, what is refused, and whether all parties agree. G-6"""

from collections.abc import Iterator, Mapping

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, Sheet, choices
from rules_engine.core.forms.short_forms import ShortForm, ShortPage, WhichLines
from rules_engine.core.knowledge.battle_outcome import Ending, UnitOutcome
from rules_engine.core.protocol.accounts import AccountGuide, Difference, say_difference
from rules_engine.core.protocol.asks import Agreement
from rules_engine.rulebooks.jump_lanes.battles.account import FateAccount, LaneBattleResult, is_crippled, unit_of
from rules_engine.rulebooks.jump_lanes.battles.tows import (
    NO_TOW,
    judge_tows,
    squadron_after,
    tow_field,
    tow_words,
    tugs_for,
)
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.state import LanesState

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


def fates_for(state: LanesState, battle: Battle, code: str) -> tuple[Choice, ...]:
    """The fates that a unit may have: nobody withdraws from a lane or from the ground, and a base that stands by itself
    only where a tug could take it in tow. JL-N14, JL-N46"""
    unit = unit_of(state, battle, code)
    moves = battle.kind == "space" and not battle.in_lane and bool(unit.squadron or tugs_for(state, battle, code))
    gone = [] if moves else ["withdrew"]
    gone += ["crippled"] if battle.kind == "ground" or unit.crippled else []
    return tuple(one for one in FATES if one.value not in gone)


def result_form(state: LanesState, battle: Battle) -> Form:
    """A line for each unit, filled in as it stands."""
    lines: list[Line] = []
    for code in battle.lines:
        unit = unit_of(state, battle, code)
        fields = [Field("fate", "Fate", "one", choices=fates_for(state, battle, code), value="intact")]
        if "withdrew" in _values(fields[0]) and not unit.crippled:
            fields.append(Field("hurt", "Crippled, and withdrew", "flag", value=False))
        if (tow := tow_field(state, battle, code)) is not None:
            fields.append(tow)
        label = f"{code}: {unit.name} ({state.empires[unit.empire].name})"
        lines.append(Line(code, label, tuple(fields)))
    return Form(lines=tuple(lines))


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
        allowed = [one.value for one in fates_for(state, battle, code)]
        if line.fate not in allowed:
            where = "lane" if battle.in_lane else "battle"
            text = f"{unit.name} cannot be {line.fate} in this {where}" if line.fate in FATE_WORDS else "no such fate"
            near = nearest(line.fate, allowed)
            refusals.append(illegal(text, "G-6, JL-N14", f"{code}.fate", legal=", ".join(allowed), nearest=near))
    return refusals or judge_tows(state, battle, result) or _split(state, battle, result)


def _split(state: LanesState, battle: Battle, result: LaneBattleResult) -> list[Refusal]:
    """That a part of a squadron withdraws and a part stays."""
    refusals: list[Refusal] = []
    after = {code: squadron_after(state, battle, result, code) for code in battle.lines}
    for squadron in dict.fromkeys(after.values()):
        left = {
            code: line.fate
            for code, line in result.root.items()
            if squadron and after[code] == squadron and line.fate != "destroyed"
        }
        if len({fate == "withdrew" for fate in left.values()}) > 1:
            stays = next(code for code, fate in left.items() if fate != "withdrew")
            # By their codes: what others call their squadrons is theirs to know.
            text = f"{', '.join(left)}: one squadron, which withdraws as a whole or not at all"
            legal = "all its units that are not destroyed withdrew, or none"
            refusals.append(illegal(text, "JL-N14", f"{stays}.fate", legal=legal))
    return refusals


def fate_text(state: LanesState, battle: Battle, code: str, line: FateAccount) -> str:
    """A unit's fate in words, with what became of its tow."""
    hurt = line.fate == "withdrew" and is_crippled(unit_of(state, battle, code), line)
    words = "withdrew, crippled" if hurt else line.fate
    tow = tow_words(state, battle, code, line)
    return f"{words}, {tow}" if tow else words


def line_text(state: LanesState, battle: Battle, code: str, line: FateAccount) -> str:
    """A line in words."""
    unit = unit_of(state, battle, code)
    return f"{code} {unit.name}: {fate_text(state, battle, code, line)}"


def agree(state: LanesState, battle: Battle, accounts: Mapping[Side, LaneBattleResult]) -> Agreement[LaneBattleResult]:
    """The accounts that were sent, compared line by line."""
    differences: list[str] = []
    places: list[Difference] = []
    for code in battle.lines:
        unit = unit_of(state, battle, code)
        said = {side: fate_text(state, battle, code, account.root[code]) for side, account in accounts.items()}
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
    pages = [ShortPage("How it ended", what)]
    if tows := tuple(_tows_asked(form, lines)):
        pages.append(ShortPage("What is in tow at the end", tows))
    return AccountGuide(
        ShortForm(tuple(pages)),
        lambda sheet: tuple(_outcome(code, owner, sheet) for code, owner in owners.items()),
    )


def _tows_asked(form: Form, lines: Mapping[str, Choice]) -> Iterator[WhichLines]:
    """What each tug has in tow that towed when the battle began; other tows are said in the lines of single units."""
    offered = {line.key: field for line in form.lines for field in line.fields if field.key == "tow"}
    for tug in dict.fromkeys(str(field.value) for field in offered.values() if field.value != NO_TOW):
        may = tuple(lines[code] for code, field in offered.items() if tug in _values(field))
        yield WhichLines(f"tow{tug}", f"In tow of {lines[tug].label}", "tow", tug, NO_TOW, may)


def _values(field: Field) -> list[str]:
    return [choice.value for choice in field.choices]


def _outcome(code: str, side: Side, sheet: Sheet) -> UnitOutcome:
    fate = sheet.get(code, {}).get("fate")
    ending, says = _ENDINGS.get(fate if isinstance(fate, str) else "intact", _ENDINGS["intact"])
    return UnitOutcome(code=code, side=side, says=says, ending=ending)
