"""Reading a deployment sheet: which ships each line takes, where they begin, and all defects.

Ships that no line names begin at their nation's home, in port where a base is there. PQ-17 C.oob.*.deployment.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import RootModel

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import verb
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.item_lists import pieces, with_count
from rules_engine.rulebooks.pq17.ch01_forces.deployment_groups import Ground, Judged, Placed, judge, site_refusals
from rules_engine.rulebooks.pq17.ch01_forces.new_units import short_class
from rules_engine.rulebooks.pq17.ch01_forces.purchase_words import find_class
from rules_engine.rulebooks.pq17.orders.order_sheets import read_name
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.order_of_battle import BaseEntry, DeployLine, OrderOfBattleForce
from rules_engine.rulebooks.pq17.tables.unit_types import BY_SIZE, size_category, unit_type

NO_LINE = DeployLine()

Troops = Mapping[str, Sequence[Unit]]
"""What was bought, by force."""


class DeploySheet(RootModel[dict[str, DeployLine]]):
    """Where a side's forces begin."""


@dataclass
class DeploymentPlan:
    """A deployment sheet as it was read: where each ship begins, where bases are placed, and all defects."""

    placed: list[Placed] = field(default_factory=list[Placed])
    sites: dict[str, HexId] = field(default_factory=dict[str, HexId])
    """The hexes of bases with a zone, by key."""
    bases: dict[str, HexId] = field(default_factory=dict[str, HexId])
    """The hexes of all its bases, by key."""
    refusals: list[Refusal] = field(default_factory=list[Refusal])
    judged: Judged = field(default_factory=Judged)
    named: frozenset[str] = frozenset()
    """The ids of ships that a line names."""
    left_over: list[Unit] = field(default_factory=list[Unit])
    """Ships that no line takes."""


def understand(state: State, side: Side, troops: Troops, sheet: DeploySheet) -> DeploymentPlan:
    """Where the sheet puts everything, and every defect of it. PQ-17 C.oob.*.deployment."""
    plan = DeploymentPlan()
    for entry in sites_of(state, side):
        hex_id = sheet.root.get(entry.key, NO_LINE).hex or ""
        plan.sites[entry.key] = hex_id
        plan.refusals += site_refusals(state, entry, hex_id, f"{entry.key}.hex")
    bases = own_bases(state, side) | {key: one for key, one in plan.sites.items() if one in state.grid}
    plan.bases = bases
    force_of = {unit.id: force.key for force in deployed(state, side) for unit in troops.get(force.key, ())}
    stock = [unit for force in deployed(state, side) for unit in troops.get(force.key, ())]
    plan.named = called_by_name((line.units or "" for line in sheet.root.values()), stock)
    sites = set(plan.sites)
    escorts = set(joined(state, side))
    for key, line in sheet.root.items():
        if key in sites:
            continue
        plan.refusals += read_name(line.name or "", f"{key}.name")[1]
        units = _units_of_line(state, key, line.units or "", stock, plan)
        hex_id, port = ("", "")
        if units and key not in escorts:
            hex_id, port = _place_of(state, key, line, bases, plan)
        for unit in units:
            joins = key if key in escorts else ""
            plan.placed.append(Placed(unit, force_of[unit.id], key, hex_id, port, joins))
    plan.left_over = stock
    for unit in stock:
        home = state.settings.campaign.nation_of(unit.nation).home
        port = next((key for key, place in bases.items() if place == home), "")
        plan.placed.append(Placed(unit, force_of[unit.id], "", home, port))
    settled = [one for one in plan.placed if one.hex in state.grid or one.joins]
    plan.judged = judge(Ground(state, side, bases), settled, {key: f"{key}.hex" for key in sheet.root})
    plan.refusals += plan.judged.refusals
    return plan


def own_bases(state: State, side: Side) -> dict[str, HexId]:
    """The hexes of the side's existing bases, by key."""
    found = [tf for tf in state.all_task_forces(side) if tf.base is not None]
    return {tf.base.key or tf.id: tf.hex for tf in found if tf.base is not None}


def _units_of_line(state: State, key: str, text: str, stock: list[Unit], plan: DeploymentPlan) -> list[Unit]:
    taken: list[Unit] = []
    path = f"{key}.units"
    for part in pieces(text):
        found = take(state, part, stock, plan.named)
        count, word = with_count(part)
        by_name = called_by_name([part], found)
        if not found:
            kinds = sorted({short_class(unit.class_id) for unit in stock})
            names = [unit.name for unit in stock]
            near = nearest(word, kinds) or nearest(part, names)
            problem = f"there is no “{word}” left to place"
            plan.refusals.append(malformed(problem, path, legal=say_ships(stock) or "all are placed", nearest=near))
        elif not by_name and len(found) < count:
            problem = f"{count} {word} where {len(found)} {verb(len(found), 'is', 'are')} left"
            plan.refusals.append(illegal(problem, "PQ-17 C.oob deployment", path, legal=f"at most {len(found)}"))
        strike(stock, found)
        taken += found
    return taken


@rule("5.2.3.5")
def _place_of(
    state: State, key: str, line: DeployLine, bases: Mapping[str, HexId], plan: DeploymentPlan
) -> tuple[HexId, str]:
    """The hex of a line, and the base it is in port with. PQ-17 5.2.3.5."""
    hex_id = line.hex or ""
    if hex_id not in state.grid:
        problem = f"{hex_id} is not on the map" if hex_id else "its hex is missing"
        plan.refusals.append(
            malformed(problem, f"{key}.hex", legal=f"{state.grid.hexes()[0]}-{state.grid.hexes()[-1]}")
        )
        return "", ""
    if not line.port:
        return hex_id, ""
    port = next((name for name, place in bases.items() if place == hex_id), "")
    if not port:
        legal = ", ".join(sorted(set(bases.values())))
        plan.refusals.append(
            illegal(f"there is no base of yours in {hex_id}", "PQ-17 5.2.3.5", f"{key}.port", legal=legal)
        )
    return hex_id, port


# --- the ships of a line ------------------------------------------------------------------------------------------


def called_by_name(texts: Iterable[str], stock: Sequence[Unit]) -> frozenset[str]:
    """The ids of ships that lines give by name; a count of their class in another line does not take them."""
    said = {part.casefold() for text in texts for part in pieces(text)}
    return frozenset(unit.id for unit in stock if unit.name.casefold() in said)


def take(state: State, part: str, stock: Sequence[Unit], named: Collection[str] = ()) -> list[Unit]:
    """The ships that one item of a line stands for, as many as there are: by name; by class; and, where the class is a
    category's plain hull and has run out, others of that nation and category. Ships ``named`` in any line
    are taken by name only."""
    called = [unit for unit in stock if unit.name.casefold() == part.casefold()]
    if called:
        return called[:1]
    stock = [unit for unit in stock if unit.id not in named]
    count, word = with_count(part)
    kind, _ = find_class(word, list(state.classes.values()), "")
    kinds = list({unit.class_id: state.class_of(unit) for unit in stock}.values())
    own, _ = find_class(word, kinds, "")
    kind = own or kind
    if kind is None:
        return []
    exact = [unit for unit in stock if unit.class_id == kind.class_id]
    others = [unit for unit in stock if unit.class_id != kind.class_id]
    if short_class(kind.class_id) not in BY_SIZE:
        hull = kind.hull_group if kind.hull_group == kind.class_id else ""
        like = [unit for unit in others if hull and state.class_of(unit).hull_group == hull]
        return [*exact, *like][:count]
    similar = [
        unit
        for unit in others
        if state.class_of(unit).empire == kind.empire
        and unit_type(state.class_of(unit)) == "warship"
        and size_category(state.class_of(unit)) == size_category(kind)
    ]
    return [*exact, *similar][:count]


def strike(stock: list[Unit], taken: Iterable[Unit]) -> None:
    """Take ships out of the stock."""
    gone = {unit.id for unit in taken}
    stock[:] = [unit for unit in stock if unit.id not in gone]


# --- forces and bases ------------------------------------------------------------------------------------------


def deployed(state: State, side: Side) -> list[OrderOfBattleForce]:
    """The side's forces that begin on the map."""
    campaign = state.settings.campaign
    return [one for one in campaign.force if one.arrives == "deployed" and campaign.nation_of(one.nation).side == side]


def joined(state: State, side: Side) -> list[str]:
    """The forces off the map with which ships of the side may come on. PQ-17 ruling SCN-33."""
    campaign = state.settings.campaign
    mine = {one.key for one in deployed(state, side)}
    return list(dict.fromkeys(one.with_force for one in campaign.area if one.with_force and mine & set(one.forces)))


def sites_of(state: State, side: Side) -> list[BaseEntry]:
    """The bases that the side places itself and has not placed yet."""
    campaign = state.settings.campaign
    return [
        entry
        for entry in campaign.base
        if entry.hex is None and campaign.nation_of(entry.nation).side == side and entry.id not in state.task_forces
    ]


def free_keys(state: State, side: Side, taken: Collection[str]) -> Iterator[str]:
    """Ids for new task forces of a side, other than those ``taken`` by lines of the sheet."""
    emblem = next(label.emblem for label in state.sides if label.key == side)
    reserved = {*taken, *state.task_forces, *(entry.id for entry in state.settings.campaign.base)}
    return (f"{emblem}{n}" for n in range(1, 1000) if f"{emblem}{n}" not in reserved)


def say_ships(units: Iterable[Unit]) -> str:
    """``2 CA, 1 DD`` in the order given."""
    counts: dict[str, int] = {}
    for unit in units:
        counts[unit.class_id] = counts.get(unit.class_id, 0) + 1
    shorts = [short_class(one) for one in counts]
    return ", ".join(
        f"{count} {short_class(one) if shorts.count(short_class(one)) == 1 else one}" for one, count in counts.items()
    )
