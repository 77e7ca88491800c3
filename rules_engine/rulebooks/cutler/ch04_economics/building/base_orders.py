"""Chapter 4.4: a sheet's orders for bases: what is begun, upgraded and scrapped, and every defect."""

from collections.abc import Mapping, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import with_article
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Line, text_field
from rules_engine.core.grids.hexes import UnknownHex
from rules_engine.rulebooks.cutler.ch04_economics.building.bases import BasePlan, dearer, price, scrap_value, sites_of
from rules_engine.rulebooks.cutler.ch04_economics.dock_orders import DockPlan
from rules_engine.rulebooks.cutler.ch04_economics.income import income
from rules_engine.rulebooks.cutler.ch04_economics.permits import refit_cost
from rules_engine.rulebooks.cutler.ch04_economics.repairs import damage, in_words
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.economy import BaseSite
from rules_engine.rulebooks.cutler.records.economy_lines import LONGEST_HEX, LONGEST_NAME, BaseLine, name_in, not_a_name
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tables import NO_BASES
from rules_engine.rulebooks.cutler.records.yards import POOLED_BASES

UPGRADE, INTO = "upgrade ", " into "
GROUP = "Bases"


# --- the form --------------------------------------------------------------------------------------------------------


def base_lines(state: CutlerState, race: Side) -> list[Line]:
    """A line for a base to be built, and one for a base to be scrapped, where there is something to say."""
    lines: list[Line] = []
    builders = [unit for unit in state.alive(race) if unit.builds_bases]
    if (builders or _may_have_builders(state, race)) and (types := _types(state, race)):
        where = f"blank: {builders[0].hex}, where {builders[0].name} is" if builders else "where a builder will come"
        fields = (
            Field("type", "Set aside for", "one", types, optional=True, help="from the Base Pool, all of it at once"),
            text_field("at", "Hex", LONGEST_HEX, None, where),
            text_field("name", "Name", LONGEST_NAME, None, "blank: one is found"),
        )
        note = "Built by a tug or large freighter that stays there"
        lines.append(Line("base", "New base or upgrade", fields, note, GROUP))
    bases = [base for base in _bases(state, race) if why_not_scrapped(state, base) is None]
    if bases:
        ways = tuple(Choice(base.id, f"{base.title}, {base.hex}", f"{scrap_value(base)} CPV") for base in bases)
        fields = (
            Field("base", "Base", "one", ways, optional=True, help="blank: none"),
            Field("sure", "This cannot be undone. Sure?", "flag", value=False),
        )
        lines.append(Line("scrap", "Scrap a base", fields, "for half of its value, into the Base Pool", GROUP))
    return lines


def _may_have_builders(state: CutlerState, race: Side) -> bool:
    """Whether the catalogue has a class of tug that the race can build."""
    return any(item.is_tug and item.cargo and item.empire in ("any", race) for item in state.classes.values())


def _bases(state: CutlerState, race: Side) -> list[Unit]:
    return [unit for unit in state.alive(race) if unit.kind == "base"]


def _types(state: CutlerState, race: Side) -> tuple[Choice, ...]:
    """Bases that the race may build, and upgrades of those it has, as far as its pool could ever pay them this turn."""
    worth = [scrap_value(base) for base in _bases(state, race) if why_not_scrapped(state, base) is None]
    most = state.empires[race].base_pool + income(state, race) + max(worth, default=0)
    new = [
        Choice(key, item.name, f"{item.cpv} CPV, {dearer(item)} where you never had a base")
        for key, item in sorted(state.classes.items())
        if _why_no_base(race, item) is None and item.cpv <= most
    ]
    upgrades = [
        Choice(f"{UPGRADE}{base.id}{INTO}{key}", f"Upgrade {base.name} to {state.classes[key].name}"[:100])
        for base in _bases(state, race)
        for key in sorted(base.record.refits)
        if key in state.classes and why_not_upgraded(state, race, base, state.classes[key]) is None
        if refit_cost(base.record, state.classes[key]) <= most
    ]
    return (*new, *upgrades)


# --- what may be -----------------------------------------------------------------------------------------------------


@rule("4.4.1")
def _why_no_base(race: Side, item: UnitClass) -> tuple[str, str] | None:
    """Why a class is not built from the Base Pool, with the rule. 4.4.1, CU-N61"""
    if item.kind != "base":
        return f"{with_article(item.name)} is no base", "4.4.1"
    if item.base_type not in POOLED_BASES:
        return f"{with_article(item.name)} is built as a ship, and towed to its site", "4.4.1, CU-N61"
    if item.empire not in ("any", race):
        return f"{with_article(item.name)} is of another race", "4.4.1"
    return None if item.cpv else (f"{with_article(item.name)} has no price", "4.1.1")


@rule("4.4.5")
def why_not_upgraded(state: CutlerState, race: Side, base: Unit, into: UnitClass) -> tuple[str, str] | None:
    """Why a base is not upgraded into a class: only a base station is, into a battle station. 4.4.5, CU-R92"""
    if into.class_id not in base.record.refits:
        return f"{with_article(base.record.name)} is not made into {with_article(into.name)}", "4.4.5, CU-R87"
    if (base.record.base_type, into.base_type) != ("BS", "BATS"):
        return f"{with_article(base.record.name)} is not upgraded to {with_article(into.name)}", "4.4.5, CU-R92"
    if into.empire not in ("any", race):
        return f"{with_article(into.name)} is of another race", "4.4.5, CU-R87"
    if any(site.upgrades == base.id for site in state.sites.values()):
        return f"{base.name} is being upgraded", "4.4.5"
    return None


@rule("4.4.5")
def why_not_scrapped(state: CutlerState, base: Unit) -> tuple[str, str] | None:
    """Why a base cannot be scrapped: it must be whole, and nothing under way there. 4.4.5, CU-R92, CU-N62"""
    if hurt := damage(base):
        return f"{base.name} has lost {in_words(hurt)}", "4.4.5, CU-R92"
    busy = any(work.base == base.id for work in state.works.values())
    if busy or any(site.upgrades == base.id for site in state.sites.values()):
        return f"something is under way at {base.name}", "4.4.5, CU-N62"
    return None


# --- judging ---------------------------------------------------------------------------------------------------------


def judge_bases(state: CutlerState, race: Side, sheet: TurnSheet, *, pool: int, docks: Sequence[DockPlan]) -> BasePlan:
    """What a sheet says of bases. ``pool`` are the CPV that it adds to the Base Pool; ``docks`` what its bays do."""
    plan = BasePlan()
    line = sheet.base
    if line.type is not None:
        _judge_site(state, race, plan, line, docks)
    elif line.at or line.name:
        plan.refusals.append(malformed("say which base is built", "base.type", legal="a class of base, or an upgrade"))
    _judge_scrap(state, race, plan, sheet, docks)
    _judge_price(state, race, plan, pool)
    return plan


@rule("4.4.5", "4.4.6")
def _judge_price(state: CutlerState, race: Side, plan: BasePlan, pool: int) -> None:
    """Whether the pool holds all that is to be set aside: what it held, what is added, and what scrap brings.
    4.4.5, 4.4.6, CU-R92"""
    held = state.empires[race].base_pool + pool + (scrap_value(plan.scraps) if plan.scraps else 0)
    if plan.site and plan.site.cost > held:
        text = f"all of its {plan.site.cost} CPV must be set aside first, and the Base Pool will hold {held}"
        plan.short.append(illegal(text, "4.4.6", "base.type", legal="when the pool has grown"))


@rule("4.4.1", "4.4.2", "4.4.5", "4.4.7")
def _judge_site(state: CutlerState, race: Side, plan: BasePlan, line: BaseLine, docks: Sequence[DockPlan]) -> None:
    """A base for which CPV are set aside, or an upgrade. 4.4.1, 4.4.2, 4.4.5, 4.4.7"""
    text = line.type or ""
    named, _, into = text.removeprefix(UPGRADE).rpartition(INTO)
    base = next((one for one in _bases(state, race) if one.id == named), None) if text.startswith(UPGRADE) else None
    item = state.classes.get(into if base else text)
    if item is None:
        offered = [choice.value for choice in _types(state, race)]
        near = nearest(text, offered)
        plan.refusals.append(malformed("no such base", "base.type", legal=", ".join(offered), nearest=near))
        return
    reason = why_not_upgraded(state, race, base, item) if base else _why_no_base(race, item)
    if reason:
        plan.refusals.append(illegal(reason[0], reason[1], "base.type", legal="another class of base"))
        return
    if base and (line.at or line.name):
        plan.refusals.append(malformed("an upgrade keeps its hex and name", "base", legal="leave both blank"))
    elif base:
        cost = refit_cost(base.record, item)
        plan.site = BaseSite(
            key="", race=race, hex=base.hex, into=item, named=base.name, cost=cost, set_aside=cost, upgrades=base.id
        )
    else:
        hex_id, refusals = _site_hex(state, race, line)
        name, more = _name(state, race, line, item, docks)
        plan.refusals += [*refusals, *more]
        if not plan.refusals:
            cost = price(state, race, item, hex_id)
            plan.site = BaseSite(key="", race=race, hex=hex_id, into=item, named=name, cost=cost, set_aside=cost)


@rule("4.4.2", "1.1.2.5.2")
def _site_hex(state: CutlerState, race: Side, line: BaseLine) -> tuple[HexId, list[Refusal]]:
    """Where a base is to stand. 4.4.2, 1.1.2.5.2, CU-R09, CU-N61"""
    tugs = [unit.hex for unit in state.alive(race) if unit.builds_bases]
    if not line.at and not tugs:
        return "", [malformed("say in which hex", "base.at", legal="the number of a hex")]
    try:
        hex_id = state.grid.parse(line.at) if line.at else tugs[0]
    except UnknownHex as error:
        return "", [malformed(str(error).split(";", maxsplit=1)[0], "base.at", nearest=error.nearest)]
    if hex_id in state.unsurveyed:
        text = f"nobody knows yet what is in {hex_id}"
        return "", [illegal(text, "1.1.2.5.2, CU-N61", "base.at", legal="survey it first, or another hex")]
    if state.terrain.get(hex_id) in NO_BASES:
        return "", [illegal("no base can stand in this terrain", "1.1.2.5.2, CU-R09", "base.at", legal="another hex")]
    return hex_id, []


def _name(
    state: CutlerState, race: Side, line: BaseLine, item: UnitClass, docks: Sequence[DockPlan]
) -> tuple[str, list[Refusal]]:
    """The name of a new base; one is found where none is given."""
    taken = {unit.name.casefold() for unit in state.units.values() if unit.race == race}
    taken |= {site.named.casefold() for site in sites_of(state, race) if not site.upgrades}
    taken |= {dock.work.named.casefold() for dock in docks if dock.work}
    name = name_in(line.name)
    if defects := not_a_name(name, "base.name"):
        return name, defects
    if name.casefold() in taken:
        return name, [malformed(f"you have another {name!r}", "base.name", legal="another name, or none")]
    number = 1
    while f"{item.name} {number}".casefold() in taken:
        number += 1
    return name or f"{item.name} {number}", []


@rule("4.4.5")
def _judge_scrap(state: CutlerState, race: Side, plan: BasePlan, sheet: TurnSheet, docks: Sequence[DockPlan]) -> None:
    """A base that is scrapped. 4.4.5, CU-R92, CU-N62"""
    line = sheet.scrap
    if line.base is None:
        return
    bases = {base.id: base for base in _bases(state, race)}
    base = bases.get(line.base)
    if base is None:
        near = nearest(line.base, bases)
        plan.refusals.append(malformed("you have no such base", "scrap.base", legal=", ".join(bases), nearest=near))
        return
    busy = any(dock.dock.base is base and (dock.work or dock.mends) for dock in docks)
    busy = busy or any(ship.id in sheet.salvage.ships for ship in state.units_in(base.hex, race))
    upgraded = plan.site is not None and plan.site.upgrades == base.id
    reason = why_not_scrapped(state, base)
    if reason is None and (busy or upgraded):
        reason = (f"something is begun at {base.name}", "4.4.5, CU-N62")
    if reason:
        plan.refusals.append(illegal(reason[0], reason[1], "scrap.base", legal="a whole base at which nothing is done"))
    elif not line.sure:
        plan.refusals.append(malformed("scrapping cannot be undone", "scrap.sure", legal="yes, if you mean it"))
    else:
        plan.scraps = base


def read_bases(plan: BasePlan) -> list[str]:
    """What a sheet says of bases, in plain words."""
    site, base = plan.site, plan.scraps
    told = [f"{site.cost} CPV of the Base Pool are set aside for {site.title} in {site.hex}."] if site else []
    return told + ([f"{base.name} is scrapped for {scrap_value(base)} CPV."] if base else [])


def warn_bases(state: CutlerState, race: Side, plan: BasePlan, loads: Mapping[str, int]) -> list[str]:
    """What a race would probably regret of it. ``loads`` are the CPV that each unit would hold."""
    told: list[str] = []
    if plan.site and not any(unit.builds_bases for unit in state.units_in(plan.site.hex, race)):
        told.append(f"No tug or large freighter with cargo boxes is in {plan.site.hex} to build (4.4.2).")
    if plan.scraps and loads.get(plan.scraps.id, plan.scraps.cargo_cpv):
        told.append(f"What {plan.scraps.name} stores is lost when it is scrapped (4.1.5).")
    return told
