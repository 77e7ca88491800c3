"""Chapter 7: shadowing. A shadower goes where its target goes, at its speed, and for it results on row S succeed."""

from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line, choices
from rules_engine.core.knowledge.reports import Why, because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.command_points import must_go_home
from rules_engine.rulebooks.pq17.ch05_movement.movement import has_point
from rules_engine.rulebooks.pq17.ch05_movement.speeds import affordable, fastest, max_speed, set_speed
from rules_engine.rulebooks.pq17.ch10_supply.fuel import can_move
from rules_engine.rulebooks.pq17.contacts.identification import held_track, track_for
from rules_engine.rulebooks.pq17.contacts.shadow_chains import chain_of, crawl_turns, current_speed, leader_of, let_go
from rules_engine.rulebooks.pq17.records.battles import ShadowLink
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.lots import as_seen
from rules_engine.rulebooks.pq17.records.state import State, tf_order
from rules_engine.rulebooks.pq17.tables.operations import Speed

# --- beginning --------------------------------------------------------------------------------------------------------


@rule("7.2.2", "7.2.2.1", "7.2.3")
def can_match(state: State, shadower: TaskForce, target: TaskForce) -> bool:
    """Whether the shadower's maximum under its present posture reaches the target's speed; fuel does not matter, not
    even where its search has cost the last of it.

    PQ-17 7.2.2, 7.2.2.1, 7.2.3; ruling SHD-1.
    """
    return max_speed(state, shadower).rate >= current_speed(state, target).rate


def closes_circle(state: State, shadower: TaskForce, target: TaskForce) -> bool:
    """Whether the target already moves with the shadower, directly or through others. Ruling SHD-6."""
    return leader_of(state, target) is leader_of(state, shadower)


@rule("7.2.1", "7.2.2", "7.1.1", "5.3.5.4")
def try_to_shadow(turn: TurnContext[State], shadower: TaskForce, target: TaskForce) -> bool:
    """Resolve a declared shadowing: announce the target's speed; shadowing begins if the shadower can match it.

    A plotted move not yet made is cancelled in either case. PQ-17 7.2.1, 7.2.2, 7.1.1, 5.3.5.4; rulings SHD-2, SHD-3,
    SHD-5.
    """
    state = turn.state
    state.set_mark(shadower, "declared_shadowing")
    speed = current_speed(state, target)
    own = max_speed(state, shadower)
    matched = can_match(state, shadower, target)
    circle = closes_circle(state, shadower, target)
    begins = matched and not circle
    track = track_for(state, shadower.side, target)
    rule = "PQ-17 7.2.2" if not circle else "PQ-17 7.2.2, a circle of shadowing fails"
    why = because(rule, {"its speed": speed.rate, "your maximum": own.rate})
    result = "shadows it from now on" if begins else "cannot shadow it"
    text = f"{track} in {target.hex} announces speed {speed.rate}: {shadower.label} {result}."
    turn.tell([shadower.side], text, kind="shadowing", why=why)
    seen = track_for(state, target.side, shadower)
    verb = "shadows" if begins else "tried and failed to shadow"
    told = because("PQ-17 7.2.2", {"your announced speed": speed.rate})
    turn.tell([target.side], f"{seen} in {target.hex} {verb} your {target.label}.", kind="shadowing", why=told)
    if begins:
        take_up(state, shadower, target)
    return begins


@rule("7.2.2.2", "7.3.1", "7.3.2")
def take_up(state: State, shadower: TaskForce, target: TaskForce) -> None:
    """Begin shadowing: the shadower moves with the target at its speed, with its count of crawling.

    PQ-17 7.2.2.2, 7.3.1, 7.3.2; ruling SHD-4."""
    state.set_target(shadower, target.id)
    shadower.speed = current_speed(state, target)
    shadower.next_speed = None
    for unit in state.units_of(shadower):
        unit.crawl_turns = crawl_turns(state, target)


# --- ending -----------------------------------------------------------------------------------------------------------


@rule("7.4.4", "SOP.2.b.i.5", "SOP.2.b.i.4", "SOP.2.b.i.6")
def end_shadowing(turn: TurnContext[State], *, plotted: bool = True) -> None:
    """In the plot movement step: end shadowing by forces that cannot keep up, that have no command points and must go
    home, or whose target is gone; they return to speeds of their own.

    Keeping up is tested only where the target earns a movement point this impulse. What ends one force's shadowing may
    give those that shadow it another speed, or a point, so that they are tested after it, and again until nothing
    changes. Before both sides have ``plotted`` only targets count whose speed no plot can change.

    PQ-17 7.4.4, SOP.2.b.i.4 to SOP.2.b.i.6; rulings SHD-7, SHD-11, CP-5, own ruling PQ-192.
    """
    state = turn.state
    while True:
        shadowing = [tf for tf in state.all_task_forces() if tf.shadowing]
        found = {tf.id: why for tf in shadowing if (why := _why_it_ends(state, tf, plotted=plotted)) is not None}
        if not found:
            return
        depth = {tf_id: len(chain_of(state, state.task_forces[tf_id])) for tf_id in found}
        ending = [state.task_forces[tf_id] for tf_id in found if depth[tf_id] == min(depth.values())]
        for tf in as_seen(turn.at("keeping up"), ending, lambda one: one.hex, lambda one: one.id):
            _end(turn, tf, state.task_forces.get(tf.shadowing), found[tf.id])


@rule("7.4.4", "7.3.2")
def _why_it_ends(state: State, tf: TaskForce, *, plotted: bool) -> Why | None:
    """Why a force's shadowing ends now, or None. PQ-17 7.4.4, 7.3.2; rulings SHD-7, SHD-11, CP-5."""
    target = state.task_forces.get(tf.shadowing)
    if target is None or target.hex != tf.hex:
        return because("PQ-17 7.3.2", {"its target": "is no longer in its hex"})
    if must_go_home(state, tf):
        return because("PQ-17 4.2.3", {"it must go": "to port by the shortest way"})
    speed = current_speed(state, target)
    if not has_point(state, target):
        return None
    if not plotted and (target.shadowing or not can_move(state, target, speed)):
        return None  # it may stop shadowing, or must slow down
    if not can_move(state, tf, speed):
        return because("PQ-17 7.4.4", {"not enough fuel for a hex at speed": speed.rate})
    if not can_match(state, tf, target):
        return because("PQ-17 7.4.4", {"target's speed": speed.rate, "own maximum": max_speed(state, tf).rate})
    return None


@rule("7.4.4.2", "7.4.4.3", "7.4.3.2", "7.4.3.3", "7.4.3.4")
def speeds_after(state: State, tf: TaskForce, *, keep: bool) -> Speed:
    """The speed after shadowing: the kept or the plotted one if it is legal and can be sustained to the turn's end;
    else the other of the two; else the highest that can be. In a half impulse this one's points are spent already.

    PQ-17 7.4.3.2-7.4.3.4, 7.4.4.2, 7.4.4.3; ruling SHD-11.
    """
    possible = affordable(state, tf, from_impulse=state.impulse + bool(state.half))
    wanted = [tf.speed, tf.plotted] if keep else [tf.plotted]
    chosen = next((speed for speed in wanted if speed in possible), None)
    return chosen or max(possible, key=lambda speed: speed.rate, default=Speed.STATION)


@rule("7.4.3", "SOP.2.b.i.4")
def cease(turn: TurnContext[State], tf: TaskForce, *, keep_speed: bool) -> None:
    """End shadowing at its owner's order in the plot movement step, keeping the speed or returning to the plotted one.

    PQ-17 7.4.3."""
    target = turn.state.task_forces.get(tf.shadowing)
    _end(turn, tf, target, because("PQ-17 7.4.3", {"by choice, in": "plot movement"}), keep=keep_speed)


@rule("7.4.1", "7.4.2", "7.5.3", "7.5.7")
def lose_shadowing(turn: TurnContext[State], tf: TaskForce, why: Why, *, at_plot: bool = False) -> None:
    """End shadowing lost in combat: the posture changes, the speed stays; or, with ``at_plot``, between turns: the
    force goes at the speed that it has plotted. PQ-17 7.4.1, 7.4.2, 7.5.3, 7.5.7."""
    if tf.shadowing:
        target = turn.state.task_forces.get(tf.shadowing)
        let_go(turn.state, tf)
        if at_plot:
            tf.speed = tf.plotted
        _announce_end(turn, tf, target, why)


@rule("7.3.2", "7.4.4.2")
def fall_behind(turn: TurnContext[State], tf: TaskForce, why: Why) -> None:
    """End shadowing by a force that may not go where its target goes, as if it could not keep up. PQ-17 7.3.2, 7.4.4.2;
    own ruling PQ-170."""
    _end(turn, tf, turn.state.task_forces.get(tf.shadowing), why)


@rule("7.4.3.1", "7.4.3.5", "7.4.4.1", "7.4.4.4", "SOP.2.b.i.6")
def _end(turn: TurnContext[State], tf: TaskForce, target: TaskForce | None, why: Why, *, keep: bool = False) -> None:
    """End shadowing; the new speed counts at once. PQ-17 7.4.3.1, 7.4.3.5, 7.4.4.1, 7.4.4.4."""
    state = turn.state
    let_go(state, tf)
    speed = speeds_after(state, tf, keep=keep)
    set_speed(state, tf, speed)
    _announce_end(turn, tf, target, why)


def _announce_end(turn: TurnContext[State], tf: TaskForce, target: TaskForce | None, why: Why) -> None:
    """Tell both sides; the target's owner is not told the reason or the shadower's new speed."""
    state = turn.state
    name = held_track(state, tf.side, target) if target is not None else None
    text = f"{tf.label} no longer shadows {name or 'its target'}; its speed is {tf.speed.rate}."
    turn.tell([tf.side], text, kind="shadowing", why=why)
    if target is not None:
        seen = track_for(state, target.side, tf)
        plain = because("PQ-17 7.4", {"shadowing": "ended"})
        turn.tell([target.side], f"{seen} no longer shadows your {target.label}.", kind="shadowing", why=plain)


# --- across turns -----------------------------------------------------------------------------------------------------


class Assignment(Frozen):
    """The contact number that one force goes on shadowing; none to stop."""

    target: str | None = None


class Assignments(RootModel[dict[str, Assignment]]):
    """A side's assignments, by task force id."""


@rule("7.5.2", "7.5.4")
def remember_links(state: State) -> None:
    """Record shadowing relations by units, so that a reorganisation of either side can be followed.

    PQ-17 7.5.2, 7.5.4."""
    state.shadow_links = [
        ShadowLink(shadower=sorted(tf.units), target=sorted(state.task_forces[tf.shadowing].units))
        for tf in state.all_task_forces()
        if tf.shadowing in state.task_forces
    ]


@rule("7.5", "1.6.8", "7.3.6", "7.3.7")
def continue_shadowing_steps(turn: TurnContext[State]) -> Steps[None]:
    """Continue shadowing into a new turn: assign targets, announce speeds, and end it for forces that cannot match.

    The side without the (last) initiative assigns first, then the other. A side is asked only if a target has split or
    there is another real choice. PQ-17 7.5, 1.6.8, 7.3.6, 7.3.7, SOP 2.a.vi; rulings SHD-12, SHD-13, TF-10, SHD-6.
    """
    state = turn.state
    for side in (state.non_initiative, state.initiative):
        yield from follow_steps(turn, side)
    _open_circles(turn)
    shadowing = [tf for tf in state.all_task_forces() if tf.shadowing]
    for tf in as_seen(turn.at("announced"), shadowing, lambda one: one.hex, lambda one: one.id):
        _announce_speed(turn, tf)
    remember_links(state)


@rule("7.5.2", "SOP.2.a.vi.1")
def _open_circles(turn: TurnContext[State]) -> None:
    """End the continuations that close a circle of shadowing, which the reorganisations of both sides may have made.

    They are settled in the order in which they are assigned, and what would close a circle fails. PQ-17 7.5.2,
    SOP.2.a.vi.1, ruling SHD-6."""
    state = turn.state
    settled: list[str] = []
    for side in (state.non_initiative, state.initiative):
        mine = [tf for tf in state.all_task_forces(side) if tf.shadowing]
        for tf in as_seen(turn.at("circles"), mine, lambda one: one.hex, lambda one: one.id):
            ahead = state.task_forces.get(tf.shadowing)
            while ahead is not None and ahead is not tf:
                ahead = state.task_forces.get(ahead.shadowing) if ahead.id in settled else None
            if ahead is tf:
                why = because("PQ-17 7.5.2", {"they would shadow each other in": "a circle"})
                lose_shadowing(turn, tf, why, at_plot=True)
            else:
                settled.append(tf.id)


@rule("7.3.6", "7.3.10", "7.5.4", "1.6.8.2")
def follow_steps(turn: TurnContext[State], side: Side) -> Steps[None]:
    """Continue one side's shadowing after targets reorganised, in planning or in a battle the shadowers stay out of.

    PQ-17 7.3.6, 7.3.10, 7.5.4, 1.6.8.2."""
    state = turn.state
    options = {tf.id: targets for tf in state.all_task_forces(side) if (targets := may_continue_on(state, tf))}
    if not options:
        return
    chosen = yield from _assign_steps(turn, side, options)
    hexes = {tf_id: state.task_forces[tf_id].hex for tf_id in options}
    for tf_id in as_seen(turn.at("assigned"), options, lambda one: hexes[one], str):
        tf = state.task_forces[tf_id]
        track = chosen.root.get(tf_id, Assignment()).target
        target = next((one for one in options[tf_id] if track_for(state, side, one) == track), None)
        _assign(turn, tf, target)


@rule("7.5.2", "7.5.4", "1.6.8.3", "7.5.1")
def may_continue_on(state: State, tf: TaskForce) -> list[TaskForce]:
    """The enemy forces that a force may go on shadowing. It must hold a unit of an old shadower and have kept the
    posture; they must hold a unit of that one's old target and be in its hex.

    PQ-17 7.5.2, 7.5.4, 1.6.8.3; rulings TF-2, SHD-12.
    """
    if not tf.shadowing or tf.is_base or tf.in_port or tf.posture.logistics:
        return []
    wanted = [link.target for link in state.shadow_links if set(link.shadower) & set(tf.units)]
    found = [
        enemy
        for enemy in state.task_forces_in(tf.hex, state.enemy_of(tf.side))
        if any(set(target) & set(enemy.units) for target in wanted)
    ]
    return sorted(found, key=lambda enemy: tf_order(track_for(state, tf.side, enemy)))


@rule("7.5.4", "1.6.8.2", "SOP.2.a.vi.1", "SOP.2.a.vi.3")
def _assign_steps(turn: TurnContext[State], side: Side, options: dict[str, list[TaskForce]]) -> Steps[Assignments]:
    """Ask if there are several targets; a single target stays shadowed. PQ-17 7.5.4, 1.6.8.2."""
    state = turn.state
    stay = {
        tf_id: Assignment(target=track_for(state, side, _kept(state.task_forces[tf_id], targets)))
        for tf_id, targets in options.items()
    }
    default = Assignments(stay)
    if all(len(targets) == 1 for targets in options.values()):
        return default
    lines = tuple(
        _assignment_line(state, side, tf_id, options[tf_id], default) for tf_id in sorted(options, key=tf_order)
    )
    form = Form(lines=lines)
    ask = Ask(
        kind="shadow",
        parties=(side,),
        title=f"Shadowing in turn {state.turn}",
        text="A force you shadowed has split. Choose whom each of your shadowing forces follows.",
        question=Question(
            "A shadowed force has split",
            "Whom does each of your shadowing forces follow?",
            tuple(sorted({state.task_forces[key].hex for key in options})),
            noun="force",
        ),
        model=Assignments,
        form=form,
        rule="PQ-17 7.5.4",
        default=default,
        default_says="Each goes on shadowing the force that kept the old number, or the first of those it became.",
        pace="decision",
        check=lambda answer: _check_assignments(form, answer),
        read_back=lambda answer: [
            f"{tf_id}: {'shadows ' + line.target if line.target else 'ends shadowing'}."
            for tf_id, line in _completed(answer, default).root.items()
        ],
    )
    return _completed((yield from turn.at("shadowing").ask_steps(ask)), default)


def _completed(answer: Assignments, default: Assignments) -> Assignments:
    """The answer, in which a force that it leaves out keeps the value filled in."""
    return Assignments({**default.root, **answer.root})


def _kept(tf: TaskForce, targets: list[TaskForce]) -> TaskForce:
    return next((target for target in targets if target.id == tf.shadowing), targets[0])


def _assignment_line(state: State, side: Side, tf_id: str, targets: list[TaskForce], default: Assignments) -> Line:
    tracks = [track_for(state, side, target) for target in targets]
    target = default.root[tf_id].target
    field = Field(key="target", label="Shadows", kind="one", choices=choices(*tracks), value=target, optional=True)
    return Line(key=tf_id, label=state.task_forces[tf_id].label, fields=(field,))


def _check_assignments(form: Form, answer: Assignments) -> list[Refusal]:
    found: list[Refusal] = []
    known = [line.key for line in form.lines]
    for key, assignment in answer.root.items():
        line = form.line(key)
        if line is None:
            found.append(malformed("no such shadowing force", key, legal=", ".join(known), nearest=nearest(key, known)))
            continue
        names = [choice.value for choice in line.fields[0].choices]
        if assignment.target is not None and assignment.target not in names:
            problem = "that holds no unit of the force it shadowed"
            near = nearest(assignment.target, names)
            found.append(illegal(problem, "PQ-17 7.5.4", f"{key}.target", legal=", ".join(names), nearest=near))
    return found


@rule("7.5.3", "7.5.4")
def _assign(turn: TurnContext[State], tf: TaskForce, target: TaskForce | None) -> None:
    """Set a force's target, leaving its plotted speed as it is. PQ-17 7.5.3, 7.5.4."""
    if target is None:
        lose_shadowing(turn, tf, because("PQ-17 7.5.2", {"in planning": "not continued"}), at_plot=True)
        return
    turn.state.set_target(tf, target.id)


@rule("7.5.5", "7.5.6", "SOP.2.a.vi.2", "SOP.2.a.vi.4", "SOP.2.a.vi.5")
def _announce_speed(turn: TurnContext[State], tf: TaskForce) -> None:
    """Announce who is shadowed, and the target's speed for the turn, to which the shadower holds if it can.

    PQ-17 7.5.5, 7.5.6; ruling SHD-13."""
    state = turn.state
    target = state.task_forces.get(tf.shadowing)
    if target is None or target.hex != tf.hex:
        state.set_target(tf, "")
        return
    speed = current_speed(state, target)
    track = track_for(state, tf.side, target)
    if fastest(state, tf).rate >= speed.rate:  # a ship without any fuel cannot use warp (7.5.7, ruling SPD-4)
        take_up(state, tf, target)
        why = because("PQ-17 7.5.6", {"its speed": speed.rate, "your maximum": fastest(state, tf).rate})
        text = f"{track} announces speed {speed.rate} for this turn; {tf.label} goes on shadowing it."
        turn.tell([tf.side], text, kind="shadowing", why=why)
        seen = track_for(state, target.side, tf)
        told = because("PQ-17 7.5.5, 7.5.6", {"your announced speed": speed.rate})
        turn.tell([target.side], f"{seen} goes on shadowing your {target.label}.", kind="shadowing", why=told)
    else:
        _drop_out(turn, tf, speed)


@rule("7.5.7", "SOP.2.a.vi.6")
def _drop_out(turn: TurnContext[State], tf: TaskForce, speed: Speed) -> None:
    """End shadowing of a target whose ``speed`` cannot be matched; the force keeps its own plot. PQ-17 7.5.7."""
    why = because("PQ-17 7.5.7", {"target's speed": speed.rate, "own maximum": fastest(turn.state, tf).rate})
    lose_shadowing(turn, tf, why, at_plot=True)
