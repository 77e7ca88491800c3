"""Tows of a battle's own rulebook: who is in tow moves with its tug, whose engines give half. VM-N68"""

from collections.abc import Collection

from rules_engine.rulebooks.vector.ch1_movement.paths import restart
from rules_engine.rulebooks.vector.records.happenings import Happened
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.plots import PlotAction
from rules_engine.rulebooks.vector.records.tactical import Tactical, TowLink
from rules_engine.rulebooks.vector.records.vectors import REST
from rules_engine.rulebooks.vector.tracker.air import happening

RULE = "VM-N68"
_OWN: tuple[PlotAction, ...] = ("turn", "het")
"""What a unit in tow may do by itself, unless it cannot move at all."""


def follow(battle: Tactical) -> None:
    """Let all that are in tow fly as their tug does."""
    for tow in battle.tows:
        lead = battle.units.get(tow.lead)
        for code in tow.followers if lead is not None else ():
            unit = battle.units.get(code)
            if unit is None or lead is None:
                continue
            if unit.vector != lead.vector:
                unit.vector = lead.vector
                restart(unit, lead.count_from)
            unit.path = ""


def tow_objection(battle: Tactical, code: str, action: PlotAction) -> Objection | None:
    """Why a unit in tow cannot decide how it moves. VM-N68"""
    tow = battle.tow_of(code)
    if tow is None or code == tow.lead or (action in _OWN and code not in tow.stand):
        return None
    return Objection(f"{tow.lead} has it in tow, and decides how both move", RULE, f"a plot for {tow.lead}, or a turn")


def takes_in_tow(battle: Tactical, one: str, other: str) -> bool:
    """Whether a unit that would hold another takes it in tow: one of its own side that cannot move, and that the
    battle's own rulebook lets it tow. VM-N68"""
    if other not in battle.towable or other not in battle.fixed or one in battle.fixed:
        return False
    return battle.units[one].side == battle.units[other].side


def take_in_tow(battle: Tactical, one: str, other: str) -> list[Happened]:
    """Let a unit take another in tow that stood still: it moves as its tug does from now on, whose engines give half
    from the next turn on. VM-N68"""
    tow = battle.tow_of(one)
    if tow is None:
        tow = TowLink(tugs=[one])
        battle.tows = [*battle.tows, tow]
    tow.towed, tow.stand = [*tow.towed, other], [*tow.stand, other]
    battle.fixed = [code for code in battle.fixed if code != other]
    battle.units[one].strained = True
    follow(battle)
    return [happening(battle, battle.impulse, battle.units[other], "caught", other=one, rule=RULE)]


def let_go(battle: Tactical, tow: TowLink, codes: Collection[str]) -> list[Happened]:
    """Let units go that are in tow: they keep the vector, but for what cannot move by itself, which stands still. Once
    nothing is in tow any more, its tugs have all of their engines from the next turn on. VM-N68"""
    gone = [code for code in tow.towed if code in codes]
    tow.towed = [code for code in tow.towed if code not in codes]
    told: list[Happened] = []
    for code in gone:
        unit = battle.units.get(code)
        if unit is None or not battle.is_present(unit):
            continue
        if code in tow.stand:
            battle.fixed = [*battle.fixed, code]
            unit.vector = REST
            restart(unit, battle.impulse)
        told.append(happening(battle, battle.impulse, unit, "released", other=tow.lead, rule=RULE))
    if not tow.towed:
        battle.tows = [one for one in battle.tows if one is not tow]
        for code in tow.tugs:
            if code in battle.units:
                battle.units[code].strained = False
    return told


def loosen_tows(battle: Tactical) -> list[Happened]:
    """End the tows of tugs that are no more in play, and forget who is in tow and no more in play."""
    told: list[Happened] = []
    for tow in list(battle.tows):
        units = battle.units
        lost = any(code in units and units[code].out for code in tow.tugs)
        told += let_go(battle, tow, [code for code in tow.towed if lost or (code in units and units[code].out)])
    return told


def leave_together(battle: Tactical, code: str) -> list[str]:
    """Who leaves the battle with a unit: what follows it in tow. VM-N68"""
    tow = battle.tow_of(code)
    return [one for one in tow.followers if one in battle.units] if tow is not None and code == tow.lead else []


def begin_again(battle: Tactical, tows: list[TowLink]) -> None:
    """Let a battle that is taken up anew have the tows with which it began."""
    battle.tows, battle.left_in_tow = tows, {}


def note_left_in_tow(battle: Tactical, leaving: Collection[str]) -> None:
    """Note the tug of each unit that leaves the battle in tow. VM-N68"""
    for tow in battle.tows:
        gone = [code for code in tow.towed if code in leaving and tow.lead in leaving]
        battle.left_in_tow = {**battle.left_in_tow, **dict.fromkeys(gone, tow.lead)}
