"""The panels of a battle's set-up: setting up, leaving, the units present, and each side's secrets."""

from collections.abc import Mapping

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted, verb
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.cutler.ch02_movement.passage import owner_by_passage
from rules_engine.rulebooks.cutler.ch03_combat.work import work_panels
from rules_engine.rulebooks.cutler.ch04_accessories.losses import accessory_panels
from rules_engine.rulebooks.cutler.ch07_maintenance.words import crew_panels
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.conditions.docking import docked_on
from rules_engine.rulebooks.cutler.records.conditions.officers import officers_in_words
from rules_engine.rulebooks.cutler.records.parts.craft import ready_fighters
from rules_engine.rulebooks.cutler.records.parts.troops import squads_in_words
from rules_engine.rulebooks.cutler.records.planetary import in_words
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight, Unit
from rules_engine.rulebooks.cutler.records.tacintel import hull_family


@rule("3.4.3", "3.4.4", "3.4.5", "3.6")
def battle_panels(state: CutlerState, battle: Battle, first: Side, setup: tuple[Panel, ...] = ()) -> tuple[Panel, ...]:
    """The panels that both sides read. For an escape battle ``first`` is the escaping side; ``setup`` is how a terrain
    battle is set up. 3.4.3, 3.4.4, 3.4.5, 3.6"""
    if not setup:
        is_escape = battle.kind == "escape"
        setup = _escape_setup(state, battle) if is_escape else open_setup(state, battle.hex, battle.sides, first)
    if any(is_of_sortie(state.fighting(battle.hex, key)) for key in battle.lines.values()):
        setup = (*setup, sortie_panel(state, battle))
    return (*setup, leaving_panel(), *(_force(state, battle, race) for race in battle.sides))


@rule("3.4.3", "3.4.4", "3.5.10")
def open_setup(state: CutlerState, hex_id: HexId, sides: tuple[Side, Side], first: Side) -> tuple[Panel, ...]:
    """How a battle in open space, or in terrain that fills its hex, is set up. 3.4.3, 3.4.4, 3.5.10, CU-R68"""
    here = state.fights.get(hex_id, Fight())
    second = next(race for race in sides if race != first)
    names = {side: state.names_of(here.force_of(side)) for side in sides}
    sets = {side: verb(len(here.force_of(side)), "sets", "set") for side in sides}
    its = verb(len(here.force_of(first)), "its", "their")
    terrain = state.terrain.get(hex_id)
    rows = [
        f"{names[first]} {sets[first]} up first, all {its} units within 10 hexes of each other (3.4.3).",
        f"{names[second]} {sets[second]} up next, likewise within 10 hexes of each other.",
        "No unit nearer than 40 hexes to any enemy, none farther than 45 from the nearest, at least one at exactly 40.",
        "A floating map is used (3.4.5).",
    ]
    if terrain in ("nebula", "dust", "heat"):
        rows.append(f"The {terrain} covers the whole map (3.5.10, CU-R68).")
    if (owner := owner_by_passage(state, hex_id)) is not None:
        rows.append(f"{state.name_of(owner)} counts as the hex's owner: the last to move through it alone (9.7).")
    start = (
        "Speed last turn: that of the slowest ship or undocked PF of the force, forward.",
        "All may turn or sideslip with their first movement.",
        "Weapon status 1; no guards assigned.",
        "Facing the enemy; may be turned towards it after it has set up.",
    )
    return Panel(title="Set-up (3.4.3)", rows=tuple(rows)), Panel(title="At the start (3.4.4)", rows=start)


def is_of_sortie(unit: Unit) -> bool:
    """Whether these are fighters that sortie, and not such as are apart from their carrier."""
    return unit.kind == "fighters" and bool(unit.entered_from)


@rule("2.9.5")
def sortie_panel(state: CutlerState, battle: Battle) -> Panel:
    """What holds for fighters that sortie, and for bases that they attack. 2.9.5"""
    rows = ["Fighters of a sortie begin with booster packs mounted, which may be turned off (2.9.5)."]
    if any(state.fighting(battle.hex, key).is_station for key in battle.lines.values()):
        rows.append("A base counts among its side's units and stays where it is set up.")
    return Panel(title="Sortie (2.9)", rows=tuple(rows))


def _escape_setup(state: CutlerState, battle: Battle) -> tuple[Panel, ...]:
    runner, hunter = (state.names_of(battle.force_of(side)) for side in battle.sides)
    rows = (
        f"{runner} (escaping): within 10 hexes of each other, all facing one way, maximum speed, weapon status 0.",
        f"{hunter} (pursuing): 30 to 34 hexes from the nearest enemy, in any direction, one at exactly 30.",
        "Pursuers within 10 hexes of each other, maximum speed, facing the enemy, weapon status 2.",
        "A surrounding group that rolled 1-3 is set up in the direction of its second die, on its own (3.6.1.1).",
        "Nobody may escape from an escape battle; disengaging is allowed (3.3.2, 3.3.7.8).",
    )
    return (Panel(title="Set-up (3.6)", rows=rows),)


@rule("3.4.5", "3.4.5.1", "3.4.5.1.1", "3.4.5.2")
def leaving_panel() -> Panel:
    """How a unit may leave the battle. 3.4.5, 3.4.5.1, 3.4.5.1.1, 3.4.5.2, CU-R61"""
    rows = (
        "No disengagement by acceleration. Sublight disengagement as in the tactical rules (3.4.5).",
        "By separation, once no internals came for 20 turns, no shield damage for 10, no closing for 20.",
        "A held tractor or a boarding action counts as internal damage (3.4.5.1.1).",
        "Announce it at the start of an impulse (3.4.5.2). Who disengages must leave the hex at the next opportunity.",
    )
    return Panel(title="Leaving (3.4.5)", rows=rows)


def _force(state: CutlerState, battle: Battle, race: Side) -> Panel:
    force = battle.force_of(race)
    units = {key: state.fighting(battle.hex, unit) for key, unit in battle.lines.items()}
    rows = [_unit_row(key, unit) for key, unit in units.items() if unit.race in force]
    return Panel(title=f"{state.names_of(force)} force", rows=tuple(rows))


def _unit_row(key: str, unit: Unit) -> str:
    if unit.kind == "fighters":
        packs = f"warp booster packs for {unit.booster_sets}"
        return f"{key} {unit.name}: {counted(unit.fighters, 'fighter')}, {packs}"
    invented = ", invented" if unit.record.invented else ""
    prize = "; captured, weapons barred (5.1.2)" if unit.captured_from else ""
    facts = f"{hull_family(unit)}, size {unit.record.size_class}, BPV {unit.record.bpv_combat}{invented}"
    cloaked = "; under cloak" if unit.cloaked else ""
    return f"{key} {unit.name}: {unit.record.name} ({facts}){prize}{cloaked}"


@rule("2.9.3")
def _fighter_panels(own: Mapping[str, Unit]) -> list[Panel]:
    """The fighters that are aboard a side's units; those that sortie from here are not, and take no part. 2.9.3"""
    rows = tuple(
        f"{key} {unit.name}: {unit.fighters} of {counted(unit.record.fighters, 'fighter')} aboard, "
        f"{counted(unit.booster_sets, 'set')} of warp booster packs"
        for key, unit in own.items()
        if unit.record.fighters
    )
    return [Panel(title="Your fighters", rows=rows)] if rows else []


@rule("3.7.2", "3.7.5", "3.7.6", "3.7.8")
def secret_panels(state: CutlerState, battle: Battle, race: Side, arrivals: Mapping[int, int]) -> tuple[Panel, ...]:
    """A side's own engines and crews as they stand, and its flanking groups with their turns of arrival.

    3.7.2, 3.7.5, 3.7.6, 3.7.8
    """
    units = {key: state.fighting(battle.hex, name) for key, name in battle.lines.items()}
    own = {key: unit for key, unit in units.items() if unit.race == race}
    engines = tuple(
        f"{key} {unit.name}: warp {unit.warp_ok}/{unit.record.warp}, impulse {unit.impulse_ok}/{unit.record.impulse}"
        + (f", {in_words(unit.boarding_parties)}{squads_in_words(unit.squads)}" if unit.record.boarding_parties else "")
        for key, unit in own.items()
        if unit.record.warp and unit.kind != "fighters"
    )
    panels = [Panel(title="Your engines", rows=engines)] if engines else []
    panels += crew_panels(own)
    officers = tuple(f"{key} {unit.name}: {officers_in_words(unit)}" for key, unit in own.items() if unit.officers)
    panels += [Panel(title="Your officers", rows=officers)] if officers else []
    panels += work_panels(state, battle, race, own)
    panels += [*accessory_panels(state, own, race, battle.hex, battle.feature), *_fighter_panels(own)]
    rows = tuple(
        f"{key} {unit.name}: {', '.join(pf.title for pf in docked)}"
        for key, unit in own.items()
        if (docked := docked_on(state, [unit]))
    )
    panels += [Panel(title="Your docked PFs, which share its fate (2.4.1.7)", rows=rows)] if rows else []
    ready = [*own.values(), *ready_fighters(list(own.values()))]
    groups = sorted({battle.flanking[unit.id] for unit in ready if unit.id in battle.flanking})
    rows = tuple(
        f"Arrives on turn {arrivals[group]}: "
        f"{', '.join(unit.name for unit in ready if battle.flanking.get(unit.id) == group)}"
        for group in groups
    )
    if any(unit.kind == "fighters" and unit.id in battle.flanking for unit in ready):
        rows += ("Fighters flank with booster packs attached, and may drop them before they appear (3.7.5).",)
    if rows:
        how = "Within 10 hexes of each other, 30 or more from the enemy, weapon status 2, maximum speed (3.7.2, 3.7.6)."
        panels.append(Panel(title="Your flanking groups", rows=(*rows, how)))
    return tuple(panels)
