"""Chapter 4.2: a sheet's orders to docking bays: what each does, and every defect."""

from dataclasses import dataclass, field

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import with_article
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice
from rules_engine.rulebooks.cutler.ch02_movement.convoys.police import nearest_posts
from rules_engine.rulebooks.cutler.ch04_economics.crews import crew_choices, crew_cost, read_crew, why_no_crew
from rules_engine.rulebooks.cutler.ch04_economics.docks import Dock, docks_of
from rules_engine.rulebooks.cutler.ch04_economics.officers import (
    only_with_a_new_ship,
    price_of_new,
    read_people,
    read_training,
    training_choices,
    training_cost,
    why_not_trained,
)
from rules_engine.rulebooks.cutler.ch04_economics.permits import (
    Reason,
    over_the_limits,
    refit_cost,
    why_not_built,
    why_not_here,
    why_not_refit,
    why_not_repaired,
)
from rules_engine.rulebooks.cutler.ch04_economics.plan import Demand
from rules_engine.rulebooks.cutler.ch04_economics.repairs import cost_of, damage, in_words, repaired_for
from rules_engine.rulebooks.cutler.records.accessories.catalogue import CrewQuality
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.economy import DockWork
from rules_engine.rulebooks.cutler.records.economy_lines import DockLine, name_in, not_a_name
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.yards import LEAST_REFIT

BUILD, REFIT, INTO, FOR, REPAIR, GIVE_UP = "build ", "refit ", " into ", " for ", "repair ", "give up"
SILENT = DockLine()
LONGEST_LABEL = 100


@dataclass
class DockPlan:
    """What a sheet has one docking bay do.

    ``work`` is what CPV go into, new or begun before, and ``then`` the class of a refit that follows on it; ``mends``
    is the unit that is repaired instead.
    """

    dock: Dock
    work: DockWork | None = None
    then: UnitClass | None = None
    mends: Unit | None = None
    demand: Demand | None = None
    gives_up: bool = False

    @property
    def cpv(self) -> int:
        """The CPV that go through its repair boxes."""
        return self.demand.gets if self.demand else 0

    @property
    def occupant(self) -> str:
        """The unit that lies here, if it is one."""
        return self.mends.id if self.mends else self.work.ship if self.work and not self.gives_up else ""


@dataclass
class DockPlans:
    """What all docking bays of a race do, and every defect."""

    plans: list[DockPlan] = field(default_factory=list[DockPlan])
    refusals: list[Refusal] = field(default_factory=list[Refusal])

    @property
    def demands(self) -> list[Demand]:
        """What they take through repair boxes, in the order of the bays."""
        return [plan.demand for plan in self.plans if plan.demand]

    def begun(self) -> list[tuple[str, UnitClass]]:
        """The classes that are begun, new or by refit, with the paths that say so."""
        found: list[tuple[str, UnitClass]] = []
        for plan in self.plans:
            if plan.work and not plan.dock.work and not plan.work.is_for_people:
                found.append((f"{plan.dock.key}.work", plan.work.into))
            if plan.then:
                found.append((f"{plan.dock.key}.then", plan.then))
        return found


# --- what is offered -------------------------------------------------------------------------------------------------


def work_choices(state: CutlerState, race: Side, dock: Dock) -> tuple[Choice, ...]:
    """What a bay's line offers: all that is legal there by itself."""
    ships = state.units_in(dock.base.hex, race)
    if dock.work:
        ships = [ship for ship in ships if ship.id == dock.work.ship]
        return (Choice(GIVE_UP, "Give it up", "its CPV are lost"), *_repair_choices(state, dock, ships))
    builds = [
        Choice(f"{BUILD}{key}{where}", f"Build: {item.name}{what}"[:LONGEST_LABEL], f"{item.cpv} CPV")
        for key, item in sorted(state.classes.items())
        if why_not_built(state, race, dock, item) is None
        for where, what in _posts(state, race, item, dock)
    ]
    refits = [
        Choice(
            f"{REFIT}{ship.id}{INTO}{key}",
            f"Refit: {ship.name} into {state.classes[key].name}"[:LONGEST_LABEL],
            f"{refit_cost(ship.record, state.classes[key])} CPV",
        )
        for ship in ships
        for key in sorted(ship.record.refits)
        if key in state.classes and why_not_refit(state, race, dock, ship, state.classes[key]) is None
    ]
    people = (*crew_choices(state, race, dock, ships), *training_choices(state, race, dock, ships))
    return (*_repair_choices(state, dock, ships), *builds, *refits, *people)


@rule("2.8")
def _posts(state: CutlerState, race: Side, item: UnitClass, dock: Dock) -> list[tuple[str, str]]:
    """The planets for which a police ship may be built, the nearest if none is named; all else is for none.
    2.8, CU-N85"""
    if item.kind != "police":
        return [("", "")]
    others = [(f"{FOR}{planet.key}", f" for {planet.name}") for planet in nearest_posts(state, race, dock.base.hex)]
    return [("", others[0][1]), *others[1:]]


def _repair_choices(state: CutlerState, dock: Dock, ships: list[Unit]) -> list[Choice]:
    return [
        Choice(
            f"{REPAIR}{ship.id}", f"Repair: {ship.title}"[:LONGEST_LABEL], f"{cost} CPV for {in_words(damage(ship))}"
        )
        for ship in ships
        if why_not_repaired(dock, ship) is None
        for cost in [cost_of(damage(ship), state.repair_points)]
    ]


def then_choices(state: CutlerState, race: Side, dock: Dock) -> tuple[Choice, ...]:
    """The refits that may follow in the same turn on what a bay completes in it."""
    if dock.work:
        first = [dock.work.into] if dock.work.cost - dock.work.paid < dock.boxes else []
    else:
        ships = [ship for ship in state.units_in(dock.base.hex, race) if dock.boxes > LEAST_REFIT]
        after = [state.classes[key] for ship in ships for key in ship.record.refits if key in state.classes]
        first = [*after, *(item for item in state.classes.values() if item.cpv < dock.boxes)]
    keys = sorted({key for item in first for key in item.refits} & state.classes.keys())
    items = [state.classes[key] for key in keys if why_not_here(state, race, dock, state.classes[key]) is None]
    return tuple(Choice(item.class_id, item.name) for item in items if not item.hybrid)


# --- judging ---------------------------------------------------------------------------------------------------------


@rule("4.2.1", "4.2.1.1", "4.2.1.3", "4.2.2", "4.2.3.5")
def judge_docks(state: CutlerState, race: Side, sheet: TurnSheet) -> DockPlans:
    """What a sheet has each docking bay do: one ship at a time, and a CPV for each of its own repair boxes at most.

    4.2.1, 4.2.1.1, 4.2.1.3, 4.2.2, 4.2.3.5, CU-R82, CU-R84
    """
    docks = docks_of(state, race)
    found = DockPlans()
    found.refusals += [
        malformed("you have no such docking bay", key, legal=", ".join(docks) or "none")
        for key in sheet.docks
        if key not in docks
    ]
    judge = _Judge(state, race)
    for key, dock in docks.items():
        plan, refusals = judge.dock(dock, sheet.docks.get(key, SILENT))
        found.plans.append(plan)
        found.refusals += refusals
    found.refusals += _docked_twice(state, found.plans)
    found.refusals += over_the_limits(found.begun())
    return found


@rule("4.2.3", "4.2.3.3", "4.3")
def _docked_twice(state: CutlerState, plans: list[DockPlan]) -> list[Refusal]:
    """A ship lies in one bay, so that it cannot be repaired and refit at once. 4.2.3, 4.2.3.3, 4.3"""
    refusals: list[Refusal] = []
    where: dict[str, str] = {}
    for plan in sorted(plans, key=lambda one: one.dock.work is None):
        ship, key = plan.occupant, plan.dock.key
        if ship and where.setdefault(ship, key) != key:
            text = f"{state.units[ship].name} lies in bay {where[ship]}"
            legal = f"its repair or refit in {where[ship]}"
            refusals.append(illegal(text, "4.2.1.1, 4.2.3.3, CU-R82, CU-R86", f"{key}.work", legal=legal))
    return refusals


class _Judge:
    """Judges bay after bay, so that no two new ships get one name."""

    def __init__(self, state: CutlerState, race: Side) -> None:
        self.state, self.race = state, race
        self.names = {unit.name.casefold() for unit in state.units.values() if unit.race == race}
        self.posts: set[str] = set()
        self.names |= {work.named.casefold() for work in state.works.values() if work.race == race}
        self.names |= {site.named.casefold() for site in state.sites.values() if site.race == race}

    def dock(self, dock: Dock, line: DockLine) -> tuple[DockPlan, list[Refusal]]:
        """What one bay does."""
        plan = DockPlan(dock, dock.work)
        if dock.work:
            refusals = self._go_on(plan, line)
        elif line.work is None:
            said = line.cpv or line.name or line.then or line.people
            text = "say what is begun in this bay"
            refusals = [malformed(text, f"{dock.key}.work", legal="a class to build")] if said else []
        else:
            refusals = self._begin(plan, line)
        refusals = refusals or self._follow(plan, line)
        return plan, refusals or self._ask_for(plan, line)

    @rule("4.2.1.1", "4.2.1.3", "4.3.1")
    def _go_on(self, plan: DockPlan, line: DockLine) -> list[Refusal]:
        """A bay that is taken: what is in it goes on, rests, is repaired, or is given up. 4.2.1.1, 4.2.1.3, 4.3.1"""
        dock, work = plan.dock, plan.dock.work
        ship = self.state.units.get(work.ship) if work else None
        if line.name:
            return [illegal("what is in this bay has its name", "4.2.1.1", f"{dock.key}.name", legal="leave it blank")]
        if people := only_with_a_new_ship(dock, line):
            return people
        if line.work == GIVE_UP:
            plan.gives_up = True
            if line.cpv:
                text = "nothing goes into what is given up"
                return [illegal(text, "4.2.1.1", f"{dock.key}.cpv", legal="0 or blank")]
        elif ship and line.work == f"{REPAIR}{ship.id}":
            return self._repair(plan, ship)
        elif line.work is not None:
            text, path = "this bay is taken until its ship is done, or given up", f"{dock.key}.work"
            return [illegal(text, "4.2.1.1, CU-R82", path, legal=f"blank, or {GIVE_UP}", nearest=(GIVE_UP,))]
        elif ship and damage(ship) and line.cpv:
            text = f"{ship.name} is damaged, so that its refit rests"
            return [illegal(text, "4.3.1", f"{dock.key}.cpv", legal=f"0, or {REPAIR}{ship.id}")]
        return []

    def _begin(self, plan: DockPlan, line: DockLine) -> list[Refusal]:
        """What is begun in a free bay."""
        text, path = line.work or "", f"{plan.dock.key}.work"
        ship, item = self._read(text)
        if item and not ship and text.startswith(BUILD):
            return self._build(plan, line, item)
        if people := only_with_a_new_ship(plan.dock, line):
            return people
        quality, named = read_crew(text)
        trained, pupil = read_training(self.state, self.race, text)
        if (quality or trained) and (manned := self._own(named or pupil)):
            if line.name:
                return [malformed("only a new ship takes a name", f"{plan.dock.key}.name", legal="leave it blank")]
            return self._man(plan, manned, quality) if quality else self._train(plan, manned, trained)
        if ship and line.name:
            return [malformed("only a new ship takes a name", f"{plan.dock.key}.name", legal="leave it blank")]
        if ship and item:
            reason = why_not_refit(self.state, self.race, plan.dock, ship, item)
            if not reason:
                plan.work = self._work_on(plan, ship, refit_cost(ship.record, item)).changed(into=item)
            return _refused(reason, path)
        if ship:
            return self._repair(plan, ship)
        offered = [choice.value for choice in work_choices(self.state, self.race, plan.dock)]
        near = nearest(text, offered)
        return [malformed("nothing like this can be begun", path, legal=", ".join(offered), nearest=near)]

    @rule("4.2.4.8", "4.2.3")
    def _man(self, plan: DockPlan, ship: Unit, quality: CrewQuality) -> list[Refusal]:
        """A better crew, which is a refit. 4.2.4.8, 4.2.3"""
        reason = why_no_crew(self.state, self.race, plan.dock, ship, quality)
        if not reason:
            plan.work = self._work_on(plan, ship, crew_cost(self.state, ship, quality)).changed(crew=quality)
        return _refused(reason, f"{plan.dock.key}.work")

    @rule("4.2.4.8", "4.2.3")
    def _train(self, plan: DockPlan, ship: Unit, key: str) -> list[Refusal]:
        """A legendary officer or an ace for a ship that is built, which is a refit. 4.2.4.8, 4.2.3"""
        item = self.state.accessories[key]
        reason = why_not_trained(self.state, self.race, plan.dock, ship, item)
        if not reason:
            plan.work = self._work_on(plan, ship, training_cost(item)).changed(trains=key, person=item.name)
        return _refused(reason, f"{plan.dock.key}.work")

    def _work_on(self, plan: DockPlan, ship: Unit, cost: int) -> DockWork:
        """Work on a ship that stays as it is, for so many CPV."""
        return DockWork(
            base=plan.dock.base.id,
            bay=plan.dock.bay,
            race=self.race,
            into=ship.record,
            named=ship.name,
            ship=ship.id,
            cost=cost,
        )

    def _read(self, text: str) -> tuple[Unit | None, UnitClass | None]:
        """The own unit and the class that an order names, where it is one."""
        if text.startswith(BUILD):
            return None, self.state.classes.get(text.removeprefix(BUILD).partition(FOR)[0])
        if text.startswith(REPAIR):
            return self._own(text.removeprefix(REPAIR)), None
        ship, _, item = text.removeprefix(REFIT).rpartition(INTO)
        found = self.state.classes.get(item)
        return (self._own(ship), found) if text.startswith(REFIT) and found else (None, None)

    def _own(self, key: str) -> Unit | None:
        unit = self.state.units.get(key)
        return unit if unit and unit.race == self.race and not unit.destroyed else None

    def _build(self, plan: DockPlan, line: DockLine, item: UnitClass) -> list[Refusal]:
        if reason := why_not_built(self.state, self.race, plan.dock, item):
            return _refused(reason, f"{plan.dock.key}.work")
        path = f"{plan.dock.key}.name"
        name = name_in(line.name) or self._new_name(item)
        if defects := not_a_name(name, path):
            return defects
        if name.casefold() in self.names:
            return [malformed(f"you have another {name!r}", path, legal="another name, or none")]
        post, defects = self._post(plan, line.work or "", item)
        if defects:
            return defects
        quality, officers, defects = read_people(self.state, self.race, plan.dock, line, item)
        if defects:
            return defects
        self.names.add(name.casefold())
        plan.work = DockWork(
            base=plan.dock.base.id,
            bay=plan.dock.bay,
            race=self.race,
            into=item,
            named=name,
            post=post,
            cost=price_of_new(self.state, self.race, item, quality, officers),
            manned=quality,
            officers=officers,
        )
        return []

    @rule("2.8")
    def _post(self, plan: DockPlan, text: str, item: UnitClass) -> tuple[str, list[Refusal]]:
        """The planet of a new police ship, by key: as named, else the nearest that needs one; "" for other ships. Two
        bays build none for the same planet. 2.8, CU-N85"""
        named = text.partition(FOR)[2]
        if item.kind != "police":
            why = malformed(
                "only a police ship is built for a planet", f"{plan.dock.key}.work", legal=f"{BUILD}a class"
            )
            return "", [why] if named else []
        posts = nearest_posts(self.state, self.race, plan.dock.base.hex)
        free = [planet.key for planet in posts if planet.key not in self.posts]
        post = named or "".join(free[:1])
        if post not in free:
            said = "this planet has a police ship, or gets one"
            legal = ", ".join(free) or "no police ship"
            return "", [illegal(said, "2.8, CU-N85", f"{plan.dock.key}.work", legal=legal, nearest=nearest(post, free))]
        self.posts.add(post)
        return post, []

    def _new_name(self, item: UnitClass) -> str:
        number = 1
        while f"{item.name} {number}".casefold() in self.names:
            number += 1
        return f"{item.name} {number}"

    def _repair(self, plan: DockPlan, ship: Unit) -> list[Refusal]:
        plan.mends = ship
        return _refused(why_not_repaired(plan.dock, ship), f"{plan.dock.key}.work")

    @rule("4.2.3.3")
    def _follow(self, plan: DockPlan, line: DockLine) -> list[Refusal]:
        """The refit that follows on what is completed in the same turn. 4.2.3.3, CU-R86"""
        if line.then is None:
            return []
        path, dock, work = f"{plan.dock.key}.then", plan.dock, plan.work
        if not work or plan.mends or plan.gives_up or work.is_for_people:
            return [illegal("only a ship that is built or refit here is refit then", "4.2.3.3, CU-R86", path)]
        item = self.state.classes.get(line.then)
        if item is None or line.then not in work.into.refits:
            text, legal = f"{with_article(work.into.name)} is not made into that", ", ".join(work.into.refits) or "none"
            return [illegal(text, "4.2.3.1, 4.2.3.4, CU-R87", path, legal=legal)]
        if item.hybrid:
            return [illegal(f"{with_article(item.name)} is made of a prize alone", "5.1", path, legal="leave it blank")]
        if reason := why_not_here(self.state, self.race, dock, item):
            return _refused(reason, path)
        if work.cost - work.paid >= dock.boxes:
            text = f"{work.title} leaves no repair box of the bay free in this turn"
            return [illegal(text, "4.2.3.3, 4.2.1.1", path, legal="in a later turn")]
        plan.then = item
        return []

    @rule("4.2.1", "4.2.1.1", "4.3")
    def _ask_for(self, plan: DockPlan, line: DockLine) -> list[Refusal]:
        """The CPV that a bay takes. 4.2.1, 4.2.1.1, 4.3"""
        dock, work = plan.dock, plan.work
        if plan.mends:
            points = self.state.repair_points
            left = cost_of(damage(plan.mends), points)
            most = cost_of(repaired_for(plan.mends, points, min(dock.boxes, left)), points)
        elif work and not plan.gives_up and not (work.ship and damage(self.state.units[work.ship])):
            left = work.cost - work.paid + (refit_cost(work.into, plan.then) if plan.then else 0)
            most = min(dock.boxes, left)
        else:
            return []
        plan.demand = Demand(f"{dock.key}.cpv", dock.base.hex, most, line.cpv)
        if line.cpv is None or line.cpv <= most:
            return []
        text = f"bay {dock.bay} has {dock.boxes} repair boxes, and {left} CPV are to pay"
        return [illegal(text, "4.2.1, 4.2.1.1, CU-R82", f"{dock.key}.cpv", legal=f"0 to {most}")]


def docked_in(state: CutlerState, race: Side, sheet: TurnSheet) -> set[str]:
    """The ships that docking bays work on, by id. 4.2.1.1"""
    return {plan.occupant for plan in judge_docks(state, race, sheet).plans} - {""}


def _refused(reason: Reason, path: str) -> list[Refusal]:
    if reason is None:
        return []
    problem, rule_id, legal = reason
    return [illegal(problem, rule_id, path, legal=legal)]
