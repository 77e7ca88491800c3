"""The workflows: each supported Python, and commands that can be run."""

import re
from typing import Any

import pytest
import yaml

from tests.checkout import ROOT
from tests.sweep.arguments import budget

PYTHONS = ["3.11", "3.12", "3.13"]
FILES = sorted((ROOT / ".github/workflows").glob("*.yml"))


def job_of(name: str) -> Any:
    """The job of a workflow that runs on several Pythons."""
    jobs = yaml.safe_load((ROOT / f".github/workflows/{name}.yml").read_text(encoding="utf-8"))["jobs"].values()
    (job,) = [job for job in jobs if "strategy" in job]
    return job


@pytest.mark.parametrize("name", [path.stem for path in FILES])
def test_a_workflow_runs_on_every_supported_python_from_the_oldest_on(name: str) -> None:
    required = re.search(r'requires-python = ">=(.+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert required is not None
    assert required[1] == PYTHONS[0]
    assert job_of(name)["strategy"]["matrix"]["python"] == PYTHONS


def test_the_nightly_sweep_has_time_to_end_before_its_job_is_ended() -> None:
    job = job_of("nightly")
    found = re.search(r"'(\w+)'", job["env"]["BUDGET"])
    assert found is not None
    assert 2 * 3600 == budget(found[1]) < job["timeout-minutes"] * 60 - 2 * 3600
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert commands == ["bash .ci/extras", "make test-nightly", 'make sweep BUDGET="$BUDGET" SEED="$SEED"']


def test_what_files_ask_make_sweep_for_is_a_length_of_time() -> None:
    files = [ROOT / name for name in ("Makefile", "CONTRIBUTING.md", "tests/README.md", "tests/sweep/README.md")]
    found = [
        text
        for path in (*files, *(ROOT / ".ci").iterdir(), *FILES)
        for text in re.findall(r"BUDGET(?:=| \?= )(\d\S*)", path.read_text(encoding="utf-8"))
    ]
    assert len(found) >= 3
    assert all(budget(text.strip("`.,;")) for text in found)
