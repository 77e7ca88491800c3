"""The file that keeps a second bot away from a database."""

from pathlib import Path

import pytest

from bot.store.errors import StoreUnavailable
from bot.store.lock import only_one


def url(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


def test_a_database_is_held_until_the_bot_is_done_with_it(tmp_path: Path) -> None:
    with only_one(url(tmp_path / "new" / "plotroom.db")):
        with (
            pytest.raises(StoreUnavailable, match="Another Plotroom is running on this database"),
            only_one(url(tmp_path / "new" / "plotroom.db")),
        ):
            pass
        with only_one(url(tmp_path / "other.db")):
            assert (tmp_path / "other.db.lock").is_file()
    with only_one(url(tmp_path / "new" / "plotroom.db")):
        pass


@pytest.mark.parametrize(
    "database",
    ["postgresql+asyncpg://host/plotroom", "sqlite+aiosqlite://", "sqlite+aiosqlite:///:memory:", "no address at all"],
)
def test_what_is_no_file_is_not_held(database: str) -> None:
    with only_one(database), only_one(database):
        pass


def test_where_no_file_can_be_made_opening_the_database_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with only_one(url(tmp_path / "file" / "plotroom.db")):
        assert (tmp_path / "file").read_text(encoding="utf-8") == ""


def test_a_database_is_held_under_every_name_that_it_has(tmp_path: Path) -> None:
    database = tmp_path / "plotroom.db"
    (tmp_path / "elsewhere").mkdir()
    with only_one(url(database)):
        pass
    symbolic, hard = tmp_path / "elsewhere" / "link.db", tmp_path / "elsewhere" / "hard.db"
    symbolic.symlink_to(database)
    hard.hardlink_to(database)
    for name in (symbolic, hard):
        with (
            only_one(url(database)),
            pytest.raises(StoreUnavailable, match="Another Plotroom is running on this database"),
            only_one(url(name)),
        ):
            pass
        with only_one(url(name)):
            pass


def test_a_database_that_was_there_is_not_begun_anew(tmp_path: Path) -> None:
    database = tmp_path / "plotroom.db"
    with only_one(url(database)) as opened:
        opened()
    with only_one(url(database)):
        pass
    database.rename(tmp_path / "away.db")
    gone = r"was here before and is gone; .* delete .*plotroom\.db\.lock"
    with pytest.raises(StoreUnavailable, match=gone), only_one(url(database)):
        pass
    assert not database.exists()
    (tmp_path / "plotroom.db.lock").unlink()
    with only_one(url(database)):
        assert database.exists()


def test_a_start_that_came_to_nothing_is_no_database_that_was_there(tmp_path: Path) -> None:
    database = tmp_path / "plotroom.db"
    with only_one(url(database)):
        database.unlink()
    with only_one(url(database)):
        pass
