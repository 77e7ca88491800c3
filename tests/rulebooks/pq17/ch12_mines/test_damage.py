"""Chapter 12: damage by mines, and what the other side learns of it."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch05_movement.movement import move
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.ch11_repair.boxes import destroyed
from rules_engine.rulebooks.pq17.ch11_repair.refits import give_refit
from rules_engine.rulebooks.pq17.ch12_mines import attacks, damage, removal
from rules_engine.rulebooks.pq17.ch12_mines.shields import Hit, Suffered, restores_shields, take_hits
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.records.forces import TowGroup
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.shown.boards import public_board, side_board
from rules_engine.rulebooks.pq17.tables.ship_classes import Refit
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import asked_in, table, told
from tests.rulebooks.pq17.worlds.repair import at_mines, field_of, mined

ONE = "A1 0405 SH speed 2"


def hits(state: State, *shields: int, unit: str = "A1.SH") -> Suffered:
    """What a set of hits on these shields does to one ship."""
    (found,) = take_hits(state, state.task_forces["A1"], [Hit(unit, shield) for shield in shields])
    return found


def play(at: TurnContext[State], *sets: list[Hit], answer: Any = None) -> list[AnyAsk]:
    """Settle sets of hits; returns what was asked."""
    return asked_in(damage.damage_steps(at, list(sets)), lambda _: answer)


# --- shields and batteries --------------------------------------------------------------------------------------------
# The test ship's shields are 30, 24, 20, 20, 20, 24, and it has three batteries.
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


@cases("track, restored")
def test_a_damcon_rating_of_one_restores_shields(track: list[int], restored: bool) -> None:
    state = mined(ONE)
    unit = state.units["A1.SH"]
    unit.damcon_track = track
    assert restores_shields(state.task_forces["A1"], unit) is restored


@cases("boxes, volley")
def test_batteries_strengthen_a_shield_point_by_point_if_there_is_power(boxes: str, volley: int) -> None:
    suffered = hits(mined(f"A1 0405 SH[{boxes}] speed 0"), 1)
    assert (suffered.volleys, suffered.held) == ([volley] if volley else [], [] if volley else [1])


@pytest.mark.rule("pq17", "12.7.7")
def test_a_shield_counts_as_whole_whatever_battles_did_to_it() -> None:
    state = mined(ONE)
    state.units["A1.SH"].repairs = state.units["A1.SH"].repairs.with_values(damage={"shield-1": 12})
    assert hits(state, 1).volleys == [2]


@cases("unit, again", "")
def test_shields_are_back_after_a_set_with_damage_control_and_two_points_of_power(unit: str, again: list[int]) -> None:
    state = mined(f"A1 0405 {unit} speed 0")
    assert hits(state, 1).volleys == [2]
    assert hits(state, 1).volleys == again
    assert destroyed(state, state.units["A1.SH"], "shield-1") == (0 if again == [2] else 30)


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


@cases("off, boxes, left")
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


@cases("warp, through")
def test_batteries_reinforce_a_shield_while_a_ship_has_any_power(warp: int, through: int) -> None:
    """35 points on a shield of 30, and three batteries."""
    ship = f"SH[warp={warp},awr=0,impulse=0,fuel={warp}]"
    assert hits(mined(f"A1 0405 {ship} speed 0"), 1).volleys == [through]


@cases("warp, crippled")
def test_a_ship_left_with_half_of_its_boxes_is_filled_in_as_crippled(warp: int, crippled: bool) -> None:
    """Of 56 boxes, 16 or 15 are gone before and 12 go now: 28 or 29 are left."""
    (ask,) = play(at_mines(f"A1 0405 SH[warp={warp},fuel=10] speed 2"), [Hit("A1.SH", 3)])
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
    assert damage.even_spread(state, state.units["A1.SH"], 28) == [
        ("warp", 15), ("awr", 2), ("impulse", 1), ("battery", 2), ("tractors", 1), ("damcon", 1), ("hull", 6),
    ]  # fmt: skip
    assert damage.even_spread(state, state.units["A1.SH"], 500) == [
        ("warp", 30), ("awr", 4), ("impulse", 2), ("battery", 3), ("tractors", 1), ("sensors", 1), ("damcon", 3),
        ("hull", 12),
    ]  # fmt: skip


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


@cases("crippled, word, points")
def test_what_mines_destroy_scores_by_what_it_was_before(crippled: str, word: str, points: int) -> None:
    at = at_mines(f"A1 0405 CA[crippled={crippled}] speed 2")
    play(at, [Hit("A1.CA", 1)], answer={"A1.CA": {"fate": "destroyed"}})
    (line,) = at.state.ledger
    assert line.amount == points
    (why,) = [one.why for one in at.shared.reports if one.kind == "victory" and one.why]
    assert dict(why.inputs)["before the mines"] == word


# --- what the other side must not learn of minefields: worlds that differ only in a secret look the same to it --------
def seen(at: TurnContext[State], side: str, asked: list[AnyAsk] | None = None) -> list[object]:
    """All that reaches a side: its reports with their reasons, its board, what it was asked, and the public board."""
    reports = [(one.text, one.kind, one.why, one.facts) for one in at.shared.reports if one.is_for(side)]
    asks = [(one.kind, one.title, one.text, one.form) for one in asked or [] if side in one.parties]
    return [reports, side_board(at.state, side, at.knowledge(side)), asks, public_board(at.state)]


def same_for(side: str, *worlds: Callable[[], tuple[TurnContext[State], list[AnyAsk]]]) -> None:
    """Every world shows the side the very same; the differing secret itself must be there."""
    shown = [seen(at, side, asked) for at, asked in (world() for world in worlds)]
    assert all(one == shown[0] for one in shown)


def crossing(text: str, *rolls: int, answers: dict[str, Any] | None = None) -> tuple[TurnContext[State], list[AnyAsk]]:
    """The Alliance moves, detects and meets mines; then the impulse and the turn end."""
    at = at_mines(text, *rolls)
    move(at.state, "alliance")
    announce_detections(at)
    asked = asked_in(attacks.minefield_attack_steps(at, "alliance"), lambda ask: (answers or {}).get(ask.kind))
    removal.minefield_step(at)
    return at, asked


INTO = "\nA1 0406 {units} speed 2 plot 0405"


@pytest.mark.rule("pq17", "12.4.4", "12.7.3")
@pytest.mark.unseen("pq17", reports=("contact", "mines"))
def test_the_mover_cannot_tell_a_strong_minefield_from_a_weak_one_by_the_same_number_of_attacks() -> None:
    # 1 + 5 and 4 + 2: six attacks either way, which all miss
    text = "mines 0405 coalition {}" + INTO.format(units="CA")
    misses = [7] * 6
    same_for("alliance", lambda: crossing(text.format(5), 1, *misses), lambda: crossing(text.format(2), 4, *misses))


@pytest.mark.rule("pq17", "12.6.2", "12.7.3.2")
@pytest.mark.unseen("pq17", reports=("mines",), asks=("screen",))
def test_the_owner_cannot_tell_how_many_attacks_and_minesweepers_there_were() -> None:
    text = "mines 0405 coalition 3" + INTO
    misses = [7] * 12
    no = {"screen": {"A1": {"screen": "no"}}}
    same_for(
        "coalition",
        lambda: crossing(text.format(units="CA"), 9, *misses),
        lambda: crossing(text.format(units="CA"), 1, *misses[:4]),
        lambda: crossing(text.format(units="CA+MS"), 9, *[1] * 11, *misses[:11], answers=no),
    )


@pytest.mark.rule("pq17", "12.7.6", "12.7.7")
@pytest.mark.unseen("pq17", reports=("mines",), asks=("mine damage",))
def test_the_owner_cannot_tell_a_hit_from_a_miss() -> None:
    text = "mines 0405 coalition 1" + INTO.format(units="SH")
    hurt = {"mine damage": {"A1.SH": {"boxes": "hull 2", "crippled": False}}}
    same_for(
        "coalition",
        lambda: crossing(text, 1, 7, 7),
        lambda: crossing(text, 1, 8, 7, 1, answers=hurt),
        lambda: crossing(text, 1, 8, 8, 1, 2, answers=hurt),
    )


@pytest.mark.rule("pq17", "12.7.8")
@pytest.mark.unseen("pq17", reports=("mines",), asks=("screen",))
def test_whether_minesweepers_screen_is_asked_and_told_to_their_owner_alone() -> None:
    text = "mines 0405 coalition 1" + INTO.format(units="CA+MS")
    same_for(
        "coalition",
        lambda: crossing(text, 3, 1, 1, 1, 7, 7, 7, answers={"screen": {"A1": {"screen": "no"}}}),
        lambda: crossing(text, 3, 1, 1, 7, 7, 7, answers={"screen": {"A1": {"screen": "screen"}}}),
    )
    _, asked = crossing(text, 3, 1, 1, 7, 7, 7)
    assert [ask.parties for ask in asked] == [("alliance",)]


def laid(text: str, mines: int) -> tuple[TurnContext[State], list[AnyAsk]]:
    """A minelayer lays what it has, and the impulse ends."""
    at = at_mines(text, mines={"A1.ML": mines})
    tf = at.state.task_forces["A1"]
    for mark in ("laying", "moved"):
        at.state.set_mark(tf, mark)
    announce_detections(at)
    removal.minefield_step(at)
    removal.wear_minefields(at)
    return at, []


@cases("field", "")
@pytest.mark.unseen("pq17", reports=("mines",))
def test_what_is_laid_out_of_the_enemys_sight_changes_nothing_for_him(field: str) -> None:
    text = f"settled 0405 alliance{field}\nA1 0405 ML"
    same_for("coalition", lambda: laid(text, 1), lambda: laid(text, 199), lambda: laid(text, 200))


@pytest.mark.rule("pq17", "12.5.3.9")
@pytest.mark.unseen("pq17", reports=("contact", "mines"))
def test_mines_that_are_no_minefield_yet_are_not_seen_even_in_the_enemys_presence() -> None:
    text = "settled 0405 coalition\nA1 0405 ML\nC1 0405 CA"
    same_for("coalition", lambda: laid(text, 1), lambda: laid(text, 199))


@pytest.mark.rule("pq17", "12.5.3.4")
@pytest.mark.unseen("pq17", reports=("contact",))
def test_the_mines_aboard_a_known_minelayer_are_not_seen() -> None:
    text = "settled 0405 alliance\nA1 0405 ML ID3\nC1 0405 CA"

    def world(mines: int) -> tuple[TurnContext[State], list[AnyAsk]]:
        at = at_mines(text, mines={"A1.ML": mines})
        announce_detections(at)
        return at, []

    same_for("coalition", lambda: world(0), lambda: world(600))


def worn(strength: int, *, attacked: bool) -> tuple[TurnContext[State], list[AnyAsk]]:
    """A minefield that the Alliance has searched once, and left; then it wears down, perhaps to nothing."""
    at = at_mines(f"mines 0405 coalition {strength} ID1\nA1 0405 CA")
    field = field_of(at.state, "coalition", "0405")
    field.known_strength = 3
    announce_detections(at)
    at.state.set_hex(at.state.task_forces["A1"], "0407")
    field.attacked = attacked
    removal.wear_minefields(at)
    announce_detections(at)
    return at, []


@pytest.mark.rule("pq17", "12.6.2", "12.2.2", "12.4.4")
@pytest.mark.unseen("pq17", reports=("contact", "mines"))
def test_wear_and_the_end_of_a_minefield_are_not_seen_from_afar() -> None:
    text = "alliance"
    same_for(text, lambda: worn(3, attacked=False), lambda: worn(3, attacked=True), lambda: worn(1, attacked=True))


def swept(strength: int) -> tuple[TurnContext[State], list[AnyAsk]]:
    """A sweep succeeds, and the impulse ends."""
    at = at_mines(f"mines 0405 coalition {strength} ID0\nA1 0405 MS+CA speed 2", 5, 1)
    field_of(at.state, "coalition", "0405").known_strength = 4
    announce_detections(at)
    sheet = {"A1": {"target": "E1"}}
    asked = asked_in(combat_steps(at, "alliance"), lambda ask: sheet if ask.kind == "attack" else None)
    removal.minefield_step(at)
    return at, asked


@pytest.mark.rule("pq17", "12.6.3.2", "12.4.4")
@pytest.mark.unseen("pq17", reports=("attempt", "declared", "mines"), asks=("attack",))
def test_a_sweeper_learns_that_it_succeeded_and_not_what_is_left() -> None:
    same_for("alliance", lambda: swept(4), lambda: swept(2))


@pytest.mark.rule("pq17", "12.6.3")
@pytest.mark.unseen("pq17", reports=("declared", "mines"), asks=("attack",))
def test_the_owner_does_not_learn_the_sweepers_name_or_ships() -> None:
    at, _ = swept(4)
    texts = [one.text for one in at.shared.reports if one.is_for("coalition")]
    assert any("swept your minefield" in text for text in texts)
    assert not any("A1" in text or "MS" in text for text in texts)


@pytest.mark.rule("pq17", "12.1.9", "12.4.1")
@pytest.mark.unseen("pq17")
def test_minefields_that_nobody_has_met_are_on_no_enemy_board() -> None:
    def world(field: str) -> tuple[TurnContext[State], list[AnyAsk]]:
        at = at_mines(f"settled 0405 alliance\nA1 0405 CA\nC1 0607 CA{field}")
        announce_detections(at)
        removal.minefield_step(at)
        removal.wear_minefields(at)
        return at, []

    same_for("coalition", lambda: world(""), lambda: world("\nmines 0405 alliance 4"))
