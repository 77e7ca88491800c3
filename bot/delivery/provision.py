"""A campaign's places: roles, a category and channels, closed from the start and verified before use.

:func:`ensure` makes the world as it should be and may be called again at any time: what is there is left alone, what
was deleted is made again, and everything is looked for by its marker before it is made.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import discord

from bot.delivery.job import OutboxJob, log
from bot.delivery.trouble import Waiting
from bot.records.campaigns import CampaignInfo
from bot.records.places import (
    BATTLES_PLACE,
    CATEGORY_PLACE,
    PUBLIC_PLACE,
    REFEREE_PLACE,
    REFEREE_ROLE,
    SPECTATOR,
    Channel,
    Overwrite,
    kind_of,
    role_place,
    side_place,
)

_P = discord.Permissions
VIEW = _P(view_channel=True).value
_TALK = _P(view_channel=True, send_messages=True, read_message_history=True, attach_files=True).value
_READ = _P(view_channel=True, read_message_history=True).value
_SEND = _P(send_messages=True).value
_SEE_ALL_THREADS = _P(manage_threads=True).value
_FIGHT = _READ | _P(send_messages_in_threads=True, attach_files=True).value
_BOT = _TALK | _P(send_messages_in_threads=True, create_private_threads=True, manage_threads=True).value

NEEDED = _P(_BOT | _P(manage_channels=True, manage_roles=True).value)
"""What the bot must be allowed on a server: for the invitation, and to say what is missing."""


@dataclass(frozen=True, slots=True)
class ChannelPlan:
    """How one channel should be. ``viewers``: who may see it; None if everybody may."""

    key: str
    name: str
    topic: str
    overwrites: frozenset[Overwrite]
    viewers: frozenset[int] | None


def role_names(home: CampaignInfo) -> dict[str, str]:
    """The campaign's roles by place; the names carry its tag."""
    names = {role_place(side): f"{name} {home.tag}" for side, name in home.side_names.items()}
    others = {role_place(REFEREE_ROLE): f"Referee {home.tag}", role_place(SPECTATOR): f"Spectator {home.tag}"}
    return names | others


def marker(home: CampaignInfo, key: str) -> str:
    """Stands in a channel's topic, so that the channel is known again whatever it is called."""
    return f"plotroom:{home.id}:{key}"


def plans(home: CampaignInfo, roles: Mapping[str, int], bot_id: int) -> list[ChannelPlan]:
    """Every channel of the campaign, the category first. ``roles``: ids by place."""
    referee, spectator = roles[role_place(REFEREE_ROLE)], roles[role_place(SPECTATOR)]
    sides = {side: roles[role_place(side)] for side in home.side_names}
    members = [*sides.values(), referee, spectator]
    bot = Overwrite(bot_id, False, _BOT, 0)
    closed = Overwrite(home.guild_id, True, 0, VIEW | _SEE_ALL_THREADS)

    def private(key: str, name: str, topic: str, allowed: Mapping[int, int], denied: int = 0) -> ChannelPlan:
        overwrites = {Overwrite(role, True, allow, denied) for role, allow in allowed.items()} | {closed, bot}
        text = f"{topic} · {marker(home, key)}" if topic else ""
        return ChannelPlan(key, name, text, frozenset(overwrites), frozenset({*allowed, bot_id}))

    public = ChannelPlan(
        PUBLIC_PLACE,
        "bulletins",
        f"What everybody may know of {home.title} · {marker(home, PUBLIC_PLACE)}",
        frozenset(
            {Overwrite(home.guild_id, True, _READ, _SEND), bot} | {Overwrite(role, True, _TALK, 0) for role in members}
        ),
        None,
    )
    return [
        private(CATEGORY_PLACE, f"{home.title} {home.tag}", "", dict.fromkeys(members, _READ)),
        public,
        private(
            BATTLES_PLACE,
            "battles",
            "A private thread for each battle",
            dict.fromkeys(members, _FIGHT),
            denied=_SEND | _SEE_ALL_THREADS,
        ),
        private(REFEREE_PLACE, "referee", "For the referee only", {referee: _TALK}),
        *(
            private(side_place(side), _slug(name), f"{name} only", {sides[side]: _TALK})
            for side, name in home.side_names.items()
        ),
    ]


async def ensure(job: OutboxJob) -> dict[str, int]:
    """All places, made where they are missing and verified. Raises :class:`Waiting` if one will not close."""
    async with job.shared.building[job.home.id]:  # two queues may miss something at once
        return await _ensure(job)


async def _ensure(job: OutboxJob) -> dict[str, int]:
    places = await _roles(job, await job.places())
    there = {channel.id: channel for channel in await job.exit.channels(job.home.guild_id)}
    for plan in plans(job.home, places, job.exit.bot_id):
        channel = there.get(places.get(plan.key, 0)) or _marked(job.home, plan, there.values())
        if channel is None:
            channel = await job.exit.create_channel(
                job.home.guild_id,
                plan.name,
                topic=plan.topic,
                parent=None if plan.key == CATEGORY_PLACE else places[CATEGORY_PLACE],
                overwrites=plan.overwrites,
            )
            log.info("place.made", campaign=job.home.id, kind=kind_of(plan.key)[0], channel=channel.id)
        elif not plan.overwrites <= channel.overwrites or not is_closed(channel, plan):
            await job.exit.set_overwrites(channel.id, plan.overwrites)
        if plan.viewers is not None:
            await verify(job, channel.id, plan)
        if places.get(plan.key) != channel.id:
            await job.settle_place(plan.key, channel.id)
            places[plan.key] = channel.id
    return places


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


async def _roles(job: OutboxJob, places: dict[str, int]) -> dict[str, int]:
    """The roles first: channels are closed by naming them. Those who held a role that had to be made again get it."""
    home = job.home
    there = await job.exit.roles(home.guild_id)
    for key, name in role_names(home).items():
        if places.get(key) in there:
            continue
        had_one = key in places
        others = {role for place, role in places.items() if place != key}  # one may be called so still
        made = next((role for role, called in there.items() if called == name and role not in others), None)
        role = made or await job.exit.create_role(home.guild_id, name)
        if had_one:
            side = key.removeprefix("role:")
            for user in [home.referee_id] if side == REFEREE_ROLE else await job.seated(side):
                await job.exit.grant(home.guild_id, user, role)
        await job.settle_place(key, role)
        places[key] = role
    return places


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
    log.warning("place.open", campaign=job.home.id, kind=kind_of(plan.key)[0], channel=channel_id)
    raise Waiting(
        f"open:{kind_of(plan.key)[0]}",
        f"<#{channel_id}> can be seen by more than those it is for, so I post nothing there. In its permissions, "
        "take **View Channel** from everybody but the roles of this campaign that belong there, and from @everyone. "
        "I look again from time to time; nothing is lost.",
    )


def is_closed(channel: Channel, plan: ChannelPlan) -> bool:
    """Whether a fetched channel shows itself to nobody but its viewers."""
    if plan.viewers is None:
        return True
    hidden = {one.target for one in plan.overwrites if one.deny & VIEW}  # from @everyone
    return hidden <= {one.target for one in channel.overwrites if one.deny & VIEW} and all(
        one.target in plan.viewers for one in channel.overwrites if one.allow & VIEW
    )


async def guard(job: OutboxJob, key: str, channel_id: int) -> None:
    """Before the first post of this process in a closed place: look once more whether it is closed."""
    if channel_id in job.shared.verified:
        return
    places = await job.places()
    if all(role in places for role in role_names(job.home)):
        for plan in plans(job.home, places, job.exit.bot_id):
            if plan.key == key and plan.viewers is not None:
                await verify(job, channel_id, plan)
                return


def _slug(name: str) -> str:
    """A channel's name from a side's."""
    return re.sub(r"[^\w]+", "-", name.lower()).strip("-")[:80] or "side"
