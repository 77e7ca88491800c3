"""REST: the bot itself, users, direct-message channels, the gateway's address."""

from __future__ import annotations

from typing import Any

from bot.playground.discord_api.rest import Call, Routes
from bot.playground.world import payloads
from bot.playground.world.errors import refuse
from bot.playground.world.model import Channel, ChannelType
from bot.playground.world.world import Event

ROUTES = Routes()


@ROUTES.add("GET", "/users/@me")
def me(call: Call) -> Any:
    return payloads.own_user(call.world.bot)


@ROUTES.add("GET", "/users/{user_id}")
def get_user(call: Call) -> Any:
    user = call.world.users.get(call.params["user_id"])
    if user is None:
        raise refuse("unknown_user")
    return payloads.user(user)


@ROUTES.add("GET", "/oauth2/applications/@me")
@ROUTES.add("GET", "/applications/@me")
def application(call: Call) -> Any:
    return payloads.application(call.world, call.services.config.application_name)


@ROUTES.add("GET", "/users/@me/guilds")
def my_guilds(call: Call) -> Any:
    world = call.world
    return [
        {
            "id": guild.id,
            "name": guild.name,
            "icon": None,
            "banner": None,
            "owner": guild.owner_id == call.bot_id,
            "permissions": str(world.guild_permissions(call.bot_id, guild.id)),
            "features": [],
        }
        for guild in world.guilds_of(call.bot_id)
    ]


@ROUTES.add("POST", "/users/@me/channels")
def open_dm(call: Call) -> Any:
    """Opening a DM always works for a known person; only posting into it may be refused."""
    world = call.world
    recipient = str(call.fields.get("recipient_id"))
    user = world.users.get(recipient)
    if user is None or user.id == call.bot_id:
        raise refuse("invalid_recipients")
    channel = world.dm_between(call.bot_id, recipient)
    if channel is None:
        channel = Channel(world.new_id(), ChannelType.DM, recipients=[call.bot_id, recipient])
        world.touch(channel)
        world.emit(Event("CHANNEL_CREATE", None, channel))
    return payloads.channel(world, channel)


@ROUTES.add("GET", "/gateway", token=False)
def gateway(call: Call) -> Any:
    return {"url": call.services.gateway_url()}


@ROUTES.add("GET", "/gateway/bot")
def gateway_bot(call: Call) -> Any:
    limit = {"total": 1000, "remaining": 1000, "reset_after": 86_400_000, "max_concurrency": 1}
    return {"url": call.services.gateway_url(), "shards": 1, "session_start_limit": limit}
