"""An evening of a battle of Cutler's that is tracked: its set-up, a unit named too early, its end, and the account."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.e2e.crowd import REFEREE
from tests.e2e.cutler.table import COMMANDERS, SPECTATOR, Table
from tests.e2e.cutler.worlds import scenario_of
from tests.e2e.stage import Stage, open_stage
from tests.e2e.tracker.tracked import BEGIN, wish_all
from tests.screens.sights import Evening, Sight

SEED = bytes(range(32))
SIDES = ("ash", "birch")
THREAD = "Battle in 0403"
WORLD = """
ash capital 0101 Hearth 5
birch capital 0701 Grove 5
ash F1 0403 CA:Ember DD:Flint FF:Spark
birch F1 0403 CA:Reed DD:Rush
"""
FALLS = {"set-up, Ash": (6,), "set-up, Birch": (1,), "flank 1, ash": (1,)}
EARLY = "A1: at 0000; facing D\nA2: at 0200; facing D\nA3: at 0041"
FIRST = "Turn 1, impulses 1–16"


async def tracked(stage: Stage) -> Evening:
    """Both want the tracker; the Ash names its flank too early; the Birch is told what its set-up must meet;
    the end, and the account as it comes filled in once nobody flies on."""
    table = Table(stage, {side: COMMANDERS[side] for side in SIDES})
    ann, leo = table.of("ash"), table.of("birch")
    await table.begin("cutler/small", pieces=2)
    await table.turn(1)
    await table.cards("0403", ash="Combat", birch="Combat")
    await table.ready("0403: escape wave 1", *SIDES)
    await table.plays("ash", "0403: flanking", "spark: group 1")
    await table.ready("0403: flanking", "birch")
    await wish_all(THREAD, BEGIN, ann, leo)
    yield Sight("tracked-early", ann, await ann.types(await ann.sheet("Set-up"), EARLY))
    await table.plays("ash", "Set-up", EARLY.rpartition("\n")[0])
    card = await leo.sheet("Set-up")
    await stage.settled()
    yield Sight("tracked-set-up", leo, card)
    await table.plays("birch", "Set-up", "B1: at 0040; facing A\nB2: at 0242; facing A")
    await table.plays("ash", FIRST, "A1: turn right on 8; accelerate 3 on 12")
    await table.plays("birch", FIRST, "B1: report disengaged\nB2: report disengaged")
    await table.ready("Reports of the others", "ash")
    over = await ann.sheet("Is the battle over?")
    await stage.settled()
    yield Sight("tracked-over", ann, over)
    await table.ready("Is the battle over?", *SIDES)
    await ann.post(THREAD, "Nothing is left to fly.")
    await stage.settled()
    yield Sight("tracked-account", ann, await ann.sheet("Result of the battle"))


@asynccontextmanager
async def chase(folder: Path) -> AsyncIterator[tuple[Stage, Evening]]:
    """The evening, and what is seen of it."""
    path = folder / "config" / "scenarios" / "cutler" / "small"
    path.mkdir(parents=True)
    for name, text in scenario_of(WORLD, turns=1).items():
        (path / name).write_text(text, encoding="utf-8")
    names = (REFEREE, *(COMMANDERS[side] for side in SIDES), SPECTATOR)
    async with open_stage(folder, seed=SEED, names=names) as stage:
        stage.environment["PLOTROOM_CONFIG_DIR"] = str(folder / "config")
        stage.falls = FALLS
        yield stage, tracked(stage)
