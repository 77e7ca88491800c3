"""Cutler with four empires: two battles at once in different hexes while a fourth empire is in none; the bot dies in
the middle; one battle is disputed and ruled on, and the referee goes back to before the other one ended."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.crowd import account, begin, goes_back, open_crowd, to_battle
from tests.e2e.people import said
from tests.e2e.stage import Stage

EAST, WEST = "0604", "0406"
STANDS = {"Ash": [EAST, WEST], "Birch": [EAST], "Cedar": [WEST], "Dogwood": ["0805"]}
SEATS = {"ann": "ash", "leo": "birch", "kai": "cedar", "mia": "dogwood", "abe": "ash"}
BEATEN = {
    EAST: "B1: fate destroyed\nB2: fate destroyed\nB3: fate destroyed",
    WEST: "C1: fate disengaged\nC2: fate disengaged\nC3: fate disengaged",
}


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """A running bot that has this scenario, and Ash with two commanders."""
    async with open_crowd(tmp_path, STANDS, turns=2, names=tuple(SEATS)) as stage:
        yield stage


async def test_two_battles_at_once_in_different_hexes(stage: Stage) -> None:
    ann, abe, leo, kai, mia, rita = (stage.people[name] for name in ("ann", "abe", "leo", "kai", "mia", "rita"))
    await begin(stage, SEATS)
    for who in (ann, leo, kai, mia):
        await who.ready(await who.sheet("Turn 1: economy"))
    await ann.sheet(f"{WEST}: bypass or combat")
    await stage.settled()  # her own sheet has closed
    heard = [one["words"] for one in await mia.direct()]
    await to_battle(EAST, ann, leo)
    assert await ann.post(f"Battle in {EAST}", "play this battle by hand")

    await stage.kill_bot()  # one battle is open, and in the west the cards are still to be shown
    await stage.start_bot()
    await to_battle(WEST, ann, kai)
    await stage.settled()
    for person, hexes in ((abe, [EAST, WEST]), (leo, [EAST]), (kai, [WEST]), (mia, [])):
        assert [hex_id for hex_id in (EAST, WEST) if await person.sees(f"Battle in {hex_id}")] == hexes

    # Ash's two commanders account for one force each; in the east the accounts differ, and the west goes on.
    assert not await account(ann, EAST, BEATEN[EAST])
    assert not await account(leo, EAST, "A1: fate destroyed")
    assert "differ" in (await ann.sheet(f"Result of the battle in {EAST}"))["words"]
    assert not await account(abe, WEST, BEATEN[WEST])
    assert await account(kai, WEST, BEATEN[WEST])
    assert f"The battle in {WEST} is over" in await kai.reads_log(at="cedar")
    assert f"Result of the battle in {EAST}" in said(await rita.does("referee disputes"))

    # Dogwood, who is in no battle, has heard nothing of all this.
    await stage.settled()
    assert [one["words"] for one in await mia.direct()] == heard
    assert f"battle in {WEST}" not in await stage.seen(mia)

    # Back to when Cedar had not answered yet: what Ash has sent stands again, and the fight goes on from there.
    back_to = stage.rows("select max(seq) - 2 from journal where kind = 'closed'")[0][0]
    await goes_back(rita, back_to)
    await kai.post(f"Battle in {WEST}", "The referee went back into this battle")
    assert await account(kai, WEST, BEATEN[WEST])

    # The other battle is still disputed; the referee rules, and all go on together.
    (east,) = stage.rows("select distinct ask_id from prompt where status = 'open' and kind = 'battle'")[0]
    ruled = await rita.does("referee ruling", battle=east, account_of="Ash", reason="seen at the table")
    assert "Your ruling stands" in said(ruled)
    assert await ann.sheet("impulse 2: plots")
    assert f"The battle in {EAST} is over" in await leo.reads_log(at="birch")
