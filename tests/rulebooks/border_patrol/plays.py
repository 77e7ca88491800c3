"""Small campaigns in players' notation, played with scripted sheets and loaded dice.

A world is a few lines::

    blue B1 0302 CA+DD[crippled=1]
    red R1 0304 CA[cloak_cost=10]
    blue base 0202 BATS
    convoy red R3 0805 0804
    monster dragon 0504 hunts allowance=3 senses=2 driven_off_by=120
    province home blue 0101 0102
    system sol blue 0203
    storm gale 0503
    blue pod 0302 Cargo 1
    red sails FT FT
    blue post 0606

It is written as a scenario's files and read by their readers (:mod:`world_files`). Units are named after stack and
class: ``B1-CA``, a second one ``B1-CA2``. Square brackets set fields of a unit; those whose values are words stand as
they are (``towing=B1-DD``, ``pods=Cargo``). Blue has the lower initiative, so it moves first. In tables, which say what
holds :func:`after` turns, a world is one line with semicolons.
"""

from collections.abc import Callable, Mapping
from typing import Any

from rules_engine.core.basics.base import When
from rules_engine.core.basics.dice import DiceStream, Die
from rules_engine.core.basics.refusals import Refusal, Refused
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk, Steps
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.rulebooks.border_patrol import RULEBOOK
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import turned_up
from rules_engine.rulebooks.border_patrol.plotting.asking import plot_ask
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.sequence import turn_steps
from tests.rulebooks.border_patrol.world_files import POINTS, TEAMS, read_world

__all__ = ["POINTS", "TEAMS", "Played", "after", "is_turned_up", "play", "refused", "where_and_rule", "world"]

Sheets = Mapping[str, Any] | Callable[[AnyAsk], Mapping[str, Any]]
"""A sheet, or what makes one of the ask for it."""


def world(text: str, **settings: Any) -> BorderState:
    """The state that a world's lines describe, before its first turn."""
    state = read_world(text, **settings)
    assert RULEBOOK.defects(state) == []
    return state


class BorderDice(DiceStream):
    """Loaded dice: rolls whose label contains a key take its values in turn. Others: Blue's initiative is low, nobody
    encounters anything, and all else shows 1."""

    USUAL: Mapping[str, int] = {"initiative/blue": 1, "initiative/red": 6, "/found": 6}

    def __init__(self, falls: Mapping[str, list[int]]) -> None:
        super().__init__(b"0123456789abcdef")
        self.falls = {key: list(values) for key, values in falls.items()}

    def draw(self, label: str, ordinal: int, die: Die, count: int) -> tuple[int, ...]:
        for key, values in self.falls.items():
            if key in label and values:
                return tuple(values.pop(0) for _ in range(count))
        return (next((value for key, value in self.USUAL.items() if key in label), 1),) * count


class Played:
    """A turn, or any flow, driven with scripted answers: ``{(kind, side): sheet or list of sheets}``; a shared ask is
    ``(kind, "")``. Others take their default, battles what is filled in."""

    def __init__(
        self,
        state: BorderState,
        answers: Mapping[tuple[str, str], Any] | None = None,
        dice: Mapping[str, list[int]] | None = None,
        steps: Callable[[TurnContext[BorderState]], Steps[Any]] = turn_steps,
    ) -> None:
        self.state = state
        self.asks: list[AnyAsk] = []
        self.looks: dict[str, list[str]] = {label.key: [] for label in TEAMS}
        """A Team's map, as it stood each time that the Team was asked something."""
        self.answers = {key: list(v) if isinstance(v, list) else [v] for key, v in (answers or {}).items()}
        shared = SharedTurn(
            dice=BorderDice(dice or {}), sides=TEAMS, knowledge={label.key: Knowledge() for label in TEAMS},
            now=When(turn=max(1, state.turn)),
        )  # fmt: skip
        self.table = TurnContext(state, shared, f"T{state.turn + 1}")
        flow = steps(self.table)
        try:
            batch = next(flow)
            while True:
                self.asks += batch.asks
                assert all(ask.form is not None for ask in batch.asks), "it is made as it stands when it is asked"
                for side in dict.fromkeys(side for ask in batch.asks for side in ask.parties):
                    self.looks[side].append(self._board(side))
                assert RULEBOOK.defects(state) == []
                batch = flow.send({ask.id: self._answer(ask) for ask in batch.asks})
        except StopIteration:
            assert RULEBOOK.defects(state) == []

    def _answer(self, ask: AnyAsk) -> Any:
        scripted = self.answers.get((ask.kind, "" if len(ask.parties) > 1 else ask.parties[0]), [])
        sheet = scripted.pop(0) if scripted else None
        if sheet is None:
            return ask.default if ask.default is not None else ask.answer_from(ask.form.prefilled())
        if callable(sheet):
            sheet = sheet(ask)
        if ask.pace == "battle":
            sheet = {key: {**line, **sheet.get(key, {})} for key, line in ask.form.prefilled().items()}
        return ask.answer_from(sheet)

    def asked(self, side: str, kind: str = "") -> list[AnyAsk]:
        """What a Team was asked."""
        return [ask for ask in self.asks if side in ask.parties and kind in ("", ask.kind)]

    def told(self, side: str, kind: str = "") -> list[Report]:
        """What a Team was told."""
        return [one for one in self.table.shared.reports if one.is_for(side) and kind in ("", one.kind)]

    def texts(self, side: str, kind: str = "") -> list[str]:
        """The same in words."""
        return [one.text for one in self.told(side, kind)]

    def moves(self, side: str) -> list[str]:
        """What a Team was told of moves, by phase."""
        return [f"Phase {one.when.step // 10}: {one.text}" for one in self.told(side, "movement")]

    def hexes(self) -> dict[str, str]:
        """Where each stack is."""
        return {key: stack.hex for key, stack in sorted(self.state.stacks.items())}

    def _board(self, side: str) -> str:
        return RULEBOOK.side_board(self.state, side, self.table.knowledge(side)).model_dump_json()

    def seen_by(self, side: str) -> str:
        """All that reached a Team, as one text: its boards, what it was told, and what it was asked."""
        parts = [*self.looks[side], self._board(side)]
        parts += [one.model_copy(update={"number": 0}).model_dump_json() for one in self.told(side)]
        rolls = self.table.shared.rolls
        parts += [f"{one.label}: {one}" for one in rolls if one.seen_by is None or side in one.seen_by]
        for ask in self.asked(side):
            parts += [ask.id, ask.title, ask.text, str(ask.form.lines), str(ask.question)]
            parts += [] if ask.default is None else list(ask.read_back(ask.default))
            parts += [] if ask.setup is None else [ask.setup.seen_by(side).model_dump_json()]
        return "\n".join(parts)


def is_turned_up(state: BorderState, stack: str) -> bool:
    """Whether a cloaked stack stands open on the map."""
    return bool(turned_up(state.members(state.stacks[stack])))


def play(state: BorderState, blue: Sheets | None = None, red: Sheets | None = None, **more: Any) -> Played:
    """A turn with these sheets; ``more`` are answers by ``kind_side`` (``battle`` for a shared one), and ``dice``."""
    dice = more.pop("dice", None)
    answers: dict[tuple[str, str], Any] = {("plot", "blue"): blue, ("plot", "red"): red}
    for key, value in more.items():
        kind, _, side = key.partition("_")
        answers[(kind, side)] = value
    return Played(state, {key: value for key, value in answers.items() if value is not None}, dice)


def after(lines: str, orders: Any, names: Mapping[str, Any]) -> dict[str, Any]:
    """What is so, of all that has these names, after a turn or a list of turns in a world.

    The orders of a turn are what :func:`play` takes; those of the first may have ``settings`` of the scenario. A name
    is ``hexes`` for where all stacks are; ``B1`` for where a stack or a unit is, which is ``""`` of what is gone;
    ``B1-CA.moved_in.4`` for a field of a unit, stack, convoy, monster or system, of pods their names; ``pods`` for what
    lies where; ``red score``; ``red moves``; ``red asked battle`` for how often a Team was asked; ``red held`` for what
    it was told of that kind, ``red scoring`` of points, and ``red told`` for all that it was told.
    """
    first, *others = orders if isinstance(orders, list) else [orders]
    state = world(lines, **first.get("settings", {}))
    game = play(state, **{key: sheets for key, sheets in first.items() if key != "settings"})
    for turn in others:
        game = play(state, **turn)
    return {name: _fact(game, name) for name in names}


def _fact(game: Played, name: str) -> Any:
    state = game.state
    side, _, kind = name.partition(" ")
    if kind == "score":
        return state.teams[side].score
    if kind == "moves":
        return game.moves(side)
    if kind.startswith("asked "):
        return len(game.asked(side, kind.removeprefix("asked ")))
    if kind:
        return game.texts(side, {"told": "", "scoring": "score"}.get(kind, kind))
    if name == "hexes":
        return game.hexes()
    if name == "pods":
        return [(one.name, one.hex) for _, one in sorted(state.pods_lying.items())]
    key, *path = name.split(".")
    places = (state.stacks, state.units, state.convoys, state.habits, state.systems)
    records: list[Any] = [one[key] for one in places if key in one]
    if not path:
        return records[0].hex if records else ""
    records += [one.orders for one in records if hasattr(one, "orders")]
    found = next(getattr(one, path[0]) for one in records if hasattr(one, path[0]))
    for part in path[1:]:
        found = found[int(part)] if part.isdigit() else getattr(found, part)
    return [one.name for one in found] if path[0] == "pods" else found


def refused(state: BorderState, sheet: Any, team: str = "blue") -> list[Refusal]:
    """What is refused of a sheet, in the turn before which the state stands; nothing when it is legal."""
    ask = plot_ask(state, team)
    try:
        ask.answer_from(sheet)
    except Refused as found:
        return list(found.refusals)
    assert list(ask.read_back(ask.answer_from(sheet)))
    return []


def where_and_rule(refusals: list[Refusal]) -> list[tuple[str, str]]:
    """Path and first rule of each; each says what would be legal."""
    assert all(one.legal for one in refusals)
    return [(one.path, one.rule.split(",")[0]) for one in refusals]
