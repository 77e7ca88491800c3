"""Tests of what nothing is recorded of are found where they lie, and by what they import."""

from pathlib import Path

import pytest

from tests.changed.mirror import Mirror
from tests.changed.repository import write

FILES = {
    "bot/orders/reading.py": "",
    "rules_engine/rulebooks/tiny/__init__.py": "",
    "tests/bot/orders/test_reading.py": "",
    "tests/bot/orders/test_other.py": "",
    "tests/bot/orders/test_answers.py": "from bot.orders.reading import heard\n",
    "tests/bot/deadlines/test_some.py": "",
    "tests/bot/test_process.py": "from bot.orders import reading\n",
    "tests/bot/test_logs.py": "from bot.orders.reading_back import spoken\n",
    "tests/bot/worlds/server.py": "from bot.orders.reading import heard\n",
    "tests/bot/worlds/evenings.py": "from tests.bot.worlds.server import played\n",
    "tests/e2e/test_evening.py": "from tests.bot.worlds import (\n    evenings,\n)\nimport tests.e2e.stories\n",
    "tests/map_render/test_printing.py": "import map_render.words\nPATH = 'config/themes/paper.toml'\n",
    "tests/core/forms/test_order_text.py": "",
    "tests/docs/test_pages.py": "",
    "tests/rulebooks/tiny/scenario/test_entries.py": "",
    "tests/rulebooks/tiny/test_whole.py": "",
}


@pytest.fixture
def mirror(tmp_path: Path) -> Mirror:
    for path, text in FILES.items():
        write(tmp_path, path, text)
    return Mirror(tmp_path)


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("bot/orders/reading.py", ["tests/bot/orders/test_reading.py", "tests/bot/orders/test_answers.py"]),
        ("bot/deadlines.py", ["tests/bot/deadlines/"]),
        ("map_render/words.py", ["tests/map_render/test_printing.py"]),
        ("rules_engine/core/forms/order_text.py", ["tests/core/forms/test_order_text.py"]),
        ("config/themes/paper.toml", []),
        ("tests/e2e/stories.py", ["tests/e2e/test_evening.py"]),
        ("tests/bot/worlds/server.py", []),
    ],
)
def test_tests_near_a_file_bear_its_name_or_import_it(mirror: Mirror, path: str, near: list[str]) -> None:
    assert mirror.near(path) == near


@pytest.mark.parametrize(
    ("path", "naming"),
    [
        ("bot/orders/reading.py", ["tests/bot/orders/test_answers.py", "tests/bot/test_process.py"]),
        ("bot/deadlines.py", []),
        ("config/themes/paper.toml", ["tests/map_render/test_printing.py"]),
        ("tests/bot/worlds/server.py", ["tests/e2e/test_evening.py"]),
        ("tests/bot/worlds/unused.py", []),
    ],
)
def test_tests_that_name_a_file_import_it_or_a_helper_that_does(mirror: Mirror, path: str, naming: list[str]) -> None:
    assert mirror.naming(path) == naming


@pytest.mark.parametrize(
    ("path", "around"),
    [
        ("bot/orders/reading.py", ["tests/bot/orders/"]),
        ("bot/orders/deeper/parts.py", ["tests/bot/orders/"]),
        ("bot/seats/taking.py", []),
        ("bot/client.py", []),
        ("map_render/theatre/coasts.py", ["tests/map_render/"]),
        ("rules_engine/core/forms/fields.py", ["tests/core/forms/"]),
        ("rules_engine/rulebooks/tiny/moves.py", ["tests/rulebooks/tiny/"]),
        ("rules_engine/rulebooks/tiny/ch1/far/moves.py", ["tests/rulebooks/tiny/"]),
        ("config/scenarios/tiny/intro/scenario.toml", ["tests/rulebooks/tiny/scenario/"]),
        ("tests/bot/orders/orders.json", ["tests/bot/orders/"]),
        ("tests/bot/conftest.py", ["tests/bot/**"]),
        ("tests/conftest.py", []),
        ("docs/players.md", ["tests/docs/"]),
        ("CHANGELOG.md", ["tests/docs/"]),
        ("Makefile", []),
    ],
)
def test_tests_around_a_file_lie_in_the_folder_that_mirrors_its_own(
    mirror: Mirror, path: str, around: list[str]
) -> None:
    assert mirror.around(path) == around


def test_source_and_scenario_belong_to_a_rulebook(mirror: Mirror) -> None:
    assert mirror.book_of("rules_engine/rulebooks/tiny/moves.py") == "tiny"
    assert mirror.book_of("config/scenarios/tiny/intro/scenario.toml") == "tiny"
    assert mirror.book_of("rules_engine/rulebooks/__init__.py") is None
    assert mirror.book_of("rules_engine/core/forms/fields.py") is None
