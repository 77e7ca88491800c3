"""Border Patrol in the bot: founded, one sheet a Team, a battle hex with its pictures and account, and play goes on."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.recording.battle_threads import OVER
from tests.bot.worlds.fought import FoughtServer, fought_server

TEAMS = {"ann": "federation", "leo": "romulan"}
BATTLE = "Result of the battle in 0602"
ORDERS = {
    (
        "plot",
        "federation",
    ): "F1: route 0502 0602; orders break out or withdraw\nF2: react any\nF1-ships: rearguard lance"
}
"""A cruiser and a destroyer come to two Romulan ships that hold in 0602, in phase 4."""


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FoughtServer]:
    """Ann commands the Federation Team, leo the Romulan."""
    async with fought_server(tmp_path, monkeypatch, TEAMS) as made:
        yield made


async def test_a_battle_hex_is_fought_reported_and_agreed_and_the_turn_runs_on(here: FoughtServer) -> None:
    key = await here.to_battle("border_patrol/intro", ORDERS)
    thread = (await here.channel(key)).history()
    assert [file.filename for message in thread for file in message.attachments] == [
        "battle.png",
        "details.png",
        "battle.txt",
    ]
    await here.report(here.ann, BATTLE, Destroyed=["RU2"], Disengaged=["RU1"])
    await here.press(here.ann, BATTLE, "Send this account")
    await here.report(here.leo, BATTLE, Destroyed=["RU2"], Disengaged=["RU1"])
    await here.press(here.leo, BATTLE, "Send this account")
    assert OVER in await here.texts(key)
    told = await here.texts("public")
    assert "(+" in told
    assert "Turn 2 of 3" in told
    assert "Thorn destroyed" in told
