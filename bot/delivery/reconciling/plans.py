"""How a campaign's places should be on a server: roles, a category, and channels that are closed from the start.

Nothing is asked of Discord here, so that what a server is known to be can be compared at any time.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import discord

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
    Server,
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


def is_as_planned(channel: Channel, plan: ChannelPlan) -> bool:
    """Whether a channel has the overwrites that it should have, and shows itself to nobody but its viewers."""
    return plan.overwrites <= channel.overwrites and is_closed(channel, plan)


def is_closed(channel: Channel, plan: ChannelPlan) -> bool:
    """Whether a fetched channel shows itself to nobody but its viewers."""
    if plan.viewers is None:
        return True
    hidden = {one.target for one in plan.overwrites if one.deny & VIEW}  # from @everyone
    return hidden <= {one.target for one in channel.overwrites if one.deny & VIEW} and all(
        one.target in plan.viewers for one in channel.overwrites if one.allow & VIEW
    )


def with_kept(channel: Channel, plan: ChannelPlan) -> frozenset[Overwrite]:
    """The overwrites that a channel should have, and those that the server gave it beside them and that show it to
    nobody: who may not write at all on that server may not write there."""
    planned = {one.target for one in plan.overwrites}
    kept = {one for one in channel.overwrites if one.target not in planned and not one.allow}
    return plan.overwrites | kept


def lacks_something(
    home: CampaignInfo, places: Mapping[str, int], server: Server, bot_id: int, threads: Collection[int]
) -> bool:
    """Whether a role, a channel, an overwrite or one of these ``threads`` of open battles is not as it should be.

    A campaign whose places were never made lacks nothing: they are still to be made.
    """
    if PUBLIC_PLACE not in places:
        return False
    if any(places.get(key) not in server.roles for key in role_names(home)):
        return True
    for plan in plans(home, places, bot_id):
        channel = server.channels.get(places.get(plan.key, 0))
        if channel is None or not is_as_planned(channel, plan):
            return True
    return not server.awake.issuperset(threads)


def _slug(name: str) -> str:
    """A channel's name from a side's."""
    return re.sub(r"[^\w]+", "-", name.lower()).strip("-")[:80] or "side"
