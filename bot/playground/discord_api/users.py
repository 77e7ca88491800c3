"""REST: the bot itself, users, direct-message channels, the gateway's address."""

from __future__ import annotations

from typing import Any

from bot.playground.discord_api.rest import ApiRequest, Endpoints
from bot.playground.world import payloads
from bot.playground.world.errors import BodyErrors, refuse
from bot.playground.world.model import Channel, ChannelType
from bot.playground.world.world import Event

ENDPOINTS = Endpoints()


@ENDPOINTS.add("GET", "/users/@me")
def me(request: ApiRequest) -> Any:
    return payloads.own_user(request.world.bot)


@ENDPOINTS.add("GET", "/users/{user_id}")
def get_user(request: ApiRequest) -> Any:
    user = request.world.users.get(request.params["user_id"])
    if user is None:
        raise refuse("unknown_user")
    return payloads.user(user)


@ENDPOINTS.add("GET", "/oauth2/applications/@me")
@ENDPOINTS.add("GET", "/applications/@me")
def application(request: ApiRequest) -> Any:
    return payloads.application(request.world, request.services.config.application_name)


@ENDPOINTS.add("GET", "/users/@me/guilds")
def my_guilds(request: ApiRequest) -> Any:
    """The servers of the bot, by id; a client pages through them."""
    world = request.world
    after, before = int(request.query.get("after", 0)), int(request.query.get("before", 2**63))
    errors = BodyErrors()
    limit = request.whole_number("limit", errors, usual=200, most=200)
    errors.check()
    counted = request.query.get("with_counts") in ("1", "true", "True")
    found = [guild for guild in world.guilds_of(request.bot_id) if after < int(guild.id) < before]
    found.sort(key=lambda guild: int(guild.id))
    page = found[-limit:] if "before" in request.query else found[:limit]
    return [
        {
            "id": guild.id,
            "name": guild.name,
            "icon": None,
            "banner": None,
            "owner": guild.owner_id == request.bot_id,
            "permissions": str(world.guild_permissions(request.bot_id, guild.id)),
            "features": [],
        }
        | (payloads.counts(world, guild) if counted else {})
        for guild in page
    ]


@ENDPOINTS.add("POST", "/users/@me/channels")
def open_dm(request: ApiRequest) -> Any:
    """Opening a DM always works for a known person; only posting into it may be refused."""
    world = request.world
    recipient = str(request.fields.get("recipient_id"))
    user = world.users.get(recipient)
    if user is None or user.id == request.bot_id:
        raise refuse("invalid_recipients")
    channel = world.dm_between(request.bot_id, recipient)
    if channel is None:
        channel = Channel(world.new_id(), ChannelType.DM, recipients=[request.bot_id, recipient])
        world.touch(channel)
        world.emit(Event("CHANNEL_CREATE", None, channel))
    return payloads.channel(world, channel)


@ENDPOINTS.add("GET", "/gateway", token=False)
def gateway(request: ApiRequest) -> Any:
    return {"url": request.services.gateway_url()}


@ENDPOINTS.add("GET", "/gateway/bot")
def gateway_bot(request: ApiRequest) -> Any:
    limit = {"total": 1000, "remaining": 1000, "reset_after": 86_400_000, "max_concurrency": 1}
    return {"url": request.services.gateway_url(), "shards": 1, "session_start_limit": limit}
