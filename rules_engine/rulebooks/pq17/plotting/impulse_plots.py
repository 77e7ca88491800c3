"""The plot movement step, and the option to stay after enemy action.

A side is asked only when it has a contact that its standing orders do not cover, runs short of fuel, or wants to be
asked; otherwise stored routes are followed. PQ-17 SOP.2.b.i, 5.3.2, 5.3.5, ruling MOV-8.
"""

from collections.abc import Iterator, Mapping, Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, choices
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Course
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import LineNow, Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch05_movement.movement import (
    current_speed,
    destinations,
    expend_fuel,
    has_point,
    may_stay,
    next_step,
    why_not_made,
)
from rules_engine.rulebooks.pq17.ch05_movement.postures import tow_matters, tow_refusals
from rules_engine.rulebooks.pq17.ch05_movement.speeds import can_keep_speed, lower_speeds, set_speed, take_new_speeds
from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import cease, end_shadowing
from rules_engine.rulebooks.pq17.ch10_supply.fuel import can_move
from rules_engine.rulebooks.pq17.contacts.shadow_chains import chain_of
from rules_engine.rulebooks.pq17.orders.order_sheets import (
    MovementPlot,
    MovementPlots,
    StayLine,
    StaySheet,
    misplaced,
    read_tows,
    write_tows,
)
from rules_engine.rulebooks.pq17.orders.standing_answers import by_standing_orders_steps
from rules_engine.rulebooks.pq17.plotting.contact_sheet import contact_steps
from rules_engine.rulebooks.pq17.plotting.plot_reasons import absences, step_refusal
from rules_engine.rulebooks.pq17.plotting.routes import course_of
from rules_engine.rulebooks.pq17.plotting.standing_moves import (
    PlotsByOrders,
    plot_decisions,
    said_of_plots,
    stay_decisions,
    wants_plots,
)
from rules_engine.rulebooks.pq17.plotting.unaffordable_orders import (
    keep_within_command,
    over_budget,
    plot_refusals,
    within_command,
)
from rules_engine.rulebooks.pq17.records.calendar import heading
from rules_engine.rulebooks.pq17.records.forces import EXIT, IN_PLACE, LAY, PORT, STAY, IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed

NO_LINE = MovementPlot()


def plot_movement_steps(turn: TurnContext[State]) -> Steps[PlotsByOrders]:
    """Plot the moves of all task forces with a movement point, end shadowing by order or by rule, and expend the
    fuel: SOP 2.b.i, step by step. Returns what standing orders have plotted, to be told when it is carried out."""
    state = turn.state
    take_new_speeds(state)
    end_shadowing(turn, plotted=False)
    yield from contact_steps(turn.at("contact"))
    asks = [ask for side in turn.sides if (ask := plot_ask(turn, side)) is not None]
    sheets = dict(zip((ask.parties[0] for ask in asks), (yield from turn.ask_all_steps(asks)), strict=True))
    unasked = {side: plot_decisions(state, side) for side in turn.sides if side not in sheets}
    by_orders = {tf_id: one for plots in unasked.values() for tf_id, one in said_of_plots(state, plots)}
    plots = {side: sheets.get(side) or _by_standing_orders(unasked[side]) for side in turn.sides}
    _take_speeds(turn, {key: line for side in turn.sides for key, line in plots[side].root.items()})
    end_shadowing(turn.at("plotted"))
    for side in turn.sides:
        _set_plots(turn, side, plots[side])
    expend_fuel(state)
    return {tf_id: said for tf_id, (step, said) in by_orders.items() if state.task_forces[tf_id].plot == step}


# --- who is asked -----------------------------------------------------------------------------------------------------


def has_contact(state: State, side: Side) -> bool:
    """Whether ``side`` holds an enemy force, or shares a hex with an enemy base that it knows of."""
    held = [enemy for enemy in state.all_task_forces(state.enemy_of(side)) if enemy.id_level is not IdLevel.N]
    return any(not enemy.is_base or state.task_forces_in(enemy.hex, side) for enemy in held)


def _by_standing_orders(plots: Mapping[str, str | None]) -> MovementPlots:
    """The plots of a side that is not asked: by standing orders for forces in contact, by stored routes for others."""
    return MovementPlots({tf_id: MovementPlot(move=step) for tf_id, step in plots.items()})


def plot_ask(turn: TurnContext[State], side: Side) -> Ask[MovementPlots] | None:
    """The ask of one impulse, or None if there is nothing to choose or nothing worth asking."""
    state = turn.state
    forces = [tf for tf in state.all_task_forces(side) if not tf.is_base]
    plots = plot_decisions(state, side)
    short: dict[str, bool] = {}
    found = (short.setdefault(tf.id, is_short(state, tf)) for tf in forces)
    if not wants_plots(state, side, plots, short=found, contact=has_contact(state, side)):
        return None
    short |= {tf.id: is_short(state, tf) for tf in forces if tf.id not in short}
    usual = _usual_moves(state, side, forces, plots)
    made = [_line(state, tf, usual.get(tf.id), short=short[tf.id]) for tf in forces]
    lines = tuple(line for line in made if line is not None)
    if not lines:
        return None
    form = Form(lines=lines, why_absent=lambda: absences(state, side, lines))
    return Ask(
        kind="plot",
        parties=(side,),
        title=f"Plots, {heading(state)}",
        text="Where each task force with a movement point goes in this impulse. It is spent even if you stay.",
        question=Question(
            f"Where to in impulse {state.impulse}?",
            "A movement point is spent even if a force stays.",
            tuple(sorted({state.task_forces[line.key].hex for line in lines})),
            others="fly their stored routes",
            noun="force",
        ),
        model=MovementPlots,
        form=form,
        rule="PQ-17 5.3.2",
        default=MovementPlots.model_validate(form.prefilled()),
        default_says="Stored routes are flown; who has none stays where it is.",
        pace="decision",
        check=lambda sheet: check_plots(state, side, form, sheet),
        read_back=lambda sheet: [_say(state, form, line.key, sheet.root.get(line.key, NO_LINE)) for line in form.lines],
        warn=lambda sheet: list(_warnings(state, form, sheet)),
        courses=lambda sheet: _courses(state, sheet),
        lines_now=lambda sheet: _now(state, form, sheet),
    )


def _usual_moves(
    state: State, side: Side, forces: Sequence[TaskForce], plots: Mapping[str, str | None]
) -> dict[str, str]:
    """The values filled in: by standing orders, else by stored routes, as far as command points allow."""
    asked = [tf for tf in forces if has_point(state, tf) or tf.shadowing]
    moves = {tf.id: plots.get(tf.id) or next_step(state, tf) for tf in asked}
    free = {tf.id: moves[tf.id] for tf in asked if not tf.shadowing}
    return moves | within_command(state, side, free)


@rule("5.1.6", "9.5")
def is_short(state: State, tf: TaskForce) -> bool:
    """Whether a task force cannot pay for its movement point, or can no longer reach its speed.

    PQ-17 5.1.6, 9.5."""
    if tf.is_base or tf.shadowing or tf.speed is Speed.STATION:
        return False
    return (has_point(state, tf) and not can_move(state, tf, tf.speed)) or not can_keep_speed(state, tf)


def _line(state: State, tf: TaskForce, decided: str | None, *, short: bool) -> Line | None:
    fields: list[Field] = []
    if tf.shadowing:
        fields.append(_shadow_field())
    if short:
        lower = _speeds_left(state, tf)
        options = tuple(Choice(value=speed.value, label=speed.label) for speed in lower)
        fields.append(Field(key="speed", label="Slower speed", kind="one", choices=options, value=lower[0].value))
    if tf.shadowing or has_point(state, tf):
        fields.append(_move_field(state, tf, decided))
    if fields and tow_matters(state, [tf]):
        fields.append(Field(key="tow", label="Towing", kind="text", most=200, value=write_tows(tf.tows), optional=True))
    if not fields:
        return None
    return Line(key=tf.id, label=f"{tf.label} in {tf.hex}", fields=tuple(fields), note=current_speed(state, tf).label)


def _shadow_field() -> Field:
    stops = {"keep speed": "Stop, and keep this speed", "plotted speed": "Stop, and go at the speed plotted"}
    options = choices(**{"go on": "Go on shadowing"}, **stops)
    return Field(key="shadow", label="Shadowing", kind="one", choices=options, value="go on")


def _move_field(state: State, tf: TaskForce, decided: str | None) -> Field:
    labels = {STAY: "Stay in port" if tf.in_port else "Stay", PORT: "Leave port" if tf.in_port else "Enter port"}
    labels |= {EXIT: "Leave the map", LAY: "Stay and lay mines"}
    options = tuple(Choice(value=step, label=labels.get(step, step)) for step in destinations(state, tf))
    return Field(key="move", label="Move to", kind="one", choices=options, value=decided)


@rule("9.5")
def _speeds_left(state: State, tf: TaskForce) -> list[Speed]:
    """The lower speeds a task force may take, fastest first; always including Station Keeping.

    PQ-17 9.5, ruling SPD-6."""
    return lower_speeds(state, tf) or [Speed.STATION]


# --- judging and reading back -----------------------------------------------------------------------------------------


@rule("4.2.3", "5.3.2", "5.3.3", "5.4", "5.5.2", "5.5.3", "9.5")
def check_plots(state: State, side: Side, form: Form, sheet: MovementPlots) -> list[Refusal]:
    """Every defect of a plot sheet. PQ-17 4.2.3, 5.3.2, 5.3.3, 5.4, 5.5.2, 5.5.3, 9.5."""
    refusals = misplaced(form, sheet.root)
    for key, line in sheet.root.items():
        known = form.line(key)
        tf = state.task_forces.get(key)
        if known is None or tf is None:
            continue
        allowed = {field.key: [choice.value for choice in field.choices] for field in known.fields}
        if line.move is not None and line.move not in allowed.get("move", [line.move]):
            refusals.append(step_refusal(state, tf, line.move, f"{key}.move", allowed["move"]))
        if line.speed is not None and line.speed.value not in allowed.get("speed", [line.speed.value]):
            legal = ", ".join(allowed["speed"])
            refusals.append(
                illegal("there is no fuel for a hex at that speed", "PQ-17 9.5", f"{key}.speed", legal=legal)
            )
        if line.tow and "tow" in allowed:
            trial = tf.copied()
            trial.tows, wrong = read_tows(line.tow, f"{key}.tow")
            refusals += [*wrong, *tow_refusals(state, trial, f"{key}.tow")]
    return refusals or plot_refusals(state, side, _moves(state, form, sheet))


def _moves(state: State, form: Form, sheet: MovementPlots) -> dict[str, str]:
    """The steps of the asked task forces on the sheet; a force that goes on shadowing has none of its own."""
    moves: dict[str, str] = {}
    for line in form.lines:
        given = sheet.root.get(line.key, NO_LINE)
        tf = state.task_forces[line.key]
        if tf.shadowing and given.shadow in (None, "go on"):
            continue
        if any(field.key == "move" for field in line.fields):
            moves[line.key] = given.move or next_step(state, tf)
    return moves


def _say(state: State, form: Form, key: str, line: MovementPlot) -> str:
    tf = state.task_forces[key]
    prefilled = form.filled_in(key)
    move = line.move or str(prefilled.get("move", STAY))
    said = {STAY: "stays", PORT: "leaves port" if tf.in_port else "enters port", EXIT: "leaves the map"}
    said[LAY] = "stays and lays mines"
    where = said.get(move, f"goes to {move}")
    shadow = line.shadow or prefilled.get("shadow")
    chosen = line.speed or prefilled.get("speed")
    slower = f" at {Speed(chosen).label}" if chosen else ""
    if shadow == "go on":
        where = "goes on shadowing"
    elif shadow:
        speed = "at the speed plotted" if shadow == "plotted speed" else "keeping this speed"
        where = f"stops shadowing, {speed}, and {where} if it then has a movement point"
    return f"{tf.label} {where}{slower}.{_say_towing(tf, line)}"


def _now(state: State, form: Form, sheet: MovementPlots) -> dict[str, LineNow]:
    """What each line says, without the task force's name, and where that is."""
    doubts = [*_warnings(state, form, sheet)]
    found: dict[str, LineNow] = {}
    for key in form.by_key:
        tf = state.task_forces[key]
        said = _say(state, form, key, sheet.root.get(key, NO_LINE)).removeprefix(f"{tf.label} ")
        own = tuple(one for one in doubts if one.startswith(f"{tf.label} "))
        found[key] = LineNow(f"{said[:1].upper()}{said[1:]}", key, (tf.hex,), own)
    return found


def _say_towing(tf: TaskForce, line: MovementPlot) -> str:
    """The towing that the line changes."""
    if line.tow is None or (tows := read_tows(line.tow, tf.id)[0]) == tf.tows:
        return ""
    return f" It tows {write_tows(tows)}." if tows else " It tows nothing any more."


def _warnings(state: State, form: Form, sheet: MovementPlots) -> Iterator[str]:
    """Moves of task forces that go on shadowing, and so go where their target goes."""
    for key, line in sheet.root.items():
        known = form.line(key)
        filled = form.filled_in(key)
        shadow = line.shadow or filled.get("shadow")
        if known is not None and shadow == "go on" and line.move not in (None, filled.get("move")):
            label = state.task_forces[key].label
            yield f"{label} goes on shadowing and goes where its target goes: the move in {key} does nothing."


def _courses(state: State, sheet: MovementPlots) -> list[Course]:
    moves = {key: line.move for key, line in sheet.root.items() if line.move and key in state.task_forces}
    return [
        Course(counter=key, kind="plotted", hexes=course_of(state.task_forces[key].hex, [move]))
        for key, move in moves.items()
        if move not in (*IN_PLACE, EXIT)
    ]


# --- carrying out -----------------------------------------------------------------------------------------------------


@rule("5.4.2", "7.4.3", "9.5", "SOP.2.b.i.4")
def _take_speeds(turn: TurnContext[State], plots: Mapping[str, MovementPlot]) -> None:
    """Set towing, the speeds of forces that cease to shadow, and slower speeds, whether asked or not.

    All these were plotted at once: who ceases and keeps its speed keeps the one at which it has shadowed, so that those
    farthest from the force that leads come first, and slower speeds last. PQ-17 5.4.2, 7.4.3, 9.5, SOP.2.b.i.4, rulings
    SPD-6, SPD-9, TOW-4."""
    state = turn.state
    lines = {tf.id: plots.get(tf.id, NO_LINE) for tf in state.all_task_forces() if not tf.is_base}
    for tf_id, line in lines.items():
        _set_towing(state.task_forces[tf_id], line)
    ceasing = [state.task_forces[one] for one, line in lines.items() if line.shadow in ("keep speed", "plotted speed")]
    for tf in sorted(ceasing, key=lambda one: -len(chain_of(state, one))):
        if tf.shadowing:
            cease(turn, tf, keep_speed=lines[tf.id].shadow == "keep speed")
    for tf_id, line in lines.items():
        _slow_down(turn, state.task_forces[tf_id], line)


@rule("4.2.3", "5.3.2", "SOP.2.b.i.1")
def _set_plots(turn: TurnContext[State], side: Side, sheet: MovementPlots) -> None:
    """Set this impulse's step of every task force of ``side`` that has a movement point of its own once all speeds are
    known, also of one that has just lost the target it went on shadowing. PQ-17 4.2.3, 5.3.2, rulings CP-4, MOV-8."""
    state = turn.state
    for tf in state.all_task_forces(side):
        tf.plot = ""
        if not tf.is_base and not tf.shadowing and has_point(state, tf):
            move = sheet.root.get(tf.id, NO_LINE).move
            tf.plot = move if move is not None and move in destinations(state, tf) else next_step(state, tf)
    keep_within_command(turn, side)
    _note_layers(state, side)


@rule("5.4.2", "SOP.2.b.i.3")
def _set_towing(tf: TaskForce, line: MovementPlot) -> None:
    """Start or stop towing as the sheet says; what it leaves out stays. PQ-17 5.4.2, SOP.2.b.i.3; ruling TOW-4."""
    if line.tow is not None:
        tf.tows = read_tows(line.tow, tf.id)[0]


@rule("12.5.3.1", "SOP.2.b.i.2")
def _note_layers(state: State, side: Side) -> None:
    """Mark the task forces that have plotted to lay mines in this impulse. PQ-17 12.5.3.1, SOP.2.b.i.2."""
    for tf in state.all_task_forces(side):
        if tf.plot == LAY:
            state.set_mark(tf, "laying")


@rule("5.4.7.3.1", "9.5")
def _slow_down(turn: TurnContext[State], tf: TaskForce, line: MovementPlot) -> None:
    """Take the slower speed chosen, where fuel or boxes have run short. PQ-17 5.4.7.3.1, 9.5; rulings SPD-6, SPD-9."""
    state = turn.state
    if not is_short(state, tf):
        return
    before = tf.speed
    left = _speeds_left(state, tf)
    set_speed(state, tf, next((speed for speed in left if speed is line.speed), left[0]))
    why = because("PQ-17 9.5", {"speed before": before.label, "speed now": tf.speed.label})
    turn.tell([tf.side], f"{tf.label} cannot keep up {before.label} and goes on at {tf.speed.label}.", why=why)


# --- staying after all ------------------------------------------------------------------------------------------------


@rule("5.3.5", "SOP.2.b.vii.1")
def stay_steps(turn: TurnContext[State], side: Side) -> Steps[list[str]]:
    """Ask the side that moves second which of its task forces use their option to remain; returns their ids. Owners of
    forces that must remain are told. PQ-17 5.3.5, SOP.2.b.vii.1, rulings MOV-3, MOV-4, CMB-19."""
    state = turn.state
    options: dict[str, str] = {}
    for tf in state.all_task_forces(side):
        bound = why_not_made(state, tf)
        if bound:
            why = because(f"PQ-17 {bound}", {"plotted": tf.plot})
            turn.tell([side], f"{tf.label} does not make its plotted move and stays in {tf.hex}.", why=why)
        elif rule := may_stay(state, tf):
            options[tf.id] = rule
    if not options:
        return []
    sheet = yield from by_standing_orders_steps(turn, stay_ask(state, side, options), stay_decisions(state, options))
    return [key for key, line in sheet.root.items() if line.move == "stay"]


@rule("5.3.5.1", "5.3.5.2")
def stay_ask(state: State, side: Side, options: Mapping[str, str]) -> Ask[StaySheet]:
    """The ask whether plotted moves are made after an enemy arrived or attacked. PQ-17 5.3.5.1, 5.3.5.2."""
    reasons = {"5.3.5.1": "an enemy came into its hex", "5.3.5.2": "it was attacked"}
    form = Form(lines=tuple(_stay_line(state.task_forces[key], reasons[rule]) for key, rule in options.items()))
    return Ask(
        kind="stay",
        parties=(side,),
        title=f"Go or stay, {heading(state)}",
        text="These task forces may stay in their hex instead of making their plotted moves.",
        question=Question(
            "Go or stay?",
            "These forces may stay instead of making their plotted moves.",
            tuple(sorted({state.task_forces[key].hex for key in options})),
            noun="force",
        ),
        model=StaySheet,
        form=form,
        rule=f"PQ-17 {', '.join(sorted(set(options.values())))}",
        default=StaySheet({key: StayLine(move="go") for key in options}),
        default_says="All make their plotted moves.",
        pace="decision",
        check=lambda sheet: check_stay(state, side, form, sheet),
        read_back=lambda sheet: [
            f"{state.task_forces[key].label} {'stays' if line.move == 'stay' else 'makes its plotted move'}."
            for key, line in sheet.root.items()
        ],
    )


@rule("4.2.3", "5.3.5")
def check_stay(state: State, side: Side, form: Form, sheet: StaySheet) -> list[Refusal]:
    """Every defect of a sheet on which forces may stay: a point expended in place may need command points.

    PQ-17 4.2.3, 5.3.5, rulings CP-4, CP-12."""
    refusals = misplaced(form, sheet.root)
    staying = {key: STAY for key, line in sheet.root.items() if line.move == STAY}
    forces = state.all_task_forces(side)
    return refusals or over_budget(state, side, forces, staying, lambda tf_id: f"{tf_id}.move")


def _stay_line(tf: TaskForce, reason: str) -> Line:
    options = (Choice(value="go", label=f"Go to {tf.plot} as plotted"), Choice(value="stay", label=f"Stay in {tf.hex}"))
    field = Field(key="move", label="Move", kind="one", choices=options, value="go")
    return Line(key=tf.id, label=tf.label, fields=(field,), note=reason)
