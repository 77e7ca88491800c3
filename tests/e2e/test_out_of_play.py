"""Cutler with three empires, of which one loses its last ships: it is told, asked nothing more, and not waited for; and
the referee goes back to before that."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.crowd import account, begin, goes_back, open_crowd, to_battle
from tests.e2e.people import Person, buttons, first_line, neutral, said, went_on
from tests.e2e.stage import Stage

HERE = "0604"
STANDS = {"Ash": [HERE], "Birch": [HERE, "0406"], "Cedar": ["0407"]}
SEATS = {"ann": "ash", "leo": "birch", "kai": "cedar"}
LOST = "A1: fate destroyed\nA2: fate destroyed\nA3: fate destroyed"
DAMAGED = "A1: fate destroyed\nA2: fate destroyed\nA3: fate damaged"
GONE = "The Ash is out of play: it has neither units nor planets."
WATCH = "Your side is out of play: nothing more is asked of you. You may watch."
REPORT = f"**Turn 1, impulse 6**\n{GONE}"
INCOME = re.compile(r"\n• Income .*")
HELD = re.compile(r"( · nothing new)?( · planets held .*)?$", re.MULTILINE)
CHANGED = re.compile(r"^## (.*)\n\*\*planets held [^*\n]*\*\* \(was [^)\n]*\), 100 CPV, \+100 a turn$", re.MULTILINE)
"""A bulletin's head where other planets are held than in the one before; it counts what the side has of its own."""
OUT = "Your side is out of play; you may watch."
SHORT = "2h"
"""A deadline that falls long before any other."""


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """A running bot that has this scenario, and Ash without a planet: none can be lost in battle."""
    async with open_crowd(tmp_path, STANDS, turns=4, names=tuple(SEATS)) as stage:
        await begin(stage, SEATS)
        shown = await stage.rita.does("referee edit", path="planets.ash_home.owner", value="birch", reason="stormed")
        await stage.rita.seat.press(shown["message"], label="Correct it")
        await stage.rita.post("referee", "A correction was made")
        yield stage


async def heard(stage: Stage, who: Person) -> dict[str, str]:
    """Every message that somebody was sent unasked, in any channel, without what differs from run to run."""
    await stage.settled()
    places = [one["id"] for one in await who.channels() if one["kind"] != "category"]
    messages = [message for place in places for message in await who.seat.messages(place)]
    return {one["id"]: neutral(one["words"]) for one in messages if not one["ephemeral"]}


async def news(stage: Stage, who: Person, before: dict[str, str]) -> list[str]:
    """What somebody was sent that had not been sent ``before``, but for the post with the public map, on which Ash's
    counter stands or not, and for the planets that each side holds, which is as public."""
    sent = await heard(stage, who)
    fresh = [text for key, text in sent.items() if key not in before and "The record up to here" not in text]
    return [HELD.sub("", CHANGED.sub(r"**\1**", text)) for text in fresh]


async def play_on(stage: Stage, to: str) -> None:
    """Whoever is asked is ready with the sheets as they stand, until one of that title is open."""
    while True:
        await stage.settled()
        sheets = stage.rows("select side, title from prompt where status = 'open'")
        assert sheets, "nobody is asked, and play has not come so far"
        if any(title.startswith(to) for _, title in sheets):
            return
        asked = {side for side, _ in sheets}
        for name in [name for name, side in SEATS.items() if side in asked]:
            await stage.people[name].does("orders ready")


async def lose(stage: Stage, fates: str) -> list[str]:
    """Ash and Birch agree on how the battle ended, and the turn is played to its end; what Cedar was sent meanwhile."""
    before = await heard(stage, stage.kai)
    assert not await account(stage.ann, HERE, fates)
    assert await account(stage.leo, HERE, fates)
    heard_of = await news(stage, stage.kai, before)
    told = [text for text in heard_of if "Ash" in text or HERE in text]
    assert told == [], "that there was a battle is secret"
    await play_on(stage, "Turn 2: economy")
    return await news(stage, stage.kai, before)


async def test_who_has_lost_all_is_told_so_asked_nothing_more_and_not_waited_for(stage: Stage) -> None:
    ann, leo, kai, rita = (stage.people[name] for name in ("ann", "leo", "kai", "rita"))
    first = await ann.does("orders show")
    for who in (ann, leo, kai):
        await who.ready(await who.sheet("Turn 1: economy"))
    await to_battle(HERE, ann, leo)
    last = await ann.does("battle")
    await stage.settled()
    back_to = stage.rows("select max(seq) from journal")[0][0]

    # Nobody is told before the turn ends. Then all are, and Ash what it means for it, which was asked nothing since.
    told_cedar = await lose(stage, LOST)
    assert REPORT in told_cedar
    await ann.post("ash", WATCH)
    told_ash = await ann.direct()
    assert f"Result of the battle in {HERE}" in first_line(told_ash[-1])

    # It may look. The sheets that it had open are closed, and say so.
    assert "Contacts, nearest first\n- Birch CU at 0406" in said(await ann.does("map", text=True))
    for command, words in (("forces", "Ash: out of play"), ("log", GONE), ("help", OUT)):
        assert words in said(await ann.does(command)), command
    for command in ("orders show", "orders ready"):
        assert said(await ann.does(command)).endswith(f"** · {OUT}")
    entries = stage.journal()
    for old, label in ((first, "Ready"), (last, "Send this account")):
        pressed = await ann.seat.press(old["message"], label=label)
        assert said(pressed).endswith("is closed; nothing was changed.")
        assert buttons(await ann.now(old["message"])) == []
    assert stage.journal() == entries

    # The next sheets close as soon as the others are ready, and at a deadline only who is late is reminded.
    await rita.does("campaign settings", orders=SHORT)
    assert "You are ready" in said(await leo.ready(await leo.sheet("Turn 2: economy")))
    assert went_on(await kai.ready(await kai.sheet("Turn 2: economy")))
    late = await kai.sheet("Turn 3: economy")
    await rita.does("campaign settings", orders="1d")
    await leo.ready(await leo.sheet("Turn 3: economy"))
    await stage.deadline_falls(kai, hours=2)
    await kai.changed(late, "Closed at its deadline")
    await stage.settled()
    assert [one for one in await kai.direct() if "time is up" in one["words"]]

    # All this time Ash was sent nothing that asks something of it, and each of the two words once.
    assert await ann.direct() == told_ash
    sent = "".join((await heard(stage, ann)).values())
    assert [sent.count(words) for words in (GONE, WATCH)] == [1, 1]
    for other in (leo, kai):
        assert WATCH not in "".join((await heard(stage, other)).values())

    # Back to the battle: Ash is asked again, keeps a ship this time, and plays on. What Cedar was sent until the turn
    # began was the same but for the report, and for what it reads once: the income, told again as play went back.
    await goes_back(rita, back_to)
    await ann.post(f"Battle in {HERE}", "The referee went back into this battle")
    assert OUT not in said(await ann.does("help"))
    again = [*await lose(stage, DAMAGED), REPORT]
    assert not any(INCOME.search(text) for text in again)
    assert sorted(again) == sorted(INCOME.sub("", text) for text in told_cedar)
    await ann.ready(await ann.sheet("Turn 2: economy"))
