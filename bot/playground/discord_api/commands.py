"""REST: registering application commands, globally and by guild."""

from __future__ import annotations

from typing import Any

from bot.playground.discord_api.command_limits import check_commands
from bot.playground.discord_api.rest import Call, Routes
from bot.playground.world import payloads
from bot.playground.world.errors import refuse
from bot.playground.world.model import Command
from bot.playground.world.world import Event

ROUTES = Routes()

_GLOBAL = "/applications/{application_id}/commands"
_GUILD = "/applications/{application_id}/guilds/{guild_id}/commands"


def _scope(call: Call) -> str | None:
    call.application()
    return call.guild().id if "guild_id" in call.params else None


def _registered(call: Call, guild_id: str | None) -> list[Command]:
    return [command for command in call.world.commands.values() if command.guild_id == guild_id]


def _clean(data: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a command: no ids, and no nulls of unset keys except where a null means something."""
    kept = {key: value for key, value in data.items() if key not in ("id", "guild_id", "handler")}
    return {
        key: value
        for key, value in kept.items()
        if value is not None or key in ("contexts", "default_member_permissions")
    }


def _save(call: Call, data: dict[str, Any], guild_id: str | None) -> Command:
    """Create a command, or replace the one of the same name; an unchanged one keeps its version."""
    world = call.world
    kind, name, body = data.get("type", 1), data["name"], _clean(data)
    for command in _registered(call, guild_id):
        if command.name == name and command.data.get("type", 1) == kind:
            if command.data != body:
                command.data, command.version = body, world.new_id()
                world.touch(command)
            return command
    command = Command(world.new_id(), name, guild_id, world.new_id(), body)
    world.touch(command)
    return command


@ROUTES.add("GET", _GLOBAL)
@ROUTES.add("GET", _GUILD)
def list_commands(call: Call) -> Any:
    return [payloads.command(call.world, command) for command in _registered(call, _scope(call))]


@ROUTES.add("PUT", _GLOBAL)
@ROUTES.add("PUT", _GUILD)
def put_commands(call: Call) -> Any:
    guild_id = _scope(call)
    wanted = call.body.value
    if not isinstance(wanted, list):
        raise refuse("invalid_json")
    check_commands(wanted)
    world = call.world
    names = {(entry.get("type", 1), entry["name"]) for entry in wanted}
    for command in _registered(call, guild_id):
        if (command.data.get("type", 1), command.name) not in names:
            world.remove(command)
    saved = [_save(call, entry, guild_id) for entry in wanted]
    world.emit(Event("COMMANDS_UPDATE", guild_id))
    return [payloads.command(world, command) for command in saved]


@ROUTES.add("POST", _GLOBAL, status=201)
@ROUTES.add("POST", _GUILD, status=201)
def post_command(call: Call) -> Any:
    guild_id = _scope(call)
    others = [entry.data for entry in _registered(call, guild_id) if entry.name != call.fields.get("name")]
    check_commands([*others, call.fields])
    command = _save(call, call.fields, guild_id)
    call.world.emit(Event("COMMANDS_UPDATE", guild_id))
    return payloads.command(call.world, command)


def _one(call: Call) -> Command:
    guild_id = _scope(call)
    command = call.world.commands.get(call.params["command_id"])
    if command is None or command.guild_id != guild_id:
        raise refuse("unknown_command")
    return command


@ROUTES.add("GET", _GLOBAL + "/{command_id}")
@ROUTES.add("GET", _GUILD + "/{command_id}")
def get_command(call: Call) -> Any:
    return payloads.command(call.world, _one(call))


@ROUTES.add("PATCH", _GLOBAL + "/{command_id}")
@ROUTES.add("PATCH", _GUILD + "/{command_id}")
def patch_command(call: Call) -> Any:
    command = _one(call)
    data = {**command.data, **_clean(call.fields)}
    others = [entry.data for entry in _registered(call, command.guild_id) if entry is not command]
    check_commands([*others, data])
    world = call.world
    command.data, command.name, command.version = data, data["name"], world.new_id()
    world.touch(command)
    world.emit(Event("COMMANDS_UPDATE", command.guild_id))
    return payloads.command(world, command)


@ROUTES.add("DELETE", _GLOBAL + "/{command_id}")
@ROUTES.add("DELETE", _GUILD + "/{command_id}")
def delete_command(call: Call) -> Any:
    command = _one(call)
    call.world.remove(command)
    call.world.emit(Event("COMMANDS_UPDATE", command.guild_id))
