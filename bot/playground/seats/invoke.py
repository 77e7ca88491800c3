"""Slash commands: which of them a user may type where, and the interaction data that typed options make."""

from __future__ import annotations

import base64
import binascii
import mimetypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.playground.seats.errors import SeatError
from bot.playground.world import payloads
from bot.playground.world.bodies import Upload
from bot.playground.world.json_values import JsonObject, is_object
from bot.playground.world.messages import Messages
from bot.playground.world.model import Channel, Command
from bot.playground.world.permissions import ALL
from bot.playground.world.world import World

STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = 3, 4, 5, 6, 7, 8, 9, 10, 11
_KINDS = {
    STRING: "string",
    INTEGER: "integer",
    BOOLEAN: "boolean",
    USER: "user",
    CHANNEL: "channel",
    ROLE: "role",
    MENTIONABLE: "mentionable",
    NUMBER: "number",
    ATTACHMENT: "attachment",
}


@dataclass(slots=True)
class SlashCommand:
    """A command or subcommand that can be typed.

    `chain` lists the groups and the subcommand within `command`; `node` is the last of them, or the command's own data.
    """

    command: Command
    path: str
    chain: list[JsonObject]
    node: JsonObject

    @property
    def options(self) -> list[JsonObject]:
        return self.node.get("options") or []

    def view(self) -> JsonObject:
        return {
            "path": self.path,
            "command_id": self.command.id,
            "description": self.node.get("description", ""),
            "options": [_option_view(option) for option in self.options],
        }


def _option_view(option: JsonObject) -> JsonObject:
    choices: list[JsonObject] = option.get("choices") or []
    body: JsonObject = {
        "name": option["name"],
        "type": option["type"],
        "kind": _KINDS[option["type"]],
        "description": option.get("description", ""),
        "required": bool(option.get("required")),
        "autocomplete": bool(option.get("autocomplete")),
        "choices": [{"name": choice["name"], "value": choice["value"]} for choice in choices],
    }
    for key in ("min_value", "max_value", "min_length", "max_length", "channel_types"):
        if option.get(key) is not None:
            body[key] = option[key]
    return body


def _slash_commands(command: Command) -> Iterator[SlashCommand]:
    def below(path: str, chain: list[JsonObject], node: JsonObject) -> Iterator[SlashCommand]:
        options: list[JsonObject] = node.get("options") or []
        nested = [option for option in options if option["type"] in (1, 2)]
        if not nested:
            yield SlashCommand(command, path, chain, node)
        for option in nested:
            yield from below(f"{path} {option['name']}", [*chain, option], option)

    yield from below(command.name, [], command.data)


def usable(world: World, user_id: str, guild_id: str | None) -> list[SlashCommand]:
    """What a user may type in a guild, or (None) in a direct message with the bot, in alphabetical order."""
    if guild_id is not None and world.bot_id not in world.members.get(guild_id, {}):
        return []
    found: dict[str, Command] = {}
    for command in world.commands.values():
        if command.data.get("type", 1) != 1 or command.guild_id not in (None, guild_id):
            continue
        if command.guild_id is None and command.name in found:
            continue  # a guild's own command hides the global one of the same name
        if _offered(world, command, user_id, guild_id):
            found[command.name] = command
    slash_commands = [slash_command for command in found.values() for slash_command in _slash_commands(command)]
    return sorted(slash_commands, key=lambda slash_command: slash_command.path)


def _offered(world: World, command: Command, user_id: str, guild_id: str | None) -> bool:
    contexts = command.data.get("contexts")
    if guild_id is None:
        if command.guild_id is not None:
            return False
        return 1 in contexts if contexts is not None else command.data.get("dm_permission") is not False
    if contexts is not None and 0 not in contexts and command.guild_id is None:
        return False
    needed = command.data.get("default_member_permissions")
    if needed is None:
        return True
    bits = world.guild_permissions(user_id, guild_id)
    return bits == ALL or (int(needed) != 0 and bits & int(needed) == int(needed))


def find(world: World, user_id: str, guild_id: str | None, path: str) -> SlashCommand:
    wanted = " ".join(path.removeprefix("/").split())
    for slash_command in usable(world, user_id, guild_id):
        if slash_command.path == wanted:
            return slash_command
    raise SeatError("unknown_command", f"there is no command /{wanted} here for you")


@dataclass(slots=True)
class ResolvedObjects:
    """Collects the objects that ids in an interaction stand for."""

    world: World
    channel: Channel
    viewer: str
    found: dict[str, dict[str, JsonObject]] = field(default_factory=dict[str, dict[str, JsonObject]])

    def _add(self, group: str, key: str, body: JsonObject) -> None:
        self.found.setdefault(group, {})[key] = body

    def user(self, user_id: str) -> bool:
        world = self.world
        guild_id = self.channel.guild_id
        near = user_id in self.channel.recipients if guild_id is None else user_id in world.users
        if not near or user_id not in world.users:
            return False
        self._add("users", user_id, payloads.user(world.users[user_id]))
        member = world.member(guild_id, user_id)
        if member is not None:
            bits = str(world.permissions(user_id, self.channel))
            self._add("members", user_id, {**payloads.member(world, member, with_user=False), "permissions": bits})
        return True

    def role(self, role_id: str) -> bool:
        record = self.world.roles.get(self.channel.guild_id or "", {}).get(role_id)
        if record is None:
            return False
        self._add("roles", role_id, payloads.role(record))
        return True

    def channel_id(self, channel_id: str, types: list[int] | None) -> bool:
        record = self.world.channels.get(channel_id)
        if record is None or record.guild_id != self.channel.guild_id or not self.world.can_view(self.viewer, record):
            return False
        if types and record.type not in types:
            return False
        bits = str(self.world.permissions(self.viewer, record))
        self._add("channels", channel_id, {**payloads.channel(self.world, record), "permissions": bits})
        return True

    def attachment(self, body: JsonObject) -> None:
        self._add("attachments", body["id"], body)


def read_file(value: Any, *, limit: int) -> Upload:
    """A file as a seat sends it: `{name, base64}`."""
    if not is_object(value) or not isinstance(value.get("name"), str):
        raise SeatError("invalid_option", "a file needs a name and base64")
    try:
        data = base64.b64decode(value.get("base64", ""), validate=True)
    except (binascii.Error, ValueError, TypeError) as error:
        raise SeatError("invalid_option", f"the file {value['name']} is not valid base64") from error
    if len(data) > limit:
        raise SeatError("too_large", f"the file {value['name']} has {len(data)} bytes, the most is {limit}")
    return Upload("0", value["name"], _guess_type(value["name"]), data)


def _guess_type(name: str) -> str:
    return mimetypes.guess_type(name)[0] or "application/octet-stream"


def command_data(
    world: World,
    messages: Messages,
    slash_command: SlashCommand,
    channel: Channel,
    user_id: str,
    *,
    values: JsonObject,
    focused: str | None,
    limit: int,
) -> JsonObject:
    """The `data` of a command interaction, or with `focused` of an autocompletion.

    Raises SeatError on a value that Discord's own client would not send.
    """
    known = {option["name"]: option for option in slash_command.options}
    if extra := sorted(set(values) - set(known)):
        raise SeatError("invalid_option", f"/{slash_command.path} has no option {', '.join(extra)}")
    if focused is not None and not (known.get(focused) or {}).get("autocomplete"):
        raise SeatError("invalid_option", f"/{slash_command.path} has no completion for {focused}")
    resolved = ResolvedObjects(world, channel, user_id)
    done: list[JsonObject] = []
    for name, option in known.items():
        if name == focused:
            done.append({"name": name, "type": option["type"], "value": _partial(values.get(name)), "focused": True})
        elif name in values and values[name] is not None:
            if focused is not None and option["type"] == ATTACHMENT:
                continue
            value = _value(messages, resolved, option, values[name], limit, complete=focused is None)
            done.append({"name": name, "type": option["type"], "value": value})
        elif option.get("required") and focused is None:
            raise SeatError("invalid_option", f"/{slash_command.path} needs {name}: {option.get('description', '')}")
    for node in reversed(slash_command.chain):
        done = [{"name": node["name"], "type": node["type"], "options": done}]
    data: JsonObject = {"id": slash_command.command.id, "name": slash_command.command.name, "type": 1}
    if slash_command.command.guild_id is not None:
        data["guild_id"] = slash_command.command.guild_id
    if done:
        data["options"] = done
    if resolved.found:
        data["resolved"] = resolved.found
    return data


def _partial(value: Any) -> Any:
    return "" if value is None else value


def _value(
    messages: Messages, resolved: ResolvedObjects, option: JsonObject, value: Any, limit: int, *, complete: bool
) -> Any:
    kind, name = option["type"], option["name"]

    def wrong(why: str) -> SeatError:
        return SeatError("invalid_option", f"{name}: {why}")

    if kind == ATTACHMENT:
        file: Any = value.get("file") if is_object(value) else None
        upload = read_file(file, limit=limit)
        blob = messages.store_upload(upload)
        body = messages.attachment(blob, resolved.channel.id, ephemeral=True, description=file.get("description"))
        resolved.attachment(body)
        return blob.id
    if kind in (USER, CHANNEL, ROLE, MENTIONABLE):
        value = str(value)
        good = (
            (kind in (USER, MENTIONABLE) and resolved.user(value))
            or (kind in (ROLE, MENTIONABLE) and resolved.role(value))
            or (kind == CHANNEL and resolved.channel_id(value, option.get("channel_types")))
        )
        if not good:
            raise wrong(f"{value} is not a {_KINDS[kind]} that you can choose here")
        return value
    if kind == STRING:
        if not isinstance(value, str):
            raise wrong("must be text")
        low, high = option.get("min_length") or 0, option.get("max_length") or 6000
        if complete and not low <= len(value) <= high:
            raise wrong(f"must have {low} to {high} characters")
    elif kind == BOOLEAN:
        if not isinstance(value, bool):
            raise wrong("must be true or false")
    else:
        if (
            isinstance(value, bool)
            or not isinstance(value, (int, float))
            or (kind == INTEGER and not isinstance(value, int))
        ):
            raise wrong("must be a whole number" if kind == INTEGER else "must be a number")
        low, high = option.get("min_value"), option.get("max_value")
        if (low is not None and value < low) or (high is not None and value > high):
            raise wrong(f"must be from {low} to {high}")
    choices = option.get("choices")
    if choices and value not in [choice["value"] for choice in choices]:
        raise wrong("must be one of " + ", ".join(str(choice["name"]) for choice in choices))
    return value
