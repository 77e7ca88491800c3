"""The bot as a process: what keeps it from starting is one clear line; it waits for Discord, and stops cleanly."""

import asyncio
import os
import shutil
import sqlite3
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from bot.campaigns.scenarios import InstalledScenarios
from bot.cli import app, playing
from bot.cli.app import fail
from bot.playground import PlaygroundConfig, PlaygroundServer, serve
from bot.running import ExitCode
from bot.settings import BUILT_IN
from bot.store.database import Store, open_store
from bot.store.lock import only_one
from rules_engine import rulebooks
from tests.bot.store.samples import founded, seated
from tests.bot.worlds.races_server import CONFIG
from tests.checkout import ROOT
from tests.databases import cluster
from tests.expected.kept import cases
from tests.expected.words import has_words
from tests.forked import Command
from tests.patience import PATIENCE
from tests.ports import kept_port

LOOKED_AGAIN = 0.02
"""Seconds after which it is looked again what a command says."""


class Started:
    """A command, and what it says."""

    def __init__(self, folder: Path, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self._out, self._errors = folder / "out", folder / "errors"
        self.command = Command(words, environment, self._out, self._errors)

    def out(self) -> str:
        """What it said on standard output so far."""
        return _read(self._out)

    def errors(self) -> str:
        """What it said on standard error so far."""
        return _read(self._errors)

    async def ended(self) -> tuple[int, str]:
        """The exit code, and what was said on standard error."""
        return await asyncio.wait_for(self.command.wait(), PATIENCE), " ".join(self.errors().split())


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def variables(settings: Mapping[str, str]) -> dict[str, str]:
    """These settings, and none from outside."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PLOTROOM_")}
    return environment | {f"PLOTROOM_{key.upper()}": value for key, value in settings.items()}


@asynccontextmanager
async def started(*words: str, **settings: str) -> AsyncIterator[Started]:
    """``plotroom <words>`` with these settings, and none from outside."""
    with TemporaryDirectory() as folder:
        process = Started(Path(folder), words, variables(settings))
        try:
            yield process
        finally:
            process.command.kill()
            await process.command.wait()


async def line_with(said: Callable[[], str], word: str) -> str:
    """The first line that holds ``word``."""
    async with asyncio.timeout(PATIENCE):
        while True:
            for line in said().splitlines(keepends=True):
                if word in line and line.endswith("\n"):
                    return line
            await asyncio.sleep(LOOKED_AGAIN)


async def online(server: PlaygroundServer) -> None:
    """Wait until the bot is connected."""
    if not any(user.name == "watcher" for user in server.world.users.values()):
        server.setup.create_user({"name": "watcher"})
    async with asyncio.timeout(PATIENCE), server.seat("watcher") as seat:
        if not (await seat.state())["application"]["online"]:
            await seat.wait_for_event(lambda event: event["type"] == "bot_status" and event["online"], PATIENCE)


def database(folder: Path) -> str:
    return f"sqlite+aiosqlite:///{folder / 'plotroom.db'}"


async def test_without_a_token_it_says_where_to_put_one(tmp_path: Path) -> None:
    async with started("run", database=database(tmp_path)) as process:
        code, said = await process.ended()
    assert code == ExitCode.SETTINGS
    has_words(said, "PLOTROOM_TOKEN", never="Traceback")


@cases("settings, word", "")
async def test_wrong_settings_are_named_all_at_once(tmp_path: Path, settings: dict[str, str], word: str) -> None:
    async with started("run", token="t", database=database(tmp_path), **settings) as process:
        code, said = await process.ended()
    assert code == ExitCode.SETTINGS
    assert word in said
    assert ("idle_minutes" not in settings) or "PLOTROOM_IDLE_MINUTES" in said


async def test_a_database_that_cannot_be_opened_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "plotroom.db").write_bytes(b"this is no database at all, but it is long enough to be read as one")
    async with started("run", token="t", database=database(tmp_path)) as process:
        code, said = await process.ended()
    assert code == ExitCode.DATABASE
    has_words(said, "is damaged or is not a database", never="Traceback")


async def test_a_wrong_token_is_one_line(tmp_path: Path) -> None:
    async with await serve(PlaygroundConfig()) as server:
        settings = {"token": "wrong", "api_base": server.url, "database": database(tmp_path)}
        async with started("run", **settings) as process:
            code, said = await process.ended()
    assert code == ExitCode.TOKEN
    has_words(said, "Discord does not accept the token", never="Traceback")


async def test_sigterm_stops_it_cleanly(tmp_path: Path) -> None:
    async with await serve(PlaygroundConfig()) as server:
        settings = {"token": playing.TOKEN, "api_base": server.url, "database": database(tmp_path)}
        async with started("run", **settings) as process:
            await online(server)
            process.command.terminate()
            code, said = await process.ended()
    assert code == ExitCode.CLEAN
    has_words(said, "Stopping", never="Traceback")


async def test_a_second_bot_on_the_same_database_is_turned_away(tmp_path: Path) -> None:
    async with await serve(PlaygroundConfig()) as server:
        settings = {"token": playing.TOKEN, "api_base": server.url, "database": database(tmp_path)}
        async with started("run", **settings) as first:
            await online(server)
            async with started("run", **settings) as second:
                code, said = await second.ended()
            assert code == ExitCode.DATABASE
            has_words(said, "Another Plotroom is running on this database", never="Traceback")
            first.command.kill()
            await first.ended()
        async with started("run", **settings) as third:
            await online(server)
            third.command.terminate()
            assert (await third.ended())[0] == ExitCode.CLEAN


async def test_it_waits_for_a_discord_that_is_away(tmp_path: Path) -> None:
    with kept_port() as port:
        settings = {"token": playing.TOKEN, "api_base": f"http://127.0.0.1:{port}", "database": database(tmp_path)}
        async with started("run", **settings) as process:
            assert "trying again in 1 s" in await line_with(process.errors, "Discord cannot be reached")
            async with await serve(PlaygroundConfig(port=port)) as server:
                await online(server)
                process.command.interrupt()
                code, _ = await process.ended()
    assert code == ExitCode.CLEAN


async def test_migrate_and_scenarios(tmp_path: Path) -> None:
    async with started("migrate", database=database(tmp_path)) as process:
        code, _ = await process.ended()
    assert code == 0
    assert (tmp_path / "plotroom.db").exists()
    async with started("scenarios", "--plain") as process:
        assert (await process.ended())[0] == 0
        out = process.out()
    assert "pq17/intro\tAn introduction to PQ-17" in out


def test_scenarios_that_leave_the_seats_open_are_listed_with_how_many_there_may_be(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rulebooks, "_PACKAGES", {"races": "tests.bot.worlds.races"})
    monkeypatch.setenv("PLOTROOM_CONFIG_DIR", str(CONFIG))
    result = CliRunner().invoke(app, ["scenarios"])
    assert result.exit_code == 0
    listed = {
        line.split()[0]: " ".join(line.split()) for line in result.output.splitlines() if line.startswith(" races")
    }
    assert listed["races/open"].endswith("2 to 7, as you choose")
    assert listed["races/fixed"].endswith("Seat 1, Seat 2, Seat 3")


def in_a_file(url: str, work: Callable[[Store], Awaitable[Any]]) -> Any:
    """Do something with the database at ``url``."""

    async def with_it() -> Any:
        store = await open_store(url)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(with_it())


@pytest.fixture
def kept_campaign(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The database of a host who keeps one campaign, that user 7 commands a side of."""
    url = f"sqlite:///{tmp_path / 'plotroom.db'}"
    monkeypatch.setenv("PLOTROOM_DATABASE", url)

    async def found(store: Store) -> None:
        await founded(store)
        await seated(store, (7, "red"))

    in_a_file(url, found)
    return url


@pytest.mark.parametrize("called", ["c1", "First Duel"])
def test_referee_makes_somebody_the_referee_of_a_campaign(kept_campaign: str, called: str) -> None:
    result = CliRunner().invoke(app, ["referee", called, "--to", "12"])
    assert result.exit_code == 0, result.output
    assert "12 is the referee of “First Duel” now" in result.output

    async def look(store: Store) -> int:
        async with store.read() as tx:
            found = await tx.campaigns.find("c1")
        assert found is not None
        return found.referee_id

    assert in_a_file(kept_campaign, look) == 12


@cases("words, said", "")
def test_referee_refuses_in_one_line(kept_campaign: str, words: tuple[str, ...], said: str) -> None:
    result = CliRunner().invoke(app, ["referee", *words])
    assert result.exit_code == ExitCode.REFUSED
    assert said in " ".join(result.output.split())
    assert "Traceback" not in result.output


def test_referee_changes_nothing_while_the_bot_runs(kept_campaign: str) -> None:
    with only_one(kept_campaign):
        result = CliRunner().invoke(app, ["referee", "c1", "--to", "12"])
    assert result.exit_code == ExitCode.DATABASE
    assert "Another Plotroom is running" in " ".join(result.output.split())


def test_names_of_scenarios_are_whole_in_a_narrow_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    listed = {line.split()[0] for line in CliRunner().invoke(app, ["scenarios"]).output.splitlines() if line.strip()}
    assert {ref.key for ref in InstalledScenarios(BUILT_IN).all()} <= listed


def test_scenarios_are_listed_a_line_each_with_plain() -> None:
    result = CliRunner().invoke(app, ["scenarios", "--plain"])
    lines = [line.split("\t") for line in result.output.splitlines()]
    assert {line[0] for line in lines} == {ref.key for ref in InstalledScenarios(BUILT_IN).all()}
    assert {len(line) for line in lines} == {4}


def test_what_an_error_quotes_is_never_taken_for_markup(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        fail(ExitCode.DATABASE, "run pip install 'plotroom[postgres]', or look into [/x] :smile:")
    assert capsys.readouterr().err == "plotroom: run pip install 'plotroom[postgres]', or look into [/x] :smile:\n"


@pytest.mark.parametrize("words", [("verify", "[bold]"), ("restore", "[bold]"), ("restore", "x[/x]")])
def test_a_path_that_looks_like_markup_is_named_as_it_is(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLOTROOM_DATABASE", database(tmp_path))
    result = CliRunner().invoke(app, list(words))
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code != 0
    assert words[1] in result.output


def test_all_defects_of_a_scenario_are_told_however_many(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "scenarios" / "border_patrol" / "mine"
    shutil.copytree(ROOT / "config" / "scenarios" / "border_patrol" / "intro", folder)
    forces = (folder / "units.toml").read_text(encoding="utf-8")
    assert forces.count('class_id = "F-') > 5
    (folder / "units.toml").write_text(forces.replace('class_id = "', 'class_id = "X-'), encoding="utf-8")
    monkeypatch.setenv("PLOTROOM_CONFIG_DIR", str(tmp_path))
    result = CliRunner().invoke(app, ["scenarios"])
    assert result.exit_code == ExitCode.SETTINGS
    told = "".join(result.output.split())
    for number in range(forces.count("class_id = ")):
        assert f"units.toml.unit.{number}.class_id(line" in told
    assert "more" not in result.output.split("•")[-1]


async def test_a_backup_is_made_and_put_back(tmp_path: Path) -> None:
    file = str(tmp_path / "copy.db")
    for words, says in (
        (("backup", file), f"There is no file {tmp_path / 'plotroom.db'}."),
        (("migrate",), "The database is up to date."),
        (("backup", file), f"0 campaigns in {file}."),
        (("backup", file), f"{file} is there already; name a file that is not."),
        (("restore", file), "0 campaigns restored; every hash holds."),
        (("restore", f"{file}x"), f"There is no file {file}x."),
    ):
        async with started(*words, database=database(tmp_path)) as process:
            code, errors = await process.ended()
            told = f"{process.out()} {errors}"  # wrapped at the terminal's width
        assert "".join(says.split()) in "".join(told.split())
        assert code == (ExitCode.DATABASE if says.startswith("There is") or "already" in says else 0)


@pytest.mark.parametrize("command", ["scenarios", "play", "demo", "migrate"])
async def test_a_missing_folder_of_ones_own_is_said_at_once(tmp_path: Path, command: str) -> None:
    words = {"play": ("--state-dir", str(tmp_path)), "demo": ("--out", str(tmp_path))}.get(command, ())
    async with started(command, *words, config_dir=str(tmp_path / "away"), database=database(tmp_path)) as process:
        code, said = await process.ended()
    assert code == ExitCode.SETTINGS
    assert f"PLOTROOM_CONFIG_DIR: Value error, the folder {tmp_path / 'away'} does not exist" in said
    assert os.listdir(tmp_path) == []


async def test_what_a_folder_of_ones_own_changes_is_listed(tmp_path: Path) -> None:
    async with started("scenarios", config_dir=str(tmp_path)) as process:
        assert (await process.ended())[0] == 0
        out = process.out()
    assert f"nothing of your own in {tmp_path / 'scenarios'}; it is looked for in pq17/<scenario>/ and" in out
    shutil.copytree(ROOT / "config" / "scenarios" / "pq17" / "intro", tmp_path / "scenarios" / "pq17" / "race")
    (tmp_path / "themes").mkdir()
    (tmp_path / "themes" / "mine.toml").write_text("", encoding="utf-8")
    async with started("scenarios", config_dir=str(tmp_path)) as process:
        assert (await process.ended())[0] == 0
        out = process.out()
    assert f"Your own, from {tmp_path / 'scenarios'}:\n  pq17/race: added" in out
    assert "theme mine: added; PLOTROOM_THEME=mine draws with it" in out
    assert "pq17/intro" in out


async def test_a_theme_with_defects_is_told_before_anything_starts(tmp_path: Path) -> None:
    (tmp_path / "themes").mkdir()
    (tmp_path / "themes" / "mine.toml").write_text('paper = "blue"\n', encoding="utf-8")
    own = {"config_dir": str(tmp_path), "theme": "mine"}
    async with started("run", token="t", database=database(tmp_path), **own) as process:
        code, said = await process.ended()
    assert code == ExitCode.SETTINGS
    assert "themes/mine.toml is not right: paper" in said
    assert not (tmp_path / "plotroom.db").exists()


async def test_a_console_that_lacks_a_letter_shows_a_question_mark(tmp_path: Path) -> None:
    words = ("-m", "bot.cli", "demo", "--rulebook", "nowhere", "--out", str(tmp_path))
    process = await asyncio.create_subprocess_exec(
        sys.executable, *words, cwd=ROOT, env=variables({}) | {"PYTHONIOENCODING": "ascii"},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, said = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == ExitCode.SETTINGS
    assert b"There is no script ?nowhere?." in out
    assert b"Traceback" not in said


async def test_play_opens_a_demo_and_keeps_it(tmp_path: Path) -> None:
    words = ("play", "--no-browser", "--port", "0", "--state-dir", str(tmp_path / "play"))
    bots_log = tmp_path / "play" / "bot.log"
    for _ in range(2):
        before = len(_read(bots_log))
        async with started(*words) as process:
            await line_with(process.out, "Plotroom is open: http://127.0.0.1:")
            await line_with(lambda: _read(bots_log), "kind=provision")
            # discord.py that is stopped while it gets ready says so as an error, whoever stops it.
            await line_with(lambda start=before: _read(bots_log)[start:], "] ready ")
            process.command.interrupt()
            code, said = await process.ended()
            assert code == 0, said
            assert "Everything is kept" in process.out()
    log = bots_log.read_text()
    assert log.count("kind=provision") == 1  # founded once, not again
    assert "[error" not in log


async def test_play_seats_as_many_as_the_scenario_has(tmp_path: Path) -> None:
    """A scenario that leaves open how many play, with more sides than the usual cast; and with more than can play."""
    folder = tmp_path / "play"
    words = ("play", "--no-browser", "--port", "0", "--state-dir", str(folder), "--scenario", "cutler/ring", "--sides")
    async with started(*words, "8") as process:
        code, said = await process.ended()
    assert code == ExitCode.SETTINGS
    assert "In cutler/ring 2 to 7 sides can play, and not 8." in said
    database = sqlite3.connect(folder / "plotroom.db")
    assert database.execute("SELECT count(*) FROM campaign").fetchone() == (0,), "nothing was founded"
    async with started(*words, "7") as process:
        await line_with(process.out, "Plotroom is open: http://127.0.0.1:")
        process.command.interrupt()
        code, said = await process.ended()
    assert code == 0, said
    assert database.execute("SELECT status FROM campaign").fetchone() == ("running",)
    assert database.execute("SELECT count(DISTINCT side), count(*) FROM member").fetchone() == (8, 8), (
        "and Eve looks on"
    )
    database.close()


async def test_a_wrong_password_is_one_line_and_not_shown() -> None:
    """Nor is another database made or used instead."""
    address = cluster().url("postgres", password="not the right one")
    async with started("migrate", database=address) as process:
        code, said = await process.ended()
    assert code == ExitCode.DATABASE
    assert said.startswith("plotroom: The database postgresql+asyncpg://plotroom:***@/postgres refuses the password")
    has_words(said, never=("not the right", "Traceback"))
