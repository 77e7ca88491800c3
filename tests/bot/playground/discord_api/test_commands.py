"""Application commands: their limits, registering them, and the rules of answering interactions."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import pytest

from bot.playground import PlaygroundConfig, SeatRefusedError
from bot.playground.discord_api.command_limits import check_commands, total
from bot.playground.world.errors import ApiError
from tests.bot.playground.rest import paths
from tests.expected.kept import cases
from tests.patience import PATIENCE


class Raw:
    """A gateway connection that hands over each interaction and answers nothing by itself."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    async def next(self) -> dict[str, Any]:
        while True:
            frame = await asyncio.wait_for(self.socket.receive_json(), PATIENCE)
            if frame["t"] == "INTERACTION_CREATE":
                return frame["d"]


@pytest.fixture
async def raw(scene, rest, stack) -> Raw:
    commands = [{"name": "go", "description": "Goes", "type": 1}]
    application = scene.server.world.application_id
    assert (await rest("PUT", f"/applications/{application}/commands", commands))[0] == 200
    session = await stack.enter_async_context(aiohttp.ClientSession())
    socket = await stack.enter_async_context(session.ws_connect(scene.server.gateway_url))
    await socket.receive_json()
    await socket.send_json({"op": 2, "d": {"token": "playground-token", "intents": 1}})
    while (await socket.receive_json())["t"] != "GUILD_CREATE":
        pass
    return Raw(socket)


def callback(interaction: dict[str, Any]) -> str:
    return f"/interactions/{interaction['id']}/{interaction['token']}/callback?with_response=1"


async def test_the_second_answer_is_40060_and_a_strange_token_10062(scene, rest, raw) -> None:
    await scene.blake.command("go", wait=False)
    interaction = await raw.next()
    assert interaction["channel"]["id"] == scene.guild["general_channel_id"]
    assert interaction["member"]["user"]["id"] == scene.blake.user_id
    assert (await rest("POST", callback({**interaction, "token": "x"}), {"type": 5}))[1]["code"] == 10062
    status, body = await rest("POST", callback(interaction), {"type": 4, "data": {"content": "yes"}})
    assert status == 200
    assert body["resource"]["message"]["content"] == "yes"
    status, body = await rest("POST", callback(interaction), {"type": 4, "data": {"content": "no"}})
    assert (status, body["code"]) == (400, 40060)


async def test_an_answer_after_its_time_which_is_three_seconds_is_10062(scene, rest, raw) -> None:
    assert PlaygroundConfig().first_answer_within == 3.0, "as Discord has it; this playground waits longer"
    acting = asyncio.create_task(scene.blake.command("go"))
    interaction = await raw.next()
    scene.server.clock.advance(scene.server.config.first_answer_within)
    outcome = await acting
    assert (outcome["outcome"], outcome["error"]) == ("failed", "The application did not respond")
    status, body = await rest("POST", callback(interaction), {"type": 4, "data": {"content": "late"}})
    assert (status, body["code"]) == (404, 10062)
    assert await scene.blake.messages() == []


async def test_the_token_serves_for_fifteen_minutes(scene, rest, raw) -> None:
    await scene.blake.command("go", wait=False)
    interaction = await raw.next()
    hook = f"/webhooks/{interaction['application_id']}/{interaction['token']}"
    assert (await rest("POST", hook, {"content": "early"}))[1]["code"] == 10015
    await rest("POST", callback(interaction), {"type": 5})
    scene.server.clock.advance(14 * 60)
    assert (await rest("PATCH", f"{hook}/messages/@original", {"content": "in time"}))[0] == 200
    scene.server.clock.advance(2 * 60)
    status, body = await rest("PATCH", f"{hook}/messages/@original", {"content": "too late"})
    assert status in (401, 404)
    assert body["code"] in (50027, 10015)
    assert (await scene.blake.messages())[0]["content"] == "in time"


async def test_wrong_kinds_of_answer_are_refused(scene, rest, raw) -> None:
    await scene.blake.command("go", wait=False)
    interaction = await raw.next()
    for kind in (6, 7, 8, 99):
        status, body = await rest("POST", callback(interaction), {"type": kind})
        assert (status, body["code"]) == (400, 50035), kind
    long_title = {"custom_id": "m", "title": "x" * 46, "components": []}
    assert (await rest("POST", callback(interaction), {"type": 9, "data": long_title}))[1]["code"] == 50035
    text = {"type": 18, "label": "L", "component": {"type": 4, "custom_id": "t", "style": 1}}
    form = {"custom_id": "m", "title": "Form", "components": [text]}
    assert (await rest("POST", callback(interaction), {"type": 9, "data": form}))[0] == 200
    modal = await scene.blake.wait_for_modal()
    await scene.blake.fill_modal(modal, t="x", wait=False)
    submitted = await raw.next()
    assert submitted["data"]["components"][0]["component"]["value"] == "x"
    status, body = await rest("POST", callback(submitted), {"type": 9, "data": form})
    assert (status, body["code"]) == (400, 50035)


async def test_more_than_25_completions_are_refused(scene, rest, raw) -> None:
    application = scene.server.world.application_id
    option = {"type": 3, "name": "word", "description": "w", "autocomplete": True}
    await rest(
        "PUT", f"/applications/{application}/commands", [{"name": "go", "description": "Goes", "options": [option]}]
    )
    typing = asyncio.create_task(scene.blake.complete("go", "word", "a"))
    interaction = await raw.next()
    choices = [{"name": str(i), "value": str(i)} for i in range(26)]
    assert (await rest("POST", callback(interaction), {"type": 8, "data": {"choices": choices}}))[1]["code"] == 50035
    assert (await rest("POST", callback(interaction), {"type": 8, "data": {"choices": choices[:25]}}))[0] == 200
    assert len(await typing) == 25


async def test_a_completion_that_does_not_come_in_time_is_refused_and_not_told_as_no_choices(scene, rest, raw) -> None:
    application = scene.server.world.application_id
    option = {"type": 3, "name": "word", "description": "w", "autocomplete": True}
    command = {"name": "go", "description": "Goes", "options": [option]}
    await rest("PUT", f"/applications/{application}/commands", [command])
    typing = asyncio.create_task(scene.blake.complete("go", "word", "a"))
    interaction = await raw.next()
    scene.server.clock.advance(scene.server.config.first_answer_within)
    with pytest.raises(SeatRefusedError, match="did not answer in time") as refused:
        await typing
    assert (refused.value.status, refused.value.code) == (504, "unanswered")
    assert (await rest("POST", callback(interaction), {"type": 8, "data": {"choices": []}}))[1]["code"] == 10062

    typing = asyncio.create_task(scene.blake.complete("go", "word", "a"))
    assert (await rest("POST", callback(await raw.next()), {"type": 8, "data": {"choices": []}}))[0] == 200
    assert await typing == []


async def test_what_a_deferred_answer_becomes_is_told_to_who_acted(scene, rest, raw) -> None:
    mark = len(scene.blake.events)
    acting = asyncio.create_task(scene.blake.command("go"))
    interaction = await raw.next()
    hook = f"/webhooks/{interaction['application_id']}/{interaction['token']}"
    await rest("POST", callback(interaction), {"type": 5})
    answer = await acting
    assert (answer["outcome"], answer["message"]["loading"]) == ("deferred", True)
    await rest("POST", hook, {"content": "the whole of it"})
    whole = await scene.blake.whole(answer, since=mark)
    assert (whole["message"]["content"], whole["message"]["loading"]) == ("the whole of it", False)
    assert whole["message"]["id"] == answer["message"]["id"]
    await rest("PATCH", f"{hook}/messages/@original", {"content": "changed"})
    for words in ("the whole of it", "changed"):
        told = await scene.blake.wait_for_event(lambda one: one["type"] == "interaction_followed", since=mark)
        mark = scene.blake.events.index(told) + 1
        assert told["message"]["content"] == words
    assert [one for one in scene.cleo.events if one["type"] == "interaction_followed"] == []


async def test_an_answer_that_was_not_deferred_is_whole_at_once(scene, rest, raw) -> None:
    acting = asyncio.create_task(scene.blake.command("go"))
    await rest("POST", callback(await raw.next()), {"type": 4, "data": {"content": "yes"}})
    answer = await acting
    assert await scene.blake.whole(answer) is answer


async def test_ephemeral_answers_are_out_of_the_bots_reach(scene, rest, raw) -> None:
    await scene.blake.command("go", wait=False)
    interaction = await raw.next()
    _, body = await rest("POST", callback(interaction), {"type": 4, "data": {"content": "psst", "flags": 64}})
    message_id = body["resource"]["message"]["id"]
    path = f"/channels/{scene.guild['general_channel_id']}/messages"
    assert (await rest("GET", f"{path}/{message_id}"))[1]["code"] == 10008
    assert (await rest("GET", path))[1] == []
    hook = f"/webhooks/{interaction['application_id']}/{interaction['token']}"
    assert (await rest("DELETE", f"{hook}/messages/@original"))[0] == 204
    assert await scene.blake.messages() == []


async def test_guild_commands_are_not_offered_in_dms_nor_elsewhere(scene, rest, raw) -> None:
    world = scene.server.world
    path = f"/applications/{world.application_id}/guilds/{scene.guild['id']}/commands"
    commands = [{"name": "local", "description": "Only here", "default_member_permissions": "8"}]
    assert (await rest("PUT", path, commands))[0] == 200
    ada, blake = await scene.ada.state(), await scene.blake.state()
    assert [c["path"] for c in ada["guilds"][0]["commands"]] == ["go", "local"]
    assert [c["path"] for c in blake["guilds"][0]["commands"]] == ["go"]
    assert [c["path"] for c in ada["dm_commands"]] == ["go"]


# --- Discord's limits for application commands ------------------------------------------------------------------------
def command(**changes: Any) -> dict[str, Any]:
    return {"name": "go", "description": "Goes", **changes}


def sub(name: str) -> dict[str, Any]:
    return {"type": 1, "name": name, "description": "s"}


def option(**changes: Any) -> dict[str, Any]:
    return {"type": 3, "name": "a", "description": "a", **changes}


@cases("body, expected", made="body")
def test_a_command_over_a_limit(body, expected) -> None:
    with pytest.raises(ApiError) as refusal:
        check_commands([body])
    assert paths(refusal.value.errors or {}) == expected


def test_a_hundred_commands_and_no_more() -> None:
    check_commands([command(name=f"c{i}") for i in range(100)])
    with pytest.raises(ApiError) as refusal:
        check_commands([command(name=f"c{i}") for i in range(101)])
    assert refusal.value.code == 30032


def test_two_commands_of_one_kind_have_two_names() -> None:
    with pytest.raises(ApiError) as refusal:
        check_commands([command(), command(), {"type": 2, "name": "go"}])
    assert paths(refusal.value.errors or {}) == {"1.name": "APPLICATION_COMMANDS_DUPLICATE_NAME"}


def test_of_a_text_in_several_languages_the_longest_counts() -> None:
    long = command(description_localizations={"de": "x" * 7998})
    assert total(long) == len("go") + 7998
    check_commands([long])
    with pytest.raises(ApiError):
        check_commands([command(description_localizations={"de": "x" * 7999})])


# --- registering commands: all at once, one by one, for everybody and for one server ----------------------------------
@pytest.fixture(params=["everybody", "one server"])
def scope(request, scene) -> str:
    """Where commands are registered."""
    base = f"/applications/{scene.server.world.application_id}"
    return f"{base}/commands" if request.param == "everybody" else f"{base}/guilds/{scene.guild['id']}/commands"


def plain_command(name: str, **changes: Any) -> dict[str, Any]:
    return {"name": name, "description": "Does it", **changes}


async def test_a_set_takes_the_place_of_the_set_before(scene, rest, scope: str) -> None:
    one = (await rest("PUT", scope, [plain_command("go"), plain_command("stay")]))[1]
    assert [entry["name"] for entry in one] == ["go", "stay"]
    two = (await rest("PUT", scope, [plain_command("go"), plain_command("wait")]))[1]
    assert [entry["name"] for entry in (await rest("GET", scope))[1]] == ["go", "wait"]
    assert (two[0]["id"], two[0]["version"]) == (one[0]["id"], one[0]["version"]), "what did not change stays"
    three = (await rest("PUT", scope, [plain_command("go", description="Goes")]))[1]
    assert three[0]["id"] == one[0]["id"]
    assert three[0]["version"] != one[0]["version"]
    assert (await rest("PUT", scope, {"name": "go"}))[1]["code"] == 50109


async def test_one_command_is_added_changed_and_taken_away(scene, rest, scope: str) -> None:
    await rest("PUT", scope, [plain_command("go")])
    status, added = await rest("POST", scope, plain_command("stay", default_member_permissions=None))
    assert (status, added["default_member_permissions"]) == (201, None)
    again = (await rest("POST", scope, plain_command("stay", description="Stays")))[1]
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
    shared = (await rest("POST", f"{base}/commands", plain_command("go")))[1]
    own = (await rest("POST", here, plain_command("go")))[1]
    assert (own["guild_id"], "guild_id" in shared) == (scene.guild["id"], False)
    assert (await rest("GET", f"{here}/{shared['id']}"))[1]["code"] == 10063
    assert (await rest("GET", f"{base}/commands/{own['id']}"))[1]["code"] == 10063
    assert (await rest("GET", "/applications/1/commands"))[1]["code"] == 10002
