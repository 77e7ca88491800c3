"""Chapter 12.1 to 12.4: what a minefield is, where it may be, how it is detected and searched."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17.ch06_reconnaissance import attempt, step
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import search_ask, searchers, targets_of
from rules_engine.rulebooks.pq17.ch08_combat.declarations import able_to_attack
from rules_engine.rulebooks.pq17.ch12_mines.removal import wear_minefields
from rules_engine.rulebooks.pq17.ch12_mines.tactical_map import mine_panels
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections, contact_hexes, start_impulse
from rules_engine.rulebooks.pq17.contacts.minefields import as_force, field_at, hostile_field, may_hold_field
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.forces import IdLevel, Posture
from rules_engine.rulebooks.pq17.records.minefields import MINES_A_POINT
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.shown.boards import side_board
from rules_engine.rulebooks.pq17.tables import operations, supply
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import asked_in, table, told
from tests.rulebooks.pq17.worlds.repair import at_mines, field_of, mined

COLONY = "settled 0405 coalition Skarn\n"
MINED = COLONY + "mines 0405 coalition 4\n"


def search(at: turn_context.TurnContext[State], sheets: dict[str, Any], phasing: str = "alliance") -> list[asks.AnyAsk]:
    """Play detection and the reconnaissance step; returns what was asked."""
    announce_detections(at)
    steps = step.reconnaissance_steps(at, phasing)
    return asked_in(steps, lambda ask: sheets.get(ask.parties[0]) if ask.kind == "search" else None)


# --- what it is -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "12.3.1", "12.3.2", "12.3.3", "12.4.2", "5.2.3.7")
def test_a_minefield_is_a_task_force_by_itself_at_speed_0_in_minefield_posture() -> None:
    state = mined(MINED + "C1 0405 CA")
    force = hostile_field(state, "alliance", "0405")
    assert (force.units, force.speed, force.plotted, force.in_port, force.shadowing) == (
        [], operations.Speed.STATION, operations.Speed.STATION, "", "",
    )  # fmt: skip
    assert force.posture == Posture(cloak=False, warp=False, active=False, logistics=False)
    seen = attempt.quarry_of(state, force, int(IdLevel.U))
    assert (seen.passive, seen.warp_off, seen.cloaked) == (True, True, False)
    assert state.task_forces["C1"].units == ["C1.CA"]  # the ships beside it are a force of their own


@pytest.mark.rule("pq17", "12.1.9")
def test_each_side_may_have_one_minefield_in_a_hex() -> None:
    state = mined("settled 0405 alliance\nmines 0405 alliance 4\nmines 0405 coalition 2")
    assert [one.strength for one in state.mines.fields.values()] == [4, 2]
    assert field_at(state, "coalition", "0405").strength == 2
    assert defects(state) == []


@cases("text, may")
def test_minefields_lie_at_bases_and_settlements_of_either_side_that_the_layer_knows(text: str, may: bool) -> None:
    assert may_hold_field(mined(text), "alliance", "0405") is may


@pytest.mark.rule("pq17", "12.1.3", "12.1.9")
def test_a_scenario_may_name_further_hexes() -> None:
    assert may_hold_field(mined("A1 0405 CA", minefield_hexes=("0405",)), "alliance", "0405")
    assert not may_hold_field(mined("A1 0405 CA", minefield_hexes=("0406",)), "alliance", "0405")


@pytest.mark.rule("pq17", "12.2.1")
def test_a_strength_point_is_200_large_mines_or_fifty_supply_points() -> None:
    assert (MINES_A_POINT, MINES_A_POINT / supply.PER_POINT[supply.Goods.LARGE_MINES]) == (200, 50)


@pytest.mark.rule("pq17", "12.2.3")
def test_each_side_keeps_a_record_of_its_own_minefields() -> None:
    state = mined("settled 0405 alliance\nmines 0405 alliance 4\nmines 0602 alliance 1\nmines 0303 coalition 3")
    state.mines.loads["alliance 0405"] = 80
    board = side_board(state, "alliance", Knowledge())
    panel = board.panel("Minefields")
    assert panel.rows == ("0405: strength 4", "0602: strength 1", "0405: 80 of 200 mines laid towards the next point")
    shown = [(one.hex, one.form, one.label) for one in board.counters]
    assert shown == [("0405", "minefield", "M4"), ("0602", "minefield", "M1")]
    assert side_board(state, "coalition", Knowledge()).panel("Minefields").rows == ("0303: strength 3",)


@pytest.mark.rule("pq17", "12.2.2", "12.6.1")
def test_a_minefield_without_strength_is_no_more() -> None:
    state = mined("settled 0405 coalition\nmines 0405 coalition 1")
    field_of(state, "coalition", "0405").attacked = True
    at = table(state)
    wear_minefields(at)
    assert state.mines.fields == {}
    assert told(at, "coalition") == ["Your minefield in 0405 is used up and removed."]
    assert told(at, "alliance") == []


@pytest.mark.rule("pq17", "12.3.4", "12.3.5")
def test_a_minefield_neither_searches_nor_attacks_nor_shadows_and_is_not_shadowed() -> None:
    at = at_mines(MINED + "A1 0405 CA speed 2 ID3")
    announce_detections(at)
    for side in ("alliance", "coalition"):
        able = [*[one.key for one in searchers(at.state, side)], *able_to_attack(at.state, side)]
        assert able == (["A1"] if side == "alliance" else [])
    ask = search_ask(at, "alliance", searchers(at.state, "alliance"), phasing=True)
    with pytest.raises(Refused, match=r"a minefield cannot be shadowed.*12\.3\.5"):
        ask.answer_from({"A1": {"target": "E1", "shadow": True}})


# --- detection --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "12.3.6", "6.2.2")
def test_a_minefield_gives_its_owner_u_on_enemies_in_its_hex() -> None:
    at = at_mines("mines 0405 coalition 4\nA1 0405 CW cloak\nA2 0406 CA")
    announce_detections(at)
    assert at.state.task_forces["A1"].id_level is IdLevel.U
    assert at.state.task_forces["A2"].id_level is IdLevel.N
    assert told(at, "coalition") == ["E1 in 0405, U: Force present. Cloaks in use. Sensors passive."]
    start_impulse(at)  # beside a minefield the contact is kept
    assert at.state.task_forces["A1"].id_level is IdLevel.U
    assert contact_hexes(at.state) == ["0405"]


@cases("proves, text, levels, alliance, coalition", "levels, alliance, coalition")
def test_what_is_detected_in_a_mined_hex(text: str, levels: str, alliance: list[str], coalition: list[str]) -> None:
    """By ships, settled hexes and minefields. ``levels`` are those of forces and of minefields."""
    at = at_mines(text)
    announce_detections(at)
    found = [f"{tf.id} {tf.id_level.name}" for tf in at.state.all_task_forces()]
    found += [f"{key} {IdLevel(field.level).name}" for key, field in at.state.mines.fields.items()]
    assert ", ".join(found) == levels
    assert contact_hexes(at.state) == (["0405"] if alliance or coalition else [])
    assert (told(at, "alliance"), told(at, "coalition")) == (alliance, coalition)


@pytest.mark.rule("pq17", "12.4.1", "6.2.2")
def test_who_comes_into_its_hex_learns_that_it_is_an_operational_minefield_and_no_more() -> None:
    at = at_mines("mines 0405 coalition 4\nA1 0405 CA")
    announce_detections(at)
    assert told(at, "alliance") == ["E1 in 0405, U: Operational minefield."]
    contact = at.knowledge("alliance").contacts["E1"]
    assert (contact.form, contact.latest.level_name, contact.latest.details) == ("minefield", "U", ())
    (counter,) = [one for one in side_board(at.state, "alliance", at.knowledge("alliance")).counters if one.id == "E1"]
    assert (counter.form, counter.owner, counter.level) == ("minefield", "coalition", -1)


@pytest.mark.rule("pq17", "12.4.1", "6.4.2")
def test_a_minefield_once_detected_stays_on_the_map() -> None:
    at = at_mines("mines 0405 coalition 4\nA1 0405 CA")
    announce_detections(at)
    at.state.set_hex(at.state.task_forces["A1"], "0406")
    start_impulse(at)
    assert field_of(at.state, "coalition", "0405").level == IdLevel.U
    assert at.knowledge("alliance").contacts["E1"].live


# --- searching it -----------------------------------------------------------------------------------------------------
@cases("proves, text, rolls, level, alliance, coalition", "level, alliance, coalition")
def test_what_a_search_of_the_alliance_finds(
    text: str, rolls: tuple[int, ...], level: str, alliance: list[str], coalition: list[str]
) -> None:
    """Of the minefield, or of the ships there; what both are told after detection. A1 searches if it is there."""
    at = at_mines(text, *rolls)
    announce_detections(at)
    at.shared.reports.clear()
    orders = {"alliance": {"A1": {"target": "E1"}}} if "A1" in at.state.task_forces else {}
    assert bool(search(at, orders)) is bool(orders), "only ships are asked"
    field = field_at(at.state, "coalition", "0405")
    assert (IdLevel(field.level) if field else at.state.task_forces["C1"].id_level).name == level
    assert (told(at, "alliance"), told(at, "coalition")) == (alliance, coalition)


@pytest.mark.rule("pq17", "12.4.4")
def test_the_strength_is_that_of_the_search_and_is_not_kept_up() -> None:
    at = at_mines("mines 0405 coalition 4 ID1\nA1 0405 CA speed 2", 5, 10, 50)
    field = field_of(at.state, "coalition", "0405")
    field.strength = 3  # it has worn down since
    announce_detections(at)
    assert told(at, "alliance")[-1] == "E1 in 0405, ID1: Operational minefield. Strength 4 when last searched."
    search(at, {"alliance": {"A1": {"target": "E1"}}})
    assert told(at, "alliance")[-1] == "E1 in 0405, ID2: Operational minefield. Strength 3 when last searched."


@pytest.mark.rule("pq17", "12.4.5")
def test_a_level_does_not_fall_when_nobody_is_there() -> None:
    at = at_mines("mines 0405 coalition 4 ID2\nA1 0406 CA")
    for _ in range(3):
        start_impulse(at)
        announce_detections(at)
    assert field_of(at.state, "coalition", "0405").level == IdLevel.ID2


def test_a_minefield_at_id3_asks_nobody_to_search_it() -> None:
    at = at_mines("mines 0405 coalition 4 ID3\nA1 0405 CA")
    assert search(at, {}) == []
    assert list(targets_of(at.state, at.state.task_forces["A1"])) == ["E1"]


# --- tactical mines ---------------------------------------------------------------------------------------------------
def _battle(state: State) -> Battle:
    names = {"AT1": "A1.CL", "DF1": "C9.BATS"}
    return Battle(
        key="1", hex="0405", attacker="alliance", defender="coalition", original=["C9"], attackers=["A1"],
        conditions=1, names=names,
    )  # fmt: skip


@pytest.mark.rule("pq17", "12.1.1", "12.1.2", "12.1.6", "12.1.7", "12.1.8")
def test_the_battle_sheet_lists_mines_for_their_owner_alone_and_no_operational_minefield(kept: Kept) -> None:
    state = mined("A1 0405 CL\nC9 0405 BATS base Lair known\nmines 0405 coalition 4", mines={"A1.CL": 40})
    base = state.task_forces["C9"]
    base.base.mine_packages = 3
    state.units["C9.BATS"].stores[supply.Goods.LARGE_MINES] = 16
    assert [panel.rows for panel in mine_panels(state, _battle(state), "alliance")] == [("AT1: 40 large mines aboard",)]
    (panel,) = mine_panels(state, _battle(state), "coalition")
    assert panel.rows[:2] == kept()
    assert panel.title == "Your mines"
    assert panel.rows[2:] == (
        "Where they lie and how they are set stands on your own record; changes between battles by (M0.0) (12.1.8)",
    )
    base.base.mine_packages = 1
    (one,) = mine_panels(state, _battle(state), "coalition")
    assert one.rows[0] == "Lair: 1 standard minefield package (M6.2)"
    base.base.mine_packages = 3
    state.mines.fields.clear()
    assert mine_panels(state, _battle(state), "coalition") == (panel,)


@pytest.mark.rule("pq17", "12.1.7", "12.1.8")
def test_only_a_base_with_mines_has_a_layout_of_them() -> None:
    state = mined("A1 0405 CL\nC9 0405 BATS base Lair known\nC1 0405 CL port C9", mines={"C1.CL": 40})
    battle = _battle(state)
    battle.original, battle.names = ["C9", "C1"], {"AT1": "A1.CL", "DF1": "C9.BATS", "DF2": "C1.CL"}
    (panel,) = mine_panels(state, battle, "coalition")
    assert panel.rows == ("DF2: 40 large mines aboard",)


def test_as_a_force_the_record_is_not_changed() -> None:
    state = mined("mines 0405 coalition 4 ID1")
    force = as_force(field_of(state, "coalition", "0405"))
    force.id_level = IdLevel.ID3
    assert field_of(state, "coalition", "0405").level == IdLevel.ID1
