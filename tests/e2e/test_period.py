"""The first operational period of PQ-17's campaign, from founding to the second period's planning, on the real client.

Both sides buy and deploy, let turns go by on standing orders, and are asked when something needs them; battles are
settled by their officers' accounts. What passes between bot and playground is held against Discord's description.
"""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.demo.run import SCRIPTS, Game
from tests.e2e.stage import Stage, open_stage

SCRIPT = SCRIPTS["pq17-period"]
SEED = bytes(range(32))
SEATS = ("referee", "alliance", "coalition", "spectator")


@pytest.fixture
async def harbour(tmp_path: Path) -> AsyncIterator[Stage]:
    """The four seats and a running bot."""
    async with open_stage(tmp_path, seed=SEED, names=SEATS) as stage:
        await stage.start_bot()
        yield stage
        await stage.settled()
        await stage.stop_bot()
        assert stage.bad_lines() == []
        assert stage.contract_defects() == []


async def test_the_first_period_of_the_campaign(harbour: Stage, tmp_path: Path) -> None:
    seen: list[str] = []
    game = Game(SCRIPT, {name: harbour.people[name].seat for name in SEATS}, lambda _, text: seen.append(text))
    await game.set_up()
    await game.play()
    await harbour.settled()  # the last posts come after the sheets that end the play

    told = {name: await harbour.seen(harbour.people[name]) for name in SEATS}
    assert all(title in told["alliance"] for title in ("Order of battle before turn 1", "Deployment before turn 1"))
    assert "Planning, Turn 31" in told["coalition"]
    told_of = {int(turn) for turn in re.findall(r"\*\*Turn (\d+) \(.*\n.* has the initiative", told["spectator"])}
    assert told_of == set(range(1, 31))  # every turn is told, whether or not anybody was asked
    assert len(seen) < 30  # planning sheets are fewer than turns: nobody was asked while nothing happened
    for words in ("Alliance total is", "Command points"):  # the Administrative Step
        assert words in told["spectator"]
    assert "Bastion" in told["coalition"]
    assert "Bastion" not in told["alliance"] + told["spectator"]

    turns = harbour.rows("select max(turn) from snapshot")
    assert turns
    assert turns[0][0] >= 30
    export = await game.export(tmp_path)
    assert export.stat().st_size > 0
