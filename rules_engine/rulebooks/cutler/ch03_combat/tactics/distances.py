"""The conditions of set-ups: how far units stand from each other, from enemies and from the ground."""

from collections.abc import Iterator, Sequence

from rules_engine.core.basics.rules import rule
from rules_engine.core.tactics.conditions import Code, Condition, Distance, OneOf

APART = 10
"""The most hexes from one unit of a force to another. 3.4.3, 3.6, 3.7.2"""
Codes = Sequence[Code]


@rule("3.4.3", "3.6", "3.7.2")
def together(units: Codes, rule_id: str, whose: str = "All units") -> Iterator[Condition]:
    """Units of one force stand within 10 hexes of each other. 3.4.3, 3.6, 3.7.2"""
    if len(units) > 1:
        says = f"{whose} within {APART} hexes of each other."
        yield Distance(units=tuple(units), others=tuple(units), most=APART, rule=rule_id, says=says)


@rule("3.4.3", "3.5.9", "3.6.1")
def facing_off(
    units: Codes, lead: Codes, enemies: Codes, *, bounds: tuple[int, int], rule_id: str
) -> Iterator[Condition]:
    """Units stand so far from the nearest enemy at least and at most, and one that may take the ``lead`` at exactly the
    least. Where no enemy is there, nothing holds them. 3.4.3, 3.5.9, 3.6.1"""
    least, most = bounds
    if units and enemies:
        yield Distance(
            units=tuple(units),
            others=tuple(enemies),
            measure="nearest",
            least=least,
            most=most,
            rule=rule_id,
            says=f"Each unit {least} to {most} hexes from the nearest enemy.",
        )
        yield OneOf(
            distances=exactly(lead, enemies, least, rule_id),
            rule=rule_id,
            says=f"At least one {noun_of(units, lead)} at exactly {least} hexes from the nearest enemy.",
        )


def noun_of(units: Codes, lead: Codes) -> str:
    """What one of those is called that stand at the exact distance: any unit, or a ship or PF."""
    return "unit" if len(lead) == len(units) else "ship or PF"


def exactly(units: Codes, others: Codes, hexes: int, rule_id: str) -> tuple[Distance, ...]:
    """For each of these units, that it stands exactly so far from the nearest of others."""
    return tuple(
        Distance(
            units=(unit,),
            others=tuple(others),
            measure="nearest",
            least=hexes,
            most=hexes,
            rule=rule_id,
            says=f"{unit} at exactly {hexes} hexes.",
        )
        for unit in units
    )


def near(units: Codes, place: Code, most: int, *, rule_id: str, says: str) -> Distance:
    """Units stand no farther from a piece of ground."""
    return Distance(units=tuple(units), others=(place,), measure="nearest", most=most, rule=rule_id, says=says)
