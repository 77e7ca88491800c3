"""Why a captain's sheet has no line for a unit: it is nobody's, another's, gone, aboard, or yet to come."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.forms.meanings import near, numbered_like
from rules_engine.core.forms.misfits import listed
from rules_engine.rulebooks.vector.records.tactical import Tactical

BY_THE_SIDE = "VM-R36"


def why_no_line(known: Tactical, side: Side, key: str) -> Refusal | None:
    """The refusal of a line for ``key``, of a battle as the side knows it; None where the side commands it now.

    What the side does not know of is nobody's, whether it is there or not.
    """
    unit = known.units.get(key)
    mine = [one.id for one in known.present() if one.side == side]
    legal = listed(mine) if mine else "no unit of yours is there"
    if unit is None:
        meant = numbered_like(key, mine) or near(key, mine)
        return malformed("you command no such unit", key, legal=legal, nearest=meant)
    if unit.side != side:
        return illegal(f"{unit.id} is another captain's", BY_THE_SIDE, key, legal=legal)
    if unit.out:
        return illegal(f"{unit.id} is out of the battle: {unit.out}", BY_THE_SIDE, key, legal=legal)
    if unit.aboard:
        return illegal(f"{unit.id} is aboard {unit.aboard}", "CJD1.53", key, legal=f"{unit.aboard}: launch {unit.id}")
    if not known.is_present(unit):
        return illegal(f"{unit.id} comes at the beginning of turn {unit.waits_for}", BY_THE_SIDE, key, legal=legal)
    return None
