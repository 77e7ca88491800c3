"""What the referee of a campaign does, and the referee's desk."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from bot.cards import frame_sizes, frames
from bot.cards.frame_sizes import words_of as texts_of
from bot.interactions.desk.cards import desk_card
from bot.store.tables import CampaignRow, DeadlineRow, JournalRow
from map_render.desk.strip import MOST_ROWS
from rules_engine.core.basics.base import SideLabel
from rules_engine.core.records.journal import Closed, write_entry
from tests.bot.battles.test_battles import account, to_battle
from tests.bot.worlds.simulated_server import SimulatedServer, message_of, said
from tests.expected.words import has_words
from tests.message_words import pressable, words_of


async def test_a_pause_keeps_the_time_that_is_left(game: SimulatedServer) -> None:
    await game.later(3600)
    await game.slash(game.rita, "referee pause", reason="Holidays.")
    assert await game.running_until() is None
    assert "is paused; the clock stands still. Holidays." in await game.texts("public")
    await game.later(50 * 3600)
    assert await game.journal() == ["genesis", "seated", "remarked"]
    assert "The campaign is paused" in said(await game.press(game.ann, "Orders for turn 1", "Ready"))
    await game.slash(game.rita, "referee resume")
    falls_at = await game.falls_at()
    assert 22.9 < (falls_at - game.now()).total_seconds() / 3600 < 23.1


async def test_extending_moves_the_deadline_and_says_so(game: SimulatedServer) -> None:
    before = await game.falls_at()
    await game.slash(game.rita, "referee extend", by="12h")
    after = await game.falls_at()
    assert before is not None
    assert after is not None
    assert (after - before).total_seconds() == 12 * 3600
    assert "The deadline moves to" in await game.texts("public")
    assert "at most 504 hours" in said(await game.slash(game.rita, "referee extend", by="9w"))


async def test_resolving_now_takes_defaults(game: SimulatedServer) -> None:
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7")
    listed = await game.slash(game.rita, "referee resolve-now")
    has_words(said(listed), "• Red Fleet: Orders for turn 1, Missions", "• Blue Fleet: Orders for turn 1, Missions")
    assert await game.journal() == ["genesis", "seated", "answered"], "nothing is closed before it is confirmed"
    assert "play has gone on" in said(await game.rita.click(message_of(listed), label="Close now"))
    assert await game.open_titles() == [("red", "The spoils")]
    assert "The referee closed the open sheets before their deadline." in await game.texts("public")


async def test_only_what_was_listed_is_closed(game: SimulatedServer) -> None:
    listed = await game.slash(game.rita, "referee resolve-now")
    assert listed.response is not None
    await game.press(game.ann, "Orders for turn 1", "Ready")
    await game.press(game.leo, "Orders for turn 1", "Ready")
    before = await game.open_titles()
    assert "Play has gone on since this was listed" in said(await game.rita.click(listed.response, label="Close now"))
    assert await game.open_titles() == before


async def test_open_cards_follow_the_clock(game: SimulatedServer) -> None:
    first = await game.falls_at()
    assert f"Closes <t:{int(first.timestamp())}:R>" in game.prompt(game.ann, "Orders for turn 1").content
    await game.slash(game.rita, "referee extend", by="3h")
    later = f"Closes <t:{int(first.timestamp()) + 3 * 3600}:R>"
    for who in (game.ann, game.leo):
        assert later in game.prompt(who, "Orders for turn 1").content
    await game.slash(game.rita, "referee pause")
    assert "⏸️ The clock stands still." in game.prompt(game.ann, "Orders for turn 1").content
    await game.slash(game.rita, "referee resume")
    assert "Closes <t:" in game.prompt(game.ann, "Orders for turn 1").content


async def test_changed_deadlines_are_on_the_record_of_a_campaign_under_way(game: SimulatedServer) -> None:
    await game.slash(game.rita, "campaign settings", orders="2h")
    assert await game.journal() == ["genesis", "seated", "remarked"]
    assert "From the next deadline on: Orders: 2 hours." in await game.texts("public")


async def test_settings_that_hold_already_are_said_to_the_referee_and_written_and_told_nobody_again(
    game: SimulatedServer,
) -> None:
    await game.slash(game.rita, "campaign settings", orders="2h")
    told = await game.texts("public")
    again = await game.slash(game.rita, "campaign settings", orders="2h")
    assert "From the next deadline on. Orders: 2 hours." in said(again)
    assert await game.journal() == ["genesis", "seated", "remarked"]
    assert await game.texts("public") == told


async def test_open_cards_show_a_deadline_that_moved_while_the_bot_was_down(
    game: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await game.falls_at()

    async def no_last_sign() -> None:
        """It was killed."""

    monkeypatch.setattr(game.bot.deadlines, "_sign_of_life", no_last_sign)
    hour_ago = game.bot.services.runtime.now() - timedelta(hours=1)
    async with game.store.write() as tx:
        await tx.installation.sign_of_life(hour_ago)
    await game.restart()
    await game.later(1)
    later = await game.falls_at()
    assert 3590 < (later - first).total_seconds() < 3610
    for who in (game.ann, game.leo):
        assert f"Closes <t:{int(later.timestamp())}:R>" in game.prompt(who, "Orders for turn 1").content


async def test_what_was_refused_is_still_said_when_the_clock_moves(game: SimulatedServer) -> None:
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="2", f1=["bold"])
    await game.slash(game.rita, "referee extend", by="3h")
    content = game.prompt(game.ann, "Orders for turn 1").content
    has_words(content, "a bold fleet names 3 or more (Toy 1.3)", "This does not count; nothing was changed.")
    assert "names 3 or more" not in game.prompt(game.leo, "Orders for turn 1").content


async def test_where_one_may_go_back_to_is_offered(game: SimulatedServer) -> None:
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7")
    await game.resolve_now()
    offered = await game.rita.autocomplete(game.hall, "referee rewind", "to", "")
    assert [(one["name"], one["value"]) for one in offered] == [("4: Turn 1", "4"), ("1", "1")]
    for who in (game.ann, game.sam, game.zoe):
        assert await who.autocomplete(game.hall, "referee rewind", "to", "") == []
    assert "Give the number" in said(await game.slash(game.rita, "referee rewind", to="turn 1"))


async def test_a_rewind_first_lists_who_has_seen_what_and_then_asks_why(game: SimulatedServer) -> None:
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7")
    await game.resolve_now()
    listed = await game.slash(game.rita, "referee rewind", to="1")
    has_words(said(listed), "undoes 3 entries of the journal", "everybody: 1 report")
    asked = await game.rita.click(message_of(listed), label="Go back to entry 1 …")
    await game.submit(game.rita, asked, text="A wrong map was posted.")
    assert (await game.journal())[-1] == "rewound"
    assert "A wrong map was posted." in await game.texts("public")
    offered = await game.rita.autocomplete(game.hall, "referee rewind", "to", "")
    assert [one["value"] for one in offered] == ["5", "1"], "what was cut off is no place to go back to"
    assert ("red", "Orders for turn 1") in await game.open_titles()
    assert "told nothing yet" in said(await game.slash(game.ann, "log"))
    # Play goes on from there.
    await game.fill(game.leo, "Orders for turn 1", "0.0", f0="9")
    await game.resolve_now()
    assert await game.open_titles() == [("blue", "The spoils")]
    await game.restart()
    assert "Blue Fleet named the higher number." in said(await game.slash(game.ann, "log"))


async def test_a_rewind_lists_what_one_side_alone_has_been_told(game: SimulatedServer) -> None:
    spy = await game.token("red", "missions")
    await game.bot.services.orders.filling.fill(spy, game.ann.user.id, {"spy": {"send": True}})
    await game.fill(game.leo, "Orders for turn 1", "0.0", f0="7")
    await game.resolve_now()
    listed = said(await game.slash(game.rita, "referee rewind", to="1"))
    assert "• Red Fleet: 1 report, such as “Our spy reports: Blue Fleet named 7.”" in listed
    assert "• Blue Fleet" not in listed
    assert "everybody: 1 report\n" in listed


async def test_a_rewind_is_not_done_when_more_has_happened_since(game: SimulatedServer) -> None:
    listed = await game.slash(game.rita, "referee rewind", to="1")
    asked = await game.rita.click(message_of(listed), label="Go back to entry 1 …")
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7")
    assert "More has happened since this was listed" in said(await game.submit(game.rita, asked, text="why"))
    assert await game.journal() == ["genesis", "seated", "answered"]


async def test_a_rewind_to_nowhere_names_the_nearest_entry(game: SimulatedServer) -> None:
    assert "the nearest is 2" in said(await game.slash(game.rita, "referee rewind", to="99"))


async def test_the_export_is_for_a_referee_who_plays_no_side_and_for_all_at_the_end(game: SimulatedServer) -> None:
    result = await game.slash(game.rita, "referee export")
    (file,) = (result.followups or [result.response])[0].attachments  # type: ignore[union-attr]
    entries = [json.loads(line) for line in (await file.read()).decode().splitlines()]
    assert [entry["body"]["kind"] for entry in entries] == ["genesis", "seated"]
    assert "Only" in said(await game.slash(game.zoe, "referee export", campaign=(await game.rows(CampaignRow.id))[0]))
    for turn in (1, 2, 3):
        await game.fill(game.ann, f"Orders for turn {turn}", "0.0", f0="7")
        await game.resolve_now()
        await game.resolve_now()
    assert (await game.rows(CampaignRow.status)) == ["ended"]
    assert "The campaign is over" in await game.texts("public")
    assert await game.rows(DeadlineRow.opened_seq) == []
    result = await game.slash(game.ann, "referee export")
    (file,) = (result.followups or [result.response])[0].attachments  # type: ignore[union-attr]
    assert json.loads((await file.read()).decode().splitlines()[-1])["body"]["kind"] == "revealed"


async def test_a_campaign_that_cannot_be_replayed_halts_alone_and_says_so(game: SimulatedServer) -> None:
    async with game.store.write() as tx:
        from sqlalchemy import text

        sql = text("UPDATE journal SET entry = replace(entry, 'First Duel', 'Other Duel') WHERE seq = 1")
        await tx.connection.execute(sql)
    await game.restart()
    assert "This campaign is halted" in said(await game.press(game.ann, "Orders for turn 1", "Ready"))
    assert "**This campaign is halted.** Its record does not play back as it was played; entry 1: " in await game.texts(
        "referee"
    )
    assert "**The campaign is halted, and its clock stands still.** Nothing is lost" in await game.texts("public")
    assert "entry 1" not in await game.texts("public")
    assert await game.rows(CampaignRow.status) == ["halted"]
    nothing = said(await game.slash(game.ann, "next"))
    assert nothing == "**First Duel** is halted: nothing is asked there until its referee has mended it."
    assert "what you saved stands" in said(await game.slash(game.ann, "help"))
    assert "`/referee resume` tries it again" in said(await game.slash(game.rita, "referee status"))
    assert "`/referee" not in said(await game.slash(game.ann, "orders ready"))


async def test_going_back_behind_an_entry_that_does_not_play_back_mends_a_halted_campaign(game: SimulatedServer):
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7")
    await game.resolve_now()
    (campaign,) = await game.rows(CampaignRow.id)
    async with game.store.write() as tx:  # as if the rules came out otherwise now
        *_, before, closed = await tx.journal.entries(campaign)
        assert isinstance(closed.body, Closed)
        outcome = closed.body.outcome.model_copy(update={"state": "0" * 64})
        body = closed.body.model_copy(update={"outcome": outcome})
        seed = (await tx.campaigns.source(campaign)).seed
        entry, line = write_entry(before, body, at=closed.at, seed=seed)
        changed = update(JournalRow).where(JournalRow.seq == entry.seq).values(entry=line, hash=entry.hash)
        await tx.connection.execute(changed)
    await game.restart()
    assert "This campaign is halted" in said(await game.press(game.ann, "The spoils", "Ready"))

    async def back_to(seq: int) -> str:
        listed = await game.slash(game.rita, "referee rewind", to=str(seq))
        asked = await game.rita.click(message_of(listed), label=f"Go back to entry {seq} …")
        return said(await game.submit(game.rita, asked, text="The record failed."))

    told = f"Entry {entry.seq} does not play back as it was, so play cannot stand at {entry.seq}. Go back further."
    assert told in await back_to(entry.seq)
    assert await game.rows(CampaignRow.status) == ["halted"]
    await back_to(before.seq)
    assert await game.rows(CampaignRow.status) == ["running"]
    assert ("red", "Orders for turn 1") in await game.open_titles()
    assert "Saved" in said(await game.press(game.ann, "Orders for turn 1", "Ready"))


# --- the referee's desk: what waits in a few words, a strip of times, one action each; late presses do no harm --------
TURN = "Orders for turn 1"
STALE = "Nothing was done: this has changed since you looked."


async def laid_out(here: SimulatedServer, who: Any = None) -> Any:
    """The desk as somebody has it before them."""
    shown = await here.slash(who or here.rita, "referee status")
    return shown.followups[-1] if shown.followups else shown.response


def ids(message: Any) -> dict[str, str]:
    """The ids of its buttons by what they say."""
    return {one["label"]: one["custom_id"] for one in pressable(message) if "label" in one}


async def press(here: SimulatedServer, label: str, message: Any) -> str:
    """Press a button of the desk, wherever it was shown; what is said then."""
    public = (await here.channel("public")).history()[-1]
    return said(await here.forge(here.rita, public, ids(message)[label]))


async def test_it_says_who_is_awaited_with_an_action_each(game: SimulatedServer) -> None:
    await game.press(game.leo, TURN, "Ready")
    desk = await laid_out(game)
    words = words_of(desk).split("\n")
    assert words[0] == "## Turn 1: one not ready"
    before = await game.fingerprint()
    await laid_out(game)
    assert await game.fingerprint() == before, "nobody learns that it was looked at"
    assert words[1].startswith("Nothing else waits for you. Next deadline <t:")
    assert "**Red Fleet not ready**" in words
    assert any("nothing saved. Not reminded yet." in line for line in words)
    assert "-# First Duel · Only you see this. No side learns who is late or what waits." in words
    assert list(ids(desk)) == ["+12 h", "Close now", "Pause", "See as a side", "Log"]
    assert [one.filename[:5] for one in desk.attachments] == ["times"]
    await game.later(23 * 3600)  # who is late has been reminded
    late = words_of(await laid_out(game))
    assert "one late" in late.split("\n")[0]
    assert "Reminded." in late
    laid = await game.bot.services.referee.desk.desk(game.campaign, game.rita.user.id)
    found = [(row.name, row.state, row.says) for row in laid.times.rows]
    assert found == [("Red Fleet", "late", "late"), ("Blue Fleet", "ready", "ready")]
    assert 0 < (laid.times.closes or 0) <= 60
    card = desk_card(laid)
    assert card.layout is not None
    assert frame_sizes.fits(card.layout)
    assert frame_sizes.height(card.layout) < frames.MOST_HEIGHT


async def test_more_sides_than_find_room_in_a_row_are_counted(game: SimulatedServer) -> None:
    desk = await game.bot.services.referee.desk.desk(game.campaign, game.rita.user.id)
    (strand,) = desk.strands
    names = ("Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gum")
    sides = tuple(
        replace(strand.sides[0], label=SideLabel(key=name.lower(), name=name, emblem=name[0]), seat=seat)
        for seat, name in enumerate(names)
    )
    for count, said_there in ((4, "Ash, Birch, Cedar, Dogwood not ready"), (7, "Seven sides not ready")):
        laid = replace(desk, strands=(replace(strand, sides=sides[:count]),))
        layout = desk_card(laid).layout
        assert layout is not None
        assert any(f"**{said_there}**\n" in words for words in texts_of(layout))
        assert len(laid.times.rows) == count <= MOST_ROWS


async def test_more_time_is_given_once_and_a_press_on_what_has_changed_does_nothing(game: SimulatedServer) -> None:
    desk, first = await laid_out(game), await game.falls_at()
    assert first is not None
    assert "12 hours more; everybody is told." in await press(game, "+12 h", desk)
    moved = await game.falls_at()
    assert (moved - first).total_seconds() == 12 * 3600
    assert "The deadline moves" in await game.texts("public")
    assert STALE in await press(game, "+12 h", desk)
    assert await game.falls_at() == moved
    assert (await game.journal()).count("remarked") == 1


async def test_the_clock_is_stopped_and_started_and_a_second_press_is_no_harm(game: SimulatedServer) -> None:
    desk = await laid_out(game)
    paused = await press(game, "Pause", desk)
    assert paused.startswith("## Turn 1: paused")
    assert "The clock stands still with 24 hours left." in paused
    assert STALE in await press(game, "Pause", desk)
    stopped = await laid_out(game)
    has_words(ids(stopped), "Go on", never="Close now")
    assert STALE in await press(game, "+12 h", desk)
    assert "not ready" in (await press(game, "Go on", stopped)).split("\n")[0]
    assert await game.running_until() is not None


async def test_closing_asks_once_more_before_it_is_done(game: SimulatedServer) -> None:
    desk = await laid_out(game)
    public = (await game.channel("public")).history()[-1]
    asked = await game.forge(game.rita, public, ids(desk)["Close now"])
    assert "Closing now ends what is open" in said(asked)
    assert "closed" not in await game.journal()
    button = pressable(message_of(asked))[0]["custom_id"]
    await game.rita.click(asked.response, label="Close now")
    assert "closed" in await game.journal()
    assert "look at the list again" in said(await game.forge(game.rita, public, button))


async def test_a_dispute_is_decided_with_a_reason_and_only_as_it_was_read(here: SimulatedServer) -> None:
    await to_battle(here)
    await account(here, here.ann, "4", "1")
    assert "1 of 2" not in words_of(await laid_out(here)).split("\n")[0]
    await account(here, here.leo, "3", "1")
    desk = await laid_out(here)
    assert words_of(desk).split("\n")[0].endswith("one dispute")
    public = (await here.channel("public")).history()[-1]
    shown = await here.forge(here.rita, public, ids(desk)["Decide"])
    assert "The accounts differ" in said(shown)
    assert "account_of:" not in said(shown), "that is a button"
    assert "Let one of them stand, or give the result yourself with `text:` in `/referee ruling`." in said(shown)
    accounts = ids((shown.response, *shown.followups)[0])
    assert list(accounts) == ["Red Fleet’s account stands …", "Blue Fleet’s account stands …"]
    form = await here.forge(here.rita, public, accounts["Red Fleet’s account stands …"])
    await account(here, here.ann, "5", "0")  # it is another account by now
    assert STALE in said(await here.submit(here.rita, form, text="The log says so."))
    assert "ruled" not in await here.journal()
    again = await here.forge(here.rita, public, ids(await laid_out(here))["Decide"])
    button = ids((again.response, *again.followups)[0])["Red Fleet’s account stands …"]
    form = await here.forge(here.rita, public, button)
    await here.submit(here.rita, form, text="The log says so.")
    assert "ruled" in await here.journal()
    assert STALE in said(await here.forge(here.rita, public, button))


async def test_the_referee_sees_as_a_side_and_reads_what_was_told_to_whom(game: SimulatedServer) -> None:
    desk = await laid_out(game)
    public = (await game.channel("public")).history()[-1]
    asked = await game.forge(game.rita, public, ids(desk)["See as a side"])
    menu = next(one["custom_id"] for one in pressable(asked.response))
    seen = await game.forge(game.rita, public, menu, ["red"])
    assert "As **Red Fleet** sees it" in said(seen)
    assert (seen.followups or [seen.response])[-1].attachments
    assert "no such side" in said(await game.forge(game.rita, public, menu, ["green"]))
    assert "Nobody has been told anything yet." in await press(game, "Log", desk)
    await game.fill(game.ann, TURN, "0.0", f0="7")
    await game.resolve_now()
    assert "• everybody: " in await press(game, "Log", desk)


async def test_nobody_else_has_a_desk_not_even_a_referee_who_plays(game: SimulatedServer) -> None:
    public = (await game.channel("public")).history()[-1]
    for who in (game.ann, game.sam, game.zoe):
        assert "Only the campaign's referee" in said(await game.slash(who, "referee status", campaign=game.campaign))
        for what in ("more.x.1", "pause", "resume", "close", "decide.x", "rule.x.0.y", "sides", "side", "log"):
            values = ["red"] if what == "side" else None
            refused = said(await game.forge(who, public, f"c|{game.campaign}|desk|{what}", values))
            assert "Only the campaign's referee" in refused, (what, refused)
    assert "not something I offered" in said(await game.forge(game.rita, public, f"c|{game.campaign}|desk|dance"))
    other = await game.found("Other Duel")
    await game.slash(game.rita, "campaign join", side="red", campaign=other)
    await game.slash(game.leo, "campaign join", side="blue", campaign=other)
    await game.slash(game.rita, "campaign start", campaign=other)
    assert "You command a side in this campaign" in said(await game.slash(game.rita, "referee status", campaign=other))
