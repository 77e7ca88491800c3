"""Chapter 10 in battle: goods lost with their boxes, and consumables used up."""

from typing import Any

import pytest

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch08_combat.battle import fight_steps
from rules_engine.rulebooks.pq17.ch08_combat.result_form import agree
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.tables.supply import Goods
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import table, told
from tests.rulebooks.pq17.worlds.supply import depot, empty, stores, unit

FIGHT = "A1 0405 RS+DR ID1\nC1 0405 CA ID1\nturn 2 impulse 1 half A initiative alliance"
OK: dict[str, Any] = {
    "battle": {"winner": "alliance", "turns": 4},
    "AT1": {"fate": "ok"},
    "AT2": {"fate": "ok"},
    "DF1": {"fate": "destroyed"},
}


def begun(state: State) -> tuple[TurnContext[State], Battle, Any, Any]:
    """A battle in which the freighters of A1 attack C1, up to its result form."""
    at = table(state, 10)
    battle = Battle.from_json(
        {
            "key": "1",
            "hex": "0405",
            "attacker": "alliance",
            "defender": "coalition",
            "original": ["C1"],
            "attackers": ["A1"],
            "conditions": 1,
        }
    )
    state.battles = [battle]
    steps = fight_steps(at, battle)
    batch = next(steps)
    while batch.asks[0].kind != "battle":
        batch = steps.send({ask.id: ask.default for ask in batch.asks})
    return at, battle, batch.asks[0], steps


def settle(state: State, **lines: Any) -> TurnContext[State]:
    """Both sides agree on this result."""
    at, _, ask, steps = begun(state)
    with pytest.raises(StopIteration):
        steps.send({ask.id: ask.answer_from(OK | lines)})
    assert [one for one in defects(state) if "number" not in one] == []
    return at


@pytest.mark.rule("pq17", "10.2.2.2", "9.8")
def test_supply_goes_at_once_with_the_cargo_boxes_that_held_it() -> None:
    """Ten boxes full of supply, four left: six points are lost. With five of eight power boxes 3 of 8 fuel go, with
    seven of ten repair boxes 3 of 10 repair points. The owner is told, the enemy is not."""
    state = depot(FIGHT)
    at = settle(state, AT2={"fate": "ok", "cargo": 4, "warp": 5, "repair": 7})
    assert stores(state, "A1.RS") == "fuel 5, supply 4, rp 7"
    text = "A1.RS lost with its boxes: 3 engine fuel, 3 repair points in repair boxes, 6 supply in cargo."
    assert text in told(at, "alliance")
    assert not any("lost with its boxes" in one for one in told(at, "coalition"))


@pytest.mark.rule("pq17", "10.2.2.2")
def test_boxes_repaired_after_the_battle_bring_nothing_back() -> None:
    state = depot(FIGHT)
    settle(state, AT2={"fate": "ok", "cargo": 0})
    ship = unit(state, "A1.RS")
    ship.cargo = 10
    assert ship.supply == 0


@pytest.mark.rule("pq17", "10.2.2.1", "10.2.2.2")
def test_orion_boxes_are_reported_as_well() -> None:
    """Three plain and five Orion boxes hold 5 points; with two and three, 2 + 1 = 3 remain."""
    state = depot(FIGHT.replace("RS+DR", "OR+DR"))
    settle(state, AT2={"fate": "ok", "cargo": 2, "orion_cargo": 3})
    assert stores(state, "A1.OR").endswith("supply 3")


@pytest.mark.rule("pq17", "10.2.6.3", "10.1.1")
def test_consumables_that_were_used_up_leave_the_inventory() -> None:
    """Thirty general and five limited drones were launched; nobody may have launched more than he had."""
    state = depot(FIGHT)
    settle(state, AT1={"fate": "ok", "used": "30 drones, 5 limited drones"})
    assert unit(state, "A1.DR").stores == {Goods.DRONES: 10, Goods.LIMITED_DRONES: 15, Goods.RESTRICTED_DRONES: 20}


@pytest.mark.rule("pq17", "10.1.1")
@cases("used, said", "")
def test_more_than_was_aboard_is_refused(used: str, said: str) -> None:
    """Forty general drones were aboard, and no shuttle; fuel and probes are reported elsewhere."""
    _, _, ask, _ = begun(depot(FIGHT))
    wrong = ask.check(ask.model.model_validate(OK | {"AT1": {"fate": "ok", "used": used}}))
    assert [str(one) for one in wrong] == [f"AT1.used: {said}"]


@pytest.mark.rule("pq17", "10.1.1")
@pytest.mark.parametrize("used", ["40 drones", "1 drone"])
def test_all_that_was_aboard_may_be_used_up(used: str) -> None:
    _, _, ask, _ = begun(depot(FIGHT))
    assert list(ask.check(ask.model.model_validate(OK | {"AT1": {"fate": "ok", "used": used}}))) == []


def test_accounts_agree_when_they_mean_the_same() -> None:
    """Order and spelling do not matter; amounts do."""
    at, battle, ask, _ = begun(depot(FIGHT))
    said = {
        side: ask.model.model_validate(OK | {"AT1": {"fate": "ok", "used": used}})
        for side, used in (("alliance", "5 limited drones, 1 drone"), ("coalition", "1 drones,5 limited drones"))
    }
    assert agree(at, battle, said).settled is not None
    said["coalition"] = ask.model.model_validate(OK | {"AT1": {"fate": "ok", "used": "2 drones, 5 limited drones"}})
    (difference,) = agree(at, battle, said).differences
    assert "1 drones, 5 limited drones" in difference


def test_a_ship_without_stores_has_no_such_field() -> None:
    state = depot(FIGHT)
    empty(state, "A1.RS")
    _, _, ask, _ = begun(state)
    fields = {line.key: {field.key: field for field in line.fields} for line in ask.form.lines}
    used = fields["AT1"]["used"]
    assert (used.label, used.help) == ("Stores used up", "Of 40 drones, 20 limited drones, 20 restricted drones")
    assert "used" not in fields["AT2"]
