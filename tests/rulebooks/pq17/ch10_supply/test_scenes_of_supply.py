"""What is told of supply, written down whole: transfers and conversions at the end of a turn, and drones."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.pq17.ch10_supply import docking, drones, transfer_words, transfers
from rules_engine.rulebooks.pq17.ch10_supply.end_of_turn import conversion_ask, supply_steps
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.playing.written_scenes import scene
from tests.rulebooks.pq17.worlds.notation import table
from tests.rulebooks.pq17.worlds.supply import Goods, depot, draft, empty, plan, unit
from tests.rulebooks.written_texts import compare

# --- why a transfer, a docked group or a conversion is refused: whole refusals ----------------------------------------
PAIR = "A1 0404 FT#2+CA#2+DR logistics"
SHIPS = "A1.CA, A1.CA2, A1.DR, A1.FT, A1.FT2"


# --- transfers --------------------------------------------------------------------------------------------------------
@cases("source, give, said")
def test_transfers_that_are_refused(source: str, give: str, said: str) -> None:
    assert [str(one) for one in draft(depot(PAIR), **{source: give})[1]][:1] == [said]


@pytest.mark.rule("pq17", "10.3.7.3")
def test_a_name_that_several_ships_have_is_refused_with_their_ids() -> None:
    state = depot(PAIR)
    for ship in ("A1.CA", "A1.CA2"):
        unit(state, ship).name = "Twin"
    found = [str(one) for one in draft(state, A1_FT="> twin 1 supply as fuel")[1]]
    assert found == ["A1.FT.give: “twin” could be several ships. Did you mean A1.CA or A1.CA2?"]


@cases("said, goods", "")
def test_goods_are_known_by_the_names_that_players_use(said: str, goods: str) -> None:
    ((found, _),), wrong = transfer_words.read_amounts(said, "make")
    assert (found, wrong) == (Goods[goods], [])


@pytest.mark.parametrize("said", ["1/0 drones", "drones"])
def test_what_is_no_amount_of_goods_is_refused(said: str) -> None:
    found, (wrong,) = transfer_words.read_amounts(f"{said}, 1 probe", "make")
    assert found == [(Goods.PROBES, 1)]
    assert str(wrong) == f"make: '{said}' is no amount of goods. Legal: 12 drones, 1 shuttle."


@pytest.mark.rule("pq17", "10.3.7.3")
def test_a_transfer_between_ships_that_are_not_docked_is_refused() -> None:
    state = depot("A9 0303 BATS base Haven known\nA1 0303 CA#2+FT logistics port A9")
    (wrong,) = draft(state, A1_FT="> A1.CA 1 supply as fuel", dock_A9_BATS="A1.CA")[1]
    assert str(wrong) == (
        "A1.FT.give: A1.FT and A1.CA are not docked in one group (PQ-17 10.3.7.3). Legal: units of one docked group."
    )


@pytest.mark.rule("pq17", "T4")
def test_more_than_a_docked_pair_can_pass_on_is_refused(kept: Kept) -> None:
    state = depot(PAIR)
    unit(state, "A1.FT").cargo = 100
    empty(state, "A1.FT", supply=80)
    unit(state, "A1.FT2").cargo = 100
    assert [str(one) for one in draft(state, A1_FT="> A1.FT2 61 supply")[1]] == kept()


@pytest.mark.rule("pq17", "10.3.3")
def test_what_finds_no_room_is_refused_unless_its_loss_is_agreed_to(kept: Kept) -> None:
    assert [str(one) for one in draft(depot(PAIR), A1_FT="> A1.FT2 5 supply")[1]] == kept()


# --- docking ----------------------------------------------------------------------------------------------------------
PORT = """
A9 0303 BATS base Haven known
A1 0303 CA#5 logistics port A9
A4 0404 FT+CA#2+PT+PF logistics
A5 0505 CA speed 1
"""


@cases("groups, said")
def test_groups_that_are_refused(groups: list[str], said: str) -> None:
    state = depot(PORT)
    made: list[DockedGroup] = []
    for text in groups:
        host, _, ships = text.partition(">")
        made.append(DockedGroup(host=host, docked=ships.removeprefix(">").split("+"), links=ships.startswith(">")))
    assert str(docking.group_refusals(state, docking.yards(state, "alliance"), made)[0]) == said


# --- conversions ------------------------------------------------------------------------------------------------------
@cases("make, said")
def test_conversions_that_are_refused(make: str, said: str) -> None:
    state = depot(PAIR)
    empty(state, "A1.FT2", supply=50)
    assert plan(state, stores={"convert": True}).ask_at_end
    ask = conversion_ask(table(state), "alliance")
    with pytest.raises(Refused) as caught:
        ask.answer_from({"A1.FT2": {"make": make}})
    assert [str(one) for one in caught.value.refusals] == [said]


Request = pytest.FixtureRequest


@pytest.mark.rule("pq17", "10.3.6", "10.3.9.3", "T4")
def test_transfers_are_told_with_what_an_interruption_left_of_them(request: Request) -> None:
    lines: list[str] = []
    for impulse in (0, 1, 2):
        state = depot(PAIR)
        empty(state, "A1.FT2")
        empty(state, "A1.FT", supply=23, fuel=6, fuel_cargo=7)
        plan(state, A1_FT="> A1.FT2 23 supply, > A1.FT2 7 fuel")
        at = table(state)
        if impulse:
            state.impulse = impulse
            state.set_mark(state.task_forces["A1"], "searched")
            transfers.note_interruptions(state)
            state.impulse = 0
        lines += [f"-- interrupted in impulse {impulse}" if impulse else "-- undisturbed", *scene(at, supply_steps(at))]
    compare(request, lines)


@pytest.mark.rule("pq17", "10.2.4", "10.3.3", "10.3.6", "10.3.10.1")
def test_what_supply_became_and_what_was_lost_is_told(request: Request) -> None:
    state = depot(PAIR)
    empty(state, "A1.FT2", supply=48)
    plan(state, A1_FT="> A1.FT2 10 supply", stores={"lose": True})
    at = table(state)
    lines = ["-- more than there is room for", *scene(at, supply_steps(at))]
    state = depot("A9 0303 BATS base Haven known\nA1 0303 CA+FT logistics port A9")
    empty(state, "A1.CA", fuel=30)
    empty(state, "A1.FT", fuel=2, supply=20)
    empty(state, "A9.BATS", fuel=12, supply=60)
    plan(state, A1_FT="> A9.BATS 5 supply, self 2 supply as fuel", A9_BATS="> A1.CA 3 supply as fuel")
    at = table(state)
    compare(request, [*lines, "-- turned into fuel", *scene(at, supply_steps(at))])


@pytest.mark.rule("pq17", "10.2.3", "10.3.5", "10.3.7.5")
def test_a_side_decides_at_the_end_what_its_supply_becomes(request: Request) -> None:
    state = depot(PAIR)
    empty(state, "A1.FT2", supply=45)
    plan(state, A1_FT="> A1.FT2 10 supply", stores={"convert": True, "lose": True})
    at = table(state)
    sheet = {"A1.FT2": {"make": "3 fuel, 16 drones"}, "A1.FT": {"make": ""}}
    compare(request, scene(at, supply_steps(at), {"conversions alliance": [sheet]}))


@pytest.mark.rule("pq17", "10.2.6.1", "10.2.6.4", "10.2.6.5")
def test_drones_beyond_a_share_are_told_of(request: Request) -> None:
    state = depot("A1 0404 FT#2 logistics\nA2 0405 DR")
    empty(state, "A1.FT2", cargo_goods={Goods.RESTRICTED_DRONES: 8})
    unit(state, "A2.DR").stores = {Goods.DRONES: 20, Goods.LIMITED_DRONES: 21}
    at = table(state)
    drones.report_compliance(at, "alliance")
    lines = [f"{report.kind}: {report.text}" for report in at.shared.reports]
    state = depot("A1 0404 FT#2 logistics")
    empty(state, "A1.FT2", cargo_goods={Goods.RESTRICTED_DRONES: 8})
    at = table(state)
    drones.report_compliance(at, "alliance")
    compare(request, [*lines, *(f"{report.kind}: {report.text}" for report in at.shared.reports)])
