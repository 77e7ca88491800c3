"""The scripted campaigns, played and checked by the commands that the README names."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.app import app


@pytest.mark.thorough
@pytest.mark.parametrize("rulebook", ["cutler", pytest.param("pq17", marks=pytest.mark.slow)])
def test_a_demo_leaves_maps_transcripts_and_a_record_that_holds(tmp_path: Path, rulebook: str) -> None:
    out = tmp_path / "demo"
    played = CliRunner().invoke(app, ["demo", "--out", str(out), "--rulebook", rulebook])
    assert played.exit_code == 0, played.output
    assert "every hash holds" in played.output
    assert "every report and the state agree" in played.output
    seats = sorted(path.parent.name for path in out.glob("*/transcript.md"))
    assert {"referee", "spectator"} < set(seats)
    sides = set(seats) - {"referee", "spectator"}
    assert len(sides) >= 2
    assert all(list((out / side).glob("*.png")) for side in sides)

    lines = (out / "export.jsonl").read_text(encoding="utf-8").splitlines()
    number = next(at for at, line in enumerate(lines) if json.loads(line)["body"]["kind"] == "answered")
    changed = json.loads(lines[number])
    changed["body"]["by"] = "somebody else"
    lines[number] = json.dumps(changed)
    (tmp_path / "changed.jsonl").write_text("\n".join(lines), encoding="utf-8")
    checked = CliRunner().invoke(app, ["verify", str(tmp_path / "changed.jsonl")])
    assert checked.exit_code == 1
    assert f"entry {number + 1}: its content was changed" in checked.output
