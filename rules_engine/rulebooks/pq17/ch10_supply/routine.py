"""The routine of chapter 10: the logistics plan made for a side that orders nothing.

In port, ships are docked by need; their engines are filled, what else they lack is made from the base's supply, and
freighters unload what the base has room for. Underway, ships that carry supply fill the engines of the ships
docked to them. Only whole supply points are moved, so that nothing is lost.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch10_supply.docking import Yard, can_dock, can_join, join, link_groups, yards
from rules_engine.rulebooks.pq17.ch10_supply.stores import cargo_room, held, own_room, put, take
from rules_engine.rulebooks.pq17.ch10_supply.transfers import BY_DEFAULT, berth
from rules_engine.rulebooks.pq17.nations.unloading import is_handed_over, unloading_refusal
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup, GoodsTransfer, LogisticsPlan, SupplyRoutine
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass
from rules_engine.rulebooks.pq17.tables.supply import PAIR_LIMIT, PER_POINT, Goods, worth

USUAL = SupplyRoutine()


def routine_of(state: State, side: Side) -> SupplyRoutine:
    """A side's settings for its logistics."""
    return state.supply_routine.get(side, USUAL)


@rule("10.3.7.2", "10.3.8.1", "10.3.9.1")
def routine_plan(state: State, side: Side, wanted: Mapping[str, int] | None = None) -> LogisticsPlan:
    """The plan that a side's logistics sheet proposes. ``wanted`` adds to each unit's need of a docking position, for
    repair say. PQ-17 10.3.7.2, 10.3.8.1, 10.3.9.1."""
    found = yards(state, side)
    plan = empty_plan(state, found)
    links = list(plan.groups)
    for yard in found:
        quartermaster = _Quartermaster(state, yard, wanted or {}, [one for one in links if one.host in yard.units])
        quartermaster.work()
        plan.groups += quartermaster.docked()
        plan.transfers += quartermaster.transfers
    return plan


def empty_plan(state: State, found: Sequence[Yard]) -> LogisticsPlan:
    """A plan that moves nothing: its only groups are tenders with their patrol ships."""
    units = [unit for yard in found for unit in yard.units]
    return LogisticsPlan(groups=link_groups(state, found), in_port=ports(found), units=units)


def ports(found: Sequence[Yard]) -> dict[str, str]:
    """For each unit in a port's yard, the base cluster it is in port with."""
    return {unit: yard.key for yard in found if yard.in_port for unit in yard.units}


def missing(state: State, unit: Unit) -> dict[Goods, int]:
    """What a unit's own stores lack, in whole supply points."""
    kind = state.class_of(unit)
    return {goods: points for goods in BY_DEFAULT if (points := lacks(kind, unit, goods))}


def lacks(kind: ShipClass, unit: Unit, goods: Goods) -> int:
    """What a unit's own stores lack of one kind, in whole supply points."""
    room = own_room(kind, unit, goods)
    return int(worth(goods, room)) if room else 0


@rule("10.2.7.1")
def is_carrier(state: State, unit: Unit) -> bool:
    """Whether it carries supply for others: a freighter, or a pod of cargo. PQ-17 10.2.7.1."""
    kind = state.class_of(unit)
    return kind.is_freighter or kind.unit_kind == "pod"


def is_tanker(state: State, unit: Unit) -> bool:
    """Whether the routine takes ships' fuel from it: not from a convoy's freighter, which keeps its cargo for its
    destination."""
    return is_carrier(state, unit) and unit.id not in state.progress.freighters


class _Quartermaster:
    """Plans one yard on copies of the units that give or take, so that no goods are promised twice."""

    def __init__(self, state: State, yard: Yard, wanted: Mapping[str, int], links: Sequence[DockedGroup]) -> None:
        self.state = state
        self.yard = yard
        self.wanted = wanted
        self.groups = list(links)
        self.transfers: list[GoodsTransfer] = []
        self.units = {one: state.units[one] for one in yard.units}
        self.berths = {one: berth(state, one) for one in yard.units}

    def work(self) -> None:
        """Dock, refuel, restock, unload."""
        if self.yard.in_port:
            self._dock_in_port()
        else:
            self._dock_underway()
        for group in self.groups:
            self._refuel(group)
        if self.yard.in_port:
            for group in self.groups:
                self._restock(group)
            for group in self.groups:
                self._unload(group)

    def docked(self) -> list[DockedGroup]:
        """The groups it forms, without ships that pass nothing on and are not needed for anything else."""
        busy = {self.berths[end] for one in self.transfers for end in (one.source, one.target)}
        formed = [group for group in self.groups if not group.links]
        for group in formed:
            group.docked = [one for one in group.docked if one in busy or self.wanted.get(one)]
        return [group for group in formed if group.docked]

    # --- docking ------------------------------------------------------------------------------------------------------

    def _dock_in_port(self) -> None:
        hosts = [one for one in self.yard.units if self._is_base(one)]
        needs = {one: self._need(one) for one in self.yard.units if can_dock(self.state, self.units[one])}
        for ship in sorted(filter(needs.get, needs), key=lambda one: (-needs[one], one)):
            host = next((one for one in hosts if can_join(self.state, self.groups, one, ship)), None)
            if host is not None:
                join(self.groups, host, ship)

    def _dock_underway(self) -> None:
        """Each carrier docks the ships that lack most fuel."""
        stocks = {one: self._stock(one) for one in self.yard.units if can_dock(self.state, self.units[one])}
        hosts = [one for one in stocks if stocks[one]]
        lacking = {one: self._lacks(one, Goods.FUEL) for one in self.yard.units if one not in hosts} if hosts else {}
        ships = sorted(filter(lacking.get, lacking), key=lambda one: (-lacking[one], one))
        for host in sorted(hosts, key=lambda one: (-stocks[one], one)):
            for ship in ships:
                if can_join(self.state, self.groups, host, ship):
                    join(self.groups, host, ship)

    def _need(self, unit_id: str) -> int:
        """How much a ship needs a docking position: by what it lacks, brings, and is wanted for."""
        unit = self.units[unit_id]
        brings = unit.supply if is_carrier(self.state, unit) else 0
        return brings + sum(missing(self.state, unit).values()) + self.wanted.get(unit_id, 0)

    def _stock(self, unit_id: str) -> int:
        """The supply that a ship and its pods carry for others."""
        aboard = (self.units[one] for one in self.yard.units if self.berths[one] == unit_id)
        return sum(unit.supply for unit in aboard if is_tanker(self.state, unit))

    def _lacks(self, unit_id: str, goods: Goods) -> int:
        unit = self.units[unit_id]
        return lacks(self.state.class_of(unit), unit, goods)

    def _is_base(self, unit_id: str) -> bool:
        return self.state.class_of(self.units[unit_id]).is_base

    # --- moving goods -------------------------------------------------------------------------------------------------

    def _aboard(self, group: DockedGroup) -> list[str]:
        """All units that a group's transfers may name, hosts first: its members and the pods they carry."""
        order = {member: place for place, member in enumerate(group.members())}
        aboard = [one for one in self.yard.units if self.berths[one] in order]
        return sorted(aboard, key=lambda one: (order[self.berths[one]], one != self.berths[one], one))

    def _givers(self, aboard: Sequence[str]) -> list[str]:
        """The units among them that have supply for others: bases first, then carriers."""
        stocked = [one for one in aboard if self.units[one].supply]
        bases = [one for one in stocked if self._is_base(one)]
        return bases + [one for one in stocked if is_tanker(self.state, self.units[one])]

    def _refuel(self, group: DockedGroup) -> None:
        aboard = self._aboard(group)
        givers = self._givers(aboard)
        for ship in aboard if givers else ():
            for giver in givers:
                if self.berths[giver] != self.berths[ship]:
                    self._give(group, giver, ship, Goods.FUEL)

    def _restock(self, group: DockedGroup) -> None:
        bases = [one for one in self._givers(self._aboard(group)) if self._is_base(one)]
        lacking = {ship: missing(self.state, self.units[ship]) for ship in group.docked} if bases else {}
        for goods in BY_DEFAULT[2:]:
            for ship, lacked in lacking.items():
                for base in bases if goods in lacked else ():
                    self._give(group, base, ship, goods)

    def _give(self, group: DockedGroup, giver: str, ship: str, goods: Goods) -> None:
        """Plan as many whole supply points, converted into ``goods``, as ``giver`` has and ``ship`` lacks."""
        has = self.units[giver].supply
        points = min(has, self._lacks(ship, goods)) if has else 0
        if points and not self.yard.in_port:
            points = min(points, self._rate_left(group, giver, ship))
        if points > 0:
            self._pass_on(giver, Fraction(points), ship, goods, points * PER_POINT[goods])
            self._add(giver, ship, Fraction(points), into=goods)

    def _unload(self, group: DockedGroup) -> None:
        """Plan that freighters give their supply to the base; pods keep theirs, for their tug to carry on. What is
        handed over comes first, whether or not it finds room: it leaves the others less."""
        freighters = [one for one in group.docked if self.state.class_of(self.units[one]).is_freighter]
        handed_over = {one: is_handed_over(self.state, self.units[one], self.units[group.host]) for one in freighters}
        for giver in sorted(freighters, key=lambda one: not handed_over[one]) if self._is_base(group.host) else ():
            unit, host = self.units[giver], self.units[group.host]
            if unloading_refusal(self.state, unit, host) is not None:
                continue
            amount = held(unit, Goods.SUPPLY)
            if not handed_over[giver]:
                amount = min(amount, cargo_room(host, Goods.SUPPLY))
            if amount:
                self._pass_on(giver, amount, group.host, Goods.SUPPLY, amount)
                self._add(giver, group.host, amount)

    def _pass_on(self, giver: str, amount: Fraction, taker: str, goods: Goods, received: Fraction) -> None:
        for one in (giver, taker):
            if self.units[one] is self.state.units[one]:
                self.units[one] = self.state.units[one].copied()
        take(self.units[giver], Goods.SUPPLY, amount)
        put(self.state.class_of(self.units[taker]), self.units[taker], goods, received)

    def _add(self, giver: str, taker: str, amount: Fraction, *, into: Goods | None = None) -> None:
        one = GoodsTransfer(source=giver, target=taker, goods=Goods.SUPPLY, amount=amount, into=into)
        self.transfers.append(one)

    @rule("T4")
    def _rate_left(self, group: DockedGroup, giver: str, ship: str) -> int:
        """The supply points that Table 4 still allows between two berths underway. PQ-17 T4, rulings SUP-1, SUP-14b."""
        docked = [one for one in (self.berths[giver], self.berths[ship]) if one != group.host]
        return min(int(PAIR_LIMIT - self._passed(one)) for one in docked)

    def _passed(self, ship: str) -> Fraction:
        ends = ((one, (self.berths[one.source], self.berths[one.target])) for one in self.transfers)
        return sum((worth(one.goods, one.amount) for one, both in ends if ship in both), Fraction(0))


@rule("10.3.10.1", "9.9")
def upkeep(state: State, side: Side) -> list[GoodsTransfer]:
    """The end of the turn: units that carry supply, or fuel as cargo, fill up their own engines as their side has set;
    bases always fill up. PQ-17 10.3.10.1, 9.9, rulings FUE-2, SUP-12."""
    wish = routine_of(state, side).refuel
    lines: list[GoodsTransfer] = []
    for tf in state.all_task_forces(side) if wish != "never" else ():
        for unit in state.units_of(tf):
            if not unit.supply and not unit.fuel_cargo:
                continue
            parts = 2 if wish == "half" and not tf.is_base else 1
            lacked = Fraction(unit.power_boxes, parts) - unit.fuel
            if lacked <= 0:
                continue
            stowed = min(lacked, unit.fuel_cargo)
            points = min(int(lacked - stowed), unit.supply)
            if stowed:
                lines.append(GoodsTransfer(source=unit.id, target=unit.id, goods=Goods.FUEL, amount=stowed))
            if points:
                amount = Fraction(points)
                own = GoodsTransfer(source=unit.id, target=unit.id, goods=Goods.SUPPLY, amount=amount, into=Goods.FUEL)
                lines.append(own)
    return lines
