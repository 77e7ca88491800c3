"""Processes: one that is told to stop, and a bot in one of its own that is stopped in good order."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from bot import processes
from bot.playground import PlaygroundConfig, serve
from bot.processes import bot_process, told_to_stop
from bot.running import ExitCode
from tests.patience import PATIENCE


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
