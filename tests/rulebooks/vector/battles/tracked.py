"""Tracked battles as a host drives them: from rest to rest, each time from the state as it was written down."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules_engine.core.basics.base import Json, SideLabel, When
from rules_engine.core.forms.forms import Field
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.core.tactics.battles import FlightRecord, TacticalBattle, TacticalShip
from rules_engine.core.tactics.conditions import Condition, Distance, OneOf, SetUpStep
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from rules_engine.rulebooks.vector.tracked.state import TrackedState
from tests.rulebooks.vector.turns import DuelDice

NORTH, SOUTH = "north", "south"
LABELS = (SideLabel(key=NORTH, name="The North", emblem="N"), SideLabel(key=SOUTH, name="The South", emblem="S"))

Pilot = Callable[[TrackedState, AnyAsk], "Json | None"]
"""What is sent when something is asked; None for silence."""

CRUISER = FlightRecord(size_class=3, warp=30, impulse=4, total_power=36, turn_mode="C", move_cost=None)


def ship(code: str, **values: Any) -> TacticalShip:
    """A cruiser of the North (N1) or the South (S1)."""
    side = NORTH if code.startswith("N") else SOUTH
    return TacticalShip(**{"code": code, "side": side, "name": f"Ship {code}", "flight": CRUISER, **values})


def within(codes: Sequence[str], most: int) -> Distance:
    """That units stand within so many hexes of each other."""
    says = f"Within {most} hexes of each other."
    return Distance(units=tuple(codes), others=tuple(codes), most=most, rule="B 1", says=says)


def apart(codes: Sequence[str], others: Sequence[str], least: int, most: int) -> Distance:
    """That units stand so far from the nearest of others."""
    says = f"{least} to {most} hexes from the nearest enemy."
    return Distance(
        units=tuple(codes), others=tuple(others), measure="nearest", least=least, most=most, rule="B 2", says=says
    )


def exactly(codes: Sequence[str], others: Sequence[str], far: int) -> OneOf:
    """That one unit stands exactly so far from the nearest of others."""
    return OneOf(
        distances=tuple(apart([code], others, far, far) for code in codes),
        rule="B 3",
        says=f"One unit at exactly {far} hexes.",
    )


def step(codes: Sequence[str], *conditions: Condition, **values: Any) -> SetUpStep:
    """A step that places these units."""
    return SetUpStep(
        **{"units": tuple(codes), "conditions": conditions, "says": f"Place {codes[0]}.", "rule": "B 0", **values}
    )


def approach(*, flank: int = 0, **values: Any) -> TacticalBattle:
    """Two ships of the North, then two of the South 40 to 45 hexes off; with a flank of the South's, S9, that arrives
    30 hexes or more from the North on that turn."""
    north, south, late = ("N1", "N2"), ("S1", "S2"), ("S9",)
    ships = [ship(code, least_speed=8, most_speed=8) for code in (*north, *south)]
    steps = [
        step(north, within(north, 10)),
        step(south, within(south, 10), apart(south, north, 40, 45), exactly(south, north, 40)),
    ]
    if flank:
        ships.append(ship("S9", arrives=flank, least_speed=20, most_speed=20))
        steps.append(step(late, apart(late, north, 30, 99)))
    return TacticalBattle(
        **{
            "title": "Battle of the hill", "forces": ((NORTH,), (SOUTH,)), "ships": tuple(ships),
            "steps": tuple(steps), **values,
        }
    )  # fmt: skip


class Tracked:
    """A battle that is tracked. ``sheets`` are what sides type, by side and kind of ask, in their order; a pilot
    answers instead where there is one. After each rest it is started anew from its JSON. All boards are looked at with
    each ask and rest, into ``looks``; a test that reads none of them is much quicker if it is not ``watched``."""

    def __init__(
        self,
        battle: TacticalBattle,
        sheets: Mapping[tuple[str, str], Sequence[str]] | None = None,
        *,
        options: Mapping[str, Json] | None = None,
        late: bool = False,
        pilot: Pilot | None = None,
        dice: Mapping[str, Sequence[int]] | None = None,
        labels: Sequence[SideLabel] = LABELS,
        watched: bool = True,
    ) -> None:
        self.battle = battle
        self.sheets = {key: list(texts) for key, texts in (sheets or {}).items()}
        self.pilot = pilot
        self.labels = tuple(labels)
        self.state = TRACKER.begin(battle, options or {}, late=late)
        self.rests = [self.state.to_json()]
        self.asks: list[AnyAsk] = []
        self.reports: list[Report] = []
        self.looks: dict[str, list[str]] = {one.key: [] for one in labels if watched}
        self.counts: list[int] = []
        self.count: Counter[str] = Counter()
        self._dice = DuelDice(dice or {})

    def play(self, rests: int) -> "Tracked":
        """Play on for so many rests, or to its end."""
        for _ in range(rests):
            if TRACKER.is_over(self.state):
                break
            self.rest()
        return self

    def until(self, turn: int) -> "Tracked":
        """Play on until that turn is flown to its end."""
        for _ in range(400):
            if TRACKER.is_over(self.state) or TRACKER.tally(self.state).turns >= turn:
                return self
            self.rest()
        raise AssertionError("it does not come to that turn")

    def flow(self) -> Any:
        """A flow from where it rests."""
        shared = SharedTurn(
            dice=self._dice, sides=self.labels, knowledge={one.key: Knowledge() for one in self.labels},
            now=When(turn=7, label="Turn 7 of the campaign"), reports=self.reports,
        )  # fmt: skip
        return TRACKER.steps(TurnContext(self.state, shared, f"battle/{len(self.rests)}"), self.battle)

    def rest(self) -> list[AnyAsk]:
        """Play on to the next rest; what was asked on the way."""
        self.state = TRACKER.state_model.from_json(self.rests[-1])
        asked: list[AnyAsk] = []
        flow = self.flow()
        try:
            batch = next(flow)
            while True:
                asked += batch.asks
                self.count.update(ask.kind for ask in batch.asks)
                self._look()
                assert list(TRACKER.defects(self.state)) == []
                batch = flow.send({ask.id: self._answer(ask) for ask in batch.asks})
        except StopIteration:
            pass
        assert list(TRACKER.defects(self.state)) == []
        self._look()
        self.asks += asked
        self.rests.append(self.state.to_json())
        return asked

    def goes_on_from(self, rests: Sequence[dict[str, Json]]) -> "Tracked":
        """Take it up where another game of the same battle rests."""
        self.rests = [*rests]
        self.state = TRACKER.state_model.from_json(self.rests[-1])
        return self

    def undo(self) -> "Tracked":
        """Go back to the rest before."""
        self.rests.pop()
        self.state = TRACKER.state_model.from_json(self.rests[-1])
        return self

    def asked_now(self) -> list[AnyAsk]:
        """What is asked from where it rests, on a copy."""
        kept = self.state, [*self.reports]
        self.state = TRACKER.state_model.from_json(self.rests[-1])
        asks = list(next(self.flow()).asks)
        self.state, self.reports[:] = kept
        return asks

    def _answer(self, ask: AnyAsk) -> Any:
        if self.pilot is not None:
            sheet = self.pilot(self.state, ask)
            return ask.default if sheet is None else ask.answer_from(sheet)
        texts = self.sheets.get((ask.parties[0], ask.kind), [])
        text = texts.pop(0) if texts else ""
        if not text:
            if ask.default is None:
                return ask.answer_from({line.key: {"so": "yes"} for line in ask.form.lines})
            return ask.default
        typed: Any = read_sheet(ask.form, text, ask.refusals_of)
        return ask.answer_from(typed)

    def _look(self) -> None:
        for side in self.looks:
            board = TRACKER.side_board(self.state, self.battle, side).model_dump_json()
            tally = TRACKER.tally(self.state).model_dump_json()
            common = TRACKER.common_board(self.state, self.battle).model_dump_json()
            now = f"{TRACKER.turn_of(self.state)} {TRACKER.is_over(self.state)}"
            self.looks[side].append("\n".join((board, tally, common, now)))

    def told(self, side: str, kind: str = "") -> list[Report]:
        """What a side was told."""
        return [one for one in self.reports if one.is_for(side) and kind in ("", one.kind)]

    def seen_by(self, side: str) -> str:
        """All that reached a side, as one text."""
        parts = [*self.looks[side]]
        parts += [one.model_copy(update={"number": 0}).model_dump_json() for one in self.told(side)]
        for ask in (one for one in self.asks if side in one.parties):
            parts += [ask.id, ask.title, ask.text, str(ask.form.lines), str(ask.question), ask.default_says]
            parts += [str(one) for one in ask.form.absent]
            parts += [] if ask.default is None else list(ask.read_back(ask.default))
        return "\n".join(parts)


# --- cards -----------------------------------------------------------------------------------------------------------
def card(ask: AnyAsk) -> list[str]:
    """All words of an ask: its text, its question, its sheet and what its default comes to."""
    question = ask.question
    assert question is not None
    said = [ask.title, *ask.text.splitlines(), f"{question.heading} {question.situation}"]
    said += [
        f"a {question.noun}; others {question.others}",
        *(f"[{one.label}] {one.values}" for one in question.offers),
    ]
    for line in ask.form.lines:
        said += [f"{line.key} = {line.label}" + (f": {line.note}" if line.note else ""), *map(_field, line.fields)]
    return [*said, ask.default_says]


def _field(field: Field) -> str:
    """``  at: Hex (text) = 5050, optional; column and row``."""
    chosen = [one.value if one.value == one.label else f"{one.value} {one.label}" for one in field.choices]
    bounds = f" {field.least}-{field.most}" if field.kind == "number" else ""
    bounds += f" up to {field.most}" if field.kind == "text" else ""
    of = f" of {', '.join(chosen)}" if chosen else ""
    value = "" if field.value is None else f" = {field.value}"
    ends = (", optional" if field.optional else "") + (f"; {field.help}" if field.help else "")
    return f"  {field.key}: {field.label} ({field.kind}{bounds}{of}){value}{ends}"
