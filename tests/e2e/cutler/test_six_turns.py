"""Five empires for six turns: an alliance is made and broken, what is known is handed on, a budget stands for turns,
and a convoy's route is cut."""

from itertools import pairwise
from pathlib import Path

from bot.playground.world.components import walk
from tests.e2e.cutler.table import open_table
from tests.e2e.people import Json, Person, said
from tests.expected.sections import section

WORLD = section("world")
BUDGET = "economy: reserve 20; stands yes"
SECRETS = ("against the Cedar", "the Cedar is at your door", "our word is void")


async def test_an_alliance_hearsay_a_standing_budget_and_a_route_that_is_cut(tmp_path: Path) -> None:
    async with open_table(tmp_path, WORLD, turns=6) as table:
        ash, birch = table.of("ash"), table.of("birch")

        # The first turn: a budget that stands. The Cedar's cruiser comes upon the Ash's, and both pass by.
        await table.turn(1, ash=BUDGET, cedar="F1: go 0203")
        await _allied(ash, birch)
        await table.play_on("0203: bypass or combat")
        await table.cards("0203", ash="Bypass", cedar="Bypass")
        await table.play_on("Turn 2: economy")

        # What the Ash knows of the Cedar goes to the Birch as hearsay, and is in its dossier.
        handed = await ash.does("hand-on", to="Birch", area="0203", words="the Cedar is at your door")
        assert "Cedar" in said(handed)
        await ash.seat.press(handed["message"], label="Send")
        await _reads(birch, "the Cedar is at your door")
        assert "hearsay from Ash" in said(await _opened(birch, "Cedar"))

        # The Cedar goes where the convoy will come by, and cuts its route: both freighters are lost.
        reserves = [await _reserve(ash)]
        await table.turn(2, cedar="F1: go 0103")
        await table.play_on("Turn 3: economy")
        reserves.append(await _reserve(ash))
        await table.turn(3, ash="E0101: to 0105")
        await table.play_on("0103: bypass or combat")
        await table.cards("0103", ash="Bypass", cedar="Combat")
        for title in ("escape wave 1", "flanking"):
            await table.ready(f"0103: {title}", "ash", "cedar")
        result = "Result of the battle in 0103"
        await table.agree(result, "A1: fate destroyed\nA2: fate destroyed", "ash", "cedar")
        await table.play_on("Turn 4: economy")
        reserves.append(await _reserve(ash))

        # All the while the budget was carried out without a word: 20 CPV more in the Reserve each turn.
        assert [later - sooner for sooner, later in pairwise(reserves)] == [20, 20]

        # The agreement is broken: notice is given in turn 4, and it holds until that turn is over.
        card = (await birch.does("diplomacy"))["message"]
        opened = await _chooses(birch, card, "Agreement 1")
        asked = await birch.seat.press(opened["message"], label="Give notice")
        await birch.seat.fill_modal(asked["modal"], f0="4", f1="our word is void")
        await _reads(ash, "our word is void")
        assert "notice" in said(await ash.does("diplomacy"))
        for number in (4, 5, 6):
            await table.turn(number)
            if number < 6:
                await table.play_on(f"Turn {number + 1}: economy")

        seen = await table.secrets_kept()
        for name in ("kai", "mia", "eve", "sam", "rita"):
            assert [words for words in SECRETS if words in seen[name]] == [], name


async def _allied(one: Person, other: Person) -> None:
    """An offer, and its acceptance by the button below it."""
    assert "Birch" in said(await one.does("offer", to="Birch", terms="Together against the Cedar, to the end."))
    await other.seat.press(await _with_button(other, "Accept"), label="Accept")
    assert "stands" in said(await one.does("diplomacy"))


async def _with_button(who: Person, label: str) -> Json:
    async def look() -> Json | None:
        found = [one for one in await who.direct() if label in str(one["components"])]
        return found[-1] if found else None

    return await who.until(look)


async def _reads(who: Person, words: str) -> None:
    async def look() -> bool | None:
        return any(words in one["words"] for one in await who.direct()) or None

    await who.until(look)


async def _opened(who: Person, name: str) -> Json:
    """The dossier of one opponent."""
    return await _chooses(who, (await who.does("dossier"))["message"], name)


async def _chooses(who: Person, card: Json, label: str) -> Json:
    """Choose what begins so from a card's menus."""
    for menu in (one for one in walk(card["components"]) if one["type"] == 3):
        for option in menu["options"]:
            if option["label"].startswith(label):
                return await who.seat.select(card, option["value"], custom_id=menu["custom_id"])
    raise AssertionError(f"nothing to choose begins with {label}")


async def _reserve(who: Person) -> int:
    """What its economy's card says of the Reserve."""
    words = said(await who.does("economy"))
    line = next(line for line in words.split("\n") if "eserve" in line)
    return int("".join(char for char in line.partition("eserve")[2] if char.isdigit() or char == " ").split()[0])
