"""What usually changes in the account of a battle, and what it says became of each unit. PQ-17 8.5.5.6"""

from collections.abc import Mapping

from rules_engine.core.basics.base import Json
from rules_engine.core.forms.forms import Choice, Sheet
from rules_engine.core.forms.short_forms import EachLine, OneField, ShortForm, ShortPage, WhichLines
from rules_engine.core.knowledge.battle_outcome import Ending, UnitOutcome
from rules_engine.core.protocol.accounts import AccountGuide
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.state import State

_ENDINGS: dict[Json, tuple[Ending, str]] = {
    "ok": ("there", "still there"),
    "destroyed": ("lost", "destroyed"),
    "captured": ("taken", "captured"),
    "disengaged": ("left", "left"),
}


def account_guide(state: State, battle: Battle) -> AccountGuide:
    """Who won, how long it took, and which units were destroyed, crippled or left; then in which turn these left."""
    units = {name: state.units[unit_id] for name, unit_id in battle.names.items()}
    lines = tuple(Choice(name, f"{name} {state.class_of(unit).name}") for name, unit in units.items())
    movable = tuple(line for line in lines if not state.class_of(units[line.value]).is_base)
    what = (
        OneField("battle", "winner"),
        OneField("battle", "turns"),
        WhichLines("destroyed", "Destroyed", "fate", "destroyed", "ok", lines),
        WhichLines("crippled", "Crippled", "crippled", True, False, lines),
        WhichLines("disengaged", "Left by separation", "fate", "disengaged", "ok", movable),
    )
    when = EachLine("turn", "{} left on battle turn", "fate", "disengaged", movable, ("battle", "turns"))
    short = ShortForm((ShortPage("How it ended", what), ShortPage("Left on battle turn", (when,))))
    sides = {name: unit.side for name, unit in units.items()}
    return AccountGuide(short, lambda sheet: tuple(_outcome(name, side, sheet) for name, side in sides.items()))


def _outcome(name: str, side: str, sheet: Sheet) -> UnitOutcome:
    ending, says = became(sheet.get(name, {}))
    return UnitOutcome(code=name, side=side, says=says, ending=ending)


def became(line: Mapping[str, Json]) -> tuple[Ending, str]:
    """What became of a unit by its line, also in words; of one that says nothing, that it is still there."""
    fate = line.get("fate")
    ending, says = _ENDINGS.get(fate if isinstance(fate, str) else "ok", _ENDINGS["ok"])
    if ending == "left" and isinstance(turn := line.get("turn"), int):
        says = f"left, turn {turn}"
    if ending == "there" and line.get("crippled") is True:
        ending, says = "hurt", "crippled"
    return ending, says
