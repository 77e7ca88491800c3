"""A rulebook small enough to understand at a glance, for testing the core.

Each turn red and blue secretly pick a number from 0 to 9. Equal picks make a battle, whose result both must report
alike. Otherwise the higher pick scores a point; red alone sees a die. After three turns the higher score wins.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import RootModel

from rules_engine.core.basics import record, refusals
from rules_engine.core.basics.base import Frozen, Json, Side, SideLabel, When
from rules_engine.core.forms.forms import Field, Form, Line, choices
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.briefing import Briefing
from rules_engine.core.knowledge.economy.holdings import Economy
from rules_engine.core.knowledge.reports import Sighted, because
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.views import Board, Counter, Course, Knowledge, Panel, contact_counters
from rules_engine.core.protocol import asks, rulebook, turn_context
from rules_engine.core.tactics.tactics import Tactics
from tests.toy_tracker import BATTLE

RED, BLUE = "red", "blue"
GRID = Grid(columns=6, rows=5)
HOME = {RED: "0101", BLUE: "0605"}
UNITS = (f"{RED}-flag", f"{BLUE}-flag")
SEED = bytes(range(32))


class PicksState(record.Record):
    """Scores, the last picks and how red's die fell. ``fail_on`` is a pick that makes the rules raise."""

    turn: int = 1
    scores: dict[str, int]
    picks: dict[str, int]
    secret_die: int = 0
    fail_on: int = -1
    turns: int = 3


class PickLine(Frozen):
    """A pick, with a note nobody else reads."""

    number: int
    note: str = ""


class Pick(RootModel[dict[str, PickLine]]):
    """The sheet: one line, ``fleet``."""

    @property
    def number(self) -> int:
        return self.root["fleet"].number


class FateLine(Frozen):
    """One unit's fate."""

    fate: str


class Account(RootModel[dict[str, FateLine]]):
    """The fates of both flagships."""


def check_pick(pick: Pick) -> Sequence[refusals.Refusal]:
    if set(pick.root) != {"fleet"}:
        return [refusals.malformed("the sheet has one line, fleet")]
    if not 0 <= pick.number <= 9:
        return [refusals.illegal(f"{pick.number} is not a pick", "Picks 1", "fleet.number", legal="0 to 9")]
    return []


def check_account(account: Account) -> Sequence[refusals.Refusal]:
    return [refusals.malformed(f"{unit} is not accounted for", unit) for unit in UNITS if unit not in account.root]


def agree(accounts: Mapping[Side, Account]) -> asks.Agreement[Account]:
    red, blue = accounts[RED], accounts[BLUE]
    differences = tuple(
        f"{unit}: {red.root[unit].fate} against {blue.root[unit].fate}"
        for unit in UNITS
        if red.root[unit] != blue.root[unit]
    )
    return asks.Agreement(None if differences else red, differences)


def pick_ask(side: Side) -> asks.Ask[Any]:
    number = Field(key="number", label="Number", kind="number", least=0, most=9, value=1)
    note = Field(key="note", label="Note", kind="text", most=200, optional=True)
    return asks.Ask(
        kind="pick", parties=(side,), title="Pick a number", text="A number from 0 to 9; the higher scores.",
        model=Pick,
        form=Form(lines=(Line(key="fleet", label="Your fleet", fields=(number, note)),)),
        rule="Picks 1", default=Pick({"fleet": PickLine(number=1)}), default_says="you pick 1", check=check_pick,
        read_back=lambda pick: [f"Your fleet picks {pick.number}."],
        warn=lambda pick: ["Zero never wins."] if pick.number == 0 else [],
        courses=lambda pick: [Course(counter=f"{side}-flag", kind="plotted", hexes=(HOME[side], "0303"))],
    )  # fmt: skip


def battle_ask(turn: int) -> asks.Ask[Any]:
    fate = Field(key="fate", label="Fate", kind="one", choices=choices("ok", "destroyed"), value="ok")
    return asks.Ask(
        kind="battle", parties=(RED, BLUE), title=f"Battle of turn {turn}", text="What became of the flagships?",
        model=Account,
        form=Form(lines=tuple(Line(key=unit, label=unit, fields=(fate,)) for unit in UNITS)),
        rule="Picks 4", pace="battle", check=check_account,
        read_back=lambda account: [f"{unit}: {line.fate}" for unit, line in account.root.items()],
        agree=agree, set_up_from=frozenset({"scores"}),
        tactics=Tactics(BATTLE, lambda tally: {UNITS[0]: {"fate": "destroyed"}} if tally.turns > 2 else {}),
        setup=asks.BattleSetup(
            key=f"t{turn}",
            title=f"Battle of turn {turn}",
            where="In hex 0303",
            panels=(Panel(title="Set-up", rows=("Range 10.",)),),
            secret={RED: (Panel(title="Flanking", rows=("Turn 4.",)),)},
        ),
    )  # fmt: skip


class Picks:
    """The rulebook object."""

    key = "picks"
    title = "Picks"
    version = "1"
    parts_play = False
    state_model = PicksState
    rulings: Sequence[rulebook.RulingNote] = (rulebook.RulingNote(id="PICKS-1", rules="1", text="Ties are battles."),)

    def read_scenario(self, files: Mapping[str, str]) -> dict[str, Json]:
        if "scenario.toml" not in files:
            raise refusals.Refused([refusals.malformed("there is no scenario.toml")])
        return {"turns": 3}

    def sides(self, scenario: Mapping[str, Json]) -> tuple[SideLabel, ...]:
        return (SideLabel(key=RED, name="Red League", emblem="R"), SideLabel(key=BLUE, name="Blue Union", emblem="B"))

    def set_up(self, scenario: Mapping[str, Json]) -> PicksState:
        turns = scenario.get("turns", 3)
        scores = {RED: 0, BLUE: 0}
        return PicksState(scores=scores, picks={RED: 0, BLUE: 0}, turns=turns if isinstance(turns, int) else 3)

    def turn_steps(self, turn: turn_context.TurnContext[PicksState]) -> asks.Steps[None]:
        state = turn.state
        turn.set_time(state.turn, 0, f"Turn {state.turn}")
        turn.tell_all(f"Turn {state.turn} begins.")
        turn.show_maps()
        picks = yield from turn.at("pick").ask_all_steps([pick_ask(side) for side in turn.sides])
        for side, pick in zip(turn.sides, picks, strict=True):
            state.picks[side] = pick.number
            if pick.number == state.fail_on:
                raise ZeroDivisionError("this pick breaks the rules on purpose")
        roll = turn.roll("secret", faces=6, seen_by=[RED])
        state.secret_die = roll.total
        turn.tell([RED], f"Your die shows {roll.total}.", why=because("Picks 2", {"side": RED}, [roll]))
        if state.picks[BLUE] >= 5:
            seen = Sighted(track="E1", hex="0605", level=0, level_name="U", headline="something large")
            turn.tell([RED], "Something large stirs at 0605.", facts=[seen])
        if state.picks[RED] == state.picks[BLUE]:
            there = turn.at("battle")
            account = yield from there.ask_steps(battle_ask(state.turn))
            settled = asks.SETTLED_BY[there.settlement("battle", (RED, BLUE))]
            losers = [unit for unit, line in account.root.items() if line.fate == "destroyed"]
            lost = ", ".join(losers) or "nobody"
            turn.tell_all(f"A battle was fought; lost: {lost}.", why=because("Picks 4", {settled: ""}))
            for side in turn.sides:
                state.scores[side] += f"{side}-flag" not in losers
        else:
            winner = RED if state.picks[RED] > state.picks[BLUE] else BLUE
            state.scores[winner] += 1
            turn.tell_all(f"{turn.name_of(winner)} scores.", why=because("Picks 3"))
        state.turn += 1

    def ending(self, state: PicksState) -> rulebook.Ending | None:
        if state.turn <= state.turns:
            return None
        best = max(state.scores.values())
        winners = tuple(side for side, score in sorted(state.scores.items()) if score == best)
        scores = {side: str(score) for side, score in state.scores.items()}
        return rulebook.Ending(winners=winners, scores=scores, text=f"{' and '.join(winners)} won.", rule="Picks 5")

    def out_of_play(self, state: PicksState) -> frozenset[Side]:
        return frozenset()

    def defects(self, state: PicksState) -> Sequence[str]:
        return [f"{side} has a score below zero" for side, score in state.scores.items() if score < 0]

    def _board(self, state: PicksState, counters: Sequence[Counter], panels: Sequence[Panel]) -> Board:
        return Board(
            campaign="Picks", rulebook=self.title, heading=f"Turn {state.turn}", when=When(turn=state.turn),
            sides=self.sides({}), grid=GRID, counters=tuple(counters), panels=tuple(panels),
        )  # fmt: skip

    def side_board(self, state: PicksState, side: Side, knowledge: Knowledge) -> Board:
        own = Counter(id=f"{side}-flag", hex=HOME[side], owner=side, label="Flag")
        panels = [Panel(title="Forces", rows=(f"Flagship at {HOME[side]}",))]
        if side == RED:
            panels.append(Panel(title="Die", rows=(str(state.secret_die),)))
        return self._board(
            state, [own, *contact_counters(knowledge, When(turn=state.turn), grade_of=lambda level: level)], panels
        )

    def economy(self, state: PicksState, side: Side, knowledge: Knowledge, *, is_ahead: bool) -> Economy:
        """There is none."""
        return Economy()

    def briefing(self, state: PicksState, side: Side) -> Briefing:
        return Briefing()

    def side_tables(self, state: PicksState, side: Side, knowledge: Knowledge) -> Sequence[SideTable]:
        return ()

    def agreements(self, state: PicksState, side: Side) -> Sequence[str]:
        return ()

    def public_board(self, state: PicksState) -> Board:
        rows = tuple(f"{side}: {score}" for side, score in sorted(state.scores.items()))
        return self._board(state, [], [Panel(title="Scores", rows=rows)])

    def omniscient_board(self, state: PicksState) -> Board:
        counters = [Counter(id=f"{side}-flag", hex=HOME[side], owner=side, label="Flag") for side in (RED, BLUE)]
        return self._board(state, counters, [Panel(title="Die", rows=(str(state.secret_die),))])


PICKS = Picks()
