"""The client: what fails is told to whom it concerns and logged without what people wrote."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest
from structlog.testing import capture_logs

from bot import client
from tests.bot.worlds.simulated_server import SimulatedServer, said


async def test_a_command_that_is_gone_is_said_to_be_gone(here: SimulatedServer) -> None:
    """Discord may go on showing an older version's commands for an hour."""
    here.bot.tree.remove_command("map")
    with capture_logs() as logs:
        result = await here.slash(here.ann, "map")
    assert (
        said(result)
        == "I did not understand that; the command may have changed. Choose it again from Discord's own list."
    )
    assert (
        [one["error"] for one in logs if one["event"] == "command not understood"]
        == here.failures()
        == ["CommandNotFound"]
    )


async def test_an_interaction_is_new_once(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "REMEMBERED", 2)
    one, two, three = (discord.Object(number) for number in (1, 2, 3))
    asked: list[Any] = [one, one, two, three, three, one]
    # The third is remembered in the first's place, which the database would still know.
    assert [here.bot.is_new(it) for it in asked] == [True, False, True, True, False, True]


async def test_a_failing_event_is_logged_by_its_name_and_place_alone(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: int) -> None:
        raise RuntimeError("what somebody wrote")

    monkeypatch.setattr(here.bot.delivery, "nudge", broken)
    with capture_logs() as logs:
        here.bot.dispatch("guild_join", SimpleNamespace(id=1))
        await here.env.settle()
    (failed,) = [one for one in logs if one["event"] == "event failed"]
    assert (failed["event_name"], failed["error"]) == ("on_guild_join", "RuntimeError")
    assert "somebody" not in repr(logs)
    assert here.failures() == ["RuntimeError"]


@pytest.mark.parametrize(
    ("event", "words"),
    [("guild_role_update", 2), ("guild_role_delete", 1), ("guild_channel_update", 2), ("guild_channel_delete", 1)],
)
async def test_delivery_looks_again_when_a_server_changes(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch, event: str, words: int
) -> None:
    nudged: list[int] = []

    async def nudge(guild_id: int) -> None:
        nudged.append(guild_id)

    monkeypatch.setattr(here.bot.delivery, "nudge", nudge)
    changed = SimpleNamespace(guild=SimpleNamespace(id=77))
    here.bot.dispatch(event, *[changed] * words)
    await here.env.settle()
    assert nudged == [77]


async def test_commands_that_discord_refuses_are_sent_again_at_the_next_start(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with here.store.write() as tx:
        await tx.installation.set_registered_commands(here.bot.application_id, "an older set")
    sync = here.bot.tree.sync
    tries: list[int] = []

    async def refused() -> list[Any]:
        tries.append(1)
        response: Any = SimpleNamespace(status=500, reason="down")
        raise discord.HTTPException(response, "down")

    monkeypatch.setattr(here.bot.tree, "sync", refused)
    with capture_logs() as logs:
        await here.bot._sync()
    assert [one["status"] for one in logs if one["event"] == "commands not registered"] == [500]
    monkeypatch.setattr(here.bot.tree, "sync", sync)
    with capture_logs() as logs:
        await here.bot._sync()
        await here.bot._sync()
    assert [one["event"] for one in logs if "registered" in one["event"]] == ["commands registered"]
    assert len(tries) == 1
