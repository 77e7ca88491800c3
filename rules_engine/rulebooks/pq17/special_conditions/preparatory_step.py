"""1. Preparatory Step: special conditions and random events are rolled, announced, and plotted. PQ-17 SOP.1.

Each side sees its own dice and results only; the other learns of them when the rules say so (ruling SPC-4).
"""

from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.reports import MapNote, because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.nations.conditions_in_force import (
    AIKASHI,
    DOWNBELOW,
    LOG,
    SCAPA,
    TARGETS,
    base_called,
    counts_as,
    executing,
    in_force,
    left_to_plot,
    period_of,
    title_of,
)
from rules_engine.rulebooks.pq17.records.special_conditions import Execution, RolledCondition, RolledEvent, Spy
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, COALITION, State
from rules_engine.rulebooks.pq17.special_conditions.descriptions import EFFECTS, EVENT_EFFECTS
from rules_engine.rulebooks.pq17.special_conditions.points import permit_breakout, permit_transfers
from rules_engine.rulebooks.pq17.special_conditions.reinforcements import early_reinforcement_steps
from rules_engine.rulebooks.pq17.special_conditions.ships_brought import bring_on, bring_on_breakout
from rules_engine.rulebooks.pq17.tables.special_conditions import (
    EVENT_TITLES,
    RULES,
    TITLES,
    Cell,
    ConditionName,
    condition_for,
    event_for,
)

ROLLERS: tuple[Side, ...] = (ALLIANCE, COALITION)
"""The sides in the order in which they roll. PQ-17 SOP.1.a-d, ruling SOP-1."""
GO = "yes"
COBWEB_BASES = (AIKASHI, DOWNBELOW, SCAPA)
"""The bases from which Agent Cobweb may report. PQ-17 C.special.agent-cobweb."""


@rule("1.5")
def preparatory_steps(turn: TurnContext[State]) -> Steps[None]:
    """The Preparatory Step of an operational period. PQ-17 1.5, SOP.1.a-f; rulings SOP-1, SPC-1."""
    state = turn.state
    if not in_force(state):
        return
    state.special.tallies = []
    state.special.mines_scored = 0
    state.special.early = []
    rolled: list[RolledCondition] = []
    for side in ROLLERS:
        rolled.append(roll_condition(turn, side))
        roll_event(turn, side)
    for condition in rolled:
        announce(turn, condition)
    for condition in rolled:
        bring_on(turn, condition)
    asks = [ask for side in turn.sides if (ask := plot_ask(turn, side)) is not None]
    sheets = yield from turn.window_steps(turn.ask_all_steps(asks), "orders")
    for ask, sheet in zip(asks, sheets, strict=True):
        carry_out(turn, ask.parties[0], sheet)
    permit_transfers(state)
    if executing(state, COALITION, "breakout") is not None:
        permit_breakout(state)
    yield from early_reinforcement_steps(turn, rolled)


# --- a-d. the rolls ---------------------------------------------------------------------------------------------------


@rule("1.5.1", "SOP.1.a", "SOP.1.c", "C.special.table")
def roll_condition(turn: TurnContext[State], side: Side) -> RolledCondition:
    """A side's special condition for the period: a D100 that only it sees.

    PQ-17 1.5.1, SOP.1.a, SOP.1.c, C.special.table; rulings SPC-1 to SPC-5.
    """
    state = turn.state
    roll = turn.roll("special condition", faces=100, key=f"condition/{side}", seen_by=[side])
    cell = condition_for(side, roll.total)
    rolled = RolledCondition(side=side, name=counts_as(state, side, cell), period=period_of(state.turn), star=cell.star)
    text = _said_condition(state, rolled, cell)
    state.special.conditions = [*state.special.conditions, rolled]
    star = {"initiative": "+1 this period"} if cell.star else {}
    why = because(f"PQ-17 {RULES[cell.name]}", star, [roll])
    turn.tell([side], text, kind="special", why=why, facts=[MapNote(topic=LOG, text=text)])
    return rolled


def _said_condition(state: State, rolled: RolledCondition, cell: Cell) -> str:
    star = " Your initiative rolls get +1 this period." if cell.star else ""
    head = f"Special condition of period {rolled.period}: {TITLES[cell.name]}."
    if rolled.name == cell.name:
        return f"{head} {effect_of(state, rolled)}{star}".replace("  ", " ").strip()
    return f"{head} You have had it as often as it comes, so it counts as none.{star}"


def effect_of(state: State, rolled: RolledCondition) -> str:
    """What a condition does, in a sentence or two; the Coalition's first reinforcements are one ship."""
    if rolled.name == "reinforcements" and rolled.side == COALITION:
        had = any((one.side, one.name) == (COALITION, "reinforcements") for one in state.special.conditions)
        return EFFECTS["reinforcements"] if had else EFFECTS["prinz keugen"]
    return EFFECTS.get(rolled.name, "")


@rule("1.5.2", "SOP.1.b", "SOP.1.d", "C.random.table")
def roll_event(turn: TurnContext[State], side: Side) -> RolledEvent:
    """A side's random event for the period: two dice of 0 to 9 that only it sees.

    PQ-17 1.5.2, SOP.1.b, SOP.1.d, C.random.table; rulings SPC-1, GEN-5.
    """
    state = turn.state
    roll = turn.roll("random event", faces=10, count=2, low=0, key=f"event/{side}", seen_by=[side])
    name = event_for(side, roll.total)
    event = RolledEvent(side=side, name=name, period=period_of(state.turn))
    state.special.events = [*state.special.events, event]
    text = f"Random event of period {event.period}: {EVENT_TITLES[name]}. {EVENT_EFFECTS[name]}".strip()
    why = because("PQ-17 C.random.table", {}, [roll])
    turn.tell([side], text, kind="special", why=why, facts=[MapNote(topic=LOG, text=text)])
    return event


# --- e. announcements -------------------------------------------------------------------------------------------------


@rule("SOP.1.e", "C.special.agent-cobweb")
def announce(turn: TurnContext[State], rolled: RolledCondition) -> None:
    """Announce Agent Cobweb as soon as it is rolled; every other result stays its side's secret.

    PQ-17 SOP.1.e, C.special.agent-cobweb; ruling SPC-4.
    """
    if rolled.name != "agent cobweb":
        return
    rolled.revealed = True
    state = turn.state
    if not state.special.spies:
        bases = (base_called(state, name) for name in COBWEB_BASES)
        state.special.spies = [Spy(hex=base.hex) for base in bases if base is not None]
    why = because("PQ-17 C.special.agent-cobweb", {"rolled in period": rolled.period})
    turn.tell_all(
        "Agent Cobweb is at work: Aikashi Outstation, Downbelow Station and Scapa Flow count as settled by the "
        "Coalition for reconnaissance from now on.",
        kind="special",
        why=why,
    )


# --- f. the plot ------------------------------------------------------------------------------------------------------


class OperationPlot(Frozen):
    """Whether an operation is carried out this period, and against which base where there is a choice."""

    now: str | None = None


class OperationPlots(RootModel[dict[str, OperationPlot]]):
    """A side's secret plot of the Preparatory Step, by condition."""

    def chosen(self, name: str) -> str | None:
        """The answer for a condition."""
        line = self.root.get(name)
        return line.now if line else None


def _key(name: ConditionName) -> str:
    return name.replace(" ", "-")


BY_KEY: dict[str, ConditionName] = {_key(name): name for name in TITLES}


@rule("SOP.1.f")
def plot_ask(turn: TurnContext[State], side: Side) -> Ask[OperationPlots] | None:
    """The secret sheet of operations that could be carried out; None where the side holds none.

    PQ-17 SOP.1.f; rulings SPC-7, SPC-9, SPC-20.
    """
    state = turn.state
    names = left_to_plot(state, side)
    if not names:
        return None
    form = Form(lines=tuple(_line(state, name) for name in names))
    period = period_of(state.turn)
    return Ask(
        kind="operations",
        parties=(side,),
        title=f"Preparatory step of period {period}: operations",
        text=(
            "You hold these operations. Choose which you carry out in this period; an operation that is carried out is "
            "used up, whether it comes to a battle or not. The enemy is not told."
        ),
        question=Question(
            "Which operations now?", f"Each is used up in period {period}, battle or not. The enemy is not told."
        ),
        model=OperationPlots,
        form=form,
        rule="PQ-17 SOP.1.f",
        default=OperationPlots({}),
        default_says="None is carried out yet.",
        check=lambda answer: _check(form, answer),
        read_back=lambda answer: [_said_plot(line, answer.chosen(line.key)) for line in form.lines],
    )


def _line(state: State, name: ConditionName) -> Line:
    targets = TARGETS.get(name, ())
    if len(targets) > 1:
        offered = tuple(Choice(value=one, label=f"against {one}") for one in targets if base_called(state, one))
    else:
        offered = (Choice(value=GO, label="carried out this period"),)
    field = Field(key="now", label="This period", kind="one", choices=offered, optional=True)
    return Line(key=_key(name), label=TITLES[name], fields=(field,), note=EFFECTS[name])


def _said_plot(line: Line, chosen: str | None) -> str:
    if chosen is None:
        return f"{line.label}: not this period."
    return f"{line.label}: carried out this period{'' if chosen == GO else f' against {chosen}'}."


def _check(form: Form, answer: OperationPlots) -> list[Refusal]:
    found: list[Refusal] = []
    keys = [line.key for line in form.lines]
    legal = ", ".join(keys)
    for key, line in answer.root.items():
        offered = form.line(key)
        name = BY_KEY.get(key)
        if name is None:
            found.append(malformed("there is no such operation", key, legal=legal, nearest=nearest(key, keys)))
        elif offered is None:
            problem = f"you do not hold {TITLES[name]}, or have carried it out"
            found.append(illegal(problem, f"PQ-17 {RULES[name]}", key, legal=legal))
        elif line.now is not None:
            values = [choice.value for choice in offered.fields[0].choices]
            if line.now not in values:
                problem, rule = "it cannot go against that", f"PQ-17 {RULES[name]}"
                near = nearest(line.now, values)
                found.append(illegal(problem, rule, f"{key}.now", legal=", ".join(values), nearest=near))
    return found


@rule("SOP.1.f")
def carry_out(turn: TurnContext[State], side: Side, sheet: OperationPlots) -> None:
    """Note what a side carries out this period, and tell it so. PQ-17 SOP.1.f."""
    state = turn.state
    for name in left_to_plot(state, side):
        chosen = sheet.chosen(_key(name))
        if chosen is None:
            continue
        targets = TARGETS.get(name, ())
        target = chosen if chosen != GO else next(iter(targets), "")
        execution = Execution(side=side, name=name, period=period_of(state.turn), target=target)
        state.special.executions = [*state.special.executions, execution]
        text = f"{title_of(name, target)} is carried out in period {execution.period}."
        why = because(f"PQ-17 {RULES[name]}", {"plotted in the": "Preparatory Step"})
        turn.tell([side], text, kind="special", why=why, facts=[MapNote(topic=LOG, text=text)])
        if name == "breakout":
            bring_on_breakout(turn)
