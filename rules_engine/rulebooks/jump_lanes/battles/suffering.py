"""What units suffer by the account of a battle, tried on copies first, then in earnest."""

from collections.abc import Mapping

from rules_engine.rulebooks.jump_lanes.battles.account import FateAccount, is_crippled
from rules_engine.rulebooks.jump_lanes.battles.tows import Tows, carry_out_tows
from rules_engine.rulebooks.jump_lanes.casualties import lose_unit, settle
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import Unit


def suffer(state: LanesState, fates: Mapping[str, FateAccount], tows: Tows) -> tuple[list[Unit], dict[str, str]]:
    """Cripple and destroy units by their ids, change tows as the battle did, and let go what squadrons can no longer
    tow; cargo is looked after by its owner. The units destroyed, and by squadron what was let go, in words."""
    squadrons = dict.fromkeys(
        holder for key in fates if (holder := state.units[key].squadron or state.units[key].aboard)
    )
    lost: list[Unit] = []
    for key, line in fates.items():
        unit = state.units.get(key)
        if unit is None:  # it was based on one that was destroyed, and found no other carrier
            continue
        unit.crippled = is_crippled(unit, line)
        if line.fate == "destroyed":
            lost.append(unit)
            lose_unit(state, unit)
    carry_out_tows(state, tows)
    said = {key: settle(state, state.squadrons[key], cargo=False) for key in squadrons if key in state.squadrons}
    return lost, {key: words for key, words in said.items() if words}
