"""Channels vanish, roles are taken, people and the bot come and go: everything is put right by itself, end to end."""

import asyncio

import pytest

from tests.e2e.moderator import Moderator
from tests.e2e.people import Json, Person, buttons, said
from tests.e2e.stage import LOOKED_AGAIN, Stage
from tests.e2e.story import Rehearsal
from tests.e2e.test_pq17 import as_ordered, begin
from tests.seeds import DRAWN, QUICK

SIDES = {"alliance": "ann", "coalition": "leo"}
AFTER = 5
"""Batches of the story before its battle."""


async def to_battle(stage: Stage, story: Rehearsal) -> None:
    """The campaign up to its battle."""
    await begin(stage)
    for batch in story.batches[:AFTER]:
        for kind, parties, _ in batch:
            for side in parties:
                await as_ordered(stage.people[SIDES[side]], story, kind, side)
    await stage.ann.sheet("Battle in 0405")
    await stage.settled()


# --- places ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("is_down", [False, True], ids=["while the bot runs", "while the bot is down"])
async def test_places_come_back_closed_and_what_was_to_be_posted_comes_when_they_are_deleted(
    stage: Stage, pq17: Rehearsal, is_down: bool
) -> None:
    await to_battle(stage, pq17)
    moderator = Moderator(stage, 1)
    if is_down:
        await stage.stop_bot()
    for name in ("alliance", "coalition", "battles", "referee", "Lantern Gap"):
        assert moderator.deletes_channel(name) or moderator.deletes_channel(f"{name} {tag_of(stage)}")
    moderator.world.commit()
    if is_down:
        await stage.start_bot()
    await moderator.all_is_right()
    await stage.ann.post("alliance", "so I made it again", "`/log`")
    sheet = await stage.leo.post("Battle in 0405", "play this battle by hand")
    assert sheet["attachments"]

    # The accounts are compared in the new thread, and the next turn's news come to the new channel.
    for side in ("alliance", "coalition"):
        who = stage.people[SIDES[side]]
        card = await who.types(await who.sheet("Battle in 0405"), pq17.story.orders["battle", side])
        await who.sends_account(card)
    await stage.leo.sheet("Withdrawal from 0405")
    await stage.settled()
    news = [one["words"] for one in await stage.leo.messages("coalition")]
    assert len(news) > 1, news
    assert stage.rows("select count(*) from outbox where status = 'failed'") == [(0,)]


def tag_of(stage: Stage) -> str:
    """What marks the campaign's category."""
    return f"[{stage.rows('select id from campaign')[0][0]}]"


async def test_a_channel_that_was_opened_to_others_is_closed_again_and_the_referee_told(stage: Stage, pq17: Rehearsal):
    await begin(stage)
    await stage.settled()
    moderator = Moderator(stage, 1)
    moderator.chance.seed(3)
    did = moderator.opens_channel()
    assert did is not None
    moderator.world.commit()
    await moderator.all_is_right()
    await stage.rita.post("referee", "could be seen by more than those it is for", "I closed it again")


# --- roles and people ------------------------------------------------------------------------------------------------
async def test_a_deleted_role_and_one_that_was_taken_by_hand_come_back(stage: Stage, pq17: Rehearsal) -> None:
    await begin(stage)
    await stage.settled()
    moderator = Moderator(stage, 1)
    assert moderator.deletes_role("Alliance")
    moderator.world.commit()
    await moderator.all_is_right()
    ann = moderator.world.members[moderator.guild.id][stage.ann.seat.user_id]
    ann.roles.clear()
    moderator.world.touch(ann)
    moderator.world.commit()
    assert not await stage.ann.sees("alliance")
    await stage.ann.does("campaign status")  # in the hall: her roles come with it
    await moderator.all_is_right()
    assert await stage.ann.sees("alliance")


async def test_a_role_that_is_not_somebodys_is_taken_when_they_do_anything(stage: Stage, pq17: Rehearsal) -> None:
    await begin(stage)
    await stage.settled()
    moderator = Moderator(stage, 1)
    role = next(one for one in moderator.roles() if one.name.startswith("Coalition"))
    for who in (stage.ann, stage.zoe):
        member = moderator.world.members[moderator.guild.id][who.seat.user_id]
        member.roles.append(role.id)
        moderator.world.touch(member)
        moderator.world.commit()
        assert await who.sees("coalition")
        await who.does("campaign status")
        await moderator.all_is_right()


@pytest.mark.parametrize("way", ["command", "direct press", "start"])
async def test_who_comes_back_to_the_server_gets_everything_back_at_once(stage: Stage, pq17: Rehearsal, way: str):
    ann, leo, rita = stage.ann, stage.leo, stage.rita
    await to_battle(stage, pq17)
    moderator = Moderator(stage, 1)
    moderator.kicks("leo")
    moderator.world.commit()

    # Their side's news say so once to the referee, and reach nobody.
    await rita.does("referee pause", reason="tea")
    await rita.does("referee resume")
    mine = await ann.types(await ann.sheet("Battle in 0405"), pq17.story.orders["battle", "alliance"])
    await ann.sends_account(mine)
    if way == "start":
        await stage.stop_bot()
    moderator.invites("leo")
    assert not await leo.sees("coalition")
    if way == "command":
        await leo.does("campaign status")
    elif way == "direct press":
        await leo.does("orders show", at=(await leo.seat.state())["dms"][0]["id"])
    else:
        await stage.start_bot()
    await moderator.all_is_right()
    assert await leo.sees("coalition")
    assert await leo.sees("Battle in 0405")


async def test_the_referee_is_told_once_of_a_commander_who_is_away(stage: Stage, pq17: Rehearsal) -> None:
    ann, leo, rita = stage.ann, stage.leo, stage.rita
    await begin(stage)
    await as_ordered(leo, pq17, "planning", "coalition")
    await stage.settled()
    moderator = Moderator(stage, 1)
    moderator.kicks("leo")
    moderator.world.commit()
    await as_ordered(ann, pq17, "planning", "alliance")
    told = await rita.post("referee", leo.mention, "who commands Coalition, is not on this server", "Invite them")
    assert told["mentions_me"]
    await rita.does("referee extend", by="1h")
    await stage.settled()
    assert len([one for one in await rita.messages("referee") if "is not on this server" in one["words"]]) == 1


# --- the bot itself --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("is_down", [False, True], ids=["while the bot runs", "while the bot is down"])
async def test_a_kicked_bot_that_is_invited_again_says_so_and_posts_what_it_could_not(
    stage: Stage, pq17: Rehearsal, is_down: bool
) -> None:
    ann, leo, rita = stage.ann, stage.leo, stage.rita
    await begin(stage)
    await stage.settled()
    moderator = Moderator(stage, 1)
    if is_down:
        await stage.stop_bot()
    moderator.kicks_bot()
    moderator.deletes_channel("alliance")
    moderator.world.members[moderator.guild.id][ann.seat.user_id].roles.clear()
    moderator.world.commit()
    if is_down:
        await start_off_the_server(stage)
    while not stage.rows("select * from note where key like 'left:%'"):  # noqa: ASYNC110  nobody is told of it
        await asyncio.sleep(LOOKED_AGAIN)
    # Sheets stand in direct messages with the bot, which both can still use.
    for who, side in ((ann, "alliance"), (leo, "coalition")):
        card = await who.types(await who.sheet("Planning"), pq17.story.orders["planning", side])
        await who.ready(card)
    moderator.invites_bot(drags=False)
    await rita.post("referee", "I am on this server again", "comes now")
    await rita.post("referee", "drag it above this campaign's roles")
    moderator.drags_bots_role()
    await moderator.all_is_right()
    await leo.post("coalition", "❶ **0405: ")


async def start_off_the_server(stage: Stage) -> None:
    """Start a bot that is on no server, so that nobody sees its commands there."""

    async def is_online() -> bool:
        return (await stage.olga.seat.state())["application"]["online"]

    usual, stage._is_up = stage._is_up, is_online
    await stage.start_bot()
    stage._is_up = usual


# --- by chance -------------------------------------------------------------------------------------------------------
def seeds() -> tuple[int, ...]:
    """Two fixed ones, and those drawn."""
    return (*QUICK[:2], *DRAWN)


async def open_card(who: Person, title: str, side: str) -> Json | None:
    """An open card, in direct messages or in the side's channel."""
    places = [one for one in await who.channels() if one["kind"] == "dm" or one["name"] == side]
    for place in places:
        for message in reversed(await who.seat.messages(place["id"])):
            if title in message["words"] and "Ready" in buttons(message):
                return message
    return None


@pytest.mark.parametrize("seed", seeds())
async def test_nothing_is_missing_and_everybody_sees_what_they_should_after_a_random_moderator(
    stage: Stage, pq17: Rehearsal, seed: int
) -> None:
    """Between any two steps of a turn some things are deleted, taken, given, opened, and people and the bot kicked;
    sometimes the bot dies over mending it, or is down meanwhile."""
    await begin(stage)
    moderator = Moderator(stage, seed)
    chance = moderator.chance
    steps = [(kind, side, title) for batch in pq17.batches[:AFTER] for kind, sides, title in batch for side in sides]
    for kind, side, title in [*steps, ("battle", "alliance", "Battle in 0405")]:
        who = stage.people[SIDES[side]]
        is_down = chance.random() < 0.2
        if is_down:
            await stage.kill_bot()
            moderator.did.append("kills the bot")
        for _ in range(chance.randint(1, 3)):
            moderator.acts()
        if chance.random() < 0.3 and not is_down:
            await stage.kill_bot()
            is_down = True
            moderator.did.append("kills the bot over it")
        if chance.random() < 0.5:
            moderator.acts()
        moderator.invites_bot()
        if is_down:
            await stage.start_bot()
        moderator.invites(SIDES[side])
        moderator.lets_bot_in()
        if kind == "battle":
            break
        answer = await ready_as_ordered(who, pq17, kind, side, title)
        assert "Incident" not in answer, moderator.did
    moderator.invites_all()
    moderator.lets_bot_in()
    for who in stage.people.values():  # which tells which roles they have
        await who.does("campaign status", at=stage.guild["general_channel_id"])
    await moderator.all_is_right()
    assert await stage.ann.sees("Battle in 0405")


async def ready_as_ordered(who: Person, story: Rehearsal, kind: str, side: str, title: str) -> str:
    """Type the story's orders into the sheet, wherever it stands or else as a command gives it, and be ready."""

    async def look() -> Json | None:
        return await open_card(who, title, side)

    card = await who.until(look)
    orders = story.story.orders.get((kind, side))
    if orders is not None:
        card = await who.types(card, orders)
    return said(await who.ready(card))
