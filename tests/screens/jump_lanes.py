"""An evening of the jump lanes' introduction: a trade run, a tow and a survey, a battle, and the end."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.e2e.conftest import CAST
from tests.e2e.people import said
from tests.e2e.stage import Stage, open_stage
from tests.screens.sights import Evening, Sight, asked, newest, typed

SEED = bytes(range(32))
ORDERS = {
    "terran": """
        T1: load 2 census at Earth; route loop Earth > Sol > Wolf 359 > Lair; unload census at Lair
        T2: explore sol?1
        T3: tow Terran Outpost; route to Minkar
        T4: route to Solace
    """,
    "kraz": "K4: route Alphard\nK1: load Admiral of Kraz, 3 census at Anvil; route to Heze\nterran: stance war",
}
REFUSED = """
    T1: load 5 census at Earth; route to Alphart
    T3: tow Terran Outpost; route Regulus
"""
ACCOUNT = "TU1: fate withdrew; hurt yes\nTU2: fate withdrew\nKU1: fate destroyed"


async def _begin(stage: Stage) -> None:
    await stage.rita.does("campaign create", title="First Crossing", scenario="jump_lanes/intro")
    for who, side in ((stage.ann, "terran"), (stage.leo, "kraz")):
        assert "You command" in said(await who.does("campaign join", side=side))
    assert "has begun" in said(await stage.rita.does("campaign start"))


async def lanes(stage: Stage) -> Evening:
    """The first sheet, orders that are refused, a battle, a squadron under way, maps, and the end."""
    ann, leo = stage.ann, stage.leo
    await _begin(stage)
    await stage.settled()
    yield Sight("lanes-briefing", ann, (await ann.direct())[0])
    yield Sight("lanes-refused", ann, await ann.types(await ann.sheet("Turn 1: orders"), REFUSED))
    card = await typed(ann, await ann.sheet("Turn 1: orders"), ORDERS["terran"])
    yield Sight("lanes-saved", ann, card)
    shown = await ann.seat.press(card, label="All orders")
    yield Sight("lanes-orders", ann, shown["message"])
    await ann.ready((await ann.seat.press(shown["message"], label="Back"))["message"])
    await leo.ready(await leo.types(await leo.sheet("Turn 1: orders"), ORDERS["kraz"]))
    account = await ann.sheet("Result of the battle")
    await stage.settled()
    for name, message in zip(("pictures", "details"), await ann.messages("Battle at Alphard"), strict=False):
        yield Sight(f"lanes-battle-{name}", ann, message)
    yield Sight("lanes-account", ann, account)
    await ann.sends_account(await ann.types(account, ACCOUNT))
    await leo.sends_account(await leo.types(await leo.sheet("Result of the battle"), ACCOUNT))
    await ann.ready(await ann.sheet("Turn 2: orders"))
    await leo.ready(await leo.sheet("Turn 2: orders"))
    card = await ann.sheet("Turn 3: orders")
    await stage.settled()
    yield Sight("lanes-bulletin", ann, await newest(ann, "terran", files=True))
    yield Sight("lanes-planning-again", ann, card)
    place = (await ann.channel("terran"))["id"]
    async for command, answer in asked(ann, "terran", "map", "forces", "orders standing"):
        yield Sight(f"lanes-{command.replace(' ', '-')}", ann, answer)
    yield Sight("lanes-area", ann, (await ann.does("map", at=place, area="Sol"))["message"])
    yield Sight("lanes-dossier", ann, (await ann.does("dossier", at=place, side="kraz"))["message"])
    yield Sight("lanes-odds", ann, (await ann.does("odds", at=place, own="T2", target="sol?1"))["message"])
    for turn in (3, 4, 5, 6):
        for who in (ann, leo):
            await who.ready(await who.sheet(f"Turn {turn}: orders"))
    ended = await ann.post("bulletins", "The campaign is over")
    await stage.settled()
    yield Sight("lanes-end", ann, ended)


@asynccontextmanager
async def first_crossing(folder: Path) -> AsyncIterator[tuple[Stage, Evening]]:
    """The evening, and what is seen of it."""
    async with open_stage(folder, seed=SEED, names=CAST) as stage:
        yield stage, lanes(stage)
