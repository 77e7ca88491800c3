"""A battle of Cutler's, tracked: a set-up that is refused for one hex, a flank that comes on its turn, separation after
twenty quiet turns, and the result filled in and agreed on. 3.4, 3.7"""

import io
from pathlib import Path

import pytest
from PIL import Image

from bot.recording.battle_threads import FILM, OVER
from map_render.tactical.film import SMALL_ENOUGH
from tests.e2e.cutler.table import Table, open_table
from tests.e2e.people import Person, said
from tests.e2e.tracker.tracked import BEGIN, others_see, pictures_in, record_holds, told_in, tracker_of, wish_all
from tests.expected.sections import section

WORLD = section("world")
FALLS = {"set-up, Ash": (6,), "set-up, Birch": (1,), "flank 1, ash": (1,)}
"""The Ash sets up first, and its flank comes on turn 2."""
THREAD, RESULT, SET_UP = "Battle in 0403", "Result of the battle in 0403", "Set-up"
SIDES = ("ash", "birch")
QUIET = 20


async def coast(table: Table, turn: int, *sides: str) -> None:
    """All that these sides have there coasts through a turn."""
    for side in sides:
        await table.of(side).sheet(f"Turn {turn}: plots")
        answer = said(await table.of(side).does("orders ready"))
        assert "You are ready" in answer or "you are ready" in answer or "Closed: everybody was ready" in answer, answer


async def refused(who: Person, orders: str) -> str:
    """What is said to a set-up that is not accepted."""
    words = (await who.types(await who.sheet(SET_UP), orders))["words"]
    assert "not accepted" in words, words
    return words


async def to_battle(table: Table) -> None:
    """The Ash and the Birch fight in 0403; the Ash's frigate flanks."""
    await table.turn(1)
    await table.cards("0403", ash="Combat", birch="Combat")
    await table.ready("0403: escape wave 1", *SIDES)
    await table.plays("ash", "0403: flanking", "spark: group 1")
    await table.ready("0403: flanking", "birch")
    await table.fought_in(THREAD, *SIDES)


async def flank_comes(table: Table) -> None:
    """It stands 30 hexes off or more; before it does nothing said to the Birch is about it."""
    ann, leo = table.of("ash"), table.of("birch")
    assert "No unit nearer than 30 hexes to an enemy ship or PF" in (await ann.sheet(SET_UP))["words"]
    assert "3.7.2" in await refused(ann, "A2: at 0042; facing D")
    await table.stage.settled()
    new = (await told_in(leo, THREAD)).partition("This battle is tracked.")[2]
    new += said(await leo.does("map", at=(await leo.channel(THREAD))["id"])) + (await leo.direct())[-1]["words"]
    assert "A1 Ember in 0000" in new
    assert [word for word in ("A2", "Spark", "flank", "arrive") if word in new] == []
    await table.plays("ash", SET_UP, "A2: at 0041; facing D")
    await leo.post(THREAD, "1 unit of Ash arrives. A2 Spark in 0041, faces D")


async def film_is_kept(table: Table, pictures: list[str]) -> None:
    """Its last post but one, for its two parties: each moment of which there was a picture; nobody else hears of it.

    Before the tracker's pictures there are two of the battle's set-up."""
    moments = len(pictures) - 2
    for who in (table.of("ash"), table.of("birch")):
        film, over = (await who.messages(THREAD))[-2:]
        assert over["words"].startswith(OVER)
        assert film["words"].startswith(FILM)
        (file,) = film["attachments"]
        assert file["size"] < SMALL_ENOUGH
        assert file["filename"] == "battle.gif"
        assert file["description"].startswith(f"{moments} moments from the set-up on")
        assert "A2 ends in" in file["description"], "it came later"
        assert "A1 from 0000 ends in" in file["description"]
        with Image.open(io.BytesIO(await who.seat.read_file(file))) as shown:
            assert (shown.format, getattr(shown, "n_frames", 1)) == ("GIF", moments)
    for name, seen in (await others_see(table, *SIDES)).items():
        assert "The battle once more" not in seen, name
        assert "battle.gif" not in seen, name


async def test_a_chase_ends_by_separation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_table(tmp_path, WORLD, falls=FALLS) as table:
        ann, leo = table.of("ash"), table.of("birch")
        await table.stage.rita.does("campaign settings", pieces=1)
        await to_battle(table)
        before = await others_see(table, *SIDES)
        await wish_all(THREAD, BEGIN, ann, leo)

        # The Ash stands in the middle; the Birch is refused 39 hexes off, and flies away from 40.
        assert "A2 arrives on turn 2" in await refused(ann, "A1: at 0000; facing D\nA2: at 0041")
        await table.plays("ash", SET_UP, "A1: at 0000; facing D")
        assert "there is no line “A2”" in await refused(leo, "A2: at 0041")
        words = await refused(leo, "B1: at 0039; facing D")
        assert "B1 is 39 hexes from A1 (3.4.3). Legal: each unit 40 to 45 hexes from the nearest enemy." in words
        await table.plays("birch", SET_UP, "B1: at 0040; facing D")
        await coast(table, 1, *SIDES)
        await flank_comes(table)
        for turn in range(2, QUIET):
            await coast(table, turn, *SIDES)
        quiet = "Ash and Birch: no range has shrunk for {} turns"
        assert f"{quiet.format(QUIET - 1)}; separation needs {QUIET}" in (await tracker_of(leo, THREAD))["words"]
        await coast(table, QUIET, *SIDES)
        for who in (ann, leo):
            card = (await tracker_of(who, THREAD))["words"]
            assert f"{quiet.format(QUIET)}. If nobody had internal damage" in card
            assert "either side may disengage by separation" in card

        # The Birch does; the Ash says that it is so, and nobody flies on.
        await table.plays("birch", f"Turn {QUIET + 1}: plots", "B1: report disengaged")
        await coast(table, QUIET + 1, "ash")
        assert "Birch: B1 Reed has disengaged." in (await table.plays("ash", "Reports of the others"))["words"]
        await table.ready("Is the battle over?", *SIDES)
        flown = await ann.post(THREAD, "Nothing is left to fly.", "What became of the units is counted")
        await table.stage.settled()
        pictures = await pictures_in(ann, THREAD)
        assert len(pictures) > QUIET
        assert pictures == await pictures_in(leo, THREAD)
        assert ["A2 at" in one for one in pictures].index(True) > ["B1 at" in one for one in pictures].index(True)
        assert "B1 at" not in pictures[-1]
        assert await others_see(table, *SIDES) == before

        # Both have the result filled in, and send it as it is.
        card = await tracker_of(leo, THREAD)
        assert f"B1 Reed disengaged on turn {QUIET} at speed 31." in card["words"]
        assert "separation" not in card["words"], "from nobody"
        for who, message in ((ann, flown), (leo, card)):
            assert "not sent yet" not in await told_in(leo, THREAD), "a press of the Ash is seen by the Ash alone"
            await who.changed(await who.sheet(RESULT), "Filled in, not sent yet", "B1 Reed: disengaged")
            filled = said(await who.seat.press(message, label="Fill in my account"))
            assert "Filled in, not sent yet" in filled
            assert "B1 Reed: disengaged" in filled
            await who.sends_account(await who.sheet(RESULT))
        for side in SIDES:
            await table.hears(side, "The battle in 0403 is over", "A2 Spark: intact", "B1 Reed: disengaged")
        await leo.post(THREAD, "This battle is over")
        await table.stage.settled()
        await film_is_kept(table, pictures)
        await table.secrets_kept()
        titles = {title for (title,) in table.stage.rows("select title from prompt where status = 'open'")}
        assert titles == {"Turn 1, impulse 2: plots"}
        assert table.stage.rows("select strand from deadline") == [("",)]
        assert '"kind":"tracking"' in await record_holds(table.stage, tmp_path, monkeypatch, falls=FALLS)
