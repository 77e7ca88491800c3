"""Why a transfer, a docked group or a conversion is refused: whole refusals."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.pq17.ch10_supply.docking import group_refusals, yards
from rules_engine.rulebooks.pq17.ch10_supply.end_of_turn import conversion_ask
from rules_engine.rulebooks.pq17.ch10_supply.transfer_words import read_amounts
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import table
from tests.rulebooks.pq17.worlds.supply import Goods, depot, draft, empty, plan, unit

PAIR = "A1 0404 FT#2+CA#2+DR logistics"
SHIPS = "A1.CA, A1.CA2, A1.DR, A1.FT, A1.FT2"


# --- transfers --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "SOP.2.a.iv.2", "10.3.7.3", "10.3.7.4", "10.2.4", "10.3.10.1", "11.2.5.4", "T4")
@cases("source, give, said")
def test_transfers_that_are_refused(source: str, give: str, said: str) -> None:
    state = depot(PAIR)
    found = [str(one) for one in draft(state, **{source: give})[1]]
    assert found[:1] == [said]


@pytest.mark.rule("pq17", "10.3.7.3")
def test_a_name_that_several_ships_have_is_refused_with_their_ids() -> None:
    state = depot(PAIR)
    for ship in ("A1.CA", "A1.CA2"):
        unit(state, ship).name = "Twin"
    assert [str(one) for one in draft(state, A1_FT="> twin 1 supply as fuel")[1]] == [
        "A1.FT.give: “twin” could be several ships. Did you mean A1.CA or A1.CA2?"
    ]


@pytest.mark.rule("pq17", "10.2.3")
@cases("said, goods", "")
def test_goods_are_known_by_the_names_that_players_use(said: str, goods: str) -> None:
    ((found, _),), wrong = read_amounts(said, "make")
    assert (found, wrong) == (Goods[goods], [])


@pytest.mark.parametrize("said", ["1/0 drones", "drones"])
def test_what_is_no_amount_of_goods_is_refused(said: str) -> None:
    found, (wrong,) = read_amounts(f"{said}, 1 probe", "make")
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
    state = depot(PAIR)
    assert [str(one) for one in draft(state, A1_FT="> A1.FT2 5 supply")[1]] == kept()


# --- docking ----------------------------------------------------------------------------------------------------------

PORT = """
A9 0303 BATS base Haven known
A1 0303 CA#5 logistics port A9
A4 0404 FT+CA#2+PT+PF logistics
A5 0505 CA speed 1
"""


@pytest.mark.rule("pq17", "10.3.7.2.1", "10.3.7.2.3", "10.3.7.2.5", "10.3.7.2.6", "10.3.8.1", "10.3.9.1")
@cases("groups, said")
def test_groups_that_are_refused(groups: list[str], said: str) -> None:
    state = depot(PORT)
    made: list[DockedGroup] = []
    for text in groups:
        host, _, ships = text.partition(">")
        made.append(DockedGroup(host=host, docked=ships.removeprefix(">").split("+"), links=ships.startswith(">")))
    assert str(group_refusals(state, yards(state, "alliance"), made)[0]) == said


# --- conversions ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "10.2.3", "10.2.4", "10.3.3", "10.3.7.5")
@cases("make, said")
def test_conversions_that_are_refused(make: str, said: str) -> None:
    state = depot(PAIR)
    empty(state, "A1.FT2", supply=50)
    assert plan(state, stores={"convert": True}).ask_at_end
    ask = conversion_ask(table(state), "alliance")
    with pytest.raises(Refused) as caught:
        ask.answer_from({"A1.FT2": {"make": make}})
    assert [str(one) for one in caught.value.refusals] == [said]
