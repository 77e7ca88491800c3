"""Chapter 4.2: what a docking bay may build, refit and repair, and how many of which a race may begin in a turn.

Each ``why_not_`` gives the problem, its rule, and what would be legal; None where all is well.
"""

from collections.abc import Iterable, Mapping

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import with_article
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.ch02_movement.convoys.police import unpoliced
from rules_engine.rulebooks.cutler.ch04_economics.docks import Dock, can_build
from rules_engine.rulebooks.cutler.ch04_economics.repairs import damage, in_words
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.shipping.convoys import sails_in_convoys
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.yards import (
    CAPITAL_HULLS,
    CARRIER_HULLS,
    LEAST_HYBRID,
    LEAST_REFIT,
    POOLED_BASES,
)

Reason = tuple[str, str, str] | None


@rule("4.2.1", "4.2.1.2", "4.4.1", "2.8", "5.1")
def why_not_built(state: CutlerState, race: Side, dock: Dock, item: UnitClass) -> Reason:
    """Why a class cannot be built in a bay. 4.2.1, 4.2.1.2, 4.4.1, 2.8, 5.1, CU-R83, CU-N85"""
    if item.hybrid:
        return f"{with_article(item.name)} is a hybrid", "5.1", "a prize may be made into one"
    if item.base_type in POOLED_BASES:
        return f"{with_article(item.name)} is no ship", "4.4.1", "a base is built from the Base Pool, at its site"
    if item.kind == "ground_base":
        return f"{with_article(item.name)} is no ship", "4.4.9", "a planet builds it from its own new CPV"
    if item.kind == "police" and not unpoliced(state, race):
        return (
            "each planet of yours has its police ship",
            "2.8, CU-N85",
            "a police ship for a planet that has lost its own",
        )
    if not item.cpv:
        return f"{with_article(item.name)} has no price", "4.1.1", "a class with an economic BPV"
    return why_not_here(state, race, dock, item)


def why_not_here(state: CutlerState, race: Side, dock: Dock, item: UnitClass) -> Reason:
    """Why a class is nothing for the race, or its base."""
    if item.empire not in ("any", race):
        legal = f"classes of the {state.name_of(race)}, or of any race"
        return f"{with_article(item.name)} is of another race", "4.2.1", legal
    return _why_too_big(dock, item)


@rule("4.2.1.2")
def _why_too_big(dock: Dock, item: UnitClass) -> Reason:
    """Why a bay's base is not equipped for a class. 4.2.1.2, CU-R83"""
    if can_build(dock.base.record, item):
        return None
    where = f"{dock.base.name}, {with_article(dock.base.record.name)},"
    return f"{where} builds no units of size class {item.size_class}", "4.2.1.2, CU-R83", "another base, or class"


@rule("4.2.3", "4.2.3.1", "4.2.3.3", "4.2.3.4", "4.3.1")
def why_not_refit(state: CutlerState, race: Side, dock: Dock, ship: Unit, into: UnitClass) -> Reason:
    """Why a ship cannot be refit or converted in a bay. 4.2.3, 4.2.3.1, 4.2.3.3, 4.2.3.4, 4.3.1, CU-R86, CU-R87"""
    if ship.kind == "ground_base":
        return f"{ship.name} is a ground base, and docks nowhere", "4.2.3, 4.4.9", "a ship"
    if ship.kind == "base":
        return f"{ship.name} is a base", "4.4.5", "a base is upgraded from the Base Pool"
    if not lies_at(dock, ship):
        return f"{ship.name} is not docked at {dock.base.name}", "4.2.3", f"a ship in {dock.base.hex}"
    if into.class_id not in ship.record.refits:
        legal = ", ".join(ship.record.refits) or "none of this class"
        text = f"{with_article(ship.record.name)} is not made into {with_article(into.name)}"
        return text, "4.2.3.1, 4.2.3.4, CU-R87", legal
    if hurt := damage(ship):
        return f"{ship.name} has lost {in_words(hurt)}", "4.2.3.3, 4.3.1, CU-R86", "a refit in a turn after its repair"
    return _why_no_hybrid(dock, ship, into) or why_not_here(state, race, dock, into)


@rule("5.1")
def _why_no_hybrid(dock: Dock, ship: Unit, into: UnitClass) -> Reason:
    """Why a prize is not made into a class, or another ship into a hybrid: only a prize becomes one, where a ship of
    its size can be built, and it becomes nothing else. 5.1, CU-N71"""
    if bool(ship.captured_from) == into.hybrid:
        return _why_too_big(dock, ship.record) if into.hybrid else None
    if into.hybrid:
        return f"{ship.name} is no prize", "5.1", "a ship that was captured"
    return f"{ship.name} is a prize", "5.1", "a hybrid of its class"


@rule("4.3")
def why_not_repaired(dock: Dock, ship: Unit) -> Reason:
    """Why a unit cannot be repaired in a bay. 4.3, CU-N48"""
    if ship.kind == "ground_base":
        return f"{ship.name} is a ground base, and docks nowhere", "4.3, 4.4.9", "a ship, or a base in space"
    if not lies_at(dock, ship):
        return f"{ship.name} is not docked at {dock.base.name}", "4.3", f"a unit in {dock.base.hex}"
    if not damage(ship):
        return f"{ship.name} is not damaged", "4.3", "a damaged unit"
    return None if ship.kind == "base" else _why_too_big(dock, ship.record)


def lies_at(dock: Dock, ship: Unit) -> bool:
    """Whether a unit can lie in the bay: it is its race's, and in its hex. CU-N47"""
    return ship.race == dock.base.race and ship.hex == dock.base.hex and not ship.destroyed


@rule("4.2.3.1", "4.2.3.2", "5.1")
def refit_cost(old: UnitClass, new: UnitClass) -> int:
    """CPV of a refit: the printed cost; of one into something cheaper the difference; 10 at least, of a prize into a
    hybrid 15.

    4.2.3.1, 4.2.3.2, 5.1, CU-R85
    """
    least = LEAST_HYBRID if new.hybrid and not old.hybrid else LEAST_REFIT
    return max(least, old.cpv - new.cpv if new.cpv < old.cpv else old.refits[new.class_id])


@rule("4.2.2")
def limits_on(item: UnitClass) -> list[str]:
    """The groups of classes of which a race may begin one a turn, and to which this class belongs. 4.2.2, CU-R84,
    CU-R126"""
    groups = {
        "dreadnought, SCS or CVA": item.hull_type in CAPITAL_HULLS,
        "BCH": item.hull_type == "BCH",
        "command cruiser": item.hull_type == "CC",
        "scout": item.is_scout,
        "carrier": item.fighters > 0 or item.hull_type in CARRIER_HULLS or "carrier" in item.marks,
        "PF tender": item.is_pf_tender,
        "tug": item.is_tug_or_ltt,
        "mauler or other special ship": not {"mauler", "special"}.isdisjoint(item.marks),
    }
    return [group for group, belongs in groups.items() if belongs]


@rule("4.2.2")
def over_the_limits(begun: Iterable[tuple[str, UnitClass]]) -> list[Refusal]:
    """Refusals of what is begun in a turn beyond one of each limited group, new or by refit; by the path of each.
    What was not begun before saves nothing. 4.2.2, CU-R84"""
    first: dict[str, str] = {}
    refusals: list[Refusal] = []
    for path, item in begun:
        for group in limits_on(item):
            if first.setdefault(group, path) != path:
                text = f"one {group} may be begun a turn, and {first[group].partition('.')[0]} begins one"
                refusals.append(illegal(text, "4.2.2, CU-R84", path, legal="another class, or a later turn"))
    return refusals


def refit_defects(classes: Mapping[str, UnitClass]) -> list[Refusal]:
    """Refits of a catalogue into what is none of its classes, or of another kind, as survey freighters are, too."""
    refusals: list[Refusal] = []
    for key, old in classes.items():
        for into in old.refits:
            path = f"ships.{key}.refits"
            if into not in classes:
                refusals.append(malformed(f"no class {into!r}", path, nearest=nearest(into, classes)))
            elif classes[into].kind != old.kind:
                text = f"{with_article(old.kind)} cannot be made into {with_article(classes[into].kind)}"
                refusals.append(illegal(text, "4.2.3.4", path, legal=f"a class of kind {old.kind}"))
            elif sails_in_convoys(classes[into]) != sails_in_convoys(old):
                text = f"{with_article(old.name)} and {with_article(classes[into].name)} do not both sail in convoys"
                refusals.append(illegal(text, "4.2.3.4, CU-R35", path, legal="survey freighters by themselves"))
    return refusals
