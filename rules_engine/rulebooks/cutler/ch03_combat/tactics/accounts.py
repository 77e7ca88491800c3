"""What a tracked battle tells of itself: the result sheet as far as that goes, and what the book allows by it."""

from collections.abc import Iterator, Mapping

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.tactics.conditions import Code
from rules_engine.core.tactics.tallies import RangeTally, ShipTally, TacticalTally
from rules_engine.rulebooks.cutler.ch03_combat.battle_results import NO_FATE, unit_of
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit

SQUAD = "F"
"""What follows a carrier's code in that of its fighters that flank."""
QUIET_TURNS = 20
"""Turns without closing after which units may disengage by separation. 3.4.5.1"""
_FATES = {"destroyed": "destroyed", "disengaged": "disengaged", "left the map": "disengaged"}
"""What the result calls what a tracker has seen; on a floating map who leaves it has disengaged. 3.4.5"""


@rule("3.4.5")
def account_of(state: CutlerState, battle: Battle, aboard: Mapping[Code, Unit], tally: TacticalTally) -> Sheet:
    """The sheet of the result with what was seen: which units are destroyed, which left, and which carriers lost the
    fighters that flanked. ``aboard`` are these, by their codes. 3.4.5"""
    fates = {key: _fate(state, battle, key, tally.ship(key)) for key in battle.lines}
    sheet: Sheet = {key: {"fate": fate} for key, fate in fates.items() if fate}
    for code, squad in aboard.items():
        seen = tally.ship(code)
        if seen is not None and seen.fate == "destroyed":
            carrier = code.removesuffix(SQUAD)
            lost = {"fighters_lost": squad.fighters, "boosters_lost": squad.booster_sets}
            sheet[carrier] = sheet.get(carrier, {}) | lost
    return sheet


def _fate(state: CutlerState, battle: Battle, key: str, seen: ShipTally | None) -> str:
    fate = "" if seen is None else _FATES.get(seen.fate, "")
    return "" if fate in NO_FATE.get(unit_of(state, battle, key).kind, ()) else fate


@rule("3.4.5.1", "3.4.5.2")
def remarks_on(state: CutlerState, battle: Battle, aboard: Mapping[Code, Unit], tally: TacticalTally) -> list[str]:
    """When and how fast units left, and whether anybody may disengage by separation, as far as distances tell.

    3.4.5.1, 3.4.5.2, CU-R61
    """
    fighting = [one for one in tally.ranges if one.quiet_turns and not _is_gone(battle, one, tally)]
    quiet = [_separation(state, battle, one) for one in fighting]
    return [*_left(state, battle, aboard, tally), *quiet]


def _left(state: CutlerState, battle: Battle, aboard: Mapping[Code, Unit], tally: TacticalTally) -> Iterator[str]:
    for one in tally.ships:
        name = f"{one.code} {(aboard.get(one.code) or unit_of(state, battle, one.code)).name}"
        if one.fate == "destroyed":
            yield f"{name} was destroyed on turn {one.turn}."
        elif one.fate:
            yield f"{name} {one.fate} on turn {one.turn} at speed {one.speed}."


def _is_gone(battle: Battle, between: RangeTally, tally: TacticalTally) -> bool:
    """Whether one of two forces has nobody left there, so that nobody need separate any more."""
    forces = [battle.force_of(side) for side in (between.one, between.other)]
    seen = [[one.fate for one in tally.ships if one.side in force] for force in forces]
    return any(fates and all(fates) for fates in seen)


def _separation(state: CutlerState, battle: Battle, one: RangeTally) -> str:
    between = " and ".join(state.names_of(battle.force_of(side)) for side in (one.one, one.other))
    quiet = f"{between}: no range has shrunk for {counted(one.quiet_turns, 'turn')}"
    if one.quiet_turns < QUIET_TURNS:
        return f"{quiet}; separation needs {QUIET_TURNS} (3.4.5.1)."
    return (
        f"{quiet}. If nobody had internal damage for 20 turns or shield damage for 10, either side may disengage by "
        "separation, at the start of an impulse (3.4.5.1, 3.4.5.2)."
    )
