"""What the pages say of commands, settings, exit codes, files and versions is what there is.

That links lead somewhere is seen by `make docs`; here are the things that no link names.
"""

import re
import tomllib
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.cli import app
from bot.commands import add_commands
from bot.delivery.reconciling.plans import NEEDED
from bot.running import ExitCode
from bot.settings import HostSettings
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.tactics.battles import TacticalBattle, TacticalShip
from rules_engine.rulebooks.border_patrol import RULEBOOK as BORDER_PATROL
from rules_engine.rulebooks.cutler import RULEBOOK as CUTLER
from rules_engine.rulebooks.jump_lanes.plotting.asking import sheet_ask
from rules_engine.rulebooks.vector.plotting.asking import plot_ask
from rules_engine.rulebooks.vector.tracker.flying import begin_turn
from tests.checkout import ROOT
from tests.rulebooks.jump_lanes.scenarios import opened
from tests.rulebooks.players import Match
from tests.rulebooks.vector.scenarios import opened as opened_duel

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "tests" / "README.md"])
CUTLERS_INTRO = ROOT / "config" / "scenarios" / "cutler" / "intro"
NOW = [path for path in PAGES if path.name != "CHANGELOG.md"]
"""Pages that speak of how things are; a changelog may name what is gone."""


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def code_in(text: str) -> list[str]:
    """What stands in code, inline or in blocks."""
    blocks = re.findall(r"```[^\n]*\n(.*?)```", text, re.DOTALL)
    inline = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    return [*blocks, *inline]


@pytest.fixture(scope="module")
def options() -> dict[str, set[str]]:
    """The options of every command, by its path: ``campaign create``."""
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    add_commands(tree)
    found: dict[str, set[str]] = {}

    def walk(command: Any, above: str = "") -> None:
        path = f"{above} {command.name}".strip()
        if isinstance(command, app_commands.Group):
            for one in command.commands:
                walk(one, path)
        else:
            found[path] = {one.display_name for one in command.parameters}

    for command in tree.get_commands():
        walk(command)
    return found


def commands_in(text: str) -> list[tuple[str, set[str]]]:
    """The slash commands that a text names in code, with the options that it gives them."""
    shape = re.compile(r"/([a-z][a-z -]*[a-z])((?: \w+:[^ ]*)*)")
    return [
        (named[1], set(re.findall(r" (\w+):", named[2]))) for code in code_in(text) if (named := shape.fullmatch(code))
    ]


@pytest.mark.parametrize("path", NOW, ids=lambda path: path.name)
def test_a_page_names_no_command_that_there_is_not(path: Any, options: dict[str, set[str]]) -> None:
    for command, given in commands_in(path.read_text(encoding="utf-8")):
        group = any(one.startswith(f"{command} ") for one in options)
        assert command in options or group, command
        assert given <= options.get(command, set()), command


def test_every_command_is_told_of(options: dict[str, set[str]]) -> None:
    told = {command for name in ("players", "referees") for command, _ in commands_in(text_of(f"docs/{name}.md"))}
    assert sorted(set(options) - told) == []


def test_every_setting_stands_in_the_hosts_table_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(PLOTROOM_\w+)` \| (.+?) \|", text_of("docs/hosts.md"), re.MULTILINE))
    assert set(rows) == {f"PLOTROOM_{name.upper()}" for name in HostSettings.model_fields}
    for name, field in HostSettings.model_fields.items():
        default = field.default
        said = str(default).lower() if isinstance(default, bool) else str(default or "")
        assert rows[f"PLOTROOM_{name.upper()}"] == (f"`{said}`" if said else "none")


def test_every_way_to_end_stands_in_the_hosts_table() -> None:
    rows = re.findall(r"^\| (\d+) \|", text_of("docs/hosts.md"), re.MULTILINE)
    assert [int(one) for one in rows] == sorted(map(int, ExitCode))


def test_the_invitation_asks_for_what_the_bot_needs_and_no_more() -> None:
    needed = {name.replace("_", " ") for name, wanted in NEEDED if wanted}
    needed = {"view channels" if one == "read messages" else one for one in needed}  # as the invitation calls it
    short = re.search(r"the permissions \*(.+?)\*", " ".join(text_of("README.md").split()))
    table = re.search(r"\| permission \| for \|\n\|---\|---\|\n((?:\|.*\n)+)", text_of("docs/hosts.md"))
    assert short is not None
    assert table is not None
    rows = ", ".join(row.split("|")[1].strip() for row in table[1].splitlines())
    for said in (short[1], rows):
        assert set(said.lower().split(", ")) == needed


@pytest.mark.parametrize("path", NOW, ids=lambda path: path.name)
def test_a_page_names_no_make_target_and_no_plotroom_command_that_there_is_not(path: Any) -> None:
    targets = set(re.findall(r"^([a-z][\w-]*):", text_of("Makefile"), re.MULTILINE))
    known = {one.name or one.callback.__name__ for one in app.registered_commands if one.callback}
    known |= {group.name or group.typer_instance.info.name for group in app.registered_groups if group.typer_instance}
    for code in code_in(path.read_text(encoding="utf-8")):
        named = re.findall(r"(?:^|\n)\s*make ((?:[a-z][\w-]* ?)+)(?=$|\n| #|  )", code)
        assert {one for words in named for one in words.split()} <= targets, code
        assert set(re.findall(r"(?:^|/|\n)plotroom ([a-z]+)", code)) <= known, code


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/architecture.md", "docs/releasing.md", "tests/README.md"])
def test_the_files_that_a_page_names_exist(name: str) -> None:
    tops = {path.name for path in ROOT.iterdir()} - {"build", "var", ".venv"}
    named = {
        one
        for code in code_in(text_of(name))
        for one in re.findall(r"(?<![\w/<>.-])((?:\.?\w+/)+[\w.-]*)(?![\w/<>*])", code)
        if one.split("/")[0] in tops
    }
    assert named, "no file is named any more: has the page another form?"
    assert [one for one in sorted(named) if not (ROOT / one).exists()] == []


def test_the_newest_release_of_the_changelog_is_this_version() -> None:
    headings = re.findall(r"^## (.+)$", text_of("CHANGELOG.md"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    released = [re.fullmatch(r"(\d+)\.(\d+)\.(\d+)(?: \((\d{4}-\d\d-\d\d)\))?", one) for one in headings[1:]]
    assert all(released), headings
    numbers = [tuple(map(int, one.group(1, 2, 3))) for one in released if one]
    assert numbers == sorted(numbers, reverse=True)
    assert all(one[4] for one in released[:-1] if one), "only the very first release has no date"
    version = tomllib.loads(text_of("pyproject.toml"))["project"]["version"]
    assert version == ".".join(map(str, numbers[0]))


def test_git_runs_what_continuous_integration_runs() -> None:
    lines = re.findall(r"^(?:\w+=\S+ )?make (.+?)(?:  #.*)?$", text_of(".ci/run"), re.MULTILINE)
    runs = {word for line in lines for word in line.split() if not word.startswith("-") and "=" not in word} - {"ready"}
    hooks = set(re.findall(r"^\s+entry: make ([\w-]+)$", text_of(".pre-commit-config.yaml"), re.MULTILINE))
    assert {"lint", "test"} <= runs, "nothing is found any more: has the script another form?"
    assert hooks == runs


def test_the_orders_of_the_page_on_cutlers_rules_may_be_typed_on_the_first_sheet() -> None:
    files = {path.name: path.read_text(encoding="utf-8") for path in CUTLERS_INTRO.glob("*.toml")}
    (ask,) = Match(CUTLER, CUTLER.read_scenario(files), 1).adjudicator.asks_for("hydran")
    blocks = re.findall(r"```\n(.*?)```", text_of("docs/cutler.md"), re.DOTALL)
    assert len(blocks) >= 4
    sheet = ask.form.prefilled()
    for block in blocks:
        orders = read_sheet(ask.form, block)
        assert orders, block
        for key, line in orders.items():
            sheet[key] = sheet[key] | line
    said = ask.read_back(ask.answer_from(sheet))
    assert any("Sprite" in one for one in said), said


def test_the_orders_of_the_page_on_border_patrol_may_be_typed_on_the_first_sheet() -> None:
    folder = ROOT / "config" / "scenarios" / "border_patrol" / "intro"
    files = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.toml")}
    (ask,) = Match(BORDER_PATROL, BORDER_PATROL.read_scenario(files), 1).adjudicator.asks_for("federation")
    (block,) = re.findall(r"```\n(.*?)```", text_of("docs/border_patrol.md"), re.DOTALL)
    orders = read_sheet(ask.form, block)
    assert set(orders) == {"F1", "F2", "F1-ships"}
    sheet = ask.form.prefilled()
    said = ask.read_back(ask.answer_from({key: line | orders.get(key, {}) for key, line in sheet.items()}))
    assert any("goes 0502 0602" in one and "rearguard Lance" in one for one in said), said


def test_the_orders_of_the_page_on_vectors_may_be_typed_on_the_first_sheet() -> None:
    state = opened_duel("courier")
    state.revealed = True
    begin_turn(state.battle)
    ask = plot_ask(state.battle, "revenue")
    page = text_of("docs/vector.md")
    (block,) = re.findall(r"```\n(.*?)```", page, re.DOTALL)
    typed: Any = read_sheet(ask.form, block)
    answer = ask.answer_from(typed)
    said = " ".join(ask.read_back(answer))
    assert "turn" in said
    assert "4" in said
    words = [
        word.strip("`") for row in re.findall(r"^\| .*? \| (`.*`) \|$", page, re.MULTILINE) for word in row.split(", ")
    ]
    misread = [word for word in words if _unread(ask, word)]
    assert len(words) >= 9
    assert misread == [], "what is written there is understood, though it may not be legal for this ship"


def _unread(ask: AnyAsk, word: str) -> bool:
    try:
        ask.answer_from({"H1": {"plot": word}})
    except Refused as refused:
        return any(one.kind == "malformed" and "D1" not in str(one) and "path" not in word for one in refused.refusals)
    return False


def test_the_orders_of_the_page_on_the_jump_lanes_may_be_typed_on_the_first_sheet() -> None:
    state = opened("intro")
    state.turn = 1
    ask = sheet_ask(state, "terran")
    (block,) = re.findall(r"```\n(.*?)```", text_of("docs/jump_lanes.md"), re.DOTALL)
    orders = read_sheet(ask.form, block)
    assert set(orders) == {"T1", "T2", "T4"}
    sheet = ask.form.prefilled()
    answer = ask.answer_from({key: line | orders.get(key, {}) for key, line in sheet.items()})
    assert list(ask.check(answer)) == []
    said = ask.read_back(answer)
    assert any("again and again; unloads census at Lair each time" in one for one in said), said
    assert any("explores sol?1 with Science 13: chance 23 of 100" in one for one in said), said


def test_what_the_page_for_authors_says_of_tracked_battles_is_there() -> None:
    """The example is Border Patrol's own code, and the table names what a battle and its ships have."""
    part = text_of("docs/authors.md").split("### Battles that are flown\n")[1].split("\n### ")[0]
    (example,) = re.findall(r"```python\n(.*?)```", part, re.DOTALL)
    assert example in text_of("rules_engine/rulebooks/border_patrol/battles/tactics.py")
    rows = re.findall(r"^\| (`.*?) \|", part, re.MULTILINE)
    named = {word for row in rows for word in re.findall(r"`(\w+)`", row)}
    assert len(named) > 8
    assert named <= {*TacticalBattle.model_fields, *TacticalShip.model_fields}
    assert all(name in part for name in {*TacticalBattle.model_fields} - {"title"})
