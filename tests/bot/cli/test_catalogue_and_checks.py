"""Commands beside the bot itself: ship figures, ``plotroom verify``, the demo campaign."""

import asyncio
import csv
import io
import json
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands
from typer.testing import CliRunner, Result

from bot import settings
from bot.campaigns.scenarios import InstalledScenarios
from bot.cli import app, playing
from bot.discord_address import point_client_at
from bot.playground import PlaygroundServer
from bot.settings import BUILT_IN
from bot.verification import export_file, verify
from rules_engine import rulebooks
from rules_engine.core.catalogues.ship_records import ShipRecord
from tests.bot.playground.ready import ReadyClient
from tests.bot.playground.scene import running
from tests.expected.kept import cases
from tests.expected.words import has_words
from tests.journals.record import path_of
from tests.patience import PATIENCE

SHIPPED = BUILT_IN
INTRO = "pq17/intro"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation of one's own, with the introductory scenario."""
    folder = tmp_path / "config"
    shutil.copytree(SHIPPED / "scenarios" / "pq17" / "intro", folder / "scenarios" / "pq17" / "intro")
    shutil.copytree(SHIPPED / "scenarios" / "cutler", folder / "scenarios" / "cutler")
    monkeypatch.setenv("PLOTROOM_CONFIG_DIR", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


def plotroom(*words: str) -> Result:
    return CliRunner().invoke(app, ["catalogue", *words])


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def written(path: Path, rows: list[dict[str, str]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_template_is_a_csv_that_can_be_read_back(config: Path) -> None:
    rows = rows_of(plotroom("template").stdout)
    assert len(rows) == 1
    assert {"class_id", "move_cost", "warp", "bpv_economic", "source"} <= set(rows[0])


def test_figures_of_ones_own_replace_those_of_the_same_id_and_no_others(config: Path, tmp_path: Path) -> None:
    rows = rows_of(plotroom("export", "--scenario", INTRO).output)
    ours = [{**row, "warp": "36", "source": "our own book"} for row in rows if row["class_id"] == "MCA"]
    result = plotroom("import", str(written(tmp_path / "ours.csv", ours)), "--scenario", INTRO)
    assert result.exit_code == 0, result.output
    assert "1 classes replaced, 0 added, 0 as they were" in " ".join(result.output.split())
    _, scenario = InstalledScenarios(config).read(INTRO)
    assert (scenario["classes"]["MCA"]["warp"], scenario["classes"]["MCA"]["source"]) == (36, "our own book")
    assert scenario["classes"]["MDD"]["source"] == "invented"
    assert plotroom("reset", "--scenario", INTRO).exit_code == 0
    assert InstalledScenarios(config).read(INTRO)[1]["classes"]["MCA"]["warp"] == 30


def test_toml_takes_the_place_of_csv(config: Path, tmp_path: Path) -> None:
    """One file of one's own a scenario: what was laid last stands alone."""
    rows = [row for row in rows_of(plotroom("export", "--scenario", INTRO).output) if row["class_id"] == "MCA"]
    assert plotroom("import", str(written(tmp_path / "ours.csv", rows)), "--scenario", INTRO).exit_code == 0
    shipped = tomllib.loads((config / "scenarios" / "pq17" / "intro" / "ships.toml").read_text(encoding="utf-8"))
    (ship,) = [one for one in shipped["class"] if one["class_id"] == "MDD"]
    fields = "\n".join(f"{key} = {json.dumps(value)}" for key, value in {**ship, "warp": 33}.items())
    (tmp_path / "ours.toml").write_text(f"[[class]]\n{fields}\n", encoding="utf-8")
    result = plotroom("import", str(tmp_path / "ours.toml"), "--scenario", INTRO)
    assert result.exit_code == 0, result.output
    assert [path.name for path in (config / "scenarios" / "pq17" / "intro").glob("own_*")] == ["own_ships.toml"]
    classes = InstalledScenarios(config).read(INTRO)[1]["classes"]
    assert (classes["MDD"]["warp"], classes["MCA"]["warp"]) == (33, 30)


def test_the_classes_are_shown_with_where_their_figures_come_from(config: Path) -> None:
    shown = plotroom("show", "--scenario", INTRO)
    assert shown.exit_code == 0
    ids = [row["class_id"] for row in rows_of(plotroom("export", "--scenario", INTRO).output)]
    assert all(one in shown.output for one in ids)
    assert f"{len(ids)} classes; the figures of {len(ids)} are invented, of 0 they are not." in shown.output


def test_without_a_scenario_the_great_campaign_is_taken_and_that_is_said(overlay: Path) -> None:
    shown = plotroom("reset")
    assert shown.exit_code == 0
    assert "pq17/campaign: there were no figures of your own." in shown.output
    assert "Taking the scenario pq17/campaign; --scenario names another." in " ".join(shown.output.split())


def test_a_file_that_is_there_is_not_written_over(config: Path, tmp_path: Path) -> None:
    to = tmp_path / "mine.csv"
    assert plotroom("export", "--scenario", INTRO, "--out", str(to)).exit_code == 0
    before = to.read_bytes()
    again = plotroom("template", "--rulebook", "pq17", "--out", str(to))
    assert again.exit_code != 0
    assert "is there already; name another file" in " ".join(again.output.split())
    assert to.read_bytes() == before
    away = plotroom("template", "--rulebook", "pq17", "--out", str(tmp_path / "no" / "mine.csv"))
    assert away.exit_code != 0
    assert "cannot be written" in " ".join(away.output.split())


def test_a_file_that_is_no_text_or_too_large_is_refused(config: Path, tmp_path: Path) -> None:
    before = files_of(config)
    for content, says in ((b"\xff\xfe\x00", "is not UTF-8 text"), (b"x" * 2_000_001, "larger than 2,000,000 bytes")):
        (tmp_path / "ours.csv").write_bytes(content)
        result = plotroom("import", str(tmp_path / "ours.csv"), "--scenario", INTRO)
        assert result.exit_code != 0
        assert says in " ".join(result.output.split())
    assert files_of(config) == before


def test_figures_that_do_not_hold_where_they_lie_are_told_of(config: Path) -> None:
    (config / "scenarios" / "pq17" / "intro" / "own_ships.csv").write_text(
        "class_id,warp\nMCA,many\n", encoding="utf-8"
    )
    for command in ("show", "export"):
        result = plotroom(command, "--scenario", INTRO)
        assert result.exit_code != 0
        assert "own_ships.csv" in result.output


def test_each_bad_row_is_named_and_nothing_is_taken(config: Path, tmp_path: Path) -> None:
    rows = rows_of(plotroom("export", "--scenario", INTRO).output)[:3]
    rows[1]["warp"], rows[2]["move_cost"] = "many", "-1"
    before = files_of(config)
    result = plotroom("import", str(written(tmp_path / "ours.csv", rows)), "--scenario", INTRO)
    assert result.exit_code != 0
    said = " ".join(result.output.split())
    has_words(said, "nothing of", f"{rows[1]['class_id']}.warp", f"{rows[2]['class_id']}.move_cost")
    assert files_of(config) == before


def test_a_file_with_which_the_scenario_would_not_hold_is_refused_whole(config: Path, tmp_path: Path) -> None:
    rows = [row for row in rows_of(plotroom("export", "--scenario", INTRO).output) if row["class_id"] == "OBS"]
    rows[0] |= {"unit_kind": "ship", "base_type": ""}
    before = files_of(config)
    result = plotroom("import", str(written(tmp_path / "ours.csv", rows)), "--scenario", INTRO)
    assert result.exit_code != 0
    assert "PQ-17 1.6.7.1" in result.output
    assert files_of(config) == before


def test_a_copy_of_the_scenario_may_be_made_instead(config: Path, tmp_path: Path) -> None:
    rows = rows_of(plotroom("export", "--scenario", INTRO).output)[:1]
    file = str(written(tmp_path / "ours.csv", rows))
    before = files_of(config / "scenarios" / "pq17" / "intro")
    assert plotroom("import", file, "--scenario", INTRO, "--as", "ours").exit_code == 0
    assert files_of(config / "scenarios" / "pq17" / "intro") == before
    assert InstalledScenarios(config).read("pq17/ours")[1]["file"]["title"]
    assert "already" in plotroom("import", file, "--scenario", INTRO, "--as", "ours").output
    assert "no name" in plotroom("import", file, "--scenario", INTRO, "--as", "../away").output


@cases("words, says", "", made="words")
def test_what_is_not_there_is_said(config: Path, words: tuple[str, ...], says: str) -> None:
    result = plotroom(*words)
    assert result.exit_code != 0
    assert says in " ".join(result.output.split())


def test_a_rulebook_may_have_no_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulebooks, "_PACKAGES", {"toy": "tests.toy"})
    result = plotroom("template", "--rulebook", "toy")
    assert result.exit_code != 0
    assert "keeps its classes in its scenario's own files" in " ".join(result.output.split())


def test_every_book_of_these_ships_has_the_common_record() -> None:
    common = set(ShipRecord.model_fields)
    for key in ("pq17", "cutler"):
        (header, *_) = csv.reader(io.StringIO(plotroom("template", "--rulebook", key).output))
        assert common <= {column.partition(".")[0] for column in header}, key


@pytest.fixture
def overlay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of one's own over what comes with the bot."""
    folder = tmp_path / "own"
    folder.mkdir()
    monkeypatch.setenv("PLOTROOM_CONFIG_DIR", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


def test_figures_are_written_into_ones_own_folder_alone_and_taken_away_without_a_trace(overlay: Path, tmp_path: Path):
    before = files_of(SHIPPED)
    rows = rows_of(plotroom("export", "--scenario", INTRO).output)
    ours = [{**row, "warp": "36"} for row in rows if row["class_id"] == "MCA"]
    result = plotroom("import", str(written(tmp_path / "ours.csv", ours)), "--scenario", INTRO)
    assert result.exit_code == 0, result.output
    assert list(files_of(overlay)) == ["scenarios/pq17/intro/own_ships.csv"]
    both = InstalledScenarios(SHIPPED, overlay)
    assert both.read(INTRO)[1]["classes"]["MCA"]["warp"] == 36
    assert plotroom("reset", "--scenario", INTRO).exit_code == 0
    assert list((overlay / "scenarios" / "pq17").iterdir()) == []
    assert both.read(INTRO)[1]["classes"]["MCA"]["warp"] == 30
    assert files_of(SHIPPED) == before


def test_a_copy_of_a_built_in_scenario_is_whole(overlay: Path, tmp_path: Path) -> None:
    rows = rows_of(plotroom("export", "--scenario", INTRO).output)[:1]
    file = str(written(tmp_path / "ours.csv", rows))
    result = plotroom("import", file, "--scenario", INTRO, "--as", "ours")
    assert result.exit_code == 0, result.output
    shipped = {path.name for path in (SHIPPED / "scenarios" / "pq17" / "intro").iterdir()}
    assert {path.name for path in (overlay / "scenarios" / "pq17" / "ours").iterdir()} == {*shipped, "own_ships.csv"}
    assert InstalledScenarios(overlay).read("pq17/ours")
    assert "already" in plotroom("import", file, "--scenario", INTRO, "--as", "campaign").output


def test_an_installation_is_not_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLOTROOM_CONFIG_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(settings, "IN_CHECKOUT", False)
    before = files_of(SHIPPED)
    rows = rows_of(plotroom("export", "--scenario", INTRO).output)[:1]
    file = str(written(tmp_path / "ours.csv", rows))
    for words in (("import", file, "--scenario", INTRO), ("reset", "--scenario", INTRO)):
        result = plotroom(*words)
        assert result.exit_code != 0
        assert "name a folder of your own with PLOTROOM_CONFIG_DIR" in " ".join(result.output.split())
    assert files_of(SHIPPED) == before


# --- ``plotroom verify`` and what ``plotroom demo`` refuses: what is said, and what the process ends with -------------
CHECKED_INTRO = path_of("pq17/intro")
LINES = CHECKED_INTRO.read_text(encoding="utf-8").splitlines()
SEED: str = json.loads(LINES[-1])["body"]["seed"]


def plotroom_checked(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def said(result: Result) -> str:
    return " ".join(result.output.split())


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    """A record of a campaign that runs, so that its seed is not published yet."""
    path = tmp_path / "sealed.jsonl"
    path.write_text("\n".join(LINES[:40]) + "\n", encoding="utf-8")
    return path


def test_a_record_that_holds_is_told_with_its_score_and_its_head() -> None:
    result = plotroom_checked("verify", str(CHECKED_INTRO))
    assert result.exit_code == 0
    entries = export_file.read_export(CHECKED_INTRO)
    assert f"{len(entries)} entries, every hash holds." in said(result)
    assert f"{sum(1 for _ in verify.rolls_of(entries))} rolls, every report and the state agree." in said(result)
    assert f"head {entries[-1].hash}" in said(result)


def test_a_sealed_record_is_checked_as_far_as_it_goes_and_further_with_the_seed(sealed: Path, tmp_path: Path) -> None:
    rolls = tmp_path / "rolls.csv"
    result = plotroom_checked("verify", str(sealed), "--rolls", str(rolls))
    assert result.exit_code == 0
    assert "The seed is still sealed, so dice and scores cannot be checked yet." in said(result)
    assert not rolls.exists()
    result = plotroom_checked("verify", str(sealed), "--seed", SEED)
    assert result.exit_code == 0
    assert "every report and the state agree" in said(result)
    wrong = plotroom_checked("verify", str(sealed), "--seed", "00" * 32)
    assert wrong.exit_code == 1
    assert "does not hold" in said(wrong)
    for words in ("xyz", "0"):
        refused = plotroom_checked("verify", str(sealed), "--seed", words)
        assert refused.exit_code == 2
        assert "The seed must be written as hex digits." in said(refused)


def test_what_discord_shows_is_held_against_the_record(sealed: Path) -> None:
    entries = export_file.read_export(CHECKED_INTRO)
    answer = next(entry for entry in entries if entry.body.kind == "answered")
    shown = plotroom_checked("verify", str(CHECKED_INTRO), "--head", entries[-1].hash, "--receipt", answer.receipt)
    assert shown.exit_code == 0
    assert f"Receipt, entry {answer.seq}: " in said(shown)
    assert f"Entries 1 to {len(entries)} are, letter by letter, those of which the public channel" in said(shown)
    assert "Nothing that Discord shows was held against it." in said(plotroom_checked("verify", str(CHECKED_INTRO)))
    cut = plotroom_checked("verify", str(sealed), "--head", entries[-1].hash)
    assert cut.exit_code == 1
    assert "so this is not the record that was played" in said(cut)


def test_every_roll_is_written_out(tmp_path: Path) -> None:
    rolls = tmp_path / "rolls.csv"
    assert plotroom_checked("verify", str(CHECKED_INTRO), "--rolls", str(rolls)).exit_code == 0
    with rolls.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    played = list(verify.rolls_of(export_file.read_export(CHECKED_INTRO)))
    assert len(rows) == len(played) > 0
    for row, (seq, roll) in zip(rows, played, strict=True):
        assert (row["entry"], row["label"], row["total"]) == (str(seq), roll.label, str(roll.total))
        assert sum(map(int, row["dice"].split())) == sum(roll.dice)
        seen = "everybody" if roll.seen_by is None else " ".join(sorted(roll.seen_by))
        assert row["seen by"] == (seen or "nobody")
    assert {"everybody", "nobody"} <= {row["seen by"] for row in rows}


def changed(body: Callable[[dict[str, Any]], None]) -> str:
    """The first entry with something of it changed."""
    entry = json.loads(LINES[0])
    body(entry["body"])
    return json.dumps(entry)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "holds no entries"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b'{"seq": 1}\n', "entry 1 is not a journal entry"),
        (LINES[1].encode(), "does not hold"),
        ("\n".join([LINES[0], LINES[2]]).encode(), "does not hold"),
        (changed(lambda body: body.update(title="Another")).encode(), "does not hold"),
    ],
)
def test_a_record_that_does_not_hold_says_where(tmp_path: Path, text: bytes, says: str) -> None:
    path = tmp_path / "export.jsonl"
    path.write_bytes(text)
    result = plotroom_checked("verify", str(path))
    assert result.exit_code == 1
    assert says in said(result)


def test_a_record_that_is_not_there(tmp_path: Path) -> None:
    result = plotroom_checked("verify", str(tmp_path / "away.jsonl"))
    assert result.exit_code == 1
    assert "away.jsonl cannot be read" in said(result)


def test_a_demo_takes_an_empty_folder_and_a_script_that_there_is(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept", encoding="utf-8")
    full = plotroom_checked("demo", "--rulebook", "pq17", "--out", str(tmp_path))
    assert full.exit_code == 2
    assert "is not empty; name another folder with --out." in said(full)
    strange = plotroom_checked("demo", "--rulebook", "nowhere", "--out", str(tmp_path / "new"))
    assert strange.exit_code == 2
    assert "There is no script “nowhere”. There is: pq17" in said(strange)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


# --- the demo campaign of ``plotroom play``, on a machine that is too busy for Discord's three seconds ----------------
class SlowBot(ReadyClient):
    """A bot that knows of no campaign, and does not get round to saying how many can play."""

    def __init__(self) -> None:
        super().__init__()
        self.tree = app_commands.CommandTree(self)
        self.asked = asyncio.Event()

    async def setup_hook(self) -> None:
        group = app_commands.Group(name="campaign", description="Campaigns")

        @group.command(name="list", description="Lists them")
        async def listed(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("No campaign yet.")

        @group.command(description="Founds one")
        async def create(interaction: discord.Interaction, scenario: str, seats: int) -> None:
            raise AssertionError("nothing is founded")

        @create.autocomplete("seats")
        async def numbers(interaction: discord.Interaction, _: int) -> list[app_commands.Choice[int]]:
            self.asked.set()
            return await asyncio.Future()

        self.tree.add_command(group)
        await self.tree.sync()


async def founding(server: PlaygroundServer, bot: SlowBot) -> "asyncio.Task[None]":
    """The demo being founded, as far as where it asks how many can play."""
    task = asyncio.create_task(playing._ready(server, playing.Demo("cutler/ring", 8)))
    await asyncio.wait_for(bot.asked.wait(), PATIENCE)
    return task


async def test_a_late_completion_is_told_as_no_answer_and_not_as_a_scenario_without_a_choice(tmp_path: Path) -> None:
    async with playing.playground(0, tmp_path) as server:
        point_client_at(server.url)
        bot = SlowBot()
        async with running(bot):
            ready = await founding(server, bot)
            server.clock.advance(playing.PATIENCE / 2)
            async with server.seat(playing.SPECTATOR) as seat:
                await seat.state()  # time for an answer to come
            assert not ready.done(), "it is waited for longer than Discord would"
            server.clock.advance(playing.PATIENCE / 2)
            with pytest.raises(playing.CannotPlay, match="not founded: the bot did not answer in time"):
                await ready
            assert server.interactions.first_answer_within == 3.0, "people who play are answered as on Discord"
