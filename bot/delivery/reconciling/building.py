"""A campaign's places: roles, a category and channels, made closed and verified before use.

:func:`ensure` makes the world as it should be and may be called again at any time: what is there is left alone, what
was deleted is made again, and everything is looked for by its marker before it is made.
"""

from collections.abc import Iterable, Mapping

import discord

from bot.delivery import advice
from bot.delivery.job import OutboxJob, log
from bot.delivery.reconciling import asking
from bot.delivery.reconciling.again import give_again
from bot.delivery.reconciling.plans import ChannelPlan, is_as_planned, is_closed, marker, plans, role_names, with_kept
from bot.delivery.trouble import TroubleKind, Waiting, classify
from bot.records.campaigns import CampaignInfo
from bot.records.effects import Effect, Post
from bot.records.places import (
    BATTLES_PLACE,
    CATEGORY_PLACE,
    PUBLIC_PLACE,
    Channel,
    kind_of,
    role_place,
    side_place,
)
from bot.store.transaction import Transaction

MADE_AGAIN = (
    "🔧 The channel that was here is gone from this server, so I made it again. What stood in it is still to be read: "
    "`/log` has what was told, `/map` the map, and `/orders show` what is asked."
)
PUBLIC_AGAIN = "🔧 The channel that was here is gone from this server, so I made it again. `/map` has the public map."


async def ensure(job: OutboxJob, key: str | None = None) -> dict[str, int]:
    """All places, made where they are missing and verified; what cannot be done for one is done for the others.

    What follows from one that was made again (who holds the role, what stood in the channel) is queued with it.

    Raises:
        Waiting: if one will not close; with a ``key`` if that one will not.
        discord.HTTPException: what Discord refuses, in the same way.
    """
    async with job.shared.building[job.home.id]:  # two queues may miss something at once
        places = await _roles(job, await job.places())
        refused = await _channels(job, places)
    if key is not None:
        refused = {one: error for one, error in refused.items() if one == key or key not in places}
    if refused:
        raise next(iter(refused.values()))
    return places


async def _roles(job: OutboxJob, places: dict[str, int]) -> dict[str, int]:
    """The roles first: channels are closed by naming them."""
    home = job.home
    there = await job.exit.roles(home.guild_id)
    for key, name in role_names(home).items():
        if places.get(key) in there:
            continue
        others = {role for place, role in places.items() if place != key}  # one may be called so still
        made = next((role for role, called in there.items() if called == name and role not in others), None)
        role = made or await job.exit.create_role(home.guild_id, name)
        if key in places:
            log.warning("role.gone", campaign=home.id, kind=kind_of(key)[0], role=places[key])
        await _settle(job, key, role, is_back=key in places)
        places[key] = role
    return places


async def _channels(job: OutboxJob, places: dict[str, int]) -> dict[str, Waiting | discord.HTTPException]:
    """The channels, the category first; gives what could not be done, by place."""
    there = {channel.id: channel for channel in await job.exit.channels(job.home.guild_id)}
    had_category = places.get(CATEGORY_PLACE, 0) in there
    refused: dict[str, Waiting | discord.HTTPException] = {}
    for plan in plans(job.home, places, job.exit.bot_id):
        channel = there.get(places.get(plan.key, 0)) or _marked(job.home, plan, there.values())
        try:
            channel_id = await _channel(job, plan, channel, places.get(CATEGORY_PLACE), is_left=not had_category)
        except Waiting as error:
            refused[plan.key] = error
        except discord.HTTPException as error:
            trouble = classify(error)
            if trouble is None or trouble.kind is TroubleKind.RETRY or (plan.key == CATEGORY_PLACE and channel is None):
                raise
            refused[plan.key] = error
        else:
            if places.get(plan.key) != channel_id:
                await _settle(job, plan.key, channel_id, is_back=plan.key in places)
                places[plan.key] = channel_id
    return refused


async def _channel(
    job: OutboxJob, plan: ChannelPlan, channel: Channel | None, category: int | None, *, is_left: bool
) -> int:
    """One channel, made or mended, and closed; gives its id. A category that is gone has left its channels behind
    (``is_left``), which go into the new one."""
    parent = None if plan.key == CATEGORY_PLACE else category
    if channel is None:
        channel = await job.exit.create_channel(
            job.home.guild_id, plan.name, topic=plan.topic, parent=parent, overwrites=plan.overwrites
        )
        is_verified = False
        log.info("place.made", campaign=job.home.id, kind=kind_of(plan.key)[0], channel=channel.id)
    else:
        is_verified = not await _mend(job, channel, plan)
        if is_left and parent is not None and channel.parent is None:
            await job.exit.move_channel(channel.id, parent)
    if plan.viewers is not None and not is_verified:
        await verify(job, channel.id, plan)
    job.shared.verified.add(channel.id)
    return channel.id


async def _mend(job: OutboxJob, channel: Channel, plan: ChannelPlan) -> bool:
    """Give a channel the overwrites that it should have; the referee is told of one that showed itself to others. Gives
    whether anything had to be changed."""
    if is_as_planned(channel, plan):
        return False
    was_closed = is_closed(channel, plan)
    try:
        await job.exit.set_overwrites(channel.id, with_kept(channel, plan))
    except discord.HTTPException as error:
        trouble = classify(error)
        if was_closed or trouble is None or trouble.kind is not TroubleKind.FORBIDDEN:
            raise
        raise _is_open(job, channel.id, plan) from error
    log.warning("place.mended", campaign=job.home.id, kind=kind_of(plan.key)[0], channel=channel.id)
    if was_closed:
        return True
    text = (
        f"<#{channel.id}> could be seen by more than those it is for. I closed it again; what stands in it may have "
        "been read meanwhile. Whoever manages this server must leave its permissions to me."
    )
    async with job.store.write("opened") as tx:
        await advice.tell(tx, job.home.id, text, job.now())
    return True


async def _settle(job: OutboxJob, key: str, discord_id: int, *, is_back: bool) -> None:
    """Remember where a place is; with it, if it was there before, what follows from its being another one."""
    async with job.store.write("place") as tx:
        before = await tx.places.find(job.home.id, key)
        await tx.places.settle(job.home.id, key, discord_id)
        if is_back:
            await asking.ask(tx, job.home.id, job.now())
            if before is not None:
                await tx.outbox.put(job.home.id, *await _what_stood_there(tx, job.home, key, before), now=job.now())


async def _what_stood_there(tx: Transaction, home: CampaignInfo, key: str, before: int) -> list[Effect]:
    """Posts for a channel that was made again: that it was, and the open cards that stood in the one before."""
    if kind_of(key)[0] == "role" or key in {CATEGORY_PLACE, BATTLES_PLACE}:
        return []
    posts: list[Effect] = [Post(place=key, content=PUBLIC_AGAIN if key == PUBLIC_PLACE else MADE_AGAIN)]
    for token, copy in await tx.prompts.open_in(before):
        card = await tx.outbox.newest_card(home.id, token, copy.user_id)
        posts += await give_again(tx, home.id, token, copy, card)
    return posts


async def known(job: OutboxJob, side: str) -> dict[str, int]:
    """The places, if all roles and a side's channel are among them; else all of them, made where they are missing."""
    places = await job.places()
    return places if {*role_names(job.home), side_place(side)} <= places.keys() else await ensure(job)


async def rename(job: OutboxJob, side: str, places: Mapping[str, int]) -> None:
    """Give a side's role and channel its present name. What has it already is left alone: calls that rename a channel
    are few."""
    home, role, channel_id = job.home, places[role_place(side)], places[side_place(side)]
    wanted = role_names(home)[role_place(side)]
    if (await job.exit.roles(home.guild_id)).get(role) != wanted:
        await job.exit.rename_role(home.guild_id, role, wanted)
    plan = next(plan for plan in plans(home, places, job.exit.bot_id) if plan.key == side_place(side))
    channel = await job.exit.channel(channel_id)
    if (channel.name, channel.topic) != (plan.name, plan.topic):
        await job.exit.rename_channel(channel_id, plan.name, plan.topic)


def _marked(home: CampaignInfo, plan: ChannelPlan, channels: Iterable[Channel]) -> Channel | None:
    """A channel that an earlier try made."""
    for channel in channels:
        if plan.key == CATEGORY_PLACE and channel.is_category and channel.name == plan.name:
            return channel
        if not channel.is_category and channel.topic.endswith(marker(home, plan.key)):
            return channel
    return None


async def verify(job: OutboxJob, channel_id: int, plan: ChannelPlan) -> None:
    """Fetch a closed channel and look whether it is. Raises :class:`Waiting`: nothing is posted in an open one."""
    if is_closed(await job.exit.channel(channel_id), plan):
        job.shared.verified.add(channel_id)
        return
    raise _is_open(job, channel_id, plan)


def _is_open(job: OutboxJob, channel_id: int, plan: ChannelPlan) -> Waiting:
    log.warning("place.open", campaign=job.home.id, kind=kind_of(plan.key)[0], channel=channel_id)
    return Waiting(
        f"open:{kind_of(plan.key)[0]}",
        f"<#{channel_id}> can be seen by more than those it is for, so I post nothing there. In its permissions, "
        "take **View Channel** from everybody but the roles of this campaign that belong there, and from @everyone. "
        "I look again from time to time; nothing is lost.",
    )


async def guard(job: OutboxJob, key: str, channel_id: int) -> None:
    """Before the first post of this process in a closed place: look once more whether it is closed; one that somebody
    opened is closed again. Raises :class:`Waiting` if it will not close."""
    if channel_id in job.shared.verified:
        return
    places = await job.places()
    if not all(role in places for role in role_names(job.home)):
        return
    for plan in plans(job.home, places, job.exit.bot_id):
        if plan.key == key and plan.viewers is not None:
            if is_closed(await job.exit.channel(channel_id), plan):
                job.shared.verified.add(channel_id)
            else:
                await ensure(job, key)
            return
