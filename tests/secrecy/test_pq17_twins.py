"""PQ-17: turns of whole campaigns, played twice: what the other side keeps to itself is seen nowhere.

At each turn's beginning the other side's names, ids, stores, far forces, books, special conditions and minefields are
changed in the second world; the turn is then played in both with the same sheets and dice.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.pq17 import shown
from tests.rulebooks.pq17.playing import campaign_play, officers
from tests.secrecy import hidden, twin_turns
from tests.seeds import IS_FULL

SIDES = ("alliance", "coalition")
LIVELY = officers.Manner(bold=0.8, whims=0.5)


class Campaign:
    """A campaign under way, and what battle sheets showed so far: those names are known."""

    def __init__(self, key: str, seed: int, *, turns: int | None = None) -> None:
        book, document = campaign_play.scenario(key, **({} if turns is None else {"turns": turns}))
        self.game = campaign_play.CampaignPlay(book, document, seed, manner=LIVELY, check=False)
        self.told = ""

    def play_to(self, turn: int) -> bool:
        """Play on until a turn has begun; whether it came so far."""
        game = self.game
        while game.adjudicator.ending is None and (game.snapshot is None or game.snapshot.turn < turn):
            for ask in game.adjudicator.open_asks():
                if ask.setup is not None:
                    labels = [f"{line.key} {line.label} {line.note}" for line in ask.form.lines]
                    self.told += "\n".join([ask.setup.model_dump_json(), *labels])
            game.batch()
        return game.adjudicator.ending is None

    def leap_to(self, turn: int) -> None:
        """Stand at a later turn's beginning with all as it is now."""
        snapshot = self.game.snapshot
        assert snapshot is not None
        state = {**snapshot.state, "turn": turn - 1}
        self.game.snapshot = snapshot.model_copy(update={"state": state, "turn": turn, "now": When(turn=turn - 1)})

    def compared(self, *, singly: bool = False) -> Iterator[tuple[twin_turns.Sight, twin_turns.Sight]]:
        """Both sides watch the present turn: everything is changed at once, or one thing after another."""
        for side in SIDES:
            changes = hidden.one_at_a_time(self.told) if singly else [hidden.all_at_once(self.told)]
            first: twin_turns.Sight | None = None
            for change in changes:
                found = twin_turns.compare(self.game, side, change, first=first)
                if found is not None:
                    first, _ = found
                    yield found


def swept(key: str, seed: int, turns: range, *, singly: bool = False) -> int:
    """Compare these turns; how many moments were compared in all."""
    print(f"seed {seed}: {key}")
    campaign = Campaign(key, seed)
    moments = 0
    for turn in turns:
        if not campaign.play_to(turn):
            break
        for one, other in campaign.compared(singly=singly):
            moments += min(len(one.moments), len(other.moments))
    return moments


@pytest.mark.unseen(
    "pq17",
    reports=("attempt", "contact", "declared", "battle", "initiative", "conditions", "victory"),
    asks=("planning", "plot", "search", "attack", "power", "battle", "reform"),
)
def test_a_crowded_map() -> None:
    assert swept(campaign_play.INTRO, 1, range(3, 6)) > 200


def test_while_only_others_are_asked_what_one_looks_up_stands_still() -> None:
    """Headings, maps, tables and odds: the playing of the turns itself looks at them."""
    campaign = Campaign(campaign_play.INTRO, 1)
    waits = 0
    for turn in range(2, 5):
        campaign.play_to(turn)
        waits += sum(one.waits + other.waits for one, other in campaign.compared())
    assert waits > 20


@pytest.mark.unseen(
    "pq17",
    reports=("attempt", "contact", "declared", "initiative", "command", "conditions", "mines", "doctrine"),
    asks=("planning", "contact", "deployment", "purchase", "period"),
)
def test_the_campaigns_first_days() -> None:
    assert swept(campaign_play.CAMPAIGN, 1, range(5, 6)) > 40


@pytest.mark.unseen(
    "pq17", reports=("victory", "special", "news", "command"), asks=("planning", "purchase", "emergency")
)
def test_the_end_of_a_period() -> None:
    assert ended(30) > 100


@pytest.mark.slow
@pytest.mark.unseen("pq17", reports=("special", "command"), asks=("planning", "period", "operations"))
def test_the_beginning_of_a_period() -> None:
    assert ended(31) > 20


def ended(turn: int) -> int:
    """Compare a turn that comes after only a few were played."""
    campaign = Campaign(campaign_play.CAMPAIGN, 1, turns=660)
    campaign.play_to(4)
    campaign.leap_to(turn)
    return sum(min(len(one.moments), len(other.moments)) for one, other in campaign.compared())


@pytest.mark.slow
@pytest.mark.parametrize("key", [campaign_play.INTRO, campaign_play.CAMPAIGN])
def test_each_change_by_itself(key: str, fewer_seed: int) -> None:
    assert swept(key, fewer_seed, range(2, 12, 3), singly=True) > 100


@pytest.mark.slow
@pytest.mark.skipif(not IS_FULL, reason="minutes: PLOTROOM_SWEEP=full")
def test_a_period_and_its_end() -> None:
    assert swept(campaign_play.CAMPAIGN, 2, range(2, 33)) > 500


# --- a test that cannot fail proves nothing ---------------------------------------------------------------------------
@pytest.mark.parametrize("leak", ["name", "fuel", "id"])
def test_one_word_too_many_is_caught(monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    real = shown.side_board

    def leaky(state: Any, side: str, knowledge: Any) -> Any:
        board = real(state, side, knowledge)
        enemies = state.all_task_forces(state.enemy_of(side))
        unit = next(unit for tf in enemies for unit in state.units_of(tf))
        said = {"name": unit.name, "fuel": f"{sum(one.probes for one in state.units.values())}", "id": enemies[0].id}
        return board.model_copy(update={"panels": (*board.panels, Panel(title="Last", rows=(said[leak],)))})

    monkeypatch.setattr(shown, "side_board", leaky)
    campaign = Campaign(campaign_play.INTRO, 1)
    campaign.play_to(2)
    with pytest.raises(AssertionError, match="watched by the alliance"):
        list(campaign.compared())
