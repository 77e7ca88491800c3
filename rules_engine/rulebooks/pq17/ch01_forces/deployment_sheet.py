"""The deployment sheet: task forces with their ships by class, their hex and port; escorts of a convoy; a secret base.

Ships that no line names begin at their nation's home, in port where a base is there. PQ-17 C.oob.*.deployment.
"""

from collections.abc import Mapping

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.protocol.asks import Ask, Remembered
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.base_setup import put_up, usual_fittings
from rules_engine.rulebooks.pq17.ch01_forces.deployment_lines import default_lines
from rules_engine.rulebooks.pq17.ch01_forces.deployment_plan import (
    NO_LINE,
    DeploymentPlan,
    DeploySheet,
    Troops,
    deployed,
    free_keys,
    joined,
    say_ships,
    sites_of,
    understand,
)
from rules_engine.rulebooks.pq17.ch01_forces.new_units import free_id, place_units
from rules_engine.rulebooks.pq17.orders.order_sheets import misplaced, read_name
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.order_of_battle import MOST_UNITS_TEXT, DeployLine

SPARE_LINES = 6
"""Empty task force lines after those that are filled in."""


# --- asking -----------------------------------------------------------------------------------------------------------


def deployment_ask(
    turn: TurnContext[State], side: Side, troops: Troops, ready: Mapping[str, DeployLine]
) -> Ask[DeploySheet]:
    """The ask for a side's deployment; ``ready`` gives the lines filled in. PQ-17 C.oob.*.deployment."""
    state = turn.state
    lines = default_lines(turn, side, troops, ready)
    form = deployment_form(state, side, lines)
    plan: Remembered[DeploySheet, DeploymentPlan] = Remembered(lambda sheet: understand(state, side, troops, sheet))
    to_place = say_ships([unit for force in deployed(state, side) for unit in troops.get(force.key, ())])
    return Ask(
        kind="deployment",
        parties=(side,),
        title="Deployment before turn 1",
        text=(
            f"Say where your task forces begin: their ships and a hex. To place: {to_place}. "
            "What you do not name begins at home."
        ),
        question=Question("Where do your forces begin?", f"To place: {to_place}."[:200]),
        model=DeploySheet,
        form=form,
        rule="PQ-17 C.oob deployment",
        default=DeploySheet.model_validate(form.prefilled()),
        default_says="The deployment stands as it is filled in.",
        check=lambda sheet: [*misplaced(form, sheet.root), *plan(sheet).refusals],
        read_back=lambda sheet: [*say_plan(state, plan(sheet)), *_say_names(plan(sheet), sheet)],
        warn=lambda sheet: [*_warnings(plan(sheet)), *_without_ships(form, plan(sheet), sheet)],
        forgets=(plan.forget,),
    )


def deployment_form(state: State, side: Side, lines: Mapping[str, DeployLine]) -> Form:
    """A line for each base to be placed, for a convoy's escorts, for each task force, and some spare ones."""
    campaign = state.settings.campaign
    shown: list[Line] = []
    filled = next((line for line in lines.values() if line.units and line.hex), NO_LINE)
    for entry in sites_of(state, side):
        note = "Only you know where it is. The hex filled in was drawn by lot."
        value = lines.get(entry.key, NO_LINE).hex
        shown.append(
            Line(key=entry.key, label=f"{entry.name}, a hidden base", fields=(_hex_field(value, value),), note=note)
        )
    for key in joined(state, side):
        line, name = lines.get(key, NO_LINE), campaign.force_of(key).name
        shown.append(
            Line(key=key, label=f"Escorts that come on with: {name}", fields=(_units_field(line.units, line.units),))
        )
    for key in force_keys(state, side, lines):
        line = lines.get(key, NO_LINE)
        label = f"{key} {line.name or ''}".strip() if line.units else f"{key}, if you form it"
        port = Field(key="port", label="In port", kind="flag", value=bool(line.port))
        name = Field(key="name", label="Name, for you alone", kind="text", most=24, value=line.name, optional=True)
        units, place = (
            _units_field(line.units, line.units or filled.units),
            _hex_field(line.hex, line.hex or filled.hex),
        )
        shown.append(Line(key=key, label=label, fields=(units, place, port, name)))
    return Form(lines=tuple(shown))


def _units_field(value: str | None, example: str | None) -> Field:
    text = f"Ships by name, or so many of a class{f', for example {example}' if example else ''}"
    return Field(key="units", label="Ships", kind="text", most=MOST_UNITS_TEXT, value=value, optional=True, help=text)


def _hex_field(value: str | None, example: str | None) -> Field:
    text = f"For example {example}" if example else "The number of a hex"
    return Field(key="hex", label="Hex", kind="text", most=4, value=value, optional=True, help=text)


def force_keys(state: State, side: Side, lines: Mapping[str, DeployLine]) -> list[str]:
    """The keys of task force lines: those filled in, and a few more. They become the task forces' ids."""
    others = {*joined(state, side), *(entry.key for entry in sites_of(state, side))}
    filled = [key for key in lines if key not in others]
    free = free_keys(state, side, filled)
    return [*filled, *(next(free) for _ in range(SPARE_LINES))]


# --- reading back -----------------------------------------------------------------------------------------------------


def say_plan(state: State, plan: DeploymentPlan) -> list[str]:
    """Every task force and base in words, with the named group its ships are in."""
    campaign = state.settings.campaign
    said = [
        f"{campaign.base_of(key).name} stands in {hex_id}, unknown to the enemy." for key, hex_id in plan.sites.items()
    ]
    for key, hex_id in dict.fromkeys((one.line, one.hex) for one in plan.placed):  # each nation has a home of its own
        mine = [one for one in plan.placed if (one.line, one.hex) == (key, hex_id)]
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


def _warnings(plan: DeploymentPlan) -> list[str]:
    said = list(plan.judged.short)
    if plan.left_over:
        said.append(f"Not named, and so at home: {say_ships(plan.left_over)}.")
    return said


def _say_names(plan: DeploymentPlan, sheet: DeploySheet) -> list[str]:
    """The names that task forces get, for their owner alone."""
    named = [(key, read_name(sheet.root[key].name or "", key)[0]) for key in _formed(plan) if key in sheet.root]
    said = [f"{key} {name}" for key, name in named if name]
    return [f"Names, for you alone: {', '.join(said)}."] if said else []


def _formed(plan: DeploymentPlan) -> list[str]:
    return list(dict.fromkeys(one.line for one in plan.placed if one.line and one.hex))


def _without_ships(form: Form, plan: DeploymentPlan, sheet: DeploySheet) -> list[str]:
    """Warnings of task force lines that name no ships."""
    formed = _formed(plan)
    return [
        f"{key} gets no ships, so what stands in its line does nothing."
        for key, line in sheet.root.items()
        if key not in formed
        and any(field.key == "port" for one in (form.line(key),) if one is not None for field in one.fields)
        and (line.hex or line.port or line.name)
    ]


# --- carrying out -----------------------------------------------------------------------------------------------------


@rule("C.oob.klingon.bastion")
def carry_out_deployment(state: State, side: Side, troops: Troops, sheet: DeploySheet) -> dict[str, list[Unit]]:
    """Set up hidden bases, form the task forces and mark named groups; returns the escorts by the force they join.

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
        name = read_name(sheet.root[line].name or "", line)[0] if line else "Reserve"
        docked = ports[port].id if port else ""
        for unit in units:
            state.progress.away.pop(unit.id, None)
        place_units(state, side, units, hex_id, in_port=docked, name=name, tf_id=line or free_id(state, side))
    return escorts
