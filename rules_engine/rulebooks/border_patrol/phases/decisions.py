"""What captains are asked in mid-turn where their sheets leave it to them: of the stacks concerned alone."""

from collections.abc import Callable, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, text_field
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question, UsualAnswer
from rules_engine.rulebooks.border_patrol.plotting.routes import read_legs, write_legs
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.orders import RouteLeg, StackChoice, StackChoices
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.stacks import whose

MOST_ROUTE = 100
_LET_GO = (Choice("refuse", "Hold them"), Choice("let go", "Let them go"))
_ONWARD = (Choice("stop", "Stop"), Choice("go on", "Go on"), Choice("turn back", "Turn back"))
_CONVOY = (Choice("let run", "Let it run"), Choice("fight", "Fight it"))
_MOVE_ON = (Choice("stay", "Stay"), Choice("go back", "Go back"))
_REACT = (Choice("stay", "Stay"), Choice("react", "React"))


@rule("V8.25")
def withdrawal_steps(turn: BorderTurn, team: Side, hex_id: HexId, stacks: Sequence[UnitStack]) -> Steps[bool]:
    """Ask a Team whether it lets others leave a hex before combat: all of its stacks there must. V8.25, BP-R16"""
    who = turn.state.teams[turn.state.other(team)].name
    question = Question(f"The {who} would leave {hex_id}", "Letting it go means no combat with it.", hexes=(hex_id,))
    ask = _ask(turn.state, team, "withdrawal", stacks, choices=_LET_GO, rule_id="V8.25", question=question)
    answer = yield from _at(turn, team, "withdrawal").ask_steps(ask)
    return all(_chosen(answer, stack, "refuse") == "let go" for stack in stacks)


def onward_steps(turn: BorderTurn, stack: UnitStack, goal: HexId) -> Steps[str]:
    """Ask a captain what a stack does that sees others in the hex before it."""
    question = Question(
        f"Others before {stack.id}",
        f"Phase {turn.state.now.phase}: {whose(turn.state, stack.team, goal)} in {goal}.",
        hexes=(goal, stack.hex),
    )
    ask = _ask(turn.state, stack.team, "onward", [stack], choices=_ONWARD, rule_id="BP-R58", question=question)
    answer = yield from _at(turn, stack.team, "onward").ask_steps(ask)
    return _chosen(answer, stack, "stop")


@rule("V8.61", "V8.62")
def reaction_steps(turn: BorderTurn, stack: UnitStack, goal: HexId, ways: Sequence[HexId]) -> Steps[StackChoice]:
    """Ask a captain whether a stack reacts to others that came into its Zone of Control, and by which of the shortest
    ways; never away from them. V8.61, V8.62"""
    question = Question(
        f"{stack.id} may react",
        f"Phase {turn.state.now.phase}: {whose(turn.state, stack.team, goal)} in {goal}.",
        hexes=(goal, stack.hex),
    )

    def check(sheet: StackChoices) -> list[Refusal]:
        given = sheet.root.get(stack.id, StackChoice())
        if given.answer != "react" or not given.way or given.way in ways:
            return []
        text = f"{given.way} is not on a shortest way from {stack.hex} to {goal}"
        return [illegal(text, "V8.61, V8.62", f"{stack.id}.way", legal=" or ".join(ways) or "none", nearest=ways[:1])]

    way = text_field("way", "First hex", 20, None, f"One of {' '.join(ways)}; blank takes the first")
    more = (way,) if ways else ()
    ask = _ask(
        turn.state,
        stack.team,
        "reaction",
        [stack],
        choices=_REACT,
        rule_id="V8.61",
        question=question,
        fields=more,
        check=check,
    )
    answer = yield from _at(turn, stack.team, "reaction").ask_steps(ask)
    return answer.root.get(stack.id, StackChoice())


@rule("V8.64", "V8.69")
def moving_on_way_steps(
    turn: BorderTurn, stack: UnitStack, home: Sequence[RouteLeg], most: int
) -> Steps[list[RouteLeg]]:
    """Ask a captain where a stack goes that caught others and may enter so many hexes at ``most``: nowhere, ``home``,
    or by a route. V8.64, V8.69"""
    grid, path = turn.state.grid, f"{stack.id}.route"
    question = Question(
        f"{stack.id} may move on",
        f"It is in {stack.hex}, and may enter {counted(most, 'hex')} more in this turn.",
        hexes=(stack.hex,),
    )

    def check(sheet: StackChoices) -> list[Refusal]:
        route = sheet.root.get(stack.id, StackChoice()).route
        legs, refusals = read_legs(grid, stack.hex, route, path) if route else ([], [])
        if len(legs) > most:
            near = (write_legs(legs[:most]),)
            text = f"{stack.id} would enter {counted(len(legs), 'hex')}"
            refusals.append(illegal(text, "V8.63, V8.69", path, legal=f"{most} at most", nearest=near))
        return refusals

    example = grid.neighbours(stack.hex)[0]
    field = text_field("route", "Route", MOST_ROUTE, None, f"e.g. {example}; instead of the answer above")
    choices = _MOVE_ON if home else _MOVE_ON[:1]
    ask = _ask(
        turn.state,
        stack.team,
        "moving on",
        [stack],
        choices=choices,
        rule_id="V8.69",
        question=question,
        fields=(field,),
        check=check,
    )
    answer = yield from _at(turn, stack.team, "moving on").ask_steps(ask)
    given = answer.root.get(stack.id, StackChoice())
    if given.route:
        return read_legs(grid, stack.hex, given.route, path)[0]
    return list(home) if given.answer == "go back" else []


@rule("T8.730")
def convoy_steps(turn: BorderTurn, stack: UnitStack) -> Steps[bool]:
    """Ask a captain whether a stack fights the convoy that it came upon under cloak. T8.730"""
    question = Question(
        f"A convoy before {stack.id}",
        f"{stack.id} came upon it in {stack.hex}. It runs, and reports you; who fights it shows itself.",
        hexes=(stack.hex,),
    )
    ask = _ask(turn.state, stack.team, "convoy", [stack], choices=_CONVOY, rule_id="T8.730", question=question)
    answer = yield from _at(turn, stack.team, "convoy").ask_steps(ask)
    return _chosen(answer, stack, "let run") == "fight"


def _at(turn: BorderTurn, team: Side, what: str) -> BorderTurn:
    turn.show_maps(team)
    return turn.at(what, turn.state.now.next_question(team))


def _chosen(answer: StackChoices, stack: UnitStack, default: str) -> str:
    return answer.root.get(stack.id, StackChoice()).answer or default


def _ask(
    state: BorderState,
    team: Side,
    kind: str,
    stacks: Sequence[UnitStack],
    *,
    choices: Sequence[Choice],
    rule_id: str,
    question: Question,
    fields: tuple[Field, ...] = (),
    check: Callable[[StackChoices], list[Refusal]] = lambda _: [],
) -> Ask[StackChoices]:
    """A question with one choice for each of these stacks; the first choice is the default, each other one a button
    that chooses it for all of them."""
    known = {stack.id: stack for stack in stacks}
    values = [one.value for one in choices]
    labels = {one.value: one.label for one in choices}
    offers = tuple(UsualAnswer(one.label, {key: {"answer": one.value} for key in known}) for one in choices[1:])
    default = StackChoices({key: StackChoice(answer=values[0]) for key in known})
    lines = tuple(
        Line(
            key,
            f"{key} at {stack.hex}: {state.members(stack)[0].name}",
            (Field("answer", "Answer", "one", choices=tuple(choices), value=values[0]), *fields),
        )
        for key, stack in known.items()
    )

    def judge(sheet: StackChoices) -> list[Refusal]:
        strange = [
            malformed("it is not asked about", key, legal=", ".join(known), nearest=nearest(key, known))
            for key in sheet.root
            if key not in known
        ]
        wrong = [
            malformed("that is no choice here", f"{key}.answer", legal=", ".join(values))
            for key, one in sheet.root.items()
            if one.answer and one.answer not in values
        ]
        asked = ["answer", *(field.key for field in fields)]
        beyond = [
            malformed("it is not asked for", f"{key}.{name}", legal=", ".join(asked), nearest=nearest(name, asked))
            for key, one in sheet.root.items()
            for name in sorted(one.model_fields_set.difference(asked))
            if getattr(one, name) is not None
        ]
        return [*strange, *wrong, *beyond, *check(sheet)]

    return Ask(
        kind=kind,
        parties=(team,),
        title=question.heading,
        text=question.situation,
        question=question._replace(offers=offers),
        model=StackChoices,
        form=Form(lines=lines),
        rule=rule_id,
        default=default,
        default_says=f"{labels[values[0]]}.",
        pace="decision",
        check=judge,
        read_back=lambda sheet: [
            f"{key}: {_said(one, labels.get(one.answer or values[0], one.answer))}"
            for key, one in (sheet.root or default.root).items()
        ],
    )


def _said(one: StackChoice, label: str) -> str:
    """A choice in words."""
    if one.route:
        return f"goes {one.route}"
    return label.lower() + (f" by {one.way}" if one.way else "")
