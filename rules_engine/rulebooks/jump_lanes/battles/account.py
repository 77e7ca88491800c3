"""The account of a battle: a line for each unit, with how it came out and what has it in tow then."""

from pydantic import RootModel

from rules_engine.core.basics.base import Frozen
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import Unit


class FateAccount(Frozen):
    """How a unit came out; ``hurt`` is that one which withdrew was crippled. ``tow`` is the code of the tug that has it
    in tow when the battle ends, ``none`` that no tug has, and None that nothing has changed. JL-R47"""

    fate: str = "intact"
    hurt: bool | None = None
    tow: str | None = None


class LaneBattleResult(RootModel[dict[str, FateAccount]]):
    """A line for every unit in the battle."""


def unit_of(state: LanesState, battle: Battle, code: str) -> Unit:
    """The unit of a code."""
    return state.units[battle.lines[code]]


def is_crippled(unit: Unit, line: FateAccount) -> bool:
    """Whether a unit is crippled after a battle."""
    return unit.crippled or line.fate == "crippled" or (line.fate == "withdrew" and bool(line.hurt))
