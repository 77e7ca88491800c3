"""Cutler on Discord: standing orders typed and read back, odds and tables; each for its own race alone."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.store.tables import PromptRow
from tests.bot.worlds.fought import FoughtServer, fought_server
from tests.bot.worlds.simulated_server import said

RACES = {"ann": "hydran", "leo": "lyran", "mia": "klingon"}
ORDERS = 'standing: orders "combat x1.5; counter 10; go on"\nF1: orders "bypass"; stop "turn 3"'


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FoughtServer]:
    """The introductory scenario, begun."""
    async with fought_server(tmp_path, monkeypatch, RACES) as made:
        campaign = await made.found("Crowns", scenario="cutler/intro")
        for name, side in {**RACES, "sam": "spectator"}.items():
            await made.slash(made.people[name], "campaign join", side=side, campaign=campaign)
        assert "has begun" in said(await made.slash(made.rita, "campaign start", campaign=campaign))
        yield made


async def sheets(here: FoughtServer) -> list[tuple[str, str]]:
    """The sides that are asked, and the tokens of their sheets."""
    async with here.store.read() as tx:
        found = await tx.connection.execute(sa.select(PromptRow).where(PromptRow.status == "open"))
        return [(row["side"], row["token"]) for row in found.mappings()]


async def test_orders_are_typed_and_read_back_to_their_own_race_alone(here: FoughtServer) -> None:
    services = here.bot.services.orders
    for side, token in await sheets(here):
        user = here.of(side).user.id
        if side == "hydran":
            refused = await services.filling.write(token, user, 'standing: orders "combt"')
            assert "combat" in str(refused.state.problems)
            answer = await services.filling.write(token, user, ORDERS)
            assert not answer.state.problems, answer.state.problems
        await services.readiness.say(token, user, is_ready=True)
    await here.bot.delivery.idle()
    await here.env.settle()
    mine = said(await here.slash(here.ann, "orders standing"))
    assert "All fleets without orders of their own: Its card is combat if we have at least 1 1/2" in mine
    assert "F1: Its card is bypass." in mine
    assert "The course of F1 ends at: turn 3." in mine
    for other in (here.leo, here.mia):
        assert "1 1/2" not in said(await here.slash(other, "orders standing"))


async def test_odds_and_tables_are_told(here: FoughtServer) -> None:
    told = said(await here.slash(here.ann, "odds", own="spies", target="20 IP"))
    assert "**67 %**, 1-4 on a die" in told
    assert "6.5.2" in told
    assert "no fleet of yours" in said(await here.slash(here.ann, "odds", own="F99", target="0404"))
    offered = [one["value"] for one in await here.ann.autocomplete(here.hall, "ledger", "which", "")]
    assert offered == ["ships", "forces", "stores", "planets", "contacts", "dice"]
    ships = await here.slash(here.ann, "ledger", which="ships")
    assert "**Ships and bases**" in said(ships)
    assert ships.response is not None
    assert [file.filename for file in ships.response.attachments] == ["ships.csv"]
