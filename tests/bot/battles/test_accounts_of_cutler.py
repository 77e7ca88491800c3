"""Cutler: the account of a battle of two of three races, and of one between a force of two races and a third."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from simcord.backend.access import channel_accessible

from bot.recording.battle_threads import OVER
from tests.bot.worlds.fought import FoughtServer, fought_server
from tests.bot.worlds.simulated_server import said
from tests.e2e.cutler.worlds import scenario_of
from tests.e2e.story import STORIES, find_seed

RACES = {"ann": "hydran", "leo": "lyran", "mia": "klingon", "abe": "klingon"}
BATTLE = "Result of the battle in 0505"
ACCOUNT = STORIES["cutler"].orders["battle", "hydran"]
GONE = ["H1", "H2", "H3"]
DAY = 24 * 3600
FORGED = (
    "accept|",
    "short|0",
    "line|0",
    "text|",
    "agree|00000000",
    "stand|0",
    "referee|0",
    "undo|1",
    "sheet|",
    "card|",
)
"""What the card of an account has."""


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FoughtServer]:
    """Ann commands the Hydrans, leo the Lyrans, mia and abe the Klingons."""
    async with fought_server(tmp_path, monkeypatch, RACES, seed=find_seed("cutler").seed) as made:
        yield made


async def begun(here: FoughtServer) -> str:
    """Hydrans and Klingons have met, and the Lyran is elsewhere; gives the battle's key."""
    return await here.to_battle("cutler/intro", STORIES["cutler"].orders)


async def over(here: FoughtServer, key: str) -> bool:
    """Whether the battle is."""
    return OVER in await here.texts(key)


async def who_see(here: FoughtServer, key: str) -> set[str]:
    """Who of all on the server can read a place, as simcord works it out."""
    place = await here.channel(key)
    return {name for name, who in here.people.items() if channel_accessible(here.env.backend, place.id, who.id)}


async def test_it_is_filled_in_by_form_and_agreed_with_by_one_press_and_the_third_race_sees_none(
    here: FoughtServer,
) -> None:
    key = await begun(here)
    thread = (await here.channel(key)).history()
    assert [file.filename for message in thread for file in message.attachments] == [
        "battle.png",
        "details.png",
        "battle.txt",
    ]
    await here.report(here.ann, BATTLE, Destroyed=["H4"], Disengaged=GONE)
    await here.press(here.ann, BATTLE, "Send this account")
    assert "Hydran sent its account; awaited: Klingon." in await here.texts(key)
    await here.report(here.mia, BATTLE, Destroyed=["H4"], Disengaged=["H1", "H2"])
    await here.press(here.mia, BATTLE, "Send this account")
    assert "you say **intact**, they say **disengaged**" in here.prompt(here.abe, BATTLE).content
    await here.press(here.mia, BATTLE, "Make it disengaged")
    assert await over(here, key)
    for who in (here.leo, here.sam, here.zoe):
        assert not [one for one in here.dms(who) if "battle" in one.content.lower() and "0505" in one.content]
    assert await who_see(here, key) >= {"ann", "mia", "abe"}
    assert not await who_see(here, key) & {"leo", "sam", "zoe"}


async def test_one_line_is_filled_in_by_its_own_form_and_the_rest_is_typed(here: FoughtServer) -> None:
    key = await begun(here)
    await here.fill(here.ann, BATTLE, "0.0", f0="damaged")
    assert "H1" in here.prompt(here.ann, BATTLE).content
    await here.sends(here.ann, BATTLE, ACCOUNT)
    await here.sends(here.mia, BATTLE, ACCOUNT)
    assert await over(here, key)


async def test_the_deadline_takes_the_one_account_that_was_sent(here: FoughtServer) -> None:
    key = await begun(here)
    await here.sends(here.mia, BATTLE, ACCOUNT)
    await here.later(8 * DAY)
    assert await over(here, key)


async def test_the_third_races_captains_may_not_account_for_it_and_read_nothing(here: FoughtServer) -> None:
    key = await begun(here)
    await here.sends(here.mia, BATTLE, ACCOUNT)
    public = (await here.channel("public")).history()[-1]
    before = await here.fingerprint()
    for token in [await here.token(side, "battle") for side in ("hydran", "klingon")]:
        for who in (here.leo, here.rita, here.sam, here.zoe):
            for verb in FORGED:
                values = ["0.0"] if verb == "line|0" else None
                refused = await here.forge(who, public, f"p|{token}|{verb}", values)
                assert refused.modal is None, verb
                assert said(refused), verb
                assert "H4" not in said(refused), verb
    assert await here.fingerprint() == before
    assert (
        "no battle" in said(await here.slash(here.leo, "battle")).lower()
        or "nothing" in said(await here.slash(here.leo, "battle")).lower()
    )
    assert not await over(here, key)


# --- three races ------------------------------------------------------------------------------------------------------

WORLD = """
ash capital 0101 Hearth 5
birch capital 0701 Grove 5
cedar capital 0105 Stand 5
dogwood capital 0705 Copse 5
ash F1 0403 CA:Ember
birch F1 0403 CW:Reed
cedar F1 0403 DD:Cone
"""
FORCE = {
    ("turn", "ash"): "coordination: partners birch",
    ("plot", "birch"): "coordination: partners ash",
    ("card", "birch"): "force: card combat",
}
TOGETHER = {"ann": "ash", "abe": "birch", "leo": "cedar", "mia": "dogwood"}
THREE = "Result of the battle in 0403"


async def test_a_force_of_two_races_sends_one_account_and_either_agrees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenarios = {"cutler/small": scenario_of(WORLD, turns=1)}
    async with fought_server(tmp_path, monkeypatch, TOGETHER, scenarios=scenarios) as here:
        key = await here.to_battle("cutler/small", FORCE)
        assert "Ash and Birch against Cedar" in await here.texts(key)
        await here.report(here.abe, THREE, Destroyed=["C1"])
        assert "Destroyed: C1" in here.prompt(here.abe, THREE).content
        for who in (here.ann, here.leo):
            assert "Destroyed" not in here.prompt(who, THREE).content, "nobody reads what is not sent"
        await here.press(here.abe, THREE, "Send this account")
        for who in (here.ann, here.abe, here.leo):
            assert "Ash and Birch: Birch has sent the account; awaited: Cedar." in here.prompt(who, THREE).content
        assert "sent by Birch" in here.prompt(here.ann, THREE).content
        await here.sends(here.leo, THREE, "A1: fate damaged; warp_lost 2\nC1: fate destroyed")
        assert "accounts differ" in here.prompt(here.ann, THREE).content
        await here.press(here.ann, THREE, "Take their whole account")
        assert OVER in await here.texts(key)
        assert not [one for one in here.dms(here.mia) if "0403" in one.content and "battle" in one.content.lower()]
        assert await who_see(here, key) >= {"ann", "abe", "leo"}
        assert not await who_see(here, key) & {"mia", "sam", "zoe"}
