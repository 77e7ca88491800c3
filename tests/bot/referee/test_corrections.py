"""Corrections by the referee, and commands that Discord has given up."""

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.commands import referee
from bot.interactions import campaign_presses
from tests import toy
from tests.bot.battles.test_battles import BATTLE, account, to_battle
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.expected.kept import cases
from tests.expected.words import has_words

# --- corrections ------------------------------------------------------------------------------------------------------
# a correction: offered step by step, shown before it is done, made as it was shown or not at all, told to whom it
# concerns.
CONFIRM = "Correct it"


async def edit(here: SimulatedServer, path: str, value: str, reason: str = "miscounted", **options: Any) -> Any:
    return await here.slash(here.rita, "referee edit", path=path, value=value, reason=reason, **options)


def card(result: Any) -> Any:
    """The message with the button."""
    (found,) = [part for part in (*result.followups, result.response) if part is not None and part.components]
    return found


def id_of(message: Any) -> str:
    """The id of its button."""
    return message.components[0]["components"][0]["custom_id"]


async def offered(here: SimulatedServer, option: str, typed: str, **chosen: str) -> list[tuple[str, str]]:
    found = await here.rita.autocomplete(here.hall, "referee edit", option, typed, **chosen)
    return [(one["name"], one["value"]) for one in found]


# --- what is offered --------------------------------------------------------------------------------------------------
async def test_paths_are_offered_step_by_step_with_what_stands_there(game: SimulatedServer) -> None:
    assert ("turn = 1", "turn") in await offered(game, "path", "")
    assert ("ships …", "ships") in await offered(game, "path", "shi")
    fields = [("ships.red = 5", "ships.red"), ("ships.blue = 5", "ships.blue")]
    assert await offered(game, "path", "ships.") == fields
    assert await offered(game, "path", "SHIPS.B") == fields[1:]
    assert await offered(game, "path", "nothing.of.that") == []
    assert await offered(game, "path", "x" * 6_000) == []


async def test_values_are_offered_for_the_path_that_was_chosen(game: SimulatedServer) -> None:
    assert await offered(game, "value", "", path="ships.red") == [("5 (stands there now)", "5")]
    assert await offered(game, "value", "", path="nothing") == []
    assert await offered(game, "value", "") == []


async def test_a_referee_who_has_played_is_offered_nothing(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.slash(here.rita, "campaign join", side="red", campaign=campaign)
    await here.slash(here.abe, "campaign join", side="red", campaign=campaign)
    await here.slash(here.leo, "campaign join", side="blue", campaign=campaign)
    await here.slash(here.rita, "campaign start")
    await here.slash(here.rita, "campaign leave", campaign=campaign)
    for option in ("path", "value"):
        assert await offered(here, option, "", path="ships.red", campaign=campaign) == []
    for command in ("referee edit", "referee late", "referee battle"):
        options = {"path": "ships.red", "value": "3", "reason": "r"} if command == "referee edit" else {}
        text = said(await here.slash(here.rita, command, campaign=campaign, **options))
        assert text.startswith("You have commanded a side in this campaign"), text


# --- before it is done ------------------------------------------------------------------------------------------------
async def test_old_and_new_stand_side_by_side_and_nothing_is_done_yet(game: SimulatedServer) -> None:
    for text in (said(await edit(game, "ships.red", "3")), await game.texts("referee")):
        has_words(text, "`ships.red`", "stands there now: `5`", "would stand there: `3`", "miscounted")
    assert await game.journal() == ["genesis", "seated"]
    assert "ships 5" in said(await game.slash(game.ann, "forces"))
    assert "correction" not in await game.texts("public") + await game.texts("side:red")


async def test_who_would_read_what_is_said(game: SimulatedServer) -> None:
    text = said(await edit(game, "ships.red", "3"))
    assert "**Red Fleet** is told this, and your reason:" in text
    assert "Forces: “ships 5” is now “ships 3”" in text
    assert "Everybody else reads only that you made a correction." in text
    assert "No side's view shows it. Everybody reads only" in said(await edit(game, "taken", '["gold"]'))


@cases("path, value, words", "")
async def test_what_cannot_be_is_refused_and_nothing_is_prepared(
    game: SimulatedServer, path: str, value: str, words: str
) -> None:
    before = await game.fingerprint()
    text = said(await edit(game, path, value))
    assert text.startswith("The correction was not made:")
    assert words in text
    assert await game.fingerprint() == before


async def test_a_battle_that_is_touched_is_named_before_it_is_done(here: SimulatedServer) -> None:
    await to_battle(here)
    shown = await edit(here, "ships.red", "3")
    assert f"⚠️ **This touches the open battle “{BATTLE}”.**" in said(shown)
    assert "touches" not in said(await edit(here, "points.red", "3"))


# --- doing it ---------------------------------------------------------------------------------------------------------
async def test_it_is_made_as_it_was_shown_and_told_to_those_it_concerns(game: SimulatedServer) -> None:
    title = card(await edit(game, "ships.red", "3", "The Lark was lost at Haven."))
    result = await game.rita.click(title, label=CONFIRM)
    has_words(said(result), "The correction is made.", "was: `5`", "is now: `3`")
    assert await game.journal() == ["genesis", "seated", "edited"]
    assert "ships 3" in said(await game.slash(game.ann, "forces"))
    own = await game.texts("side:red")
    has_words(own, "Forces: “ships 5” is now “ships 3”", "The referee's reason: The Lark was lost at Haven.")
    assert "Forces: “ships 5” is now “ships 3”" in said(await game.slash(game.ann, "log"))
    assert "The referee made a correction" in await game.texts("public")
    for place in ("public", "side:blue"):
        text = await game.texts(place)
        has_words(text, never=("Lark", "ships"))
    assert "Lark" not in said(await game.slash(game.leo, "log"))
    referee = await game.texts("referee")
    has_words(referee, "is now: `3`", "journal entry 3")
    await game.restart()
    assert "ships 3" in said(await game.slash(game.ann, "forces"))


async def test_it_is_made_after_a_restart(game: SimulatedServer) -> None:
    shown = card(await edit(game, "ships.red", "3"))
    await game.restart()
    assert "The correction is made." in said(await game.rita.click(shown, label=CONFIRM))


async def test_it_is_not_made_when_anything_has_happened_since(game: SimulatedServer) -> None:
    shown = card(await edit(game, "ships.red", "3"))
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7")
    assert "More has happened since this correction was prepared" in said(await game.rita.click(shown, label=CONFIRM))
    assert await game.journal() == ["genesis", "seated", "answered"]


async def test_only_the_one_that_was_prepared_last_is_made(game: SimulatedServer) -> None:
    first, second = card(await edit(game, "ships.red", "3")), card(await edit(game, "ships.red", "2"))
    again = id_of(second)
    assert "That correction is over" in said(await game.rita.click(first, label=CONFIRM))
    assert "The correction is made." in said(await game.rita.click(second, label=CONFIRM))
    notice = (await game.channel("public")).history()[0]
    assert "More has happened" in said(await game.forge(game.rita, notice, again))
    assert await game.journal() == ["genesis", "seated", "edited"]


async def test_who_asks_for_the_same_again_finds_it_prepared(game: SimulatedServer) -> None:
    first, second = card(await edit(game, "ships.red", "3")), card(await edit(game, "ships.red", "3"))
    assert id_of(first) == id_of(second)
    assert (await game.texts("referee")).count("prepares a correction") == 1
    assert "The correction is made." in said(await game.rita.click(first, label=CONFIRM))


async def test_nobody_else_makes_it(game: SimulatedServer) -> None:
    shown = card(await edit(game, "ships.red", "3"))
    notice = (await game.channel("public")).history()[0]
    before = await game.fingerprint()
    for who in (game.ann, game.leo, game.sam, game.zoe):
        assert said(await game.forge(who, notice, id_of(shown))).startswith("Only the campaign's referee")
    assert await game.fingerprint() == before


async def test_an_entry_is_taken_out(game: SimulatedServer) -> None:
    await game.correct(path="taken.0", value="gold", reason="forgotten")
    assert "would stand there: `taken out`" in said(await edit(game, "taken.0", "", remove=True))
    await game.correct(path="taken.0", remove=True, reason="not at all")
    assert await game.journal() == ["genesis", "seated", "edited", "edited"]
    assert "an item of a list" in said(await edit(game, "turn", "", remove=True))


async def test_what_a_person_writes_cannot_break_out_of_its_place(game: SimulatedServer) -> None:
    assert "`ˋ@everyoneˋ`" in said(await edit(game, "taken", '["`@everyone`"]'))


# --- a battle that waits ----------------------------------------------------------------------------------------------
async def read(result: Any) -> str:
    """The file that came along."""
    (file,) = (result.followups or [result.response])[0].attachments
    return (await file.read()).decode()


async def test_a_battle_is_shown_to_a_referee_who_sees_no_thread(here: SimulatedServer) -> None:
    await to_battle(here)
    shown = await here.slash(here.rita, "referee battle")
    has_words(said(shown), "• Red Fleet: no account yet", "nothing to compare yet", never="account_of:")
    await account(here, here.ann, "4", "2")
    await account(here, here.leo, "4", "3")
    shown = await here.slash(here.rita, "referee battle", battle=BATTLE)
    text, file = said(shown), await read(shown)
    has_words(text, "blue: 2 or 3", "`/referee ruling`", "`account_of:Red Fleet`")
    for words in (
        "Battle of turn 1",
        "In the open",
        "TOLD TO RED FLEET ALONE: For Red only",
        "the reserve is near",
        "ACCOUNT OF RED FLEET\nred 4, blue 2",
        "ACCOUNT OF BLUE FLEET\nred 4, blue 3",
        "WHERE THEY DIFFER\nblue: 2 or 3",
    ):
        assert words in file, words
    assert shown.ephemeral
    offers = await here.rita.autocomplete(here.hall, "referee battle", "battle", "")
    assert [one["name"] for one in offers] == [BATTLE]
    assert "No battle waits under that name" in said(await here.slash(here.rita, "referee battle", battle="x"))
    key = offers[0]["value"]
    await here.slash(here.rita, "referee ruling", battle=key, reason="They were there.", account_of="Blue Fleet")
    assert "Battle: 4 to 3." in await here.texts("public")
    assert "No battle waits for agreement." in said(await here.slash(here.rita, "referee battle"))


# --- whom play waits for ----------------------------------------------------------------------------------------------
async def test_who_is_awaited_with_what_since_when_and_until_when(game: SimulatedServer) -> None:
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7")
    falls_at = await game.falls_at()
    text = said(await game.slash(game.rita, "referee late"))
    assert f"• **Red Fleet** ({game.ann.mention})" in text
    assert "Orders for turn 1: saved, not ready" in text
    assert "Missions: nothing saved" in text
    assert f"• **Blue Fleet** ({game.leo.mention})" in text
    assert f"<t:{int(falls_at.timestamp())}:F>" in text
    assert "were opened <t:" in text
    await game.press(game.leo, "Orders for turn 1", "Ready")
    assert "Blue Fleet" not in said(await game.slash(game.rita, "referee late"))
    await game.slash(game.rita, "referee pause")
    assert "The clock stands still with 24.0 hours left." in said(await game.slash(game.rita, "referee late"))


async def test_of_a_battle_the_side_whose_account_is_missing_is_awaited(here: SimulatedServer) -> None:
    await to_battle(here)
    await account(here, here.ann, "4", "2")
    text = said(await here.slash(here.rita, "referee late"))
    has_words(text, f"{BATTLE}: no account sent", never="Red Fleet")
    await account(here, here.leo, "4", "3")
    text = said(await here.slash(here.rita, "referee late"))
    assert text.count("account sent, the accounts differ") == 2


async def test_nobody_is_awaited_for_what_nobody_was_called_to(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch):
    missions = toy.Toy._missions
    monkeypatch.setattr(toy.Toy, "_missions", staticmethod(lambda side: replace(missions(side), awaited=False)))
    await here.begin()
    text = said(await here.slash(here.rita, "referee late"))
    has_words(text, "Orders for turn 1", never="Missions")


# --- late commands ----------------------------------------------------------------------------------------------------
# a command that Discord has given up by the time it is worked off: who gave it was told so, and gives it again.
class TooLate(discord.NotFound):
    """What Discord says to an answer after its three seconds."""

    def __init__(self) -> None:
        answer: Any = type("Answer", (), {"status": 404, "reason": "Not Found"})()
        super().__init__(answer, {"code": 10062, "message": "Unknown interaction"})


async def test_an_extension_is_not_made_too_late(game: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    before, falls_at = await game.journal(), await game.falls_at()

    async def too_late(*_: Any, **__: Any) -> None:
        raise TooLate

    with monkeypatch.context() as patched:
        patched.setattr(referee, "defer", too_late)
        await game.slash(game.rita, "referee extend", by="1h")
    assert (await game.journal(), await game.falls_at()) == (before, falls_at)
    await game.slash(game.rita, "referee extend", by="1h")
    assert len(await game.journal()) == len(before) + 1


async def test_a_correction_is_not_made_too_late(game: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    before = await game.journal()

    async def too_late(*_: Any, **__: Any) -> None:
        raise TooLate

    options = {"path": "ships.red", "value": "4", "reason": "miscounted"}
    with monkeypatch.context() as patched:
        patched.setattr(campaign_presses, "defer", too_late)
        await game.correct(**options)
    assert await game.journal() == before
    await game.correct(**options)
    assert len(await game.journal()) == len(before) + 1
