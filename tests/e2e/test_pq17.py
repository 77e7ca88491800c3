"""PQ-17 from founding to the next turn, with the real client in its own process; and what nobody else may see."""

import re
from collections import Counter

from bot.playground.world.components import walk
from bot.playground.world.model import COMPONENTS_V2
from tests.e2e.people import Json, Person, said, went_on
from tests.e2e.stage import Stage
from tests.e2e.story import Rehearsal
from tests.message_words import pressable

TITLE = "Lantern Gap"
UPDATE = 7
"""The kind of an answer that changes the message whose button was pressed."""
SHORT = "2h"
"""A deadline that falls long before any other."""


async def begin(stage: Stage) -> None:
    """Rita founds the campaign; ann and leo take the sides, sam watches; it starts."""
    founded = await stage.rita.does("campaign create", title=TITLE, scenario="pq17/intro")
    assert "is founded" in said(founded)
    assert "You command **Alliance**" in said(await stage.ann.does("campaign join", side="alliance"))
    assert "You command **Coalition**" in said(await stage.leo.does("campaign join", side="Coalition"))
    assert "You watch" in said(await stage.sam.does("campaign join", side="spectator"))
    assert "has begun" in said(await stage.rita.does("campaign start"))


def alt_of(card: Json, file: Json) -> str:
    """What a picture of a card says to who does not see it."""
    items = [item for one in walk(card["components"]) if one["type"] == 12 for item in one["items"]]
    return next(item["description"] for item in items if file["filename"] in item["media"]["url"])


async def as_ordered(who: Person, story: Rehearsal, kind: str, side: str) -> None:
    """Type the story's orders for that sheet, if it has any, and be ready."""
    card = await who.sheet(story.title(kind, side))
    orders = story.story.orders.get((kind, side))
    if orders is not None:
        card = await who.types(card, orders)
        assert "Saved, receipt" in card["words"], card["words"]
    answer = await who.ready(card)
    assert went_on(answer) or "You are ready" in said(answer), said(answer)


async def test_a_turn_from_founding_to_the_next_turns_planning(stage: Stage, pq17: Rehearsal) -> None:
    ann, leo, rita, sam, zoe = stage.ann, stage.leo, stage.rita, stage.sam, stage.zoe
    await begin(stage)

    # Secret plots by direct message: ann types hers, leo fills in a form and hands in a file.
    card = await ann.types(await ann.sheet("Planning"), pq17.story.orders["planning", "alliance"])
    assert "**A1 0403**\n✏️ To 0405 at military sprint." in card["words"]
    assert "You are ready" in said(await ann.ready(card))
    card = await leo.sheet("Planning")
    filled = await leo.fills(card, "C1 Spear", Speed="3")
    assert "**C1 0507**\n✏️ Stays, military sprint.\n⚠️ C1 Spear has no route" in filled["words"]
    handed_in = await leo.uploads(pq17.story.orders["planning", "coalition"])
    assert "✏️ To 0405 at military sprint." in said(handed_in)
    await leo.changed(card, "✏️ To 0405 at military sprint.")  # the card that he has by direct message follows
    assert went_on(await leo.ready(await leo.now(card)))

    # Reconnaissance and an attack, each side asked when it has something to say.
    for batch in pq17.batches[1:5]:
        (kind, parties, _) = batch[0]
        (side,) = parties
        await as_ordered(ann if side == "alliance" else leo, pq17, kind, side)

    # The battle: a private thread for the two commanders with its sheet as picture and text.
    thread = await ann.channel("Battle in 0405")
    assert thread["kind"] == "private_thread"
    assert (await leo.channel("Battle in 0405"))["id"] == thread["id"]
    sheet = await ann.post("Battle in 0405", "play this battle by hand")
    picture = next(file for file in sheet["attachments"] if file["filename"].endswith(".png"))
    assert picture["description"]
    assert (await ann.seat.read_file(picture)).startswith(b"\x89PNG")
    assert sheet["mentions_me"]

    # Ann fills in what happened, and when each left: five presses with the one that sends it. Leo types his.
    left = ["DF1", "DF2", "DF3"]
    mine = await ann.changed(await ann.sheet("Battle in 0405"), "Winner: Alliance; Turns it lasted: 1")
    mine = await ann.reports(mine, Turns_it_lasted="5", Crippled=["DF2"], Left_by_separation=left)
    assert "Left by separation: DF1, DF2, DF3" in mine["words"]
    mine = await ann.reports(mine, 1, DF1_left="3", DF2_left="3", DF3_left="2")
    (strip,) = [file for file in mine["attachments"] if file["filename"].startswith("account")]
    assert "DF1 left, turn 3; DF2 left, turn 3; DF3 left, turn 2" in alt_of(mine, strip)
    await ann.sends_account(mine)
    await ann.post("Battle in 0405", "Alliance sent its account; awaited: Coalition")
    wrong = pq17.story.orders["battle", "coalition"].replace("turns 5", "turns 4")
    theirs = await leo.types(await leo.sheet("Battle in 0405"), wrong)
    assert "Make it" not in str(theirs["components"]), "who has sent nothing reads nothing of the other account"

    # The accounts differ in one line, and with one press they agree.
    theirs = (await leo.sends_account(theirs))["message"]
    assert "Turns it lasted: you say **4 turns**, they say **5 turns**. All else agrees." in theirs["words"]
    await ann.changed(mine, "You: 5 turns. They: 4 turns.")
    await ann.post("Battle in 0405", "The accounts differ:")
    assert went_on(await leo.seat.press(theirs, label="Make it 5"))

    # The deadlines become short from the next one on, while withdrawal and pursuit are long since open.
    withdrawal = await leo.sheet("Withdrawal from 0405")
    assert "From the next deadline on" in said(await rita.does("campaign settings", orders=SHORT))
    await leo.ready(withdrawal)
    await as_ordered(ann, pq17, "reform", "alliance")

    # The next turn is open. The deadline falls with leo silent; only he is reminded.
    card = await ann.sheet("Planning, Turn 2")
    late = await leo.sheet("Planning, Turn 2")
    assert "You are ready" in said(await ann.ready(card))
    await stage.deadline_falls(leo, hours=2)
    await leo.changed(late, "Closed at its deadline")
    assert [one for one in await leo.direct() if "time is up" in one["words"]]
    assert not [one for one in await ann.direct() if "time is up" in one["words"]]
    assert stage.journal().count("closed") == len(pq17.batches)
    reason = stage.rows("select entry from journal where kind = 'closed' order by seq desc limit 1")[0][0]
    assert '"reason":"deadline"' in reason

    await stage.settled()
    why = await ann.asks_why("alliance", "❶", "0405")
    assert "Rule: PQ-17 " in why
    assert "0405" in why
    await nobody_saw_more(stage, pq17)
    await each_side_got_its_maps(stage, pq17)
    assert sent_again(stage) == []
    for other in (rita, sam, zoe):
        assert not await other.sees("Battle in 0405")
        assert not await other.sees("alliance")
    assert not await zoe.sees("battles")
    assert await zoe.sees("bulletins")


async def nobody_saw_more(stage: Stage, story: Rehearsal) -> None:
    """What each side was told can be read by its commander in these words, and what only others were told nowhere."""
    logs = {"ann": await stage.ann.reads_log(at="alliance"), "leo": await stage.leo.reads_log(at="coalition")}
    seen = {name: await stage.seen(stage.people[name]) for name in ("ann", "leo", "sam", "zoe", "rita")}
    for name, side in (("ann", "alliance"), ("leo", "coalition")):
        assert [text for text in story.told_to(side) if text not in logs[name]] == []
        assert [text for text in story.secrets_from(side) if text in logs[name]] == []
        assert [text for text in story.secrets_from(side) if text in seen[name]] == []
    for name in ("sam", "zoe", "rita"):
        assert [text for text in story.public() if text not in seen[name]] == []
        for side in ("alliance", "coalition"):
            assert [text for text in story.told_to(side) if text in seen[name]] == []
    # names that only their owners know
    assert "Whisper" in seen["leo"]
    for name in ("ann", "sam", "zoe", "rita"):
        assert "Whisper" not in seen[name]
    assert "Vigil" in seen["ann"]
    for name in ("leo", "sam", "zoe", "rita"):
        assert "Vigil" not in seen[name]


def sent_again(stage: Stage) -> list[str]:
    """Maps that a press sent anew although they had been sent before: what changes in a card is seldom its map."""
    sent: Counter[str] = Counter()
    again: list[str] = []
    for one in stage.exchanges:
        names = [file["filename"] for file in one.files if re.fullmatch(r"map-[0-9a-f]{12}\.png", file["filename"])]
        if one.route.endswith("/callback") and one.request["type"] == UPDATE:
            again += [name for name in names if sent[name]]
        sent.update(names)
    return again


def pictures(message: Json) -> list[Json]:
    """A message's pictures."""
    return [file for file in message["attachments"] if file["filename"].endswith(".png")]


async def each_side_got_its_maps(stage: Stage, story: Rehearsal) -> None:
    """Maps of one's own knowledge, with words for those who cannot see them; the other side's never."""
    for who, name, reader, (own, other) in (
        (stage.ann, "alliance", "as Alliance knows it.", ("Own: A1", "Own: C1")),
        (stage.leo, "coalition", "as Coalition knows it.", ("Own: C1", "Own: A1")),
    ):
        told = [message for message in await who.messages(name) if [*pictures(message)]]
        posts = [message for message in told if message["attachments"][0]["filename"] != "own.png"]
        (units,) = (message["attachments"] for message in told if message not in posts)  # of the battle, once
        assert [file["description"].partition(". ")[0] for file in units] == ["Battle in 0405, only for you"]
        files = [file for message in told for file in message["attachments"]]
        maps = [message["attachments"][0] for message in posts]
        assert len(maps) >= 3  # at the beginning, before and after the battle
        assert all(reader in file["description"] and own in file["description"] for file in maps)
        assert not any(other in file["description"] for file in files)
        assert all(file["width"] > 300 for file in files)
        framed = [message for message in posts if message["flags"] & COMPONENTS_V2]
        for message in framed:  # one small map, whose pins stand beside the facts
            (small,) = message["attachments"]
            assert re.fullmatch(r"map-[0-9a-f]{12}\.png", small["filename"])
            pins = [pin for pin in "❶❷❸" if f"{pin} **" in message["words"]]
            told = [one.get("label") for one in pressable(message)]
            assert len([one for one in told if one in {"Why?", "Show"}]) == len(pins)
            assert told[-3:] == ["Next", "Map", "Log"]
        for message in (one for one in posts if one not in framed):  # where nothing happened the whole map, with crops
            rest = [file for file in message["attachments"] if file["filename"] != "map.png"]
            assert [file["filename"] for file in rest] == [f"map-{rank}.png" for rank in range(1, len(rest) + 1)]
            assert "\n" not in message["words"]
            for rank, file in enumerate(rest, start=1):
                assert file["description"].startswith(f"Place {rank}, ")
        assert sum("❶" in message["words"] for message in posts) > 1
        bulletins = [message for message in await who.messages(name) if "· VP " in message["words"]]
        assert all(len(message["words"]) < 600 for message in bulletins)
