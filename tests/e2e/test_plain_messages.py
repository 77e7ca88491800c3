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

    return await who.until(look)


async def test_a_plan_is_written_as_it_comes_to_mind(stage: Stage, pq17: Rehearsal) -> None:
    ann, leo = stage.ann, stage.leo
    await begin(stage)
    card = await ann.sheet("Planning")
    echo = await answer(ann, "A1: speed 3", "As I understand it")
    assert echo["words"].startswith("**Lantern Gap** · Planning")
    assert "answered" not in stage.journal()
    await stage.dies_and_returns()
    await ann.seat.press(echo, label="Save")
    saved = await ann.changed(echo, "saved, receipt `")
    assert stage.journal().count("answered") == 1
    await ann.changed(card, "military sprint")
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


async def test_what_is_written_while_the_bot_is_away_is_answered_when_it_is_back(stage: Stage, pq17: Rehearsal) -> None:
    ann = stage.ann
    await begin(stage)
    await ann.sheet("Planning")
    await answer(ann, "A1: speed 1", "As I understand it")
    place = (await ann.seat.state())["dms"][0]["id"]
    await stage.kill_bot()
    first = await ann.seat.say("A1: speed 3", channel=place)
    await ann.seat.say("status", channel=place)
    await stage.start_bot()

    async def both() -> list[str] | None:
        later = [one["words"] for one in await ann.direct() if int(one["id"]) > int(first["id"])]
        late = [words for words in later if "while I was away" in words]
        return late if len(late) == 2 else None

    echo, status = await ann.until(both) or ("", "")
    assert "Military Sprint (3)" in echo
    assert "**Lantern Gap**" in status.split("\n")[0]
    assert "answered" not in stage.journal()
    await stage.stop_bot()
    await stage.start_bot()
    await answer(ann, "help", "You command")
    assert await both() is not None, "nothing is answered twice"
    assert stage.contract_defects() == []


async def answer_of_stranger(stage: Stage) -> dict[str, Any]:
    """Zoe, who is in no campaign, writes to the bot first."""
    bot = (await stage.zoe.seat.state())["application"]["user_id"]
    await stage.zoe.seat.open_dm(bot)
    return await answer(stage.zoe, "A1: speed 3", "no campaign")
