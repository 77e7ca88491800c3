"""Chapter V8.20: leaving a hex."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.ch10_movement.figures import hull_allowance
from rules_engine.rulebooks.border_patrol.ch20_pinning.strength import (
    holds_others,
    standing_of,
    strength,
    travels_by_itself,
)
from rules_engine.rulebooks.border_patrol.ch50_cloaks.cloaks import all_cloaked, left_behind_at_least
from rules_engine.rulebooks.border_patrol.records.units import CARRIED, NEUTRALS, Unit, best_command

Leave = Literal["free", "consent", "left behind", "command"]
"""By what a force leaves: nobody holds it, the others let it go, enough stay, or its Command Rating."""


_OPEN = (
    "as much strength stays as the others have; or, of a pinned Team, at most the lead of its highest Command Rating "
    "leave, whoever has that among them, once a phase, and one stays"
)
_HIDDEN = "at least half as much strength stays as the others have"
"""What would be right. How strong the others are is not said: whoever is refused need not know it. BP-R57"""


class Balance(NamedTuple):
    """How a hex stands, seen by a Team: the units of either side, and what each counts for."""

    friends: list[Unit]
    others: list[Unit]
    own_strength: int
    enemy_strength: int


@rule("V8.23", "V8.24")
def balance(team: Side, here: Sequence[Unit]) -> Balance:
    """How a hex stands for a Team. V8.23, V8.24"""
    friends = [unit for unit in here if standing_of(unit, team) == "friendly"]
    others = [unit for unit in here if standing_of(unit, team) == "unfriendly"]
    return Balance(friends, others, strength(friends), strength(others))


@rule("V8.21")
def is_held(team: Side, here: Sequence[Unit]) -> bool:
    """Whether a Team's units may not freely leave a hex. V8.21, BP-R10"""
    return any(holds_others(unit, team) for unit in here)


@rule("V8.24")
def is_pinned(team: Side, here: Sequence[Unit]) -> bool:
    """Whether a Team is pinned in a hex: it is held there by more than it has. V8.24, BP-R13"""
    found = balance(team, here)
    return is_held(team, here) and found.enemy_strength > found.own_strength


@rule("V8.25")
def may_be_let_go(team: Side, here: Sequence[Unit]) -> bool:
    """Whether the others in a hex could let a Team's units go: monsters and alien ships never do. V8.25, BP-R16"""
    return is_held(team, here) and not any(unit.kind in NEUTRALS for unit in balance(team, here).others)


@rule("V8.24")
def command_margin(team: Side, here: Sequence[Unit], *, equal_may: bool = False) -> int:
    """How many units may leave a hex by their Command Rating: the lead of the best rating among those that travel by
    themselves, where a Team is pinned, or, with ``equal_may``, where the strengths are equal. V8.24, BP-R13, BP-R14"""
    found = balance(team, here)
    level = is_held(team, here) and equal_may and found.enemy_strength == found.own_strength
    if not (is_pinned(team, here) or level):
        return 0
    return max(0, leading_command(found.friends) - leading_command(found.others))


@rule("V8.24", "V8.23")
def leading_command(units: Iterable[Unit]) -> int:
    """The highest Command Rating that counts: that of a unit which travels by itself. V8.24, V8.23, BP-R14"""
    return best_command(unit for unit in units if travels_by_itself(unit))


@rule("V8.21", "V8.23", "V8.25", "V8.52")
def way_to_leave(
    team: Side,
    here: Sequence[Unit],
    leaving: Sequence[Unit],
    *,
    consent: bool = False,
    command_used: bool = False,
    equal_may: bool = False,
) -> Leave | None:
    """By what a Team's units may leave a hex together; None where they may not. ``here`` are all units there,
    ``leaving`` those that go, what they tow among them. V8.21, V8.23, V8.25, V8.52, BP-R10, BP-R12, BP-R43"""
    if not is_held(team, here):
        return "free"
    if consent and may_be_let_go(team, here):
        return "consent"
    found = balance(team, here)
    going = {unit.id for unit in leaving}
    staying = [unit for unit in found.friends if unit.id not in going]
    hidden = all_cloaked(leaving)
    if strength(staying) >= left_behind_at_least(found.enemy_strength, cloaked=hidden):
        return "left behind"
    if hidden or command_used or not _leads(found, leaving) or not any(map(travels_by_itself, staying)):
        return None
    counted_units = [unit for unit in leaving if unit.kind not in CARRIED]
    if not all(hull_allowance(unit) >= 1 for unit in counted_units):
        return None
    margin = command_margin(team, here, equal_may=equal_may)
    return "command" if len(counted_units) <= margin else None


@rule("V8.24")
def _leads(found: Balance, leaving: Sequence[Unit]) -> bool:
    """Whether one with the best Command Rating of the Team's units there is among those that leave; only such count as
    travel by themselves. V8.24, BP-R14"""
    best = leading_command(found.friends)
    return any(unit.command == best and travels_by_itself(unit) for unit in leaving)


@rule("V8.24", "V8.35")
def judge_departure(
    team: Side,
    here: Sequence[Unit],
    leaving: Sequence[Unit],
    path: str = "",
    *,
    consent: bool = False,
    command_used: bool = False,
    equal_may: bool = False,
) -> list[Refusal]:
    """Refusals of units' leaving a hex; who is in tow leaves as well, and must be free to. They say nothing of the
    others but that there are some. V8.24, V8.35, BP-R14, BP-R22, BP-R57"""
    going = {unit.id for unit in leaving}
    names = {unit.id: unit.name for unit in here}
    apart = [
        illegal(
            f"{names.get(key, 'a unit')} is in tow by {unit.name}, and is not among those that leave",
            "V8.35, BP-R22",
            path,
            legal="both, or neither",
        )
        for unit in leaving
        for key in unit.towing
        if key not in going
    ]
    how = way_to_leave(team, here, leaving, consent=consent, command_used=command_used, equal_may=equal_may)
    if how is not None:
        return apart
    stay = strength([unit for unit in balance(team, here).friends if unit.id not in going])
    text = f"{counted(len(going), 'unit')} would leave, and a strength of {stay} stays against others there"
    return [*apart, illegal(text, "V8.23, V8.24", path, legal=_HIDDEN if all_cloaked(leaving) else _OPEN)]
