"""An evening of Border Patrol's introduction: a stack that is asked whether it goes on, a battle, and the end."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.e2e.conftest import CAST
from tests.e2e.people import said
from tests.e2e.stage import Stage, open_stage
from tests.screens.sights import Evening, Sight, asked, newest, typed

SEED = bytes(range(32))
ORDERS = {
    "federation": 'F1: route 0502 0503; orders "ask ahead; break out"\nF2: orders let go ask, return',
    "romulan": "R1: route 0503\nR2: cloak all turn; orders fight convoys",
}
ACCOUNT = "FU2: fate disengaged\nRU2: fate captured; warp 5; crippled yes"


async def _begin(stage: Stage) -> None:
    await stage.rita.does("campaign create", title="First Watch", scenario="border_patrol/intro")
    for who, side in ((stage.ann, "federation"), (stage.leo, "romulan")):
        assert "You command" in said(await who.does("campaign join", side=side))
    assert "has begun" in said(await stage.rita.does("campaign start"))


async def border(stage: Stage) -> Evening:
    """Planning, orders that are refused, a question, a battle hex, the next turn's bulletin and the end."""
    ann, leo = stage.ann, stage.leo
    await _begin(stage)
    await stage.settled()
    yield Sight("border-briefing", ann, (await ann.direct())[0])
    yield Sight("border-planning", leo, await leo.sheet("Turn 1: movement"))
    refused = await leo.types(await leo.sheet("Turn 1: movement"), "R2: route 0504; orders brake out")
    yield Sight("border-refused", leo, refused)
    card = await typed(ann, await ann.sheet("Turn 1: movement"), ORDERS["federation"])
    yield Sight("border-saved", ann, card)
    async for command, answer in asked(ann, "federation", "orders standing"):
        yield Sight(f"border-{command.replace(' ', '-')}", ann, answer)
    await ann.ready(card)
    await leo.ready(await leo.types(await leo.sheet("Turn 1: movement"), ORDERS["romulan"]))
    card = await ann.sheet("Others before F1")
    await stage.settled()
    yield Sight("border-onward", ann, card)
    await ann.ready((await ann.seat.press(card, label="Go on"))["message"])
    account = await ann.sheet("Result of the battle")
    await stage.settled()
    for name, message in zip(("pictures", "details"), await ann.messages("Battle in 0503"), strict=False):
        yield Sight(f"border-battle-{name}", ann, message)
    yield Sight("border-battle-units", ann, await newest(ann, "federation"))
    yield Sight("border-account", ann, account)
    mine = await ann.types(account, ACCOUNT)
    yield Sight("border-account-filled", ann, mine)
    await ann.sends_account(mine)
    await leo.sends_account(await leo.types(await leo.sheet("Result of the battle"), ACCOUNT))
    card = await ann.sheet("Turn 2: movement")
    await stage.settled()
    yield Sight("border-bulletin", ann, await newest(ann, "federation", files=True))
    yield Sight("border-public", stage.sam, await newest(stage.sam, "bulletins"))
    yield Sight("border-planning-again", ann, card)
    async for command, answer in asked(ann, "federation", "forces", "log"):
        yield Sight(f"border-{command}", ann, answer)
    for turn in (2, 3):
        for who in (ann, leo):
            await who.ready(await who.sheet(f"Turn {turn}: movement"))
    ended = await ann.post("bulletins", "The campaign is over")
    await stage.settled()
    yield Sight("border-end", ann, ended)


@asynccontextmanager
async def first_watch(folder: Path) -> AsyncIterator[tuple[Stage, Evening]]:
    """The evening, and what is seen of it."""
    async with open_stage(folder, seed=SEED, names=CAST) as stage:
        yield stage, border(stage)
