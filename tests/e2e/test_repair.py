"""A referee who does not own the server looks and corrects: who is late, a battle's accounts, the record."""

from tests.e2e.people import said
from tests.e2e.stage import Stage
from tests.e2e.story import Rehearsal
from tests.e2e.test_pq17 import as_ordered, begin
from tests.expected.words import has_words

SECRET = "Lance was at the yard when the plots were made."


async def offered(stage: Stage, typed: str, who: str = "rita") -> list[str]:
    found = await stage.people[who].seat.complete("referee edit", "path", typed)
    return [one["value"] for one in found]


async def test_a_referee_who_does_not_own_the_server_can_repair(stage: Stage, pq17: Rehearsal) -> None:
    ann, leo, rita, sam = stage.ann, stage.leo, stage.rita, stage.sam
    await begin(stage)

    # The way to a value, step by step; nobody else is offered any of it.
    assert "task_forces" in await offered(stage, "task")
    assert "task_forces.A1.hex" in await offered(stage, "task_forces.A1.")
    assert await offered(stage, "Lance") == ["units.lance"]
    for who in ("ann", "leo", "sam", "zoe"):
        assert await offered(stage, "task", who) == []

    # Wrong first, then right: old and new before it is done, and told to the side that it concerns.
    wrong = said(await rita.does("referee edit", path="units.lance.fuel", value="lots", reason="x"))
    assert "units.lance.fuel: a number is needed here. Legal: a number such as 3, 7/2, 1 1/2 or 0.5." in wrong
    shown = await rita.does("referee edit", path="units.lance.fuel", value="7/2", reason=SECRET)
    assert "stands there now: `16`" in said(shown)
    assert "would stand there: `7/2`" in said(shown)
    assert "**Alliance** is told this, and your reason:" in said(shown)
    await rita.post("referee", "prepares a correction", "would stand there: `7/2`")
    assert "edited" not in stage.journal()
    await rita.seat.press(shown["message"], label="Correct it")
    await rita.post("referee", "A correction was made", "was: `16`", "is now: `7/2`")
    told = await ann.post("alliance", "The referee's correction changes what your side sees", SECRET)
    assert "fuel 16 of 16" in told["words"]
    await stage.settled()
    for other in (leo, sam):
        text = await stage.seen(other)
        assert "The referee made a correction" in text
        assert SECRET not in text
        assert "fuel 16 of 16" not in text

    # A hex as people write it.
    shown = await rita.does("referee edit", path="task_forces.A1.hex", value="404", reason="a slip of the pen")
    assert "would stand there: `0404`" in said(shown)
    shown = await rita.does("referee edit", path="task_forces.A1.hex", value="9999", reason="a slip of the pen")
    assert "that is no hex of this map" in said(shown)

    # Whom play waits for.
    await as_ordered(ann, pq17, "planning", "alliance")
    late = said(await rita.does("referee late"))
    assert "Coalition" in late
    assert leo.mention in late
    assert "Alliance" not in late
    for who in (ann, leo, sam):
        assert "Only the campaign's referee" in said(await who.does("referee late"))
    await as_ordered(leo, pq17, "planning", "coalition")


async def test_a_battle_is_shown_to_a_referee_who_sees_no_thread(stage: Stage, pq17: Rehearsal) -> None:
    ann, leo, rita = stage.ann, stage.leo, stage.rita
    await begin(stage)
    for batch in pq17.batches[:5]:
        for kind, parties, _ in batch:
            for side in parties:
                await as_ordered(ann if side == "alliance" else leo, pq17, kind, side)
    title = "Battle in 0405"
    await ann.channel(title)
    assert not await rita.sees(title)
    mine = await ann.types(await ann.sheet(title), pq17.story.orders["battle", "alliance"])
    await ann.sends_account(mine)
    wrong = pq17.story.orders["battle", "coalition"].replace("turns 5", "turns 4")
    theirs = await leo.types(await leo.sheet(title), wrong)
    await leo.sends_account(theirs)
    shown = await rita.does("referee battle")
    assert "Turns it lasted: Alliance says 5, Coalition says 4" in said(shown)
    (file,) = shown["message"]["attachments"]
    text = (await rita.seat.read_file(file)).decode()
    has_words(text, "ACCOUNT OF ALLIANCE", "ACCOUNT OF COALITION", "TOLD TO COALITION ALONE")
    shown = await rita.does("referee edit", path="units.talon.name", value="Spear of Dawn", reason="x")
    assert "This touches the open battle “Battle in 0405" in said(shown)
    (choice,) = await rita.seat.complete("referee ruling", "battle", "")
    ruled = await rita.does(
        "referee ruling", battle=choice["value"], account_of="Alliance", reason="The log of the table says five."
    )
    assert said(ruled).endswith("** · Your ruling stands.")
    await leo.post(title, "The referee has ruled", "The log of the table says five.")
