"""Orders as plain messages to the bot, through the real client: echoed, kept through a crash, saved by a press."""

from typing import Any

from bot.playground.seats.seat import file
from tests.e2e.people import Person
from tests.e2e.stage import Stage
from tests.e2e.story import Rehearsal
from tests.e2e.test_pq17 import begin


async def answer(who: Person, text: str, *words: str, files: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """What the bot writes back, once it has these words in it."""
    place = (await who.seat.state())["dms"][0]["id"]
    mine = await who.seat.say(text, channel=place, files=files)

    async def look() -> dict[str, Any] | None:
        later = [one for one in await who.direct() if int(one["id"]) > int(mine["id"])]
        return next((one for one in later if all(word in one["words"] for word in words)), None)

    found = await who.until(look)
    assert found is not None
    return found


async def test_a_plan_is_written_as_it_comes_to_mind(stage: Stage, pq17: Rehearsal) -> None:
    ann, leo = stage.ann, stage.leo
    await begin(stage)
    card = await ann.sheet("Planning")
    echo = await answer(ann, "A1: speed 3", "As I understand it")
    assert echo["words"].startswith("**Lantern Gap** · Planning")
    assert "answered" not in stage.journal()
    await stage.kill_bot()
    await stage.start_bot()
    await ann.seat.press(echo, label="Save")
    saved = await ann.changed(echo, "saved, receipt `")
    assert stage.journal().count("answered") == 1
    await ann.changed(card, "Military Sprint (3)")
    await ann.seat.press(saved, label="Ready")
    await ann.changed(echo, "You are ready")

    sheet = [file("plan.txt", pq17.story.orders["planning", "coalition"].encode())]
    echo = await answer(leo, "", "As I understand it", files=sheet)
    assert "route stay → 0406 → 0405" in echo["words"]
    near = await answer(leo, "C1: sped 2", "Not accepted")
    assert "speed" in near["words"]
    assert "Lantern Gap" in (await answer(leo, "map", "Lantern Gap"))["words"]
    assert "**help**" in (await answer(leo, "good luck!", "waits for you"))["words"]
    assert "You are in no campaign" in (await answer_of_stranger(stage))["words"]


async def answer_of_stranger(stage: Stage) -> dict[str, Any]:
    """Zoe, who is in no campaign, writes to the bot first."""
    bot = (await stage.zoe.seat.state())["application"]["user_id"]
    await stage.zoe.seat.open_dm(bot)
    return await answer(stage.zoe, "A1: speed 3", "no campaign")
