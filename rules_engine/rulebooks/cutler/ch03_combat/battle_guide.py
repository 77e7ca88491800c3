"""What usually changes in the account of a battle, and what it says became of each unit. 3.4.5, G-6"""

from rules_engine.core.basics.base import Json
from rules_engine.core.forms.forms import Choice, Form, Sheet
from rules_engine.core.forms.short_forms import ShortForm, ShortPage, WhichLines
from rules_engine.core.knowledge.battle_outcome import Ending, UnitOutcome
from rules_engine.core.protocol.accounts import AccountGuide
from rules_engine.rulebooks.cutler.ch03_combat.battle_results import NO_FATE, owner_of, unit_of
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.state import CutlerState

_INTACT = "intact"
_ENDINGS: dict[Json, tuple[Ending, str]] = {
    _INTACT: ("there", "still there"),
    "damaged": ("hurt", "damaged"),
    "disengaged": ("left", "left"),
    "destroyed": ("lost", "destroyed"),
    "captured": ("taken", "captured"),
}


def battle_guide(state: CutlerState, battle: Battle, form: Form) -> AccountGuide:
    """Which units were destroyed, damaged, left or were captured: all others are as before."""
    lines = {key: Choice(key, form.by_key[key].label) for key in battle.lines}
    kinds = {key: unit_of(state, battle, key).kind for key in battle.lines}
    sides = {key: owner_of(battle, state, key) for key in battle.lines}

    def which(fate: str, label: str) -> WhichLines:
        there = tuple(line for key, line in lines.items() if fate not in NO_FATE.get(kinds[key], ()))
        return WhichLines(fate, label, "fate", fate, _INTACT, there)

    what = (
        which("destroyed", "Destroyed"),
        which("damaged", "Still there, damaged"),
        which("disengaged", "Disengaged"),
        which("captured", "Captured"),
    )
    short = ShortForm((ShortPage("How it ended", what),))
    return AccountGuide(short, lambda sheet: tuple(_outcome(key, side, sheet) for key, side in sides.items()))


def _outcome(key: str, side: str, sheet: Sheet) -> UnitOutcome:
    """What a sheet says of a unit; of a line that is not on it, that it is as before."""
    fate = sheet.get(key, {}).get("fate")
    ending, says = _ENDINGS.get(fate if isinstance(fate, str) else _INTACT, _ENDINGS[_INTACT])
    return UnitOutcome(code=key, side=side, says=says, ending=ending)
