"""How each kind of battle is set up, step by step, as a tracker has it done. 3.4.3, 3.5.9, 3.6, 3.7.2"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.tactics.conditions import Bearing, Code, Condition, Distance, OneOf, SetUpStep
from rules_engine.rulebooks.cutler.ch03_combat.tactics.distances import (
    Codes,
    exactly,
    facing_off,
    near,
    noun_of,
    together,
)
from rules_engine.rulebooks.cutler.ch03_combat.tactics.flights import is_vessel
from rules_engine.rulebooks.cutler.ch03_combat.tactics.ground import HEART, LOCATION_RADIUS
from rules_engine.rulebooks.cutler.records.state import Unit

OPEN_BOUNDS = (40, 45)
"""How far units set up from the nearest enemy, at least and at most. 3.4.3"""
PURSUIT_BOUNDS = (30, 34)
"""The same of pursuers. 3.6.1"""
FLANK_LEAST = 30
"""How near a flanking group comes to an enemy ship or PF at most. 3.7.2"""
POINT_REACH = 20
"""How far from a terrain point its defenders set up at most. 3.5.9"""
EDGE_REACH = 10
"""How far from the edge of a location its defenders set up at most. 3.5.9"""


class Ranks(NamedTuple):
    """Who sets up: units by code, the codes of each side's that are there at the start, and the sides' names; the key
    and the name of the feature that is fought for, and the ``fixed`` bases that stand there."""

    units: Mapping[Code, Unit]
    of: Mapping[Side, Codes]
    names: Mapping[Side, str]
    key: Code = ""
    feature: str = ""
    fixed: Codes = ()

    def lead(self, codes: Codes) -> list[Code]:
        """Those of which one stands at the exact distance: ships and PFs, or all where there are none. CU-N154"""
        return [code for code in codes if is_vessel(self.units[code])] or list(codes)


# --- open space ------------------------------------------------------------------------------------------------------


@rule("3.4.3")
def set_up_open(ranks: Ranks, order: tuple[Side, Side], rule_id: str) -> Iterator[SetUpStep]:
    """One side within 10 hexes of each other, then the other likewise, 40 to 45 off. A side of which nobody is there
    yet has no step. 3.4.3, CU-R60"""
    first, second = order
    if ranks.of[first]:
        yield SetUpStep(
            units=tuple(ranks.of[first]),
            conditions=tuple(together(ranks.of[first], rule_id)),
            says=f"{ranks.names[first]}: anywhere, facing the enemy.",
            rule=rule_id,
        )
    if own := ranks.of[second]:
        yield SetUpStep(
            units=tuple(own),
            conditions=(
                *together(own, rule_id),
                *facing_off(own, ranks.lead(own), ranks.of[first], bounds=OPEN_BOUNDS, rule_id=rule_id),
            ),
            says=f"{ranks.names[second]}: off the enemy, facing it.",
            rule=rule_id,
        )


# --- terrain ---------------------------------------------------------------------------------------------------------


@rule("3.5.9")
def set_up_point(ranks: Ranks, pair: tuple[Side, Side]) -> Iterator[SetUpStep]:
    """Defenders within 20 hexes of the point, bases at it; attackers 40 to 45 off, all round if they like. 3.5.9,
    CU-R69"""
    (defender, attacker), feature = pair, ranks.feature
    own, others = ranks.of[defender], ranks.of[attacker]
    says = f"Each unit within {POINT_REACH} hexes of {feature}."
    yield SetUpStep(
        units=tuple(own),
        conditions=(near(own, ranks.key, POINT_REACH, rule_id="3.5.9", says=says), *_fixed(ranks)),
        faces_enemy=False,
        says=f"{ranks.names[defender]}: around {feature}, facing any way.",
        rule="3.5.9",
    )
    yield SetUpStep(
        units=tuple(others),
        conditions=tuple(facing_off(others, ranks.lead(others), own, bounds=OPEN_BOUNDS, rule_id="3.5.9")),
        faces=ranks.key,
        says=f"{ranks.names[attacker]}: off the enemy, on all sides if you like, facing {feature}.",
        rule="3.5.9",
    )


def _fixed(ranks: Ranks) -> Iterator[Distance]:
    """A base that is the feature stands in its hex, and ground bases stand on their body. CU-R67"""
    if ranks.fixed:
        says = f"{' and '.join(ranks.fixed)} at {ranks.feature} itself."
        yield near(ranks.fixed, ranks.key, 0, rule_id="3.5, CU-R67", says=says)


@rule("3.5.9", "3.4.3")
def set_up_edge(ranks: Ranks, pair: tuple[Side, Side]) -> Iterator[SetUpStep]:
    """Defenders within 10 hexes of the edge and of each other; attackers outside, 40 or more from the edge, and else as
    in open space. Where all defenders stand within, so that nobody could be as near as that, attackers are measured
    from the edge instead. 3.5.9, 3.4.3, CU-R69, CU-N155"""
    (defender, attacker), feature = pair, ranks.feature
    own, others = ranks.of[defender], ranks.of[attacker]
    least, most = LOCATION_RADIUS - EDGE_REACH, LOCATION_RADIUS + EDGE_REACH
    reach = Distance(
        units=tuple(own),
        others=(HEART,),
        least=least,
        most=most,
        rule="3.5.9",
        says=f"Each unit within {EDGE_REACH} hexes of the edge of {feature}: {least} to {most} from its middle.",
    )
    yield SetUpStep(
        units=tuple(own),
        conditions=(reach, *together(own, "3.5.9")),
        says=f"{ranks.names[defender]}: at the edge of {feature}.",
        rule="3.5.9",
    )
    yield SetUpStep(
        units=tuple(others),
        conditions=(*together(others, "3.5.9"), *_outside(others, own, ranks.lead(others), feature)),
        says=f"{ranks.names[attacker]}: outside {feature}, facing the enemy.",
        rule="3.5.9",
    )


def _outside(units: Codes, enemies: Codes, lead: Codes, feature: str) -> Iterator[Condition]:
    """Conditions of the attackers at an edge; distances from it are measured from the middle. CU-N155"""
    (least, most), rule_id = OPEN_BOUNDS, "3.5.9, 3.4.3, CU-N155"
    by_edge = f"from the edge, if all of them are within {feature}"
    for others, farther, whom in ((tuple(enemies), 0, "any enemy"), ((HEART,), LOCATION_RADIUS, "the edge")):
        says = f"No unit nearer than {least} hexes to {whom}" + (
            f": {least + farther} to the middle" if farther else ""
        )
        yield Distance(
            units=tuple(units), others=others, measure="nearest", least=least + farther, rule="3.5.9", says=f"{says}."
        )
    within = near(enemies, HEART, LOCATION_RADIUS - 1, rule_id=rule_id, says="All enemies are within.")
    of_enemy, of_edge = (
        Distance(units=tuple(units), others=others, measure="nearest", most=farthest, rule=rule_id, says=f"{farthest}")
        for others, farthest in ((tuple(enemies), most), ((HEART,), most + LOCATION_RADIUS))
    )
    says = f"No unit farther than {most} hexes from the nearest enemy, or {by_edge}."
    yield OneOf(distances=(of_enemy, within), rule=rule_id, says=says)
    yield OneOf(distances=(of_edge, of_enemy), rule=rule_id, says=says)
    says = f"At least one {noun_of(units, lead)} at exactly {least} hexes from the nearest enemy, or {by_edge}."
    of_enemies = exactly(lead, enemies, least, rule_id)
    of_edges = exactly(lead, (HEART,), least + LOCATION_RADIUS, rule_id)
    yield OneOf(distances=(*of_enemies, within), rule=rule_id, says=says)
    yield OneOf(distances=(*of_edges, *of_enemies), rule=rule_id, says=says)


# --- escapes and flanks ----------------------------------------------------------------------------------------------


@rule("3.6", "3.6.1", "3.6.1.1")
def set_up_escape(
    ranks: Ranks,
    pair: tuple[Side, Side],
    *,
    ways: Mapping[int, Codes],
    groups: Sequence[Codes],
) -> Iterator[SetUpStep]:
    """Who flees within 10 hexes of each other and all facing one way; pursuers 30 to 34 off, each in its direction, and
    each group that surrounds for itself. 3.6, 3.6.1, 3.6.1.1, CU-R70, CU-N94"""
    runner, hunter = pair
    own, others = ranks.of[runner], ranks.of[hunter]
    yield SetUpStep(
        units=tuple(own),
        conditions=tuple(together(own, "3.6")),
        one_facing=True,
        faces_enemy=False,
        says=f"{ranks.names[runner]}: anywhere, all facing one way.",
        rule="3.6",
    )
    apart = [
        one for group in groups for one in together(group, "3.6.1", " and ".join(group) if len(groups) > 1 else "All")
    ]
    in_ways = [
        Bearing(
            units=tuple(codes),
            others=tuple(own),
            way=way,
            rule="3.6.1.1, CU-N94",
            says=f"In direction {way}, counted from the facing of who flees: {', '.join(codes)}.",
        )
        for way, codes in sorted(ways.items())
    ]
    yield SetUpStep(
        units=tuple(others),
        conditions=(
            *apart,
            *facing_off(others, ranks.lead(others), own, bounds=PURSUIT_BOUNDS, rule_id="3.6.1"),
            *in_ways,
        ),
        says=f"{ranks.names[hunter]}: off the enemy, facing it.",
        rule="3.6.1",
    )


@rule("3.7.2", "3.7.4", "3.7.6")
def set_up_flank(ranks: Ranks, side: Side, group: Codes, enemies: Codes) -> SetUpStep:
    """A flanking group: within 10 hexes of each other, and no nearer than 30 to an enemy ship or PF. 3.7.2, 3.7.4,
    3.7.6"""
    ships = tuple(code for code in enemies if is_vessel(ranks.units[code]))
    says = f"No unit nearer than {FLANK_LEAST} hexes to an enemy ship or PF."
    far = Distance(units=tuple(group), others=ships, least=FLANK_LEAST, rule="3.7.2", says=says) if ships else None
    return SetUpStep(
        units=tuple(group),
        conditions=(*together(group, "3.7.2"), *((far,) if far else ())),
        says=f"{ranks.names[side]}: a flanking group, in any direction, facing the nearest enemy.",
        rule="3.7.2",
    )
