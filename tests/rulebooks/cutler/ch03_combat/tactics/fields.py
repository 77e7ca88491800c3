"""Tracked battles of small worlds: what a run's battle gives a tracker, and a set-up judged as a tracker judges it."""

from collections.abc import Mapping
from typing import Any

from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.space import Way, stepped
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.tactics.battles import MIDDLE, TacticalBattle
from rules_engine.core.tactics.conditions import SetUpStep
from rules_engine.core.tactics.judging import SetUpSpot, faults_in, spot_of
from rules_engine.core.tactics.placing import legal_placement
from rules_engine.core.tactics.tactics import Tactics
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from tests.rulebooks.cutler.worlds import Run, table_of, world

COMBAT: dict[str, Any] = {"force": {"card": "combat"}}


def fought(text: str, dice: dict[str, list[int]] | None = None, **answers: Any) -> Run:
    """A combat phase that the Lyran open, with answers named ``kind_side``."""
    turn = table_of(world(text), dice)
    scripted = {tuple(name.split("_", 1)): value for name, value in answers.items()}
    return Run(turn, combat_phase_steps(turn.at("combat")), {("card", "lyran"): COMBAT, **scripted})


def battle_asks(run: Run) -> list[AnyAsk]:
    """The sheets of its battles, in their order."""
    return [ask for ask in run.asks if ask.kind == "battle"]


def tactics_in(run: Run, number: int = 0) -> Tactics:
    """What the battle of that number gives a tracker."""
    found = battle_asks(run)[number].tactics
    assert found is not None
    return found


def field_of(run: Run, number: int = 0) -> TacticalBattle:
    """The battle of that number as a tracker gets it."""
    return tactics_in(run, number).battle


def step_of(battle: TacticalBattle, code: str) -> SetUpStep:
    """The step in which a unit is set up."""
    return next(step for step in battle.steps if code in step.units)


def at(way: Way, hexes: int, of: HexId = MIDDLE) -> HexId:
    """The hex so far from the middle, or from another hex."""
    return stepped(of, way, hexes)


def broken(battle: TacticalBattle, step: SetUpStep, spots: dict[str, HexId], facing: Way = "A") -> list[str]:
    """The rules that a set-up of this step breaks, all facing one way, each once."""
    placed = {code: spot_of(place, facing=facing) for code, place in spots.items()}
    placed |= {piece.id: spot_of(*piece.hexes) for piece in battle.ground if piece.hexes}
    return list(dict.fromkeys(fault.condition.rule for fault in faults_in(step.conditions, placed)))


def all_set_up(battle: TacticalBattle, first: Mapping[str, HexId] | None = None) -> int:
    """How many units can be set up, step by step, where nobody says anything, or only where these come ``first``."""
    placed = {piece.id: spot_of(*piece.hexes) for piece in battle.ground if piece.hexes}
    placed |= {code: spot_of(place, facing="A") for code, place in (first or {}).items()}
    count = len(first or {})
    for step in battle.steps:
        if set(step.units).isdisjoint(placed):
            found = legal_placement(step.units, step.conditions, placed, {})
            if found is None:
                return count
            placed |= {code: SetUpSpot((spot,), "A") for code, spot in found.items()}
            count += len(found)
    return count


def speeds(battle: TacticalBattle) -> dict[str, tuple[int, int, int | None]]:
    """Of each unit the least and the greatest speed at which it begins, and its weapon status."""
    return {one.code: (one.least_speed, one.most_speed, one.weapon_status) for one in battle.ships}
