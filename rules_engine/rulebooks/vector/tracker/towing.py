"""Tractors that catch and let go, as captains report them between pieces. CJD1.55, CJD1.551"""

from collections.abc import Mapping

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.vector.ch1_movement.paths import restart
from rules_engine.rulebooks.vector.ch5_other.tractors import chosen_by, pair_vector, stronger
from rules_engine.rulebooks.vector.records.happenings import Happened
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.tactical import Tactical, TractorLink
from rules_engine.rulebooks.vector.tables.figures import BREAKDOWN_FACES
from rules_engine.rulebooks.vector.tracker.air import Dice, happening
from rules_engine.rulebooks.vector.tracker.tows import follow, let_go, loosen_tows, take_in_tow, takes_in_tow


@rule("CJD1.55")
def catch_objection(battle: Tactical, one: str, other: str) -> Objection | None:
    """Why a unit cannot hold another in a tractor: one of them is not in play, they are the same, or it is in a tractor
    already; it may take in tow what cannot move. CJD1.55, VM-N10, VM-N68"""
    for unit in (one, other):
        if unit not in battle.units or not battle.is_present(battle.units[unit]):
            return Objection(f"{unit} is not in play", "CJD1.55", "units in play")
        if battle.link_of(unit) is not None:
            return Objection(f"{unit} is in a tractor already", "CJD1.55", "one tractor for each unit")
        tow = battle.tow_of(unit)
        if tow is not None and unit != tow.lead:
            return Objection(f"{unit} is in tow", "VM-N68", tow.lead)
        if unit in battle.fixed and not takes_in_tow(battle, one, other):
            return Objection(f"{unit} stays where it is, whoever holds it", "VM-N61", "units that move")
    return Objection("a unit does not hold itself", "CJD1.55", "two units") if one == other else None


@rule("CJD1.55", "CJD1.551")
def catch(battle: Tactical, one: str, other: str, power: Mapping[str, int], dice: Dice) -> list[Happened]:
    """Join two units in a tractor: both have their common vector from now on, and who applies more total power controls
    them; a tie is decided by a die. CJD1.55, CJD1.551

    Raises:
        ValueError: where ``catch_objection`` has one.
    """
    objection = catch_objection(battle, one, other)
    if objection is not None:
        raise ValueError(objection.problem)
    if takes_in_tow(battle, one, other):
        return take_in_tow(battle, one, other)
    link = TractorLink(one=one, other=other, power=dict(power))
    link.controller = stronger(link)
    rolls = ()
    if not link.controller:
        key = f"tractor/{battle.turn}.{battle.impulse}/{one}/{other}"
        rolls = (dice.roll(f"control of {one} and {other}", faces=BREAKDOWN_FACES, key=key),)
        link.controller, link.by_die = chosen_by(link, rolls[0].total), True
    units = battle.units[one], battle.units[other]
    common = pair_vector(*units, literal=battle.options.tractor_literal)
    for unit in units:
        unit.vector = common
        unit.path = ""
        restart(unit, battle.impulse)
    battle.tractors.append(link)
    follow(battle)
    return [
        happening(battle, battle.impulse, units[1], "caught", other=one, rule="CJD1.55"),
        happening(
            battle,
            battle.impulse,
            battle.units[link.controller],
            "controls",
            other=link.held,
            rule="CJD1.551",
            dice=rolls,
        ),
    ]


@rule("CJD1.55")
def release(battle: Tactical, unit: str, other: str = "") -> list[Happened]:
    """End the tractor that a unit is in, if there is one; both keep the common vector. A tow that it is part of ends as
    a tractor does, of a tug for the ``other`` alone where one is named. CJD1.55, VM-R30, VM-N68"""
    link, tow = battle.link_of(unit), battle.tow_of(unit)
    if tow is not None and (link is None or other in (tow.lead, *tow.followers)):
        is_tug = unit in tow.tugs
        return let_go(battle, tow, [unit] if not is_tug else [other] if other in tow.towed else tow.towed)
    if link is None:
        return []
    battle.tractors.remove(link)
    return [happening(battle, battle.impulse, battle.units[link.other], "released", other=link.one, rule="CJD1.55")]


def loosen(battle: Tactical) -> None:
    """End the tractors and tows of units that are no more in play."""
    loosen_tows(battle)
    for link in list(battle.tractors):
        if not all(battle.is_present(battle.units[one]) for one in (link.one, link.other)):
            battle.tractors.remove(link)
