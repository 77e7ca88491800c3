"""Registering commands: all at once, one by one, for everybody and for one server."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(params=["everybody", "one server"])
def scope(request, scene) -> str:
    """Where commands are registered."""
    base = f"/applications/{scene.server.world.application_id}"
    return f"{base}/commands" if request.param == "everybody" else f"{base}/guilds/{scene.guild['id']}/commands"


def command(name: str, **changes: Any) -> dict[str, Any]:
    return {"name": name, "description": "Does it", **changes}


async def test_a_set_takes_the_place_of_the_set_before(scene, rest, scope: str) -> None:
    one = (await rest("PUT", scope, [command("go"), command("stay")]))[1]
    assert [entry["name"] for entry in one] == ["go", "stay"]
    two = (await rest("PUT", scope, [command("go"), command("wait")]))[1]
    assert [entry["name"] for entry in (await rest("GET", scope))[1]] == ["go", "wait"]
    assert (two[0]["id"], two[0]["version"]) == (one[0]["id"], one[0]["version"]), "what did not change stays"
    three = (await rest("PUT", scope, [command("go", description="Goes")]))[1]
    assert three[0]["id"] == one[0]["id"]
    assert three[0]["version"] != one[0]["version"]
    assert (await rest("PUT", scope, {"name": "go"}))[1]["code"] == 50109


async def test_one_command_is_added_changed_and_taken_away(scene, rest, scope: str) -> None:
    await rest("PUT", scope, [command("go")])
    status, added = await rest("POST", scope, command("stay", default_member_permissions=None))
    assert (status, added["default_member_permissions"]) == (201, None)
    again = (await rest("POST", scope, command("stay", description="Stays")))[1]
    assert (again["id"], again["description"]) == (added["id"], "Stays")
    path = f"{scope}/{added['id']}"
    assert (await rest("GET", path))[1] == again
    changed = (await rest("PATCH", path, {"name": "remain"}))[1]
    assert (changed["name"], changed["description"]) == ("remain", "Stays")
    assert (await rest("PATCH", path, {"name": "go"}))[1]["code"] == 50035, "the name is taken"
    assert (await rest("PATCH", path, {"name": "Not This"}))[1]["code"] == 50035
    assert [entry["name"] for entry in (await rest("GET", scope))[1]] == ["go", "remain"]
    assert (await rest("DELETE", path))[0] == 204
    assert (await rest("GET", path))[1]["code"] == 10063
    assert [entry["name"] for entry in (await rest("GET", scope))[1]] == ["go"]


async def test_each_scope_has_commands_of_its_own(scene, rest) -> None:
    base = f"/applications/{scene.server.world.application_id}"
    here = f"{base}/guilds/{scene.guild['id']}/commands"
    shared = (await rest("POST", f"{base}/commands", command("go")))[1]
    own = (await rest("POST", here, command("go")))[1]
    assert (own["guild_id"], "guild_id" in shared) == (scene.guild["id"], False)
    assert (await rest("GET", f"{here}/{shared['id']}"))[1]["code"] == 10063
    assert (await rest("GET", f"{base}/commands/{own['id']}"))[1]["code"] == 10063
    assert (await rest("GET", "/applications/1/commands"))[1]["code"] == 10002
