"""The bot uploads its signs itself, also when it is killed meanwhile, and what it posts has them."""

import asyncio
from collections.abc import Callable
from typing import Any

from bot.records.signs.catalogue import SIGNS
from tests.e2e.stage import Stage
from tests.e2e.story import Rehearsal
from tests.e2e.test_pq17 import as_ordered, begin
from tests.patience import PATIENCE

CREATE = "/applications/{application_id}/emojis"


def uploads(stage: Stage) -> list[str]:
    """The names that were uploaded, one for each call that Discord took."""
    calls = [one for one in stage.exchanges if one.method == "POST" and one.route == CREATE]
    return [one.request["name"] for one in calls if one.status == 201]


async def until_there(stage: Stage, count: int, then: Callable[[], None] = lambda: None) -> None:
    """Wait until so many are there, and do ``then`` in that moment, before the bot is told that the last one is."""
    there = asyncio.Event()

    def look(_: object) -> None:
        if not there.is_set() and len(stage.server.world.emojis) >= count:
            then()
            there.set()

    listeners = stage.server.recorder.listeners
    listeners.append(look)
    look(None)
    async with asyncio.timeout(PATIENCE):
        await there.wait()
    listeners.remove(look)


async def test_signs_are_uploaded_once_and_stand_in_what_is_posted(stage: Stage, pq17: Rehearsal) -> None:
    await stage.stop_bot()
    await stage.start_bot(PLOTROOM_SIGNS="true")

    assert stage.process is not None
    await until_there(stage, 5, stage.process.kill)
    await stage.process.wait()
    assert len(stage.server.world.emojis) == 5 < len(SIGNS), "it was killed while it uploaded"
    await stage.start_bot(PLOTROOM_SIGNS="true")
    await until_there(stage, len(SIGNS))
    assert sorted(uploads(stage)) == sorted(one.made_name for one in SIGNS.values()), "each once"

    await stage.stop_bot()
    await stage.start_bot(PLOTROOM_SIGNS="true")
    await begin(stage)
    for batch in pq17.batches[:5]:
        for kind, parties, _ in batch:
            for side in parties:
                await as_ordered(stage.ann if side == "alliance" else stage.leo, pq17, kind, side)
    await stage.settled()
    assert len(uploads(stage)) == len(SIGNS)

    ids = {emoji.name: emoji.id for emoji in stage.server.world.emojis.values()}
    pin = f"<:{SIGNS['pin_1'].made_name}:{ids[SIGNS['pin_1'].made_name]}>"
    battle = await stage.ann.post("alliance", pin)
    assert f"{pin} **0405:" in battle["words"]
    sent = [words(one.request) for one in stage.exchanges if one.method in {"POST", "PATCH"}]
    assert not [one for one in sent if "\ufff9" in one or "\ufffb" in one], "no mark leaves as it is"
    noticed = [one for one in sent if one.startswith("## ❶")]
    assert noticed, "what notifies a phone is words alone"


def words(body: Any) -> str:
    return str(body.get("content") or body) if isinstance(body, dict) else ""
