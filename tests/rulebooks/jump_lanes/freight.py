"""Cargo, tugs and surveys for tests, in the world of `frontier`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.basics.dice import DiceStream, Die
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import CargoWork, trial, work_cargo
from rules_engine.rulebooks.jump_lanes.records.orders import CargoAction, CargoOrder
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn
from tests.rulebooks.jump_lanes.frontier import TERRAN


def order(action: CargoAction, what: str, amount: int | None = None, other: str = "") -> CargoOrder:
    """An order to a squadron where it stands."""
    return CargoOrder(action=action, what=what, amount=amount, other=other)


def work(state: LanesState, *wanted: tuple[str, CargoOrder]) -> list[CargoWork]:
    """Carry orders out, none of which may be refused."""
    done = work_cargo(state, wanted)
    assert [str(one) for each in done for one in each.refusals] == []
    return done


def refused(state: LanesState, *wanted: tuple[str, CargoOrder], empire: str = TERRAN) -> list[str]:
    """The rules by which orders are refused when a sheet is judged; the state stays as it is."""
    return rules(refusals(state, *wanted, empire=empire))


def refusals(state: LanesState, *wanted: tuple[str, CargoOrder], empire: str = TERRAN) -> list[Refusal]:
    """The refusals of orders, tried on a copy."""
    before = state.to_json()
    found = [one for done in work_cargo(trial(state, empire), wanted) for one in done.refusals]
    assert state.to_json() == before
    return found


def rules(found: Iterable[Refusal]) -> list[str]:
    """The first rule of each refusal, or ``malformed``; each says where, and what would be right or meant."""
    refusals = list(found)
    assert all(one.path and one.problem and (one.legal or one.kind == "malformed") for one in refusals)
    return [one.rule.split(",")[0] or one.kind for one in refusals]


class FreightDice(DiceStream):
    """Loaded dice: a roll whose label contains a key takes the next of its values. Any other is a mistake, but for the
    order in which groups that look alike get their numbers: there the first comes first."""

    def __init__(self, values: Mapping[str, Sequence[int]]) -> None:
        super().__init__(b"0123456789abcdef")
        self._values = {key: list(given) for key, given in ({"sighting": [1] * 99} | dict(values)).items()}

    def draw(self, label: str, ordinal: int, die: Die, count: int) -> tuple[int, ...]:
        """The next values of the first key that the label contains."""
        key = next(one for one in self._values if one in label)
        shown = tuple(self._values[key].pop(0) for _ in range(count))
        assert all(die.low <= one <= die.high for one in shown), (label, shown)
        return shown


def turn_of(state: LanesState, **dice: Sequence[int]) -> LanesTurn:
    """A turn's context with loaded dice."""
    sides = tuple(SideLabel(key=one.id, name=one.name, emblem=one.emblem) for one in state.empires.values())
    knowledge = {one.key: Knowledge() for one in sides}
    shared = SharedTurn(dice=FreightDice(dice), sides=sides, knowledge=knowledge, now=When(turn=1))
    return TurnContext(state, shared)


def told(turn: LanesTurn, side: str) -> list[str]:
    """What a side was told."""
    return [one.text for one in turn.shared.reports if one.is_for(side)]


Figures = dict[str, Any]
Making = Callable[[], LanesState]
