"""A tiny rulebook for tests of the bot: two sides name secret numbers.

Each turn both sides fill in a sheet (a number and a few other fields, enough for two modals) and may send a spy. The
higher number wins a point and chooses what to do with it (a quick choice); equal numbers meet in a battle that both
sides play by hand and report on.
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field as ModelField

from rules_engine.core.basics.base import Frozen, Json, Side, SideLabel, When
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refusal, Refused, illegal, malformed
from rules_engine.core.forms.forms import Choice, Field, Form, Line, choices
from rules_engine.core.forms.short_forms import OneField, ShortForm, ShortPage
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.briefing import Briefing
from rules_engine.core.knowledge.economy.holdings import Economy
from rules_engine.core.knowledge.odds import Odds, OddsMenu
from rules_engine.core.knowledge.reports import MapNote, because
from rules_engine.core.knowledge.rosters import OwnShip
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.views import Board, Counter, HexNote, Knowledge, Panel
from rules_engine.core.protocol.accounts import AccountGuide, StatedEnd, field_difference
from rules_engine.core.protocol.asks import Agreement, Ask, BattleSetup, Steps
from rules_engine.core.protocol.rulebook import Ending, RulingNote
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.tactics.describing import described
from rules_engine.core.tactics.tactics import Tactics
from tests.toy_tracker import BATTLE

CONFIG = Path(__file__).parent / "toyconfig"
SIDES = (SideLabel(key="red", name="Red Fleet", emblem="R"), SideLabel(key="blue", name="Blue Fleet", emblem="B"))
GRID = Grid(columns=4, rows=3)
MANY = tuple(f"s{number:02}" for number in range(1, 31))
"""More choices than a menu holds."""


class Fleet(Frozen):
    """One line of the sheet."""

    number: int = ModelField(ge=1, le=9)
    stance: Literal["bold", "careful"] = "careful"
    escorts: tuple[str, ...] = ()
    loud: bool = False
    motto: str | None = None
    sector: str | None = None


class Orders(Frozen):
    """A side's sheet."""

    fleet: Fleet


class Spy(Frozen):
    """Whether a spy goes out."""

    send: bool = False
    bribe: int = 0


class Missions(Frozen):
    """The sheet of missions."""

    spy: Spy


class Spoils(Frozen):
    """What the winner does with the point."""

    take: Literal["gold", "honour", "mercy"]


class Decision(Frozen):
    """The quick choice."""

    spoils: Spoils


class Account(Frozen):
    """Ships left to each side."""

    red: int = ModelField(ge=0, le=9)
    blue: int = ModelField(ge=0, le=9)


class Result(Frozen):
    """What a side reports of a battle."""

    ships: Account


SHORT = ShortForm((ShortPage("Ships left", (OneField("ships", "red"), OneField("ships", "blue"))),))
"""What an account asks for first: all of it."""


class State(Record):
    """The whole campaign."""

    turns: int
    turn: int = 1
    points: dict[Side, int] = ModelField(default_factory=lambda: {"red": 0, "blue": 0})
    ships: dict[Side, int] = ModelField(default_factory=lambda: {"red": 5, "blue": 5})
    taken: list[str] = ModelField(default_factory=list[str])


def toy_tactics() -> Tactics:
    """How a battle may be tracked."""
    return Tactics(BATTLE, lambda tally: {"ships": {"red": min(9, tally.turns)}})


class Toy:
    """The rulebook."""

    key = "toy"
    title = "Secret Numbers"
    version = "1"
    parts_play = False
    state_model = State
    unit_class = None
    scenario_files: Mapping[str, Any] = {}
    rulings: Sequence[RulingNote] = (
        RulingNote(id="toy-1", rules="1.2", text="Equal numbers are fought out, however small they are."),
    )

    def read_scenario(self, files: Mapping[str, str]) -> dict[str, Json]:
        try:
            document = tomllib.loads(files.get("scenario.toml", ""))
        except tomllib.TOMLDecodeError:
            raise Refused([malformed("is not TOML", "scenario.toml")]) from None
        if not isinstance(document.get("turns"), int):
            raise Refused([malformed("turns must be a whole number", "scenario.toml.turns")])
        return document

    def sides(self, scenario: Mapping[str, Json]) -> tuple[SideLabel, ...]:
        return SIDES

    def set_up(self, scenario: Mapping[str, Json]) -> State:
        return State.from_json({"turns": scenario["turns"]})

    def turn_steps(self, table: TurnContext[State]) -> Steps[None]:
        state = table.state
        table.set_time(state.turn, 0, f"Turn {state.turn}")
        asks: list[Ask[Any]] = [self._orders(state, side) for side in table.sides]
        asks += [self._missions(side) for side in table.sides]
        answers = yield from table.ask_all_steps(asks)
        numbers = {"red": answers[0].fleet.number, "blue": answers[1].fleet.number}
        for side, spy in zip(table.sides, answers[2:], strict=True):
            if spy.spy.send:
                other = table.others(side)[0]
                roll = table.roll("spying", faces=6, key=f"spy/{side}", seen_by=[side])
                table.tell(
                    [side],
                    f"Our spy reports: {table.name_of(other)} named {numbers[other]}.",
                    why=because("3.1", {"bribe": spy.spy.bribe}, [roll]),
                    facts=[MapNote(topic="spies", text=f"{numbers[other]}")],
                )
        if numbers["red"] == numbers["blue"]:
            yield from self._battle_steps(table)
        else:
            winner = max(table.sides, key=lambda side: numbers[side])
            state.points[winner] += 1
            table.tell_all(f"{table.name_of(winner)} named the higher number.", why=because("1.1"))
            chosen = yield from table.ask_steps(self._spoils(winner))
            state.taken.append(chosen.spoils.take)
        table.show_maps()
        state.turn += 1

    def _battle_steps(self, table: TurnContext[State]) -> Steps[None]:
        result = yield from table.ask_steps(self._battle(table))
        table.state.ships.update(red=result.ships.red, blue=result.ships.blue)
        table.tell_all(f"Battle: {result.ships.red} to {result.ships.blue}.", why=because("2.1"))

    def ending(self, state: State) -> Ending | None:
        if state.turn <= state.turns:
            return None
        best = max(state.points.values())
        winners = tuple(side for side in state.points if state.points[side] == best)
        scores = {side: str(points) for side, points in state.points.items()}
        return Ending(winners=winners, scores=scores, text="The last turn is over.", rule="9.9")

    def out_of_play(self, state: State) -> frozenset[Side]:
        return frozenset()

    def defects(self, state: State) -> Sequence[str]:
        return [f"{side} has {count} ships" for side, count in state.ships.items() if count < 0]

    def side_board(self, state: State, side: Side, knowledge: Knowledge) -> Board:
        own = (f"ships {state.ships[side]}", f"points {state.points[side]}")
        spies = tuple(knowledge.logs.get("spies", ()))
        counters = (Counter(id=f"{side}1", hex="0101" if side == "red" else "0402", owner=side, label="F1"),)
        return self._board(state, counters, (Panel(title="Forces", rows=own), Panel(title="Spies", rows=spies)))

    def side_tables(self, state: State, side: Side, knowledge: Knowledge) -> Sequence[SideTable]:
        rows = (("ships", str(state.ships[side])), ("points", str(state.points[side])))
        return (SideTable(key="fleet", title="The fleet", columns=("What", "How many"), rows=rows),)

    def economy(self, state: State, side: Side, knowledge: Knowledge, *, is_ahead: bool) -> Economy:
        """There is none."""
        return Economy()

    def briefing(self, state: State, side: Side) -> Briefing:
        return Briefing(
            objective="Name the higher number.",
            victory=(f"Most points after {state.turns} turns.", "A point for each higher number."),
            length=f"{state.turns} turns",
            forces=(f"{state.ships[side]} ships",),
            to_know=("Numbers are secret.", "Equal numbers meet in battle."),
            terms=(("E1", "the first escort"),),
        )

    def roster(self, state: State, side: Side) -> Sequence[OwnShip]:
        return [OwnShip(key, key.capitalize()) for key in ("fleet", "spy", "ships")]

    def odds_menu(self, state: State, side: Side, knowledge: Knowledge) -> OddsMenu:
        mine = Choice(value="F1", label=f"{side}'s fleet")
        return OddsMenu(own=(mine,), targets=(Choice(value="E1", label="the other fleet"),))

    def odds(self, state: State, side: Side, knowledge: Knowledge, own: str, target: str) -> Odds:
        if (own, target) != ("F1", "E1"):
            raise Refused([malformed("is no fleet", "own", legal="F1")])
        return Odds(title="F1 against E1", lines=("It is even.",), rule="Toy 1.1")

    def agreements(self, state: State, side: Side) -> Sequence[str]:
        return ()

    def public_board(self, state: State) -> Board:
        return self._board(state, (), (Panel(title="Turn", rows=(f"{state.turn} of {state.turns}",)),))

    def omniscient_board(self, state: State) -> Board:
        rows = tuple(f"{side}: {count} ships" for side, count in state.ships.items())
        return self._board(state, (), (Panel(title="Everything", rows=rows),))

    @staticmethod
    def _board(state: State, counters: tuple[Counter, ...], panels: tuple[Panel, ...]) -> Board:
        return Board(
            campaign="Toy",
            rulebook="toy",
            heading=f"Turn {state.turn}",
            when=When(turn=state.turn, label=f"Turn {state.turn}"),
            sides=SIDES,
            grid=GRID,
            hexes=(HexNote(hex="0201", marks=("settled",), name="Haven"),),
            counters=counters,
            panels=panels,
        )

    # --- asks -----------------------------------------------------------------------------------------------------

    @staticmethod
    def _orders(state: State, side: Side) -> Ask[Orders]:
        fields = (
            Field(key="number", label="Number", kind="number", least=1, most=9, value=1),
            Field(key="stance", label="Stance", kind="one", choices=choices("bold", "careful"), value="careful"),
            Field(key="escorts", label="Escorts", kind="many", choices=choices("E1", "E2", "E3")),
            Field(key="loud", label="Make noise", kind="flag", value=False),
            Field(key="motto", label="Motto", kind="text", most=60, optional=True),
            Field(key="sector", label="Sector", kind="one", choices=choices(*MANY), optional=True),
        )

        def check(orders: Orders) -> list[Refusal]:
            if orders.fleet.stance == "bold" and orders.fleet.number < 3:
                return [illegal("a bold fleet names 3 or more", "Toy 1.3", "fleet.number", legal="3 to 9")]
            return []

        return Ask(
            kind="orders",
            parties=(side,),
            title=f"Orders for turn {state.turn}",
            text="Name a number from 1 to 9.",
            model=Orders,
            form=Form(lines=(Line(key="fleet", label="The fleet", fields=fields),)),
            rule="1.1",
            default=Orders(fleet=Fleet(number=1)),
            default_says="the number 1",
            check=check,
            read_back=lambda orders: [f"number {orders.fleet.number}, {orders.fleet.stance}"],
            warn=lambda orders: ["one is the lowest number"] if orders.fleet.number == 1 else [],
        )

    @staticmethod
    def _missions(side: Side) -> Ask[Missions]:
        fields = (
            Field(key="send", label="Send a spy", kind="flag", value=False),
            Field(key="bribe", label="Bribe", kind="number", least=0, most=5, value=0),
        )
        return Ask(
            kind="missions",
            topics=frozenset({"missions"}),
            parties=(side,),
            title="Missions",
            text="A spy learns the other side's number.",
            model=Missions,
            form=Form(lines=(Line(key="spy", label="The spy", fields=fields),)),
            rule="3.1",
            default=Missions(spy=Spy()),
            default_says="no spy goes out",
            read_back=lambda sheet: ["a spy goes out" if sheet.spy.send else "no spy"],
        )

    @staticmethod
    def _spoils(side: Side) -> Ask[Decision]:
        field = Field(key="take", label="Take", kind="one", choices=choices("gold", "honour", "mercy"))
        return Ask(
            kind="spoils",
            parties=(side,),
            title="The spoils",
            text="What do you take?",
            model=Decision,
            form=Form(lines=(Line(key="spoils", label="Spoils", fields=(field,)),)),
            rule="1.4",
            default=Decision(spoils=Spoils(take="mercy")),
            default_says="mercy",
            pace="decision",
            read_back=lambda decision: [f"take {decision.spoils.take}"],
        )

    @staticmethod
    def _battle(table: TurnContext[State]) -> Ask[Result]:
        fields = tuple(
            Field(key=side, label=f"{table.name_of(side)}: ships left", kind="number", least=0, most=9)
            for side in table.sides
        )

        def agree(accounts: Mapping[Side, Result]) -> Agreement[Result]:
            one, other = accounts["red"], accounts["blue"]
            if one == other:
                return Agreement(one)
            said = {field.key: {by: getattr(accounts[by].ships, field.key) for by in accounts} for field in fields}
            differ = [field for field in fields if len(set(said[field.key].values())) > 1]
            return Agreement(
                None,
                tuple(f"{field.key}: {said[field.key]['red']} or {said[field.key]['blue']}" for field in differ),
                tuple(field_difference("ships", field, field.label, said[field.key]) for field in differ),
            )

        turn = table.state.turn
        tactics = described(toy_tactics)
        return Ask(
            kind="battle",
            parties=("red", "blue"),
            title=f"Battle of turn {turn}",
            text="Play it by hand, then say how many ships are left.",
            model=Result,
            form=Form(lines=(Line(key="ships", label="Ships left", fields=fields),)),
            rule="2.1",
            pace="battle",
            read_back=lambda result: [f"red {result.ships.red}, blue {result.ships.blue}"],
            agree=agree,
            guide=AccountGuide(SHORT, lambda _: ()),
            ends=StatedEnd("All ships are left.", lambda: {"ships": {**table.state.ships}}),
            set_up_from=frozenset({"ships"}),
            tactics=tactics.tactics,
            untracked=tactics.untracked,
            setup=BattleSetup(
                key=f"t{turn}",
                title=f"Battle of turn {turn}",
                where="In the open",
                panels=(Panel(title="Ships", rows=("red 5", "blue 5")),),
                secret={"red": (Panel(title="For Red only", rows=("the reserve is near",)),)},
            ),
        )


RULEBOOK = Toy()
