"""Chapter 12.7.6 and 12.7.7: shields, batteries, volleys of internals, and what the owner says of them."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch11_repair.boxes import destroyed
from rules_engine.rulebooks.pq17.ch11_repair.refits import give_refit
from rules_engine.rulebooks.pq17.ch12_mines.damage import damage_steps, even_spread
from rules_engine.rulebooks.pq17.ch12_mines.shields import Hit, Suffered, restores_shields, take_hits
from rules_engine.rulebooks.pq17.records.forces import TowGroup
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.tables.ship_classes import Refit
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.minefields import at_mines, mined
from tests.rulebooks.pq17.worlds.notation import run, table, told

ONE = "A1 0405 SH speed 2"


def hits(state: State, *shields: int, unit: str = "A1.SH") -> Suffered:
    """What a set of hits on these shields does to one ship."""
    (found,) = take_hits(state, state.task_forces["A1"], [Hit(unit, shield) for shield in shields])
    return found


def play(at: TurnContext[State], *sets: list[Hit], answer: Any = None) -> list[AnyAsk]:
    """Settle sets of hits; returns what was asked."""
    asked: list[AnyAsk] = []

    def given(ask: AnyAsk) -> Any:
        asked.append(ask)
        return answer

    run(damage_steps(at, list(sets)), given)
    return asked


# --- shields and batteries --------------------------------------------------------------------------------------------
# The test ship's shields are 30, 24, 20, 20, 20, 24, and it has three batteries.


@pytest.mark.rule("pq17", "12.7.6", "12.7.7")
@cases("shields, volleys")
def test_hits_wear_a_shield_down_and_batteries_count_once_a_set(shields: tuple[int, ...], volleys: list[int]) -> None:
    suffered = hits(mined(ONE), *shields)
    assert (suffered.volleys, suffered.open_hits) == (volleys, [])


@pytest.mark.rule("pq17", "12.7.6", "12.7.7")
def test_a_shield_that_is_stronger_than_a_hit_lets_nothing_through() -> None:
    """40 boxes and no battery: the first hit is stopped, of the second 30 go through."""
    state = mined("A1 0405 SH[battery=0] speed 2")
    state.classes["SH"] = state.classes["SH"].model_copy(update={"shields": (40,) * 6})
    assert hits(state, 1).volleys == []
    assert hits(state, 1, 1).volleys == [30]


@pytest.mark.rule("pq17", "12.7.7")
@pytest.mark.parametrize(("track", "restored"), [([1], True), ([0], False), ([], False)])
def test_a_damcon_rating_of_one_restores_shields(track: list[int], restored: bool) -> None:
    state = mined(ONE)
    unit = state.units["A1.SH"]
    unit.damcon_track = track
    assert restores_shields(state.task_forces["A1"], unit) is restored


@pytest.mark.rule("pq17", "12.7.7")
@cases("boxes, volley")
def test_batteries_strengthen_a_shield_point_by_point_if_there_is_power(boxes: str, volley: int) -> None:
    suffered = hits(mined(f"A1 0405 SH[{boxes}] speed 0"), 1)
    assert (suffered.volleys, suffered.held) == ([volley] if volley else [], [] if volley else [1])


@pytest.mark.rule("pq17", "12.7.7")
def test_a_shield_counts_as_whole_whatever_battles_did_to_it() -> None:
    state = mined(ONE)
    state.units["A1.SH"].repairs = state.units["A1.SH"].repairs.with_values(damage={"shield-1": 12})
    assert hits(state, 1).volleys == [2]


@pytest.mark.rule("pq17", "12.7.7")
@cases("unit, again")
def test_shields_are_back_after_a_set_with_damage_control_and_two_points_of_power(unit: str, again: list[int]) -> None:
    state = mined(f"A1 0405 {unit} speed 0")
    assert hits(state, 1).volleys == [2]
    assert hits(state, 1).volleys == again
    assert destroyed(state, state.units["A1.SH"], "shield-1") == (0 if again == [2] else 30)


@pytest.mark.rule("pq17", "12.7.7", "5.4.8")
@cases("text, unit", "")
def test_where_shields_are_not_known_the_hits_are_put_to_the_owner(text: str, unit: str) -> None:
    suffered = hits(mined(text), 1, 4, unit=unit)
    assert (suffered.volleys, suffered.open_hits) == ([], [1, 4])


@pytest.mark.rule("pq17", "12.7.7", "5.4.8")
def test_ships_in_tow_may_have_lowered_their_shields_too() -> None:
    state = mined("A1 0405 SH+DD speed 2")
    assert hits(state, 1).volleys == [2]
    state.task_forces["A1"].tows = [TowGroup(tower="A1.SH", towed=["A1.DD"])]
    assert hits(state, 1).open_hits == [1]


# --- the account ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "12.7.7")
@pytest.mark.unseen("pq17", reports=("mines",))
def test_a_shield_that_held_asks_nobody_and_is_told_to_its_owner_alone() -> None:
    at = at_mines("A1 0405 SH[battery=9] speed 2")
    assert play(at, [Hit("A1.SH", 1)]) == []
    assert (told(at, "alliance"), told(at, "coalition")) == (["A1.SH: shield #1 held."], [])


@pytest.mark.rule("pq17", "12.7.7", "8.3.5.3")
@pytest.mark.parametrize(("off", "boxes", "left"), [(11, "warp 7", 4), (5, "warp 7", 0), (11, "battery 2", 11)])
def test_mines_take_boxes_first_that_an_original_defender_has_turned_off(off: int, boxes: str, left: int) -> None:
    """Own ruling PQ-193: what is still off stays off in the other battles of the impulse."""
    at = at_mines(ONE)
    ship = at.state.units["A1.SH"]
    ship.boxes_off = off
    play(at, [Hit("A1.SH", 4), Hit("A1.SH", 4)], answer={"A1.SH": {"boxes": boxes}})
    assert ship.boxes_off == left
    assert defects(at.state) == []


@pytest.mark.rule("pq17", "12.7.7")
def test_a_box_of_a_kind_that_is_gone_cannot_be_destroyed_again() -> None:
    at = at_mines(ONE)
    at.state.units["A1.SH"].repairs = at.state.units["A1.SH"].repairs.with_values(damage={"hull": 12})
    with pytest.raises(Refused) as caught:
        play(at, [Hit("A1.SH", 3)], answer={"A1.SH": {"boxes": "hull 1"}})
    assert str(caught.value.refusals[0]).startswith("A1.SH.boxes: it has 0 hull boxes left (PQ-17 12.7.7). Legal: ")


@pytest.mark.rule("pq17", "12.7.6", "12.7.7")
@pytest.mark.parametrize(("warp", "through"), [(2, 2), (1, 2), (0, 5)])
def test_batteries_reinforce_a_shield_while_a_ship_has_any_power(warp: int, through: int) -> None:
    """35 points on a shield of 30, and three batteries."""
    ship = f"SH[warp={warp},awr=0,impulse=0,fuel={warp}]"
    state = mined(f"A1 0405 {ship} speed 0")
    assert hits(state, 1).volleys == [through]


@pytest.mark.rule("pq17", "12.7.7")
@pytest.mark.parametrize(("warp", "crippled"), [(14, True), (15, False)])
def test_a_ship_left_with_half_of_its_boxes_is_filled_in_as_crippled(warp: int, crippled: bool) -> None:
    """Of 56 boxes, 16 or 15 are gone before and 12 go now: 28 or 29 are left."""
    at = at_mines(f"A1 0405 SH[warp={warp},fuel=10] speed 2")
    (ask,) = play(at, [Hit("A1.SH", 3)])
    assert ask.form.prefilled()["A1.SH"]["crippled"] is crippled


@pytest.mark.rule("pq17", "12.7.7")
def test_the_owner_says_what_internals_destroyed(kept: Kept) -> None:
    at = at_mines(ONE)
    (ask,) = play(at, [Hit("A1.SH", 3)], answer={"A1.SH": {"boxes": "warp 4, hull 6, damcon", "crippled": False}})
    assert (ask.kind, ask.parties) == ("mine damage", ("alliance",))
    assert ask.form.lines[0].note == "a volley of 12 internals"
    unit = at.state.units["A1.SH"]
    assert (unit.warp, unit.fuel, unit.damcon_track) == (26, 30, [2, 0])  # 26 warp and 4 AWR hold 30 of 34 points
    assert unit.repairs.damage["hull"] == 6
    assert unit.self_repairs_left == 2  # of four, with two points of DAMCON rating gone
    assert told(at, "alliance") == kept()
    assert told(at, "coalition") == []
    assert defects(at.state) == []


def test_internals_that_nobody_speaks_for_are_spread_evenly() -> None:
    # 30 warp, 4 AWR, 2 impulse, 3 batteries, 1 tractor, 1 sensor, 3 damcon, 12 hull: 56 boxes; 28 of them are half
    state = mined(ONE)
    assert even_spread(state, state.units["A1.SH"], 28) == [
        ("warp", 15), ("awr", 2), ("impulse", 1), ("battery", 2), ("tractors", 1), ("damcon", 1), ("hull", 6),
    ]  # fmt: skip
    assert even_spread(state, state.units["A1.SH"], 500) == [
        ("warp", 30), ("awr", 4), ("impulse", 2), ("battery", 3), ("tractors", 1), ("sensors", 1), ("damcon", 3),
        ("hull", 12),
    ]  # fmt: skip


@pytest.mark.rule("pq17", "12.7.7")
@cases("line, rule, words", "rule, words")
def test_an_account_that_cannot_be_is_refused(line: dict[str, Any], rule: str, words: str) -> None:
    at = at_mines(ONE)
    with pytest.raises(Refused) as refused:
        play(at, [Hit("A1.SH", 3)], answer={"A1.SH": line})
    assert words in str(refused.value)
    assert rule in str(refused.value)


@pytest.mark.rule("pq17", "12.7.7", "T5.note4")
def test_a_cripple_is_not_made_whole_by_mines() -> None:
    at = at_mines("A1 0405 SH[crippled=yes] speed 2")
    with pytest.raises(Refused, match="it was crippled before"):
        play(at, [Hit("A1.SH", 3)], answer={"A1.SH": {"boxes": "hull 12", "crippled": False}})


@pytest.mark.rule("pq17", "T5.1", "T5.3")
@cases("line, points, said", "")
def test_what_mines_destroy_or_cripple_scores_and_is_public(line: dict[str, Any], points: int, said: str) -> None:
    at = at_mines("A1 0405 SH+CA speed 2")
    play(at, [Hit("A1.SH", 3)], answer={"A1.SH": line})
    assert at.state.total() == points
    assert any(said in text for text in told(at, "coalition"))
    assert ("A1.SH" in at.state.task_forces["A1"].units) is ("fate" not in line)
    assert defects(at.state) == []


def test_a_force_that_mines_destroy_leaves_the_map() -> None:
    at = at_mines("A1 0405 SH speed 2 ID1")
    play(at, [Hit("A1.SH", 3)], answer={"A1.SH": {"fate": "destroyed"}})
    assert (at.state.task_forces, told(at, "coalition")[-1]) == ({}, "Contact E1 is no more.")
    assert defects(at.state) == []


@pytest.mark.rule("pq17", "12.7.7", "T5.1", "C.purchase.3")
def test_a_refitted_ship_is_worth_its_refits_as_well() -> None:
    """120 and a refit of 30 make 150: 2 1/2 points."""
    state = mined(ONE)
    refit = Refit(name="Y165", year=165, bpv=Fraction(30))
    state.classes["SH"] = state.classes["SH"].model_copy(update={"refits": (refit,)})
    give_refit(state, state.units["A1.SH"], "Y165")
    play(table(state), [Hit("A1.SH", 3)], answer={"A1.SH": {"fate": "destroyed"}})
    assert [line.amount for line in state.ledger] == [Fraction(-5, 2)]


@pytest.mark.rule("pq17", "T5.1", "T5.2", "12.7.7")
@pytest.mark.parametrize(("crippled", "word", "points"), [("no", "uncrippled", -2), ("yes", "crippled", -1)])
def test_what_mines_destroy_scores_by_what_it_was_before(crippled: str, word: str, points: int) -> None:
    at = at_mines(f"A1 0405 CA[crippled={crippled}] speed 2")
    play(at, [Hit("A1.CA", 1)], answer={"A1.CA": {"fate": "destroyed"}})
    (line,) = at.state.ledger
    assert line.amount == points
    (why,) = [one.why for one in at.shared.reports if one.kind == "victory" and one.why]
    assert dict(why.inputs)["before the mines"] == word
