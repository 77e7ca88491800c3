"""Random events that are used during a period: each is offered to its owner when it could be, once.

An offer that the owner declined is not repeated until something new turns up, unless the owner wants to be asked
every time (own ruling PQ-61). PQ-17 1.5.2, C.random; rulings RND-1 to RND-5.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, choices
from rules_engine.core.knowledge.reports import MapNote, because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.contacts.identification import held_track, report_contact, track_for
from rules_engine.rulebooks.pq17.nations.conditions_in_force import LOG, event_now
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.special_conditions import RolledEvent
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, COALITION, State, tf_order
from rules_engine.rulebooks.pq17.tables.special_conditions import EVENT_TITLES, EventName

NOW = "yes"
"""The only choice where an event is about what has just happened."""
HFDF_MOST = IdLevel.ID3
"""The highest level to which HF/DF raises. PQ-17 C.random.hf-df, ruling RND-4."""

RULE_OF: Mapping[EventName, str] = {
    "residual minefield": "PQ-17 C.random.residual-minefield",
    "elusive target": "PQ-17 C.random.elusive-target",
    "straggler": "PQ-17 C.random.straggler",
    "hf-df": "PQ-17 C.random.hf-df",
}


class UseLine(Frozen):
    """Whether an event is used now, or on which contact, and whether to be asked every time."""

    on: str | None = None
    again: Literal["new", "always"] = "new"


class UseSheet(RootModel[dict[str, UseLine]]):
    """The owner's answer."""

    @property
    def line(self) -> UseLine:
        """The one line; an empty one if it was left out."""
        return self.root.get("use", UseLine())


# --- offering ---------------------------------------------------------------------------------------------------------


def contacts_held(state: State, side: Side) -> dict[str, TaskForce]:
    """Enemy task forces that a side holds at U or better, by its own numbers."""
    found: dict[str, TaskForce] = {}
    for tf in state.all_task_forces(state.enemy_of(side)):
        track = held_track(state, side, tf)
        if track is not None and tf.id_level >= IdLevel.U:
            found[track] = tf
    return dict(sorted(found.items(), key=lambda item: tf_order(item[0])))


def contact_chances(held: Mapping[str, TaskForce]) -> dict[str, str]:
    """Contacts as choices for an event's owner: value to label."""
    return {track: f"{track} in {tf.hex}, held at {tf.id_level.label}" for track, tf in held.items()}


def contact_news(held: Mapping[str, TaskForce]) -> list[str]:
    """Everything that can be new about contacts: that they are held, and each level at which they were ever held. A
    contact that moved, or is known worse than before, is not news."""
    levels = [level for level in IdLevel if IdLevel.U <= level <= IdLevel.ID3]
    return [f"{track} at {one.label}" for track, tf in held.items() for one in levels if one <= tf.id_level]


def this_time(state: State, what: str) -> list[str]:
    """News that differs each time, so that every occurrence is offered."""
    return [f"{what} in turn {state.turn}, {state.impulse}{state.half}"]


def offer_steps(
    turn: TurnContext[State], event: RolledEvent, chances: Mapping[str, str], text: str, *, news: Iterable[str]
) -> Steps[str]:
    """Offer an event on one of several things (value to label); returns the one chosen, or nothing.

    Asked only if ``news`` contains something new, unless its owner wants to be asked every time. Own ruling PQ-61.
    """
    found = set(news)
    if not chances or (not event.every_time and found <= set(event.offered)):
        return ""
    event.offered = sorted({*event.offered, *found})
    answer = yield from turn.at(f"{event.name} {event.side}").ask_steps(_use_ask(event, chances, text))
    event.every_time = answer.line.again == "always"
    if answer.line.on is not None:
        event.spent = True
    return answer.line.on or ""


def _use_ask(event: RolledEvent, chances: Mapping[str, str], text: str) -> Ask[UseSheet]:
    title = EVENT_TITLES[event.name]
    offered = tuple(Choice(value=value, label=label) for value, label in chances.items())
    again = choices(new="when something new turns up", always="whenever it could be used")
    usual = "always" if event.every_time else "new"
    fields = (
        Field(key="on", label="Use it on", kind="one", choices=offered, optional=True),
        Field(key="again", label="If not, ask again", kind="one", choices=again, value=usual, optional=True),
    )
    return Ask(
        kind="random event",
        parties=(event.side,),
        title=f"{title}: use it now?",
        text=text,
        model=UseSheet,
        form=Form(lines=(Line(key="use", label=title, fields=fields),)),
        rule=RULE_OF[event.name],
        default=UseSheet({}),
        default_says="It is kept for later in this period.",
        pace="decision",
        check=lambda answer: _check_use(event, list(chances), answer),
        read_back=lambda answer: [f"{title}: {_said(answer.line.on)}{_say_again(answer)}."],
    )


def _said(chosen: str | None) -> str:
    if chosen is None:
        return "not used yet"
    return "used now" if chosen == NOW else f"used on {chosen}"


def _say_again(answer: UseSheet) -> str:
    """When its owner is asked again about an event that is kept."""
    if answer.line.on is not None:
        return ""
    always = answer.line.again == "always"
    return f"; you are asked again {'whenever it could be used' if always else 'when something new turns up'}"


def _check_use(event: RolledEvent, chances: Sequence[str], answer: UseSheet) -> list[Refusal]:
    found = [malformed("there is one line, use", key, legal="use") for key in answer.root if key != "use"]
    chosen = answer.line.on
    if chosen is not None and chosen not in chances:
        legal = ", ".join(chances)
        problem = "it cannot be used on that"
        found.append(illegal(problem, RULE_OF[event.name], "use.on", legal=legal, nearest=nearest(chosen, chances)))
    return found


def note_used(turn: TurnContext[State], event: RolledEvent, text: str) -> None:
    """Tell the owner that the event is used up, and add it to its notes."""
    why = because(RULE_OF[event.name], {"once in": f"period {event.period}"})
    turn.tell([event.side], text, kind="special", why=why, facts=[MapNote(topic=LOG, text=text)])


# --- elusive target ---------------------------------------------------------------------------------------------------


@rule("C.random.elusive-target")
def elusive_steps(turn: TurnContext[State], seeker_side: Side, seen: str, target: TaskForce, verb: str) -> Steps[bool]:
    """After a Coalition search or attack has succeeded: ask whether the Alliance turns it into a failure.

    ``seen`` is what the Alliance calls the searcher. All rolls of the attempt then count as failed, and both sides
    know why. PQ-17 C.random.elusive-target; ruling RND-2.
    """
    state = turn.state
    event = event_now(state, ALLIANCE, "elusive target")
    if event is None or seeker_side != COALITION:
        return False
    what = f"{seen} has {verb} your {target.label} in {target.hex} successfully"
    text = f"{what[0].upper() + what[1:]}. You may turn this into a failure, once in this period."
    # Bases and settled hexes search in every impulse: the same search of the same force is not news.
    news = [f"{seen} searched {target.id}"] if verb == "searched" else this_time(state, f"{seen} {verb} {target.id}")
    chosen = yield from offer_steps(turn, event, {NOW: f"{what}: it fails"}, text, news=news)
    if not chosen:
        return False
    rule = RULE_OF["elusive target"]
    why = because(rule, {"once a": "period"})
    note_used(turn, event, f"Elusive Target: {seen} has not {verb} your {target.label} after all.")
    name = track_for(state, seeker_side, target)
    turn.tell([seeker_side], f"{name} in {target.hex} proves elusive: the attempt fails.", kind="attempt", why=why)
    return True


# --- HF/DF ------------------------------------------------------------------------------------------------------------


@rule("C.random.hf-df")
def direction_finding_steps(turn: TurnContext[State]) -> Steps[None]:
    """Before and after a reconnaissance step: ask whether the Alliance raises its level on one Coalition force by one.

    It counts at once, and the Coalition is not told. PQ-17 C.random.hf-df; ruling RND-4.
    """
    state = turn.state
    event = event_now(state, ALLIANCE, "hf-df")
    if event is None:
        return
    held = {track: tf for track, tf in contacts_held(state, ALLIANCE).items() if tf.id_level < HFDF_MOST}
    text = "You may raise your level on one Coalition force by one, to ID3 at most, once in this period."
    chosen = yield from offer_steps(turn, event, contact_chances(held), text, news=contact_news(held))
    if not chosen:
        return
    target = held[chosen]
    before = target.id_level
    target.id_level = IdLevel(before + 1)
    note_used(turn, event, f"HF/DF is used on {chosen}.")
    why = because(RULE_OF["hf-df"], {"from": f"{before.label} to {target.id_level.label}"})
    report_contact(turn, target, ALLIANCE, why)


# --- residual minefield -----------------------------------------------------------------------------------------------


Attack = Callable[[TurnContext[State], TaskForce], Steps[None]]


@rule("C.random.residual-minefield", "SOP.2.b.iv")
def residual_minefield_steps(turn: TurnContext[State], attack: Attack) -> Steps[None]:
    """In the minefield attacks: ask whether a side makes an enemy force meet old mines of strength 0 at ID0.

    ``attack`` makes the mine attack (chapter 12). PQ-17 C.random.residual-minefield, SOP.2.b.iv; ruling RND-1.
    """
    state = turn.state
    for side in turn.sides:
        event = event_now(state, side, "residual minefield")
        if event is None:
            continue
        held = {track: tf for track, tf in contacts_held(state, side).items() if not tf.is_base}
        text = "You may have one enemy force run into old mines (strength 0, ID0), once in this period."
        chosen = yield from offer_steps(turn, event, contact_chances(held), text, news=contact_news(held))
        if chosen:
            note_used(turn, event, f"Unexpected Residual Minefield: {chosen} runs into old mines.")
            yield from attack(turn.at("residual minefield", side), held[chosen])
