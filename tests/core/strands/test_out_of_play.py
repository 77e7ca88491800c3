"""Sides that are out of play: they are asked nothing, nobody waits for them, and they watch."""

from random import Random
from typing import Any

import pytest

from rules_engine.core.protocol import asks, turn_context
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import RuleFailure
from tests.core.strands.islands import ISLANDS, Islands, IslandsState, choice
from tests.core.strands.test_strands import GOES, Table
from tests.rulebooks import players, strand_play

OUT = frozenset({"ash"})
APART = dict(zip(GOES, ("0101", "0102", "0201", "0201"), strict=True))


def second_turn(book: Islands, *, patient: bool = False) -> Table:
    """A campaign at the beginning of its second turn, from which on some are out of play."""
    table = Table(book, APART, patient=patient)
    while table.one.turn == 1:
        for strand in table.one.strands():
            for ask in [one for one in table.one.open_asks() if one.strand == strand and one.default is None]:
                table.answer(ask.parties[0], ask.parties[0], of=strand)
            table.close(strand)
    return table


def asked(table: Table) -> list[str]:
    return sorted(side for side in GOES if table.one.asks_for(side))


def test_a_side_that_is_out_is_asked_nothing_and_nobody_waits_for_it() -> None:
    table = second_turn(Islands(out=OUT))
    assert [side for side in GOES if table.one.is_out(side)] == ["ash"]
    assert asked(table) == ["birch", "cedar", "dogwood"]
    assert table.one.is_done("ash")
    assert not table.one.all_done()
    for side in ("birch", "cedar", "dogwood"):
        table.answer(side, "0101")
        table.steps.append(table.one.ready(side, is_ready=True, by=side, at=players.AT))
    assert table.one.all_done()
    table.close("", reason="all ready")
    assert asked(table) == ["birch", "cedar", "dogwood"]


def test_to_ask_a_side_that_is_out_is_an_error_of_the_rules() -> None:
    class AsksAll(Islands):
        def turn_steps(self, turn: turn_context.TurnContext[IslandsState]) -> asks.Steps[None]:
            yield from turn.at("go").ask_all_steps([choice("go", side, "Go", ISLANDS[:3]) for side in turn.sides])
            turn.state.turn += 1

    assert Table(AsksAll(), APART).one.turn == 2, "without anybody out of play all may be asked"
    with pytest.raises(RuleFailure) as failed:
        Table(AsksAll(out=OUT), APART)
    assert "['ash'] are asked and out of play" in str(failed.value.__cause__)


@pytest.mark.parametrize("out", [OUT, frozenset({"ash", "birch"})])
def test_where_windows_are_fixed_who_is_out_has_no_waiting_card(out: frozenset[str]) -> None:
    table = second_turn(Islands(window="decision", out=out), patient=True)
    for side, island in APART.items():
        if side not in out:
            table.answer(side, island)
    table.close("")
    cards = {side: [ask.kind for ask in table.one.asks_for(side)] for side in GOES}
    waits = [] if "birch" in out else ["waiting"]
    assert cards == {"ash": [], "birch": waits, "cedar": ["claim"], "dogwood": ["claim"]}


def test_in_a_window_without_strands_who_is_out_has_no_card_and_without_anybody_there_is_none() -> None:
    class Asides(Islands):
        def turn_steps(self, turn: turn_context.TurnContext[IslandsState]) -> asks.Steps[None]:
            yield from turn.window_steps(turn.at("aside").ask_all_steps(self._asides(turn)), "decision")
            turn.state.turn += 1

        @staticmethod
        def _asides(turn: turn_context.TurnContext[IslandsState]) -> list[asks.Ask[Any]]:
            return [choice("aside", "birch", "Aside", ["0", "1"])] if turn.state.turn == 1 else []

    goes = {"birch": "1"}
    table = Table(Asides(out=OUT), goes, patient=True)
    assert asked(table) == ["birch", "cedar", "dogwood"]
    assert {ask.kind for ask in table.one.open_asks()} == {"waiting"}
    ended = Table(Asides(out=frozenset(GOES)), goes, patient=True)
    assert ended.one.ending is not None
    assert ended.one.open_asks() == ()


def test_a_sheet_that_was_open_when_its_side_went_out_is_not_waited_for() -> None:
    """A referee's correction may put a side out of play at any moment."""
    table = Table(Islands(out=frozenset({"birch"})), {**APART, "birch": "0101"})
    assert {ask.kind for ask in table.one.asks_for("birch")} == {"claim"}
    assert not table.one.is_done("birch")
    table.one.edit("turn", 2, by="referee", reason="a slip", at=players.AT)
    assert table.one.is_out("birch")
    assert table.one.is_done("birch")
    assert not table.one.is_done("ash")


def test_an_account_of_a_battle_is_still_needed_of_a_side_that_was_put_out() -> None:
    """Else its strand would count as done and could not close."""
    table = Table(Islands(out=frozenset({"birch"})), {**APART, "birch": "0101"})
    for side in ("ash", "birch"):
        table.answer(side, "1")
    table.close(table.one.strands()[0])
    assert {ask.kind for ask in table.one.asks_for("birch")} == {"fight"}
    table.one.edit("turn", 2, by="referee", reason="a slip", at=players.AT)
    assert not table.one.is_done("birch")


def test_who_is_out_gets_its_map_with_the_public_one() -> None:
    table = second_turn(Islands(out=OUT))
    assert table.steps[-1].public_map
    assert table.steps[-1].maps_for == tuple(GOES)


def test_maps_of_all_that_are_due_without_the_public_one_do_not_show_who_is_out_that_all_were_asked() -> None:
    class Quiet(Islands):
        def turn_steps(self, turn: turn_context.TurnContext[IslandsState]) -> asks.Steps[None]:
            turn.show_maps(*turn.sides)
            yield from turn.at("go").ask_all_steps([choice("go", side, "Go", ISLANDS[:3]) for side in turn.in_play])
            turn.state.turn += 1

    table = Table(Quiet(out=OUT), APART)
    assert not table.steps[-1].public_map
    assert table.steps[-1].maps_for == ("birch", "cedar", "dogwood")


def test_who_is_out_sees_what_everybody_was_told_and_no_more() -> None:
    table = second_turn(Islands(out=OUT))
    for side in ("birch", "cedar", "dogwood"):
        table.answer(side, "0201")
    before, logs = table.one.view("ash"), table.one._shared.knowledge["ash"].copied()
    since = len(table.steps)
    table.close("")
    assert table.one.view("ash") == before
    while table.one.turn == 2 and table.one.ending is None:
        table.close(table.one.strands()[0])
    heard = table.words("ash", since)
    assert [text for text in heard if text.startswith("Turn 2 ends")]
    assert heard == [one.text for step in table.steps[since:] for one in step.reports if one.is_public()]
    assert table.one._shared.knowledge["ash"] == logs


@pytest.mark.parametrize("window", [False, True])
def test_the_laws_of_strands_hold_where_sides_are_out(fewer_seed: int, window: bool) -> None:
    def played(order: int | None = None, **how: bool) -> strand_play.StrandPlay:
        book = Islands(window="decision" if window else None, out=OUT)
        chance = None if order is None else Random(f"{fewer_seed}/{order}")
        return strand_play.StrandPlay(book, {"turns": 3}, fewer_seed, order=chance, patient=window, **how).play(3)

    one_by_one = played()
    mixed = played(1, watched=True, rebuilt=True)
    assert mixed.outcome() == one_by_one.outcome()
    assert mixed.problems == []
    assert replay(mixed.rulebook, mixed.entries, mixed.seed).digest() == mixed.adjudicator.digest()
