"""Sheets for one movement phase, where a scenario has its captains asked in each. BP-R58"""

from collections.abc import Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Form, Line, text_field
from rules_engine.core.knowledge.views import Course
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.border_patrol.ch60_reaction.points import points_to_come
from rules_engine.rulebooks.border_patrol.phases.moving import can_enter
from rules_engine.rulebooks.border_patrol.plotting.fields import MOST_ASKED
from rules_engine.rulebooks.border_patrol.plotting.formations import commanded
from rules_engine.rulebooks.border_patrol.plotting.routes import read_legs, write_legs
from rules_engine.rulebooks.border_patrol.plotting.standing_words import EXAMPLE, read_orders, say_orders, write_orders
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.orders import RouteLeg, StackOrders, StackPlot, TurnPlots
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.stacks import movers


@rule("V8.15", "V8.94")
def phase_sheets_steps(turn: BorderTurn) -> Steps[None]:
    """Ask both Teams at once where those of their stacks go that have points in this phase; who is silent goes on as
    before. V8.15, V8.94, BP-R58"""
    state = turn.state
    teams = [team for team in turn.in_play if _able(state, team)]
    for team in teams:
        turn.show_maps(team)
    sheets = yield from turn.ask_all_steps([_phase_ask(state, team) for team in teams])
    for team, sheet in zip(teams, sheets, strict=True):
        for stack in _able(state, team):
            line = sheet.root.get(stack.id, StackPlot())
            stack.orders = _new_orders(stack, line)
            if line.route is not None:
                stack.orders.way = read_legs(state.grid, stack.hex, line.route, "")[0]


def _able(state: BorderState, team: Side) -> list[UnitStack]:
    """The stacks that a Team commands, and that could go somewhere in this phase: none that reacts to somebody."""
    return [
        stack
        for stack in commanded(state, team)
        if movers(state.members(stack)) and can_enter(state, stack) and not _reacts(state, stack)
    ]


def _reacts(state: BorderState, stack: UnitStack) -> bool:
    return any(unit.reacting for unit in state.members(stack))


def _new_orders(stack: UnitStack, line: StackPlot) -> StackOrders:
    return stack.orders.changed(**read_orders(line.orders or "", "")[0], way=list(stack.orders.way))


def _most(state: BorderState, stack: UnitStack) -> int:
    return min(points_to_come(unit, state.now.phase) for unit in movers(state.members(stack)))


def _phase_ask(state: BorderState, team: Side) -> Ask[TurnPlots]:
    able = {stack.id: stack for stack in _able(state, team)}
    phase, most = state.now.phase, {key: _most(state, stack) for key, stack in able.items()}
    when = f"Turn {state.turn}, phase {phase}"
    return Ask(
        kind="phase",
        parties=(team,),
        title=when,
        text="Say where stacks go from here, in this phase and those after it. What you leave out goes on as before.",
        question=Question(
            when, "Ways from here on.", whole=True, others="go on as before", noun="stack", lines=tuple(able)
        ),
        model=TurnPlots,
        form=lambda: Form(lines=tuple(_line(state, stack, most[key]) for key, stack in able.items())),
        rule="V8.15, BP-R58",
        default=TurnPlots({}),
        default_says="All stacks go on as before.",
        pace="decision",
        leaves_choice=True,
        check=lambda sheet: [
            refusal
            for key, line in sheet.root.items()
            for refusal in (
                _judge(state, able[key], line, phase, most[key]) if key in able else _not_asked(key, tuple(able))
            )
        ],
        read_back=lambda sheet: [_said(state, stack, sheet.root.get(key, StackPlot())) for key, stack in able.items()],
        courses=lambda sheet: [
            Course(counter=key, kind="plotted", hexes=(stack.hex, *(leg.hex for leg in legs)))
            for key, stack in able.items()
            if (legs := _legs(state, stack, sheet.root.get(key, StackPlot())))
        ],
    )


def _line(state: BorderState, stack: UnitStack, most: int) -> Line:
    example = state.grid.neighbours(stack.hex)[0]
    route = text_field(
        "route",
        "Route",
        MOST_ASKED,
        write_legs(stack.orders.way) or None,
        f"At most {counted(most, 'hex')} more in this turn, e.g. {example}; stop holds",
    )
    words = write_orders(stack.orders, state.zones.at_bases)
    orders = text_field("orders", "Standing orders", MOST_ASKED, words, f"For example {EXAMPLE}")
    names = ", ".join(unit.name for unit in state.members(stack))
    return Line(stack.id, f"{stack.id} at {stack.hex}: {names}"[:80], (route, orders), note=f"at {stack.hex}")


def _not_asked(key: str, able: Sequence[str]) -> list[Refusal]:
    text = "it has no points in this phase, or reacts to somebody"
    return [malformed(text, key, legal=", ".join(able), nearest=nearest(key, able))]


def _judge(state: BorderState, stack: UnitStack, line: StackPlot, phase: int, most: int) -> list[Refusal]:
    """Every defect of a line: of what it does not ask for, and of its way and words."""
    key = stack.id
    more = [name for name, value in line if value is not None and name not in ("route", "orders")]
    refusals = [
        illegal("that is settled for the turn", "BP-R58", f"{key}.{name}", legal="a route, or standing orders")
        for name in more
    ]
    refusals += read_orders(line.orders or "", f"{key}.orders")[1]
    path = f"{key}.route"
    legs, defects = read_legs(state.grid, stack.hex, line.route or "", path)
    if len(legs) > most:
        near = (write_legs(legs[:most]),)
        text = f"{key} would enter {counted(len(legs), 'hex')} more"
        defects.append(illegal(text, "V8.93, V8.94", path, legal=f"{most} at most", nearest=near))
    past = [leg.phase for leg in legs if 0 < leg.phase < phase]
    if past:
        legal = f"P{phase} or later"
        defects.append(illegal(f"phase {past[0]} is over", "V8.94", path, legal=legal))
    return [*refusals, *defects]


def _legs(state: BorderState, stack: UnitStack, line: StackPlot) -> list[RouteLeg]:
    if line.route is None:
        return stack.orders.way
    return read_legs(state.grid, stack.hex, line.route, "")[0]


def _said(state: BorderState, stack: UnitStack, line: StackPlot) -> str:
    legs = _legs(state, stack, line)
    said = f"{stack.id}: " + (f"goes {write_legs(legs)}" if legs else f"holds at {stack.hex}")
    if line.orders and line.orders.strip():
        said += f"; {say_orders(_new_orders(stack, line), state.zones.at_bases)}"
    return said
