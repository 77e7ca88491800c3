"""The referee's desk: what waits in a few words, a strip of times, one action each; late presses do no harm."""

from dataclasses import replace
from typing import Any

from bot.cards.frame_sizes import fits, height
from bot.cards.frame_sizes import words_of as texts_of
from bot.cards.frames import MOST_HEIGHT
from bot.interactions.desk.cards import desk_card
from map_render.desk.strip import MOST_ROWS
from rules_engine.core.basics.base import SideLabel
from tests.bot.battles.test_battles import account, to_battle
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.message_words import pressable, words_of

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


async def test_it_says_who_is_awaited_with_an_action_each(here: SimulatedServer) -> None:
    campaign = await here.begin()
    await here.press(here.leo, TURN, "Ready")
    desk = await laid_out(here)
    words = words_of(desk).split("\n")
    assert words[0] == "## Turn 1: one not ready"
    before = await here.fingerprint()
    await laid_out(here)
    assert await here.fingerprint() == before, "nobody learns that it was looked at"
    assert words[1].startswith("Nothing else waits for you. Next deadline <t:")
    assert "**Red Fleet not ready**" in words
    assert any("nothing saved. Not reminded yet." in line for line in words)
    assert "-# First Duel · Only you see this. No side learns who is late or what waits." in words
    assert list(ids(desk)) == ["+12 h", "Close now", "Pause", "See as a side", "Log"]
    assert [one.filename[:5] for one in desk.attachments] == ["times"]
    await here.later(23 * 3600)  # who is late has been reminded
    late = words_of(await laid_out(here))
    assert "one late" in late.split("\n")[0]
    assert "Reminded." in late
    laid = await here.bot.services.referee.desk.desk(campaign, here.rita.user.id)
    assert [(row.name, row.state, row.says) for row in laid.times.rows] == [
        ("Red Fleet", "late", "late"),
        ("Blue Fleet", "ready", "ready"),
    ]
    assert 0 < (laid.times.closes or 0) <= 60
    card = desk_card(laid)
    assert card.layout is not None
    assert fits(card.layout)
    assert height(card.layout) < MOST_HEIGHT


async def test_more_sides_than_find_room_in_a_row_are_counted(here: SimulatedServer) -> None:
    campaign = await here.begin()
    desk = await here.bot.services.referee.desk.desk(campaign, here.rita.user.id)
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


async def test_more_time_is_given_once_and_a_press_on_what_has_changed_does_nothing(here: SimulatedServer) -> None:
    await here.begin()
    desk, first = await laid_out(here), await here.falls_at()
    assert first is not None
    assert "12 hours more; everybody is told." in await press(here, "+12 h", desk)
    moved = await here.falls_at()
    assert moved is not None
    assert (moved - first).total_seconds() == 12 * 3600
    assert "The deadline moves" in await here.texts("public")
    assert STALE in await press(here, "+12 h", desk)
    assert await here.falls_at() == moved
    assert (await here.journal()).count("remarked") == 1


async def test_the_clock_is_stopped_and_started_and_a_second_press_is_no_harm(here: SimulatedServer) -> None:
    await here.begin()
    desk = await laid_out(here)
    paused = await press(here, "Pause", desk)
    assert paused.startswith("## Turn 1: paused")
    assert "The clock stands still with 24 hours left." in paused
    assert STALE in await press(here, "Pause", desk)
    stopped = await laid_out(here)
    assert "Close now" not in ids(stopped)
    assert "Go on" in ids(stopped)
    assert STALE in await press(here, "+12 h", desk)
    assert "not ready" in (await press(here, "Go on", stopped)).split("\n")[0]
    assert await here.falls_at() is not None


async def test_closing_asks_once_more_before_it_is_done(here: SimulatedServer) -> None:
    await here.begin()
    desk = await laid_out(here)
    public = (await here.channel("public")).history()[-1]
    asked = await here.forge(here.rita, public, ids(desk)["Close now"])
    assert "Closing now ends what is open" in said(asked)
    assert "closed" not in await here.journal()
    assert asked.response is not None
    button = pressable(asked.response)[0]["custom_id"]
    await here.rita.click(asked.response, label="Close now")
    assert "closed" in await here.journal()
    assert "look at the list again" in said(await here.forge(here.rita, public, button))


async def test_a_dispute_is_decided_with_a_reason_and_only_as_it_was_read(here: SimulatedServer) -> None:
    await to_battle(here)
    await account(here, here.ann, "4", "1")
    waiting = words_of(await laid_out(here))
    assert "1 of 2" not in waiting.split("\n")[0]
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
    late = await here.submit(here.rita, form, text="The log says so.")
    assert STALE in said(late)
    assert "ruled" not in await here.journal()
    again = await here.forge(here.rita, public, ids(await laid_out(here))["Decide"])
    button = ids((again.response, *again.followups)[0])["Red Fleet’s account stands …"]
    form = await here.forge(here.rita, public, button)
    await here.submit(here.rita, form, text="The log says so.")
    assert "ruled" in await here.journal()
    assert STALE in said(await here.forge(here.rita, public, button))


async def test_the_referee_sees_as_a_side_and_reads_what_was_told_to_whom(here: SimulatedServer) -> None:
    await here.begin()
    desk = await laid_out(here)
    public = (await here.channel("public")).history()[-1]
    asked = await here.forge(here.rita, public, ids(desk)["See as a side"])
    menu = next(one["custom_id"] for one in pressable(asked.response))
    seen = await here.forge(here.rita, public, menu, ["red"])
    assert "As **Red Fleet** sees it" in said(seen)
    assert (seen.followups or [seen.response])[-1].attachments
    assert "no such side" in said(await here.forge(here.rita, public, menu, ["green"]))
    assert "Nobody has been told anything yet." in await press(here, "Log", desk)
    await here.fill(here.ann, TURN, "0.0", f0="7")
    await here.resolve_now()
    assert "• everybody: " in await press(here, "Log", desk)


async def test_nobody_else_has_a_desk_not_even_a_referee_who_plays(here: SimulatedServer) -> None:
    campaign = await here.begin()
    public = (await here.channel("public")).history()[-1]
    for who in (here.ann, here.sam, here.zoe):
        assert "Only the campaign's referee" in said(await here.slash(who, "referee status", campaign=campaign))
        for what in ("more.x.1", "pause", "resume", "close", "decide.x", "rule.x.0.y", "sides", "side", "log"):
            values = ["red"] if what == "side" else None
            refused = said(await here.forge(who, public, f"c|{campaign}|desk|{what}", values))
            assert "Only the campaign's referee" in refused, (what, refused)
    nonsense = await here.forge(here.rita, public, f"c|{campaign}|desk|dance")
    assert "not something I offered" in said(nonsense)
    other = await here.found("Other Duel")
    await here.slash(here.rita, "campaign join", side="red", campaign=other)
    await here.slash(here.leo, "campaign join", side="blue", campaign=other)
    await here.slash(here.rita, "campaign start", campaign=other)
    assert "You command a side in this campaign" in said(await here.slash(here.rita, "referee status", campaign=other))
