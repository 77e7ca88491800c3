"""A battle of which its book fails to say how it is flown: it is played by hand, and its thread says so."""

from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.recording.battle_threads import UNTRACKED
from rules_engine.core.tactics import describing
from tests import toy
from tests.bot.battles.test_battles import BATTLE, account
from tests.bot.worlds.simulated_server import SimulatedServer, said


@pytest.fixture(autouse=True)
def undescribed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy book fails to describe its battles."""

    def fails() -> Any:
        raise ZeroDivisionError("the description breaks on purpose")

    monkeypatch.setattr(toy, "toy_tactics", fails)
    monkeypatch.setattr(describing, "_GUARDED", True)


async def to_battle(here: SimulatedServer, tracker: str) -> str:
    """To the battle, in a campaign with that setting."""
    campaign = await here.begin()
    await here.slash(here.rita, "campaign settings", campaign=campaign, tracker=tracker)
    for who in (here.ann, here.leo):
        await here.press(who, "Orders for turn 1", "Ready")
    return campaign


@pytest.mark.parametrize("setting", ["optional", "usual"])
async def test_it_is_played_by_hand_and_said(here: SimulatedServer, setting: str) -> None:
    with capture_logs() as logs:
        campaign = await to_battle(here, setting)
    (noted,) = [one for one in logs if one["event"] == "battle not described"]
    assert noted["campaign"] == campaign
    assert noted["where"].startswith("ZeroDivisionError at test_undescribed.py:")
    assert "halted" not in await here.texts("public")
    assert (await here.texts("battle:t1")).count(UNTRACKED) == 1
    assert UNTRACKED in said(await here.slash(here.ann, "tracker", at=await here.channel("battle:t1")))
    for who in (here.ann, here.leo):
        await account(here, who, "4", "2")
    assert "Battle: 4 to 2." in await here.texts("public")


async def test_where_battles_are_not_tracked_nobody_hears_of_it(here: SimulatedServer) -> None:
    with capture_logs() as logs:
        await to_battle(here, "off")
    assert not [one for one in logs if one["event"] == "battle not described"]
    assert UNTRACKED not in await here.texts("battle:t1")
    assert ("red", BATTLE) in await here.open_titles()
