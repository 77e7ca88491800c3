"""Mines written down whole: what a force suffers in a minefield, what its owner is asked, how a minefield grows and
wears, and who is told of it."""

from collections.abc import Callable, Generator
from typing import Any

import pytest

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch05_movement.movement import move
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.ch12_mines.attacks import minefield_attack_steps, old_mines_steps
from rules_engine.rulebooks.pq17.ch12_mines.damage import damage_ask, damage_steps
from rules_engine.rulebooks.pq17.ch12_mines.removal import minefield_step, wear_minefields
from rules_engine.rulebooks.pq17.ch12_mines.shields import Hit, Suffered
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.records.forces import MarkName
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.pq17.playing.written_scenes import refused, scene
from tests.rulebooks.pq17.worlds.minefields import at_mines, field_of
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest


def done(at: TurnContext[State], *acts: Callable[[TurnContext[State]], Any]) -> Generator[Any, Any, None]:
    """Steps that ask nobody."""
    for act in acts:
        act(at)
    yield from ()


@pytest.mark.rule("pq17", "12.7.3", "12.7.3.1", "12.7.3.2", "12.7.5", "12.7.6", "12.7.7", "12.7.8", "12.7.8.3")
def test_a_force_whose_minesweeper_screens_it(request: Request) -> None:
    # 4 - 1 for ID1 - 1 minesweeper + 1 = 3 attacks: on the minesweeper, then by lot on both; the third hits shield 3
    # of the other ship: 35 - 20 - 3 batteries = 12 internals
    at = at_mines("mines 0405 coalition 1 ID1\nA1 0405 SH+MS speed 2 plot stay", 4, 1, 2, 7, 7, 8, 6)
    move(at.state, "alliance")
    compare(request, scene(at, minefield_attack_steps(at)))


@pytest.mark.rule("pq17", "12.7.3", "12.7.3.2", "12.7.4", "12.7.7", "12.7.8")
def test_a_force_that_is_not_screened(request: Request) -> None:
    # 1 - 1 minesweeper + 1 = 1 attack, by lot on the second ship; 35 - 30 = 5 of 9 batteries hold shield 1
    at = at_mines("mines 0405 coalition 1\nA1 0405 SH[battery=9]+MS speed 2 plot stay", 1, 2, 8, 1)
    move(at.state, "alliance")
    compare(request, scene(at, minefield_attack_steps(at), {"screen alliance": [{"A1": {"screen": "no"}}]}))


@pytest.mark.rule("pq17", "C.random.residual-minefield", "12.7.3")
def test_a_residual_minefield(request: Request) -> None:
    at = at_mines("A1 0405 SH+MS speed 2", 2, 7)
    compare(request, scene(at, old_mines_steps(at, at.state.task_forces["A1"])))


@pytest.mark.rule("pq17", "12.7.6", "12.7.7")
def test_what_mines_do_to_ships(request: Request) -> None:
    # SH: 35 - 24 - 3 batteries = 8, then 35; its second shield is gone. The cruiser's shields are not known here
    at = at_mines("A1 0405 SH+CA+ND[battery=35] speed 2")
    sets = [[Hit("A1.SH", 2), Hit("A1.SH", 2), Hit("A1.CA", 1), Hit("A1.CA", 4), Hit("A1.ND", 1), Hit("A1.ND", 6)]]
    order = {"A1.SH": {"boxes": "warp 4, hull 6", "crippled": True}, "A1.CA": {"fate": "destroyed"}}
    compare(request, scene(at, damage_steps(at, sets), {"mine damage alliance": [order]}))


@pytest.mark.rule("pq17", "12.7.6", "12.7.7")
def test_one_hit_on_a_shield_that_is_not_known_here(request: Request) -> None:
    at = at_mines("A1 0405 CA speed 2")
    compare(request, scene(at, damage_steps(at, [[Hit("A1.CA", 1)]])))


@pytest.mark.rule("pq17", "12.7.6", "12.7.7", "11.4.9.3.5", "T5.note4")
def test_accounts_of_mine_damage_that_cannot_be(request: Request) -> None:
    at = at_mines("A1 0405 SH[crippled=yes] speed 2")
    ask = damage_ask(at, "alliance", {"A1.SH": Suffered("A1.SH", volleys=[12])})
    assert ask is not None
    lines = (
        {"boxes": "warp 13"},
        {"boxes": "battery 4"},
        {"boxes": "batery 1"},
        {"boxes": "fuel 3"},
        {"boxes": "hull 12", "crippled": False},
    )
    compare(request, list(refused(ask, [{"A1.SH": line} for line in lines])))


@pytest.mark.rule("pq17", "12.5.3", "12.5.3.4", "12.5.3.8", "12.5.3.9", "12.5.3.10", "12.4.5")
def test_a_minefield_is_laid_in_three_impulses(request: Request) -> None:
    at = at_mines("settled 0405 alliance\nA1 0405 ML speed 2 ID2\nC1 0405 FF", mines={"A1.ML": 520})
    tf = at.state.task_forces["A1"]
    at.state.mines.loads["alliance 0405"] = 80
    found: list[str] = []
    announce_detections(at)
    at.shared.reports.clear()
    for _ in range(3):
        at.state.set_mark(tf, "laying")
        at.state.set_mark(tf, "moved")
        found += scene(at, done(at, minefield_step))
        at.shared.reports.clear()
    compare(request, found)


@pytest.mark.rule("pq17", "12.5.3.9")
def test_mines_that_do_not_suffice_for_a_point(request: Request) -> None:
    at = at_mines("settled 0405 alliance\nA1 0405 ML speed 2", mines={"A1.ML": 199})
    for mark in ("laying", "moved"):
        at.state.set_mark(at.state.task_forces["A1"], mark)
    compare(request, scene(at, done(at, minefield_step)))


@pytest.mark.rule("pq17", "12.5.3.2", "12.5.3.3", "12.5.3.5", "12.5.3.6", "12.5.3.7")
def test_what_spoils_minelaying(request: Request) -> None:
    found: list[str] = []
    spoilers: tuple[tuple[MarkName, ...], ...] = (
        ("moved", "searched"),
        ("moved", "attempted_attack"),
        ("moved", "was_attacked"),
        (),
    )
    for marks in spoilers:
        at = at_mines("settled 0405 alliance\nA1 0405 ML speed 2", mines={"A1.ML": 300})
        for mark in ("laying", *marks):
            at.state.set_mark(at.state.task_forces["A1"], mark)
        found += scene(at, done(at, minefield_step))
    at = at_mines("settled 0405 alliance\nA1 0405 ML[fuel=1/2] speed 2", mines={"A1.ML": 300})
    for mark in ("laying", "moved"):
        at.state.set_mark(at.state.task_forces["A1"], mark)
    compare(request, found + scene(at, done(at, minefield_step)))


@pytest.mark.rule("pq17", "12.6.3", "12.6.3.2", "12.6.3.3", "12.6.1", "12.2.2")
def test_a_minefield_is_swept_away(request: Request) -> None:
    # column 3: force row U 01-20 and row 0 21-25, so that 26 fails and the minesweeper's 25 succeeds
    at = at_mines("mines 0405 coalition 1 ID0\nA1 0405 MS+CA speed 2", 5, 26, 25)
    announce_detections(at)
    at.shared.reports.clear()

    def steps() -> Generator[Any, Any, None]:
        yield from combat_steps(at, "alliance")
        minefield_step(at)

    compare(request, scene(at, steps(), {"attack alliance": [{"A1": {"target": "E1"}}]}, brief=["attack"]))


@pytest.mark.rule("pq17", "12.6.2", "SOP.2.c.iii", "12.2.1", "12.2.2")
def test_minefields_wear(request: Request) -> None:
    at = at_mines("mines 0405 coalition 4\nmines 0404 coalition 1\nmines 0303 coalition 2")
    for hex_id in ("0405", "0404"):
        field_of(at.state, "coalition", hex_id).attacked = True
    compare(request, scene(at, done(at, wear_minefields)))
