"""REST: registering application commands, globally and by guild."""

from __future__ import annotations

from typing import Any

from bot.playground.discord_api.command_limits import check_commands
from bot.playground.discord_api.rest import ApiRequest, Endpoints
from bot.playground.world import payloads
from bot.playground.world.errors import refuse
from bot.playground.world.json_values import JsonObject, is_list
from bot.playground.world.model import Command
from bot.playground.world.world import Event

ENDPOINTS = Endpoints()

_GLOBAL = "/applications/{application_id}/commands"
_GUILD = "/applications/{application_id}/guilds/{guild_id}/commands"


def _scope(request: ApiRequest) -> str | None:
    request.check_application()
    return request.guild().id if "guild_id" in request.params else None


def _registered(request: ApiRequest, guild_id: str | None) -> list[Command]:
    return [command for command in request.world.commands.values() if command.guild_id == guild_id]


def _clean(data: JsonObject) -> JsonObject:
    """The parts of a command that are kept: not its ids, and no null except where null differs from absent."""
    kept = {key: value for key, value in data.items() if key not in ("id", "guild_id", "handler")}
    return {
        key: value
        for key, value in kept.items()
        if value is not None or key in ("contexts", "default_member_permissions")
    }


def _save(request: ApiRequest, data: JsonObject, guild_id: str | None) -> Command:
    """Create a command, or replace the one of the same name; an unchanged one keeps its version."""
    world = request.world
    kind, name, body = data.get("type", 1), data["name"], _clean(data)
    for command in _registered(request, guild_id):
        if command.name == name and command.data.get("type", 1) == kind:
            if command.data != body:
                command.data, command.version = body, world.new_id()
                world.touch(command)
            return command
    command = Command(world.new_id(), name, guild_id, world.new_id(), body)
    world.touch(command)
    return command


@ENDPOINTS.add("GET", _GLOBAL)
@ENDPOINTS.add("GET", _GUILD)
def list_commands(request: ApiRequest) -> Any:
    return [payloads.command(request.world, command) for command in _registered(request, _scope(request))]


@ENDPOINTS.add("PUT", _GLOBAL)
@ENDPOINTS.add("PUT", _GUILD)
def put_commands(request: ApiRequest) -> Any:
    guild_id = _scope(request)
    wanted = request.body.value
    if not is_list(wanted):
        raise refuse("invalid_json")
    check_commands(wanted)
    world = request.world
    names = {(entry.get("type", 1), entry["name"]) for entry in wanted}
    for command in _registered(request, guild_id):
        if (command.data.get("type", 1), command.name) not in names:
            world.remove(command)
    saved = [_save(request, entry, guild_id) for entry in wanted]
    world.emit(Event("COMMANDS_UPDATE", guild_id))
    return [payloads.command(world, command) for command in saved]


@ENDPOINTS.add("POST", _GLOBAL, status=201)
@ENDPOINTS.add("POST", _GUILD, status=201)
def post_command(request: ApiRequest) -> Any:
    guild_id = _scope(request)
    others = [entry.data for entry in _registered(request, guild_id) if entry.name != request.fields.get("name")]
    check_commands([*others, request.fields])
    command = _save(request, request.fields, guild_id)
    request.world.emit(Event("COMMANDS_UPDATE", guild_id))
    return payloads.command(request.world, command)


def _one(request: ApiRequest) -> Command:
    guild_id = _scope(request)
    command = request.world.commands.get(request.params["command_id"])
    if command is None or command.guild_id != guild_id:
        raise refuse("unknown_command")
    return command


@ENDPOINTS.add("GET", _GLOBAL + "/{command_id}")
@ENDPOINTS.add("GET", _GUILD + "/{command_id}")
def get_command(request: ApiRequest) -> Any:
    return payloads.command(request.world, _one(request))


@ENDPOINTS.add("PATCH", _GLOBAL + "/{command_id}")
@ENDPOINTS.add("PATCH", _GUILD + "/{command_id}")
def patch_command(request: ApiRequest) -> Any:
    command = _one(request)
    data = {**command.data, **_clean(request.fields)}
    others = [entry.data for entry in _registered(request, command.guild_id) if entry is not command]
    check_commands([*others, data])
    world = request.world
    command.data, command.name, command.version = data, data["name"], world.new_id()
    world.touch(command)
    world.emit(Event("COMMANDS_UPDATE", command.guild_id))
    return payloads.command(world, command)


@ENDPOINTS.add("DELETE", _GLOBAL + "/{command_id}")
@ENDPOINTS.add("DELETE", _GUILD + "/{command_id}")
def delete_command(request: ApiRequest) -> Any:
    command = _one(request)
    request.world.remove(command)
    request.world.emit(Event("COMMANDS_UPDATE", command.guild_id))
