"""For any stores and any units: the routine is legal, nothing is lost, and goods neither appear nor vanish."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.rulebooks.pq17.ch10_supply.stores import cargo_boxes, held
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.tables.supply import PAIR_LIMIT, Goods, worth
from tests.rulebooks.pq17.worlds.supply import depot, empty, routine, turn_end

SHIPS = ("CA", "FT", "DD", "RS", "DR", "OR", "TG")

aboard = st.fixed_dictionaries(
    {
        "fuel": st.integers(0, 100),
        "thirds": st.integers(0, 2),
        "supply": st.integers(0, 100),
        "damcon": st.booleans(),
        "consumables": st.booleans(),
    }
)


def total(state: State) -> Fraction:
    """Everything that all units hold, in supply points; what lies in DAMCON tracks too."""
    return sum(
        (
            sum((worth(goods, held(unit, goods)) for goods in Goods), Fraction(unit.rp_damcon))
            for unit in state.units.values()
        ),
        Fraction(0),
    )


def stocked(where: str, ships: list[str], loads: list[dict[str, int]]) -> State:
    """A force of these ships in Logistics posture, each with a part of what it could carry (in percent)."""
    state = depot(f"A9 0303 BATS base Haven known\nA1 {where}".replace("SHIPS", "+".join(ships)))
    for unit_id, load in zip(sorted(state.units), loads, strict=False):
        unit = state.units[unit_id]
        kept = dict(unit.stores) if load["consumables"] else {}
        damcon = unit.rp_damcon if load["damcon"] else 0
        full, boxes = unit.power_boxes, cargo_boxes(unit)
        fuel = min(Fraction(full), Fraction(full * load["fuel"], 100) + Fraction(load["thirds"], 3))
        empty(state, unit_id, fuel=fuel, supply=boxes * load["supply"] // 100, rp_damcon=damcon, stores=kept)
    return state


def goes_well(state: State, *, underway: bool) -> None:
    """Plan and carry out one turn of the routine."""
    before = total(state)
    made = routine(state)  # which checks that the sheet it proposes is legal
    turn_end(state)
    assert defects(state) == []
    assert all(one.amount == one.plotted and one.lost == 0 for one in made.done)
    assert total(state) == before
    if underway:
        for group in made.groups:
            for ship in group.docked:
                passed = (one for one in made.done if ship in (one.source, one.target))
                assert sum(worth(one.goods, one.amount) for one in passed) <= PAIR_LIMIT


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(SHIPS), min_size=1, max_size=6), st.lists(aboard, min_size=7, max_size=7))
def test_in_port(ships: list[str], loads: list[dict[str, int]]) -> None:
    goes_well(stocked("0303 SHIPS logistics port A9", ships, loads), underway=False)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(SHIPS), min_size=2, max_size=6), st.lists(aboard, min_size=7, max_size=7))
def test_underway(ships: list[str], loads: list[dict[str, int]]) -> None:
    goes_well(stocked("0404 SHIPS logistics", ships, loads), underway=True)
