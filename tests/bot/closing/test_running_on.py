"""Turns that go by without anybody: told like any others, one sheet for who is asked, and none sent to who runs on."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.settings import BUILT_IN
from tests import toy
from tests.bot.worlds.simulated_server import SimulatedServer, said, simulated_server


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SimulatedServer]:
    """A server with the shipped scenarios."""
    monkeypatch.setattr(toy, "CONFIG", BUILT_IN)
    async with simulated_server(tmp_path) as made:
        yield made


async def begin(here: SimulatedServer) -> str:
    """The introductory PQ-17 campaign under way: ann commands the Alliance, leo the Coalition."""
    await here.slash(here.rita, "campaign create", title="Intro", scenario="pq17/intro")
    for who, side in ((here.ann, "alliance"), (here.leo, "coalition")):
        assert "Sorry" not in said(await here.slash(who, "campaign join", side=side, campaign="Intro"))
    assert "has begun" in said(await here.slash(here.rita, "campaign start", campaign="Intro"))
    return "Intro"


async def order(here: SimulatedServer, who: object, side: str, text: str) -> None:
    """Write an order into a side's planning sheet and be ready; the last one to be so plays on."""
    orders, user = here.bot.services.orders, who.user.id  # type: ignore[attr-defined]
    token = await here.token(side, "planning")
    await orders.filling.write(token, user, text)
    await orders.readiness.say(token, user, is_ready=True)
    await here.later(5)
    await here.bot.delivery.idle()
    await here.env.settle()


async def test_several_turns_are_told_one_by_one_and_call_nobody_who_runs_on(here: SimulatedServer) -> None:
    await begin(here)
    await order(here, here.ann, "alliance", "side: run 3")
    await order(here, here.leo, "coalition", "side: run on")
    titles = [title.partition(" (")[0] for _, title in await here.open_titles()]
    assert titles == ["Planning, Turn 4", "Planning, Turn 4"]
    ann = [message.content for message in here.dms(here.ann) if "Planning, Turn 4" in message.content]
    leo = [message.content for message in here.dms(here.leo) if "Planning, Turn 4" in message.content]
    assert (len(ann), len(leo)) == (1, 0)
    told = await here.texts("side:alliance")
    assert "went by" not in told
    assert "You no longer run on: turn 4 has come." in told
    theirs = await here.texts("side:coalition")
    assert "no longer run on" not in theirs
    assert "initiative" not in told + theirs
    everybody = await here.texts("public")
    assert [f"Turn {turn} " in everybody for turn in (1, 2, 3, 4)] == [True, True, True, False]
    assert everybody.count("has the initiative") == 3

    shown = said(await here.slash(here.leo, "orders show"))
    assert "Planning, Turn 4" in shown  # who looks for it finds it
    await order(here, here.ann, "alliance", "side: run ask")
    titles = [title.partition(" (")[0] for _, title in await here.open_titles()]
    assert titles == ["Planning, Turn 5", "Planning, Turn 5"]  # nobody waited for the Coalition


async def test_standing_orders_are_read_back_to_their_own_side(here: SimulatedServer) -> None:
    await begin(here)
    await order(here, here.ann, "alliance", 'side: doctrine "search fuel>10; withdraw"')
    await order(here, here.leo, "coalition", "side: doctrine attack id2")
    mine = said(await here.slash(here.ann, "orders standing"))
    assert "Searches what appears if every ship keeps more than 10 fuel." in mine
    assert "Attacks what it holds" not in mine
    assert "Attacks what it holds at ID2 or better" in said(await here.slash(here.leo, "orders standing"))
