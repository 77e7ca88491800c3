"""Chapter 4.1: what planets make."""

from fractions import Fraction
from math import floor

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.planetary import base_rate
from rules_engine.rulebooks.cutler.records.state import CutlerState, Planet


@rule("4.1.4", "4.1.4.1", "5.3.1")
def income_of(planet: Planet, turn: int) -> int:
    """CPV the planet makes for its holder in this turn's economics phase, rounded down.

    Razing is taken off first, then a captured planet is halved; it makes nothing until it has been held for a whole
    turn. 4.1.4, 4.1.4.1, 5.3.1, CU-R77, CU-R78, CU-R79
    """
    rate = max(0, base_rate(planet) - planet.razed)
    if planet.captured_turn is None:
        return floor(rate)
    return rate // 2 if turn >= planet.captured_turn + 2 else 0


@rule("4.1.3", "4.1.4.2")
def income(state: CutlerState, race: Side) -> int:
    """A race's new CPV this turn. 4.1.3, 4.1.4.2"""
    return sum(income_of(planet, state.turn) for planet in state.planets_of(race))


@rule("12.0")
def cpv_rate(state: CutlerState, race: Side) -> int:
    """The rate that counts for victory: what its planets would make in the next turn. 12.0"""
    return sum(income_of(planet, state.turn + 1) for planet in state.planets_of(race))


@rule("4.1.4", "5.2.3.1")
def public_rate(state: CutlerState, race: Side) -> int:
    """The rate as everybody can work it out: by the planets held, as if none were razed. 4.1.4, 5.2.3.1, CU-R97a"""
    unrazed = (planet.changed(razed=Fraction(0)) for planet in state.planets_of(race))
    return sum(income_of(planet, state.turn + 1) for planet in unrazed)
