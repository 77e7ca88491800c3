"""What a side reads of the attacks, battles and pursuits that its standing orders decide."""

import pytest

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.written_scenes import heard, scene
from tests.rulebooks.pq17.worlds.battles import NOW, at_battle
from tests.rulebooks.pq17.worlds.minefields import mined
from tests.rulebooks.pq17.worlds.notation import world
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest
QUIET = "attack never; raid never; sweep never; power full; regroup keep; pursue never"


def ordered(state: State, **orders: str) -> State:
    """The state with standing orders of sides; both do nothing where they are silent."""
    for side in state.doctrine:
        found, refusals = read_orders(orders.get(side, QUIET), side, of_side=True)
        assert refusals == []
        state.doctrine[side].orders = found
    return state


def failing(state: State) -> TurnContext[State]:
    labels = {"main roll": 99}
    return at_battle(state, conditions="good", **labels)


@pytest.mark.rule("pq17", "8.4.2", "6.2.4", "6.2.6")
def test_attacks_by_standing_orders(request: Request) -> None:
    """The orders before the colon, then what they decide and the reason given."""
    here = "A1 0405 CA speed 1 U\nC1 0405 {} speed 1 {}"
    cases = [
        ("attack", here.format("CA", "ID0")),
        ("attack id2", here.format("CA", "ID1")),
        ("attack x0.5", here.format("CA", "ID1")),
        ("attack x2", here.format("CA", "ID0")),
        ("attack x2", here.format("HK", "ID1")),
        ("attack fuel>31", here.format("CA", "ID0")),
        ("attack never", here.format("CA", "ID0")),
        ("attack", "A1 0405 CA speed 1 U\nC9 0405 BATS base Lair known LC1"),
        ("attack", "A1 0405 CA speed 1 U\nC9 0405 BATS base Lair known LC1\nC1 0405 DD speed 1 ID3"),
    ]
    lines: list[str] = []
    for orders, text in cases:
        at = failing(ordered(world(text + NOW), alliance=f"{orders}; raid never; sweep never"))
        scene(at, combat_steps(at, "alliance"))
        told = [report for report in at.shared.reports if report.kind == "doctrine" and report.is_for("alliance")]
        lines += [f"{orders}:", *(line for report in told for line in heard(at, report))]
    compare(request, lines)


@pytest.mark.rule("pq17", "12.6.3", "8.6.2")
def test_sweeps_and_raids_by_standing_orders(request: Request) -> None:
    lines: list[str] = []
    sweeping = failing(ordered(mined("mines 0405 coalition 4 ID1\nA1 0405 MS speed 2 U"), alliance="sweep; raid never"))
    raiding = world("A1 0303 CA speed 1\nC1 0405 CA speed 1 U\nsettled 0405 alliance Haven" + NOW, raid_table="pq17")
    raiding.settled["0405"].id_level = IdLevel.ID0
    for at, phasing in (
        (sweeping, "alliance"),
        (failing(ordered(raiding, coalition="raid; sweep never")), "coalition"),
    ):
        scene(at, combat_steps(at, phasing))
        told = [report for report in at.shared.reports if report.kind == "doctrine"]
        lines += [line for report in told for line in heard(at, report)]
    compare(request, lines)


@pytest.mark.rule("pq17", "12.6.3")
@cases("text, said")
def test_orders_to_sweep_need_mines_and_a_minesweeper(text: str, said: list[str]) -> None:
    at = failing(ordered(mined(text), alliance="attack never; sweep; raid never"))
    lines = scene(at, combat_steps(at, "alliance"))
    assert not [line for line in lines if line.startswith("==")]
    told = [one.text for one in at.shared.reports if one.kind == "doctrine" and one.is_for("alliance")]
    assert told == said


LEFT = {"battle": {"winner": "alliance", "turns": 3}, "AT1": {"fate": "ok"}, "DF1": {"fate": "disengaged", "turn": 3}}


@pytest.mark.rule("pq17", "8.3.5", "8.5.6.1", "8.5.6.2", "8.5.6.7", "8.5.7.2")
def test_power_withdrawal_and_pursuit_by_standing_orders(request: Request) -> None:
    """The winner's orders and then the loser's before the colon. A1 is a cruiser, or a slow light cruiser."""
    cases = [
        ("pursue shadow", "regroup keep; withdraw; power full", "CA"),
        ("pursue battle", "regroup keep; power full", "CA"),
        ("pursue never", "regroup keep; hold; power full", "CA"),
        ("pursue shadow", "regroup keep; withdraw; power full", "CL"),
    ]
    lines: list[str] = []
    for winner, loser, kind in cases:
        state = world(f"A1 0405 {kind} speed 1 U\nC1 0405 CA speed 1 ID0" + NOW)
        ordered(state, alliance=f"attack; regroup keep; {winner}", coalition=f"attack never; {loser}")
        at = at_battle(state)
        results = [LEFT, {**LEFT, "DF1": {"fate": "destroyed"}}][: 2 if winner == "pursue battle" else 1]
        scene(at, combat_steps(at, "alliance"), {"battle": list(results)})
        told = [report for report in at.shared.reports if report.kind == "doctrine"]
        lines += [f"{winner}, {loser}:", *(line for report in told for line in heard(at, report))]
    compare(request, lines)
