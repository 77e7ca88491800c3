"""REST: guilds, their channels, roles and members."""

from __future__ import annotations

from typing import Any

from bot.playground.discord_api.channels import check_overwrites, thread_list
from bot.playground.discord_api.rest import Call, Routes
from bot.playground.world import guilds, payloads
from bot.playground.world.errors import Form, refuse
from bot.playground.world.model import Guild, Member, Role
from bot.playground.world.permissions import ALL, Permission
from bot.playground.world.world import Event

ROUTES = Routes()


@ROUTES.add("GET", "/guilds/{guild_id}")
def get_guild(call: Call) -> Any:
    guild = call.guild()
    body = payloads.guild(call.world, guild)
    if call.query.get("with_counts") in ("1", "true", "True"):
        count = len(call.world.members[guild.id])
        body |= {"approximate_member_count": count, "approximate_presence_count": count}
    return body


@ROUTES.add("DELETE", "/users/@me/guilds/{guild_id}")
def leave_guild(call: Call) -> Any:
    guild = call.guild()
    world = call.world
    guilds.remove_member(world, guild, world.members[guild.id][call.bot_id])


@ROUTES.add("GET", "/guilds/{guild_id}/channels")
def list_channels(call: Call) -> Any:
    world = call.world
    found = world.by_guild[call.guild().id].values()
    return [payloads.channel(world, entry) for entry in found if not entry.is_thread]


@ROUTES.add("POST", "/guilds/{guild_id}/channels", status=201)
def create_channel(call: Call) -> Any:
    world = call.world
    guild = call.guild()
    fields = call.fields
    parent = world.channels.get(str(fields.get("parent_id")))
    bits = world.guild_permissions(call.bot_id, guild.id)
    if parent is not None and parent.guild_id == guild.id:
        bits = world.permissions(call.bot_id, parent)
    if not bits & Permission.MANAGE_CHANNELS:
        raise refuse("missing_permissions")
    check_overwrites(call, guild, guilds.read_overwrites(fields.get("permission_overwrites")))
    return payloads.channel(world, guilds.create_channel(world, guild, fields))


@ROUTES.add("PATCH", "/guilds/{guild_id}/channels")
def move_channels(call: Call) -> Any:
    world = call.world
    guild = call.guild()
    call.need_in_guild(guild, Permission.MANAGE_CHANNELS)
    for entry in call.body.value or []:
        channel = world.by_guild[guild.id].get(str(entry["id"]))
        if channel is None:
            raise refuse("unknown_channel")
        fields = {key: entry[key] for key in ("position", "parent_id") if key in entry}
        guilds.update_channel(world, guild, channel, fields)


@ROUTES.add("GET", "/guilds/{guild_id}/threads/active")
def active_threads(call: Call) -> Any:
    world = call.world
    found = [
        entry
        for entry in world.by_guild[call.guild().id].values()
        if entry.is_thread and not entry.archived and world.can_view(call.bot_id, entry)
    ]
    found.sort(key=lambda entry: int(entry.id), reverse=True)
    return thread_list(call, found)


# --- roles ---------------------------------------------------------------------------------------------------------


def _role(call: Call, guild: Guild) -> Role:
    role = call.world.roles[guild.id].get(call.params["role_id"])
    if role is None:
        raise refuse("unknown_role")
    return role


def _check_above(call: Call, guild: Guild, role: Role) -> None:
    """The bot may only touch roles below its own highest one."""
    if role.rank >= call.world.top_rank(call.bot_id, guild.id):
        raise refuse("missing_permissions")


def _check_grant(call: Call, guild: Guild, fields: dict[str, Any], before: int = 0) -> None:
    """A role may not be given what the bot does not have itself."""
    own = call.world.guild_permissions(call.bot_id, guild.id)
    wanted = fields.get("permissions")
    if wanted is not None and own != ALL and int(wanted) & ~before & ~own:
        raise refuse("missing_permissions")


@ROUTES.add("GET", "/guilds/{guild_id}/roles")
def list_roles(call: Call) -> Any:
    return [payloads.role(role) for role in call.world.roles[call.guild().id].values()]


@ROUTES.add("GET", "/guilds/{guild_id}/roles/{role_id}")
def get_role(call: Call) -> Any:
    return payloads.role(_role(call, call.guild()))


@ROUTES.add("POST", "/guilds/{guild_id}/roles")
def create_role(call: Call) -> Any:
    guild = call.guild()
    call.need_in_guild(guild, Permission.MANAGE_ROLES)
    _check_grant(call, guild, call.fields)
    return payloads.role(guilds.create_role(call.world, guild, call.fields))


@ROUTES.add("PATCH", "/guilds/{guild_id}/roles")
def move_roles(call: Call) -> Any:
    world = call.world
    guild = call.guild()
    call.need_in_guild(guild, Permission.MANAGE_ROLES)
    for entry in call.body.value or []:
        role = world.roles[guild.id].get(str(entry["id"]))
        if role is None:
            raise refuse("unknown_role")
        if entry.get("position") is not None and role.position != entry["position"]:
            _check_above(call, guild, role)
            role.position = int(entry["position"])
            world.touch(role)
            world.emit(Event("GUILD_ROLE_UPDATE", guild.id, detail={"role": payloads.role(role)}))
    return [payloads.role(role) for role in world.roles[guild.id].values()]


@ROUTES.add("PATCH", "/guilds/{guild_id}/roles/{role_id}")
def edit_role(call: Call) -> Any:
    guild = call.guild()
    role = _role(call, guild)
    call.need_in_guild(guild, Permission.MANAGE_ROLES)
    _check_above(call, guild, role)
    _check_grant(call, guild, call.fields, role.permissions)
    guilds.update_role(call.world, guild, role, call.fields)
    return payloads.role(role)


@ROUTES.add("DELETE", "/guilds/{guild_id}/roles/{role_id}")
def delete_role(call: Call) -> Any:
    guild = call.guild()
    role = _role(call, guild)
    call.need_in_guild(guild, Permission.MANAGE_ROLES)
    _check_above(call, guild, role)
    if role.id == guild.id or role.bot_id is not None:
        raise refuse("invalid_role")
    guilds.delete_role(call.world, guild, role)


# --- members -------------------------------------------------------------------------------------------------------


def _member(call: Call, guild: Guild, user_id: str | None = None) -> Member:
    world = call.world
    user_id = user_id or call.params["user_id"]
    if user_id not in world.users:
        raise refuse("unknown_user")
    member = world.members[guild.id].get(user_id)
    if member is None:
        raise refuse("unknown_member")
    return member


@ROUTES.add("GET", "/guilds/{guild_id}/members")
def list_members(call: Call) -> Any:
    """The whole list needs the members intent, as Discord's does."""
    world = call.world
    guild = call.guild()
    if not call.services.config.privileged_intents & (1 << 1):
        raise refuse("missing_access")
    form = Form()
    limit = int(call.query.get("limit", 1))
    form.integer("limit", limit, 1, 1000)
    form.check()
    after = int(call.query.get("after", 0))
    found = sorted(
        (entry for entry in world.members[guild.id].values() if int(entry.user_id) > after),
        key=lambda entry: int(entry.user_id),
    )
    return [payloads.member(world, entry) for entry in found[:limit]]


@ROUTES.add("GET", "/guilds/{guild_id}/members/{user_id}")
def get_member(call: Call) -> Any:
    guild = call.guild()
    return payloads.member(call.world, _member(call, guild))


@ROUTES.add("PATCH", "/guilds/{guild_id}/members/@me")
def edit_own_member(call: Call) -> Any:
    world = call.world
    guild = call.guild()
    member = world.members[guild.id][call.bot_id]
    if "nick" in call.fields:
        call.need_in_guild(guild, Permission.CHANGE_NICKNAME)
        _set_nick(member, call.fields["nick"])
    guilds.update_member(world, guild, member)
    return payloads.member(world, member)


def _set_nick(member: Member, nick: str | None) -> None:
    form = Form()
    form.text("nick", nick, 0, 32, required=False)
    form.check()
    member.nick = nick or None


@ROUTES.add("PATCH", "/guilds/{guild_id}/members/{user_id}")
def edit_member(call: Call) -> Any:
    world = call.world
    guild = call.guild()
    member = _member(call, guild)
    fields = call.fields
    if "nick" in fields:
        call.need_in_guild(guild, Permission.MANAGE_NICKNAMES)
        if world.top_rank(member.user_id, guild.id) >= world.top_rank(call.bot_id, guild.id):
            raise refuse("missing_permissions")
    if fields.get("roles") is not None:
        call.need_in_guild(guild, Permission.MANAGE_ROLES)
        wanted = [str(item) for item in fields["roles"]]
        for role_id in set(wanted) ^ set(member.roles):
            role = world.roles[guild.id].get(role_id)
            if role is None or role.id == guild.id:
                raise refuse("unknown_role")
            _check_above(call, guild, role)
        member.roles = wanted
    if "nick" in fields:
        _set_nick(member, fields["nick"])
    guilds.update_member(world, guild, member)
    return payloads.member(world, member)


@ROUTES.add("DELETE", "/guilds/{guild_id}/members/{user_id}")
def kick(call: Call) -> Any:
    world = call.world
    guild = call.guild()
    call.need_in_guild(guild, Permission.KICK_MEMBERS)
    member = _member(call, guild)
    if world.top_rank(member.user_id, guild.id) >= world.top_rank(call.bot_id, guild.id):
        raise refuse("missing_permissions")
    guilds.remove_member(world, guild, member)


def _assign(call: Call, *, give: bool) -> None:
    guild = call.guild()
    member = _member(call, guild)
    role = _role(call, guild)
    call.need_in_guild(guild, Permission.MANAGE_ROLES)
    _check_above(call, guild, role)
    if role.id == guild.id or role.bot_id is not None:
        raise refuse("invalid_role")
    if give == (role.id in member.roles):
        return
    if give:
        member.roles.append(role.id)
    else:
        member.roles.remove(role.id)
    guilds.update_member(call.world, guild, member)


@ROUTES.add("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
def give_role(call: Call) -> Any:
    _assign(call, give=True)


@ROUTES.add("DELETE", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
def take_role(call: Call) -> Any:
    _assign(call, give=False)
