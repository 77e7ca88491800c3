"""FIS-ULTRA, KIS-B and WHISKERS: after the first planning step of a period a side reveals special conditions.

On a side's first collection the revealing side chooses what it reveals; from the second on the asking side chooses
between something new and whether a condition it knows of is being carried out. PQ-17 C.random; rulings RND-6, RND-7.
"""

from collections.abc import Sequence

from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.reports import MapNote, because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.nations.conditions_in_force import LOG, event_now, executing, held, period_of, title_of
from rules_engine.rulebooks.pq17.records.special_conditions import RolledCondition
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, COALITION, State
from rules_engine.rulebooks.pq17.tables.special_conditions import EVENT_TITLES, PLOTTED, TITLES, EventName

COLLECTORS: tuple[tuple[Side, EventName], ...] = ((ALLIANCE, "fis-ultra"), (COALITION, "kis-b"))
RULES: dict[EventName, str] = {
    "fis-ultra": "PQ-17 C.random.fis-ultra",
    "kis-b": "PQ-17 C.random.kis-b",
    "whiskers": "PQ-17 C.random.whiskers",
}
NEW = "new"


class ChoiceLine(Frozen):
    """The value that is chosen."""

    choice: str = ""


class ChoiceSheet(RootModel[dict[str, ChoiceLine]]):
    """A sheet with one choice among several."""

    @property
    def chosen(self) -> str:
        """The value; empty if it was left out."""
        line = self.root.get("choice")
        return line.choice if line else ""


@rule("C.random.fis-ultra", "C.random.kis-b")
def intelligence_steps(turn: TurnContext[State]) -> Steps[None]:
    """All collections of the period, the Alliance's first. PQ-17 C.random.fis-ultra, C.random.kis-b, RND-6, RND-7."""
    state = turn.state
    for side, name in COLLECTORS:
        event = event_now(state, side, name)
        if event is not None:
            event.spent = True
            yield from _collect_steps(turn.at(name), side, name)
    whiskers = event_now(state, ALLIANCE, "whiskers")
    if whiskers is not None:
        whiskers.spent = True
        _whisker(turn)


# --- FIS-ULTRA and KIS-B ----------------------------------------------------------------------------------------------


@rule("C.random.fis-ultra", "C.random.kis-b")
def _collect_steps(turn: TurnContext[State], side: Side, name: EventName) -> Steps[None]:
    """One collection by ``side``. PQ-17 C.random.fis-ultra, C.random.kis-b; ruling RND-6."""
    state = turn.state
    enemy = state.enemy_of(side)
    asked = NEW
    now = period_of(state.turn)
    earlier = [one for one in state.special.events if (one.side, one.name) == (side, name) and one.period < now]
    followed = [one for one in revealed(state, enemy) if one.name in PLOTTED]
    if earlier and followed:
        options = {NEW: "a condition not revealed yet"}
        options |= {f"is {one.name}": f"whether {TITLES[one.name]} is carried out now" for one in followed}
        text = f"{EVENT_TITLES[name]}: choose what the other side must tell you."
        asked = yield from _choose_steps(turn, side, "collection", options=options, text=text, rule=RULES[name])
    if asked != NEW:
        condition = next(one for one in followed if asked == f"is {one.name}")
        _tell(turn, side, name, _execution_text(state, condition))
        return
    hidden = unrevealed(state, enemy)
    if not hidden:
        _tell(turn, side, name, "Nothing that is not known has been rolled.")
        return
    # Results of one name are the same to the other side, so each name is offered once.
    names = {one.name: TITLES[one.name] for one in hidden}
    text = f"{EVENT_TITLES[name]}: the other side collects intelligence. Choose which special condition you reveal."
    chosen = yield from _choose_steps(turn, enemy, "revelation", options=dict(names), text=text, rule=RULES[name])
    condition = next(one for one in hidden if one.name == chosen)
    for one in hidden:
        if one.name == chosen:
            one.revealed = True
    said = f"Rolled in period {condition.period}: {TITLES[condition.name]}."
    if condition.name in PLOTTED:
        said += f" {_execution_text(state, condition)}"
    _tell(turn, side, name, said)


def unrevealed(state: State, side: Side) -> list[RolledCondition]:
    """A side's results that the other side has not been told of, without those that count as None."""
    found = (one for one in state.special.conditions if one.side == side)
    return [one for one in found if one.name != "none" and not one.revealed]


def revealed(state: State, side: Side) -> list[RolledCondition]:
    """A side's results that the other side knows of, one of each name."""
    found = [one for one in state.special.conditions if one.side == side and one.revealed]
    return list({one.name: one for one in found}.values())


def _execution_text(state: State, condition: RolledCondition) -> str:
    """Whether an operation is being carried out in this period; the base it goes against stays secret (own ruling
    PQ-63)."""
    execution = executing(state, condition.side, condition.name)
    if execution is None:
        return f"{title_of(condition.name)} is not carried out in this period."
    execution.revealed = True
    return f"{title_of(condition.name)} is carried out in this period."


def _tell(turn: TurnContext[State], side: Side, name: EventName, text: str) -> None:
    """Tell the collector what it learned, and tell the other side that it did."""
    title = EVENT_TITLES[name]
    why = because(RULES[name])
    said = f"{title}: {text}"
    turn.tell([side], said, kind="special", why=why, facts=[MapNote(topic=LOG, text=said)])
    enemy = turn.state.enemy_of(side)
    shown = f"The other side's {title}: {text}"
    turn.tell([enemy], shown, kind="special", why=why, facts=[MapNote(topic=LOG, text=shown)])


# --- WHISKERS ---------------------------------------------------------------------------------------------------------


@rule("C.random.whiskers")
def _whisker(turn: TurnContext[State]) -> None:
    """Tell whether a Port Strike has been rolled, and whether it is carried out now. PQ-17 C.random.whiskers; RND-7."""
    state = turn.state
    rolled = held(state, COALITION, "port strike")
    execution = executing(state, COALITION, "port strike")
    for one in rolled:
        one.revealed = True
    if execution is not None:
        execution.revealed = True
    words = ("has" if rolled else "has not", "is" if execution is not None else "is not")
    _tell(turn, ALLIANCE, "whiskers", f"A Port Strike {words[0]} been rolled and {words[1]} carried out now.")


# --- choosing ---------------------------------------------------------------------------------------------------------


def _choose_steps(
    turn: TurnContext[State], side: Side, kind: str, *, options: dict[str, str], text: str, rule: str
) -> Steps[str]:
    """Ask for one of several things; a single one is taken without asking."""
    values = list(options)
    if len(values) == 1:
        return values[0]
    choices = tuple(Choice(value=value, label=label) for value, label in options.items())
    field = Field(key="choice", label="Choose", kind="one", choices=choices, value=values[0])
    ask = Ask(
        kind=kind,
        parties=(side,),
        title="Intelligence on special conditions",
        text=text,
        model=ChoiceSheet,
        form=Form(lines=(Line(key="choice", label="Your choice", fields=(field,)),)),
        rule=rule,
        default=ChoiceSheet({"choice": ChoiceLine(choice=values[0])}),
        default_says=f"The first: {options[values[0]]}.",
        pace="decision",
        check=lambda answer: _check(values, answer, rule),
        read_back=lambda answer: [f"Chosen: {options.get(answer.chosen or values[0], '')}."],
    )
    answer = yield from turn.ask_steps(ask)
    return answer.chosen or values[0]


def _check(values: Sequence[str], answer: ChoiceSheet, rule: str) -> list[Refusal]:
    found = [malformed("there is one line, choice", key, legal="choice") for key in answer.root if key != "choice"]
    if answer.chosen and answer.chosen not in values:
        near = nearest(answer.chosen, values)
        problem = "that cannot be chosen"
        found.append(illegal(problem, rule, "choice.choice", legal=", ".join(values), nearest=near))
    return found
