"""An evening of *The Courier* for two: the set-up, plots that are refused and saved, the chase, and the end."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.e2e.conftest import CAST
from tests.e2e.people import said
from tests.e2e.stage import Stage, open_stage
from tests.screens.sights import Evening, Sight, asked, newest, typed

SEED = bytes(range(32))
REFUSED = "H1: accelerate 17 on 1; turn left on 2; turn left on 4; acclerate 2 on 20"
PLOTS: tuple[tuple[str, str, str], ...] = (
    ("Turn 1, impulses 1–16", "C1: accelerate 5 on 1; turn right on 4", "H1: accelerate 6 on 1; turn right on 9"),
    ("Turn 1, impulses 17–32", "C1: when nearest enemy within 12: turn left", "H1: reserve 2 on 20; thrust 4 on 20"),
)
"""What the courier and the hunter plot, piece by piece; after it both coast."""


async def _begin(stage: Stage) -> None:
    await stage.rita.does("campaign create", title="Silk Road", scenario="vector/courier", seats=2)
    for who, side in ((stage.ann, "courier"), (stage.leo, "revenue")):
        assert "You command" in said(await who.does("campaign join", side=side))
    assert "has begun" in said(await stage.rita.does("campaign start"))


async def vectors(stage: Stage) -> Evening:
    """The set-up, a first turn with a plot that is refused, a look around, and the courier away."""
    ann, leo = stage.ann, stage.leo
    await _begin(stage)
    await stage.settled()
    yield Sight("vector-briefing", ann, (await ann.direct())[0])
    yield Sight("vector-set-up", ann, await ann.sheet("Set-up"))
    for who in (ann, leo):
        await who.ready(await who.sheet("Set-up"))
    for number, (piece, runs, hunts) in enumerate(PLOTS):
        card = await ann.sheet(piece)
        await stage.settled()
        if not number:
            yield Sight("vector-plots", ann, card)
            yield Sight("vector-refused", leo, await leo.types(await leo.sheet(piece), REFUSED))
        card = await typed(ann, card, runs)
        if not number:
            yield Sight("vector-saved", ann, card)
            yield Sight("vector-orders", ann, (await ann.seat.press(card, label="All orders"))["message"])
            card = await ann.sheet(piece)
        else:
            yield Sight("vector-condition", ann, card)
        await ann.ready(card)
        await leo.ready(await leo.types(await leo.sheet(piece), hunts))
    card = await ann.sheet("Turn 2, impulses 1–16")
    await stage.settled()
    yield Sight("vector-bulletin", ann, await newest(ann, "silk", files=True))
    yield Sight("vector-public", stage.sam, await newest(stage.sam, "bulletins", files=True))
    place = (await ann.channel("silk"))["id"]
    async for command, answer in asked(ann, "silk", "forces", "log"):
        yield Sight(f"vector-{command}", ann, answer)
    yield Sight("vector-map", ann, (await ann.does("map", at=place))["message"])
    yield Sight("vector-area", ann, (await ann.does("map", at=place, area="H1"))["message"])
    for turn in range(2, 12):
        for impulses in ("1–16", "17–32"):
            for who in (ann, leo):
                await who.ready(await who.sheet(f"Turn {turn}, impulses {impulses}"))
    ended = await ann.post("bulletins", "The campaign is over")
    await stage.settled()
    yield Sight("vector-end", ann, ended)


@asynccontextmanager
async def silk_road(folder: Path) -> AsyncIterator[tuple[Stage, Evening]]:
    """The evening, and what is seen of it."""
    async with open_stage(folder, seed=SEED, names=CAST) as stage:
        yield stage, vectors(stage)
