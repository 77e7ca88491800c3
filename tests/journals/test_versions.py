"""A rulebook's version is held to what its recorded campaigns tell."""

import re

import pytest

from tests.journals import versions
from tests.journals.record import path_of

DOES = "raise `version` in rules_engine/rulebooks/cutler/__init__.py"


@pytest.mark.parametrize("book", versions.recorded_books())
def test_recorded_play_comes_out_as_its_version_is_listed_with(book: str) -> None:
    problem = versions.problem_with(book, versions.version_now(book), versions.digest_now(book), versions.listed())
    assert not problem, problem


def test_a_version_is_listed_once_when_versions_are_raised() -> None:
    named = [(book, version) for book, version, _ in versions.listed()]
    assert len(named) == len({*named})


def test_play_that_changed_is_found_when_its_version_did_not(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    lines = path_of("cutler/intro").read_text(encoding="utf-8")
    told = re.search(r'"told":"[0-9a-f]{64}"', lines)
    assert told is not None
    changed = tmp_path / "intro.jsonl"
    changed.write_text(lines.replace(told[0], f'"told":"{"0" * 64}"'), encoding="utf-8")
    known, version = versions.listed(), versions.version_now("cutler")
    same = versions.digest_now("cutler")
    monkeypatch.setattr(versions, "path_of", lambda key: changed if key == "cutler/intro" else path_of(key))
    other = versions.digest_now("cutler")
    assert other != same
    assert DOES in versions.problem_with("cutler", version, other, known)
    assert "is not listed" in versions.problem_with("cutler", f"{version}.1", other, known)


def test_a_digest_stays_when_only_the_version_is_another(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    lines = path_of("vector/race").read_text(encoding="utf-8")
    renamed = tmp_path / "race.jsonl"
    links = re.compile(r'"(hash|prev)":"[0-9a-f]{64}"')
    other = re.sub(r'"version":"[^"]*"', '"version":"99"', lines, count=1)
    renamed.write_text(links.sub(lambda link: f'"{link[1]}":"{"a" * 64}"', other), encoding="utf-8")
    same = versions.digest_now("vector")
    monkeypatch.setattr(versions, "path_of", lambda key: renamed if key == "vector/race" else path_of(key))
    assert versions.digest_now("vector") == same
