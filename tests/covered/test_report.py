"""What the report of reached lines and branches says, and what it does not let pass."""

import json
from pathlib import Path

import pytest

from tests.covered import report
from tests.covered.report import Counts, File, Measured, Reached, exemptions, faults, main, parts, rooms

CORE, BOOK = "rules_engine/core/dice/rolls.py", "rules_engine/rulebooks/pq17/ch01/moves.py"


def file(lines: int, reached: int, branches: int = 0, taken: int = 0) -> File:
    counts = Counts(num_statements=lines, covered_lines=reached, num_branches=branches, covered_branches=taken)
    return File(summary=counts)


def test_lines_and_branches_count_alike_and_each_folder_for_itself() -> None:
    found = Measured(
        files={
            CORE: file(70, 70, 30, 20),
            "rules_engine/core/dice/tables.py": file(100, 95),
            "rules_engine/core/__init__.py": file(0, 0),
            BOOK: file(10, 9),
        }
    )
    assert rooms(found) == {
        "rules_engine/core": Reached(0, 0),
        "rules_engine/core/dice": Reached(200, 185),
        "rules_engine/rulebooks/pq17/ch01": Reached(10, 9),
    }
    assert parts(found) == {"rules_engine/core": Reached(200, 185), "rules_engine/rulebooks": Reached(10, 9)}
    assert [one.percent for one in rooms(found).values()] == [100.0, 92.5, 90.0]


@pytest.mark.parametrize(
    ("core", "said"),
    [
        (file(100, 95), []),
        (file(100, 94), ["rules_engine/core: 94.0 %, and at least 95 % is asked."]),
        (file(50, 50, 50, 44), ["rules_engine/core: 94.0 %, and at least 95 % is asked."]),
    ],
)
def test_a_part_that_falls_short_is_named(core: File, said: list[str]) -> None:
    assert faults(Measured(files={CORE: core, BOOK: file(1, 1)}), []) == said


def test_a_file_that_falls_short_is_named_whatever_its_part_has() -> None:
    files = {CORE: file(1_000, 1_000), BOOK: file(1, 1), "bot/a.py": file(100, 85), "bot/b.py": file(100, 84)}
    assert faults(Measured(files=files), []) == ["bot/b.py: 84.0 %, and at least 85 % is asked of every file."]


def test_a_part_that_was_not_measured_is_no_success() -> None:
    assert faults(Measured(files={CORE: file(1, 1)}), []) == ["rules_engine/rulebooks was not measured."]


def test_exemptions_are_counted_and_say_why() -> None:
    source = "a = 1\nif b:  # pragma: no cover: nobody can, here\n    c()\nd()  # pragma: no branch\n"
    found = list(exemptions({"bot/a.py": source, "bot/b.py": "x = 'pragmatic'\n"}))
    assert found == [("bot/a.py:2", "nobody can, here"), ("bot/a.py:4", "")]
    whole = Measured(files={CORE: file(1, 1), BOOK: file(1, 1)})
    assert faults(whole, found) == ["bot/a.py:4: exempted without a reason."]
    assert faults(whole, [("x", "why")] * 30) == []
    assert faults(whole, [("x", "why")] * 31) == ["31 exemptions, and at most 30 are allowed."]


@pytest.mark.parametrize(("reached", "code"), [(95, 0), (84, 1)])
def test_it_prints_the_rooms_and_its_exit_code_says_whether_all_is_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], reached: int, code: int
) -> None:
    found = Measured(files={CORE: file(100, reached), BOOK: file(100, 100)})
    for path in found.files:
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text("a = 1  # pragma: no cover: as it is\n")
    monkeypatch.setattr(report, "ROOT", tmp_path)
    (tmp_path / "coverage.json").write_text(json.dumps(found.model_dump()))
    assert main(str(tmp_path / "coverage.json")) == code
    said = capsys.readouterr().out
    assert f"{reached}.0 %" in said
    assert f"exempted: {CORE}:1: as it is" in said
    assert ("at least 95 % is asked" in said) == bool(code)
