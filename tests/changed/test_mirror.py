"""Tests of what nothing is recorded of are found where they lie, and by what they import."""

from pathlib import Path

import pytest

from tests.changed.mirror import Mirror
from tests.changed.repository import write
from tests.expected.kept import cases

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


@cases("path, near", "")
def test_tests_near_a_file_bear_its_name_or_import_it(mirror: Mirror, path: str, near: list[str]) -> None:
    assert mirror.near(path) == near


@cases("path, naming", "")
def test_tests_that_name_a_file_import_it_or_a_helper_that_does(mirror: Mirror, path: str, naming: list[str]) -> None:
    assert mirror.naming(path) == naming


@cases("path, around", "")
def test_tests_around_a_file_lie_in_the_folder_that_mirrors_its_own(
    mirror: Mirror, path: str, around: list[str]
) -> None:
    assert mirror.around(path) == around


def test_source_and_scenario_belong_to_a_rulebook(mirror: Mirror) -> None:
    assert mirror.book_of("rules_engine/rulebooks/tiny/moves.py") == "tiny"
    assert mirror.book_of("config/scenarios/tiny/intro/scenario.toml") == "tiny"
    assert mirror.book_of("rules_engine/rulebooks/__init__.py") is None
    assert mirror.book_of("rules_engine/core/forms/fields.py") is None
