"""Whatever the network does, nothing is lost or said twice; and wrong hands are told so and change nothing."""

import asyncio
from collections import Counter

import pytest

from bot.playground import SeatRefusedError
from tests.e2e.bot_process import TIME_IS_WON
from tests.e2e.people import Person, said, went_on
from tests.e2e.stage import Stage
from tests.e2e.story import Rehearsal

POST = "POST /channels/{channel_id}/messages"
ANSWER = "POST /interactions/{id}/{token}/callback"


async def seated(stage: Stage) -> None:
    """A campaign whose seats are taken."""
    await stage.rita.does("campaign create", title="Storm", scenario="pq17/intro")
    await stage.ann.does("campaign join", side="alliance")
    await stage.leo.does("campaign join", side="coalition")


def twice(texts: list[str]) -> list[str]:
    """Texts that stand more than once."""
    return [text for text, count in Counter(texts).items() if count > 1]


async def texts(who: Person, channel: str) -> list[str]:
    """What stands in a channel, a map told from a text by its file."""
    return [
        message["words"] + "".join(file["filename"] for file in message["attachments"])
        for message in await who.messages(channel)
        if not message["ephemeral"]
    ]


async def test_refused_cut_and_throttled_requests_lose_and_double_nothing(stage: Stage, pq17: Rehearsal) -> None:
    ann, leo = stage.ann, stage.leo
    # The places of a campaign are made while requests fail; each failure in a row is waited for twice as long.
    await stage.fault("cut", when="after", route="POST /guilds/{guild_id}/roles")
    await stage.fault("error", status=503, route="POST /guilds/{guild_id}/channels")
    await stage.fault("rate_limit", retry_after=0.2, route="POST /guilds/{guild_id}/channels")
    await seated(stage)
    await stage.settled()
    guild = (await stage.olga.seat.state())["guilds"][0]
    assert twice([channel["name"] for channel in guild["channels"]]) == []
    assert twice([role["name"] for role in guild["roles"]]) == []
    assert len([role for role in guild["roles"] if "[" in role["name"]]) == 4  # two sides, referee, spectators

    # So are the first posts, maps and direct messages sent.
    await stage.fault("error", status=500, route=POST)
    await stage.fault("error", status=503, route=POST)
    await stage.fault("cut", when="after", route=POST, count=2)
    await stage.fault("cut", when="before", route=POST)
    await stage.fault("rate_limit", retry_after=0.2, route=POST, count=2)
    await stage.fault("rate_limit", retry_after=0.2, **{"global": True})
    await stage.rita.does("campaign start")
    cards = {who.name: await who.sheet("Planning") for who in (ann, leo)}
    await stage.settled()
    assert (await stage.olga.seat.request("GET", "/test/state"))["faults"] == []
    for who, channel in ((ann, "bulletins"), (ann, "alliance"), (leo, "coalition")):
        found = await texts(who, channel)
        assert found
        assert twice(found) == []
    for who in (ann, leo):
        assert len([one for one in await who.direct() if "Planning" in one["words"]]) == 1

    # An order whose receipt is lost on the way is saved once, and the receipt comes with the second try.
    for when, text in (("before", "A1: speed 2"), ("after", pq17.story.orders["planning", "alliance"])):
        opened = await ann.seat.press(cards["ann"], label="Write them")
        await stage.fault("cut", when=when, route=ANSWER)
        answered = await ann.seat.fill_modal(opened["modal"], text=text)
        assert "Saved, receipt" in said(answered)
    assert "**A1 0403**\n✏️ To 0405 at military sprint." in said(answered)
    assert stage.journal() == ["genesis", "seated", "answered", "answered"]


async def test_what_is_delivered_twice_or_late_counts_once(stage: Stage, pq17: Rehearsal) -> None:
    ann, leo = stage.ann, stage.leo
    await stage.fault("duplicate_interaction")
    await seated(stage)
    await stage.settled()
    assert len([one for one in await texts(ann, "bulletins") if "is founded" in one or "Seats:" in one]) == 1

    # Ann takes no direct messages: her sheet comes to her side's channel, with a mention and the reason.
    await ann.seat.set_dms(are_open=False)
    await stage.rita.does("campaign start")
    card = await ann.post("alliance", ann.mention, "could not reach you by direct message", "Planning")
    assert card["mentions_me"]
    with pytest.raises(SeatRefusedError):
        await leo.seat.press(card, label="Ready")

    # The socket drops and resumes; a press made meanwhile is answered.
    await stage.fault("drop_gateway")
    card = await ann.types(card, pq17.story.orders["planning", "alliance"])
    assert "Saved, receipt" in card["words"]
    await stage.fault("reconnect_gateway")
    await stage.fault("duplicate_interaction")
    assert "You are ready" in said(await ann.ready(card))
    assert stage.journal() == ["genesis", "seated", "answered", "readied"]

    # The bot is restarted; what was sent before it still works.
    await stage.stop_bot()
    await stage.start_bot()
    theirs = await leo.sheet("Planning")
    await leo.types(theirs, pq17.story.orders["planning", "coalition"])
    assert went_on(await leo.ready(theirs))
    # Both are told: who is asked first in a bulletin, the other side too, as soon as it looks into its log.
    await leo.post("coalition", "❶ **0405: ", " meet C1**")
    assert "0405" in await ann.reads_log(at="alliance")
    assert stage.journal() == ["genesis", "seated", "answered", "readied", "answered", "readied", "closed"]


async def test_wrong_hands_and_bad_orders_change_nothing(stage: Stage, pq17: Rehearsal) -> None:
    ann, leo, zoe, sam = stage.ann, stage.leo, stage.zoe, stage.sam
    await seated(stage)
    await sam.does("campaign join", side="spectator")
    await stage.rita.does("campaign start")
    card = await ann.sheet("Planning")
    for who in (zoe, sam, stage.rita):
        assert "Only a commander" in said(await who.does("orders show", campaign="Storm"))
        assert "You command no side" in said(await who.does("forces", campaign="Storm"))
    assert "Only the campaign's referee" in said(await leo.does("referee resolve-now", campaign="Storm"))
    with pytest.raises(SeatRefusedError):
        await leo.seat.press(card, label="Ready")

    refused = await ann.types(card, "A1: speed 9; route 0409\nA8: speeed 2\nX1: speed 2")
    assert "speed" in refused["words"]
    assert "X1" in refused["words"]
    assert "nothing saved" in refused["words"].casefold()
    assert "is not plain text" in said(await ann.uploads(b"\x89PNG\r\n\0", name="orders.png"))
    assert "256 kB" in said(await ann.uploads(b"A1: speed 2\n" * 30_000))
    assert stage.journal() == ["genesis", "seated"]


async def test_a_second_command_is_carried_out_when_the_first_takes_long(stage: Stage, pq17: Rehearsal) -> None:
    """Each is begun only after time was won for it, as a slow one before it makes it; two come at once."""
    ann, leo, rita = stage.ann, stage.leo, stage.rita
    await seated(stage)
    await stage.rita.does("campaign start")
    card = await ann.types(await ann.sheet("Planning"), pq17.story.orders["planning", "alliance"])
    await stage.stop_bot()
    await stage.start_bot(**{TIME_IS_WON: "1"})
    (before,) = stage.rows("select falls_at from deadline")[0]
    shown, moved = await asyncio.gather(rita.does("map"), rita.does("referee extend", by="2h"))
    assert "incident" not in (said(shown) + said(moved)).casefold()
    assert "falls" in said(moved)
    (after,) = stage.rows("select falls_at from deadline")[0]
    assert after != before
    assert "You are ready" in said(await ann.ready(card))
    assert "Press once more" in said(await ann.seat.press(await ann.now(card), label="Write them"))
    theirs = await leo.uploads(pq17.story.orders["planning", "coalition"])
    assert "Saved, receipt" in said(theirs)
    assert stage.journal() == ["genesis", "seated", "answered", "remarked", "readied", "answered"]


async def test_an_escape_and_a_mark_that_nobody_sees_do_no_harm(stage: Stage, pq17: Rehearsal) -> None:
    ann = stage.ann
    await seated(stage)
    await stage.rita.does("campaign start")
    card = await ann.sheet("Planning")
    refused = await ann.types(card, r'A1: name "a\u0000b"')
    assert "a character that cannot be kept, U+0000" in refused["words"]
    assert "answered" not in stage.journal()
    saved = await ann.types(card, "\u200e\ufeffA1: name “North; south”\u200b")
    assert "Saved, receipt" in saved["words"]
    assert "North; south" in await ann.understood(saved)
