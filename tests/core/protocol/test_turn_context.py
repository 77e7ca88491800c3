"""The turn context: what may be told, how asks are named, and branches that run together."""

from collections.abc import Iterator
from itertools import permutations

import pytest

from rules_engine.core.basics import base, dice, record
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.knowledge.reports import EVERYBODY, REFEREE, Leak, MapNote, because
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import Ask, Batch, Steps
from rules_engine.core.protocol.together import together_steps
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from tests.core.small_rulebook import BLUE, RED, SEED


class Nothing(record.Record):
    """An empty state."""


class Number(base.Frozen):
    """A bare number."""

    line: dict[str, int]


@pytest.fixture
def turn() -> TurnContext[Nothing]:
    sides = (base.SideLabel(key=RED, name="Red", emblem="R"), base.SideLabel(key=BLUE, name="Blue", emblem="B"))
    shared = SharedTurn(
        dice=dice.DiceStream(SEED), sides=sides, knowledge={RED: Knowledge(), BLUE: Knowledge()}, now=base.When(turn=1)
    )
    return TurnContext(Nothing(), shared, "T1")


def ask(key: str, side: str, least: int = 0, most: int = 9) -> Ask[Number]:
    field = Field(key="n", label="n", kind="number", least=least, most=most)
    return Ask(
        kind="number", key=key, parties=(side,), title="t", text="t", model=Number,
        form=Form(lines=(Line(key="line", label="l", fields=(field,)),)), rule="x", default=Number(line={"n": least}),
    )  # fmt: skip


class TestTelling:
    def test_a_secret_roll_cannot_be_shown_to_the_other_side(self, turn: TurnContext[Nothing]):
        roll = turn.roll("secret", faces=6, seen_by=[RED])
        with pytest.raises(Leak):
            turn.tell([BLUE], "x", why=because("r", dice=[roll]))
        with pytest.raises(Leak):
            turn.tell([RED, BLUE], "x", why=because("r", dice=[roll]))
        with pytest.raises(Leak):
            turn.tell(EVERYBODY, "x", why=because("r", dice=[roll]))
        assert turn.shared.reports == []
        turn.tell([RED], "x", why=because("r", dice=[roll]))

    def test_an_open_roll_may_be_shown_to_anybody(self, turn: TurnContext[Nothing]):
        turn.tell(EVERYBODY, "x", why=because("r", dice=[turn.roll("open", faces=6)]))
        assert len(turn.shared.reports) == 1

    def test_nobody_is_no_audience(self, turn: TurnContext[Nothing]):
        with pytest.raises(Leak):
            turn.tell([], "x")

    def test_only_the_audience_learns(self, turn: TurnContext[Nothing]):
        turn.tell([RED], "x", facts=[MapNote(topic="log", text="seen")])
        assert turn.knowledge(RED).logs == {"log": ["seen"]}
        assert turn.knowledge(BLUE).logs == {}

    def test_what_follows_is_told_after_what_it_follows_from_though_it_is_worked_out_first(
        self, turn: TurnContext[Nothing]
    ):
        with turn.holding_back() as held:
            turn.at("deep").tell([RED], "then", facts=[MapNote(topic="log", text="then")])
            turn.tell_all("last")
            assert turn.shared.reports == []
            assert turn.shared.told == set()
            with pytest.raises(RuntimeError, match="held back already"), turn.holding_back():
                raise AssertionError("it began")
        turn.tell([RED], "first", facts=[MapNote(topic="log", text="first")])
        turn.tell_held(held)
        assert [(one.number, one.text, one.place) for one in turn.shared.reports] == [
            (1, "first", "T1"), (2, "then", "T1/deep"), (3, "last", "T1"),
        ]  # fmt: skip
        assert turn.knowledge(RED).logs == {"log": ["first", "then"]}

    def test_an_error_holds_nothing_back_for_ever(self, turn: TurnContext[Nothing]):
        with pytest.raises(ZeroDivisionError), turn.holding_back():
            print(1 / 0)
        turn.tell_all("on")
        assert [one.text for one in turn.shared.reports] == ["on"]


class TestOutsiders:
    """Whoever is no side, an outsider or a slip of the rules, is never told, shown or asked anything."""

    @pytest.mark.parametrize("to", [["monsters"], [RED, "monsters"], ["monsters", "pirates"]])
    def test_they_are_never_told(self, turn: TurnContext[Nothing], to: list[str]):
        with pytest.raises(Leak, match=r"monsters.* is told, but is no side"):
            turn.tell(to, "x")
        assert turn.shared.reports == []

    def test_the_referee_may_be_told_though_no_side(self, turn: TurnContext[Nothing]):
        assert turn.tell(REFEREE, "x").to == REFEREE

    def test_they_are_never_asked(self, turn: TurnContext[Nothing]):
        with pytest.raises(Leak, match="monsters is asked, but is no side"):
            next(turn.ask_steps(ask("plot", "monsters")))
        with pytest.raises(Leak):
            next(turn.ask_all_steps([ask("plot", RED), ask("plot", "monsters", 4, 4)]))

    def test_they_are_no_party_of_a_strand(self, turn: TurnContext[Nothing]):
        with pytest.raises(Leak, match="monsters"):
            next(turn.parting_steps({"a": [RED, "monsters"]}, lambda at, _: branch(at, 1)))

    def test_no_map_is_shown_to_them_and_no_roll_is_theirs_to_see(self, turn: TurnContext[Nothing]):
        with pytest.raises(Leak):
            turn.show_maps("monsters")
        with pytest.raises(Leak):
            turn.roll("appetite", faces=6, seen_by=["monsters"])
        assert (turn.shared.maps_for, turn.shared.rolls) == (set(), [])

    def test_they_know_nothing(self, turn: TurnContext[Nothing]):
        with pytest.raises(KeyError):
            turn.knowledge("monsters")

    def test_their_dice_are_recorded_and_may_be_told_to_nobody(self, turn: TurnContext[Nothing]):
        roll = turn.roll("appetite", faces=6, seen_by=[])
        assert turn.shared.rolls == [roll]
        assert roll.seen_by == frozenset()
        open_roll = turn.roll("weather", faces=6)
        for to in ([RED], [BLUE], [RED, BLUE], EVERYBODY, REFEREE):
            with pytest.raises(Leak):
                turn.tell(to, "It came nearer.", why=because("r", dice=[open_roll, roll]))
        assert turn.shared.reports == []
        assert (turn.knowledge(RED).logs, turn.knowledge(BLUE).logs) == ({}, {})
        assert turn.tell([RED], "It came nearer.", why=because("r", {"appetite": "unknown"})).why is not None


class TestAsking:
    def test_an_ask_is_named_by_its_place(self, turn: TurnContext[Nothing]):
        assert [one.id for one in next(turn.at("I2", "A").ask_steps(ask("plot", RED))).asks] == ["T1/I2/A/plot/red"]

    def test_what_leaves_no_choice_is_not_asked(self, turn: TurnContext[Nothing]):
        flow = turn.ask_all_steps([ask("a", RED, 4, 4), ask("b", BLUE)])
        batch = next(flow)
        assert [one.parties for one in batch.asks] == [(BLUE,)]
        with pytest.raises(StopIteration) as stop:
            flow.send({batch.asks[0].id: Number(line={"n": 7})})
        assert [answer.line["n"] for answer in stop.value.value] == [4, 7]

    def test_with_no_choice_at_all_nothing_opens(self, turn: TurnContext[Nothing]):
        with pytest.raises(StopIteration) as stop:
            next(turn.ask_steps(ask("a", RED, 4, 4)))
        assert stop.value.value.line["n"] == 4

    def test_an_ask_without_default_must_be_a_battle(self):
        with pytest.raises(TypeError, match="default"):
            Ask(kind="x", parties=(RED,), title="t", text="t", model=Number, form=Form(), rule="r")

    def test_several_parties_need_a_way_to_agree(self):
        with pytest.raises(TypeError, match="agree"):
            Ask(kind="x", parties=(RED, BLUE), title="t", text="t", model=Number, form=Form(), rule="r", pace="battle")


def branch(turn: TurnContext[Nothing], rounds: int) -> Steps[int]:
    total = 0
    for number in range(rounds):
        answer = yield from turn.at(f"r{number}").ask_steps(ask("n", RED))
        total += answer.line["n"]
    return total


def drive(flow: Steps[dict[str, int]], order: Iterator[int]) -> tuple[dict[str, int], list[list[str]]]:
    """Answer every ask with the length of its id, handing answers in in a shuffled order."""
    seen: list[list[str]] = []
    batch: Batch = next(flow)
    while True:
        seen.append([one.id for one in batch.asks])
        shuffled = list(batch.asks)
        for _ in range(next(order)):
            shuffled.append(shuffled.pop(0))
        try:
            batch = flow.send({one.id: Number(line={"n": len(one.id)}) for one in shuffled})
        except StopIteration as stop:
            return stop.value, seen


def test_branches_run_in_lock_step_in_sorted_order_whatever_comes_first(turn: TurnContext[Nothing]):
    outcomes = []
    for keys in permutations(["b1", "b2", "b3"]):
        flow = together_steps({key: branch(turn.at(key), int(key[1])) for key in keys})
        outcomes.append(drive(flow, iter([1, 2, 0, 1])))
    assert all(outcome == outcomes[0] for outcome in outcomes)
    assert outcomes[0][1] == [
        ["T1/b1/r0/n/red", "T1/b2/r0/n/red", "T1/b3/r0/n/red"],
        ["T1/b2/r1/n/red", "T1/b3/r1/n/red"],
        ["T1/b3/r2/n/red"],
    ]
    assert outcomes[0][0] == {"b1": 14, "b2": 28, "b3": 42}
