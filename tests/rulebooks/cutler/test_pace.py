"""The pace of a turn: who is asked what and how often, and how long standing orders take to answer."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.replay import replay
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
    assert asked_in_turn(still(apart(3)), 1) == {("ash", "turn"): 1, ("birch", "turn"): 1, ("cedar", "turn"): 1}


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
    assert [one.text for one in game.told("ash") if one.kind == "doctrine"] == ["Your card in 0605 is bypass."] * 6


def test_who_has_orders_is_asked_nothing_while_who_has_none_is() -> None:
    orders = {"standing": {"orders": "bypass; run never; pursue never; flank never; transfers never; go on"}}
    asked = asked_in_turn(still(apart(3, together=2), {("ash", "turn"): orders, ("birch", "card"): FIGHT}), 1)
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


# --- time of orders --------------------------------------------------------------------------------------------------
HOURS = 12
"""How long a decision may take."""
NEVER = 99
Seen = list[tuple[int, tuple[str, ...]]]
Sheets = dict[tuple[str, str], Any]


class Timed(Still):
    """Play by the clock. Everybody sends at once; each is ready so many hours after it is asked, or never."""

    ready_after: Mapping[str, int]

    def __init__(self, *args: Any, **options: Any) -> None:
        self.clock = 0
        self.times: list[int] = []
        super().__init__(*args, **options)

    def take(self, step: Any) -> None:
        super().take(step)
        self.times.append(self.clock)

    def finish(self, strand: str) -> None:
        one = self.adjudicator
        asks = [ask for ask in one.open_asks() if ask.strand == strand]
        for one_asked, side in [(ask, side) for ask in asks if ask.kind != "waiting" for side in ask.parties]:
            self.answer(one_asked, side)
        waited, began = 0, self.clock
        for side in sorted({side for ask in asks for side in ask.parties}, key=self._patience):
            if one.all_done(strand) or self._patience(side) >= HOURS:
                break
            waited = self._patience(side)
            self.clock = began + waited
            self.take(one.ready(side, is_ready=True, by=side, at=self.entries[0].at, strand=strand))
        reason = "all ready" if one.all_done(strand) else "deadline"
        self.clock = began + (waited if reason == "all ready" else HOURS)
        self.take(
            one.close(reason, by="clock", at=self.entries[0].at, strand=strand, orders_wait=self.waits["orders_wait"])
        )

    def _patience(self, side: str) -> int:
        return self.ready_after.get(side, 1)

    def seen_by(self, side: str) -> Seen:
        """What a side sees of play in time: what is opened for it and told to it, and when."""
        seen: Seen = []
        for hour, step in zip(self.times, self.steps, strict=True):
            own = sorted(f"{ask.kind} {ask.pace}" for ask in step.opened if side in ask.parties)
            texts = [one.text for one in step.reports if one.is_for(side) and one.kind != "doctrine"]
            if own or texts:
                seen.append((hour, (*own, *texts)))
        return seen


def timed(sheets: Sheets, ready_after: Mapping[str, int], *, orders_wait: bool = True) -> Timed:
    kind = type("Clocked", (Timed,), {"sheets": sheets, "ready_after": ready_after})
    game: Timed = kind(RULEBOOK, apart(3, together=2), 1, orders_wait=orders_wait)
    game.play(1)
    return game


def orders(card: str, near: str = "") -> Any:
    return {"standing": {"orders": f"{card}; run never; pursue never; flank never; transfers never{near}"}}


def two_worlds(card: str, ash_ready: int, *, near: str = "", orders_wait: bool = True) -> tuple[Timed, Timed]:
    """Ash by hand, and Ash by standing orders; Birch answers by hand, Cedar is elsewhere."""
    rest: Sheets = {("birch", "card"): {"force": {"card": "bypass"}}}
    by_hand = {**rest, ("ash", "card"): {"force": {"card": card}}, ("ash", "turn"): {}}
    by_orders = {**rest, ("ash", "turn"): orders(card, near)}
    ready = {"ash": ash_ready}
    return timed(by_hand, ready, orders_wait=orders_wait), timed(by_orders, ready, orders_wait=orders_wait)


@pytest.mark.parametrize("card", ["bypass", "combat"])
@pytest.mark.parametrize("ash_ready", [0, 1, 5, NEVER])
def test_an_order_takes_as_long_as_an_answer_of_the_same_owner(card: str, ash_ready: int) -> None:
    one, other = two_worlds(card, ash_ready)
    for side in ("birch", "cedar"):
        assert one.seen_by(side) == other.seen_by(side)
    kinds = {ask.kind for step in other.steps for ask in step.opened if ask.parties == ("ash",)}
    assert "card" not in kinds
    assert "waiting" in kinds
    assert not any(ask.kind == "waiting" for step in one.steps for ask in step.opened)


@pytest.mark.parametrize("near", ["; go on", "; hold"])
@pytest.mark.parametrize("ash_ready", [3, NEVER])
def test_fleets_that_go_on_or_hold_unasked_take_as_long_as_a_plot(near: str, ash_ready: int) -> None:
    """All see that a counter comes near, and who would be asked to plot for it."""
    one, other = two_worlds("bypass", ash_ready, near=near)
    for side in ("birch", "cedar"):
        assert one.seen_by(side) == other.seen_by(side)
    asked = [{ask.kind for step in game.steps for ask in step.opened if "ash" in ask.parties} for game in (one, other)]
    assert "plot" in asked[0]
    assert "plot" not in asked[1]
    told_at_once = two_worlds("bypass", ash_ready, near=near, orders_wait=False)
    assert told_at_once[0].seen_by("birch") != told_at_once[1].seen_by("birch")


@pytest.mark.parametrize("ash_ready", [5, NEVER])
def test_two_races_that_both_have_orders_cannot_tell_that_of_each_other(ash_ready: int) -> None:
    """Ash has orders and looks at the clock; Birch has orders in one world, and says the same by hand in the other."""
    sheet = orders("bypass")
    ready = {"ash": 0, "birch": ash_ready}
    one = timed({("ash", "turn"): sheet, ("birch", "turn"): sheet}, ready)
    other = timed({("ash", "turn"): sheet, ("birch", "card"): {"force": {"card": "bypass"}}}, ready)
    assert one.seen_by("ash") == other.seen_by("ash")
    assert one.seen_by("cedar") == other.seen_by("cedar")
    assert one.seen_by("birch") != other.seen_by("birch")


def test_where_orders_answer_at_once_it_is_seen_by_the_clock() -> None:
    """Else the worlds above would prove nothing."""
    one, other = two_worlds("bypass", NEVER, orders_wait=False)
    assert one.seen_by("birch") != other.seen_by("birch")
    assert other.clock < one.clock
    sheet = orders("bypass")
    both = timed({("ash", "turn"): sheet, ("birch", "turn"): sheet}, {"ash": 1, "birch": 1}, orders_wait=False)
    assert both.clock == 2  # the turn's sheet, and plots as counters came near; what orders settled took no time


def test_nobody_is_called_by_what_holds_and_its_owner_lets_play_go_on() -> None:
    held = [
        ask for step in two_worlds("bypass", 0)[1].steps for ask in step.opened if ask.kind == "waiting" and ask.holds
    ]
    assert held
    assert not any(ask.awaited for ask in held)
    assert {ask.pace for ask in held} == {"decision", "orders"}  # cards, and plots that it is spared


@pytest.mark.parametrize("seed", [1, 2])
def test_campaigns_in_which_orders_wait_are_played_back(seed: int) -> None:
    game = Ordered(RULEBOOK, crowded(3, turns=1), seed, order=Random(seed), orders_wait=True, rebuilt=5).play(1)
    assert any(ask.holds for step in game.steps for ask in step.opened)
    assert game.problems == []
    assert replay(RULEBOOK, game.entries, game.seed).digest() == game.adjudicator.digest()
