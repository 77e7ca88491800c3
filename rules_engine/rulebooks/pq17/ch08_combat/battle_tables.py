"""Tables 3 and 7 as data: battle set-up, and surprise."""

from typing import Literal

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.tables.operations import Speed
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

HullKind = Literal["scout", "military", "civilian"]

DEPLOYMENT_RANGE: dict[HullKind, int] = {"scout": 75, "military": 50, "civilian": 35}
"""The effective range at which a unit detects another, in tactical hexes. PQ-17 T3a."""

DEFENDER_SPEED_CAP: dict[Speed, int | None] = {
    Speed.SPRINT: None,
    Speed.CRUISE: None,
    Speed.EFFICIENT: 9,
    Speed.WARP_CRAWL: 1,
    Speed.IMPULSE_CRAWL: 1,
    Speed.STATION: 0,
}
"""The fastest an Original Defender's unit may have gone on turn zero; None: no limit. PQ-17 T3b."""


@rule("8.5.5.3.9", "T3b")
def speed_cap(speed: Speed, *, original_defender: bool) -> int | None:
    """The cap on a unit's tactical speed before turn 1, None for no cap. Only the Original Defender is slowed.

    PQ-17 8.5.5.3.9, T3b; ruling TAB-3."""
    return DEFENDER_SPEED_CAP[speed] if original_defender else None


@rule("T3a", "T8")
def sees_as_military(kind: ShipClass) -> bool:
    """Whether a class has the ranges of military units: not civilian ones, fast patrol ships and shuttles.

    PQ-17 T3a, T8; ruling PQ-160."""
    small = kind.unit_kind == "shuttle" or (kind.unit_kind == "ship" and kind.category == "PF")
    return kind.service == "military" and not small


@rule("T3a")
def detection_range(*, military: bool, scout: bool) -> int:
    """A unit's effective range; ``military`` as :func:`sees_as_military` says. PQ-17 T3a."""
    if not military:
        return DEPLOYMENT_RANGE["civilian"]
    return DEPLOYMENT_RANGE["scout" if scout else "military"]


@rule("T3c", "8.5.5.3.10", "8.5.5.3.11")
def true_distance(effective: int, *, doubled: bool) -> int:
    """The distance on the map that counts as ``effective``: half of it, rounded up, where ranges are doubled.

    Ranges are doubled only once, even for several reasons. PQ-17 8.5.5.3.10-.11, T3c; rulings DEP-1, DEP-2.
    """
    return -(-effective // 2) if doubled else effective


class SurpriseFacts(Frozen):
    """The facts that Table 7 needs. ``attacker_level`` is the best level at which the defender's side holds any
    attacker."""

    condition: int
    attacker_level: int
    attacker_warp_on: bool
    attacker_cloaked: bool
    both_passive: bool
    defender_scout_active: bool


SURPRISED_FROM = 7
CONDITION_MODIFIER = {1: -1, 2: 0, 3: 1, 4: 2}


@rule("8.5.3.1", "T7")
def surprise_modifiers(facts: SurpriseFacts) -> tuple[tuple[str, int], ...]:
    """Every line of Table 7 that applies, with its modifier; all of them are added. PQ-17 8.5.3.1, T7; SRP-1."""
    lines = [(f"local conditions {facts.condition}", CONDITION_MODIFIER[facts.condition])]
    if facts.attacker_level == -1:
        lines.append(("attacker only at U", 1))
    if facts.attacker_level >= 0:
        lines.append(("attacker at ID0 or better", -4))
    if facts.attacker_warp_on:
        lines.append(("attacker warp on", -3))
    if facts.attacker_cloaked:
        lines.append(("attacker cloaked", 3))
    if facts.both_passive:
        lines.append(("both passive", 1))
    if facts.defender_scout_active:
        lines.append(("defender active with a scout", -3))
    return tuple(lines)


@rule("8.5.3.1", "T7")
def is_surprised(roll: int, facts: SurpriseFacts) -> bool:
    """Whether the modified roll of 1D10 reaches 7. PQ-17 8.5.3.1, T7."""
    return roll + sum(value for _, value in surprise_modifiers(facts)) >= SURPRISED_FROM
