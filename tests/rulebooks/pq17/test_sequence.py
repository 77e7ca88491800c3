"""The sequence of play as a whole: its order, its silence, its replays, and what it never tells."""

from random import Random
from typing import Any

import pytest

from rules_engine.core.basics import canonical_json, refusals
from rules_engine.core.protocol import asks, turn_context
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import Snapshot
from rules_engine.rulebooks.pq17 import RULEBOOK, sequence
from rules_engine.rulebooks.pq17.ch06_reconnaissance.step import reconnaissance_steps
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from tests.expected.kept import cases
from tests.form_documents import form_document
from tests.rulebooks.pq17.playing.officers import AT, SEED, answer_all, choose, open_intro
from tests.rulebooks.pq17.worlds.notation import ask_for, asked_in, asks_of, run, table, told, world
from tests.rulebooks.pq17.worlds.supply import depot, unit

# --- the reconnaissance and combat steps as a whole: everything in the order of the sequence of play ------------------
NOW = "\nturn 2 impulse 1 half A initiative alliance"


def met(text: str, *rolls: int) -> turn_context.TurnContext[State]:
    at = table(world(text + NOW), *rolls)
    announce_detections(at)
    at.shared.reports.clear()
    return at


def dice(at: turn_context.TurnContext[State]) -> list[str]:
    """What was rolled, in order, without the place."""
    return [label.removeprefix("T1/") for label in at.shared.dice.asked]  # type: ignore[attr-defined]


@pytest.mark.rule("pq17", "SOP.2.b.v.1", "SOP.2.b.v.2", "SOP.2.b.v.3", "SOP.2.b.v.4", "SOP.2.b.v.5", "SOP.2.b.v.7")
@pytest.mark.rule("pq17", "SOP.2.b.v.6.a.i", "SOP.2.b.v.6.a.ii", "SOP.2.b.v.6.a.iii", "SOP.2.b.v.6.b.i")
@pytest.mark.rule("pq17", "SOP.2.b.v.6.b.ii")
def test_the_reconnaissance_step_in_its_order() -> None:
    text = "A1 0405 CA speed 3\nA2 0405 DD speed 3\nC1 0405 CA speed 1"
    at = met(text, 5, 10, 44, 99, 10, 60)
    order: list[tuple[str, ...]] = []

    def answer(ask: asks.AnyAsk) -> Any:
        order.append(ask.parties)
        assert dice(at) == []  # both declare before anything is rolled
        assert at.state.units["C1.CA"].fuel == 34  # and before anybody pays
        if ask.parties == ("coalition",):
            return {"C1": {"target": "E1"}}
        return {"A1": {"target": "E1"}, "A2": {"target": "E1", "shadow": True}}

    run(reconnaissance_steps(at, "alliance"), answer)
    assert order == [("coalition",), ("alliance",)]
    assert dice(at) == [
        "0405/local conditions",
        "0405/search/C1>E1/main roll",  # the side that is not phasing resolves first
        "0405/search/C1>E1/ID roll",
        "0405/search/A1>E1/main roll",
        "0405/search/A2>E1/main roll",
        "0405/search/A2>E1/ID roll",
    ]
    heard = told(at, "alliance")
    speeds = next(n for n, text in enumerate(heard) if "announces speed 1: A2 shadows it" in text)
    levels = next(n for n, text in enumerate(heard) if text.startswith("E1 in 0405, ID1"))
    tried = next(n for n, text in enumerate(heard) if text.startswith("A2 searched E1"))
    assert tried < speeds < levels  # shadowing and levels only after the last attempt against the target
    assert at.state.task_forces["A1"].id_level is IdLevel.ID1  # Table 6b, column 1: 44 is +2


def _won(winner: str, **units: Any) -> dict[str, Any]:
    sheet: dict[str, Any] = {"battle": {"winner": winner, "turns": 2}}
    for name, fate in units.items():
        sheet[name] = {"fate": "disengaged", "turn": fate} if isinstance(fate, int) else {"fate": fate}
    return sheet


@pytest.mark.rule("pq17", "1.7.6")
def test_a_settled_hex_cannot_shadow() -> None:
    at = met("settled 0405 alliance\nA1 0405 CA\nC1 0405 CA")
    ask = ask_for(asks_of(reconnaissance_steps(at, "coalition")), "alliance")
    with pytest.raises(refusals.Refused, match=r"settled hex cannot shadow.*1\.7\.6"):
        ask.answer_from({"settled 0405": {"target": "all", "shadow": True}})


@pytest.mark.rule("pq17", "8.3.5.2")
def test_a_force_that_attempted_an_attack_has_no_power_to_choose() -> None:
    # A1 fails against C1 and is attacked by it: it has paid in full, and is not asked
    at = met("A1 0405 CA speed 2 ID0\nC1 0405 CA speed 2 ID0", 5, 99, 10, 3)
    kinds: list[str] = []
    sheets: list[Any] = [
        {"A1": {"target": "E1"}},
        {"C1": {"target": "E1"}},
        _won("coalition", AT1="ok", DF1="destroyed"),
    ]

    def answer(ask: asks.AnyAsk) -> Any:
        kinds.append(ask.kind)
        return sheets.pop(0) if sheets else None

    run(combat_steps(at, "alliance"), answer)
    assert kinds == ["attack", "attack", "battle", "reform"]


FAR_APART = """
A1 0402 CA+DD speed 2 route 0403,0402
A9 0301 BATS base Haven known LC1
C1 0608 CA speed 2 route 0607,0608
turn 0
"""


def played(
    text: str, answers: dict[str, dict[str, Any]] | None = None, *, initiative: int = 4
) -> tuple[turn_context.TurnContext[State], list[asks.AnyAsk]]:
    """One turn, each ask of a kind and side answered by ``kind/side``; all other asks take their defaults."""
    at = table(world(text), by_label={"initiative": initiative, "alliance": initiative, "coalition": 3})
    given = answers or {}
    return at, asked_in(sequence.turn_steps(at), lambda ask: given.get(f"{ask.kind}/{'+'.join(ask.parties)}"))


@pytest.mark.rule("pq17", "3.1", "1.2.4", "SOP.2.a.i.1")
def test_a_turn_without_contact_asks_each_side_once() -> None:
    at, asked = played(FAR_APART)
    assert [(ask.kind, ask.parties) for ask in asked] == [("planning", ("alliance",)), ("planning", ("coalition",))]
    state = at.state
    assert (state.turn, state.impulse, state.half) == (1, 0, "")
    assert [state.task_forces[one].hex for one in ("A1", "C1")] == ["0402", "0608"]  # two points: there and back
    assert state.units["A1.CA"].fuel == 32


@pytest.mark.rule("pq17", "SOP.2.a.iv.1", "SOP.2.a.v")
def test_logistics_are_planned_before_reorganisations_are_announced() -> None:
    """A blockade in the port's hex splits: the logistics sheet is handed in before its side hears of that."""
    state = depot("A9 0303 BATS base Haven known\nA1 0303 CA+FT port A9 logistics U\nC1 0303 CA+DD ID1\nturn 2")
    unit(state, "A1.CA").fuel -= 6
    at = table(state, by_label={"alliance": 4, "coalition": 3})
    announce_detections(at)
    heard: dict[str, bool] = {}

    def answer(ask: asks.AnyAsk) -> Any:
        heard[f"{ask.kind} {ask.parties[0]}"] = any("reorganised" in text for text in told(at, "alliance"))
        assert not defects(state)  # what is not announced yet has its number all the same
        return {"C1.DD": {"task_force": "C2"}} if ask.id.endswith("planning/coalition") else None

    run(sequence.planning_steps(at), answer)
    assert heard["logistics alliance"] is False
    assert any("reorganised" in text for text in told(at, "alliance"))


@cases("roll, first, second", "")
def test_the_side_with_the_initiative_moves_first_in_every_impulse(roll: int, first: str, second: str) -> None:
    """Both sides go into 0405 on impulse 1. Who moves first is alone there; contact is made when the second arrives."""
    at, asked = played("A1 0404 CA speed 2 route 0405\nC1 0406 CA speed 2 route 0405\nturn 0", initiative=roll)
    assert at.state.initiative == first
    assert next(report.place for report in at.shared.reports if report.kind == "contact").startswith("T1/I1/B")
    searches = [ask for ask in asked if ask.kind == "search" and "/I1/B" in ask.id]
    assert [ask.parties[0] for ask in searches] == [first, second]  # the non-phasing side declares first


@pytest.mark.rule("pq17", "5.3.5.1", "SOP.2.b.ii.1", "SOP.2.b.ii.2", "SOP.2.b.iii")
def test_an_enemy_that_comes_in_first_gives_the_second_mover_the_choice_to_stay() -> None:
    text = "A1 0404 CA speed 2 route 0405\nC1 0405 DD speed 2 route 0406\nturn 0"
    at, asked = played(text, {"stay/coalition": {"C1": {"move": "stay"}}})
    assert "stay" in [ask.kind for ask in asked]
    assert at.state.units["C1.DD"].fuel < 16  # the point was paid for all the same
    _, asked = played(text, initiative=1)
    assert "stay" not in [ask.kind for ask in asked]  # the Coalition moved first and was gone


@pytest.mark.rule("pq17", "1.2.3", "1.2.6")
def test_time_is_told_in_turns_days_and_impulses() -> None:
    at, _ = played(FAR_APART)
    assert at.shared.now.label == "Turn 1 (day 1 AM), impulse 3"
    state = world(FAR_APART.replace("turn 0", "turn 3"))
    assert list(sequence.impulse_steps(table(state), 2)) == []
    assert RULEBOOK.side_board(state, "alliance", at.knowledge("alliance")).heading == "Turn 3 (day 2 AM), impulse 2"


@pytest.mark.rule("pq17", "SOP.3.a", "SOP.3.b", "1.2.2")
def test_the_administrative_step_comes_with_the_thirtieth_turn() -> None:
    at, _ = played(FAR_APART.replace("turn 0", "turn 29"))
    assert "The Alliance total is 0." in [report.text for report in at.shared.reports]
    at, _ = played(FAR_APART.replace("turn 0", "turn 28"))
    assert "The Alliance total is 0." not in [report.text for report in at.shared.reports]


# --- whole campaigns --------------------------------------------------------------------------------------------------
def play_out(chooser: Random) -> tuple[Adjudicator[State], list[JournalEntry]]:
    adjudicator, entries = open_intro()
    for _ in range(400):
        if adjudicator.ending is not None:
            return adjudicator, entries
        entries += answer_all(adjudicator, chooser)
        assert adjudicator.defects() == []
        for label in adjudicator.sides:
            adjudicator.view(label.key)
    raise AssertionError("the campaign did not end")


@pytest.mark.parametrize("seed", [0, 13, 37])
def test_random_legal_play_ends_without_an_impossible_state_and_replays(seed: int) -> None:
    adjudicator, entries = play_out(Random(seed))
    again = replay(RULEBOOK, entries, SEED)
    assert again.digest() == adjudicator.digest()
    assert again.ending == adjudicator.ending
    for label in adjudicator.sides:
        assert again.view(label.key) == adjudicator.view(label.key)


def test_a_snapshot_stands_for_the_turns_before_it() -> None:
    chooser = Random(13)
    adjudicator, step = Adjudicator.open(
        RULEBOOK, title="Test", scenario=open_intro()[0].genesis.scenario, seed=SEED, at=AT
    )
    entries: list[JournalEntry] = [step.entry]
    snapshots: list[Snapshot] = []
    while adjudicator.turn < 4:
        for ask in adjudicator.open_asks():
            document = choose(ask, chooser)
            entries += [adjudicator.answer(side, ask.id, document, by=side, at=AT).entry for side in ask.parties]
        closed = adjudicator.close("referee", by="test", at=AT)
        entries.append(closed.entry)
        snapshots += [] if closed.snapshot is None else [closed.snapshot]
    assert replay(RULEBOOK, entries, SEED, snapshots[1]).digest() == adjudicator.digest()


def test_silence_to_every_deadline_plays_the_campaign_to_its_end() -> None:
    adjudicator, _ = open_intro()
    closes = 0
    while adjudicator.ending is None:
        adjudicator.close("deadline", by="clock", at=AT)
        closes += 1
    assert closes == 8  # one planning step a turn: nobody moved, so nobody met


# --- what a side never learns -----------------------------------------------------------------------------------------
def seen_by(text: str, side: str, sheets: dict[str, dict[str, Any]]) -> str:
    """A digest of all that reaches ``side`` in one turn: every ask, report and map."""
    state = world(text)
    at = table(state, by_label={"initiative": 4, "alliance": 4, "coalition": 3})
    stream: list[object] = []

    def look(batch: asks.Batch) -> None:
        for ask in batch.asks:
            if side in ask.parties:
                default = ask.default
                stream.append([ask.id, ask.title, ask.text, form_document(ask.form), ask.default_says])
                stream.append(None if default is None else [ask.read_back(default), ask.warn(default)])
        stream.append(RULEBOOK.side_board(state, side, at.knowledge(side)).model_dump(mode="json"))

    steps = sequence.turn_steps(at)
    batch = next(steps)
    while True:
        look(batch)
        answers = {
            ask.id: ask.answer_from(sheets[ask.kind]) if ask.kind in sheets and side in ask.parties else ask.default
            for ask in batch.asks
        }
        try:
            batch = steps.send(answers)
        except StopIteration:
            break
    look(asks.Batch(()))
    stream += [
        [report.when.model_dump(), report.kind, report.text, [fact.model_dump() for fact in report.facts],
         report.why.model_dump(mode="json") if report.why else None]
        for report in at.shared.reports
        if report.is_for(side)
    ]  # fmt: skip
    return canonical_json.digest(stream)


@cases("hidden", "")
@pytest.mark.unseen("pq17", reports=("initiative",), asks=("planning", "plot"))
def test_what_was_never_detected_changes_nothing_that_a_side_sees(hidden: str) -> None:
    own = "A1 0403 CA+DD speed 2 route 0404,0403\nA9 0301 BATS base Haven known LC1\nturn 0\n"
    sheets = {"planning": {"A1": {"speed": "2", "route": "0404 0403", "posture": []}, "side": {"ask": "always"}}}
    plain = own + "C1 0608 CA"
    assert seen_by(own + hidden, "alliance", sheets) == seen_by(plain, "alliance", sheets)


@pytest.mark.rule("pq17", "6.2.2")
@pytest.mark.unseen("pq17", reports=("contact",), asks=("planning", "plot", "search"))
def test_at_u_the_numbers_and_names_of_what_is_met_stay_hidden() -> None:
    """Two enemies that look alike at U: one cruiser, or three ships, all active and without a scout."""
    own = "A1 0404 CA speed 2 route 0405\nturn 0\n"
    sheets = {"planning": {"A1": {"speed": "2", "route": "0405", "posture": []}}, "search": {}}
    one = seen_by(own + "C1 0405 CA", "alliance", sheets)
    assert one == seen_by(own + "C7 0405 CA+DD+FF", "alliance", sheets)
    assert seen_by(own + "C1 0405 CA+SC", "alliance", sheets) != one


def test_the_book_is_named_with_its_edition() -> None:
    assert (RULEBOOK.key, RULEBOOK.title) == ("pq17", "PQ-17 Operational Rules 9.1")
