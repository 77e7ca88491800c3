"""Evenings: what is photographed, of a story of each book, as it is played with the bot in a process of its own.

Each card, post and answer has a name; who adds one photographs it where the story comes by.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser

from bot.playground.world.components import walk
from bot.records.signs.catalogue import SIGNS
from tests.e2e import crowd, test_cutler, test_pq17
from tests.e2e.conftest import CAST
from tests.e2e.people import Json, Person
from tests.e2e.stage import Stage, open_stage
from tests.e2e.story import Rehearsal, find_seed
from tests.e2e.test_signs import until_there
from tests.rulebooks.cutler.armed import files
from tests.screens.border_patrol import first_watch
from tests.screens.jump_lanes import first_crossing
from tests.screens.phone import open_phone
from tests.screens.sights import Evening, Sight, asked, newest, typed
from tests.screens.tracked import chase
from tests.screens.vector import silk_road


async def desk_of(referee: Person) -> Json:
    """The referee's desk, as it is now."""
    place = (await referee.channel("general"))["id"]
    return (await referee.does("referee status", at=place))["message"]


async def pq17(stage: Stage, story: Rehearsal) -> Evening:
    """Planning, a search, an attack, a battle, withdrawal and pursuit, and the bulletin of the next turn."""
    ann, leo, rita = stage.ann, stage.leo, stage.rita
    await test_pq17.begin(stage)
    await stage.settled()
    yield Sight("pq17-briefing", ann, (await ann.direct())[0])
    yield Sight("pq17-planning", ann, await ann.sheet("Planning"))
    yield Sight("pq17-public", stage.sam, await newest(stage.sam, "bulletins"))
    yield Sight("pq17-refused", ann, await ann.types(await ann.sheet("Planning"), "A1: speed 9; route 0404 1717"))
    card = await typed(ann, await ann.sheet("Planning"), story.story.orders["planning", "alliance"])
    yield Sight("pq17-saved", ann, card)
    yield Sight("pq17-ready", ann, (await ann.ready(card))["message"])
    async for command, answer in asked(ann, "alliance", "forces", "log", "next", "brief", "map"):
        yield Sight(f"pq17-{command}", ann, answer)
    async for _, answer in asked(rita, "general", "campaign status"):
        yield Sight("pq17-status", rita, answer)
    yield Sight("pq17-desk", rita, await desk_of(rita))
    card = await leo.types(await leo.sheet("Planning"), story.story.orders["planning", "coalition"])
    await leo.ready(card)
    for batch in story.batches[1:5]:
        ((kind, (side,), title),) = batch
        who = ann if side == "alliance" else leo
        card = await who.sheet(title)
        await stage.settled()
        if kind != "search" or side == "alliance":
            yield Sight(f"pq17-{kind}", who, card)
            yield Sight(f"pq17-{kind}-bulletin", who, await newest(who, side))
        await test_pq17.as_ordered(who, story, kind, side)
    thread = "Battle in 0405"
    mine = await ann.sheet(thread)
    await stage.settled()
    for name, message in zip(("pictures", "details"), await ann.messages(thread), strict=False):
        yield Sight(f"pq17-battle-{name}", ann, message)
    yield Sight("pq17-account", ann, mine)
    mine = await ann.types(mine, story.story.orders["battle", "alliance"])
    yield Sight("pq17-account-filled", ann, mine)
    yield Sight("pq17-account-sent", ann, (await ann.sends_account(mine))["message"])
    wrong = story.story.orders["battle", "coalition"].replace("turns 5", "turns 4")
    await stage.settled()
    theirs = await leo.types(await leo.sheet(thread), wrong)
    theirs = (await leo.sends_account(theirs))["message"]
    yield Sight("pq17-accounts-differ", leo, theirs)
    desk = await desk_of(rita)
    yield Sight("pq17-desk-dispute", rita, desk)
    yield Sight("pq17-desk-decide", rita, (await rita.seat.press(desk, label="Decide"))["message"])
    await leo.seat.press(await leo.now(theirs), label="Make it 5")
    await leo.ready(await leo.sheet("Withdrawal from 0405"))
    await test_pq17.as_ordered(ann, story, "reform", "alliance")
    card = await ann.sheet("Planning, Turn 2")
    await stage.settled()
    yield Sight("pq17-bulletin", ann, await newest(ann, "alliance", files=True))
    yield Sight("pq17-planning-again", ann, card)


async def cutler(stage: Stage, story: Rehearsal) -> Evening:
    """A turn's sheet, a spy to counter, courses, cards, and a battle in open space."""
    ann, kai = stage.ann, stage.kai
    await test_cutler.begin(stage)
    await stage.settled()
    yield Sight("cutler-briefing", ann, (await ann.direct())[0])
    yield Sight("cutler-turn", ann, await ann.sheet(story.title("turn", "hydran")))
    async for command, answer in asked(ann, "hydran", "forces", "log", "map"):
        yield Sight(f"cutler-{command}", ann, answer)
    await test_cutler.play(stage, story, 0)
    card = await kai.sheet(story.title("counter", "klingon"))
    await stage.settled()
    yield Sight("cutler-counter", kai, card)
    await test_cutler.play(stage, story, 1)
    for number in (2, 3, 4):
        kind, (side, *_), title = story.batches[number][0]
        who = stage.people[test_cutler.SIDES[side]]
        card = await who.sheet(title)
        await stage.settled()
        if number != 4:  # the second of a kind
            yield Sight(f"cutler-{kind}", who, card)
            yield Sight(f"cutler-{kind}-bulletin", who, await newest(who, side))
        await test_cutler.play(stage, story, number)
    card = await ann.sheet("bypass or combat")
    await stage.settled()
    yield Sight("cutler-card", ann, card)
    bypassed = (await ann.seat.press(card, label="Bypass"))["message"]
    yield Sight("cutler-card-chosen", ann, bypassed)
    await ann.ready(bypassed)
    fight = await kai.seat.press(await kai.sheet("bypass or combat"), label="Combat")
    await kai.ready(fight["message"])
    await test_cutler.play(stage, story, 6)
    await test_cutler.play(stage, story, 7)
    account = await ann.sheet("Result of the battle")
    await stage.settled()
    for name, message in zip(("pictures", "details"), await ann.messages("Battle in 0505"), strict=False):
        yield Sight(f"cutler-battle-{name}", ann, message)
    yield Sight("cutler-account", ann, account)
    for who, side in ((ann, "hydran"), (kai, "klingon")):
        mine = await who.types(await who.sheet("Result of the battle"), story.story.orders["battle", side])
        await who.sends_account(mine)
    await ann.sheet("impulse 5: plots")
    await stage.settled()
    yield Sight("cutler-battle-bulletin", ann, await newest(ann, "hydran"))


EAST, WEST = "0604", "0406"
STANDS = {
    "Ash": [EAST, WEST],
    "Birch": [EAST],
    "Cedar": [WEST],
    "Dogwood": ["0805"],
    "Elm": ["0508"],
    "Fir": ["0703"],
    "Gum": ["0607"],
}
"""Where the fleets of seven empires begin: the Ash fights in two hexes at once."""
SEATS = {
    "ann": "ash",
    "abe": "ash",
    "leo": "birch",
    "kai": "cedar",
    "mia": "dogwood",
    "eve": "elm",
    "fay": "fir",
    "gus": "gum",
}


async def seven(stage: Stage) -> Evening:
    """Seven empires, one of which has two commanders with ships of their own; two battles at once, and one in dispute
    until the referee would have play go on."""
    ann, abe, leo, kai, rita = (stage.people[name] for name in ("ann", "abe", "leo", "kai", crowd.REFEREE))
    await crowd.begin(stage, SEATS)
    await stage.settled()
    yield Sight("seven-briefing", ann, (await ann.direct())[0])
    yield Sight("seven-turn", ann, await ann.sheet("Turn 1: economy"))
    await ann.does("ships hand", ships="F2", to=abe.seat.user_id)
    await ann.does("ships hand", ships="F1", to=ann.seat.user_id)
    await stage.settled()
    card = await ann.sheet("Turn 1: economy")
    yield Sight("seven-captain", abe, await abe.sheet("Turn 1: economy"))
    yield Sight("seven-captain-refused", ann, await ann.types(card, "F2: go hold"))
    yield Sight("seven-captain-ready", ann, (await ann.ready(await ann.now(card)))["message"])
    async for _, answer in asked(ann, "ash", "ships show"):
        yield Sight("seven-ships", ann, answer)
    yield Sight("seven-desk", rita, await desk_of(rita))
    for name in SEATS:
        if name != "ann":
            await stage.people[name].ready(await stage.people[name].sheet("Turn 1: economy"))
    await ann.sheet(f"{WEST}: bypass or combat")
    await stage.settled()
    yield Sight("seven-strand", ann, await ann.sheet(f"{WEST}: bypass or combat"))
    yield Sight("seven-bulletin", ann, await newest(ann, "ash", files=True))
    await crowd.to_battle(EAST, ann, leo)
    await crowd.to_battle(WEST, ann, kai)
    await ann.sheet(f"Result of the battle in {EAST}")
    await stage.settled()
    yield Sight("seven-strand-account", ann, await ann.sheet(f"Result of the battle in {EAST}"))
    yield Sight("seven-desk-battles", rita, await desk_of(rita))
    await crowd.account(ann, EAST, "B1: fate destroyed\nB2: fate destroyed\nB3: fate destroyed")
    await crowd.account(leo, EAST, "A1: fate destroyed")
    await stage.settled()
    yield Sight("seven-accounts-differ", ann, await ann.sheet(f"Result of the battle in {EAST}"))
    desk = await desk_of(rita)
    yield Sight("seven-desk-dispute", rita, desk)
    listed = (await rita.seat.press(desk, label="Close now"))["message"]
    yield Sight("seven-desk-close", rita, listed)
    (menu,) = [one for one in walk(listed["components"]) if one["type"] == 3]
    east = next(one["value"] for one in menu["options"] if EAST in one["label"])
    yield Sight("seven-not-closed", rita, (await rita.seat.select(listed, east))["message"])
    await stage.settled()
    yield Sight("seven-stuck", rita, await newest(rita, "referee"))


async def halted(stage: Stage, story: Rehearsal) -> Evening:
    """A campaign whose record does not play back: what its players find, and what its referee is told to do."""
    ann, leo, rita = stage.ann, stage.leo, stage.rita
    await test_pq17.begin(stage)
    await stage.settled()
    card = await ann.types(await ann.sheet("Planning"), story.story.orders["planning", "alliance"])
    await stage.settled()
    await stage.stop_bot()
    stage.change("update journal set entry = replace(entry, 'alliance', 'aliance') where kind = 'answered'")
    await stage.start_bot(PLOTROOM_SIGNS="true")
    pressed = await ann.seat.press(await ann.now(card), label="Ready")
    await stage.settled()
    yield Sight("halted-pressed", ann, pressed["message"])
    yield Sight("halted-again", leo, (await leo.seat.press(await leo.sheet("Planning"), label="Ready"))["message"])
    yield Sight("halted-referee", rita, await newest(rita, "referee"))
    yield Sight("halted-public", stage.sam, await newest(stage.sam, "bulletins"))
    yield Sight("halted-desk", rita, await desk_of(rita))
    async for command, answer in asked(leo, "general", "campaign status", "help", "orders show", "next"):
        yield Sight(f"halted-{command.replace(' ', '-')}", leo, answer)


@asynccontextmanager
async def told(folder: Path, book: str) -> AsyncIterator[tuple[Stage, Evening]]:
    """The story of a book, and what is seen of it."""
    story = find_seed("pq17" if book == "halted" else book)
    async with open_stage(folder, seed=story.seed, names=CAST) as stage:
        yield stage, {"pq17": pq17, "cutler": cutler, "halted": halted}[book](stage, story)


@asynccontextmanager
async def crowded(folder: Path) -> AsyncIterator[tuple[Stage, Evening]]:
    """Seven empires that stand among each other, and what is seen of them."""
    path = folder / "config" / "scenarios" / "cutler" / "crowd"
    path.mkdir(parents=True)
    for name, text in files(STANDS, turns=2).items():
        (path / name).write_text(text, encoding="utf-8")
    async with open_stage(folder, seed=bytes(range(32)), names=(crowd.REFEREE, *SEATS)) as stage:
        stage.environment["PLOTROOM_CONFIG_DIR"] = str(folder / "config")
        yield stage, seven(stage)


EVENINGS: dict[str, Callable[[Path], AbstractAsyncContextManager[tuple[Stage, Evening]]]] = {
    "pq17": lambda folder: told(folder, "pq17"),
    "cutler": lambda folder: told(folder, "cutler"),
    "halted": lambda folder: told(folder, "halted"),
    "seven": crowded,
    "border": first_watch,
    "lanes": first_crossing,
    "vector": silk_road,
    "tracked": chase,
}
"""What is played, by the word with which its pictures' names begin."""


async def played(key: str, folder: Path, browser: Browser) -> dict[str, bytes]:
    """The pictures of an evening, by name."""
    pictures: dict[str, bytes] = {}
    async with EVENINGS[key](folder) as (stage, evening), open_phone(browser, stage.server.url) as phone:
        await stage.start_bot(PLOTROOM_SIGNS="true")
        await until_there(stage, len(SIGNS))
        await stage.stop_bot()
        await stage.start_bot(PLOTROOM_SIGNS="true")  # which knows all of them
        async for name, who, message in evening:
            await stage.settled()
            pictures[name] = await phone.photograph(who, message)
        await stage.stop_bot()
    return pictures
