"""An evening's presses, counted in each book: what a commander does takes no more of them than it may."""

from tests.e2e import test_cutler, test_pq17
from tests.e2e.presses.counting import Presses, labels, press, presses
from tests.e2e.stage import Stage
from tests.e2e.story import Rehearsal

__all__ = ["presses"]


async def test_an_evening_of_pq17(stage: Stage, pq17: Rehearsal, presses: Presses) -> None:
    ann, leo = stage.ann, stage.leo
    await test_pq17.begin(stage)
    await stage.settled()
    card = await ann.sheet("Planning")
    with presses.bounded("a quiet turn", ann):
        card = await press(ann, card, "Ready")
    assert "You are ready" in card["words"] or "you are ready" in card["words"]
    card = await press(ann, card, "Not ready")
    with presses.bounded("one force changed", ann):
        card = await ann.fills(card, "A1", Speed="3")  # the story's own orders come later
        card = await press(ann, await ann.now(card), "Ready")
    assert "military sprint" in card["words"].lower()

    await ann.types(await press(ann, card, "Not ready"), pq17.story.orders["planning", "alliance"])
    await ann.ready(await ann.sheet("Planning"))
    await leo.types(await leo.sheet("Planning"), pq17.story.orders["planning", "coalition"])
    await leo.ready(await leo.sheet("Planning"))
    for batch in pq17.batches[1:5]:
        ((kind, (side,), title),) = batch
        who = ann if side == "alliance" else leo
        if kind != "search" or side != "alliance":
            await test_pq17.as_ordered(who, pq17, kind, side)
            continue
        await ann.sheet(title)
        await stage.settled()  # a card is words first, and then a frame
        card = await ann.sheet(title)
        with presses.bounded("a contact", ann):
            if any(label.startswith("Search") for label in labels(card)):
                card = await press(ann, card, "Search E1")
            else:
                card = await ann.types(card, pq17.story.orders["search", "alliance"])
            await press(ann, await ann.now(card), "Ready")

    await ann.sheet("Battle in 0405")
    await stage.settled()
    mine = await ann.sheet("Battle in 0405")
    with presses.bounded("a battle", ann):
        left = ["DF1", "DF2", "DF3"]
        mine = await ann.reports(mine, Turns_it_lasted="5", Crippled=["DF2"], Left_by_separation=left)
        mine = await ann.reports(mine, 1, DF1_left="3", DF2_left="3", DF3_left="2")
        await press(ann, await ann.now(mine), "Send this account")
    await stage.settled()
    theirs = await leo.sheet("Battle in 0405")
    await leo.types(theirs, pq17.story.orders["battle", "coalition"].replace("turns 5", "turns 4"))
    await leo.sends_account(await leo.now(theirs))
    await stage.settled()
    with presses.bounded("an account agreed with", leo):
        await press(leo, await leo.now(theirs), "Make it 5")
    await leo.sheet("Withdrawal from 0405")


async def test_an_evening_of_cutler(stage: Stage, cutler: Rehearsal, presses: Presses) -> None:
    ann, kai = stage.ann, stage.kai
    await test_cutler.begin(stage)
    await stage.settled()
    card = await ann.sheet(cutler.title("turn", "hydran"))
    with presses.bounded("a quiet turn", ann):
        card = await press(ann, card, "Ready")
    card = await press(ann, card, "Not ready")
    with presses.bounded("one force changed", ann):
        card = await ann.fills(card, "F2", Course="0304 0404 0505")
        card = await press(ann, await ann.now(card), "Ready")
    assert "0505" in card["words"]

    card = await press(ann, card, "Not ready")
    for number in range(5):
        await test_cutler.play(stage, cutler, number)
    await kai.sheet("bypass or combat")
    await stage.settled()
    card = await kai.sheet("bypass or combat")
    with presses.bounded("a contact", kai):
        card = await press(kai, card, "Combat")
        await press(kai, card, "Ready")
    await ann.ready(await press(ann, await ann.sheet("bypass or combat"), "Bypass"))
    await test_cutler.play(stage, cutler, 6)
    await test_cutler.play(stage, cutler, 7)

    await ann.sheet("Result of the battle")
    await stage.settled()
    account = await ann.sheet("Result of the battle")
    with presses.bounded("a battle", ann):
        account = await ann.reports(account, Destroyed=["H4"], Disengaged=["H1", "H2", "H3"])
        await press(ann, await ann.now(account), "Send this account")
    await stage.settled()
    theirs = await kai.sheet("Result of the battle")
    await kai.reports(theirs, Destroyed=["H4"], Disengaged=["H1", "H2"])
    await kai.sends_account(await kai.now(theirs))
    await stage.settled()
    with presses.bounded("an account agreed with", kai):
        await press(kai, await kai.now(theirs), "Make it")
    await ann.sheet("impulse 5: plots")
