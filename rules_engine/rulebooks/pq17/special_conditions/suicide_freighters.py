"""Suicide freighters: freighters are filled with explosives at a base, or unloaded again. PQ-17 C.suicide-freighter.

Only for a side with a condition that allows them. Plotted in the planning step, carried out in the Tactical
Logistics Step unless the docked group was interrupted; each freighter takes the docking position that it has then.
"""

from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch10_supply.docking import can_join, join, yards
from rules_engine.rulebooks.pq17.ch10_supply.routine import empty_plan
from rules_engine.rulebooks.pq17.ch10_supply.stores import SUICIDE_TAG, loaded_boxes
from rules_engine.rulebooks.pq17.nations.conditions_in_force import may_convert_freighters
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import State

RULE = "PQ-17 C.suicide-freighter"


class ConvertLine(Frozen):
    """Whether a freighter is converted, or converted back."""

    convert: bool = False


class ConvertSheet(RootModel[dict[str, ConvertLine]]):
    """A side's conversions, by freighter."""

    def wanted(self) -> list[str]:
        """The freighters to be converted either way."""
        return [key for key, line in self.root.items() if line.convert]


@rule("C.suicide-freighter", "10.3.7.2.3")
def candidates(state: State, side: Side) -> dict[str, Unit]:
    """Freighters that are docked to a friendly base by this turn's plan, each with the base unit it is docked to.

    PQ-17 C.suicide-freighter, 10.3.7.2.3.
    """
    plan = state.logistics.get(side)
    if plan is None or not may_convert_freighters(state, side):
        return {}
    found: dict[str, Unit] = {}
    for group in plan.groups:
        host = state.units[group.host]
        if not state.class_of(host).is_base or group.links:
            continue
        for unit_id in group.docked:
            tf = state.tf_of(unit_id)
            if state.class_of(state.units[unit_id]).is_freighter and tf is not None and tf.in_port:
                found[unit_id] = host
    return dict(sorted(found.items()))


@rule("C.suicide-freighter", "10.3.8.1")
def offered(state: State, side: Side) -> dict[str, Unit]:
    """Freighters that could be docked to a friendly base this turn, each with a unit of that base.

    PQ-17 C.suicide-freighter, 10.3.8.1.
    """
    if not may_convert_freighters(state, side):
        return {}
    found: dict[str, Unit] = {}
    for yard in yards(state, side):
        units = [state.units[one] for one in yard.units]
        bases = [one for one in units if state.class_of(one).is_base]
        if yard.in_port and bases:
            found |= {one.id: bases[0] for one in units if state.class_of(one).is_freighter}
    return dict(sorted(found.items()))


@rule("C.suicide-freighter")
def conversion_steps(turn: TurnContext[State]) -> Steps[None]:
    """Plot conversions, asking a side when a freighter could newly be docked to a base, or has changed.

    This is asked together with the logistics sheet, not after it, so that the step takes one window; freighters to be
    converted are docked by :func:`dock_conversions`. PQ-17 C.suicide-freighter, SOP.2.a.iv; own ruling PQ-68.
    """
    state = turn.state
    asks: list[Ask[ConvertSheet]] = []
    for side in turn.sides:
        found = offered(state, side)
        keys = {f"{unit_id} {loaded_boxes(state.units[unit_id])}" for unit_id in found}
        known = set(state.special.conversions_offered.get(side, []))
        if keys - known:
            asks.append(_ask(state, side, found))
        state.special.conversions_offered[side] = sorted(keys)
    state.special.conversions = []
    for sheet in (yield from turn.ask_all_steps(asks)):
        state.special.conversions += sheet.wanted()


@rule("C.suicide-freighter", "10.3.7.2")
def dock_conversions(state: State) -> None:
    """Dock freighters to be converted at their base, where the logistics plan leaves a position free.

    PQ-17 C.suicide-freighter, 10.3.7.2.
    """
    for side in [label.key for label in state.sides]:
        found = offered(state, side)
        docked = candidates(state, side)
        for unit_id in (one for one in state.special.conversions if one in found and one not in docked):
            yard = next(one for one in yards(state, side) if unit_id in one.units)
            plan = state.logistics.setdefault(side, empty_plan(state, yards(state, side)))
            groups = list(plan.groups)
            hosts = (one for one in yard.units if state.class_of(state.units[one]).is_base)
            free = next((one for one in hosts if can_join(state, groups, one, unit_id)), None)
            if free is not None:
                join(groups, free, unit_id)
                plan.groups = groups


def _ask(state: State, side: Side, found: dict[str, Unit]) -> Ask[ConvertSheet]:
    form = Form(lines=tuple(_line(state.units[unit_id], host) for unit_id, host in found.items()))
    return Ask(
        kind="suicide freighters",
        parties=(side,),
        title="Suicide freighters",
        text=(
            "Freighters docked at your bases may be filled with explosives, one supply point a cargo box (their own "
            "first, then the base's), or be converted back. It takes the turn and their docking positions."
        ),
        question=Question("Suicide freighters?", "Freighters docked at your bases may be filled with explosives."),
        model=ConvertSheet,
        form=form,
        rule=RULE,
        default=ConvertSheet({}),
        default_says="No freighter is converted.",
        pace="decision",
        check=lambda answer: _check(form, answer),
        read_back=lambda answer: (
            [f"{state.units[one].name} is converted." for one in answer.wanted()] or ["No freighter is converted."]
        ),
    )


def _line(unit: Unit, host: Unit) -> Line:
    boxes = loaded_boxes(unit)
    label = "Make it harmless again" if boxes else "Make it a suicide freighter"
    points = min(unit.cargo, unit.supply + host.supply)
    note = (
        f"{counted(boxes, 'box')} loaded" if boxes else f"{points} of its {counted(unit.cargo, 'box')} would be loaded"
    )
    field = Field(key="convert", label=label, kind="flag", value=False)
    return Line(key=unit.id, label=unit.name, fields=(field,), note=note)


def _check(form: Form, answer: ConvertSheet) -> list[Refusal]:
    keys = [line.key for line in form.lines]
    legal = ", ".join(keys)
    problem = "only a freighter docked at one of your bases is converted"
    return [
        illegal(problem, RULE, key, legal=legal, nearest=nearest(key, keys))
        if line.convert
        else malformed(problem, key, legal=legal, nearest=nearest(key, keys))
        for key, line in answer.root.items()
        if key not in keys
    ]


@rule("C.suicide-freighter")
def carry_out_conversions(turn: TurnContext[State]) -> None:
    """In the Tactical Logistics Step: load or unload each freighter that was not interrupted.

    PQ-17 C.suicide-freighter.
    """
    state = turn.state
    wanted, state.special.conversions = state.special.conversions, []
    for side in turn.sides:
        found = candidates(state, side)
        for unit_id in (one for one in wanted if one in state.units and state.units[one].side == side):
            unit, host = state.units[unit_id], found.get(unit_id)
            if host is None:
                text = f"{unit.name} could not be converted: it was not docked to a base."
                turn.tell([side], text, kind="special", why=because(RULE))
                continue
            plan = state.logistics[side]
            why = because(RULE, {"docked to": host.name})
            if plan.impulse_of(unit.id, host.id):
                text = f"{unit.name} could not be converted: its group was interrupted."
            elif boxes := loaded_boxes(unit):
                unit.tags = [tag for tag in unit.tags if not tag.startswith(SUICIDE_TAG)]
                unit.module_boxes = max(0, unit.module_boxes - boxes)
                text = f"{unit.name} is a freighter again; its explosives are gone."
            else:
                text = _load(unit, host)
            turn.tell([side], text, kind="special", why=why)


@rule("C.suicide-freighter")
def _load(unit: Unit, host: Unit) -> str:
    """Load a freighter: each free cargo box takes one supply point; only loaded boxes count.

    PQ-17 C.suicide-freighter.
    """
    room = unit.cargo - unit.module_boxes - unit.rp_cargo
    own = min(unit.supply, room)
    given = min(host.supply, room - own)
    boxes = own + given
    if not boxes:
        return f"{unit.name} could not be converted: there are no supply points for it."
    unit.supply -= own
    host.supply -= given
    unit.module_boxes += boxes
    unit.tags = [*unit.tags, f"{SUICIDE_TAG}{boxes}"]
    return f"{unit.name} is a suicide freighter with {counted(boxes, 'box')} of explosives."
