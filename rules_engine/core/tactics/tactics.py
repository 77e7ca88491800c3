"""How an ask about a battle may be tracked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rules_engine.core.forms.forms import Sheet
from rules_engine.core.tactics.battles import TacticalBattle
from rules_engine.core.tactics.tallies import TacticalTally


def _no_remarks(_: TacticalTally) -> Sequence[str]:
    return ()


@dataclass(frozen=True)
class Tactics:
    """The battle as it begins, and ``account``, which fills the ask's sheet in with what was counted, as far as that
    goes: lines and fields that it says nothing of keep what the form has. ``remarks`` are sentences for all parties on
    what was counted: what no sheet asks, and what the book allows by it."""

    battle: TacticalBattle
    account: Callable[[TacticalTally], Sheet]
    remarks: Callable[[TacticalTally], Sequence[str]] = _no_remarks
