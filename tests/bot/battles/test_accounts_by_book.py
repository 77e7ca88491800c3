"""Accounts of battles in PQ-17, Cutler and Border Patrol, from the sheet to what both sides agree on."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from simcord.backend.access import channel_accessible

from bot.recording.battle_threads import DETAILS, OVER
from bot.store.tables import ReportRow
from tests.bot.worlds.fought import FoughtServer, fought_server
from tests.bot.worlds.simulated_server import said
from tests.e2e.cutler.worlds import scenario_of
from tests.e2e.story import STORIES, find_seed
from tests.expected.sections import section
from tests.expected.words import has_words

SEATS = {"ann": "alliance", "leo": "coalition", "abe": "coalition"}
PQ17_BATTLE = "Battle in 0405"
PQ17_ACCOUNT = STORIES["pq17"].orders["battle", "alliance"]
LEFT = ["DF1", "DF2", "DF3"]
DAY = 24 * 3600
PQ17_FORGED = (
    *("accept|", "short|0", "line|0", "text|", "make|0.1-00000000", "agree|00000000", "stand|0", "referee|0"),
    *("undo|1", "sheet|", "reset|", "card|", "page|0"),
)
"""All that the card of an account has."""


@pytest.fixture
async def pq17(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FoughtServer]:
    """Ann commands the Alliance, leo and abe the Coalition."""
    async with fought_server(tmp_path, monkeypatch, SEATS, seed=find_seed("pq17").seed) as made:
        yield made


async def begun_in_pq17(here: FoughtServer) -> str:
    """Two forces of the Alliance have attacked one of the Coalition's; gives the battle's key."""
    return await here.to_battle("pq17/intro", STORIES["pq17"].orders)


async def by_form(here: FoughtServer, turns: str = "5") -> None:
    """Ann fills both pages of her short form in, and sends it: five presses."""
    await here.report(here.ann, PQ17_BATTLE, Turns_it_lasted=turns, Crippled=["DF2"], Left_by_separation=LEFT)
    await here.report(
        here.ann, PQ17_BATTLE, 1, DF1_left_on_battle_turn="3", DF2_left_on_battle_turn="3", DF3_left_on_battle_turn="2"
    )
    await here.press(here.ann, PQ17_BATTLE, "Send this account")


async def is_over(here: FoughtServer, key: str) -> bool:
    """Whether the battle is, for everybody who could still press something."""
    over = OVER in await here.texts(key)
    assert over == any(title.startswith("Withdrawal") for _, title in await here.open_titles())
    return over


async def test_it_is_posted_filled_in_by_form_and_agreed_with_by_one_press(pq17: FoughtServer) -> None:
    key = await begun_in_pq17(pq17)
    thread = (await pq17.channel(key)).history()
    files = [file.filename for message in thread for file in message.attachments]
    assert files == ["battle.png", "details.png", "battle.txt"]
    assert thread[1].content == DETAILS
    for who in (pq17.ann, pq17.leo, pq17.abe):
        assert who.mention in thread[0].content
        assert "Winner: Alliance; Turns it lasted: 1" in pq17.prompt(who, PQ17_BATTLE).content
    await by_form(pq17)
    assert "Alliance sent its account; awaited: Coalition." in await pq17.texts(key)
    mine = pq17.prompt(pq17.ann, PQ17_BATTLE).content
    has_words(mine, "Turns it lasted: 5; Crippled: DF2; Left by separation: DF1, DF2, DF3", "DF1: 3; DF2: 3; DF3: 2")
    assert "Turns it lasted: 1" in pq17.prompt(pq17.leo, PQ17_BATTLE).content, (
        "nothing of it is on the other side's card"
    )
    await pq17.sends(pq17.leo, PQ17_BATTLE, PQ17_ACCOUNT.replace("turns 5", "turns 4"))
    for who, mine, theirs in ((pq17.leo, 4, 5), (pq17.abe, 4, 5), (pq17.ann, 5, 4)):
        said_there = f"Turns it lasted: you say **{mine} turns**, they say **{theirs} turns**. All else agrees."
        assert said_there in pq17.prompt(who, PQ17_BATTLE).content
    before = (await pq17.journal()).count("answered")
    await pq17.press(pq17.abe, PQ17_BATTLE, "Make it 5")
    assert await is_over(pq17, key)
    assert (await pq17.journal()).count("answered") == before + 1
    assert any("both sides agree" in body for body in await pq17.rows(ReportRow.body))


async def test_what_cannot_be_is_said_and_not_sent(pq17: FoughtServer) -> None:
    await begun_in_pq17(pq17)
    before = (await pq17.journal()).count("answered")
    for text, why in (
        ("DF1: fate disengaged", "say on which turn it disengaged"),
        ("DF1: turn 9", "say on which turn it disengaged"),
        ("AT1: fate eaten", "eaten"),
        ("XX9: fate destroyed", "XX9"),
    ):
        await pq17.write(pq17.ann, PQ17_BATTLE, text)
        assert why in pq17.prompt(pq17.ann, PQ17_BATTLE).content, text
    await pq17.press(pq17.ann, PQ17_BATTLE, "Send this account")
    assert "not whole yet" in pq17.prompt(pq17.ann, PQ17_BATTLE).content
    assert (await pq17.journal()).count("answered") == before


async def test_several_places_that_differ_are_settled_by_button_and_by_the_line(pq17: FoughtServer) -> None:
    key = await begun_in_pq17(pq17)
    await pq17.sends(pq17.ann, PQ17_BATTLE, PQ17_ACCOUNT)
    await pq17.sends(
        pq17.leo, PQ17_BATTLE, "battle: turns 4; winner coalition\nAT1: fate destroyed\nAT2: fate destroyed"
    )
    card = pq17.prompt(pq17.leo, PQ17_BATTLE)
    has_words(card.content, "The accounts differ in", "more**\nThey differ, too.")
    await pq17.press(pq17.leo, PQ17_BATTLE, "Show them")
    assert "Make it" in " ".join(pq17.buttons(pq17.leo, PQ17_BATTLE))
    await pq17.press(pq17.leo, PQ17_BATTLE, "Take their whole account")
    assert await is_over(pq17, key)


async def test_the_deadline_takes_the_one_account_that_was_sent_in_pq17(pq17: FoughtServer) -> None:
    key = await begun_in_pq17(pq17)
    await by_form(pq17)
    await pq17.later(8 * DAY)
    assert await is_over(pq17, key)
    assert "Closed at its deadline" in "\n".join(one.content for one in pq17.dms(pq17.leo))


async def test_two_that_differ_keep_the_battle_open_and_the_referee_settles_it(pq17: FoughtServer) -> None:
    key = await begun_in_pq17(pq17)
    await by_form(pq17)
    await pq17.sends(pq17.leo, PQ17_BATTLE, PQ17_ACCOUNT.replace("turns 5", "turns 4"))
    await pq17.later(8 * DAY)
    assert not await is_over(pq17, key)
    assert "without an agreed account" in await pq17.texts(key)
    await pq17.press(pq17.ann, PQ17_BATTLE, "Stand by mine")
    await pq17.press(pq17.leo, PQ17_BATTLE, "Ask the referee")
    assert "Alliance stands by its account." in await pq17.texts(key)
    assert "Turns it lasted" in await pq17.texts("referee")
    (battle,) = await pq17.rita.autocomplete(pq17.hall, "referee ruling", "battle", "")
    ruled = await pq17.slash(
        pq17.rita, "referee ruling", battle=battle["value"], reason="The log says 4.", account_of="coalition"
    )
    assert "Your ruling stands." in said(ruled)
    assert await is_over(pq17, key)


async def test_nobody_accounts_for_it_but_commanders_of_the_two(pq17: FoughtServer) -> None:
    await begun_in_pq17(pq17)
    token = await pq17.token("alliance", "battle")
    public = (await pq17.channel("public")).history()[-1]
    before = await pq17.fingerprint()
    for who in (pq17.leo, pq17.abe, pq17.rita, pq17.sam, pq17.zoe):
        for verb in (
            "accept|",
            "short|0",
            "line|0",
            "text|",
            "make|0.1-00000000",
            "agree|00000000",
            "stand|0",
            "referee|0",
            "undo|1",
            "sheet|",
        ):
            values = ["0.0"] if verb == "line|0" else None
            refused = await pq17.forge(who, public, f"p|{token}|{verb}", values)
            assert refused.modal is None, verb
            assert said(refused), verb
            assert "DF1" not in said(refused), verb
    assert await pq17.fingerprint() == before


# --- Cutler: the account of a battle of two of three races, and of one between a force of two races and a third -------
RACES = {"ann": "hydran", "leo": "lyran", "mia": "klingon", "abe": "klingon"}
CUTLER_BATTLE = "Result of the battle in 0505"
CUTLER_ACCOUNT = STORIES["cutler"].orders["battle", "hydran"]
GONE = ["H1", "H2", "H3"]
CUTLER_FORGED = (
    "accept|", "short|0", "line|0", "text|", "agree|00000000", "stand|0", "referee|0", "undo|1", "sheet|", "card|",
)  # fmt: skip
"""What the card of an account has."""


@pytest.fixture
async def cutler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FoughtServer]:
    """Ann commands the Hydrans, leo the Lyrans, mia and abe the Klingons."""
    async with fought_server(tmp_path, monkeypatch, RACES, seed=find_seed("cutler").seed) as made:
        yield made


async def begun_in_cutler(here: FoughtServer) -> str:
    """Hydrans and Klingons have met, and the Lyran is elsewhere; gives the battle's key."""
    return await here.to_battle("cutler/intro", STORIES["cutler"].orders)


async def over(here: FoughtServer, key: str) -> bool:
    """Whether the battle is."""
    return OVER in await here.texts(key)


async def who_see(here: FoughtServer, key: str) -> set[str]:
    """Who of all on the server can read a place, as simcord works it out."""
    place = await here.channel(key)
    return {name for name, who in here.people.items() if channel_accessible(here.env.backend, place.id, who.id)}


async def test_it_is_filled_in_by_form_and_agreed_with_by_one_press_and_the_third_race_sees_none(cutler: FoughtServer):
    key = await begun_in_cutler(cutler)
    found = [file.filename for message in (await cutler.channel(key)).history() for file in message.attachments]
    assert found == ["battle.png", "details.png", "battle.txt"]
    await cutler.report(cutler.ann, CUTLER_BATTLE, Destroyed=["H4"], Disengaged=GONE)
    await cutler.press(cutler.ann, CUTLER_BATTLE, "Send this account")
    assert "Hydran sent its account; awaited: Klingon." in await cutler.texts(key)
    await cutler.report(cutler.mia, CUTLER_BATTLE, Destroyed=["H4"], Disengaged=["H1", "H2"])
    await cutler.press(cutler.mia, CUTLER_BATTLE, "Send this account")
    assert "you say **intact**, they say **disengaged**" in cutler.prompt(cutler.abe, CUTLER_BATTLE).content
    await cutler.press(cutler.mia, CUTLER_BATTLE, "Make it disengaged")
    assert await over(cutler, key)
    for who in (cutler.leo, cutler.sam, cutler.zoe):
        assert not [one for one in cutler.dms(who) if "battle" in one.content.lower() and "0505" in one.content]
    assert await who_see(cutler, key) >= {"ann", "mia", "abe"}
    assert not await who_see(cutler, key) & {"leo", "sam", "zoe"}


async def test_one_line_is_filled_in_by_its_own_form_and_the_rest_is_typed(cutler: FoughtServer) -> None:
    key = await begun_in_cutler(cutler)
    await cutler.fill(cutler.ann, CUTLER_BATTLE, "0.0", f0="damaged")
    assert "H1" in cutler.prompt(cutler.ann, CUTLER_BATTLE).content
    await cutler.sends(cutler.ann, CUTLER_BATTLE, CUTLER_ACCOUNT)
    await cutler.sends(cutler.mia, CUTLER_BATTLE, CUTLER_ACCOUNT)
    assert await over(cutler, key)


async def test_the_deadline_takes_the_one_account_that_was_sent_in_cutler(cutler: FoughtServer) -> None:
    key = await begun_in_cutler(cutler)
    await cutler.sends(cutler.mia, CUTLER_BATTLE, CUTLER_ACCOUNT)
    await cutler.later(8 * DAY)
    assert await over(cutler, key)


async def test_the_third_races_captains_may_not_account_for_it_and_read_nothing(cutler: FoughtServer) -> None:
    key = await begun_in_cutler(cutler)
    await cutler.sends(cutler.mia, CUTLER_BATTLE, CUTLER_ACCOUNT)
    public = (await cutler.channel("public")).history()[-1]
    before = await cutler.fingerprint()
    for token in [await cutler.token(side, "battle") for side in ("hydran", "klingon")]:
        for who in (cutler.leo, cutler.rita, cutler.sam, cutler.zoe):
            for verb in CUTLER_FORGED:
                values = ["0.0"] if verb == "line|0" else None
                refused = await cutler.forge(who, public, f"p|{token}|{verb}", values)
                assert refused.modal is None, verb
                assert said(refused), verb
                assert "H4" not in said(refused), verb
    assert await cutler.fingerprint() == before
    assert (
        "no battle" in said(await cutler.slash(cutler.leo, "battle")).lower()
        or "nothing" in said(await cutler.slash(cutler.leo, "battle")).lower()
    )
    assert not await over(cutler, key)


# --- three races ------------------------------------------------------------------------------------------------------
WORLD = section("world")
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


# --- accounts of border patrol ----------------------------------------------------------------------------------------
# Border Patrol in the bot: founded, one sheet a Team, a battle hex with its pictures and account, and play goes on.
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
async def border_patrol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FoughtServer]:
    """Ann commands the Federation Team, leo the Romulan."""
    async with fought_server(tmp_path, monkeypatch, TEAMS) as made:
        yield made


async def test_a_battle_hex_is_fought_reported_and_agreed_and_the_turn_runs_on(border_patrol: FoughtServer) -> None:
    key = await border_patrol.to_battle("border_patrol/intro", ORDERS)
    thread = (await border_patrol.channel(key)).history()
    found = [file.filename for message in thread for file in message.attachments]
    assert found == ["battle.png", "details.png", "battle.txt"]
    await border_patrol.report(border_patrol.ann, BATTLE, Destroyed=["RU2"], Disengaged=["RU1"])
    await border_patrol.press(border_patrol.ann, BATTLE, "Send this account")
    await border_patrol.report(border_patrol.leo, BATTLE, Destroyed=["RU2"], Disengaged=["RU1"])
    await border_patrol.press(border_patrol.leo, BATTLE, "Send this account")
    assert OVER in await border_patrol.texts(key)
    told = await border_patrol.texts("public")
    has_words(told, "(+", "Turn 2 of 3", "Thorn destroyed")
