"""REST: guilds, their channels, roles and members."""

from __future__ import annotations

from collections import Counter
from typing import Any

from bot.playground.discord_api.channels import check_overwrites, thread_list
from bot.playground.discord_api.rest import ApiRequest, Endpoints
from bot.playground.world import guilds, payloads
from bot.playground.world.errors import BodyErrors, refuse
from bot.playground.world.json_values import JsonObject
from bot.playground.world.model import Guild, Member, Role
from bot.playground.world.permissions import ALL, Permission
from bot.playground.world.world import Event

ENDPOINTS = Endpoints()


@ENDPOINTS.add("GET", "/guilds/{guild_id}")
def get_guild(request: ApiRequest) -> Any:
    guild = request.guild()
    body = payloads.guild(request.world, guild)
    if request.query.get("with_counts") in ("1", "true", "True"):
        body |= payloads.counts(request.world, guild)
    return body


@ENDPOINTS.add("DELETE", "/users/@me/guilds/{guild_id}")
def leave_guild(request: ApiRequest) -> Any:
    guild = request.guild()
    world = request.world
    guilds.remove_member(world, guild, world.members[guild.id][request.bot_id])


@ENDPOINTS.add("GET", "/guilds/{guild_id}/channels")
def list_channels(request: ApiRequest) -> Any:
    world = request.world
    found = world.by_guild[request.guild().id].values()
    return [payloads.channel(world, entry) for entry in found if not entry.is_thread]


@ENDPOINTS.add("POST", "/guilds/{guild_id}/channels", status=201)
def create_channel(request: ApiRequest) -> Any:
    world = request.world
    guild = request.guild()
    fields = request.fields
    parent = world.channels.get(str(fields.get("parent_id")))
    bits = world.guild_permissions(request.bot_id, guild.id)
    if parent is not None and parent.guild_id == guild.id:
        bits = world.permissions(request.bot_id, parent)
    if not bits & Permission.MANAGE_CHANNELS:
        raise refuse("missing_permissions")
    check_overwrites(request, guild, guilds.read_overwrites(fields.get("permission_overwrites")))
    return payloads.channel(world, guilds.create_channel(world, guild, fields))


@ENDPOINTS.add("PATCH", "/guilds/{guild_id}/channels")
def move_channels(request: ApiRequest) -> Any:
    world = request.world
    guild = request.guild()
    request.need_in_guild(guild, Permission.MANAGE_CHANNELS)
    entries: list[JsonObject] = request.body.value or []
    for entry in entries:
        channel = world.by_guild[guild.id].get(str(entry["id"]))
        if channel is None:
            raise refuse("unknown_channel")
        fields = {key: entry[key] for key in ("position", "parent_id") if key in entry}
        guilds.update_channel(world, guild, channel, fields)


@ENDPOINTS.add("GET", "/guilds/{guild_id}/threads/active")
def active_threads(request: ApiRequest) -> Any:
    world = request.world
    found = [
        entry
        for entry in world.by_guild[request.guild().id].values()
        if entry.is_thread and not entry.archived and world.can_view(request.bot_id, entry)
    ]
    found.sort(key=lambda entry: int(entry.id), reverse=True)
    return thread_list(request, found)


# --- roles ---------------------------------------------------------------------------------------------------------


def _role(request: ApiRequest, guild: Guild) -> Role:
    role = request.world.roles[guild.id].get(request.params["role_id"])
    if role is None:
        raise refuse("unknown_role")
    return role


def _check_above(request: ApiRequest, guild: Guild, role: Role) -> None:
    """The bot may only touch roles below its own highest one."""
    if role.rank >= request.world.top_rank(request.bot_id, guild.id):
        raise refuse("missing_permissions")


def _check_grant(request: ApiRequest, guild: Guild, fields: JsonObject, before: int = 0) -> None:
    """A role may not be given what the bot does not have itself."""
    own = request.world.guild_permissions(request.bot_id, guild.id)
    wanted = fields.get("permissions")
    if wanted is not None and own != ALL and int(wanted) & ~before & ~own:
        raise refuse("missing_permissions")


@ENDPOINTS.add("GET", "/guilds/{guild_id}/roles")
def list_roles(request: ApiRequest) -> Any:
    return [payloads.role(role) for role in request.world.roles[request.guild().id].values()]


@ENDPOINTS.add("GET", "/guilds/{guild_id}/roles/member-counts")
def count_holders(request: ApiRequest) -> Any:
    """How many members hold each role; everybody holds the first one, and it is left out."""
    guild = request.guild()
    held = Counter(role_id for member in request.world.members[guild.id].values() for role_id in member.roles)
    return {role_id: held[role_id] for role_id in request.world.roles[guild.id] if role_id != guild.id}


@ENDPOINTS.add("GET", "/guilds/{guild_id}/roles/{role_id}")
def get_role(request: ApiRequest) -> Any:
    return payloads.role(_role(request, request.guild()))


@ENDPOINTS.add("POST", "/guilds/{guild_id}/roles")
def create_role(request: ApiRequest) -> Any:
    guild = request.guild()
    request.need_in_guild(guild, Permission.MANAGE_ROLES)
    _check_grant(request, guild, request.fields)
    return payloads.role(guilds.create_role(request.world, guild, request.fields))


@ENDPOINTS.add("PATCH", "/guilds/{guild_id}/roles")
def move_roles(request: ApiRequest) -> Any:
    world = request.world
    guild = request.guild()
    request.need_in_guild(guild, Permission.MANAGE_ROLES)
    entries: list[JsonObject] = request.body.value or []
    for entry in entries:
        role = world.roles[guild.id].get(str(entry["id"]))
        if role is None:
            raise refuse("unknown_role")
        if entry.get("position") is not None and role.position != entry["position"]:
            _check_above(request, guild, role)
            role.position = int(entry["position"])
            world.touch(role)
            world.emit(Event("GUILD_ROLE_UPDATE", guild.id, detail={"role": payloads.role(role)}))
    return [payloads.role(role) for role in world.roles[guild.id].values()]


@ENDPOINTS.add("PATCH", "/guilds/{guild_id}/roles/{role_id}")
def edit_role(request: ApiRequest) -> Any:
    guild = request.guild()
    role = _role(request, guild)
    request.need_in_guild(guild, Permission.MANAGE_ROLES)
    _check_above(request, guild, role)
    _check_grant(request, guild, request.fields, role.permissions)
    guilds.update_role(request.world, guild, role, request.fields)
    return payloads.role(role)


@ENDPOINTS.add("DELETE", "/guilds/{guild_id}/roles/{role_id}")
def delete_role(request: ApiRequest) -> Any:
    guild = request.guild()
    role = _role(request, guild)
    request.need_in_guild(guild, Permission.MANAGE_ROLES)
    _check_above(request, guild, role)
    if role.id == guild.id or role.bot_id is not None:
        raise refuse("invalid_role")
    guilds.delete_role(request.world, guild, role)


# --- members -------------------------------------------------------------------------------------------------------


def _member(request: ApiRequest, guild: Guild, user_id: str | None = None) -> Member:
    world = request.world
    user_id = user_id or request.params["user_id"]
    if user_id not in world.users:
        raise refuse("unknown_user")
    member = world.members[guild.id].get(user_id)
    if member is None:
        raise refuse("unknown_member")
    return member


@ENDPOINTS.add("GET", "/guilds/{guild_id}/members")
def list_members(request: ApiRequest) -> Any:
    """The whole list needs the members intent, as Discord's does."""
    world = request.world
    guild = request.guild()
    if not request.services.config.privileged_intents & (1 << 1):
        raise refuse("missing_access")
    errors = BodyErrors()
    limit = request.whole_number("limit", errors, usual=1, most=1000)
    errors.check()
    after = int(request.query.get("after", 0))
    found = sorted(
        (entry for entry in world.members[guild.id].values() if int(entry.user_id) > after),
        key=lambda entry: int(entry.user_id),
    )
    return [payloads.member(world, entry) for entry in found[:limit]]


@ENDPOINTS.add("GET", "/guilds/{guild_id}/members/search")
def search_members(request: ApiRequest) -> Any:
    """The members whose name or nickname begins so, in whatever case."""
    guild = request.guild()
    errors = BodyErrors()
    limit = request.whole_number("limit", errors, usual=1, most=1000)
    query = request.query.get("query", "")
    errors.text("query", query, 1, 100)
    errors.check()
    found = request.world.members_called(guild.id, query)
    return [payloads.member(request.world, entry) for entry in found[:limit]]


@ENDPOINTS.add("GET", "/guilds/{guild_id}/members/{user_id}")
def get_member(request: ApiRequest) -> Any:
    guild = request.guild()
    return payloads.member(request.world, _member(request, guild))


@ENDPOINTS.add("PATCH", "/guilds/{guild_id}/members/@me")
def edit_own_member(request: ApiRequest) -> Any:
    world = request.world
    guild = request.guild()
    member = world.members[guild.id][request.bot_id]
    if "nick" in request.fields:
        request.need_in_guild(guild, Permission.CHANGE_NICKNAME)
        _set_nick(member, request.fields["nick"])
    guilds.update_member(world, guild, member)
    return payloads.member(world, member)


def _set_nick(member: Member, nick: str | None) -> None:
    errors = BodyErrors()
    errors.text("nick", nick, 0, 32, required=False)
    errors.check()
    member.nick = nick or None


@ENDPOINTS.add("PATCH", "/guilds/{guild_id}/members/{user_id}")
def edit_member(request: ApiRequest) -> Any:
    world = request.world
    guild = request.guild()
    member = _member(request, guild)
    fields = request.fields
    if "nick" in fields:
        request.need_in_guild(guild, Permission.MANAGE_NICKNAMES)
        if world.top_rank(member.user_id, guild.id) >= world.top_rank(request.bot_id, guild.id):
            raise refuse("missing_permissions")
    if fields.get("roles") is not None:
        request.need_in_guild(guild, Permission.MANAGE_ROLES)
        wanted = [str(item) for item in fields["roles"]]
        for role_id in set(wanted) ^ set(member.roles):
            role = world.roles[guild.id].get(role_id)
            if role is None or role.id == guild.id:
                raise refuse("unknown_role")
            _check_above(request, guild, role)
        member.roles = wanted
    if "nick" in fields:
        _set_nick(member, fields["nick"])
    guilds.update_member(world, guild, member)
    return payloads.member(world, member)


@ENDPOINTS.add("DELETE", "/guilds/{guild_id}/members/{user_id}")
def kick(request: ApiRequest) -> Any:
    world = request.world
    guild = request.guild()
    request.need_in_guild(guild, Permission.KICK_MEMBERS)
    member = _member(request, guild)
    if world.top_rank(member.user_id, guild.id) >= world.top_rank(request.bot_id, guild.id):
        raise refuse("missing_permissions")
    guilds.remove_member(world, guild, member)


def _assign(request: ApiRequest, *, give: bool) -> None:
    guild = request.guild()
    member = _member(request, guild)
    role = _role(request, guild)
    request.need_in_guild(guild, Permission.MANAGE_ROLES)
    _check_above(request, guild, role)
    if role.id == guild.id or role.bot_id is not None:
        raise refuse("invalid_role")
    if give == (role.id in member.roles):
        return
    if give:
        member.roles.append(role.id)
    else:
        member.roles.remove(role.id)
    guilds.update_member(request.world, guild, member)


@ENDPOINTS.add("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
def give_role(request: ApiRequest) -> Any:
    _assign(request, give=True)


@ENDPOINTS.add("DELETE", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
def take_role(request: ApiRequest) -> Any:
    _assign(request, give=False)
