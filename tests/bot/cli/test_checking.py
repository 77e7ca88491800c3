"""``plotroom verify`` and what ``plotroom demo`` refuses: what is said, and what the process ends with."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bot.cli import app
from bot.verification.export_file import read_export
from bot.verification.verify import rolls_of
from tests.journals.record import path_of

INTRO = path_of("pq17/intro")
LINES = INTRO.read_text(encoding="utf-8").splitlines()
SEED: str = json.loads(LINES[-1])["body"]["seed"]


def plotroom(*words: str) -> Result:
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
    result = plotroom("verify", str(INTRO))
    assert result.exit_code == 0
    entries = read_export(INTRO)
    assert f"{len(entries)} entries, every hash holds." in said(result)
    assert f"{sum(1 for _ in rolls_of(entries))} rolls, every report and the state agree." in said(result)
    assert f"head {entries[-1].hash}" in said(result)


def test_a_sealed_record_is_checked_as_far_as_it_goes_and_further_with_the_seed(sealed: Path, tmp_path: Path) -> None:
    rolls = tmp_path / "rolls.csv"
    result = plotroom("verify", str(sealed), "--rolls", str(rolls))
    assert result.exit_code == 0
    assert "The seed is still sealed, so dice and scores cannot be checked yet." in said(result)
    assert not rolls.exists()
    result = plotroom("verify", str(sealed), "--seed", SEED)
    assert result.exit_code == 0
    assert "every report and the state agree" in said(result)
    wrong = plotroom("verify", str(sealed), "--seed", "00" * 32)
    assert wrong.exit_code == 1
    assert "does not hold" in said(wrong)
    for words in ("xyz", "0"):
        refused = plotroom("verify", str(sealed), "--seed", words)
        assert refused.exit_code == 2
        assert "The seed must be written as hex digits." in said(refused)


def test_what_discord_shows_is_held_against_the_record(sealed: Path) -> None:
    entries = read_export(INTRO)
    answer = next(entry for entry in entries if entry.body.kind == "answered")
    shown = plotroom("verify", str(INTRO), "--head", entries[-1].hash, "--receipt", answer.receipt)
    assert shown.exit_code == 0
    assert f"Receipt, entry {answer.seq}: " in said(shown)
    assert f"Entries 1 to {len(entries)} are, letter by letter, those of which the public channel" in said(shown)
    assert "Nothing that Discord shows was held against it." in said(plotroom("verify", str(INTRO)))
    cut = plotroom("verify", str(sealed), "--head", entries[-1].hash)
    assert cut.exit_code == 1
    assert "so this is not the record that was played" in said(cut)


def test_every_roll_is_written_out(tmp_path: Path) -> None:
    rolls = tmp_path / "rolls.csv"
    assert plotroom("verify", str(INTRO), "--rolls", str(rolls)).exit_code == 0
    with rolls.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    played = list(rolls_of(read_export(INTRO)))
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
    result = plotroom("verify", str(path))
    assert result.exit_code == 1
    assert says in said(result)


def test_a_record_that_is_not_there(tmp_path: Path) -> None:
    result = plotroom("verify", str(tmp_path / "away.jsonl"))
    assert result.exit_code == 1
    assert "away.jsonl cannot be read" in said(result)


def test_a_demo_takes_an_empty_folder_and_a_script_that_there_is(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept", encoding="utf-8")
    full = plotroom("demo", "--rulebook", "pq17", "--out", str(tmp_path))
    assert full.exit_code == 2
    assert "is not empty; name another folder with --out." in said(full)
    strange = plotroom("demo", "--rulebook", "nowhere", "--out", str(tmp_path / "new"))
    assert strange.exit_code == 2
    assert "There is no script “nowhere”. There is: pq17" in said(strange)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
