"""Chapter 4.4: bases, built at their sites from the Base Pool by a tug or large freighter, and scrapped."""

from dataclasses import dataclass, field

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch04_economics.repairs import damage
from rules_engine.rulebooks.cutler.records.accessories.holds import refitted
from rules_engine.rulebooks.cutler.records.accessories.legends import disembark
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.conditions.docking import lose_docked
from rules_engine.rulebooks.cutler.records.conditions.towing import is_deployed, is_in_tow
from rules_engine.rulebooks.cutler.records.economy import BaseSite
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit
from rules_engine.rulebooks.cutler.records.tables import NO_BASES, TOWED_BASES


@dataclass
class BasePlan:
    """What a sheet says of bases: a site for which CPV are set aside, a base that is scrapped, and every defect.
    ``short`` says that the pool does not hold what is to be set aside."""

    site: BaseSite | None = None
    scraps: Unit | None = None
    refusals: list[Refusal] = field(default_factory=list[Refusal])
    short: list[Refusal] = field(default_factory=list[Refusal])


@rule("4.4.7")
def price(state: CutlerState, race: Side, item: UnitClass, hex_id: HexId) -> int:
    """CPV of a new base: half as much again, rounded up, in a hex in which the race never had one.

    4.4.7, CU-R89, CU-N60
    """
    return item.cpv if hex_id in state.empires[race].base_hexes else dearer(item)


@rule("4.4.7")
def dearer(item: UnitClass) -> int:
    """CPV of a base in a new place: one and a half times its price, rounded up. 4.4.7, CU-R89"""
    return -(-item.cpv * 3 // 2)


@rule("4.4.7")
def note_bases(state: CutlerState) -> None:
    """Remember in which hexes each race has had a base. 4.4.7, CU-N60"""
    for base in state.alive():
        held = state.empires[base.race].base_hexes
        if base.kind == "base" and base.hex not in held and is_deployed(state, base):
            held.append(base.hex)


def sites_of(state: CutlerState, race: Side) -> list[BaseSite]:
    """A race's sites, by their number."""
    return sorted((site for site in state.sites.values() if site.race == race), key=lambda one: int(one.key[1:]))


def site_key(site: BaseSite) -> str:
    """Its key among all sites."""
    return f"{site.race}/{site.key}"


@rule("4.4.2", "4.4.4")
def builders_of(state: CutlerState, race: Side) -> dict[str, Unit]:
    """The one unit that builds each of a race's sites, if any is there: the one with most boxes, else who built last.
    Where there are fewer than sites, those that were begun come first.

    4.4.2, 4.4.4, CU-R90, CU-R91
    """
    found: dict[str, Unit] = {}
    busy: set[str] = set()
    for site in sorted(sites_of(state, race), key=lambda one: not one.builder):
        there = [unit for unit in state.units_in(site.hex, race) if unit.builds_bases and unit.id not in busy]
        if there:
            best = max(there, key=lambda unit: (unit.whole_cargo_boxes, unit.id == site.builder))
            found[site.key] = best
            busy.add(best.id)
    return found


@rule("4.1.2", "4.4.1", "4.4.2", "4.4.6")
def set_aside(turn: CutlerTurn, race: Side, plan: BasePlan) -> None:
    """Take the whole price of a base out of the pool before it is begun. 4.1.2, 4.4.1, 4.4.2, 4.4.6"""
    if plan.site is None:
        return
    state, site = turn.state, plan.site
    empire = state.empires[race]
    empire.base_pool -= site.cost
    empire.sites_named += 1
    site.key = f"B{empire.sites_named}"
    state.sites[site_key(site)] = site
    text = f"{site.cost} CPV are set aside for {site.title} in {site.hex}; the Base Pool keeps {empire.base_pool}."
    turn.tell([race], text, kind="economy", why=because("4.4.2, 4.4.6"))


@rule("4.4.2", "4.4.3", "4.4.5")
def build_bases(turn: CutlerTurn, race: Side) -> None:
    """Channel as many CPV to each base as its builder has cargo boxes; what is paid for is there.

    4.4.2, 4.4.3, 4.4.5, CU-R90
    """
    state = turn.state
    builders = builders_of(state, race)
    for site in sites_of(state, race):
        builder = builders.get(site.key)
        if builder is None:
            continue
        cpv = min(builder.whole_cargo_boxes, site.set_aside)
        site.set_aside -= cpv
        site.builder = builder.id
        text = f"{builder.name} channels {cpv} CPV to {site.title} in {site.hex}"
        if site.set_aside:
            done = f"{site.cost - site.set_aside} of {site.cost}"
        else:
            del state.sites[site_key(site)]
            _complete(state, site)
            done = "it is complete"
        turn.tell([race], f"{text}: {done}.", kind="economy", why=because("4.4.3, CU-R90"))


@rule("4.4.5", "4.2.4.2")
def _complete(state: CutlerState, site: BaseSite) -> None:
    """The new base, or the upgraded one, is there. What an upgrade brings aboard, and leaves behind, is as in a refit;
    what is damaged stays so. 4.4.5, 4.2.4.2, CU-N65"""
    if site.upgrades:
        base = state.units[site.upgrades]
        before, hurt, base.record = base.record, damage(base), site.into
        base.warp_ok = max(0, base.record.warp - hurt.get("warp", 0))
        base.impulse_ok = max(0, base.record.impulse - hurt.get("impulse", 0))
        base.cargo_lost = min(base.cargo_lost, base.record.cargo)
        refitted(base, before)
        base.cargo_cpv = min(base.cargo_cpv, base.cargo_boxes)
        base.repair_cpv = min(base.repair_cpv, base.record.repair)
        base.special_sensors_ok = base.record.special_sensors
    else:
        state.commission(site.race, site.named, site.into, site.hex)
    note_bases(state)


@rule("4.4.2", "4.4.4")
def keep_sites(turn: CutlerTurn) -> None:
    """Lose bases and upgrades whose builder is gone with none in its place, with all that was set aside for them; and
    upgrades of bases that are lost. At the end of each impulse and of the economics phase. 4.4.2, 4.4.4, CU-R91"""
    state = turn.state
    note_bases(state)
    for race in state.races():
        builders = builders_of(state, race)
        for site in sites_of(state, race):
            base = state.units.get(site.upgrades)
            if base is not None and (base.destroyed or base.race != race):
                text = f"With {site.named} in {site.hex} its upgrade to {site.into.name} is lost."
            elif site.builder and site.key not in builders:
                text = f"Nobody builds on in {site.hex}: {site.title} is lost, and all that was set aside for it."
            else:
                if site.builder:
                    site.builder = builders[site.key].id
                continue
            del state.sites[site_key(site)]
            turn.tell([race], text, kind="economy", why=because("4.4.2, 4.4.4, CU-R91"))


@rule("1.1.2.5.2", "4.4.1")
def lose_bases_adrift(turn: CutlerTurn) -> None:
    """Lose bases that were let go where none may be, at the end of an impulse. 1.1.2.5.2, 4.4.1, CU-R09, CU-N114"""
    state = turn.state
    for race in state.races():
        bases = [base for base in state.alive(race) if base.record.base_type in TOWED_BASES]
        for base in [one for one in bases if state.terrain.get(one.hex) in NO_BASES and not is_in_tow(state, one)]:
            base.perish(state.turn)
            text = f"No base may be in {base.hex}: {base.name}, which nobody tows there, is lost."
            turn.tell([race], text, kind="economy", why=because("1.1.2.5.2, CU-R09, CU-N114"))
            lose_docked(turn, base)


@rule("4.4.5")
def scrap(turn: CutlerTurn, plan: BasePlan) -> None:
    """Scrap an undamaged base for half of its value, which goes into the pool. 4.4.5, CU-R92"""
    if plan.scraps is None:
        return
    base = plan.scraps
    value = scrap_value(base)
    turn.state.empires[base.race].base_pool += value
    disembark(base, turn.state.units_in(base.hex, base.race), turn.state.accessories)
    base.perish()
    text = f"{base.name} in {base.hex} is scrapped: {value} CPV go into the Base Pool."
    turn.tell([base.race], text, kind="economy", why=because("4.4.5, CU-R92"))


def scrap_value(base: Unit) -> int:
    """Half of its economic BPV, rounded down. CU-R92"""
    return base.record.cpv // 2
