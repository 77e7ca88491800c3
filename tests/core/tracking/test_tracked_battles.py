"""Battles that are tracked beside their asks: wishes, rests, secrets, replay and restart."""

import json

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.reports import EVERYBODY
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay, rewind
from rules_engine.core.running.tracked import strand_of
from rules_engine.core.running.transitions import Diverged, NotOpen, Transition
from tests.core.small_rulebook import BLUE, RED, SEED, Picks, PicksState
from tests.toy_tracker import TRACKER

AT = "2026-01-01T00:00:00Z"


class Table:
    """A campaign with everything that its host would keep."""

    def __init__(self, tracker=TRACKER, *, sealed: bool = True) -> None:
        self.sealed = sealed
        self.campaign, first = Adjudicator[PicksState].open(
            Picks(), title="Toys", scenario={"turns": 3}, seed=SEED, at=AT, nonce="0" * 32 if sealed else None,
            tracker=tracker,
        )  # fmt: skip
        self.done = [first]

    def note(self, transition: Transition) -> Transition:
        """Keep what was done."""
        self.done.append(transition)
        return transition

    @property
    def entries(self) -> list[JournalEntry]:
        return [one.entry for one in self.done]

    def answer(self, side: str, ask_id: str, document: object) -> Transition:
        return self.note(self.campaign.answer(side, ask_id, document, by=side, at=AT))

    def close(self, strand: str, reason="deadline") -> Transition:
        nonce = f"{len(self.done):032x}" if self.sealed else None
        return self.note(self.campaign.close(reason, by="clock", at=AT, strand=strand, nonce=nonce))

    def wish(self, side: str, wish, **more) -> Transition:
        return self.note(self.campaign.track(side, self.battle, wish, by=side, at=AT, **more))

    @property
    def battle(self) -> str:
        return next(ask.id for ask in self.campaign.open_asks() if ask.kind == "battle")

    @property
    def strand(self) -> str:
        return strand_of(self.battle)

    def meet(self) -> None:
        """Play to the battle of the first turn: both pick the same."""
        for side in (RED, BLUE):
            self.answer(side, self.campaign.asks_for(side)[0].id, {"fleet": {"number": 5}})
        self.close("")

    def fly(self, red: int = 1, blue: int = 2) -> Transition:
        """Fly a turn."""
        for side, by in ((RED, red), (BLUE, blue)):
            ask = next(ask for ask in self.campaign.asks_for(side) if ask.beside)
            self.answer(side, ask.id, {"ship": {"by": by}})
        return self.close(self.strand)

    def accounts(self, fate: str = "ok") -> Transition:
        """Both report alike, and the battle closes."""
        for side in (RED, BLUE):
            self.answer(side, self.battle, {f"{RED}-flag": {"fate": fate}, f"{BLUE}-flag": {"fate": "ok"}})
        return self.close(next(ask.strand for ask in self.campaign.open_asks() if ask.kind == "battle"), "all ready")

    def rests(self):
        """The newest rest of each battle, as a host keeps them."""
        kept = {}
        for one in self.done:
            kept |= {rest.ask: rest for rest in one.rests}
        return [type(rest).model_validate_json(rest.model_dump_json()) for rest in kept.values()]

    def again(self, rests=()) -> Adjudicator[PicksState]:
        """The campaign as a restart makes it."""
        entries = [JournalEntry.model_validate_json(one.line) for one in self.done]
        return replay(Picks(), entries, SEED, tracker=TRACKER, rests=rests)


@pytest.fixture
def table() -> Table:
    table = Table()
    table.meet()
    return table


def begun(table: Table) -> Table:
    table.wish(RED, "begin")
    table.wish(BLUE, "begin")
    return table


def tracked(campaign: Adjudicator[PicksState]):
    """All that is known of tracked battles: state, asks, what was answered, who is ready."""
    asks = [ask for ask in campaign.open_asks() if ask.beside]
    saved = [(ask.id, campaign.saved(ask.parties[0], ask.id)) for ask in asks]
    battles = [ask for ask in campaign.open_asks() if ask.kind == "battle"]
    now = [campaign.tracking(ask.id) for ask in battles]
    running = [ask.id for ask, how in zip(battles, now, strict=True) if how and how.runs]
    boards = [campaign.common_tactical_view(one).board.model_dump() for one in running]
    return [ask.id for ask in asks], saved, now, boards, campaign.digest(), campaign.checkpoint().tracked


def test_a_battle_is_tracked_when_all_wish_it(table: Table):
    wished = table.wish(RED, "begin")
    assert wished.deeds[0].did == "wished"
    assert not wished.opened
    assert table.campaign.tracking(table.battle).wishes == {"begin": (RED,)}
    began = table.wish(BLUE, "begin")
    assert began.deeds[0].did == "begun"
    found = {(ask.parties, ask.strand, ask.beside) for ask in began.opened}
    assert found == {((RED,), table.strand, table.battle), ((BLUE,), table.strand, table.battle)}
    assert table.campaign.tracking(table.battle).runs


def test_a_wish_can_be_taken_back(table: Table):
    table.wish(RED, "begin")
    assert table.wish(RED, "begin", wanted=False).deeds[0].did == "unwished"
    assert table.wish(BLUE, "begin").deeds[0].did == "wished"
    assert not table.campaign.tracking(table.battle).runs


def test_the_campaigns_setting_begins_alone(table: Table):
    assert table.wish("", "begin", options={"pieces": 2}).deeds[0].did == "begun"


def test_wishes_that_make_no_sense_are_refused_and_nothing_is_written(table: Table):
    written = len(table.done)
    for wish, problem in (
        ("undo", "nothing to take back"),
        ("drop", "not tracked"),
        ("pause", "nothing is being flown"),
        ("go on", "not paused"),
    ):
        with pytest.raises(Refused, match=problem):
            table.wish(RED, wish)
    with pytest.raises(Refused, match="is no option"):
        table.wish(RED, "begin", options={"sails": 3})
    assert len(table.done) == written
    begun(table)
    with pytest.raises(Refused, match="tracked already"):
        table.wish(RED, "begin late")
    with pytest.raises(NotOpen):
        table.campaign.track(RED, "T9/none", "begin", by=RED, at=AT)


def test_without_a_tracker_no_battle_can_be_tracked():
    table = Table(None)
    table.meet()
    assert table.campaign.tracking(table.battle) is None
    with pytest.raises(NotOpen):
        table.wish(RED, "begin")


def test_what_is_told_goes_to_the_parties_alone_and_what_is_one_sides_to_it(table: Table):
    begun(table)
    done = table.fly()
    assert [(one.kind, one.to) for one in done.reports] == [("flight", (BLUE, RED)), ("own flight", (RED,))]
    assert all(one.to != EVERYBODY for one in done.reports)
    assert done.pictures == (table.battle,)
    assert not done.maps_for
    assert not done.public_map
    numbers = [one.number for each in table.done for one in each.reports]
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_roll_that_is_everybodys_in_the_battle_is_its_parties_alone(table: Table):
    begun(table)
    table.fly()
    table.fly()
    assert [roll.seen_by for roll in table.fly().rolls] == [frozenset({RED, BLUE})]


def test_the_campaign_knows_nothing_of_it(table: Table):
    before = table.campaign.digest()
    views = {side: table.campaign.view(side) for side in (RED, BLUE)}
    begun(table)
    table.fly()
    assert table.campaign.digest() == before
    assert {side: table.campaign.view(side) for side in (RED, BLUE)} == views


def test_the_battles_account_is_open_all_the_time_and_ends_the_tracker(table: Table):
    begun(table)
    table.fly()
    battle, own = table.battle, [ask.id for ask in table.campaign.open_asks() if ask.beside]
    assert set(table.accounts().closed) == {battle, *own}
    assert not any(ask.beside for ask in table.campaign.open_asks())
    assert table.campaign.tracking(battle) is None
    assert table.campaign.checkpoint().tracked == ""


def test_a_plot_is_judged_by_the_tracker_and_seen_by_its_side_alone(table: Table):
    begun(table)
    ask = next(ask for ask in table.campaign.asks_for(RED) if ask.beside)
    with pytest.raises(Refused, match="unlucky"):
        table.answer(RED, ask.id, {"ship": {"by": 7}})
    with pytest.raises(NotOpen):
        table.answer(BLUE, ask.id, {"ship": {"by": 1}})


def test_a_piece_is_taken_back_when_all_wish_it_and_other_dice_fall(table: Table):
    begun(table)
    for _ in range(4):
        table.fly()
    assert table.campaign.tally(table.battle).turns == 4
    assert table.campaign.tracking(table.battle).may_undo
    asks = {ask.id for ask in table.campaign.open_asks() if ask.beside}
    table.wish(RED, "undo")
    done = table.wish(BLUE, "undo")
    assert done.deeds[0].did == "undone"
    assert set(done.closed) == asks
    assert table.campaign.tally(table.battle).turns == 3
    assert not asks & {ask.id for ask in table.campaign.open_asks()}
    labels = [roll.label for each in table.done for roll in each.rolls]
    table.fly()
    assert table.done[-1].rolls[0].label not in labels
    table.wish(RED, "undo")
    table.wish(BLUE, "undo")
    table.wish(RED, "undo")
    table.wish(BLUE, "undo")
    with pytest.raises(Refused, match="nothing to take back"):
        table.wish(RED, "undo")


def test_a_wish_does_not_outlast_the_piece(table: Table):
    begun(table)
    table.fly()
    table.wish(RED, "undo")
    table.fly()
    assert table.wish(BLUE, "undo").deeds[0].did == "wished"


def test_it_is_paused_by_all_and_goes_on_by_one_or_by_itself(table: Table):
    begun(table)
    table.wish(RED, "pause")
    assert not table.campaign.tracking(table.battle).is_paused
    table.wish(BLUE, "pause")
    assert table.campaign.tracking(table.battle).is_paused
    assert table.wish(RED, "go on").deeds[0].did == "gone on"
    assert not table.campaign.tracking(table.battle).is_paused
    table.wish(RED, "pause")
    table.wish(BLUE, "pause")
    table.fly()
    assert not table.campaign.tracking(table.battle).is_paused


def test_anybody_drops_it_and_it_can_be_taken_up_late(table: Table):
    begun(table)
    table.fly()
    asks = {ask.id for ask in table.campaign.open_asks() if ask.beside}
    done = table.wish(BLUE, "drop")
    assert done.deeds[0].did == "dropped"
    assert set(done.closed) == asks
    assert not table.campaign.tracking(table.battle).runs
    table.wish(RED, "begin late")
    opened = table.wish(BLUE, "begin late").opened
    assert opened
    assert not asks & {ask.id for ask in opened}
    assert table.accounts()


def test_the_account_is_filled_in(table: Table):
    begun(table)
    assert table.campaign.filled_in(table.battle) == {}
    for _ in range(3):
        table.fly()
    assert table.campaign.filled_in(table.battle) == {f"{RED}-flag": {"fate": "destroyed"}}


def test_being_ready_is_of_the_battle_alone(table: Table):
    begun(table)
    table.note(table.campaign.ready(RED, is_ready=True, by=RED, at=AT, strand=table.strand))
    assert table.campaign.is_ready(RED, table.strand)
    table.fly()
    assert not table.campaign.is_ready(RED, table.strand)


def whole(sealed: bool) -> Table:
    """A battle with all that can happen to it, in mid-turn."""
    table = Table(sealed=sealed)
    table.meet()
    begun(table)
    for number in range(4):
        table.fly(number, 9 - number if number != 2 else 1)
    table.wish(RED, "undo")
    table.wish(BLUE, "undo")
    table.fly()
    table.wish(RED, "drop")
    table.wish(RED, "begin")
    table.wish(BLUE, "begin")
    table.fly(3, 3)
    table.fly(4, 4)
    table.wish(RED, "pause")
    ask = next(ask for ask in table.campaign.asks_for(BLUE) if ask.beside)
    table.answer(BLUE, ask.id, {"ship": {"by": 5}})
    return table


@pytest.mark.parametrize("sealed", [True, False])
def test_a_replay_comes_to_the_same(sealed: bool):
    table = whole(sealed)
    assert tracked(table.again()) == tracked(table.campaign)


@pytest.mark.parametrize("sealed", [True, False])
def test_a_restart_goes_on_from_the_newest_rest_at_every_entry(sealed: bool, monkeypatch: pytest.MonkeyPatch):
    table = whole(sealed)
    table.accounts()
    done, flown, steps = table.done, list[str](), TRACKER.steps

    def noted_steps(_, turn, battle):
        flown.append(turn.place)
        return steps(turn, battle)

    monkeypatch.setattr(type(TRACKER), "steps", noted_steps)
    for length in range(1, len(done) + 1):
        table.done = done[:length]
        plain = tracked(table.again())
        flown.clear()
        assert tracked(table.again(table.rests())) == plain
        assert len(flown) <= 1, flown
    table.done = done


def test_what_a_restart_plays_on_to_is_journalled_alike():
    table = whole(sealed=True)
    plain, quick = table.again(), table.again(table.rests())
    lines = []
    for campaign in (plain, quick):
        battle = next(ask.id for ask in campaign.open_asks() if ask.kind == "battle")
        closed = campaign.close("deadline", by="clock", at=AT, strand=strand_of(battle), nonce="f" * 32)
        lines.append((closed.line, [json.loads(one.model_dump_json()) for one in closed.reports]))
    assert lines[0] == lines[1]


def test_a_rewind_takes_the_battle_back_and_rolls_other_dice(table: Table):
    begun(table)
    for _ in range(3):
        table.fly()
    to = table.done[-1].entry.seq
    rolled = table.done[-1].rolls
    table.fly(2, 2)
    campaign, back = rewind(Picks(), table.entries, SEED, to=to, by="ref", reason="test", at=AT, tracker=TRACKER)
    assert {ask.id for ask in back.opened} == {ask.id for ask in campaign.open_asks()}
    first = table.done[-1]
    table.note(back)
    table.campaign = campaign
    again = table.fly(2, 2)
    assert rolled
    assert [roll.label for roll in again.rolls] == [roll.label for roll in first.rolls]
    assert tracked(table.again()) == tracked(table.campaign)
    kept = [rest for rest in table.rests() if rest.seq > back.entry.seq]
    assert tracked(table.again(kept)) == tracked(table.campaign)


def test_a_tampered_wish_is_noticed(table: Table):
    begun(table)
    table.fly()
    entries = table.entries
    for at, entry in enumerate(entries):
        if entry.body.kind == "tracking" and entry.body.side == BLUE:
            changed = entry.body.model_copy(update={"wish": "begin late"})
            entries[at] = entry.model_copy(update={"body": changed})
    campaign = Adjudicator(Picks(), entries[0].body, SEED, TRACKER)
    changed_at = next(at for at, entry in enumerate(entries) if entry is not table.entries[at])
    for entry in entries[:changed_at]:
        campaign.repeat(entry)
    with pytest.raises(Diverged):
        campaign.repeat(entries[changed_at])
