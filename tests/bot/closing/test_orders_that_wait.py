"""What standing orders answer takes its time on the server, too: nobody is called, its owner's Ready ends the wait."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.bot.overviews.conftest import SEATS, CrownsServer
from tests.bot.worlds.simulated_server import SimulatedServer, said, simulated_server

SPIES = "location detection against the Lyran at 0702 with 20 IP"


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[SimulatedServer]:
    """The server, with a bot that runs."""
    async with simulated_server(tmp_path, CrownsServer) as made:
        yield made


async def to_the_mission(here: CrownsServer, orders: str, *, at_once: bool = False) -> None:
    """The Hydran spies upon the Lyran, who keeps points against that and has these standing orders."""
    campaign = await here.begin()
    if not at_once:
        settings = said(await here.slash(here.rita, "campaign settings", campaign=campaign, at_once=False))
        assert "Standing orders take the time of an answer." in settings
    services = here.bot.services.orders
    texts = {"hydran": SPIES, "lyran": f"counter: points 20\nstanding: orders {orders}", "klingon": "counter: points 0"}
    for who, side in SEATS.items():
        token = await here.token(side, "turn")
        await services.filling.write(token, here.people[who].user.id, texts[side])
        await services.readiness.say(token, here.people[who].user.id, is_ready=True)
    await settled(here)


async def settled(here: CrownsServer) -> None:
    await here.later(5)
    await here.bot.delivery.idle()
    await here.env.settle()


async def open_to(here: CrownsServer) -> list[tuple[str, str]]:
    """What is open, and to whom."""
    campaign = (await here.bot.services.campaigns.in_server(here.guild.id))[0]
    async with here.bot.services.runtime.loaded.use(campaign.id) as adjudicator:
        return [(label.key, ask.kind) for label in adjudicator.sides for ask in adjudicator.asks_for(label.key)]


def calls(here: CrownsServer) -> int:
    return len(here.dms(here.leo))


async def test_play_waits_for_its_owners_ready_and_nobody_is_called(here: CrownsServer) -> None:
    await to_the_mission(here, "counter 5")
    assert await open_to(here) == [("lyran", "waiting")]
    assert not any("Waiting" in message.content for message in here.dms(here.leo))
    shown = said(await here.slash(here.leo, "orders show"))
    assert (
        "Your standing orders have answered what is asked here. Nobody can tell: play goes on once you say that you "
        "are ready, or at the deadline, as if you had been asked."
    ) in shown
    before = await here.journal()
    assert "Sorry" not in said(await here.slash(here.leo, "orders ready"))
    assert (await here.journal())[len(before) :][:2] == ["readied", "closed"]
    assert ("lyran", "waiting") not in await open_to(here)


async def test_its_owner_is_asked_in_the_same_place_without_orders_for_as_long(here: CrownsServer) -> None:
    await to_the_mission(here, "counter ask")
    assert await open_to(here) == [("lyran", "counter")]
    asked_until = await here.falls_at()
    assert asked_until is not None
    assert asked_until - here.now() > timedelta(hours=11)


async def test_nobody_is_reminded_of_it_and_the_deadline_ends_it(here: CrownsServer) -> None:
    await to_the_mission(here, "counter 5")
    closes = await here.falls_at()
    assert closes is not None
    assert closes - here.now() > timedelta(hours=11)
    before = calls(here)
    await here.later((closes - here.now()).total_seconds() - 600)
    await settled(here)
    assert calls(here) == before
    assert await open_to(here) == [("lyran", "waiting")]
    await here.later(900)
    await settled(here)
    assert ("lyran", "waiting") not in await open_to(here)


async def test_a_referee_may_let_orders_answer_at_once(here: CrownsServer) -> None:
    await to_the_mission(here, "counter 5", at_once=True)
    assert ("lyran", "waiting") not in await open_to(here)
    assert "closed" in await here.journal()
