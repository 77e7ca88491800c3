"""A battle that is tracked: begun by both, plotted by cards, with its own clock; paused, undone, dropped, ended."""

from typing import Any

import pytest

from bot.recording.battle_threads import OVER
from bot.store.tables import BulletinRow, DeadlineRow, TrackedRestRow
from tests import toy_tracker
from tests.bot.battles.test_battles import BATTLE, to_battle
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.message_words import pressable
from tests.toy_tracker import TRACKER

TOYS = "Battle of the toys"
HOUR = 3600.0
SHEET = f"## {BATTLE}"
"""How the card of an account begins; plots name the battle, too."""
BEGIN = "Track from the set-up"


async def looked(here: SimulatedServer, who: Any) -> Any:
    """The tracker's card, as somebody gets it in the battle's thread."""
    shown = await here.slash(who, "tracker", at=await here.channel("battle:t1"))
    assert shown.response is not None, said(shown)
    return shown.response


async def labels(here: SimulatedServer, who: Any) -> list[str]:
    """What the tracker's card offers somebody."""
    return [one["label"] for one in pressable(await looked(here, who))]


async def wish(here: SimulatedServer, who: Any, label: str) -> Any:
    """Press a button of the tracker's card."""
    return await who.click(await looked(here, who), label=label)


async def drop(here: SimulatedServer, who: Any) -> Any:
    """Go on by hand, and say yes when asked."""
    return await who.click((await wish(here, who, "Go on by hand")).response, label="Yes, go on by hand")


async def to_tracked(here: SimulatedServer) -> str:
    """A battle that both have wished to be tracked."""
    campaign = await to_battle(here)
    await wish(here, here.ann, BEGIN)
    await wish(here, here.leo, f"Agree: {BEGIN.lower()}")
    return campaign


async def plot(here: SimulatedServer, who: Any, turn: int, by: int) -> None:
    """Fill in a plot and be ready."""
    await here.fill(who, f"Plot of turn {turn}", "0.0", f0=str(by))
    await here.press(who, f"Plot of turn {turn}", "Ready")


async def account(here: SimulatedServer, who: Any, red: str, blue: str) -> None:
    """Fill in an account and send it."""
    await here.fill(who, SHEET, "0.0", f0=red, f1=blue)
    await here.press(who, SHEET, "Send this account")


async def fly(here: SimulatedServer, turn: int, red: int = 1, blue: int = 2) -> None:
    """Both plot a turn."""
    await plot(here, here.ann, turn, red)
    await plot(here, here.leo, turn, blue)


async def pictures(here: SimulatedServer) -> list[Any]:
    """All files of the battle's thread that are pictures."""
    thread = await here.channel("battle:t1")
    return [file for one in thread.history() for file in one.attachments if file.filename.endswith(".png")]


async def plots(here: SimulatedServer) -> list[tuple[str, str]]:
    """The plots that are open, with their sides."""
    before = f"{TOYS} · "
    return [(side, title.removeprefix(before)) for side, title in await here.open_titles() if title.startswith(before)]


async def clocks(here: SimulatedServer) -> dict[str, Any]:
    """When each strand's deadline falls, by its strand."""
    strands = await here.rows(DeadlineRow.strand)
    return {one: (await here.rows(DeadlineRow.falls_at, DeadlineRow.strand == one))[0] for one in strands}


async def others_places(here: SimulatedServer) -> tuple[Any, ...]:
    """All that reaches who is not in the battle: in public, with the referee, and in others' messages."""
    told = [await here.texts(place) for place in ("public", "referee")]
    return (*told, *[len(here.dms(who)) for who in (here.sam, here.rita)], await here.rows(BulletinRow.token))


# --- begun ------------------------------------------------------------------------------------------------------------
async def test_it_is_begun_once_all_want_it(here: SimulatedServer) -> None:
    await to_battle(here)
    assert await labels(here, here.ann) == [BEGIN, "Track from here on"]
    await wish(here, here.ann, BEGIN)
    assert "Red Fleet wants to track this battle from its set-up" in await here.texts("battle:t1")
    assert await plots(here) == []
    assert f"No longer: {BEGIN.lower()}" in await labels(here, here.ann)
    await wish(here, here.leo, f"Agree: {BEGIN.lower()}")
    assert "**This battle is tracked.**" in await here.texts("battle:t1")
    assert await plots(here) == [("blue", "Plot of turn 1"), ("red", "Plot of turn 1")]
    assert f"__{TOYS}__" in here.prompt(here.ann, "Plot of turn 1").content


async def test_a_wish_is_taken_back(here: SimulatedServer) -> None:
    await to_battle(here)
    await wish(here, here.ann, BEGIN)
    await wish(here, here.ann, f"No longer: {BEGIN.lower()}")
    assert "no longer wants to track" in await here.texts("battle:t1")
    assert BEGIN in await labels(here, here.leo)


async def test_one_presses_agree_in_the_thread(here: SimulatedServer) -> None:
    await to_battle(here)
    await wish(here, here.ann, BEGIN)
    posted = (await here.channel("battle:t1")).history()[-1]
    await here.leo.click(posted, label=f"Agree: {BEGIN.lower()}")
    assert len(await plots(here)) == 2
    before = await here.fingerprint()
    again = await here.leo.click(posted, label=f"Agree: {BEGIN.lower()}")
    assert await here.fingerprint() == before, said(again)


async def test_where_it_is_usual_it_begins_with_the_battle(game: SimulatedServer) -> None:
    changed = said(await game.slash(game.rita, "campaign settings", campaign=game.campaign, tracker="usual", pieces=4))
    assert "Battles are tracked, a turn in 4 pieces of 12 hours." in changed
    for who in (game.ann, game.leo):
        await game.press(who, "Orders for turn 1", "Ready")
    assert len(await plots(game)) == 2


async def test_where_it_is_off_nobody_begins_it(here: SimulatedServer) -> None:
    await to_battle(here)
    card = await looked(here, here.ann)
    await here.slash(here.rita, "campaign settings", tracker="off")
    assert "not tracked in this campaign" in said(await here.ann.click(card, label=BEGIN))
    assert await labels(here, here.ann) == []


# --- flown ------------------------------------------------------------------------------------------------------------
async def test_a_piece_is_told_in_the_thread_once_with_a_picture_and_own_things_to_their_side(here: SimulatedServer):
    await to_tracked(here)
    before = len(await pictures(here))
    await fly(here, 1)
    texts = await here.texts("battle:t1")
    assert texts.count("Turn 1 is flown: 3.") == 1
    made = await pictures(here)
    assert len(made) == before + 1
    assert made[-1].description, "it has its words"
    assert "Your Rover hums." in await here.texts("side:red")
    assert "Your Rover hums." not in texts + await here.texts("side:blue") + await here.texts("public")
    assert "Turn 1 is flown" not in await here.texts("side:red") + await here.texts("side:blue")
    assert await plots(here) == [("blue", "Plot of turn 2"), ("red", "Plot of turn 2")]


async def test_nothing_of_it_reaches_who_is_not_in_it(here: SimulatedServer) -> None:
    campaign = await to_battle(here)
    before = await others_places(here)
    status = said(await here.slash(here.sam, "campaign status", campaign=campaign))
    for who, label in ((here.ann, BEGIN), (here.leo, f"Agree: {BEGIN.lower()}")):
        await wish(here, who, label)
    await fly(here, 1)
    await here.later(13 * HOUR)
    await drop(here, here.ann)
    assert await others_places(here) == before
    assert said(await here.slash(here.sam, "campaign status", campaign=campaign)) == status
    for who in (here.sam, here.rita, here.zoe):
        assert "tracked" not in said(await here.slash(who, "tracker", campaign=campaign))


async def test_a_piece_has_a_clock_of_its_own_and_silence_takes_the_default(here: SimulatedServer) -> None:
    await to_tracked(here)
    own = next(strand for strand in await clocks(here) if strand)
    before = (await clocks(here))[""]
    await plot(here, here.ann, 1, 4)
    await here.later(13 * HOUR)
    assert "Turn 1 is flown: 4." in await here.texts("battle:t1")
    assert len(await plots(here)) == 2
    assert (await clocks(here))[""] == before
    assert (await clocks(here))[own] > here.now()


async def test_it_goes_on_when_all_are_ready_where_other_sheets_wait_for_their_deadlines(game: SimulatedServer) -> None:
    await game.slash(game.rita, "campaign settings", campaign=game.campaign, early=False)
    await game.later(25 * HOUR)
    await wish(game, game.ann, BEGIN)
    await wish(game, game.leo, f"Agree: {BEGIN.lower()}")
    await fly(game, 1)
    assert "Turn 1 is flown: 3." in await game.texts("battle:t1")


# --- stopped, taken back, dropped -------------------------------------------------------------------------------------
async def test_a_pause_lifts_the_deadline_until_one_lets_it_run(here: SimulatedServer) -> None:
    await to_tracked(here)
    await wish(here, here.ann, "Stop the clock")
    await wish(here, here.leo, "Agree: stop the clock")
    own = next(strand for strand in await clocks(here) if strand)
    assert (await clocks(here))[own] is None
    assert "The clock stands still" in here.prompt(here.ann, "Plot of turn 1").content
    await here.later(30 * HOUR)
    assert len(await plots(here)) == 2
    assert "Turn 1 is flown" not in await here.texts("battle:t1")
    await wish(here, here.leo, "Let the clock run")
    assert (await clocks(here))[own] is not None
    assert "The clock stands still" not in here.prompt(here.ann, "Plot of turn 1").content
    await here.later(13 * HOUR)
    assert "Turn 1 is flown: 0." in await here.texts("battle:t1")


async def test_the_last_piece_is_taken_back_when_all_want_it(here: SimulatedServer) -> None:
    await to_tracked(here)
    assert "Take back the last piece" not in await labels(here, here.ann)
    await fly(here, 1)
    await wish(here, here.ann, "Take back the last piece")
    await wish(here, here.leo, "Agree: take back the last piece")
    assert "**The last piece is taken back.**" in await here.texts("battle:t1")
    assert await plots(here) == [("blue", "Plot of turn 1"), ("red", "Plot of turn 1")]
    await fly(here, 1, 4, 4)
    assert "Turn 1 is flown: 8." in await here.texts("battle:t1")


async def test_one_alone_drops_it_when_asked_again_and_its_cards_and_clocks_are_gone(here: SimulatedServer) -> None:
    await to_tracked(here)
    await fly(here, 1)
    asked = await wish(here, here.leo, "Go on by hand")
    assert len(await plots(here)) == 2, "not before it is said twice"
    await here.leo.click(asked.response, label="Yes, go on by hand")
    assert "**This battle is no longer tracked.** Go on by hand" in await here.texts("battle:t1")
    assert await plots(here) == []
    assert list(await clocks(here)) == [""]
    for who in (here.ann, here.leo):
        await account(here, who, "4", "2")
    assert "Battle: 4 to 2." in await here.texts("public")


async def test_when_the_battle_ends_so_does_its_tracker(here: SimulatedServer) -> None:
    await to_tracked(here)
    await fly(here, 1)
    for who in (here.ann, here.leo):
        await account(here, who, "4", "2")
    assert (await here.channel("battle:t1")).history()[-1].content.startswith(OVER)
    assert await plots(here) == []
    assert list(await clocks(here)) == [""]
    assert await here.rows(TrackedRestRow.ask) == []
    assert "No battle of yours can be tracked now." in said(await here.slash(here.ann, "tracker"))


# --- restart, map, account --------------------------------------------------------------------------------------------
async def test_it_goes_on_after_a_restart_where_it_rested(here: SimulatedServer) -> None:
    await to_tracked(here)
    await fly(here, 1)
    await plot(here, here.ann, 2, 5)
    assert len(await here.rows(TrackedRestRow.ask)) == 1
    await here.restart()
    await plot(here, here.leo, 2, 5)
    assert "Turn 2 is flown: 13." in await here.texts("battle:t1")
    assert len(await here.rows(TrackedRestRow.ask)) == 1


async def test_the_map_in_its_thread_is_the_battle_as_its_reader_sees_it(here: SimulatedServer) -> None:
    campaign = await to_tracked(here)
    thread = await here.channel("battle:t1")
    assert "for red" in said(await here.slash(here.ann, "map", at=thread))
    assert "for blue" in said(await here.slash(here.leo, "map", at=thread))
    assert "for red" not in said(await here.slash(here.ann, "map", campaign=campaign))
    await drop(here, here.ann)
    assert "for red" not in said(await here.slash(here.ann, "map", at=thread))


async def test_the_account_is_filled_in_and_stays_the_sides_own(here: SimulatedServer) -> None:
    await to_tracked(here)
    await fly(here, 1)
    before = await here.journal()
    assert "Red Fleet: ships left: 1" in said(await wish(here, here.ann, "Fill in my account"))
    assert await here.journal() == before, "nothing is sent by it"
    for who in (here.ann, here.leo):
        await account(here, who, "3", "2")
    assert "Battle: 3 to 2." in await here.texts("public"), "it is what the sides agree, whatever was counted"


async def test_once_all_is_flown_accounts_that_nobody_has_begun_come_filled_in(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toy_tracker, "LAST_TURN", 2)
    await to_tracked(here)
    await here.fill(here.ann, SHEET, "0.0", f0="4", f1="4")
    for turn in (1, 2):
        assert "Nothing saved yet" in here.prompt(here.leo, SHEET).content
        await fly(here, turn)
    assert "filled in where you had not begun" in await here.texts("battle:t1")
    in_part = "Filled in in part, and not sent yet."
    assert in_part in here.prompt(here.leo, SHEET).content
    assert "4" in here.prompt(here.ann, SHEET).content.partition("Filled in, not sent yet")[2], "hers stays hers"
    # What is taken back was not counted, and is counted anew.
    await wish(here, here.ann, "Take back the last piece")
    await wish(here, here.leo, "Agree: take back the last piece")
    assert "Nothing saved yet" in here.prompt(here.leo, SHEET).content
    await fly(here, 2)
    assert in_part in here.prompt(here.leo, SHEET).content
    await here.fill(here.leo, SHEET, "0.0", f1="3")
    assert "Red Fleet: ships left: 2; Blue Fleet: ships left: 3" in here.prompt(here.leo, SHEET).content
    assert "sent its account" not in await here.texts("battle:t1"), "nothing is sent by it"


async def test_filling_in_by_the_button_shows_on_the_card_in_direct_messages(here: SimulatedServer) -> None:
    await to_tracked(here)
    await fly(here, 1)
    await wish(here, here.ann, "Fill in my account")
    assert "Not sent: the sheet is not whole yet" in here.prompt(here.ann, SHEET).content
    assert "Nothing saved yet" in here.prompt(here.leo, SHEET).content


# --- a tracker that fails ---------------------------------------------------------------------------------------------
def _fails(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError("the tracker breaks on purpose")


async def test_a_tracker_that_fails_is_let_go_of_and_holds_nothing_up(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await to_tracked(here)
    await plot(here, here.ann, 1, 1)
    steps = TRACKER.steps

    def fails_later(_: Any, turn: Any, battle: Any) -> Any:
        return _fails() if turn.state.turn else steps(turn, battle)

    monkeypatch.setattr(type(TRACKER), "steps", fails_later)
    await plot(here, here.leo, 1, 2)
    assert "no longer tracked" in await here.texts("battle:t1")
    assert "halted" not in await here.texts("public")
    assert await plots(here) == []
    assert ("red", BATTLE) in await here.open_titles()


async def test_one_that_cannot_begin_changes_nothing(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(TRACKER), "steps", _fails)
    await to_battle(here)
    await wish(here, here.ann, BEGIN)
    assert "The tracker failed" in said(await wish(here, here.leo, f"Agree: {BEGIN.lower()}"))
    assert ("red", BATTLE) in await here.open_titles()
    assert await plots(here) == []


async def test_where_it_is_usual_and_cannot_begin_the_battle_is_fought_by_hand(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(TRACKER), "steps", _fails)
    campaign = await here.begin()
    await here.slash(here.rita, "campaign settings", campaign=campaign, tracker="usual")
    for who in (here.ann, here.leo):
        await here.press(who, "Orders for turn 1", "Ready")
    assert ("red", BATTLE) in await here.open_titles()
    assert await plots(here) == []
