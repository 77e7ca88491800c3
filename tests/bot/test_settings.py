"""The host's settings: where scenarios come from, and what is said of a folder that cannot be used."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from bot import settings
from bot.settings import BUILT_IN, HostSettings, built_in
from tests.checkout import ROOT


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
    assert found.config_folders == (BUILT_IN, tmp_path)
    assert found.own_folder == tmp_path


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
