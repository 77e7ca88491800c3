"""The pace of a turn: who is asked what, with contact and without, with standing orders and without."""

from collections import Counter
from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler import RULEBOOK
from tests.rulebooks.cutler.armed import crowded
from tests.rulebooks.cutler.pace import Evening, Ordered, apart, asked_in_turn
from tests.rulebooks.strand_play import StrandPlay


class Still(StrandPlay):
    """Everybody takes the default, but for what ``sheets`` has by side and kind."""

    sheets: dict[tuple[str, str], Any]

    def _nonce(self, what: str) -> None:  # so dice are of the kind that no answer changes
        return None

    def answer(self, ask: AnyAsk, side: str, *, draft: float | None = None) -> None:
        document = self.sheets.get((side, ask.kind), {})
        if ask.pace == "battle":
            document = ask.form.prefilled()
        self.take(self.adjudicator.answer(side, ask.id, document, by=side, at=self.entries[0].at))
        self.final.add((ask.id, side))


def still(scenario: Any, sheets: dict[tuple[str, str], Any] | None = None, *, patient: bool = False) -> StrandPlay:
    """A turn with these sheets, whose dice no answer changes."""
    kind = type("Sheets", (Still,), {"sheets": sheets or {}})
    game: StrandPlay = kind(RULEBOOK, scenario, 1, patient=patient)
    return game.play(1)


FIGHT = {"force": {"card": "combat"}}


def test_a_turn_of_three_empires_without_contact_asks_each_of_them_one_sheet() -> None:
    game = still(apart(3))
    assert asked_in_turn(game, 1) == {("ash", "turn"): 1, ("birch", "turn"): 1, ("cedar", "turn"): 1}


def test_with_contact_only_those_are_asked_who_are_in_it_and_side_by_side() -> None:
    game = still(apart(3, together=2), {("ash", "card"): FIGHT})
    asked = asked_in_turn(game, 1)
    assert {kind for side, kind in asked if side == "cedar"} == {"turn"}
    assert asked["cedar", "turn"] == 1
    assert {"card", "wave", "battle"} <= {kind for side, kind in asked if side == "ash"}
    assert {kind for side, kind in asked if side == "ash"} == {kind for side, kind in asked if side == "birch"}
    both = [step.opened for step in game.steps if any(ask.kind == "card" for ask in step.opened)]
    assert all({side for ask in opened for side in ask.parties} == {"ash", "birch"} for opened in both)


def test_in_contact_standing_orders_leave_one_sheet_a_turn() -> None:
    orders = {"standing": {"orders": "bypass; go on"}}
    game = still(apart(3, together=2), {("ash", "turn"): orders, ("birch", "turn"): orders})
    assert set(asked_in_turn(game, 1).values()) == {1}
    assert {kind for _, kind in asked_in_turn(game, 1)} == {"turn"}
    told = [one.text for one in game.told("ash") if one.kind == "doctrine"]
    assert told == ["Your card in 0605 is bypass."] * 6


def test_who_has_orders_is_asked_nothing_while_who_has_none_is() -> None:
    orders = {"standing": {"orders": "bypass; run never; pursue never; flank never; transfers never; go on"}}
    game = still(apart(3, together=2), {("ash", "turn"): orders, ("birch", "card"): FIGHT})
    asked = asked_in_turn(game, 1)
    assert {kind for side, kind in asked if side == "ash"} == {"turn", "battle", "plot"}
    assert asked["ash", "plot"] == asked["ash", "battle"] - 1  # after each battle but the last
    assert {"turn", "card", "wave", "battle"} <= {kind for side, kind in asked if side == "birch"}


@pytest.mark.parametrize("empires", [2, 3, 5])
def test_a_crowded_turn_asks_less_with_standing_orders(empires: int) -> None:
    scenario = crowded(empires, turns=1)
    plain, ordered = (asked_in_turn(kind(RULEBOOK, scenario, 3).play(1), 1) for kind in (Evening, Ordered))
    assert plain.total() > 2 * empires  # there is something to be saved
    assert ordered.total() <= plain.total() / 2
    left = Counter(kind for _, kind in ordered.elements())
    assert not {"card", "pursuit", "flank", "sortie", "counter", "challenge", "transfer", "wave"} & set(left)


# --- nobody can tell by the waiting -----------------------------------------------------------------------------------


def rhythm(game: StrandPlay, side: str) -> list[tuple[str, tuple[str, ...]]]:
    """What a side sees of play in time: what is opened for it with each closing, and after which closing."""
    seen: list[tuple[str, tuple[str, ...]]] = []
    for step in game.steps:
        own = tuple(sorted(f"{ask.kind} {ask.pace}" for ask in step.opened if side in ask.parties))
        texts = tuple(one.text for one in step.reports if one.is_for(side) and one.kind != "doctrine")
        if own or texts:
            seen.append((step.entry.body.kind, (*own, *texts)))
    return seen


@pytest.mark.parametrize("card", ["bypass", "combat"])
def test_where_windows_are_fixed_an_order_takes_as_long_as_an_answer(card: str) -> None:
    """Three races; two share a hex. In one world Ash's standing orders answer, in the other Ash does: Birch, who is
    asked in the same strand, and Cedar, who is elsewhere, see the same at the same closings."""
    orders = f"{card}; run never; pursue never; flank never; transfers never"
    rest = {("birch", "card"): {"force": {"card": "bypass"}}}
    by_hand = {**rest, ("ash", "card"): {"force": {"card": card}}, ("ash", "turn"): {}}
    by_orders = {**rest, ("ash", "turn"): {"standing": {"orders": orders}}}
    one, other = (still(apart(3, together=2), sheets, patient=True) for sheets in (by_hand, by_orders))
    for side in ("birch", "cedar"):
        assert rhythm(one, side) == rhythm(other, side)
    closings = [[step.entry.body.kind for step in game.steps].count("closed") for game in (one, other)]
    assert closings[0] == closings[1]
    # And the difference is there: Ash has waiting cards in place of its asks.
    kinds = [
        Counter(ask.kind for step in game.steps for ask in step.opened if ask.parties == ("ash",))
        for game in (one, other)
    ]
    assert kinds[0]["card"] > 0
    assert kinds[1]["card"] == 0
    assert kinds[1]["waiting"] >= kinds[0]["waiting"] + kinds[0]["card"]


def test_where_both_have_orders_neither_can_tell_by_the_waiting() -> None:
    sheet = {"standing": {"orders": "bypass"}}
    card = {"force": {"card": "bypass"}}
    one = still(apart(3, together=2), {("ash", "turn"): sheet, ("birch", "turn"): sheet}, patient=True)
    other = still(apart(3, together=2), {("ash", "turn"): sheet, ("birch", "card"): card}, patient=True)
    assert rhythm(one, "ash") == rhythm(other, "ash")
    assert rhythm(one, "cedar") == rhythm(other, "cedar")
