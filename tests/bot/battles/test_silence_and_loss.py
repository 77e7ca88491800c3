"""Tracked battles that stall: nobody says anything, or the tracker is another one after a restart."""

from typing import Any

import pytest

from bot.store.repositories.journal import Journal
from bot.store.tables import CampaignRow, DeadlineRow, JournalRow, TrackedRestRow
from bot.verification.export_file import VerifyError
from bot.verification.verify import Verdict, rolls_of, verify
from rules_engine.core.records.journal import JournalEntry, Tracking
from tests.bot.battles.test_battles import BATTLE, to_battle
from tests.bot.battles.test_tracking import BEGIN, HOUR, account, clocks, fly, labels, plot, plots, to_tracked, wish
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.toy import Toy
from tests.toy_tracker import TRACKER

# --- silence ----------------------------------------------------------------------------------------------------------
# a tracked battle in which nobody says anything: its own deadline falls, its tracker waits or is let go of, and the
# thread says so.
DAY = 24 * HOUR
UNAGREED = "The deadline fell without an agreed account"
PAUSED = "Nobody has plotted for 2 pieces"


async def to_battle_of_two_days(here: SimulatedServer) -> str:
    """A tracked battle whose accounts are due in two days, a piece in twelve hours."""
    campaign = await here.begin()
    await here.slash(here.rita, "campaign settings", campaign=campaign, battles="2d")
    for who in (here.ann, here.leo):
        await here.press(who, "Orders for turn 1", "Ready")
    await wish(here, here.ann, "Track from the set-up")
    await wish(here, here.leo, "Agree: track from the set-up")
    return campaign


async def told(here: SimulatedServer) -> str:
    """What the battle's parties and the referee read."""
    return await here.texts("battle:t1") + await here.texts("referee")


def reminders(here: SimulatedServer, who: Any) -> int:
    """How often somebody was reminded of the account."""
    return sum(f"Not ready yet: “{BATTLE}”" in one.content for one in here.dms(who))


async def test_while_one_side_plots_the_battles_own_deadline_moves_quietly(here: SimulatedServer) -> None:
    await to_battle_of_two_days(here)
    for turn in range(1, 11):
        await plot(here, here.ann, turn, 1)
        await here.later(13 * HOUR)
    texts = await told(here)
    assert UNAGREED not in texts
    assert "without an agreed account" not in texts
    assert PAUSED not in texts
    assert "Turn 10 is flown" in texts
    assert ("red", BATTLE) in await here.open_titles()
    assert reminders(here, here.ann) == reminders(here, here.leo) == 0


async def test_where_all_fall_silent_the_tracker_waits_and_the_referee_is_called(here: SimulatedServer) -> None:
    campaign = await to_battle_of_two_days(here)
    await here.later(13 * HOUR)
    assert PAUSED not in await told(here)
    await here.later(13 * HOUR)
    texts = await here.texts("battle:t1")
    assert texts.count(PAUSED) == 1
    assert "Turn 2 is flown" in texts
    own = next(strand for strand in await clocks(here) if strand)
    assert (await clocks(here))[own] is None
    assert "closes <t:" not in here.prompt(here.ann, "Plot of turn 3").content
    assert UNAGREED not in await here.texts("referee")
    await here.later(14 * HOUR)
    assert reminders(here, here.ann) == reminders(here, here.leo) == 1
    await here.later(10 * HOUR)
    assert UNAGREED in await here.texts("referee")
    assert "The deadline has passed without an agreed account" in await here.texts("battle:t1")
    assert "Turn 3 is flown" not in await here.texts("battle:t1"), "it coasts no longer"
    assert (await here.texts("battle:t1")).count(PAUSED) == 1
    late = said(await here.slash(here.rita, "referee late", campaign=campaign))
    assert BATTLE in late
    assert "Plot of turn 3" not in late
    assert "1 battle being played" in said(await here.slash(here.rita, "referee status", campaign=campaign))
    await account(here, here.ann, "4", "2")
    await here.later(2 * DAY)
    assert "Battle: 4 to 2." in await here.texts("public"), "the one account that was sent stands"


async def test_one_word_lets_it_go_on_and_the_deadline_moves_quietly_again(here: SimulatedServer) -> None:
    await to_battle_of_two_days(here)
    await here.later(13 * HOUR)
    await here.later(13 * HOUR)
    assert "Let the clock run" in await labels(here, here.leo)
    await wish(here, here.leo, "Let the clock run")
    own = next(strand for strand in await clocks(here) if strand)
    assert (await clocks(here))[own] is not None
    for turn in range(3, 8):
        await plot(here, here.leo, turn, 1)
        await here.later(13 * HOUR)
    texts = await told(here)
    assert UNAGREED not in texts
    assert texts.count(PAUSED) == 1
    await here.later(13 * HOUR)
    await here.later(13 * HOUR)
    assert (await here.texts("battle:t1")).count(PAUSED) == 2


async def test_plots_of_all_let_it_go_on(here: SimulatedServer) -> None:
    await to_battle_of_two_days(here)
    await here.later(13 * HOUR)
    await here.later(13 * HOUR)
    await plot(here, here.ann, 3, 1)
    await plot(here, here.leo, 3, 1)
    assert "Turn 3 is flown: 2." in await here.texts("battle:t1")
    own = next(strand for strand in await clocks(here) if strand)
    assert (await clocks(here))[own] is not None


async def test_a_battle_that_its_parties_pause_is_waited_for_as_without_a_tracker(here: SimulatedServer) -> None:
    await to_battle_of_two_days(here)
    await wish(here, here.ann, "Stop the clock")
    await wish(here, here.leo, "Agree: stop the clock")
    await here.later(2 * DAY + HOUR)
    assert UNAGREED in await here.texts("referee")


async def test_the_silence_is_counted_on_through_a_restart(here: SimulatedServer) -> None:
    await to_battle_of_two_days(here)
    await here.later(13 * HOUR)
    await here.restart()
    await here.later(13 * HOUR)
    assert (await here.texts("battle:t1")).count(PAUSED) == 1
    await here.restart()
    await here.later(13 * HOUR)
    assert "Turn 3 is flown" not in await here.texts("battle:t1")
    await wish(here, here.ann, "Let the clock run")
    await plot(here, here.leo, 3, 2)
    await plot(here, here.ann, 3, 2)
    assert "Turn 3 is flown: 4." in await here.texts("battle:t1")


def _asks_again(self: Any, turn: Any, battle: Any) -> Any:
    """It must know something first, and asks until somebody says it."""
    answers = yield from turn.ask_all_steps([self._ask(turn.state, side) for side in turn.in_play])
    turn.state.place += sum(line.by for answer in answers for line in answer.root.values())


async def test_a_battle_taken_up_late_of_which_nobody_says_anything_is_let_go_of(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(TRACKER), "steps", _asks_again)
    await to_battle(here)
    await wish(here, here.ann, "Track from here on")
    await wish(here, here.leo, "Agree: track from here on")
    before = len(here.dms(here.ann))
    await here.later(13 * HOUR)
    texts = await here.texts("battle:t1")
    assert texts.count("Nobody has said where the units are, so this battle is not tracked.") == 1
    assert "no longer tracked" not in texts
    assert await plots(here) == []
    assert list(await clocks(here)) == [""]
    assert len(here.dms(here.ann)) == before, "what is let go of is not asked anew"
    assert BATTLE in str(await here.open_titles())
    assert "Track from here on" in await labels(here, here.leo)


async def test_an_extension_moves_no_pieces_of_battles(here: SimulatedServer) -> None:
    campaign = await to_tracked(here)
    before = await clocks(here)
    own = next(strand for strand in before if strand)
    await here.slash(here.rita, "referee extend", campaign=campaign, by="5h")
    after = await clocks(here)
    assert (after[""] - before[""]).total_seconds() == 5 * HOUR
    assert after[own] == before[own]
    assert len(await here.rows(DeadlineRow.strand)) == 2


# --- lost battles -----------------------------------------------------------------------------------------------------
# the bot is started anew with another tracker, by which a running battle does not come out again: that battle goes on
# by hand, its parties are told once, and nothing else is held up.
STEPS = TRACKER.steps
LOST = "**This battle is no longer tracked**: the bot was changed meanwhile"


def fails(_: Any, turn: Any, battle: Any) -> Any:
    raise ZeroDivisionError("another version, that cannot go on")


async def started_anew(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch, steps: Any = fails) -> None:
    """The bot is stopped, and another version started."""
    monkeypatch.setattr(type(TRACKER), "steps", steps)
    await here.restart()


async def told_in_thread(here: SimulatedServer) -> int:
    """How often it was said in the battle's thread."""
    return (await here.texts("battle:t1")).count(LOST)


async def is_let_go_of(here: SimulatedServer) -> None:
    """The parties were told once, cards and clocks of the tracker are gone, and the campaign is not halted."""
    assert await told_in_thread(here) == 1
    assert await plots(here) == []
    assert list(await clocks(here)) == [""]
    assert await here.rows(CampaignRow.status) == ["running"]
    assert "halted" not in await here.texts("public") + await here.texts("referee")
    assert ("red", BATTLE) in await here.open_titles()
    entries = map(JournalEntry.model_validate_json, await here.rows(JournalRow.entry, JournalRow.kind == "tracking"))
    bodies = [one.body for one in entries if isinstance(one.body, Tracking) and one.body.lost]
    assert [(one.by, one.side, one.wish) for one in bodies] == [("clock", "", "drop")]


async def test_whoever_comes_first_finds_it_let_go_of_and_goes_on_by_hand(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await to_tracked(here)
    await fly(here, 1)
    await plot(here, here.ann, 2, 5)
    others = [await here.texts(place) for place in ("public", "referee")]
    card = here.prompt(here.leo, "Plot of turn 2")
    await started_anew(here, monkeypatch)
    assert await told_in_thread(here) == 0
    await here.leo.user.click(card, label="Ready")
    await is_let_go_of(here)
    assert [await here.texts(place) for place in ("public", "referee")] == others
    await here.restart()
    for who in (here.ann, here.leo):
        await account(here, who, "4", "2")
    assert "Battle: 4 to 2." in await here.texts("public")
    assert await told_in_thread(here) == 1


async def test_where_nobody_comes_the_clock_finds_it(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    await to_tracked(here)
    await fly(here, 1)
    await started_anew(here, monkeypatch)
    await here.later(13 * 3600.0)
    await is_let_go_of(here)


async def test_it_is_tracked_anew_from_there(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    await to_tracked(here)
    await fly(here, 1)
    await started_anew(here, monkeypatch)
    await here.slash(here.ann, "tracker", at=await here.channel("battle:t1"))
    await is_let_go_of(here)
    monkeypatch.setattr(type(TRACKER), "steps", STEPS)
    await wish(here, here.ann, BEGIN)
    await wish(here, here.leo, f"Agree: {BEGIN.lower()}")
    await fly(here, 1, 3, 3)
    assert "Turn 1 is flown: 6." in await here.texts("battle:t1")
    await here.restart()
    await fly(here, 2, 3, 3)
    assert "Turn 2 is flown: 12." in await here.texts("battle:t1")
    assert await told_in_thread(here) == 1


async def test_a_rest_that_cannot_be_read_is_no_harm(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    await to_tracked(here)
    await fly(here, 1)
    model = TRACKER.state_model
    assert await here.rows(TrackedRestRow.ask)
    asked: list[Any] = []

    def from_json(document: Any) -> Any:
        asked.append(document)
        if document["turn"]:
            raise KeyError("another state")
        return read(document)

    read = model.from_json
    monkeypatch.setattr(model, "from_json", from_json)
    await here.restart()
    await fly(here, 2, 5, 5)
    assert "Turn 2 is flown: 13." in await here.texts("battle:t1")
    assert [one for one in asked if one["turn"]]
    assert await told_in_thread(here) == 0


async def test_one_that_ended_long_ago_cannot_halt_anything(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch):
    await to_tracked(here)
    await fly(here, 1)
    for who in (here.ann, here.leo):
        await account(here, who, "4", "2")
    # Without the snapshot of the turn's end all is played again.
    monkeypatch.setattr(Journal, "latest_snapshot", _none)
    await started_anew(here, monkeypatch)
    assert "halted" not in said(await here.slash(here.ann, "map"))
    assert await here.rows(CampaignRow.status) == ["running"]
    assert await told_in_thread(here) == 0


async def verified(here: SimulatedServer) -> Verdict:
    """What is said of the record as it stands."""
    (campaign,) = await here.rows(CampaignRow.id)
    async with here.store.read() as tx:
        entries, source = await tx.journal.entries(campaign), await tx.campaigns.source(campaign)
    verdict = verify(entries, source.seed)
    rolled = sum(1 for _ in rolls_of(entries, source.seed, verdict.passing))
    assert verdict.passing or rolled == verdict.rolls
    return verdict


def said_of_tracker(verdict: Verdict) -> list[str]:
    """The sentences of a verdict about trackers."""
    return [one for one in verdict.proves if "tracker" in one]


async def test_verify_says_which_tracker_does_not_play_back_and_that_all_else_holds(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await to_tracked(here)
    for turn in (1, 2, 3):
        await fly(here, turn)
    assert said_of_tracker(await verified(here)) == []
    monkeypatch.setattr(type(TRACKER), "steps", fails)
    with pytest.raises(VerifyError, match="cannot be repeated: RuleFailure") as wrong:
        await verified(here)  # the same version must play it
    monkeypatch.setattr(type(TRACKER), "version", "toy-tracker-2")
    (line,) = said_of_tracker(await verified(here))
    assert line.startswith(
        f"The tracker of “Battle of turn 1” does not play back with this version of the bot (entry {wrong.value.seq}: "
    )
    assert "begun with version toy-tracker-1" in line
    assert line.endswith("and all else holds.")


async def test_verify_of_a_record_in_which_it_was_let_go_of(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch):
    await to_tracked(here)
    await fly(here, 1)
    with monkeypatch.context() as changed:
        await started_anew(here, changed)
        for who in (here.ann, here.leo):
            await account(here, who, "4", "2")
        verdict = await verified(here)
        assert len(said_of_tracker(verdict)) == 1
        assert "just as it is recorded, but for what is named next." in verdict.proves[0]
    again = await verified(here)
    assert said_of_tracker(again) == [], "the version that flew it plays it"
    assert again.turns == verdict.turns


async def _none(*_: Any, **__: Any) -> None:
    return None


async def test_play_that_does_not_come_out_again_still_halts(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch):
    await to_tracked(here)
    await fly(here, 1)
    own = Toy.turn_steps

    def turn_steps(book: Toy, table: Any) -> Any:
        table.tell_all("Another version.")
        yield from own(book, table)

    monkeypatch.setattr(Toy, "turn_steps", turn_steps)
    await here.restart()
    assert "This campaign is halted" in said(await here.slash(here.ann, "tracker", at=await here.channel("battle:t1")))
    assert await here.rows(CampaignRow.status) == ["halted"]
    assert await told_in_thread(here) == 0
