"""The bot's process: its client, how it is stopped, and the host's settings."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from pydantic import ValidationError
from structlog.testing import capture_logs

from bot import client, processes, settings
from bot.playground import PlaygroundConfig, serve
from bot.processes import bot_process, told_to_stop
from bot.running import ExitCode
from bot.settings import BUILT_IN, HostSettings, built_in
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.checkout import ROOT
from tests.expected.kept import cases
from tests.patience import PATIENCE


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
    def broken() -> None:
        raise RuntimeError("what somebody wrote")

    monkeypatch.setattr(here.bot.watch, "connected", broken)
    with capture_logs() as logs:
        here.bot.dispatch("guild_join", SimpleNamespace(id=1))
        await here.env.settle()
    (failed,) = [one for one in logs if one["event"] == "event failed"]
    assert (failed["event_name"], failed["error"]) == ("on_guild_join", "RuntimeError")
    assert "somebody" not in repr(logs)
    assert here.failures() == ["RuntimeError"]


@cases("event, words", "")
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


# --- processes: one that is told to stop, and a bot in one of its own that is stopped in good order -------------------
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_to_stop_is_heard_while_the_loop_sleeps_and_not_afterwards(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with told_to_stop() as stop:
        assert signal.getsignal(number) != before
        asyncio.get_running_loop().call_later(0.05, os.kill, os.getpid(), number)
        await asyncio.wait_for(stop.wait(), PATIENCE)
    assert signal.getsignal(number) == before


async def test_a_signal_from_elsewhere_wakes_a_loop_that_has_nothing_to_do() -> None:
    loop = asyncio.get_running_loop()
    with told_to_stop() as stop:
        telling = "import os, signal, sys, time; time.sleep(0.2); os.kill(int(sys.argv[1]), signal.SIGTERM); input()"
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", telling, str(os.getpid()), stdin=asyncio.subprocess.PIPE
        )
        begun = loop.time()
        await asyncio.wait_for(stop.wait(), PATIENCE)
        assert loop.time() - begun < PATIENCE / 2
        await process.communicate(b"\n")


async def test_a_folder_of_the_hosts_may_hold_a_file_named_as_our_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text("raise SystemExit(99)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    async with (
        await serve(PlaygroundConfig()) as server,
        bot_process(tmp_path, token="wrong", api_base=server.url) as process,
    ):
        assert await asyncio.wait_for(process.wait(), PATIENCE) == ExitCode.TOKEN
    assert "Discord does not accept the token" in " ".join((tmp_path / "bot.log").read_text("utf-8").split())
    assert (tmp_path / "plotroom.db").exists()


async def test_a_bot_that_does_not_stop_in_time_is_ended_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaf = tmp_path / "deaf"
    deaf.write_text("#!/bin/sh\ntrap '' TERM\necho deaf\nwhile :; do sleep 0.1; done\n", encoding="utf-8")
    deaf.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(deaf))
    monkeypatch.setattr(processes, "STOP_SECONDS", 0.2)
    told: list[str] = []
    async with bot_process(tmp_path, token="t", api_base="http://127.0.0.1:9", told=told.append) as process:
        async with asyncio.timeout(PATIENCE):
            while "deaf" not in (tmp_path / "bot.log").read_text("utf-8"):  # noqa: ASYNC110  a file tells nobody
                await asyncio.sleep(0.02)
    assert process.returncode == -signal.SIGKILL
    assert told == ["The bot did not stop in time and was ended; nothing acknowledged is lost."]


# --- the host's settings: where scenarios come from, and what is said of a folder that cannot be used -----------------
def given(**values: Any) -> HostSettings:
    return HostSettings(_env_file=None, **values)


def test_what_comes_with_the_bot_is_inside_it_when_installed_and_beside_it_in_a_checkout(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "bot"
    package.mkdir(parents=True)
    assert built_in(package) == tmp_path / "site-packages" / "config"
    (package / "builtin").mkdir()
    assert built_in(package) == package / "builtin"
    assert BUILT_IN == ROOT / "config"


def test_a_folder_of_ones_own_is_laid_over_what_is_built_in_and_written_to(tmp_path: Path) -> None:
    found = given(config_dir=tmp_path)
    assert (found.config_folders, found.own_folder) == ((BUILT_IN, tmp_path), tmp_path)


def test_without_one_a_checkout_is_edited_in_place_and_an_installation_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert given().config_folders == (BUILT_IN,)
    assert given().own_folder == BUILT_IN
    monkeypatch.setattr(settings, "IN_CHECKOUT", False)
    assert given().config_folders == (BUILT_IN,)
    assert given().own_folder is None


@pytest.mark.parametrize("value", ["", None])
def test_an_empty_setting_is_no_folder_and_not_the_current_one(value: str | None) -> None:
    assert given(config_dir=value).config_dir is None


def test_what_is_built_in_is_not_laid_over_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert given(config_dir="config").config_folders == (BUILT_IN,)


def test_a_folder_may_begin_with_ones_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    assert given(config_dir="~/mine").config_dir == tmp_path / "mine"


def test_a_folder_that_is_missing_or_none_is_refused_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match=f"the folder {tmp_path / 'away'} does not exist"):
        given(config_dir=tmp_path / "away")
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ValidationError, match=f"{tmp_path / 'file'} is no folder"):
        given(config_dir=tmp_path / "file")


def test_a_theme_is_taken_from_ones_own_folder_first(tmp_path: Path) -> None:
    (tmp_path / "themes").mkdir()
    for name in ("mine", "paper"):
        (tmp_path / "themes" / f"{name}.toml").write_text("", encoding="utf-8")
    assert given().theme_file == BUILT_IN / "themes" / "default.toml"
    assert given(config_dir=tmp_path).theme_file == BUILT_IN / "themes" / "default.toml"
    assert given(theme="paper").theme_file == BUILT_IN / "themes" / "paper.toml"
    assert given(theme="paper", config_dir=tmp_path).theme_file == tmp_path / "themes" / "paper.toml"
    assert given(theme="mine", config_dir=tmp_path).theme_file == tmp_path / "themes" / "mine.toml"


def test_all_themes_of_every_folder_may_be_asked_for(tmp_path: Path) -> None:
    (tmp_path / "themes").mkdir()
    for name in ("mine", "paper", "not a name", "x" * 41):
        (tmp_path / "themes" / f"{name}.toml").write_text("", encoding="utf-8")
    built_in = {name: BUILT_IN / "themes" / f"{name}.toml" for name in ("default", "paper")}
    own = {name: tmp_path / "themes" / f"{name}.toml" for name in ("mine", "paper")}
    assert given().theme_files == built_in
    assert given(config_dir=tmp_path).theme_files == built_in | own


@pytest.mark.parametrize("name", ["mine", "../themes/paper", "", "x" * 41])
def test_a_theme_that_is_not_there_is_refused_with_those_that_are(name: str) -> None:
    with pytest.raises(ValidationError, match="theme") as refused:
        given(theme=name)
    assert name != "mine" or "there is no theme mine; there is default, paper" in str(refused.value)
