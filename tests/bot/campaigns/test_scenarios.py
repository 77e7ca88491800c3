"""The installed scenarios: what each says of itself, without being read whole, and how one folder lies over another."""

from pathlib import Path

import pytest

from bot.campaigns.scenarios import InstalledScenarios, ScenarioRef
from bot.errors import Sorry
from bot.settings import BUILT_IN

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
    installed = InstalledScenarios(BUILT_IN)
    said = {ref.key: installed.about(ref) for ref in installed.all()}
    assert {"pq17/campaign", "pq17/intro", "cutler/intro"} <= set(said)
    for key, about in said.items():
        assert about
        assert len(f"{key} - {about}") <= 100


# --- one folder over another ---------------------------------------------------------------------------------------


def put(folder: Path, key: str, **texts: str) -> None:
    """Write files of a scenario, each under its name without the ending ``.toml``."""
    place = folder / "scenarios" / key
    place.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (place / f"{name}.toml").write_text(text, encoding="utf-8")


@pytest.fixture
def layers(tmp_path: Path) -> tuple[Path, Path]:
    """What is built in, with one scenario of three files; and an empty folder of one's own."""
    built_in, own = tmp_path / "built_in", tmp_path / "own"
    put(built_in, "pq17/mine", scenario="# Theirs.", ships="their ships", repair="their repair")
    own.mkdir()
    return built_in, own


def test_an_empty_folder_of_ones_own_changes_nothing(layers: tuple[Path, Path]) -> None:
    installed = InstalledScenarios(*layers)
    assert installed.all() == [REF]
    assert installed.about(REF) == "Theirs"
    assert installed.files(REF) == {
        "scenario.toml": "# Theirs.",
        "ships.toml": "their ships",
        "repair.toml": "their repair",
    }
    assert installed.own(REF) == ""


def test_scenarios_of_ones_own_stand_among_the_others(layers: tuple[Path, Path]) -> None:
    put(layers[1], "pq17/race", scenario="# Ours.")
    put(layers[1], "cutler/feud", scenario="# Ours too.")
    installed = InstalledScenarios(*layers)
    assert [ref.key for ref in installed.all()] == ["pq17/mine", "pq17/race", "cutler/feud"]
    assert installed.own(ScenarioRef("pq17", "race")) == "added"


def test_a_whole_scenario_takes_the_place_of_one_of_its_name_with_all_its_files(layers: tuple[Path, Path]) -> None:
    put(layers[1], "pq17/mine", scenario="# Ours.", ships="our ships")
    installed = InstalledScenarios(*layers)
    assert installed.all() == [REF]
    assert installed.files(REF) == {"scenario.toml": "# Ours.", "ships.toml": "our ships"}
    assert installed.about(REF) == "Ours"
    assert installed.own(REF) == "takes the place of the built-in one"


def test_single_files_are_laid_over_a_scenario_and_the_others_stay(layers: tuple[Path, Path]) -> None:
    put(layers[1], "pq17/mine", ships="our ships", own_ships="our figures")
    installed = InstalledScenarios(*layers)
    assert installed.files(REF) == {
        "scenario.toml": "# Theirs.",
        "ships.toml": "our ships",
        "own_ships.toml": "our figures",
        "repair.toml": "their repair",
    }
    assert installed.about(REF) == "Theirs"
    assert installed.own(REF) == "own_ships.toml, ships.toml laid over the built-in one"


def test_single_files_over_nothing_are_a_scenario_with_a_defect(layers: tuple[Path, Path]) -> None:
    put(layers[1], "pq17/mien", ships="our ships")
    with pytest.raises(Sorry) as caught:
        InstalledScenarios(*layers).read("pq17/mien")
    assert "“pq17/mien” cannot be used" in caught.value.text
    assert "scenario.toml: is missing" in caught.value.text


def test_a_lower_folder_does_not_reach_through_an_upper_one(layers: tuple[Path, Path]) -> None:
    put(layers[1], "pq17/mine", scenario="# Ours.")
    assert InstalledScenarios(*reversed(layers)).about(REF) == "Theirs"


def test_hidden_folders_and_files_are_no_scenarios(layers: tuple[Path, Path]) -> None:
    put(layers[1], "pq17/.trash", scenario="# Thrown away.")
    put(layers[1], "pq17/mine", **{".ships": "an editor's own copy"})
    installed = InstalledScenarios(*layers)
    assert installed.all() == [REF]
    assert installed.files(REF)["ships.toml"] == "their ships"
    assert ".ships.toml" not in installed.files(REF)
