"""Two campaigns of two books on one server, in one of which a duel of vectors would read any words as a plot."""

from pathlib import Path
from typing import Any

from tests.e2e.crowd import open_scenario
from tests.e2e.people import Person, said
from tests.e2e.stage import Stage
from tests.e2e.test_plain_messages import answer
from tests.e2e.vector.test_a_chase import chase
from tests.message_words import pressable

CAST = ("ann", "leo", "kai")


def labels(message: dict[str, Any]) -> list[str]:
    """What can be pressed on a message."""
    return [one["label"] for one in pressable(message) if one.get("label")]


def options(message: dict[str, Any]) -> dict[str, str]:
    """What may be chosen from the menu of a message: values by what is said of them."""
    menu = next(one for one in pressable(message) if "options" in one)
    return {f"{one['label']} · {one.get('description') or ''}": one["value"] for one in menu["options"]}


def headings(message: dict[str, Any]) -> list[str]:
    """The headings of a card."""
    return [line for line in message["words"].split("\n") if line.startswith("## ")]


async def joins(stage: Stage, who: Person, title: str, seat: str) -> str:
    """Press **Join** where a campaign was announced, and choose a seat; gives what is said then."""
    posted = await who.post("general", f"**{title}**", "gathers players")
    asked = await who.seat.press(posted, label="Join")
    value = next(value for said_of, value in options(asked["message"]).items() if said_of.startswith(seat))
    told = said(await who.seat.select(asked["message"], value))
    await stage.settled()
    return told


async def begin(stage: Stage) -> None:
    """Both campaigns are created, joined by button across deaths of the bot, and under way."""
    rita = stage.rita
    await rita.does("campaign create", title="Lantern Gap", scenario="pq17/intro")
    await stage.settled()
    await stage.dies_and_returns()
    assert "You command **Alliance** in **Lantern Gap**" in await joins(stage, stage.ann, "Lantern Gap", "Alliance")
    assert "You command **Coalition** in **Lantern Gap**" in await joins(stage, stage.leo, "Lantern Gap", "Coalition")
    full = await stage.kai.post("general", "**Lantern Gap**", "Every side has a commander")
    assert stage.ann.mention in full["words"]
    await rita.does("campaign start", campaign="Lantern Gap")
    begun = await stage.kai.post("general", "**Lantern Gap** has begun.")
    assert labels(begun) == []
    await rita.does("campaign create", title="Patrol", scenario="vector/chase")
    await joins(stage, stage.kai, "Patrol", "Revenue")
    listed = await stage.ann.does("campaign list")
    assert stage.kai.mention in said(listed)
    (patrol,) = [value for said_of, value in options(listed["message"]).items() if said_of.startswith("Patrol")]
    seats = await stage.ann.seat.select(listed["message"], patrol)
    (courier,) = [value for said_of, value in options(seats["message"]).items() if "nobody yet" in said_of]
    assert "in **Patrol**" in said(await stage.ann.seat.select(seats["message"], courier))
    await rita.does("campaign start", campaign="Patrol")
    await stage.settled()


async def test_each_campaigns_cards_and_words_are_told_apart(tmp_path: Path) -> None:
    async with open_scenario(tmp_path, "chase", chase(), names=CAST, book="vector") as stage:
        ann, kai = stage.ann, stage.kai
        await begin(stage)
        # headings name the campaign, for who has two; the card that stood there before as well
        planning = await ann.sheet("Planning")
        assert headings(planning)[0].startswith("## Lantern Gap · ")
        await ann.changed(await ann.sheet("Set-up"), "## Patrol · ")
        assert not any("Patrol" in line for line in headings(await kai.sheet("Set-up")))
        await ann.types(await ann.sheet("Set-up"), "C1: at 0625; vector 6C; facing C")
        assert headings(await ann.sheet("Set-up"))[0].count("Patrol") == 1
        await ann.ready(await ann.sheet("Set-up"))
        await kai.types(await kai.sheet("Set-up"), "H1: at 0826; vector 6C; facing C")
        await kai.ready(await kai.sheet("Set-up"))
        await ann.sheet("Turn 1, impulses 1–16")

        # names of units decide first: what the duel would take for a plot is the other campaign's
        echo = await answer(ann, "A1: speed 3", "As I understand it")
        assert echo["words"].startswith("**Lantern Gap** · Planning")
        wrong = await answer(ann, "A1: sped 3", "Not accepted")
        assert wrong["words"].startswith("**Lantern Gap** · Planning")
        own = await answer(ann, "C1: thrust 2 on 7", "As I understand it")
        assert own["words"].startswith("**Patrol** · Turn 1, impulses 1–16")

        # what is neither's is no order of the duel; and what no book reads is asked about before one refuses it
        for text in ("undo", "F2: hold", "thanks a lot"):
            told = await answer(ann, text, "I read orders here")
            assert "Not accepted" not in told["words"], text
        assert "map" in (await answer(ann, "map Patrol", "**Patrol** · "))["attachments"][0]["filename"]
        asked = await answer(ann, "doctrine 7 aggressive", "For which is it meant?")
        assert sorted(one.split(" · ")[1] for one in options(asked)) == ["Lantern Gap", "Patrol"]

        # what both take is asked each time, until it is said that it is for one from now on; and that holds
        await stage.settled()
        said_so = await answer(ann, "from now on Patrol", "where it fits other campaigns, too")
        assert "**ask each time**" in said_so["words"]
        await stage.dies_and_returns()
        meant = await answer(ann, "doctrine 7 aggressive", "Not accepted")
        assert meant["words"].startswith("**Patrol** · ")
        assert "It fits Lantern Gap, too" in meant["words"]
        await ann.seat.press(meant, label="Ask me each time")
        await ann.changed(meant, "For which is it meant?")
        await answer(ann, "doctrine 7 aggressive", "For which is it meant?")
