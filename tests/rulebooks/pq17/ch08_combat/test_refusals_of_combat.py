"""Refusals of combat sheets, and the sentences of standing orders about combat, written down whole."""

from typing import Any

import pytest

from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17.ch08_combat import attack, result_form
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.records.damage import RefitInHand
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.written_scenes import heard, refused, refused_as_written, scene, written_orders
from tests.rulebooks.pq17.worlds.battles import NOW, account, at_battle, attacks, key_of
from tests.rulebooks.pq17.worlds.notation import ask_for, asks_of, world
from tests.rulebooks.pq17.worlds.repair import mined
from tests.rulebooks.pq17.worlds.special_conditions import event
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest
ATTACK = {"attack alliance": [{"A1": {"target": "E1"}}]}


def asked(
    at: turn_context.TurnContext[State], kind: str, sheets: dict[str, list[Any]], *, phasing: str = "alliance"
) -> asks.AnyAsk:
    """The first ask of a kind, or kind and side, in a combat step; earlier ones are answered by ``sheets``."""
    left = {key: list(answers) for key, answers in sheets.items()}
    steps = attack.combat_steps(at, phasing)
    (ask,) = next(steps).asks
    while kind not in (ask.kind, key_of(ask)):
        answers = left.get(key_of(ask))
        (ask,) = steps.send({ask.id: ask.answer_from(answers.pop(0)) if answers else ask.default}).asks
    return ask


# --- attacks ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "1.8.8", "5.5.8", "7.3.9", "8.3.1", "8.3.2", "8.3.3", "8.3.4.1", "8.4.2", "8.6.1", "11.5.4")
def test_attacks_that_are_refused(request: Request) -> None:
    text = "A1 0405 CA ID0\nA2 0405 CA[fuel=1]+DD[fuel=1] ID0\nA3 0406 CA\nA4 0405 CA shadows C2\nA5 0405 CA port A9"
    text += "\nA6 0405 CA ID0\nA7 0405 CA\nA8 0405 CA\nA9 0405 BATS base Haven known\nC1 0405 CA ID0\nC2 0405 CA U"
    state = world(text + "\nsettled 0405 coalition" + NOW)
    state.set_mark(state.task_forces["A6"], "attempted_attack")
    state.set_mark(state.task_forces["A7"], "was_attacked")
    refit = RefitInHand(name="plus", points=0, turn=1)
    state.units["A8.CA"].repairs = state.units["A8.CA"].repairs.with_values(refit=refit)
    ask = ask_for(asks_of(attack.combat_steps(at_battle(state), "alliance")), "alliance")
    refused_as_written(request, ask)


@pytest.mark.rule("pq17", "C.random.high-command-caution", "8.6.2.7")
def test_attacks_that_high_command_or_an_earlier_raid_forbids(request: Request) -> None:
    state = world(
        "A1 0405 CA ID2\nA2 0405 CA ID3\nC1 0405 CA ID2\nsettled 0405 alliance Haven" + NOW, raid_table="pq17"
    )
    state.settled["0405"].id_level = state.task_forces["A2"].id_level
    state.settled["0405"].raided_on = state.turn
    event(state, "coalition", "high command caution")
    ask = ask_for(asks_of(attack.combat_steps(at_battle(state), "coalition")), "coalition")
    refused_as_written(request, ask)


@pytest.mark.rule("pq17", "8.5.1")
def test_orders_of_battles_that_are_refused(request: Request) -> None:
    at = at_battle(world("A1 0405 CA ID0\nA2 0303 CA ID0\nC1 0405 CA ID0\nC2 0303 CA ID0" + NOW))
    both = {"attack alliance": [{"A1": {"target": "E1"}, "A2": {"target": "E2"}}]}
    ask = asked(at, "order of battles", both)
    refused_as_written(request, ask)


@pytest.mark.rule("pq17", "8.3.5.2.1")
def test_power_that_is_refused(request: Request) -> None:
    at = at_battle(world("A1 0405 CA U\nC1 0405 CA[fuel=1]+DD ID0" + NOW))
    refused_as_written(request, asked(at, "power", ATTACK))


# --- accounts ---------------------------------------------------------------------------------------------------------
WON = account("alliance", 4, AT1="ok", DF1="destroyed")


@pytest.mark.rule("pq17", "8.5.5.5.3", "8.5.5.5.4", "8.5.5.6", "8.3.5.3.6", "8.2.4", "9.8", "1.9.7", "6.3.4.7")
def test_accounts_that_are_refused(request: Request) -> None:
    at = at_battle(world("A1 0405 CA[crippled=yes] speed 2 U\nC1 0405 CA[fuel=2] speed 1 ID0" + NOW))
    refused_as_written(request, asked(at, "battle", ATTACK))


@pytest.mark.rule("pq17", "8.5.5.6")
def test_accounts_that_differ(request: Request) -> None:
    """What each side says of every field that two accounts can differ in."""
    at = at_battle(world("A1 0405 CA speed 2 U\nC1 0405 SC+CA[fuel=10] speed 1 ID0" + NOW))
    ask = asked(at, "battle", ATTACK | {"power coalition": [{"DF1": {"boxes_on": 20}}]})
    unit = {"fate": "disengaged", "turn": 1}
    ours: Any = WON | {"DF1": unit, "DF2": unit | {"cdr": 1, "edr": 1, "warp": 8}}
    theirs: Any = WON | {"DF1": {"fate": "disengaged", "turn": 2}, "battle": {"winner": "alliance", "turns": 5}}
    theirs |= {"DF2": {"fate": "disengaged", "turn": 1, "sensors": 0, "probes": 1, "special_sensors": 2}}
    theirs |= {"AT1": {"fate": "ok", "crippled": True, "practical_speed": 20, "unpowered": ["fire control"]}}
    (battle,) = at.state.battles
    said = {"alliance": ask.answer_from(ours), "coalition": ask.answer_from(theirs)}
    compare(request, [*result_form.agree(at, battle, said).differences])


@pytest.mark.rule("pq17", "8.5.5.6")
def test_an_account_that_changes_nothing_is_warned_of() -> None:
    ask = asked(at_battle(world("A1 0405 CA U\nC1 0405 CA ID0" + NOW)), "battle", ATTACK)
    found = ask.warn(ask.model.model_validate(account("alliance", 1, AT1="ok", DF1="ok")))
    assert found == ["Every unit is still there, so nobody has lost: a battle ends when one side is gone (8.5.5.6)."]


# --- regrouping -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "8.5.6.4", "8.5.6.4.2", "5.1.5", "5.2.3.3", "5.2.3.4", "8.5.6.2")
def test_regrouping_that_is_refused(request: Request) -> None:
    at = at_battle(world("A1 0405 CA speed 2 U\nA2 0405 CL speed 1 U\nC1 0405 CA[fuel=21/4]+CL speed 1 ID0" + NOW))
    at.state.impulse = 3
    gone = {"DF1": {"fate": "disengaged", "turn": 1}, "DF2": {"fate": "disengaged", "turn": 1}}
    both = {"attack alliance": [{"A1": {"target": "E1"}, "A2": {"target": "E1"}}]}
    result = WON | gone | {"AT2": {"fate": "ok"}}
    withdrawals, pursuits = written_orders(request)[:8], written_orders(request)[8:]
    lines = [*refused(asked(at, "reform", both | {"battle": [result]}), withdrawals)]
    at = at_battle(world("A1 0405 CA speed 2 U\nA2 0405 CL speed 1 U\nC1 0405 CA+CL speed 1 ID0" + NOW))
    ask = asked(at, "reform alliance", both | {"battle": [result]})
    compare(request, [*lines, *refused(ask, pursuits)])


@pytest.mark.rule("pq17", "1.6.5.1", "8.5.7.2")
def test_ships_in_port_and_others_do_not_mix_after_a_battle(request: Request) -> None:
    text = "A9 0405 BATS base Haven known LC1\nA1 0405 CA port A9 U\nA2 0405 DD speed 1 U\nC1 0405 CA speed 1 ID0"
    at = at_battle(world(text + NOW.replace("initiative alliance", "initiative coalition")))
    won = account("alliance", 2, AT1="destroyed", DF1="ok", DF2="ok", DF3="ok")
    sheets = attacks("C1>Haven A2>E1") | {"battle": [won]}
    ask = asked(at, "reform", sheets, phasing="coalition")
    refused_as_written(request, ask)


# --- what a side reads of the attacks, battles and pursuits that its standing orders decide ---------------------------
QUIET = "attack never; raid never; sweep never; power full; regroup keep; pursue never"


def ordered(state: State, **orders: str) -> State:
    """The state with standing orders of sides; both do nothing where they are silent."""
    for side in state.doctrine:
        found, refusals = read_orders(orders.get(side, QUIET), side, of_side=True)
        assert refusals == []
        state.doctrine[side].orders = found
    return state


FAILS = {"main roll": 99}


def decided(at: turn_context.TurnContext[State], side: str = "") -> list[str]:
    """What standing orders have decided, and why; for a side or for both."""
    told = [one for one in at.shared.reports if one.kind == "doctrine" and (not side or one.is_for(side))]
    return [line for report in told for line in heard(at, report)]


@pytest.mark.rule("pq17", "8.4.2", "6.2.4", "6.2.6")
@cases("words, forces, said")
def test_attacks_by_standing_orders(words: str, forces: str, said: list[str]) -> None:
    """What the orders decide and the reason given."""
    at = at_battle(ordered(world(forces + NOW), alliance=f"{words}; raid never; sweep never"), **FAILS)
    scene(at, attack.combat_steps(at, "alliance"))
    assert decided(at, "alliance") == said


@pytest.mark.rule("pq17", "12.6.3", "8.6.2")
def test_sweeps_and_raids_by_standing_orders(request: Request) -> None:
    mines = mined("mines 0405 coalition 4 ID1\nA1 0405 MS speed 2 U")
    sweeping = at_battle(ordered(mines, alliance="sweep; raid never"), **FAILS)
    settled = world("A1 0303 CA speed 1\nC1 0405 CA speed 1 U\nsettled 0405 alliance Haven" + NOW, raid_table="pq17")
    settled.settled["0405"].id_level = IdLevel.ID0
    raiding = at_battle(ordered(settled, coalition="raid; sweep never"), **FAILS)
    for at, phasing in ((sweeping, "alliance"), (raiding, "coalition")):
        scene(at, attack.combat_steps(at, phasing))
    compare(request, decided(sweeping) + decided(raiding))


@pytest.mark.rule("pq17", "12.6.3")
@cases("text, said")
def test_orders_to_sweep_need_mines_and_a_minesweeper(text: str, said: list[str]) -> None:
    at = at_battle(ordered(mined(text), alliance="attack never; sweep; raid never"), **FAILS)
    assert not [line for line in scene(at, attack.combat_steps(at, "alliance")) if line.startswith("==")]
    assert [one.text for one in at.shared.reports if one.kind == "doctrine" and one.is_for("alliance")] == said


LEFT = account("alliance", 3, AT1="ok", DF1=3)


@pytest.mark.rule("pq17", "8.3.5", "8.5.6.1", "8.5.6.2", "8.5.6.7", "8.5.7.2")
@cases("winner, loser, kind, said")
def test_power_withdrawal_and_pursuit_by_standing_orders(winner: str, loser: str, kind: str, said: list[str]) -> None:
    """A1 is a cruiser, or a slow light cruiser; what it brings to battle again is destroyed."""
    state = world(f"A1 0405 {kind} speed 1 U\nC1 0405 CA speed 1 ID0" + NOW)
    at = at_battle(ordered(state, alliance=f"attack; regroup keep; {winner}", coalition=f"attack never; {loser}"))
    results = [LEFT, {**LEFT, "DF1": {"fate": "destroyed"}}][: 2 if winner == "pursue battle" else 1]
    scene(at, attack.combat_steps(at, "alliance"), {"battle": results})
    assert decided(at) == said
