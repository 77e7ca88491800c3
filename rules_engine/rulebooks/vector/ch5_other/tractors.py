"""Two units held together by a tractor. CJD1.55, CJD1.551"""

from fractions import Fraction
from math import floor, lcm

from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.space import Lattice, elements_of
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical, TractorLink
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.tables.figures import BREAKDOWN_FACES


@rule("CJD1.55")
def pair_vector(one: VectorShip, other: VectorShip, *, literal: bool) -> Vector:
    """The vector of two units in a tractor: each one's times its move cost, added, and divided by both move costs
    unless a table reads the text ``literal``-ly; elements are rounded down. CJD1.55, VM-R29"""
    costs = one.figures.move_cost, other.figures.move_cost
    whole = lcm(*(cost.denominator for cost in costs))
    total = Lattice(0, 0)
    for unit, cost in zip((one, other), costs, strict=True):
        total = total.plus(unit.vector.lattice, int(cost * whole))
    share = Fraction(whole) if literal else whole * sum(costs, Fraction(0))
    return Vector(says="+".join(f"{floor(hexes / share)}{way}" for way, hexes in elements_of(total)) or "0")


@rule("CJD1.551")
def stronger(link: TractorLink) -> str:
    """The unit that applies more total power and so controls movement; empty where both apply the same. CJD1.551"""
    one, other = (link.power.get(unit, 0) for unit in (link.one, link.other))
    return link.one if one > other else link.other if other > one else ""


@rule("CJD1.551")
def chosen_by(link: TractorLink, rolled: int) -> str:
    """The unit that a die gives the first turn of control to, where both apply the same power. CJD1.551, VM-R31"""
    return link.one if rolled <= BREAKDOWN_FACES // 2 else link.other


@rule("CJD1.551")
def alternate(link: TractorLink) -> bool:
    """At a turn's end, hand control to the other unit where a die had to decide. Returns whether it changed.
    CJD1.551"""
    if link.by_die:
        link.controller = link.held
    return link.by_die


@rule("CJD1.55")
def load_of(battle: Tactical, ship: VectorShip) -> Fraction:
    """How much heavier a unit is to accelerate with what it tows, of its own move cost. CJD1.55, VM-N09"""
    link = battle.link_of(ship.id)
    if link is None:
        return Fraction(1)
    both = sum((battle.units[one].figures.move_cost for one in (link.one, link.other)), Fraction(0))
    return both / ship.figures.move_cost


@rule("CJD1.551")
def energy_objection(battle: Tactical, ship: VectorShip) -> Objection | None:
    """Why a shuttle can do nothing by its own energy: it is held in a tractor, or another controls how it moves.
    CJD1.551, VM-R60"""
    link = battle.link_of(ship.id)
    if link is None or ship.figures.form not in _SHUTTLES or ship.id == link.one == link.controller:
        return None
    other = link.other if link.one == ship.id else link.one
    problem = f"it is in a tractor with {other}, and does nothing by its own energy"
    return Objection(problem, "CJD1.551", "a turn, or being let go first")


_SHUTTLES = ("shuttle", "weasel")


@rule("CJD1.551")
def control_objection(battle: Tactical, ship: VectorShip) -> Objection | None:
    """Why a unit cannot decide how it moves: another controls the movement of both. It may turn. CJD1.551, VM-N09"""
    link = battle.link_of(ship.id)
    if link is None or link.controller == ship.id:
        return None
    problem = f"{link.controller} controls the movement of both in the tractor"
    return Objection(problem, "CJD1.551", f"a plot for {link.controller}, or a turn")
