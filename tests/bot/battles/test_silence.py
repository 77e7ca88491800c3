"""A tracked battle in which nobody says anything: its own deadline falls, its tracker waits or is let go of, and the
thread says so."""

from typing import Any

import pytest

from bot.store.tables import DeadlineRow
from tests.bot.battles.test_battles import BATTLE, to_battle
from tests.bot.battles.test_tracking import HOUR, account, clocks, labels, plot, plots, to_tracked, wish
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.toy_tracker import TRACKER

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
