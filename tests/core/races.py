"""A small rulebook whose sides are seats at first: the scenario leaves open how many there are.

In turn 1 each seat says which race it would like. Then all roll two dice, ties again, and choose in that order: what
was wished for if nobody has it yet, else the first that is left. From turn 2 on each names a number and the highest
scores; the two first of those with equal numbers fight it out by hand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from rules_engine.core.basics.base import Json, Side, SideLabel, When
from rules_engine.core.basics.record import Record
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.briefing import Briefing
from rules_engine.core.knowledge.economy.holdings import Economy
from rules_engine.core.knowledge.reports import EVERYBODY, because
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.views import Board, Counter, Knowledge, Panel
from rules_engine.core.protocol import asks, rulebook, turn_context
from rules_engine.core.protocol.seats import SeatRange
from tests.core.strands.islands import agree, ask, choice

RACES = {"Hydran": "Hy", "Federation": "Fe", "Klingon": "Kl", "Lyran": "Ly", "ISC": "IS", "Gorn": "Go", "Romulan": "Ro"}
NUMBERS = ("0", "1", "2", "3")


class RacesState(Record):
    """Who has which race, and how many points.

    Without ``asks_wishes`` they draw before anybody is asked anything; with ``duel`` the first two fight after it.
    ``drawn_twice`` and ``unsaid`` make the draw break a rule on purpose.
    """

    turns: int
    seats: int
    turn: int = 1
    races: dict[Side, str] = field(default_factory=dict[Side, str])
    points: dict[Side, int] = field(default_factory=dict[Side, int])
    asks_wishes: bool = True
    duel: bool = False
    drawn_twice: bool = False
    unsaid: bool = False


def seat_labels(seats: int) -> tuple[SideLabel, ...]:
    """Sides that have no names yet: ``seat-1``, which is called Seat 1, and so on."""
    return tuple(SideLabel(key=f"seat-{one}", name=f"Seat {one}", emblem=str(one)) for one in range(1, seats + 1))


def order_of_seats(turn: turn_context.TurnContext[RacesState]) -> list[tuple[Side, int]]:
    """The seats in the order of what they roll, with it; equal ones roll again, as often as it takes."""
    left, order = list(turn.sides), list[tuple[Side, int]]()
    throws = 0
    while left:
        throws += 1
        rolls = {
            side: turn.roll(f"order of {turn.name_of(side)}", faces=6, count=2, key=f"{throws}/{side}").total
            for side in left
        }
        alone = [side for side in left if list(rolls.values()).count(rolls[side]) == 1]
        order += [(side, rolls[side]) for side in sorted(alone, key=lambda side: -rolls[side])]
        left = [side for side in left if side not in alone]
    return order


class Races:
    """The rulebook object."""

    key = "races"
    title = "Races"
    version = "1"
    parts_play = False
    state_model = RacesState
    rulings = ()

    def seats(self, scenario: Mapping[str, Json]) -> SeatRange | None:
        return None if "fixed" in scenario else SeatRange(least=2, most=7)

    def with_seats(self, scenario: Mapping[str, Json], seats: int) -> dict[str, Json]:
        return {**scenario, "seats": seats}

    def labels(self, state: RacesState) -> tuple[SideLabel, ...]:
        return tuple(
            SideLabel(key=label.key, name=race, emblem=RACES.get(race, race[:2]))
            if (race := state.races.get(label.key))
            else label
            for label in seat_labels(state.seats)
        )

    def sides(self, scenario: Mapping[str, Json]) -> tuple[SideLabel, ...]:
        return seat_labels(int(str(scenario.get("fixed", scenario.get("seats")))))

    def set_up(self, scenario: Mapping[str, Json]) -> RacesState:
        sides = self.sides(scenario)
        return RacesState(
            turns=int(str(scenario.get("turns", 3))), seats=len(sides),
            points=dict.fromkeys((label.key for label in sides), 0),
            asks_wishes=bool(scenario.get("asks_wishes", True)), duel=bool(scenario.get("duel")),
            drawn_twice=bool(scenario.get("drawn_twice")), unsaid=bool(scenario.get("unsaid")),
        )  # fmt: skip

    def turn_steps(self, turn: turn_context.TurnContext[RacesState]) -> asks.Steps[None]:
        state = turn.state
        turn.set_time(state.turn, 0, f"Turn {state.turn}")
        if state.turn == 1:
            yield from self.draw_steps(turn.at("draw"))
            if state.duel:
                yield from self.battle_steps(turn.at("duel"), turn.sides[:2])
        else:
            yield from self.contest_steps(turn.at("contest"))
        turn.show_maps()
        state.turn += 1

    def draw_steps(self, turn: turn_context.TurnContext[RacesState]) -> asks.Steps[None]:
        """Wishes, dice, and a race for each seat."""
        asked = turn.sides if turn.state.asks_wishes else ()
        sheets = yield from turn.ask_all_steps([choice("wish", side, "Race", list(RACES)) for side in asked])
        wishes = {side: sheet.value for side, sheet in zip(asked, sheets, strict=True)}
        for side, total in order_of_seats(turn):
            was = turn.name_of(side)
            free = [race for race in RACES if race not in turn.state.races.values()]
            wished = wishes.get(side, free[0])
            race = wished if turn.state.drawn_twice or wished in free else free[0]
            turn.state.races[side] = race
            text = f"{was} rolled {total} and is the {turn.name_of(side)}."
            turn.tell([side] if turn.state.unsaid else EVERYBODY, text, why=because("R 1.1"))

    def contest_steps(self, turn: turn_context.TurnContext[RacesState]) -> asks.Steps[None]:
        """Numbers, and a battle between equals."""
        state = turn.state
        sheets = yield from turn.ask_all_steps([choice("number", side, "Number", NUMBERS) for side in turn.sides])
        numbers = {side: int(sheet.value) for side, sheet in zip(turn.sides, sheets, strict=True)}
        best = [side for side in turn.sides if numbers[side] == max(numbers.values())][:2]
        winner = best[0] if len(best) == 1 else (yield from self.battle_steps(turn, best))
        state.points[winner] += 1
        turn.tell_all(f"{turn.name_of(winner)} scores.", why=because("R 2"))

    def battle_steps(self, turn: turn_context.TurnContext[RacesState], parties: Sequence[Side]) -> asks.Steps[Side]:
        """A battle of two that they play by hand: who has won it."""
        setup = asks.BattleSetup(
            key=f"t{turn.state.turn}", title=f"Battle of turn {turn.state.turn}", where="In the open",
            panels=(Panel(title="Fleets", rows=(" and ".join(map(turn.name_of, parties)),)),), secret={},
        )  # fmt: skip
        sheet = ask("battle", parties, "Winner", parties, pace="battle", agree=agree, setup=setup)
        fought = yield from turn.ask_steps(sheet)
        return fought.value

    def out_of_play(self, state: RacesState) -> frozenset[Side]:
        return frozenset()

    def ending(self, state: RacesState) -> rulebook.Ending | None:
        if state.turn <= state.turns:
            return None
        best = max(state.points.values())
        winners = tuple(side for side, points in state.points.items() if points == best)
        scores = {side: str(points) for side, points in state.points.items()}
        return rulebook.Ending(winners=winners, scores=scores, text="Over.", rule="R 9")

    def defects(self, state: RacesState) -> Sequence[str]:
        return []

    def side_board(self, state: RacesState, side: Side, knowledge: Knowledge) -> Board:
        return self._board(state, (Counter(id=f"{side}-flag", hex="0101", owner=side, label="F"),))

    def economy(self, state: RacesState, side: Side, knowledge: Knowledge, *, is_ahead: bool) -> Economy:
        """There is none."""
        return Economy()

    def briefing(self, state: RacesState, side: Side) -> Briefing:
        return Briefing()

    def side_tables(self, state: RacesState, side: Side, knowledge: Knowledge) -> Sequence[SideTable]:
        return (SideTable(key="own", title="Own", columns=("Points",), rows=((str(state.points[side]),),)),)

    def agreements(self, state: RacesState, side: Side) -> Sequence[str]:
        return ()

    def public_board(self, state: RacesState) -> Board:
        return self._board(state, ())

    def omniscient_board(self, state: RacesState) -> Board:
        return self._board(state, ())

    def _board(self, state: RacesState, counters: tuple[Counter, ...]) -> Board:
        labels = self.labels(state)
        rows = tuple(f"{label.name}: {state.points[label.key]}" for label in labels)
        return Board(
            campaign="Races", rulebook=self.title, heading=f"Turn {state.turn}", when=When(turn=state.turn),
            sides=labels, grid=Grid(columns=2, rows=2), counters=counters, panels=(Panel(title="Points", rows=rows),),
        )  # fmt: skip


RACES_BOOK: Any = Races()
