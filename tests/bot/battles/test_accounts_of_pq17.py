"""PQ-17: the account of a battle, from the sheet that is posted to the one on which both agree."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.recording.battle_threads import DETAILS, OVER
from bot.store.tables import ReportRow
from tests.bot.worlds.fought import FoughtServer, fought_server
from tests.bot.worlds.simulated_server import said
from tests.e2e.story import STORIES, find_seed

SEATS = {"ann": "alliance", "leo": "coalition", "abe": "coalition"}
BATTLE = "Battle in 0405"
ACCOUNT = STORIES["pq17"].orders["battle", "alliance"]
LEFT = ["DF1", "DF2", "DF3"]
DAY = 24 * 3600
FORGED = (
    *("accept|", "short|0", "line|0", "text|", "make|0.1-00000000", "agree|00000000", "stand|0", "referee|0"),
    *("undo|1", "sheet|", "reset|", "card|", "page|0"),
)
"""All that the card of an account has."""


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FoughtServer]:
    """Ann commands the Alliance, leo and abe the Coalition."""
    async with fought_server(tmp_path, monkeypatch, SEATS, seed=find_seed("pq17").seed) as made:
        yield made


async def begun(here: FoughtServer) -> str:
    """Two forces of the Alliance have attacked one of the Coalition's; gives the battle's key."""
    return await here.to_battle("pq17/intro", STORIES["pq17"].orders)


async def by_form(here: FoughtServer, turns: str = "5") -> None:
    """Ann fills both pages of her short form in, and sends it: five presses."""
    await here.report(here.ann, BATTLE, Turns_it_lasted=turns, Crippled=["DF2"], Left_by_separation=LEFT)
    await here.report(
        here.ann, BATTLE, 1, DF1_left_on_battle_turn="3", DF2_left_on_battle_turn="3", DF3_left_on_battle_turn="2"
    )
    await here.press(here.ann, BATTLE, "Send this account")


async def is_told(here: FoughtServer, how: str) -> bool:
    """Whether the reasons for what was told say how the account was settled."""
    return any(how in body for body in await here.rows(ReportRow.body))


async def is_over(here: FoughtServer, key: str) -> bool:
    """Whether the battle is, for everybody who could still press something."""
    over = OVER in await here.texts(key)
    assert over == any(title.startswith("Withdrawal") for _, title in await here.open_titles())
    return over


async def test_it_is_posted_filled_in_by_form_and_agreed_with_by_one_press(here: FoughtServer) -> None:
    key = await begun(here)
    thread = (await here.channel(key)).history()
    files = [file.filename for message in thread for file in message.attachments]
    assert files == ["battle.png", "details.png", "battle.txt"]
    assert thread[1].content == DETAILS
    for who in (here.ann, here.leo, here.abe):
        assert who.mention in thread[0].content
        assert "Winner: Alliance; Turns it lasted: 1" in here.prompt(who, BATTLE).content
    await by_form(here)
    assert "Alliance sent its account; awaited: Coalition." in await here.texts(key)
    mine = here.prompt(here.ann, BATTLE).content
    assert "Turns it lasted: 5; Crippled: DF2; Left by separation: DF1, DF2, DF3" in mine
    assert "DF1: 3; DF2: 3; DF3: 2" in mine
    assert "Turns it lasted: 1" in here.prompt(here.leo, BATTLE).content, "nothing of it is on the other side's card"
    await here.sends(here.leo, BATTLE, ACCOUNT.replace("turns 5", "turns 4"))
    for who, mine, theirs in ((here.leo, 4, 5), (here.abe, 4, 5), (here.ann, 5, 4)):
        said_there = f"Turns it lasted: you say **{mine} turns**, they say **{theirs} turns**. All else agrees."
        assert said_there in here.prompt(who, BATTLE).content
    before = (await here.journal()).count("answered")
    await here.press(here.abe, BATTLE, "Make it 5")
    assert await is_over(here, key)
    assert (await here.journal()).count("answered") == before + 1
    assert await is_told(here, "both sides agree")


async def test_what_cannot_be_is_said_and_not_sent(here: FoughtServer) -> None:
    await begun(here)
    before = (await here.journal()).count("answered")
    for text, why in (
        ("DF1: fate disengaged", "say on which turn it disengaged"),
        ("DF1: turn 9", "say on which turn it disengaged"),
        ("AT1: fate eaten", "eaten"),
        ("XX9: fate destroyed", "XX9"),
    ):
        await here.write(here.ann, BATTLE, text)
        assert why in here.prompt(here.ann, BATTLE).content, text
    await here.press(here.ann, BATTLE, "Send this account")
    assert "not whole yet" in here.prompt(here.ann, BATTLE).content
    assert (await here.journal()).count("answered") == before


async def test_several_places_that_differ_are_settled_by_button_and_by_the_line(here: FoughtServer) -> None:
    key = await begun(here)
    await here.sends(here.ann, BATTLE, ACCOUNT)
    await here.sends(here.leo, BATTLE, "battle: turns 4; winner coalition\nAT1: fate destroyed\nAT2: fate destroyed")
    card = here.prompt(here.leo, BATTLE)
    assert "The accounts differ in" in card.content
    assert "more**\nThey differ, too." in card.content
    await here.press(here.leo, BATTLE, "Show them")
    assert "Make it" in " ".join(here.buttons(here.leo, BATTLE))
    await here.press(here.leo, BATTLE, "Take their whole account")
    assert await is_over(here, key)


async def test_the_deadline_takes_the_one_account_that_was_sent(here: FoughtServer) -> None:
    key = await begun(here)
    await by_form(here)
    await here.later(8 * DAY)
    assert await is_over(here, key)
    assert "Closed at its deadline" in "\n".join(one.content for one in here.dms(here.leo))


async def test_two_that_differ_keep_the_battle_open_and_the_referee_settles_it(here: FoughtServer) -> None:
    key = await begun(here)
    await by_form(here)
    await here.sends(here.leo, BATTLE, ACCOUNT.replace("turns 5", "turns 4"))
    await here.later(8 * DAY)
    assert not await is_over(here, key)
    assert "without an agreed account" in await here.texts(key)
    await here.press(here.ann, BATTLE, "Stand by mine")
    await here.press(here.leo, BATTLE, "Ask the referee")
    assert "Alliance stands by its account." in await here.texts(key)
    assert "Turns it lasted" in await here.texts("referee")
    (battle,) = await here.rita.autocomplete(here.hall, "referee ruling", "battle", "")
    ruled = await here.slash(
        here.rita, "referee ruling", battle=battle["value"], reason="The log says 4.", account_of="coalition"
    )
    assert "Your ruling stands." in said(ruled)
    assert await is_over(here, key)


async def test_nobody_accounts_for_it_but_commanders_of_the_two(here: FoughtServer) -> None:
    await begun(here)
    token = await here.token("alliance", "battle")
    public = (await here.channel("public")).history()[-1]
    before = await here.fingerprint()
    for who in (here.leo, here.abe, here.rita, here.sam, here.zoe):
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
            refused = await here.forge(who, public, f"p|{token}|{verb}", values)
            assert refused.modal is None, verb
            assert said(refused), verb
            assert "DF1" not in said(refused), verb
    assert await here.fingerprint() == before
