"""Tows by the account of a battle: what may be in tow at its end, and of which squadron each unit is then. 13.4.2

A form is the same for all who fought, so nothing in here goes by a Towing rating: that is its owner's secret. What is
too much for the tugs is let go when the account is carried out (JL-N37).
"""

from collections.abc import Mapping

from rules_engine.core.basics.refusals import Refusal, illegal, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field
from rules_engine.rulebooks.jump_lanes.battles.account import FateAccount, LaneBattleResult, is_crippled, unit_of
from rules_engine.rulebooks.jump_lanes.ch4_towing.tows import STANDS_ALONE, set_tow
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import Unit

NO_TOW = "none"
"""What a line says of a unit that no tug has in tow."""
RULE = "13.4.2, JL-N46"


def tug_before(state: LanesState, battle: Battle, code: str) -> str:
    """The tug that has a unit in tow when the battle begins, of several the first on the sheet; ``none`` where no tug
    has."""
    unit = unit_of(state, battle, code)
    tugs = {one: tug for one in battle.lines if (tug := unit_of(state, battle, one)).tows}
    return next((one for one, tug in tugs.items() if unit.towed and tug.squadron == unit.squadron), NO_TOW)


@rule("13.4.2")
def tugs_for(state: LanesState, battle: Battle, code: str) -> list[str]:
    """The units that may have a unit in tow when the battle ends: the tug that has it now; outside of lanes, for bases
    and satellites, also the starships of its empire's squadrons. 13.4.2, JL-N46"""
    unit, before = unit_of(state, battle, code), tug_before(state, battle, code)
    found = [before] if before != NO_TOW else []
    if battle.kind == "space" and not battle.in_lane and unit.kind in STANDS_ALONE and (unit.towed or unit.at):
        units = {one: unit_of(state, battle, one) for one in battle.lines}
        found += [one for one, tug in units.items() if one not in found and _may_tow(tug, unit)]
    return found


def _may_tow(tug: Unit, unit: Unit) -> bool:
    able = tug.kind == "starship" and bool(tug.squadron) and not (tug.crippled or tug.towed)
    return able and tug.empire == unit.empire


def tow_field(state: LanesState, battle: Battle, code: str) -> Field | None:
    """Which tug has a unit in tow when the battle ends; None where nothing could have it."""
    tugs = tugs_for(state, battle, code)
    if not tugs:
        return None
    lost = battle.in_lane and unit_of(state, battle, code).kind in STANDS_ALONE
    choices = [Choice(NO_TOW, "Let go, and lost in the lane" if lost else "Not in tow")]
    choices += [Choice(one, f"In tow of {one} {unit_of(state, battle, one).name}") for one in tugs]
    return Field("tow", "In tow", "one", choices=tuple(choices), value=tug_before(state, battle, code))


def tow_after(state: LanesState, battle: Battle, code: str, line: FateAccount) -> str:
    """The tug that has a unit in tow by its line; ``none`` where no tug has."""
    return tug_before(state, battle, code) if line.tow is None else line.tow


def tow_words(state: LanesState, battle: Battle, code: str, line: FateAccount) -> str:
    """What became of a tow in the battle; empty where nothing did."""
    after = tow_after(state, battle, code, line)
    if line.fate == "destroyed" or after == tug_before(state, battle, code):
        return ""
    return "let go" if after == NO_TOW else f"in tow of {after}"


@rule("13.4.2")
def squadron_after(state: LanesState, battle: Battle, result: LaneBattleResult, code: str) -> str:
    """The squadron that a unit is of by an account: of what is in tow that of its tug, and none of a base or satellite
    that was let go. A flight goes with its carrier. 13.4.2, JL-N37"""
    unit = unit_of(state, battle, code)
    carrier = next((one for one, key in battle.lines.items() if key == unit.based_on), "")
    if carrier in result.root and result.root[carrier].fate != "destroyed":
        return squadron_after(state, battle, result, carrier)
    line = result.root.get(code, FateAccount())
    tug = tow_after(state, battle, code, line)
    if tug in battle.lines:
        return unit_of(state, battle, tug).squadron
    return "" if unit.towed and unit.kind in STANDS_ALONE else unit.squadron


@rule("13.4.2")
def judge_tows(state: LanesState, battle: Battle, result: LaneBattleResult) -> list[Refusal]:
    """Refusals of tows that an account changes: by what cannot tow it, or by a tug that is destroyed, crippled or in
    tow itself; and of a base that withdrew without any. 13.4.2, JL-N46"""
    refusals: list[Refusal] = []
    for code, line in result.root.items():
        unit, tug = unit_of(state, battle, code), tow_after(state, battle, code, line)
        path = f"{code}.tow"
        tugs = tugs_for(state, battle, code)
        legal = ", ".join([*tugs, NO_TOW])
        if line.fate == "withdrew" and not squadron_after(state, battle, result, code):
            text = f"{unit.name} moves in tow alone, and nothing has it in tow"
            refusals.append(illegal(text, RULE, f"{code}.fate", legal=f"not withdrew, or in tow of {', '.join(tugs)}"))
        if line.tow is None or line.tow == tug_before(state, battle, code):
            continue
        if line.tow not in (*tugs, NO_TOW):
            text = f"{unit.name} cannot be in tow of {line.tow}"
            near = nearest(line.tow, [*tugs, NO_TOW])
            refusals.append(illegal(text, RULE, path, legal=legal, nearest=near))
        elif tug in result.root and (why := _unable(state, battle, tug, result.root[tug])):
            text = f"{tug} {why}, and has nothing in tow"
            refusals.append(illegal(text, RULE, path, legal=f"another tug, or {NO_TOW}"))
    return refusals


def _unable(state: LanesState, battle: Battle, code: str, line: FateAccount) -> str:
    """Why a unit tows nothing by its line; empty where it may."""
    if line.fate == "destroyed":
        return "is destroyed"
    return "is crippled" if is_crippled(unit_of(state, battle, code), line) else ""


Tows = Mapping[str, str]
"""By unit whose tow a battle has changed, its tug when it ended; empty for none."""


def tows_changed(state: LanesState, battle: Battle, result: LaneBattleResult) -> dict[str, str]:
    """The tows that an account changes, of units that are not destroyed."""
    return {
        battle.lines[code]: battle.lines.get(tow_after(state, battle, code, line), "")
        for code, line in result.root.items()
        if tow_words(state, battle, code, line)
    }


@rule("13.4.2")
def carry_out_tows(state: LanesState, tows: Tows) -> None:
    """Let go what tugs let go in a battle, and have tugs tow what they took in tow there, in this order: so one tug can
    take over what another lets go. 13.4.2, JL-R47"""
    changed = [state.units[key] for key in tows if key in state.units]
    for key in dict.fromkeys(unit.squadron for unit in changed if unit.towed):
        members = state.members(key)
        kept = [one for one in members if one.towed and one not in changed]
        set_tow(state, state.squadrons[key], [one for one in members if one.tows], kept)
    taken: dict[str, list[tuple[Unit, Unit]]] = {}
    for unit in changed:
        tug = state.units.get(tows[unit.id])
        if tug is not None:
            taken.setdefault(tug.squadron, []).append((tug, unit))
    for key, pairs in taken.items():
        members = state.members(key)
        tugs = [one for one in members if one.tows or (one.towing and any(one is tug for tug, _ in pairs))]
        towed = [one for one in members if one.towed]
        set_tow(state, state.squadrons[key], tugs, [*towed, *(unit for _, unit in pairs)])
