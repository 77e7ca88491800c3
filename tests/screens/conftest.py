"""The browser that photographs cards, started once."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.screens.phone import open_browser, program


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """The machine's own Chromium."""
    if program() is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    async with open_browser() as browser:
        yield browser
