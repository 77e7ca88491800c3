"""What the other side must not learn of minefields: worlds that differ only in a secret look the same to it."""

from collections.abc import Callable
from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch05_movement.movement import move
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.ch12_mines.attacks import minefield_attack_steps
from rules_engine.rulebooks.pq17.ch12_mines.removal import minefield_step, wear_minefields
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.shown.boards import public_board, side_board
from tests.rulebooks.pq17.worlds.minefields import at_mines, field_of
from tests.rulebooks.pq17.worlds.notation import run


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
    asked: list[AnyAsk] = []

    def answer(ask: AnyAsk) -> Any:
        asked.append(ask)
        return (answers or {}).get(ask.kind)

    move(at.state, "alliance")
    announce_detections(at)
    run(minefield_attack_steps(at, "alliance"), answer)
    minefield_step(at)
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
    minefield_step(at)
    wear_minefields(at)
    return at, []


@pytest.mark.rule("pq17", "12.5.3.10", "12.4.5", "12.2.3")
@pytest.mark.parametrize("field", ["", "\nmines 0405 alliance 3 ID2", "\nmines 0405 alliance 3"])
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
    wear_minefields(at)
    announce_detections(at)
    return at, []


@pytest.mark.rule("pq17", "12.6.2", "12.2.2", "12.4.4")
@pytest.mark.unseen("pq17", reports=("contact", "mines"))
def test_wear_and_the_end_of_a_minefield_are_not_seen_from_afar() -> None:
    same_for(
        "alliance", lambda: worn(3, attacked=False), lambda: worn(3, attacked=True), lambda: worn(1, attacked=True)
    )


def swept(strength: int) -> tuple[TurnContext[State], list[AnyAsk]]:
    """A sweep succeeds, and the impulse ends."""
    at = at_mines(f"mines 0405 coalition {strength} ID0\nA1 0405 MS+CA speed 2", 5, 1)
    field_of(at.state, "coalition", "0405").known_strength = 4
    asked: list[AnyAsk] = []

    def answer(ask: AnyAsk) -> Any:
        asked.append(ask)
        return {"A1": {"target": "E1"}} if ask.kind == "attack" else None

    announce_detections(at)
    run(combat_steps(at, "alliance"), answer)
    minefield_step(at)
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
        minefield_step(at)
        wear_minefields(at)
        return at, []

    same_for("coalition", lambda: world(""), lambda: world("\nmines 0405 alliance 4"))
