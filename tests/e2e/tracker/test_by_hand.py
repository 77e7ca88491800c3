"""A battle of PQ-17 taken up late from typed positions, flown for a while, paused, dropped, and finished by hand."""

from pathlib import Path

import pytest

from tests.e2e.people import said, went_on
from tests.e2e.stage import Stage
from tests.e2e.story import Rehearsal
from tests.e2e.test_pq17 import as_ordered, begin
from tests.e2e.tracker.tracked import LATE, pictures_in, record_holds, told_in, wish, wish_all
from tests.e2e.tracker.unheard import nobody_else_heard, outsiders_see
from tests.message_words import pressable

BATTLE = "Battle in 0405"
CAPTAINS = {"alliance": "ann", "coalition": "leo"}
POSITIONS, SEEN, PIECE = "Positions of the battle", "Is this how they stand?", "Turn 3, impulses {}"

ATTACK = "battle: turn 3\nAT1: at 0412; facing D; vector 12D\nAT2: at 0612; facing D; vector 12D"
DEFENCE = "battle: turn 3\nDF1: at 0432; facing A; vector 12A\nDF2: at 0532; vector 6A+6B\nDF3: unit disengaged"


async def to_the_battle(stage: Stage, story: Rehearsal) -> None:
    """Its two captains are in its thread."""
    await begin(stage)
    for batch in story.batches[:5]:
        for kind, parties, _ in batch:
            for side in parties:
                await as_ordered(stage.people[CAPTAINS[side]], story, kind, side)
    for name in CAPTAINS.values():
        await stage.people[name].channel(BATTLE)


async def take_up(stage: Stage) -> None:
    """Both type where they stand, differ about the turn, and agree."""
    ann, leo = stage.ann, stage.leo
    card = await ann.types(await ann.sheet(POSITIONS), ATTACK.partition("\nAT2")[0])
    assert "it does not say where AT2 is" in card["words"]
    await ann.ready(await ann.types(await ann.sheet(POSITIONS), ATTACK))
    await leo.ready(await leo.types(await leo.sheet(POSITIONS), DEFENCE.replace("turn 3", "turn 4")))
    await ann.post(BATTLE, "Which turn comes next is not agreed: Coalition says turn 4; Alliance says turn 3.")
    assert "0412" not in await told_in(leo, BATTLE), "nothing is seen before it is agreed"

    # What was typed stands: ann presses, leo types his again.
    await stage.settled()
    card = await ann.sheet(POSITIONS)
    assert "In 0612, faces D, 12D, speed 12." in card["words"]
    await ann.ready(card)
    await leo.ready(await leo.types(await leo.sheet(POSITIONS), DEFENCE))
    for who in (ann, leo):
        await who.post(BATTLE, "DF3 Ostrakh destroyer disengaged.", "AT2 Meridian scout in 0612")
        pressed = await who.seat.press(await who.sheet(SEEN), label="It is so")
        await who.ready(pressed["message"])
    await ann.post(BATTLE, "The positions are agreed.", "Turn 3 begins.")


async def test_taken_up_late_paused_dropped_and_finished_by_hand(
    stage: Stage, pq17: Rehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, leo = stage.ann, stage.leo
    await to_the_battle(stage, pq17)
    before = await outsiders_see(stage, CAPTAINS.values())
    await wish(ann, BATTLE, "Track from the set-up")
    assert not stage.rows("select * from deadline where strand != ''"), "one alone begins nothing"
    await wish_all(BATTLE, LATE, ann, leo)
    await take_up(stage)

    # A piece is flown from there, and its picture says where it has led.
    await stage.settled()
    pictures = len(await pictures_in(leo, BATTLE))
    card = await ann.types(await ann.sheet(PIECE.format("1–16")), "AT1: thrust 2 on 5")
    assert "Saved, receipt" in card["words"], card["words"]
    await ann.ready(card)
    await leo.ready(await leo.sheet(PIECE.format("1–16")))
    late = [await who.sheet(PIECE.format("17–32")) for who in (ann, leo)]
    await stage.settled()
    shown = (await pictures_in(leo, BATTLE))[pictures:]
    assert len(shown) == 1
    assert "turn 3, after impulse 16 of 32. Alliance: AT1 at 0419, faces D, 14D" in shown[0]
    assert "AT1 accelerates by 2 to D" in await told_in(leo, BATTLE)

    # Both want the clock to stand still; then one alone goes on by hand.
    falls = "select falls_at from deadline where strand like '%/tracked-battle'"
    await wish(ann, BATTLE, "Stop the clock")
    assert stage.rows(falls) != [(None,)]
    await wish(leo, BATTLE, "Agree: stop the clock")
    await ann.post(BATTLE, "**The tracker's clock stands still**")
    assert stage.rows(falls) == [(None,)]
    asked = await leo.does("tracker", at=(await leo.channel(BATTLE))["id"])
    asked = await leo.seat.press(asked["message"], label="Go on by hand")
    assert "What the tracker holds is let go for all sides" in said(asked)
    assert stage.rows(falls) == [(None,)], "not before it is said twice"
    await leo.seat.press(asked["message"], label="Yes, go on by hand")
    await ann.post(BATTLE, "**This battle is no longer tracked.** Go on by hand")
    await stage.settled()
    for who, one in zip((ann, leo), late, strict=True):
        now = await who.now(one)
        assert pressable(now) == []
    assert stage.rows(falls) == []
    assert await outsiders_see(stage, CAPTAINS.values()) == before

    # The accounts are the captains' own.
    for who in (ann, leo):
        card = await who.types(await who.sheet(BATTLE), pq17.story.orders["battle", "alliance"])
        answer = await who.sends_account(card)
    assert went_on(answer), said(answer)
    await leo.sheet("Withdrawal from 0405")
    await nobody_else_heard(stage, CAPTAINS)
    await record_holds(stage, tmp_path, monkeypatch)
