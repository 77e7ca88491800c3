"""What a side may see, built field by field from nothing: its own task forces, what it was told, public facts.

Of the other side's state only public things are read: known bases, settled hexes and public victory points.
"""

from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import Side, SideLabel, When
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.rosters import OwnShip
from rules_engine.core.knowledge.views import (
    Board,
    Counter,
    Course,
    HexNote,
    Knowledge,
    Panel,
    contact_counters,
    contact_trails,
    is_faded,
)
from rules_engine.rulebooks.pq17.campaign.period_report import campaign_rows
from rules_engine.rulebooks.pq17.ch05_movement.movement import current_speed
from rules_engine.rulebooks.pq17.ch11_repair.damage_shown import repair_panel
from rules_engine.rulebooks.pq17.nations.conditions_in_force import in_force, known_rows
from rules_engine.rulebooks.pq17.nations.homes import is_campaign
from rules_engine.rulebooks.pq17.nations.victory_points import lines_for, needed_to_win, signed, total_for
from rules_engine.rulebooks.pq17.orders.order_sheets import posture_text
from rules_engine.rulebooks.pq17.plotting import course_of, say_route
from rules_engine.rulebooks.pq17.records.calendar import heading, moment
from rules_engine.rulebooks.pq17.records.forces import EXIT, IN_PLACE, IdLevel, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.shown.panel_minefields import field_panels, own_field_counters, printed_counters
from rules_engine.rulebooks.pq17.shown.panel_standing_orders import standing_orders_panel
from rules_engine.rulebooks.pq17.shown.panel_stores import stores_panels
from rules_engine.rulebooks.pq17.tables.fittings import fitted_types, say_fittings
from rules_engine.rulebooks.pq17.tables.operations import Speed

TITLE = "PQ-17"
LAST_LINES = 20
"""How many lines of victory points, and how many reports, a panel shows."""

_SHORT = {
    Speed.STATION: "stop",
    Speed.IMPULSE_CRAWL: "crawl",
    Speed.WARP_CRAWL: "crawl",
    Speed.EFFICIENT: "speed 1",
    Speed.CRUISE: "speed 2",
    Speed.SPRINT: "speed 3",
}
"""Speeds as counters show them; only the panel says which of the two crawls it is."""


@rule("1.3.3", "6.1.1", "6.2.1")
def side_board(state: State, side: Side, knowledge: Knowledge) -> Board:
    """The board of one side. PQ-17 1.3.3, 6.1.1, 6.2.1, rulings IDL-11, FOG-1."""
    own = state.all_task_forces(side)
    return _board(
        state,
        counters=(
            *(_own_counter(state, tf) for tf in own),
            *own_field_counters(state, side),
            *printed_counters(state, side, knowledge),
            *_enemy_bases(state, side, knowledge),
            *_contacts(state, knowledge),
        ),
        courses=(*(course for tf in own for course in _own_courses(tf)), *contact_trails(knowledge, moment(state))),
        panels=(
            Panel(title="Task forces", rows=tuple(row for tf in own for row in _force_rows(state, tf))),
            Panel(title="Contacts", rows=tuple(_contact_rows(state, knowledge))),
            standing_orders_panel(state, side),
            *stores_panels(state, side),
            Panel(title="Victory points", rows=tuple(_ledger_rows(state, side))),
            *([Panel(title="Campaign", rows=tuple(campaign_rows(state, side)))] if is_campaign(state) else []),
            *field_panels(state, side),
            *_special_panels(state, side),
            *repair_panel(state, side),
            Panel(title="Bases", rows=tuple(_base_rows(state, side))),
        ),
    )


def roster(state: State, side: Side) -> list[OwnShip]:
    """The units of one side, by task force."""
    return [OwnShip(unit.id, unit.name, tf.id) for tf in state.all_task_forces(side) for unit in state.units_of(tf)]


@rule("1.8.10.1")
def public_board(state: State) -> Board:
    """What anybody may see. PQ-17 1.8.10.1, ruling FOG-1."""
    return _board(
        state,
        counters=(*(_base_counter(state, base) for base in known_bases(state)), *printed_counters(state, None)),
        panels=(
            Panel(title="Victory points", rows=tuple(_ledger_rows(state, None))),
            Panel(title="Bases", rows=tuple(_base_rows(state, None))),
        ),
    )


def omniscient_board(state: State) -> Board:
    """Everything, for a referee who plays no side or after the end."""
    forces = state.all_task_forces()
    panels = [
        Panel(
            title=f"Task forces of {label.name}",
            rows=tuple(row for tf in state.all_task_forces(label.key) for row in _force_rows(state, tf)),
        )
        for label in state.sides
    ]
    panels += [panel for label in state.sides for panel in field_panels(state, label.key, f" of {label.name}")]
    panels += [panel for one in state.sides for panel in stores_panels(state, one.key, f"Stores of {one.name}")]
    ledger = [f"Turn {line.turn}: {signed(line.amount)} {line.text}" for line in state.ledger]
    panels.append(Panel(title="Victory points", rows=(f"Alliance total {signed(state.total())}", *ledger)))
    return _board(
        state,
        counters=(
            *(_own_counter(state, tf, known_as=tf.id_level) for tf in forces),
            *(one for label in state.sides for one in own_field_counters(state, label.key, with_levels=True)),
        ),
        courses=tuple(course for tf in forces for course in _own_courses(tf)),
        panels=tuple(panels),
    )


def _board(
    state: State, *, counters: tuple[Counter, ...], courses: tuple[Course, ...] = (), panels: tuple[Panel, ...]
) -> Board:
    return Board(
        campaign=state.settings.title,
        rulebook=TITLE,
        heading=heading(state),
        when=moment(state),
        sides=tuple(SideLabel(key=one.key, name=one.name, emblem=one.emblem) for one in state.sides),
        grid=state.grid,
        hexes=tuple(_hex_notes(state)),
        counters=counters,
        courses=courses,
        panels=panels,
    )


# --- the map ----------------------------------------------------------------------------------------------------------


@rule("1.3.2", "1.7.1", "1.8.10.1")
def _hex_notes(state: State) -> Iterable[HexNote]:
    """Terrain, settled hexes and known bases: all public. PQ-17 1.3.2, 1.7.1, 1.8.10.1."""
    bases = {base.hex: base for base in known_bases(state)}
    for hex_id in sorted({*state.hexes, *state.settled, *bases}):
        settled, base = state.settled.get(hex_id), bases.get(hex_id)
        names = [settled.name if settled else "", base.base.name if base and base.base else ""]
        yield HexNote(
            hex=hex_id,
            terrain=state.terrain(hex_id),
            marks=tuple(mark for mark, there in (("settled", settled), ("base", base)) if there is not None),
            owner=settled.side if settled else base.side if base else "",
            name=" / ".join(filter(None, names)),
            invented=hex_id in state.hexes and state.hexes[hex_id].invented,
        )


@rule("1.8.10.1")
def known_bases(state: State) -> list[TaskForce]:
    """The base clusters that everybody knows of, by hex: an owner's numbers are private. PQ-17 1.8.10.1."""
    found = [tf for tf in state.all_task_forces() if tf.base is not None and tf.base.known]
    return sorted(found, key=lambda tf: tf.hex)


def _own_counter(state: State, tf: TaskForce, known_as: IdLevel | None = None) -> Counter:
    if tf.base is not None:
        label = tf.base.name
        sub = "" if tf.base.known else "hidden"
    else:
        label = tf.id
        sub = _sub(state, tf)
    return Counter(
        id=tf.id,
        hex=tf.hex,
        owner=tf.side,
        form="base" if tf.is_base else "force",
        label=label,
        sub=sub,
        level=None if known_as is None else int(known_as),
        level_name="" if known_as is None else known_as.label,
        grade=None if known_as is None else known_as.grade,
        details=tuple(_unit_rows(state, tf)),
    )


def _sub(state: State, tf: TaskForce) -> str:
    """Its speed, and what is unusual in its posture and actions."""
    words = [
        (_SHORT[current_speed(state, tf)], True),
        ("in port", bool(tf.in_port)),
        (f"shadowing {_track(state, tf)}", bool(tf.shadowing)),
        ("cloaked", tf.posture.cloak),
        ("passive", not tf.posture.active and not tf.posture.cloak),
        ("warp off", not tf.posture.warp),
        ("logistics", tf.posture.logistics),
    ]
    return ", ".join(word for word, shown in words if shown)


@rule("1.8.10.1")
def _base_counter(state: State, base: TaskForce) -> Counter:
    """A known base as everybody knows it: type and movement cost, pods and modules by their printed names, not its
    state. PQ-17 1.8.10.1, ruling BAS-10."""
    types = (state.class_of(unit) for unit in state.units_of(base))
    fitted = fitted_types(base.base.fittings if base.base else {}, state.classes)
    name = base.base.name if base.base else ""
    return Counter(
        id=name,
        hex=base.hex,
        owner=base.side,
        form="base",
        label=name,
        level=int(IdLevel.ID3),
        level_name=IdLevel.ID3.label,
        grade=IdLevel.ID3.grade,
        details=(*sorted(f"MC {show_fraction(one.move_cost)} {one.msc_table}" for one in types), *fitted),
    )


def _enemy_bases(state: State, side: Side, knowledge: Knowledge) -> Iterable[Counter]:
    for base in known_bases(state):
        counter = _base_counter(state, base)
        if base.side != side and counter.id not in knowledge.contacts:
            yield counter


def _contacts(state: State, knowledge: Knowledge) -> Iterable[Counter]:
    """Contacts and ghosts; those seen this turn (in planning: the last one) have a ring."""
    now = moment(state)
    since = now.turn if state.impulse else now.turn - 1
    shown_for = state.settings.ghost_turns
    return contact_counters(
        knowledge,
        now,
        grade_of=lambda level: IdLevel(level).grade,
        changed_since=When(turn=since, step=1),
        ghost_turns=shown_for,
    )


def _own_courses(tf: TaskForce) -> Iterable[Course]:
    """The courses of its last move and of its plotted route."""
    if tf.flown and tf.flown[-1] == tf.hex:
        yield Course(counter=tf.id, kind="moved", hexes=tuple(tf.flown))
    if tf.plot not in ("", *IN_PLACE, EXIT):
        yield Course(counter=tf.id, kind="plotted", hexes=(tf.hex, tf.plot))
    elif tf.route:
        yield Course(counter=tf.id, kind="route", hexes=course_of(tf.hex, tf.route))


# --- panels -----------------------------------------------------------------------------------------------------------


@rule("1.5")
def _special_panels(state: State, side: Side) -> Iterable[Panel]:
    """Special conditions and random events, as far as the side knows of them. PQ-17 1.5, ruling SPC-4."""
    if in_force(state):
        yield Panel(title="Special conditions", rows=tuple(known_rows(state, side)))


def _force_rows(state: State, tf: TaskForce) -> Iterable[str]:
    if tf.base is not None:
        yield f"{tf.label} {tf.base.name} in {tf.hex}, {posture_text(tf.posture)}"
        if tf.base.fittings:
            yield f"  with {say_fittings(tf.base.fittings, state.classes)}"
    else:
        port = f", in port at {_base_name(state, tf.in_port)}" if tf.in_port else ""
        shadows = f", shadows {_track(state, tf)}" if tf.shadowing else ""
        route = f", route {say_route(tf.route, in_port=bool(tf.in_port))}" if tf.route else ""
        speed = current_speed(state, tf).label
        yield f"{tf.label} in {tf.hex}: {speed}, {posture_text(tf.posture)}{port}{shadows}{route}"
    for row in _unit_rows(state, tf):
        yield f"  {row}"


def _base_name(state: State, tf_id: str) -> str:
    base = state.task_forces.get(tf_id)
    return base.base.name if base is not None and base.base is not None else tf_id


def _track(state: State, tf: TaskForce) -> str:
    """The owner's contact number for its target."""
    return state.tracks[tf.side].track_of(tf.shadowing) or "its contact"


def _unit_rows(state: State, tf: TaskForce) -> list[str]:
    return [_unit_row(state, unit) for unit in state.units_of(tf)]


def _unit_row(state: State, unit: Unit) -> str:
    unit_class = state.class_of(unit)
    marks = "".join([", crippled" if unit.crippled else "", ", invented" if unit_class.invented else ""])
    stores = f", supply {unit.supply}" if unit.supply else ""
    marks += "".join(f", {extra}" for extra in (*unit.repairs.refits, unit.options) if extra)
    return f"{unit.name} ({unit_class.label}{marks}): fuel {show_fraction(unit.fuel)} of {unit.power_boxes}{stores}"


def _contact_rows(state: State, knowledge: Knowledge) -> Iterable[str]:
    """Contacts and ghosts in words, and the number of faded ghosts."""
    shown_for = state.settings.ghost_turns
    faded = 0
    for track in sorted(knowledge.contacts, key=lambda track: (track.rstrip("0123456789"), len(track), track)):
        contact = knowledge.contacts[track]
        if is_faded(contact, moment(state), shown_for):
            faded += 1
            continue
        seen = contact.latest
        held = "" if contact.live else ", lost"
        told = "; ".join(filter(None, (seen.headline, *seen.details)))
        yield f"{track} in {seen.hex}, {seen.level_name}{held} ({seen.when.label or f'turn {seen.when.turn}'}): {told}"
    if faded:
        age = counted(shown_for, "turn")
        yield f"Not shown: {faded} lost and last seen more than {age} ago; the ledger of contacts has them"


def _ledger_rows(state: State, side: Side | None) -> Sequence[str]:
    lines = lines_for(state, side)[-LAST_LINES:]
    total = f"Alliance total {signed(total_for(state, side))}; the Alliance needs {signed(needed_to_win(state))}"
    return [total, *(f"Turn {line.turn}: {signed(line.amount)} {line.text}" for line in lines)]


def _base_rows(state: State, side: Side | None) -> Iterable[str]:
    """Bases that everybody knows, and the side's own others, by hex; then the settled hexes."""
    names = {label.key: label.name for label in state.sides}
    for base in sorted(state.all_task_forces(), key=lambda tf: tf.hex):
        if base.base is not None and (base.base.known or base.side == side):
            hidden = "" if base.base.known else ", not known to the enemy"
            yield f"{base.base.name} in {base.hex} ({names[base.side]}){hidden}"
    for hex_id in sorted(state.settled):
        settled = state.settled[hex_id]
        yield f"{settled.name} in {hex_id}, settled ({names[settled.side]})"
