"""Setting a playground up: users, guilds, members, roles and channels, made and changed without a seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from bot.playground.seats import views
from bot.playground.seats.errors import SeatError
from bot.playground.world import guilds
from bot.playground.world.errors import ApiError
from bot.playground.world.json_values import JsonObject
from bot.playground.world.model import Channel, ChannelType, Guild, Member, Role, User
from bot.playground.world.permissions import Permission
from bot.playground.world.world import World

T = TypeVar("T")

#: What the invitation link of the bot asks for, and so what its role may do in a new guild.
BOT_PERMISSIONS = int(
    Permission.VIEW_CHANNEL
    | Permission.MANAGE_CHANNELS
    | Permission.MANAGE_ROLES
    | Permission.SEND_MESSAGES
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.MANAGE_THREADS
    | Permission.MANAGE_MESSAGES
    | Permission.PIN_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.MENTION_EVERYONE
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CHANGE_NICKNAME
)

_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#8c6d31")


class SeatSetup:
    """The set-up operations; `body` is what the seat API was sent."""

    def __init__(self, world: World) -> None:
        self.world = world

    def _guild(self, guild_id: str) -> Guild:
        guild = self.world.guilds.get(guild_id)
        if guild is None:
            raise SeatError("unknown_guild", "there is no such server")
        return guild

    def _user(self, user_id: Any) -> User:
        user = self.world.users.get(str(user_id))
        if user is None:
            raise SeatError("unknown_user", "there is no such user")
        return user

    def _member(self, guild: Guild, user_id: str) -> Member:
        member = self.world.members[guild.id].get(user_id)
        if member is None:
            raise SeatError("unknown_user", "that user is not in that server")
        return member

    def _role(self, guild: Guild, role_id: str) -> Role:
        role = self.world.roles[guild.id].get(role_id)
        if role is None:
            raise SeatError("unknown_role", "that server has no such role")
        return role

    def _channel(self, guild: Guild, channel_id: str) -> Channel:
        channel = self.world.by_guild[guild.id].get(channel_id)
        if channel is None:
            raise SeatError("unknown_channel", "that server has no such channel")
        return channel

    def create_user(self, body: JsonObject) -> JsonObject:
        name = str(body.get("name") or "").strip().lower()
        if not 2 <= len(name) <= 32 or " " in name:
            raise SeatError("bad_request", "name must have 2 to 32 characters and no blanks")
        if any(user.name == name for user in self.world.users.values()):
            raise SeatError("bad_request", f"the name {name} is taken")
        persons = sum(not user.bot for user in self.world.users.values())
        user = User(
            id=self.world.new_id(),
            name=name,
            display=body.get("display") or name.capitalize(),
            avatar_color=body.get("avatar_color") or _COLORS[persons % len(_COLORS)],
            note=body.get("note") or "",
            dms_open=body.get("dms_open", True) is not False,
            locale=body.get("locale") or "en-US",
        )
        self.world.touch(user)
        return views.seat(user)

    def create_guild(self, body: JsonObject) -> JsonObject:
        owner = self._user(body.get("owner_id"))
        name = str(body.get("name") or "")
        if not 2 <= len(name) <= 100:
            raise SeatError("bad_request", "name must have 2 to 100 characters")
        bits = _bits(body.get("bot_permissions"), BOT_PERMISSIONS)
        guild = guilds.create_guild(self.world, name, owner.id)
        role = guilds.invite_bot(self.world, guild, bits) if body.get("with_bot", True) else None
        return {
            "id": guild.id,
            "name": guild.name,
            "everyone_role_id": guild.id,
            "general_channel_id": guild.system_channel_id,
            "bot_role_id": None if role is None else role.id,
        }

    def add_member(self, guild_id: str, body: JsonObject) -> JsonObject:
        guild = self._guild(guild_id)
        user = self._user(body.get("user_id"))
        if user.id in self.world.members[guild.id]:
            raise SeatError("bad_request", f"{user.name} is in that server already")
        wanted: list[Any] = body.get("roles") or []
        roles = [self._role(guild, str(role_id)).id for role_id in wanted]
        guilds.add_member(self.world, guild, user.id, nick=body.get("nick"), roles=roles)
        return {}

    def edit_member(self, guild_id: str, user_id: str, body: JsonObject) -> JsonObject:
        guild = self._guild(guild_id)
        member = self._member(guild, user_id)
        if "nick" in body:
            member.nick = body["nick"] or None
        if body.get("roles") is not None:
            member.roles = [self._role(guild, str(role_id)).id for role_id in body["roles"]]
        guilds.update_member(self.world, guild, member)
        return {}

    def remove_member(self, guild_id: str, user_id: str) -> JsonObject:
        guild = self._guild(guild_id)
        if guild.owner_id == user_id:
            raise SeatError("forbidden", "the owner cannot leave the server")
        guilds.remove_member(self.world, guild, self._member(guild, user_id))
        return {}

    def invite_bot(self, guild_id: str, body: JsonObject) -> JsonObject:
        guild = self._guild(guild_id)
        role = guilds.invite_bot(self.world, guild, _bits(body.get("permissions"), BOT_PERMISSIONS))
        return {"bot_role_id": role.id}

    def create_role(self, guild_id: str, body: JsonObject) -> JsonObject:
        guild = self._guild(guild_id)
        return views.role(
            _refusing_as_seat(lambda: guilds.create_role(self.world, guild, {"permissions": "0", **body}))
        )

    def edit_role(self, guild_id: str, role_id: str, body: JsonObject) -> JsonObject:
        guild = self._guild(guild_id)
        role = self._role(guild, role_id)
        _refusing_as_seat(lambda: guilds.update_role(self.world, guild, role, body))
        return views.role(role)

    def delete_role(self, guild_id: str, role_id: str) -> JsonObject:
        guild = self._guild(guild_id)
        role = self._role(guild, role_id)
        if role.id == guild.id:
            raise SeatError("forbidden", "the role @everyone cannot be deleted")
        guilds.delete_role(self.world, guild, role)
        return {}

    def create_channel(self, guild_id: str, body: JsonObject) -> JsonObject:
        guild = self._guild(guild_id)
        kind = {"text": ChannelType.TEXT, "category": ChannelType.CATEGORY, "voice": ChannelType.VOICE}.get(
            body.get("kind", "text")
        )
        if kind is None:
            raise SeatError("bad_request", "kind must be text, voice or category")
        fields = _channel_fields(body) | {"type": int(kind)}
        channel = _refusing_as_seat(lambda: guilds.create_channel(self.world, guild, fields))
        return views.channel(self.world, guild.owner_id, channel)

    def edit_channel(self, guild_id: str, channel_id: str, body: JsonObject) -> JsonObject:
        guild = self._guild(guild_id)
        channel = self._channel(guild, channel_id)
        if channel.is_thread:
            _refusing_as_seat(lambda: guilds.update_thread(self.world, channel, body))
        else:
            _refusing_as_seat(lambda: guilds.update_channel(self.world, guild, channel, _channel_fields(body)))
        return views.channel(self.world, guild.owner_id, channel)

    def delete_channel(self, guild_id: str, channel_id: str) -> JsonObject:
        guilds.delete_channel(self.world, self._channel(self._guild(guild_id), channel_id))
        return {}


def _bits(value: Any, default: int) -> int:
    if value is None:
        return default
    if not str(value).isdigit():
        raise SeatError("bad_request", "permissions must be a decimal number, the sum of its bits")
    return int(value)


def _channel_fields(body: JsonObject) -> JsonObject:
    fields = {key: value for key, value in body.items() if key not in ("kind", "overwrites")}
    if "overwrites" in body:
        fields["permission_overwrites"] = body["overwrites"]
    return fields


def _refusing_as_seat(call: Callable[[], T]) -> T:
    """Call a function; where it refuses as Discord's API does, refuse as the seat API does."""
    try:
        return call()
    except ApiError as error:
        raise SeatError("bad_request", f"{error.message} {error.errors or ''}".strip()) from error
