"""A seat changes hands in the middle of a battle, through the real client and against Discord's own description."""

from bot.playground.world import guilds
from bot.recording.battle_threads import OVER
from tests.e2e.people import said
from tests.e2e.stage import Stage
from tests.e2e.story import Rehearsal
from tests.e2e.test_pq17 import as_ordered, begin


async def test_the_open_battle_goes_with_the_seat(stage: Stage, pq17: Rehearsal) -> None:
    ann, leo, kai, rita = stage.ann, stage.leo, stage.kai, stage.rita
    await begin(stage)
    for batch in pq17.batches[:5]:
        for kind, parties, _ in batch:
            for side in parties:
                await as_ordered(ann if side == "alliance" else leo, pq17, kind, side)
    thread = await leo.channel("Battle in 0405")
    assert not await kai.sees("Battle in 0405")

    asked = await rita.does("referee substitute", leaving=leo.seat.user_id, arriving=kai.seat.user_id)
    assert f"It waits for the consent of {leo.mention}" in said(asked)
    assert leo.mention in (await ann.post("bulletins", "is to take the seat"))["words"]
    agreed = await leo.seat.press(await leo.asked("asks for your consent"), label="Agree")
    assert "You agree, and it is done." in said(agreed)
    await stage.settled()

    assert (await kai.channel("Battle in 0405"))["id"] == thread["id"]
    assert (await kai.channel("coalition"))["name"] == "coalition"
    assert not await leo.sees("Battle in 0405")
    assert not await leo.sees("coalition")
    assert "Battle" in (await kai.sheet("Battle"))["words"]
    verdict = [kind for kind in stage.journal() if kind == "seated"]
    assert len(verdict) == 2, "how play began, and this"


async def test_chair_passes_once_the_receiver_accepts_and_the_offer_survives_a_crash(stage: Stage, pq17: Rehearsal):
    kai, rita = stage.kai, stage.rita
    await begin(stage)
    offered = await rita.does("referee hand-over", to=kai.seat.user_id)
    assert f"It waits for the consent of {kai.mention}" in said(offered)
    asked = await kai.asked("asks you to be its referee")
    await stage.settled()
    assert await rita.sees("referee")
    await stage.dies_and_returns()
    assert not await kai.sees("referee")
    assert "You agree, and it is done." in said(await kai.seat.press(asked, label="Accept"))
    await stage.settled()
    assert await kai.sees("referee")
    assert not await rita.sees("referee")
    assert "is paused" in said(await kai.does("referee pause"))


async def test_sides_name_a_referee_together_when_theirs_has_left_the_server(stage: Stage, pq17: Rehearsal) -> None:
    ann, leo, kai, rita = stage.ann, stage.leo, stage.kai, stage.rita
    await begin(stage)
    assert "is on this server" in said(await ann.does("campaign name-referee", to=kai.seat.user_id))
    world = stage.server.world
    guild = world.guilds[stage.guild["id"]]
    guilds.remove_member(world, guild, world.members[guild.id][rita.seat.user_id])
    refused = await ann.does("campaign name-referee", to=rita.seat.user_id)
    assert "is not on this campaign's server" in said(refused)
    asked = await ann.does("campaign name-referee", to=kai.seat.user_id)
    assert f"Coalition, {kai.mention}. Until then" in said(asked)
    await leo.seat.press(await leo.asked("asks for your consent"), label="Agree")
    await kai.seat.press(await kai.asked("asks you to be its referee"), label="Accept")
    await stage.settled()
    assert await kai.sees("referee")
    assert kai.mention in (await ann.post("bulletins", "is the referee now"))["words"]


async def test_the_battles_thread_is_awake_while_it_is_fought_and_closed_behind_it(stage: Stage, pq17: Rehearsal):
    ann, leo = stage.ann, stage.leo
    await begin(stage)
    for batch in pq17.batches[:5]:
        for kind, parties, _ in batch:
            for side in parties:
                await as_ordered(ann if side == "alliance" else leo, pq17, kind, side)
    thread = await leo.channel("Battle in 0405")
    await stage.settled()

    async def is_awake() -> bool:
        return not (await leo.channel("Battle in 0405"))["archived"]

    stage.server.clock.advance(8 * 24 * 3600)
    await leo.until(is_awake)
    await stage.settled()
    ((woken,),) = stage.rows("select count(*) from outbox where kind in ('wake', 'reconcile')")
    assert woken >= 1, "by the clock, or as soon as it is heard that the thread was put away"
    await stage.kill_bot()
    stage.server.clock.advance(8 * 24 * 3600)
    assert not await is_awake()
    await stage.start_bot()
    await leo.until(is_awake)
    await stage.settled()
    kept = stage.server.world.channels[thread["id"]]
    assert (kept.auto_archive_duration, kept.locked) == (10_080, False)

    for who in (ann, leo):
        card = await who.types(await who.sheet("Battle in 0405"), pq17.story.orders["battle", "coalition"])
        await who.seat.press(card, label="Send this account")
    assert "Closed: everybody was ready." in (await leo.post("Battle in 0405", OVER))["words"]

    async def is_closed() -> bool:
        now = await leo.channel("Battle in 0405")
        return now["archived"] and now["locked"] and not now["can_send"]

    await leo.until(is_closed)
    await stage.settled()
