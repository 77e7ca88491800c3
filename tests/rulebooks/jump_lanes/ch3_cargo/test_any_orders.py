"""Whatever squadrons are ordered to do with cargo: nothing is made of nothing, and nobody carries more than it can."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import load_of, rating_of
from rules_engine.rulebooks.jump_lanes.ch3_cargo.losses import CargoLoss, excess, judge_loss, lose_cargo, usual_loss
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import trial, work_cargo
from rules_engine.rulebooks.jump_lanes.invariants import defects
from rules_engine.rulebooks.jump_lanes.records.orders import CargoOrder
from rules_engine.rulebooks.jump_lanes.records.places import Colony
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import LotKind, UnitKind
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, ship, squadron, standing

SQUADRONS = ("S1", "S2", "S3", "S9")
THINGS = ("census", "experience", "Guard", "Fly", "Base", "Nest", "Mule", "Admiral", "Yard", "Eye", "Raider", "nobody")
KINDS: dict[str, UnitKind] = {
    "Guard": "troop",
    "Fly": "flight",
    "Base": "starbase",
    "Yard": "facility",
    "Eye": "satellite",
}
LOTS: tuple[LotKind, ...] = ("census", "experience")
OTHERS = ("", "", "", "S1", "S2", "S3", "Nest", "Raider", "nobody")

orders = st.builds(
    CargoOrder,
    action=st.sampled_from(("load", "unload", "jettison")),
    what=st.sampled_from(THINGS),
    amount=st.one_of(st.none(), st.integers(1, 12)),
    other=st.sampled_from(OTHERS),
)
sheets = st.lists(st.tuples(st.sampled_from(SQUADRONS), orders), max_size=8)
places = st.sampled_from(("sol", "barnard", "wolf"))


def port() -> LanesState:
    """Three squadrons and all kinds of cargo at Sol; colonies there and at Barnard; turn 1."""
    made = frontier()
    made.colonies["barnard"] = Colony(id="barnard", name="Barnard", at="barnard", owner=TERRAN, census=1)
    squadron(made, "S1", "sol", ship("Hermes", cargo=30))
    squadron(made, "S2", "sol", ship("Mule", cargo=12), ship("Nest", basing=2))
    squadron(made, "S3", "sol", ship("Ark", cargo=60))
    squadron(made, "S9", "sol", ship("Raider", CENTAURI, cargo=40))
    for key, kind in KINDS.items():
        standing(made, ship(key, kind=kind), "sol")
    standing(made, ship("Admiral", kind="officer", siz=0), "sol")
    return made


def points(state: LanesState, kind: LotKind) -> int:
    held = sum(lot.amount for one in state.squadrons.values() for lot in one.hold if lot.kind == kind)
    return held + sum(getattr(one, kind) for one in state.colonies.values())


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(sheets, places), min_size=1, max_size=4))
def test_cargo_is_somewhere_once_and_fits(turns: list[tuple[list[tuple[str, CargoOrder]], str]]):
    state = port()
    for wanted, goal in turns:
        own = [one for one in wanted if one[0] != "S9"]
        before = {kind: points(state, kind) for kind in LOTS}
        foreign = state.units["Raider"].copied()
        tried = [str(one) for done in work_cargo(trial(state, TERRAN), own) for one in done.refusals]
        done = work_cargo(state, own)
        assert [str(one) for each in done for one in each.refusals] == tried
        assert list(defects(state)) == []
        assert state.units["Raider"] == foreign
        for one in state.squadrons.values():
            assert load_of(state, one) <= rating_of(state, one)
            assert all(lot.amount > 0 for lot in one.hold)
        thrown = sum(_amount(each.text) for each in done if each.order.action == "jettison" and each.text)
        lost = sum(before.values()) - sum(points(state, kind) for kind in LOTS)
        assert lost == thrown
        landed = sum(each.landed for each in done)
        assert landed <= before["census"]
        state.turn += 1
        for one in state.squadrons.values():
            one.at = goal if one.id == "S1" else one.at


def _amount(text: str) -> int:
    """How many points a text says were thrown out; none of a unit."""
    words = text.partition(" throws ")[2].split()
    return int(words[0]) if words and words[0].isdigit() else 0


@settings(max_examples=150, deadline=None)
@given(sheets, st.integers(0, 60))
def test_what_nobody_chooses_is_a_legal_loss_and_then_all_fits(wanted: list[tuple[str, CargoOrder]], rating: int):
    state = port()
    work_cargo(state, [("S3", order.with_values(action="load", other="")) for _, order in wanted])
    state.units["Ark"].cargo = rating
    squad = state.squadrons["S3"]
    loss = usual_loss(state, squad)
    assert judge_loss(state, squad, loss, "S3") == []
    assert (loss == CargoLoss()) == (excess(state, squad) == 0)
    lose_cargo(state, squad, loss)
    assert excess(state, squad) == 0
    assert list(defects(state)) == []
