"""Connections to databases that a test leaves open fail that test, and not another in the midst of which the garbage
collector closes them."""

from collections.abc import Generator
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.pool import Pool

_made: list[Any] = []
"""Those made since it was last looked, by the drivers as SQLAlchemy wraps them. They are held here, so that none goes
unseen."""
_left: list[Any] = []
"""Those that tests have left open, held to the end: they have failed one test, and are to fail no other."""


@event.listens_for(Pool, "connect")
def _note(connection: Any, _record: object) -> None:
    _made.append(connection)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, Any, Any]:
    """Look, when all that belongs to the test is torn down, whether each of its connections is closed."""
    try:
        return (yield)
    finally:
        made, _made[:] = list(_made), []
        left = [one for one in made if _is_open(one.driver_connection)]
        _left.extend(left)
        assert not left, f"{item.nodeid} leaves {len(left)} connections open: close the store, or dispose of the engine"


def _is_open(driver: Any) -> bool:
    if hasattr(driver, "is_closed"):  # asyncpg's
        return not driver.is_closed()
    return driver._connection is not None  # aiosqlite's
