"""Chapter 4.2: what may be begun in docking bays, and the limits of what is begun in a turn."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice
from rules_engine.rulebooks.cutler.ch04_economics.docks import Dock, can_build, docks_of
from rules_engine.rulebooks.cutler.ch04_economics.plan import Demand
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.economy import DockWork
from rules_engine.rulebooks.cutler.records.economy_lines import DockLine
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.records.yards import BUILT_IN_DOCKS, CAPITAL_HULLS, CARRIER_HULLS

BUILD, GIVE_UP = "build ", "give up"
SILENT = DockLine()


@dataclass
class DockPlan:
    """What a sheet has one docking bay do. ``work`` is what CPV go into, new or begun before; None: nothing."""

    dock: Dock
    work: DockWork | None = None
    demand: Demand | None = None
    gives_up: bool = False

    @property
    def cpv(self) -> int:
        """The CPV that are channelled here."""
        return self.demand.gets if self.demand else 0


@dataclass
class DockPlans:
    """What all docking bays of a race do, and every defect."""

    plans: list[DockPlan] = field(default_factory=list[DockPlan])
    refusals: list[Refusal] = field(default_factory=list[Refusal])

    @property
    def demands(self) -> list[Demand]:
        """What they take through repair boxes, in the order of the bays."""
        return [plan.demand for plan in self.plans if plan.demand]


# --- what may be begun -----------------------------------------------------------------------------------------------


@rule("4.2.1", "4.2.1.2", "4.4.1")
def why_not_built(state: CutlerState, race: Side, dock: Dock, item: UnitClass) -> tuple[str, str, str] | None:
    """Why a class cannot be built in a bay: the problem, its rule, and what would be legal. None: it can.

    4.2.1, 4.2.1.2, 4.4.1, CU-R83
    """
    where = f"{dock.base.name}, a {dock.base.record.name},"
    if item.kind == "base":
        return f"a {item.name} is no ship", "4.4.1", "a base is built from the Base Pool, at its site"
    if item.kind not in BUILT_IN_DOCKS:
        return f"a {item.name} moves in convoys, which are not played yet", "2.7", "a warship"
    if item.empire not in ("any", race):
        return f"a {item.name} is of another race", "4.2.1", f"classes of the {state.name_of(race)}, or of any race"
    if not can_build(dock.base.record, item):
        return f"{where} builds no units of size class {item.size_class}", "4.2.1.2, CU-R83", "another base, or class"
    if not item.cpv:
        return f"a {item.name} has no price", "4.1.1", "a class with an economic BPV"
    if item.kind == "police" and not any(planet.hex == dock.base.hex for planet in state.planets_of(race)):
        return "a police ship belongs to a planet", "2.8", "a base in the hex of a planet of yours"
    return None


def work_choices(state: CutlerState, race: Side, dock: Dock) -> tuple[Choice, ...]:
    """What a bay's line offers."""
    if dock.work:
        return (Choice(GIVE_UP, "Give it up", "its CPV are lost"),)
    return tuple(
        Choice(f"{BUILD}{key}", f"Build: {item.name}", f"{item.cpv} CPV")
        for key, item in sorted(state.classes.items())
        if why_not_built(state, race, dock, item) is None
    )


# --- judging ---------------------------------------------------------------------------------------------------------


@rule("4.2.1", "4.2.1.1", "4.2.1.3", "4.2.2")
def judge_docks(state: CutlerState, race: Side, sheet: TurnSheet) -> DockPlans:
    """What a sheet has each docking bay do: one ship at a time, and a CPV for each of its own repair boxes at most.

    4.2.1, 4.2.1.1, 4.2.1.3, 4.2.2, CU-R82, CU-R84
    """
    docks = docks_of(state, race)
    found = DockPlans()
    found.refusals += [
        malformed("you have no such docking bay", key, legal=", ".join(docks) or "none")
        for key in sheet.docks
        if key not in docks
    ]
    names = _names(state, race)
    for key, dock in docks.items():
        plan, refusals = _judge_dock(state, race, dock, sheet.docks.get(key, SILENT), names)
        found.plans.append(plan)
        found.refusals += refusals
    begun = [(plan.dock.key, plan.work.into) for plan in found.plans if plan.work and not plan.dock.work]
    found.refusals += over_the_limits(begun)
    return found


def _judge_dock(
    state: CutlerState, race: Side, dock: Dock, line: DockLine, names: set[str]
) -> tuple[DockPlan, list[Refusal]]:
    plan = DockPlan(dock, dock.work)
    refusals: list[Refusal] = []
    if dock.work:
        refusals += _judge_going_on(plan, dock, line)
    elif line.work is None:
        if line.cpv or line.name:
            refusals.append(malformed("say what is begun in this bay", f"{dock.key}.work", legal="a class to build"))
    else:
        plan.work, refusals = _begin(state, race, dock, line, names)
    if plan.work and not plan.gives_up and not refusals:
        most = min(dock.boxes, plan.work.cost - plan.work.paid)
        plan.demand = Demand(f"{dock.key}.cpv", dock.base.hex, most, line.cpv)
        if line.cpv is not None and line.cpv > most:
            text = f"bay {dock.bay} has {dock.boxes} repair boxes, and {plan.work.cost - plan.work.paid} CPV are to pay"
            refusals.append(illegal(text, "4.2.1, 4.2.1.1, CU-R82", f"{dock.key}.cpv", legal=f"0 to {most}"))
    return plan, refusals


@rule("4.2.1.1", "4.2.1.3")
def _judge_going_on(plan: DockPlan, dock: Dock, line: DockLine) -> list[Refusal]:
    """A bay that is taken: what is in it goes on, rests, or is given up. 4.2.1.1, 4.2.1.3"""
    if line.work is None:
        if line.name:
            return [illegal("what is in this bay has its name", "4.2.1.1", f"{dock.key}.name", legal="leave it blank")]
        return []
    if line.work != GIVE_UP:
        text = "this bay is taken until its ship is done, or given up"
        return [illegal(text, "4.2.1.1, CU-R82", f"{dock.key}.work", legal=f"blank, or {GIVE_UP}", nearest=(GIVE_UP,))]
    if line.cpv:
        return [illegal("nothing goes into what is given up", "4.2.1.1", f"{dock.key}.cpv", legal="0 or blank")]
    plan.gives_up = True
    return []


def _begin(
    state: CutlerState, race: Side, dock: Dock, line: DockLine, names: set[str]
) -> tuple[DockWork | None, list[Refusal]]:
    text, path = line.work or "", f"{dock.key}.work"
    item = state.classes.get(text.removeprefix(BUILD)) if text.startswith(BUILD) else None
    if item is None:
        offered = [choice.value for choice in work_choices(state, race, dock)]
        return None, [
            malformed("nothing like this can be begun", path, legal=", ".join(offered), nearest=nearest(text, offered))
        ]
    if reason := why_not_built(state, race, dock, item):
        problem, rule_id, legal = reason
        return None, [illegal(problem, rule_id, path, legal=legal)]
    name = " ".join((line.name or "").split()) or _new_name(item, names)
    if name.casefold() in names:
        return None, [malformed(f"you have another {name!r}", f"{dock.key}.name", legal="another name, or none")]
    names.add(name.casefold())
    return DockWork(base=dock.base.id, bay=dock.bay, race=race, into=item, named=name, cost=item.cpv), []


def _names(state: CutlerState, race: Side) -> set[str]:
    taken = {unit.name.casefold() for unit in state.units.values() if unit.race == race}
    return taken | {work.named.casefold() for work in state.works.values() if work.race == race}


def _new_name(item: UnitClass, taken: set[str]) -> str:
    number = 1
    while f"{item.name} {number}".casefold() in taken:
        number += 1
    return f"{item.name} {number}"


@rule("4.2.2")
def limits_on(item: UnitClass) -> list[str]:
    """The groups of classes of which a race may begin one a turn, and to which this class belongs. 4.2.2, CU-R84"""
    groups = {
        "dreadnought, SCS or CVA": item.hull_type in CAPITAL_HULLS,
        "BCH": item.hull_type == "BCH",
        "command cruiser": item.hull_type == "CC",
        "scout": item.kind == "ship" and item.special_sensors > 0,
        "carrier": item.fighters > 0 or item.hull_type in CARRIER_HULLS or "carrier" in item.marks,
        "PF tender": item.is_pf_tender,
        "tug": item.hull_type == "TUG" or not {"tug", "ltt"}.isdisjoint(item.marks),
        "mauler or other special ship": not {"mauler", "special"}.isdisjoint(item.marks),
    }
    return [group for group, belongs in groups.items() if belongs]


@rule("4.2.2")
def over_the_limits(begun: Iterable[tuple[str, UnitClass]]) -> list[Refusal]:
    """Refusals of what is begun in a turn beyond one of each limited group. What was not begun before saves nothing.

    4.2.2, CU-R84
    """
    first: dict[str, str] = {}
    refusals: list[Refusal] = []
    for key, item in begun:
        for group in limits_on(item):
            if first.setdefault(group, key) != key:
                text = f"one {group} may be begun a turn, and {first[group]} begins one"
                refusals.append(illegal(text, "4.2.2, CU-R84", f"{key}.work", legal="another class, or a later turn"))
    return refusals
