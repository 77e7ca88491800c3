"""The deployment sheet: task forces with their ships by class, their hex and port; escorts of a convoy; a secret base.

Ships that no line names begin at their nation's home, in port where a base is there. PQ-17 C.oob.*.deployment.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import RootModel

from rules_engine.core.asks import Ask, Remembered
from rules_engine.core.base import HexId, Side
from rules_engine.core.forms import Field, Form, Line
from rules_engine.core.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.table import Table
from rules_engine.rulebooks.pq17.campaign import Area, BaseEntry, DeployLine, Force, spread
from rules_engine.rulebooks.pq17.cc_deployment import (
    Ground,
    Judged,
    Placed,
    base_sites,
    judge,
    matches,
    site_refusals,
)
from rules_engine.rulebooks.pq17.orders import misplaced
from rules_engine.rulebooks.pq17.purchase_words import counted, find_class, pieces, short_class
from rules_engine.rulebooks.pq17.scenario_campaign import put_up, usual_fittings
from rules_engine.rulebooks.pq17.state import State, TaskForce, Unit
from rules_engine.rulebooks.pq17.unit_types import BY_SIZE, size_category, unit_type
from rules_engine.rulebooks.pq17.units import free_id, place_units

SPARE_LINES = 6
"""Empty task force lines after those that are filled in."""

NO_LINE = DeployLine()

Troops = Mapping[str, Sequence[Unit]]
"""What was bought, by force."""


class DeploySheet(RootModel[dict[str, DeployLine]]):
    """Where a side's forces begin."""


@dataclass
class Plan:
    """A sheet understood: where each ship begins, where bases are placed, and all that is wrong."""

    placed: list[Placed] = field(default_factory=list[Placed])
    sites: dict[str, HexId] = field(default_factory=dict[str, HexId])
    """Of bases with a zone, by key."""
    refusals: list[Refusal] = field(default_factory=list[Refusal])
    judged: Judged = field(default_factory=Judged)
    left_over: list[Unit] = field(default_factory=list[Unit])
    """Ships that no line names."""


# --- asking -----------------------------------------------------------------------------------------------------------


def deployment_ask(
    table: Table[State], side: Side, troops: Troops, ready: Mapping[str, DeployLine]
) -> Ask[DeploySheet]:
    """Where a side begins; ``ready`` gives the lines to begin with. PQ-17 C.oob.*.deployment."""
    state = table.state
    lines = default_lines(table, side, troops, ready)
    form = deployment_form(state, side, lines)
    plan: Remembered[DeploySheet, Plan] = Remembered(lambda sheet: understand(state, side, troops, sheet))
    to_place = say_ships([unit for force in deployed(state, side) for unit in troops.get(force.key, ())])
    return Ask(
        kind="deployment",
        parties=(side,),
        title="Deployment before turn 1",
        text=(
            f"Say where your task forces begin, for example units 2 CA, 1 DD in hex 1217. To place: {to_place}. "
            "What you do not name begins at home."
        ),
        model=DeploySheet,
        form=form,
        rule="PQ-17 C.oob deployment",
        default=DeploySheet.model_validate(form.prefilled()),
        default_says="The deployment stands as it is filled in.",
        check=lambda sheet: [*misplaced(form, sheet.root), *plan(sheet).refusals],
        read_back=lambda sheet: say_plan(state, plan(sheet)),
        warn=lambda sheet: _warnings(plan(sheet)),
        remembered=(plan,),
    )


def deployment_form(state: State, side: Side, lines: Mapping[str, DeployLine]) -> Form:
    """A line for each base to be placed, for a convoy's escorts, for each task force, and some spare ones."""
    campaign = state.settings.campaign
    shown: list[Line] = []
    for entry in sites_of(state, side):
        note = "Only you know where it is. The hex filled in was drawn by lot."
        value = lines.get(entry.key, NO_LINE).hex
        shown.append(Line(key=entry.key, label=f"{entry.name}, a hidden base", fields=(_hex_field(value),), note=note))
    for key in joined(state, side):
        line, name = lines.get(key, NO_LINE), campaign.force_of(key).name
        shown.append(Line(key=key, label=f"Escorts that come on with: {name}", fields=(_units_field(line.units),)))
    for key in force_keys(state, side, lines):
        line = lines.get(key, NO_LINE)
        label = f"{key} {line.name or ''}".strip() if line.units else f"{key}, if you form it"
        port = Field(key="port", label="In port", kind="flag", value=bool(line.port))
        name = Field(key="name", label="Name, for you alone", kind="text", most=24, value=line.name, optional=True)
        shown.append(Line(key=key, label=label, fields=(_units_field(line.units), _hex_field(line.hex), port, name)))
    return Form(lines=tuple(shown))


def _units_field(value: str | None) -> Field:
    text = "For example 2 CA, 1 DDS or ships by name"
    return Field(key="units", label="Ships", kind="text", most=600, value=value, optional=True, help=text)


def _hex_field(value: str | None) -> Field:
    return Field(key="hex", label="Hex", kind="text", most=4, value=value, optional=True, help="For example 1217")


def force_keys(state: State, side: Side, lines: Mapping[str, DeployLine]) -> list[str]:
    """The keys of task force lines: those filled in, and a few more. They become the task forces' ids."""
    emblem = next(label.emblem for label in state.sides if label.key == side)
    others = {*joined(state, side), *(entry.key for entry in sites_of(state, side))}
    filled = [key for key in lines if key not in others]
    reserved = {*state.task_forces, *(entry.id for entry in state.settings.campaign.base)}
    free = (f"{emblem}{n}" for n in range(1, 1000) if f"{emblem}{n}" not in reserved and f"{emblem}{n}" not in filled)
    return [*filled, *(next(free) for _ in range(SPARE_LINES))]


def deployed(state: State, side: Side) -> list[Force]:
    """The side's forces that begin on the map."""
    campaign = state.settings.campaign
    return [one for one in campaign.force if one.arrives == "deployed" and campaign.nation_of(one.nation).side == side]


def joined(state: State, side: Side) -> list[str]:
    """The forces off the map that ships of the side may come on with. PQ-17 ruling SCN-33."""
    campaign = state.settings.campaign
    mine = {one.key for one in deployed(state, side)}
    return list(dict.fromkeys(one.with_force for one in campaign.area if one.with_force and mine & set(one.forces)))


def sites_of(state: State, side: Side) -> list[BaseEntry]:
    """The bases that the side places itself and that do not stand yet."""
    campaign = state.settings.campaign
    return [
        entry
        for entry in campaign.base
        if entry.hex is None and campaign.nation_of(entry.nation).side == side and entry.id not in state.task_forces
    ]


# --- the lines to begin with ------------------------------------------------------------------------------------------


def default_lines(
    table: Table[State], side: Side, troops: Troops, ready: Mapping[str, DeployLine]
) -> dict[str, DeployLine]:
    """The ready-made lines as far as the ships bought fill them, or the named groups of the scenario without any.

    The hex of a hidden base is drawn by lot, since a printed one would be no secret. PQ-17 C.oob, ruling MAP-7."""
    state = table.state
    lines: dict[str, DeployLine] = {}
    for entry in sites_of(state, side):
        sites = base_sites(state, entry)
        lot = table.roll(f"{entry.name}'s hex unless its owner chooses", faces=len(sites), seen_by=[side])
        lines[entry.key] = DeployLine(hex=sites[lot.total - 1])
    wanted = ready or group_lines(state, side)
    stock = [unit for force in deployed(state, side) for unit in troops.get(force.key, ())]
    for key, line in wanted.items():
        if key in lines:
            lines[key] = line if line.hex else lines[key]
            continue
        units = _as_far_as_there_are(state, line.units or "", stock)
        if units:
            lines[key] = line.model_copy(update={"units": units})
    return lines


def group_lines(state: State, side: Side) -> dict[str, DeployLine]:
    """A task force for each named group of the side's forces."""
    campaign = state.settings.campaign
    mine = {one.key for one in deployed(state, side)}
    emblem = next(label.emblem for label in state.sides if label.key == side)
    lines: dict[str, DeployLine] = {}
    for area in campaign.area:
        if area.units and mine & set(area.forces):
            nation = campaign.nation_of(campaign.force_of(area.forces[0]).nation)
            units = ", ".join(_group_words(state, area, nation.empires))
            base = next((one for one in campaign.base if one.key in area.bases), None)
            hex_id = base.hex if base is not None else area.around or spread(area.hexes)[0]
            line = DeployLine(units=units, hex=hex_id, port=base is not None, name=area.name[:24])
            lines[f"{emblem}{len(lines) + 1}"] = line
    return lines


def _group_words(state: State, area: Area, empires: Sequence[str]) -> Iterable[str]:
    for word, count in area.units.items():
        first = word.split("/")[0]
        kinds = [kind for kind in state.classes.values() if kind.empire in empires and matches(kind, first)]
        yield f"{count} {kinds[0].class_id if kinds else first}"


def _as_far_as_there_are(state: State, text: str, stock: list[Unit]) -> str:
    """The words of a line as far as there are ships for them; these are taken from the stock."""
    kept: list[str] = []
    for part in pieces(text):
        taken = _take(state, part, stock)
        _strike(stock, taken)
        if taken:
            _, word = counted(part)
            kept.append(f"{len(taken)} {word}")
    return ", ".join(kept)


def _take(state: State, part: str, stock: Sequence[Unit]) -> list[Unit]:
    """The ships that one item of a line stands for, as many as there are: by name; by class; and, where the class is a
    category's plain hull and no more of it are left, others of that nation and category."""
    named = [unit for unit in stock if unit.name.casefold() == part.casefold()]
    if named:
        return named[:1]
    count, word = counted(part)
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


def _strike(stock: list[Unit], taken: Sequence[Unit]) -> None:
    gone = {unit.id for unit in taken}
    stock[:] = [unit for unit in stock if unit.id not in gone]


# --- judging ----------------------------------------------------------------------------------------------------------


def understand(state: State, side: Side, troops: Troops, sheet: DeploySheet) -> Plan:
    """Where the sheet puts everything, and every defect of it. PQ-17 C.oob.*.deployment."""
    plan = Plan()
    for entry in sites_of(state, side):
        hex_id = sheet.root.get(entry.key, NO_LINE).hex or ""
        plan.sites[entry.key] = hex_id
        plan.refusals += site_refusals(state, entry, hex_id, f"{entry.key}.hex")
    bases = own_bases(state, side) | {key: one for key, one in plan.sites.items() if one in state.grid}
    force_of = {unit.id: force.key for force in deployed(state, side) for unit in troops.get(force.key, ())}
    stock = [unit for force in deployed(state, side) for unit in troops.get(force.key, ())]
    sites = set(plan.sites)
    escorts = set(joined(state, side))
    for key, line in sheet.root.items():
        if key in sites:
            continue
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
    """The side's bases that stand already, by key."""
    found = [tf for tf in state.all_task_forces(side) if tf.base is not None]
    return {tf.base.key or tf.id: tf.hex for tf in found if tf.base is not None}


def _units_of_line(state: State, key: str, text: str, stock: list[Unit], plan: Plan) -> list[Unit]:
    taken: list[Unit] = []
    path = f"{key}.units"
    for part in pieces(text):
        found = _take(state, part, stock)
        count, word = counted(part)
        by_name = [unit for unit in found if unit.name.casefold() == part.casefold()]
        if not found:
            kinds = sorted({short_class(unit.class_id) for unit in stock})
            names = [unit.name for unit in stock]
            near = nearest(word, kinds) or nearest(part, names)
            problem = f"there is no “{word}” left to place"
            plan.refusals.append(malformed(problem, path, legal=say_ships(stock) or "all are placed", nearest=near))
        elif not by_name and len(found) < count:
            problem = f"{count} {word} where {len(found)} are left"
            plan.refusals.append(illegal(problem, "PQ-17 C.oob deployment", path, legal=f"at most {len(found)}"))
        _strike(stock, found)
        taken += found
    return taken


def _place_of(state: State, key: str, line: DeployLine, bases: Mapping[str, HexId], plan: Plan) -> tuple[HexId, str]:
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


# --- reading back -----------------------------------------------------------------------------------------------------


def say_ships(units: Iterable[Unit]) -> str:
    """``2 CA, 1 DD`` in the order in which they come."""
    counts: dict[str, int] = {}
    for unit in units:
        counts[unit.class_id] = counts.get(unit.class_id, 0) + 1
    shorts = [short_class(one) for one in counts]
    return ", ".join(
        f"{count} {short_class(one) if shorts.count(short_class(one)) == 1 else one}" for one, count in counts.items()
    )


def say_plan(state: State, plan: Plan) -> list[str]:
    """Every task force and base in words, with the named group its ships are in."""
    campaign = state.settings.campaign
    said = [
        f"{campaign.base_of(key).name} stands in {hex_id}, unknown to the enemy." for key, hex_id in plan.sites.items()
    ]
    for key in dict.fromkeys(one.line for one in plan.placed):
        mine = [one for one in plan.placed if one.line == key]
        ships = say_ships([one.unit for one in mine])
        first = mine[0]
        line = key if first.hex else f"With the {campaign.force_of(first.joins or first.force).name}"
        where = f" in {first.hex}" if first.hex else ""
        port = ", in port" if first.port else ""
        found = (plan.judged.groups.get(one.unit.id) for one in mine)
        groups = {area.key: area for area in found if area is not None}
        bound = "".join(f" {one.name}{', bound to its base' if one.bound else ''}." for one in groups.values())
        said.append(f"{line or 'Not named'}: {ships}{where}{port}.{bound}")
    return said


def _warnings(plan: Plan) -> list[str]:
    said = list(plan.judged.short)
    if plan.left_over:
        said.append(f"Not named, and so at home: {say_ships(plan.left_over)}.")
    return said


# --- carrying out -----------------------------------------------------------------------------------------------------


def carry_out_deployment(state: State, side: Side, troops: Troops, sheet: DeploySheet) -> dict[str, list[Unit]]:
    """Put up hidden bases, form the task forces and mark named groups; returns the escorts by the force they join.

    PQ-17 C.oob.*.deployment, C.oob.klingon.bastion, ruling SCN-4."""
    plan = understand(state, side, troops, sheet)
    ports: dict[str, TaskForce] = {}
    for entry in sites_of(state, side):
        put_up(state, entry, plan.sites[entry.key], usual_fittings(entry))
    for tf in state.all_task_forces(side):
        if tf.base is not None:
            ports[tf.base.key or tf.id] = tf
    escorts: dict[str, list[Unit]] = {}
    groups: dict[tuple[str, HexId, str], list[Unit]] = {}
    for one in plan.placed:
        area = plan.judged.groups.get(one.unit.id)
        if area is not None and area.tag:
            one.unit.tags = [*one.unit.tags, area.tag]
        if one.joins:
            escorts.setdefault(one.joins, []).append(one.unit)
        else:
            groups.setdefault((one.line, one.hex, one.port), []).append(one.unit)
    for (line, hex_id, port), units in groups.items():
        name = (sheet.root[line].name or "") if line else "Reserve"
        docked = ports[port].id if port else ""
        for unit in units:
            state.progress.away.pop(unit.id, None)
        place_units(state, side, units, hex_id, in_port=docked, name=name, tf_id=line or free_id(state, side))
    return escorts
