"""An evening's presses, counted in each book: what a commander does takes no more of them than it may."""

from pathlib import Path
from typing import Any

from tests.e2e import test_cutler, test_pq17
from tests.e2e.border_patrol.worlds import scenario_of
from tests.e2e.crowd import open_scenario
from tests.e2e.cutler.table import SPECTATOR, Table
from tests.e2e.jump_lanes.worlds import scenario_of as lanes_of
from tests.e2e.people import Json, Person
from tests.e2e.presses.counting import Presses, press, presses
from tests.e2e.stage import Stage
from tests.e2e.story import Rehearsal
from tests.e2e.vector.test_a_chase import chase
from tests.expected.sections import section

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
    for batch in pq17.batches[1:3]:
        ((_, (side,), title),) = batch
        who = ann if side == "alliance" else leo
        card = await framed(stage, who, title)
        if side == "coalition":
            await press(leo, card, "Ready")
            continue
        with presses.bounded("a contact", ann):
            card = await press(ann, card, "Search E1")
            await press(ann, await ann.now(card), "Ready")

    # From the attack to the account on which both agree; each fills in every page that asks anything.
    with presses.bounded("a battle", ann), presses.bounded("a battle", leo):
        card = await framed(stage, ann, "Attack")
        await press(ann, await press(ann, card, "Attack E1"), "Ready")
        (_, (side,), title) = pq17.batches[4][0]
        who = ann if side == "alliance" else leo
        await press(who, await framed(stage, who, title), "Ready")
        for who, turns in ((ann, "5"), (leo, "4")):
            mine = await framed(stage, who, "Battle in 0405")
            left = ["DF1", "DF2", "DF3"]
            mine = await who.reports(mine, Turns_it_lasted=turns, Crippled=["DF2"], Left_by_separation=left)
            mine = await who.reports(mine, 1, DF1_left="3", DF2_left="3", DF3_left="2")
            await press(who, await who.now(mine), "Send this account")
        theirs = await framed(stage, leo, "Battle in 0405")
        with presses.bounded("an account agreed with", leo):
            await press(leo, theirs, "Make it 5")
        await leo.sheet("Withdrawal from 0405")


async def framed(stage: Stage, who: Person, title: str) -> Json:
    """Somebody's card of that title, in its frame: a card is words first."""
    await who.sheet(title)
    await stage.settled()
    return await who.sheet(title)


async def plans(presses: Presses, who: Person, card: Json, line: str, **orders: str) -> Json:
    """A turn in which nothing is changed, and then one force; gives the card."""
    with presses.bounded("a quiet turn", who):
        card = await press(who, card, "Ready")
    card = await press(who, card, "Not ready")
    with presses.bounded("one force changed", who):
        card = await who.fills(card, line, **orders)
        return await press(who, await who.now(card), "Ready")


async def tells(stage: Stage, who: Person, title: str, **fates: Any) -> None:
    """Somebody fills in what became of the units, and sends it."""
    account = await who.reports(await framed(stage, who, title), **fates)
    await press(who, await who.now(account), "Send this account")


async def test_an_evening_of_cutler(stage: Stage, cutler: Rehearsal, presses: Presses) -> None:
    ann, kai = stage.ann, stage.kai
    await test_cutler.begin(stage)
    await stage.settled()
    card = await ann.sheet(cutler.title("turn", "hydran"))
    card = await plans(presses, ann, card, "F2", Course="0304 0404 0505")
    assert "0505" in card["words"]

    card = await press(ann, card, "Not ready")
    for number in range(5):
        await test_cutler.play(stage, cutler, number)

    # From the cards to the account on which both agree.
    with presses.bounded("a battle", ann), presses.bounded("a battle", kai):
        card = await framed(stage, kai, "bypass or combat")
        with presses.bounded("a contact", kai):
            card = await press(kai, card, "Combat")
            await press(kai, card, "Ready")
        await press(ann, await press(ann, await ann.sheet("bypass or combat"), "Bypass"), "Ready")
        await test_cutler.play(stage, cutler, 6)
        await test_cutler.play(stage, cutler, 7)
        for who, gone in ((ann, ["H1", "H2", "H3"]), (kai, ["H1", "H2"])):
            await tells(stage, who, "Result of the battle", Destroyed=["H4"], Disengaged=gone)
        theirs = await framed(stage, kai, "Result of the battle")
        with presses.bounded("an account agreed with", kai):
            await press(kai, theirs, "Make it")
    await ann.sheet("impulse 5: plots")


PATROLS = section("patrols")


async def test_an_evening_of_border_patrol(tmp_path: Path, presses: Presses) -> None:
    names = ("ann", "leo", SPECTATOR)
    texts = scenario_of(PATROLS, turns=2)
    async with open_scenario(tmp_path, "small", texts, names=names, book="border_patrol") as stage:
        table = Table(stage, {"blue": "ann", "red": "leo"}, "Turn {}: movement")
        await table.begin("border_patrol/small")
        await stage.settled()
        ann, leo = table.of("blue"), table.of("red")
        card = await ann.sheet("Turn 1: movement")
        card = await plans(presses, ann, card, "B2", React="ask")
        assert "Lies in wait at 0402" in card["words"]
        await table.plays("red", "Turn 1: movement", "R1: route 0502")

        # From what is asked in mid-turn to the account on which both agree.
        with presses.bounded("a battle", ann), presses.bounded("a battle", leo):
            card = await framed(stage, ann, "B2 may react")
            with presses.bounded("a contact", ann):
                card = await press(ann, card, "React")
                await press(ann, card, "Ready")
            for who, gone in ((ann, ["BU1", "RU1"]), (leo, ["BU1"])):
                await tells(stage, who, "Result of the battle", Destroyed=["RU2"], Disengaged=gone)
            theirs = await framed(stage, leo, "Result of the battle")
            with presses.bounded("an account agreed with", leo):
                await press(leo, theirs, "Make it", "Take their")
        await ann.sheet("Turn 2: movement")


CONVOYS = section("convoys")


async def test_an_evening_of_the_jump_lanes(tmp_path: Path, presses: Presses) -> None:
    names = ("ann", "leo", SPECTATOR)
    texts = lanes_of(CONVOYS, turns=2)
    async with open_scenario(tmp_path, "small", texts, names=names, book="jump_lanes") as stage:
        table = Table(stage, {"terran": "ann", "kraz": "leo"}, "Turn {}: orders")
        await table.begin("jump_lanes/small")
        await stage.settled()
        ann, leo = table.of("terran"), table.of("kraz")
        card = await ann.sheet("Turn 1: orders")
        card = await plans(presses, ann, card, "T1", Goes_to="wolf")
        assert "Goes Sol > Wolf (turn 1)" in card["words"]
        await table.plays("kraz", "Turn 1: orders", "K1: route Wolf")

        # From the account on which both agree to what is then lost of the cargo; who meets whom, nobody is asked.
        result = "Result of the battle at Wolf"
        with presses.bounded("a battle", ann), presses.bounded("a battle", leo):
            for who in (ann, leo):
                destroyed = ["TU1"] if who is ann else []
                await tells(stage, who, result, Destroyed=destroyed, Withdrew=["KU1"])
            theirs = await framed(stage, leo, result)
            with presses.bounded("an account agreed with", leo):
                await press(leo, theirs, "Make it")
            card = await framed(stage, ann, "Cargo that does not fit any more")
            await press(ann, card, "Ready")
        await ann.sheet("Turn 2: orders")


async def test_an_evening_of_vectors(tmp_path: Path, presses: Presses) -> None:
    seats = {"courier": "ann", "revenue": "leo"}
    names = (*seats.values(), SPECTATOR)
    async with open_scenario(tmp_path, "chase", chase(), names=names, book="vector") as stage:
        table = Table(stage, seats)
        await table.begin("vector/chase")
        ann, leo = table.of("courier"), table.of("revenue")
        for who in (ann, leo):
            with presses.bounded("a quiet turn", who):
                await press(who, await framed(stage, who, "Set-up"), "Ready")
        piece = "Turn 1, impulses 1–16"
        card = await framed(stage, ann, piece)
        card = await plans(presses, ann, card, "② C1", Thrust="2 on 1", Turn="right on 4")
        assert "accelerate 2 on 1; turn right on 4" in card["words"].lower()

        # What a captain reports costs the others one look, and no press of those who agree by silence.
        await leo.types(await leo.sheet(piece), "H1: report tractor C1 3 to 1")
        await leo.ready(await leo.sheet(piece))
        asked = await framed(stage, ann, "Reports of the others")
        with presses.bounded("a contact", ann):
            await press(ann, await press(ann, asked, "It is so"), "Ready")
        await ann.sheet("Turn 1, impulses 17–32")
