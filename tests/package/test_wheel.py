"""The package as people get it: built, installed into an empty environment, and run in a folder without a checkout."""

import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.checkout import ROOT

pytestmark = pytest.mark.package

PACKAGES = ("bot", "map_render", "rules_engine")
SHIPPED = ("cutler/intro", "pq17/campaign", "pq17/intro")
PATIENCE = 300.0


def environment(**settings: str) -> dict[str, str]:
    """What a process is given: these settings, and nothing that leads to this checkout."""
    leading_back = ("PLOTROOM_", "PYTHON", "VIRTUAL_ENV")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(leading_back)}
    return kept | {f"PLOTROOM_{key.upper()}": value for key, value in settings.items()}


def ran(*words: str | Path, at: Path, variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """A command, until it has ended."""
    return subprocess.run(
        words, cwd=at, env=variables, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False
    )


def done(*words: str | Path, at: Path) -> None:
    """A step on the way, which must end well. What it installs is pinned, the tools that build included."""
    pinned = environment() | {"PIP_CONSTRAINT": str(ROOT / "constraints.txt")}
    result = ran(*words, at=at, variables=pinned)
    assert result.returncode == 0, f"{words}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}"


@dataclass(frozen=True)
class Built:
    """The files that are handed out."""

    sdist: Path
    wheel: Path
    """Made from the sdist."""
    direct: Path
    """The wheel made from the checkout."""


@dataclass(frozen=True)
class Installed:
    """An environment that holds the wheel and what it needs, and nothing else."""

    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    @property
    def command(self) -> Path:
        """Its ``plotroom``."""
        return self.folder / "bin" / "plotroom"

    def plotroom(self, *words: str, at: Path, **settings: str) -> subprocess.CompletedProcess[str]:
        """``plotroom <words>`` in a folder."""
        return ran(self.command, *words, at=at, variables=environment(**settings) | {"COLUMNS": "200"})


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("built")
    done(sys.executable, "-m", "build", "--outdir", folder / "from_sdist", ROOT, at=folder)
    done(sys.executable, "-m", "build", "--wheel", "--outdir", folder / "direct", ROOT, at=folder)
    (sdist,) = (folder / "from_sdist").glob("*.tar.gz")
    (wheel,) = (folder / "from_sdist").glob("*.whl")
    (direct,) = (folder / "direct").glob("*.whl")
    return Built(sdist, wheel, direct)


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    made = Installed(tmp_path_factory.mktemp("installed") / "venv")
    done(sys.executable, "-m", "venv", made.folder, at=made.folder.parent)
    done(made.python, "-m", "pip", "--disable-pip-version-check", "install", built.wheel, at=made.folder.parent)
    return made


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def tracked(folder: str) -> set[str]:
    """The files of a folder that a commit of everything would hold."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return set(filter(None, listed.stdout.split("\0")))


def own_scenario(folder: Path, name: str, **texts: str) -> None:
    """A copy of the introductory scenario's files, with some of its words changed."""
    own = folder / "scenarios" / "pq17" / name
    own.mkdir(parents=True)
    for file in (ROOT / "config" / "scenarios" / "pq17" / "intro").iterdir():
        text = file.read_text(encoding="utf-8")
        for old, new in texts.items() if file.name == "scenario.toml" else ():
            assert old in text
            text = text.replace(old, new, 1)
        (own / file.name).write_text(text, encoding="utf-8")


def test_a_wheel_from_the_sdist_is_the_one_from_the_checkout(built: Built):
    assert contents(built.wheel) == contents(built.direct)


def test_the_wheel_holds_the_three_packages_whole_and_nothing_else(built: Built):
    found = contents(built.wheel)
    assert {name.split("/")[0] for name in found if ".dist-info/" not in name} == set(PACKAGES)
    wanted = {name for package in PACKAGES for name in tracked(package) if not name.endswith((".md", ".png"))}
    wanted |= {f"bot/builtin/{name.removeprefix('config/')}" for name in tracked("config")}
    assert {name for name in found if ".dist-info/" not in name} == wanted
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(found)
    for name in tracked("config"):
        assert found[f"bot/builtin/{name.removeprefix('config/')}"] == (ROOT / name).read_bytes()


def test_the_sdist_holds_the_sources_and_nothing_that_lies_about_in_a_checkout(built: Built):
    """No settings with a token in them, no campaigns, no environment."""
    with tarfile.open(built.sdist) as archive:
        found = {one.name.partition("/")[2] for one in archive.getmembers() if one.isfile()}
    assert found == {name for name in tracked(".") if not name.startswith(".ci/")} | {"PKG-INFO"}


def test_no_package_of_a_common_name_is_installed(installed: Installed, tmp_path: Path):
    ask = (
        "import bot, json, importlib.util, sys; print(json.dumps([bot.__file__, *"
        "(name for name in ('config', 'tests') if importlib.util.find_spec(name))]))"
    )
    result = ran(installed.python, "-c", ask, at=tmp_path, variables=environment())
    where, *common = json.loads(result.stdout)
    assert Path(where).is_relative_to(installed.folder)
    assert common == []


def test_scenarios_are_listed_and_hold(installed: Installed, tmp_path: Path):
    result = installed.plotroom("scenarios", at=tmp_path)
    assert result.returncode == 0, result.stderr
    assert [key for key in SHIPPED if key in result.stdout] == list(SHIPPED)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_ones_own_adds_and_replaces_scenarios(installed: Installed, tmp_path: Path):
    own = tmp_path / "mine"
    title = 'title = "'
    own_scenario(own, "race", **{title: f"{title}Race: "})
    own_scenario(own, "intro", **{title: f"{title}Mine: ", "# ": "# Mine, not theirs.\n# "})
    result = installed.plotroom("scenarios", at=tmp_path, config_dir=str(own))
    assert result.returncode == 0, result.stderr
    assert "Mine, not theirs" in result.stdout
    assert [key for key in (*SHIPPED, "pq17/race") if key in result.stdout] == [*SHIPPED, "pq17/race"]
    assert "pq17/race: added" in result.stdout
    assert "pq17/intro: takes the place of the built-in one" in result.stdout


def test_ship_figures_of_ones_own_go_into_ones_own_folder(installed: Installed, tmp_path: Path):
    written = installed.plotroom("catalogue", "export", "--scenario", "pq17/intro", "--out", "ships.csv", at=tmp_path)
    assert written.returncode == 0, written.stderr
    words = ("catalogue", "import", "ships.csv", "--scenario", "pq17/intro")
    refused = installed.plotroom(*words, at=tmp_path)
    assert refused.returncode == 2
    assert "PLOTROOM_CONFIG_DIR" in refused.stderr
    (tmp_path / "mine").mkdir()
    taken = installed.plotroom(*words, at=tmp_path, config_dir="mine")
    assert taken.returncode == 0, taken.stderr
    assert [path.name for path in (tmp_path / "mine").rglob("*.csv")] == ["own_ships.csv"]
    assert list(installed.folder.rglob("own_ships.*")) == []


def test_the_demo_plays_to_its_end_and_its_record_holds(installed: Installed, tmp_path: Path):
    result = installed.plotroom("demo", at=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "every hash holds" in result.stdout
    assert "every report and the state agree" in result.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["demo-out"]
    assert list((tmp_path / "demo-out" / "alliance").glob("*.png"))


def test_play_opens_its_page_and_stops_when_told(installed: Installed, tmp_path: Path):
    words = (installed.command, "play", "--no-browser", "--port", "0")
    with subprocess.Popen(
        words, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        try:
            assert process.stdout is not None
            said = ""
            while (found := re.search(r"http://127\.0\.0\.1:\d+", said)) is None:
                line = process.stdout.readline()
                assert line, process.communicate(timeout=PATIENCE)
                said += line
            with urllib.request.urlopen(found[0], timeout=PATIENCE) as answer:
                assert answer.status == 200
                page = answer.read().decode("utf-8")
            script = re.search(r'src="([^"]+\.js)"', page)
            assert script is not None
            with urllib.request.urlopen(f"{found[0]}/{script[1].lstrip('./')}", timeout=PATIENCE) as answer:
                assert answer.status == 200
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 0, err
    assert "Everything is kept in var/play" in out
    assert {path.name for path in (tmp_path / "var" / "play").iterdir()} >= {"plotroom.db", "playground.db", "bot.log"}
    assert [path.name for path in tmp_path.iterdir()] == ["var"]
