"""What stands on a map, piece by piece: hexes, counters, courses."""

from collections.abc import Iterable, Mapping

from rules_engine.core.basics.base import HexId, Owner, Side, When
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import Counter, Course, HexNote, Knowledge, contact_counters
from rules_engine.rulebooks.pq17.ch05_movement.movement import current_speed
from rules_engine.rulebooks.pq17.ch05_movement.stages import stages_of_route
from rules_engine.rulebooks.pq17.contacts.identification import known_ships
from rules_engine.rulebooks.pq17.plotting import course_of
from rules_engine.rulebooks.pq17.records.calendar import moment
from rules_engine.rulebooks.pq17.records.forces import EXIT, IN_PLACE, IdLevel, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.shown.map_strengths import ships_in, whole_of
from rules_engine.rulebooks.pq17.tables.fittings import fitted_types
from rules_engine.rulebooks.pq17.tables.operations import Speed

_SHORT = {
    Speed.STATION: "stop",
    Speed.IMPULSE_CRAWL: "crawl",
    Speed.WARP_CRAWL: "crawl",
    Speed.EFFICIENT: "speed 1",
    Speed.CRUISE: "speed 2",
    Speed.SPRINT: "speed 3",
}
"""Speeds as counters show them; only the panel says which of the two crawls it is."""


@rule("1.3.2", "1.7.1", "1.8.10.1")
def hex_notes(state: State, territory: Mapping[HexId, Owner]) -> Iterable[HexNote]:
    """Terrain, settled hexes and known bases: all public. PQ-17 1.3.2, 1.7.1, 1.8.10.1."""
    bases = {base.hex: base for base in known_bases(state)}
    for hex_id in sorted({*state.hexes, *state.settled, *bases, *territory}):
        settled, base = state.settled.get(hex_id), bases.get(hex_id)
        names = [settled.name if settled else "", base.base.name if base and base.base else ""]
        yield HexNote(
            hex=hex_id,
            terrain=state.terrain(hex_id),
            marks=tuple(mark for mark, there in (("settled", settled), ("base", base)) if there is not None),
            owner=settled.side if settled else base.side if base else "",
            name=" / ".join(filter(None, names)),
            invented=hex_id in state.hexes and state.hexes[hex_id].invented,
            territory=territory.get(hex_id, ""),
        )


@rule("1.8.10.1")
def known_bases(state: State) -> list[TaskForce]:
    """The base clusters that everybody knows of, by hex: an owner's numbers are private. PQ-17 1.8.10.1."""
    found = [tf for tf in state.all_task_forces() if tf.base is not None and tf.base.known]
    return sorted(found, key=lambda tf: tf.hex)


def own_counter(state: State, tf: TaskForce, known_as: IdLevel | None = None) -> Counter:
    """A task force or base cluster as its owner sees it; ``known_as`` is how well the enemy knows it, if shown."""
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
        details=tuple(unit_rows(state, tf)),
        ships=ships_in(state, tf),
        whole=whole_of(state, tf),
        docked=bool(tf.in_port),
    )


def _sub(state: State, tf: TaskForce) -> str:
    """Its speed, and what is unusual in its posture and actions."""
    words = [
        (_SHORT[current_speed(state, tf)], True),
        ("in port", bool(tf.in_port)),
        (f"shadowing {target_of(state, tf)}", bool(tf.shadowing)),
        ("cloaked", tf.posture.cloak),
        ("passive", not tf.posture.active and not tf.posture.cloak),
        ("warp off", not tf.posture.warp),
        ("logistics", tf.posture.logistics),
    ]
    return ", ".join(word for word, shown in words if shown)


@rule("1.8.10.1")
def base_counter(state: State, base: TaskForce) -> Counter:
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


def enemy_bases(state: State, side: Side, knowledge: Knowledge) -> Iterable[Counter]:
    """The other side's known bases that a side has no contact with."""
    for base in known_bases(state):
        counter = base_counter(state, base)
        if base.side != side and counter.id not in knowledge.contacts:
            yield counter


def contacts(state: State, knowledge: Knowledge) -> Iterable[Counter]:
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
        ships_in=lambda seen: known_ships(seen.details),
    )


@rule("8.4.6")
def battle_counters(state: State) -> Iterable[Counter]:
    """A mark for each hex in which a battle is formed and not yet over, which both sides know. PQ-17 8.4.6."""
    for hex_id in dict.fromkeys(battle.hex for battle in state.battles if not battle.winner):
        yield Counter(id=f"battle {hex_id}", hex=hex_id, owner="", form="battle", label="Battle")


def own_courses(state: State, tf: TaskForce) -> Iterable[Course]:
    """The courses of its last move and of what it has yet to fly: its plotted step and the route after it."""
    if tf.flown and tf.flown[-1] == tf.hex:
        yield Course(counter=tf.id, kind="moved", hexes=tuple(tf.flown))
    goes = tf.plot not in ("", *IN_PLACE, EXIT)
    steps = [tf.plot] if goes and tf.route[:1] != [tf.plot] else tf.route
    if steps:
        stages = stages_of_route(state, tf, steps, tf.next_speed)
        kind = "plotted" if goes else "route"
        yield Course(counter=tf.id, kind=kind, hexes=course_of(tf.hex, steps), stages=stages)


# --- in words ---------------------------------------------------------------------------------------------------------


def target_of(state: State, tf: TaskForce) -> str:
    """The owner's contact number for its target."""
    return state.tracks[tf.side].track_of(tf.shadowing) or "its contact"


def unit_rows(state: State, tf: TaskForce) -> list[str]:
    """A line for each of its units, as its owner may know them."""
    return [_unit_row(state, unit) for unit in state.units_of(tf)]


def _unit_row(state: State, unit: Unit) -> str:
    unit_class = state.class_of(unit)
    marks = "".join([", crippled" if unit.crippled else "", ", invented" if unit_class.invented else ""])
    stores = f", supply {unit.supply}" if unit.supply else ""
    marks += "".join(f", {extra}" for extra in (*unit.repairs.refits, unit.options) if extra)
    return f"{unit.name} ({unit_class.label}{marks}): fuel {show_fraction(unit.fuel)} of {unit.power_boxes}{stores}"
