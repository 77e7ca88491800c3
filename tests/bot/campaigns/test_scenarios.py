"""The installed scenarios: what each says of itself, without being read whole."""

from pathlib import Path

import pytest

from bot.campaigns.scenarios import InstalledScenarios, ScenarioRef

REF = ScenarioRef("pq17", "mine")


def installed_with(folder: Path, text: str) -> InstalledScenarios:
    own = folder / "scenarios" / REF.rulebook / REF.name
    own.mkdir(parents=True, exist_ok=True)
    (own / "scenario.toml").write_text(text, encoding="utf-8")
    return InstalledScenarios(folder)


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ('# A race of two\n# convoys: nine turns. Edit it.\n\ntitle = "Race"\n', "A race of two convoys: nine turns"),
        ('# Rules 9.1 and a race.\ntitle = "Race"\n', "Rules 9.1 and a race"),
        ('title = "Race"\nturns = 9\n', "Race"),
        ("turns = 9\n", ""),
    ],
)
def test_a_scenario_says_what_it_is(tmp_path: Path, text: str, about: str) -> None:
    assert installed_with(tmp_path, text).about(REF) == about


def test_a_changed_file_is_read_again_and_a_missing_one_says_nothing(tmp_path: Path) -> None:
    assert InstalledScenarios(tmp_path).about(REF) == ""
    assert installed_with(tmp_path, "# Before.\n").about(REF) == "Before"
    assert installed_with(tmp_path, "# And afterwards.\n").about(REF) == "And afterwards"


def test_every_shipped_scenario_says_what_it_is_in_a_line_that_fits_a_completion() -> None:
    installed = InstalledScenarios(Path(__file__).parents[3] / "config")
    said = {ref.key: installed.about(ref) for ref in installed.all()}
    assert {"pq17/campaign", "pq17/intro", "cutler/intro"} <= set(said)
    for key, about in said.items():
        assert about
        assert len(f"{key} - {about}") <= 100
