"""A small rulebook whose play parts: four sides go to four islands, and who meets there settles it among themselves.

Each turn every side goes to an island. Where several meet, each names a claim; the highest takes the island. Equal
claims of two are fought out by hand, and both must account alike; of three and more each pair bargains by itself, which
is a parting within a parting. What was won is carried out when all islands have ended.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from itertools import combinations
from typing import Any

from pydantic import RootModel

from rules_engine.core.basics import record, refusals
from rules_engine.core.basics.base import Frozen, Json, Side, SideLabel, When
from rules_engine.core.forms.forms import Field, Form, Line, choices
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.briefing import Briefing
from rules_engine.core.knowledge.economy.holdings import Economy
from rules_engine.core.knowledge.reports import MapNote, Sighted, because
from rules_engine.core.knowledge.views import Board, Knowledge, Panel
from rules_engine.core.protocol import rulebook, turn_context
from rules_engine.core.protocol.asks import SETTLED_BY, Agreement, Ask, Pace, Steps

ISLANDS = ("0101", "0102", "0201", "0202")
NAMES = {"ash": "Ash", "birch": "Birch", "cedar": "Cedar", "dogwood": "Dogwood"}
SIDES = tuple(SideLabel(key=key, name=name, emblem=name[0]) for key, name in NAMES.items())
HIGHEST = 2
"""Of claims: low, so that many are equal."""


class Island(record.Record):
    """The ground of one strand."""

    owner: Side = ""
    claims: dict[Side, int] = field(default_factory=dict[Side, int])
    lost: int = 0
    bargains: dict[str, int] = field(default_factory=dict[str, int])


class IslandsState(record.Record):
    """Where everybody is, what was won, and what all have read of it; ``before``: the islands' owners when the turn
    began."""

    turns: int
    turn: int = 1
    at: dict[Side, str]
    points: dict[Side, int]
    islands: dict[str, Island]
    before: dict[str, Side] = field(default_factory=dict[str, Side])
    chronicle: list[str] = field(default_factory=list[str])
    counter: int = 0


class OneLine(Frozen):
    """The one line of every sheet."""

    value: str


class Sheet(RootModel[dict[str, OneLine]]):
    """A sheet with one line, ``it``."""

    @property
    def value(self) -> str:
        return self.root["it"].value


def ask(kind: str, parties: Sequence[Side], title: str, values: Iterable[str], **more: Any) -> Ask[Any]:
    """A question with one line and one menu."""
    offered = tuple(values)
    menu = Field(key="value", label="Value", kind="one", choices=choices(*offered), value=offered[0])

    def check(sheet: Sheet) -> list[refusals.Refusal]:
        legal = set(sheet.root) == {"it"} and sheet.value in offered
        return [] if legal else [refusals.illegal("that is not offered", "I 1", "it.value", legal=", ".join(offered))]

    return Ask(
        kind=kind, parties=tuple(parties), title=title, text=title, model=Sheet,
        form=Form(lines=(Line(key="it", label=title, fields=(menu,)),)), rule="I 1", check=check,
        read_back=lambda sheet: [f"{title}: {sheet.value}"], **more,
    )  # fmt: skip


def choice(kind: str, side: Side, title: str, values: Sequence[str]) -> Ask[Any]:
    """A question to one side."""
    return ask(
        kind, [side], title, values, default=Sheet({"it": OneLine(value=values[0])}), default_says=values[0],
        pace="decision",
    )  # fmt: skip


def agree(accounts: Mapping[Side, Sheet]) -> Agreement[Sheet]:
    first, *others = accounts.values()
    return Agreement(first) if all(one == first for one in others) else Agreement(None, ("they differ",))


def island_steps(turn: turn_context.TurnContext[IslandsState], island_id: str) -> Steps[dict[Side, int]]:
    """What happens on one island: what each side has won there."""
    state, here = turn.state, turn.state.islands[island_id]
    parties = [side for side in turn.in_play if state.at[side] == island_id]
    values = [str(number) for number in range(HIGHEST + 1)]
    sheets = yield from turn.ask_all_steps([choice("claim", side, f"Claim on {island_id}", values) for side in parties])
    here.claims = {side: int(sheet.value) for side, sheet in zip(parties, sheets, strict=True)}
    for side in parties:
        track = f"at {island_id}"
        seen = Sighted(track=track, hex=island_id, level=1, level_name="seen", headline=f"turn {state.turn}")
        turn.tell([side], f"The claims on {island_id} are {here.claims}.", facts=[seen])
    turn.tell_all(f"There was talk on {island_id}.")
    wind = turn.roll("wind", faces=6, seen_by=parties)
    turn.tell(parties, f"The wind on {island_id}: {wind.total}.", why=because("I 3", {}, [wind]))
    turn.tell(parties[:1], "A note.", facts=[MapNote(topic="islands", text=f"{state.turn}/{island_id}/{wind.total}")])
    best = [side for side in parties if here.claims[side] == max(here.claims.values())]
    won = dict.fromkeys(parties, 0)
    if len(best) == 2:
        there = turn.at("fight")
        title = f"Fight on {island_id}"
        fought = yield from there.ask_steps(ask("fight", best, title, best, pace="battle", agree=agree))
        here.owner = fought.value
        yield from there.at("rest").ask_steps(choice("rest", best[0], "Rest", ["yes", "no"]))
        settled = SETTLED_BY[there.settlement("fight", best)]
        turn.tell(parties, f"{turn.name_of(here.owner)} has won {island_id}: {settled}.")
    elif len(best) > 2:
        pairs = {"+".join(pair): pair for pair in combinations(best, 2)}
        here.bargains = dict.fromkeys(sorted(pairs), 0)
        bargains = yield from turn.at("bargains").parting_steps(pairs, bargain_steps)
        for pair, given in bargains.items():
            here.bargains[pair] = given
        here.owner = best[sum(bargains.values()) % len(best)]
    else:
        here.owner = best[0]
    won[here.owner] += wind.total
    turn.show_maps(*parties)
    return won


def bargain_steps(turn: turn_context.TurnContext[IslandsState], pair: str) -> Steps[int]:
    """Two sides of an island bargain: how much they agree on."""
    one, other = pair.split("+")
    asks = [choice("offer", side, f"Offer in {pair}", ["0", "1", "2"]) for side in (one, other)]
    offers = yield from turn.ask_all_steps(asks)
    total = sum(int(sheet.value) for sheet in offers)
    turn.tell([one, other], f"{pair} agreed on {total}.", facts=[MapNote(topic="bargains", text=f"{pair}: {total}")])
    everybody = [side for side in turn.sides if turn.state.at[side] == turn.state.at[one]]
    turn.tell(everybody, f"{pair} have bargained.", facts=[MapNote(topic="rumours", text=pair)])
    again = yield from turn.at("again").ask_steps(choice("more", one, f"More for {pair}", ["0", "1"]))
    return total + int(again.value) + turn.roll("luck", faces=3, seen_by=[one, other]).total


class Islands:
    """The rulebook object. ``window``: islands have windows of their own; ``island``: what happens on one; ``out``: who
    is out of play from the second turn on."""

    key = "islands"
    title = "Islands"
    version = "1"
    parts_play = True
    state_model = IslandsState
    rulings = ()

    def __init__(
        self, *, window: Pace | None = None, island: Any = island_steps, out: frozenset[Side] = frozenset()
    ) -> None:
        self.window: Pace | None = window
        self.island = island
        self.out = out

    def sides(self, scenario: Mapping[str, Json]) -> tuple[SideLabel, ...]:
        return SIDES

    def set_up(self, scenario: Mapping[str, Json]) -> IslandsState:
        return IslandsState(
            turns=int(str(scenario["turns"])),
            at=dict(zip(NAMES, ISLANDS, strict=True)),
            points=dict.fromkeys(NAMES, 0),
            islands={island_id: Island() for island_id in ISLANDS},
        )

    def turn_steps(self, turn: turn_context.TurnContext[IslandsState]) -> Steps[None]:
        state = turn.state
        turn.set_time(state.turn, 0, f"Turn {state.turn}")
        turn.tell_all(f"Turn {state.turn} begins.")
        turn.show_maps()
        asked = turn.in_play
        goes = yield from turn.at("go").ask_all_steps([choice("go", side, "Go", ISLANDS[:3]) for side in asked])
        state.at |= {side: sheet.value for side, sheet in zip(asked, goes, strict=True)}
        meetings = {
            island_id: there
            for island_id in ISLANDS
            if len(there := [side for side in turn.in_play if state.at[side] == island_id]) > 1
        }
        state.before = {island_id: island.owner for island_id, island in state.islands.items()}
        results = yield from turn.at("meet").parting_steps(meetings, self.island, window=self.window)
        state.before = {}
        for island_id, won in results.items():
            state.counter += 1
            state.chronicle.append(f"{state.turn}: {island_id} to {state.islands[island_id].owner}")
            for side, points in won.items():
                state.points[side] += points
        turn.tell_all(f"Turn {state.turn} ends: {state.points}.")
        state.turn += 1

    def ending(self, state: IslandsState) -> rulebook.Ending | None:
        if state.turn <= state.turns:
            return None
        best = max(state.points.values())
        winners = tuple(side for side, points in state.points.items() if points == best)
        scores = {side: str(points) for side, points in state.points.items()}
        return rulebook.Ending(winners=winners, scores=scores, text="Over.", rule="I 9")

    def out_of_play(self, state: IslandsState) -> frozenset[Side]:
        return self.out if state.turn > 1 else frozenset()

    def defects(self, state: IslandsState) -> Sequence[str]:
        return []

    def side_board(self, state: IslandsState, side: Side, knowledge: Knowledge) -> Board:
        own = (f"at {state.at[side]}, claims {state.islands[state.at[side]].claims.get(side)}",)
        logs = tuple(f"{topic}: {text}" for topic, texts in sorted(knowledge.logs.items()) for text in texts)
        seen = tuple(f"{track}: {one.latest.headline}" for track, one in sorted(knowledge.contacts.items()))
        titled = {"Own": own, "Logs": logs, "Seen": seen, "Owners": self._owners(state, side)}
        return self._board(state, tuple(Panel(title=title, rows=rows) for title, rows in titled.items()))

    def economy(self, state: IslandsState, side: Side, knowledge: Knowledge, *, is_ahead: bool) -> Economy:
        """There is none."""
        return Economy()

    def briefing(self, state: IslandsState, side: Side) -> Briefing:
        return Briefing()

    def side_tables(self, state: IslandsState, side: Side, knowledge: Knowledge) -> Sequence[Any]:
        return ()

    def agreements(self, state: IslandsState, side: Side) -> Sequence[str]:
        return ()

    def public_board(self, state: IslandsState) -> Board:
        return self._board(state, (Panel(title="Chronicle", rows=(*state.chronicle, *self._owners(state))),))

    @staticmethod
    def _owners(state: IslandsState, side: Side | None = None) -> tuple[str, ...]:
        """Who meets others sees how it comes out on that island, and the others' owners as they were before. Whoever is
        alone may not see any change before all have ended; that is the core's business, so nothing is done for it here.
        """
        here = None if side is None else state.at[side]
        meets = list(state.at.values()).count(here) > 1
        return tuple(
            f"{key}: {state.before.get(key, island.owner) if meets and key != here else island.owner}"
            for key, island in state.islands.items()
        )

    def omniscient_board(self, state: IslandsState) -> Board:
        return self.public_board(state)

    def _board(self, state: IslandsState, panels: tuple[Panel, ...]) -> Board:
        return Board(
            campaign="Islands", rulebook=self.title, heading=f"Turn {state.turn}", when=When(turn=state.turn),
            sides=SIDES, grid=Grid(columns=2, rows=2), panels=panels,
        )  # fmt: skip
