"""What a side may see, built field by field from nothing: its own task forces, what it was told, public facts.

Of the other side's state only public things are read: known bases, settled hexes and public victory points.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from rules_engine.core.basics.base import Side, SideLabel
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.rosters import OwnShip
from rules_engine.core.knowledge.views import (
    Board,
    Counter,
    Course,
    Knowledge,
    Panel,
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
from rules_engine.rulebooks.pq17.plotting import say_route
from rules_engine.rulebooks.pq17.records.calendar import heading, moment
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.shown.map_header import map_header
from rules_engine.rulebooks.pq17.shown.map_news import map_news
from rules_engine.rulebooks.pq17.shown.map_pieces import (
    base_counter,
    battle_counters,
    contacts,
    enemy_bases,
    hex_notes,
    known_bases,
    own_counter,
    own_courses,
    target_of,
    unit_rows,
)
from rules_engine.rulebooks.pq17.shown.map_ranges import map_ranges
from rules_engine.rulebooks.pq17.shown.map_territory import map_territory
from rules_engine.rulebooks.pq17.shown.panel_minefields import field_panels, own_field_counters, printed_counters
from rules_engine.rulebooks.pq17.shown.panel_standing_orders import standing_orders_panel
from rules_engine.rulebooks.pq17.shown.panel_stores import stores_panels
from rules_engine.rulebooks.pq17.tables.fittings import say_fittings

TITLE = "PQ-17"
LAST_LINES = 20
"""How many lines of victory points, and how many reports, a panel shows."""


@rule("1.3.3", "6.1.1", "6.2.1")
def side_board(state: State, side: Side, knowledge: Knowledge) -> Board:
    """The board of one side. PQ-17 1.3.3, 6.1.1, 6.2.1, rulings IDL-11, FOG-1."""
    own = state.all_task_forces(side)
    return _board(
        state,
        side,
        bases=[*known_bases(state), *(tf for tf in own if tf.base is not None and not tf.base.known)],
        total=total_for(state, side),
        knowledge=knowledge,
        counters=(
            *(own_counter(state, tf) for tf in own),
            *own_field_counters(state, side),
            *printed_counters(state, side, knowledge),
            *enemy_bases(state, side, knowledge),
            *contacts(state, knowledge),
            *battle_counters(state),
        ),
        courses=(
            *(course for tf in own for course in own_courses(state, tf)),
            *contact_trails(knowledge, moment(state)),
        ),
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
    bases = known_bases(state)
    return _board(
        state,
        bases=bases,
        total=total_for(state, None),
        counters=(*(base_counter(state, base) for base in bases), *printed_counters(state, None)),
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
        bases=[tf for tf in forces if tf.is_base],
        everything=True,
        counters=(
            *(own_counter(state, tf, known_as=tf.id_level) for tf in forces),
            *(one for label in state.sides for one in own_field_counters(state, label.key, with_levels=True)),
            *battle_counters(state),
        ),
        courses=tuple(course for tf in forces for course in own_courses(state, tf)),
        panels=tuple(panels),
    )


def _board(
    state: State,
    side: Side | None = None,
    *,
    bases: Iterable[TaskForce],
    counters: tuple[Counter, ...],
    panels: tuple[Panel, ...],
    courses: tuple[Course, ...] = (),
    total: Fraction | None = None,
    knowledge: Knowledge | None = None,
    everything: bool = False,
) -> Board:
    """The board of ``side`` (None: of nobody in particular), whose reader knows of these ``bases`` and victory points
    (None: of all)."""
    notes = tuple(hex_notes(state, map_territory(state, bases)))
    return Board(
        campaign=state.settings.title,
        rulebook=TITLE,
        heading=heading(state),
        when=moment(state),
        sides=tuple(SideLabel(key=one.key, name=one.name, emblem=one.emblem) for one in state.sides),
        grid=state.grid,
        hexes=notes,
        counters=counters,
        courses=courses,
        panels=panels,
        header=map_header(state, side, state.total() if total is None else total),
        news=map_news(state, side, counters=counters, notes=notes, knowledge=knowledge, everything=everything),
        ranges=() if side is None else map_ranges(state, side),
    )


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
        shadows = f", shadows {target_of(state, tf)}" if tf.shadowing else ""
        route = f", route {say_route(tf.route, in_port=bool(tf.in_port))}" if tf.route else ""
        speed = current_speed(state, tf).label
        yield f"{tf.label} in {tf.hex}: {speed}, {posture_text(tf.posture)}{port}{shadows}{route}"
    for row in unit_rows(state, tf):
        yield f"  {row}"


def _base_name(state: State, tf_id: str) -> str:
    base = state.task_forces.get(tf_id)
    return base.base.name if base is not None and base.base is not None else tf_id


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
