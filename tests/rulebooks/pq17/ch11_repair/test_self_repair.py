"""Chapter 11.2, 11.3 and 11.4.2 to 11.4.8: repair points, self-repair capacity, and repairs in and after battles.

The cruiser's DAMCON track is 4, 2, 2, 0: eight self-repairs, eight repair points in it, at most four by CDR.
"""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.pq17.ch10_supply.stores import held, lose_excess, own_room, put, take
from rules_engine.rulebooks.pq17.ch11_repair import refits, routine, self_repair
from rules_engine.rulebooks.pq17.ch11_repair.berths import workshop
from rules_engine.rulebooks.pq17.ch11_repair.boxes import all_destroyed, destroy, destroyed, full_boxes, read_boxes
from rules_engine.rulebooks.pq17.records.damage import BoxInHand, RefitInHand
from rules_engine.rulebooks.pq17.scenario import invariants
from rules_engine.rulebooks.pq17.tables import ship_classes, supply
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import table, told
from tests.rulebooks.pq17.worlds.repair import Fight, after, unit, yard

# --- chapter 11: boxes as they are counted, written and put in order, and where repair boxes are ----------------------
CRUISER = "A1 0405 CA"
PLUS = ship_classes.Refit(name="plus", year=160, bpv="8", boxes_added={"battery": 4})


@pytest.mark.rule("pq17", "11.4.9.3.3", "11.4.9.3.4")
def test_hull_excess_damage_and_the_het_bonus_come_last_and_in_this_order() -> None:
    """A tractor box has no cost in these tests, so 10; shields cost 2."""
    state = yard(CRUISER)
    ship = state.units["A1.CA"]
    for box in ("het", "excess", "hull", "shield-1", "phaser-1", "warp"):
        destroy(state, ship, box)
    assert list(all_destroyed(state, ship)) == ["warp", "shield-1", "phaser-1", "hull", "excess", "het"]
    ship.self_repairs_left = 0
    assert routine.routine_boxes(state, ship)[-2:] == ["self-repair", "self-repair"]


@pytest.mark.parametrize(("shields", "boxes"), [((20,) * 6, 20), ((), 0)])
def test_a_class_without_shields_has_none_to_lose(shields: tuple[int, ...], boxes: int) -> None:
    state = yard(CRUISER)
    state.classes["CA"] = state.classes["CA"].model_copy(update={"shields": shields, "boxes": {"phaser-1": 6}})
    ship = state.units["A1.CA"]
    assert [full_boxes(state, ship, box) for box in ("shield-6", "phaser-1", "disruptor")] == [boxes, 6, 0]


@cases("text, found")
def test_boxes_without_a_number_are_one(text: str, found: list[tuple[str, int]]) -> None:
    read, wrong = read_boxes(text, "here", ["warp", "hull"])
    assert (read, [one.problem for one in wrong]) == (found, [] if found else ["'warp 0' names no box"])


@pytest.mark.rule("pq17", "11.4.9.2.1", "11.4.9.2.2")
def test_a_docking_position_with_a_single_repair_box_has_its_crane() -> None:
    """Three at each of three positions; damage is spread evenly, from the first position on."""
    state = yard("A9 0303 BATS base Haven known")
    base = unit(state, "A9.BATS", repair=4)
    assert [(crane.points, crane.berths) for crane in workshop(state, base).cranes] == [(1, (0,)), (1, (1,)), (2, (2,))]
    base.repair = 1
    assert [(crane.points, crane.berths) for crane in workshop(state, base).cranes] == [(1, (2,))]


@cases("turn, first")
def test_what_was_begun_two_turns_ago_is_lost_and_does_not_come_first(turn: int, first: str) -> None:
    state = yard("A1 0405 CA[warp=29]")
    state.turn = 3
    ship = state.units["A1.CA"]
    destroy(state, ship, "hull")
    ship.repairs = ship.repairs.with_values(in_hand=BoxInHand(box="hull", points=3, turn=turn))
    assert routine.routine_boxes(state, ship)[0] == first


@cases("turn, kept")
def test_a_refit_that_rested_for_a_turn_has_lost_the_job_that_was_begun(turn: int, kept: int) -> None:
    """Four boxes at 125 points; 140 are one of them and 15 for the next."""
    state = yard(CRUISER)
    state.turn = 3
    state.classes["CA"] = state.classes["CA"].model_copy(update={"refits": (PLUS,)})
    ship = state.units["A1.CA"]
    assert (refits.refit_left(state, ship, "plus"), refits.refit_left(state, ship, "nothing")) == (500, 0)
    ship.repairs = ship.repairs.with_values(refit=RefitInHand(name="plus", points=140, turn=turn))
    assert refits.refit_left(state, ship, "plus") == 360
    refits.work_on_refit(state, ship, "plus", 7, interrupted=False)
    assert ship.repairs.refit == RefitInHand(name="plus", points=kept + 7, turn=3)
    ship.repairs = ship.repairs.with_values(refit=RefitInHand(name="other", points=140, turn=2))
    assert refits.refit_left(state, ship, "plus") == 500


@cases("track, rating")
def test_boxes_by_cdr_are_the_best_damcon_box_until_the_battles_end(track: list[int], rating: int) -> None:
    state = yard(CRUISER)
    ship = unit(state, "A1.CA", damcon_track=track, self_repairs_left=8)
    assert self_repair.most_by_cdr(ship) == rating
    self_repair.begin_sequence([ship], 5)
    assert (ship.repairs.cdr_left, ship.repairs.fought, self_repair.most_by_cdr(ship)) == (rating, 5, rating)
    self_repair.take_repairs(state, ship, self_repair.RepairFields())
    assert ship.repairs.cdr_left == rating
    if rating:
        self_repair.take_repairs(state, ship, self_repair.RepairFields(cdr=1))
        assert ship.repairs.cdr_left == rating - 1


@cases("boxes, damage, fields, count")
def test_boxes_that_are_whole_again_are_counted(
    boxes: dict[str, int], damage: dict[str, int], fields: dict[str, Any], count: int
) -> None:
    state = yard("A1 0405 CA[warp=20]")
    ship = unit(state, "A1.CA", damcon_track=[2, 2, 0])
    destroy(state, ship, "hull", 3)
    destroy(state, ship, "shield-1", 5)
    assert self_repair.regained(ship, self_repair.RepairFields(**fields), boxes, damage) == count


@pytest.mark.rule("pq17", "11.2.6")
def test_of_boxes_that_no_record_sheet_lists_99_can_be_destroyed() -> None:
    state = yard("A1 0405 CA")
    ship = state.units["A1.CA"]
    assert (destroy(state, ship, "phaser-1", 98), destroy(state, ship, "phaser-1", 5)) == (98, 1)


DUEL = "A1 0405 CA speed 2 U\nC1 0405 CA speed 1 ID0"
WON: dict[str, Any] = {"battle": {"winner": "alliance", "turns": 4}, "DF1": {"fate": "destroyed"}}
F = Fraction


def won(**line: Any) -> dict[str, Any]:
    return WON | {"AT1": {"fate": "ok", **line}}


# --- repair points ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "11.2.7", "11.3.8")
def test_ships_begin_with_all_repair_and_damcon_boxes_full_and_all_self_repairs() -> None:
    state = yard("A1 0405 CA+RS")
    ship, helper = state.units["A1.CA"], state.units["A1.RS"]
    assert (ship.rp_damcon, ship.rp_repair, ship.self_repairs_left) == (8, 0, 8)
    assert (helper.rp_damcon, helper.rp_repair, helper.self_repairs_left) == (4, 30, 4)


@pytest.mark.rule("pq17", "11.2.3", "11.2.4.2", "11.2.4.4", "11.2.5.2", "11.2.5.4")
def test_repair_points_move_like_supply_but_for_those_in_a_damcon_track_which_stay() -> None:
    """A repair ship gives what lies in its repair boxes and cargo; supply goes into neither kind of box as it is."""
    state = yard("A1 0405 RS+CB")
    helper, store = unit(state, "A1.RS", rp_repair=12, supply=5, rp_cargo=5), unit(state, "A1.CB", supply=40)
    assert held(helper, supply.Goods.REPAIR) == 17
    take(helper, supply.Goods.REPAIR, F(17))
    assert (helper.rp_repair, helper.rp_cargo, helper.rp_damcon) == (0, 0, 4)
    assert put(state.class_of(store), store, supply.Goods.REPAIR, F(10)) == 0
    assert (store.rp_cargo, store.rp_damcon, store.supply) == (10, 4, 40)  # a point a cargo box; the track was full
    assert own_room(state.class_of(helper), helper, supply.Goods.SUPPLY) == 0
    assert own_room(state.class_of(helper), helper, supply.Goods.REPAIR) == 30


@pytest.mark.rule("pq17", "11.2.4.5", "11.2.5.5", "11.4.5.5", "11.3.7", "11.4.5.4")
def test_damage_to_repair_and_damcon_boxes_loses_the_points_and_self_repairs_above_what_is_left() -> None:
    state = yard("A1 0405 CA+RS")
    ship, helper = state.units["A1.CA"], unit(state, "A1.RS", repair=11)
    lose_excess(helper)
    assert helper.rp_repair == 11
    ship.damcon_track = [2, 2, 0]
    lose_excess(ship)
    assert (self_repair.trim_budget(ship), ship.rp_damcon, ship.self_repairs_left) == (4, 4, 4)
    unit(state, "A1.CA", rp_damcon=1, self_repairs_left=2, damcon_track=[2, 0])
    lose_excess(ship)
    assert (self_repair.trim_budget(ship), ship.rp_damcon, ship.self_repairs_left) == (0, 1, 2)


@pytest.mark.rule("pq17", "11.2.5.3", "11.2.6", "11.3.2", "11.3.3")
def test_self_repair_uses_points_of_the_track_first_then_others_aboard_then_supply() -> None:
    ship = unit(yard("A1 0405 RS"), "A1.RS", rp_damcon=1, rp_repair=1, rp_cargo=1, supply=9, self_repairs_left=4)
    assert self_repair.self_repairs_possible(ship) == 4
    self_repair.use_self_repairs(ship, 4)
    assert (ship.rp_damcon, ship.rp_repair, ship.rp_cargo, ship.supply) == (0, 0, 0, 8)
    assert self_repair.self_repairs_possible(ship) == 0  # supply is left, self-repairs are not


# --- the result form --------------------------------------------------------------------------------------------------
@cases("line, agreed", made="line")
def test_what_both_accounts_must_say_alike_of_damage_and_repairs(
    line: self_repair.RepairFields, agreed: dict[str, object]
) -> None:
    """What is left out is as it was before the battle: four DAMCON boxes and two hull boxes lost."""
    state = yard("A1 0405 CA")
    ship = state.units["A1.CA"]
    for _ in range(2):
        destroy(state, ship, "hull")
    assert self_repair.comparable(state, ship, line) == agreed


@cases("proves, destroyed, account, orders, left")
def test_what_a_battle_and_repairs_after_it_leave(
    destroyed: dict[str, int], account: dict[str, Any], orders: dict[str, Any] | None, left: str
) -> None:
    """What was destroyed before, the winner's account of its ship, and its orders after the battle, or none."""
    state = yard(DUEL)
    ship = state.units["A1.CA"]
    for box, count in destroyed.items():
        destroy(state, ship, box, count)
    fight = Fight(state, won(**account), **({} if orders is None else {after("alliance"): orders})).play()
    track = "/".join(map(str, ship.damcon_track))
    budget = f"{ship.self_repairs_left} self-repairs, {ship.rp_damcon} repair points, DAMCON {track}"
    assert f"warp {ship.warp}, {budget}, destroyed {ship.repairs.damage or 'nothing'}" == left
    assert ship.repairs.cdr_left is None
    assert not invariants.defects(state)
    assert not [text for text in told(fight.at, "coalition") if "A1.CA" in text]


@cases("line, rule", "")
def test_an_account_must_fit_the_budget_the_points_and_the_record(line: dict[str, Any], rule: str) -> None:
    state = yard(DUEL)
    destroy(state, unit(state, "A1.CA", warp=20), "hull", 2)
    ask = Fight(state).result_ask()
    with pytest.raises(Refused, match=rule):
        ask.answer_from(won(**line))


@cases("proves, text, fields, account, may", "")
def test_what_may_be_repaired_in_a_battle(text: str, fields: dict[str, int], account: dict[str, int], may: str) -> None:
    """``may`` is empty, or the rule by which the account is refused."""
    state = yard(f"{text}\nC1 0405 CA speed 1 ID0")
    unit(state, "A1.CA", **fields)
    others = {f"AT{number}": {"fate": "ok"} for number in range(2, 1 + len(state.task_forces["A1"].units))}
    ask = Fight(state).result_ask()
    wrong = ask.check(ask.model.model_validate(won(**account) | others))
    assert [one.rule for one in wrong][:1] == ([may] if may else [])


@pytest.mark.rule("pq17", "11.4.2", "11.4.5.3")
def test_the_limit_of_cdr_holds_for_the_whole_battle_sequence_as_the_track_stood_at_its_start() -> None:
    """Four by CDR in all: three in the first battle leave one for the pursuit, though the best box left is a 2."""
    state = yard("A1 0405 CA speed 3 U\nC1 0405 CA speed 1 ID0")
    first = won(cdr=3, damcon=3) | {"DF1": {"fate": "disengaged", "turn": 4}}
    second = won(cdr=2)
    fight = Fight(
        state, first, second, Pursuit_from_0405_alliance={"force 1": {"speed": "3", "pursue": "E1", "then": "battle"}}
    )
    with pytest.raises(Refused, match=r"11\.4\.5\.3"):
        fight.play()
    assert len(fight.sheets) == 0
    assert self_repair.most_by_cdr(state.units["A1.CA"]) == 1


# --- after the battle -------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "8.5.7.3", "11.4.7")
def test_repairs_after_a_battle_are_told_with_what_is_left_of_the_budget() -> None:
    orders = {"repair A1.CA": {"boxes": "hull, warp 6"}}
    fight = Fight(yard(DUEL), won(warp=20, damage="hull 2", edr=1), **{after("alliance"): orders}).play()
    assert "A1.CA repairs 1 hull, 6 warp. 0 self-repairs left." in told(fight.at, "alliance")


@pytest.mark.rule("pq17", "11.4.7.1", "8.5.7.3")
def test_left_alone_a_ship_repairs_what_matters_most_and_the_loser_repairs_too() -> None:
    """Ten warp boxes and five hull lost, eight self-repairs: eight warp. The Coalition got away and has no other
    sheet; it repairs its two AWR and then hull."""
    state = yard(DUEL)
    result = won(warp=20, damage="hull 5") | {"DF1": {"fate": "disengaged", "turn": 2, "awr": 2, "damage": "hull 12"}}
    fight = Fight(state, result).play()
    assert state.units["A1.CA"].warp == 28
    loser = state.units["C1.CA"]
    assert (loser.awr, destroyed(state, loser, "hull")) == (4, 6)
    sheets = [ask for ask in fight.asked if ask.title == "After the battle"]
    assert [ask.parties[0] for ask in sheets] == ["alliance", "coalition"]
    assert [line.key for line in sheets[1].form.lines] == ["repair C1.CA"]


@cases("text, rule", "")
def test_orders_for_repairs_after_a_battle_are_refused_by_rule(text: str, rule: str) -> None:
    state = yard(DUEL)
    sheet = won(warp=10, damage="hull 2, excess 1, het 1, shield-1 3")
    orders = {"repair A1.CA": {"boxes": text}}
    with pytest.raises(Refused, match=rule):
        Fight(state, sheet, **{after("alliance"): orders}).play()


@pytest.mark.rule("pq17", "11.4.7.2")
def test_shields_come_back_in_full_with_a_damcon_box_of_two_and_power_without_repair_points() -> None:
    """No other damage: nobody is asked, and the shields are up again."""
    state = yard(DUEL)
    fight = Fight(state, won(damage="shield-1 20, shield-2 5")).play()
    ship = state.units["A1.CA"]
    assert ship.repairs.damage == {}
    assert (ship.rp_damcon, ship.self_repairs_left) == (8, 8)
    assert not [line for ask in fight.asked for line in ask.form.lines if line.key.startswith("repair ")]


@cases("left, likely")
def test_shields_are_filled_in_as_back_where_power_is_left_for_life_support(left: dict[str, Any], likely: bool) -> None:
    state = yard(DUEL)
    destroy(state, unit(state, "A1.CA", **{"self_repairs_left": 0} | left), "shield-1", 20)
    (line,) = self_repair.mend_lines(state, ["A1.CA"])
    assert {field.key: field.value for field in line.fields}["shields"] is likely


@cases("left, boxes, works")
def test_shields_need_a_damcon_box_of_two_and_two_points_of_power(left: dict[str, Any], boxes: str, *, works: bool):
    state = yard(DUEL)
    state.classes["CA"] = state.classes["CA"].model_copy(update={"damcon_track": (4, 2, 2, 1)})
    ship = unit(state, "A1.CA", self_repairs_left=1, **left)
    destroy(state, ship, "shield-1", 20)
    refusals = self_repair.check_mend(state, ship, self_repair.MendFields(boxes=boxes, shields=True), "repair A1.CA")
    assert [one.rule for one in refusals] == ([] if works else ["PQ-17 11.4.7.2"])
    assert self_repair.check_mend(state, ship, self_repair.MendFields(boxes=boxes, shields=False), "") == []
    if works:
        self_repair.mend(table(state), ship, self_repair.MendFields(boxes=boxes, shields=True))
        assert "shield-1" not in ship.repairs.damage
