"""A stage for Cutler campaigns of several empires that stand among each other, and their way into a battle."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from tests.chance import Falls
from tests.e2e.people import Person, said, went_on
from tests.e2e.stage import Stage, open_stage
from tests.rulebooks.cutler.armed import files

REFEREE = "rita"


@asynccontextmanager
async def open_crowd(
    folder: Path, stands: Mapping[str, Sequence[str]], *, turns: int, names: Sequence[str]
) -> AsyncIterator[Stage]:
    """A referee and these people with a running bot that has the scenario ``cutler/crowd``, in which the empires'
    fleets stand like that."""
    async with open_scenario(folder, "crowd", files(stands, turns=turns), names=names) as stage:
        yield stage


@asynccontextmanager
async def open_scenario(
    folder: Path,
    scenario: str,
    texts: Mapping[str, str],
    *,
    names: Sequence[str],
    falls: Falls | None = None,
    book: str = "cutler",
) -> AsyncIterator[Stage]:
    """A referee and these people with a running bot that has the scenario ``<book>/<scenario>`` of these files, and
    loaded dice if any are.

    Afterwards the bot must have stopped cleanly, logged no defect, and kept to Discord's description of its API.
    """
    path = folder / "config" / "scenarios" / book / scenario
    path.mkdir(parents=True)
    for name, text in texts.items():
        (path / name).write_text(text, encoding="utf-8")
    async with open_stage(folder, seed=bytes(range(32)), names=(REFEREE, *names)) as stage:
        stage.environment["PLOTROOM_CONFIG_DIR"] = str(folder / "config")
        stage.falls = falls or {}
        await stage.start_bot()
        yield stage
        await stage.settled()
        await stage.stop_bot()
        assert stage.bad_lines() == []
        assert stage.contract_defects() == []


async def begin(stage: Stage, seats: Mapping[str, str]) -> None:
    """The campaign is founded and has begun; ``seats`` says which side each person commands."""
    referee = stage.people[REFEREE]
    await referee.does("campaign create", title="Crowd", scenario="cutler/crowd")
    for name, side in seats.items():
        assert "You command" in said(await stage.people[name].does("campaign join", side=side))
    assert "has begun" in said(await referee.does("campaign start"))


async def to_battle(hex_id: str, one: Person, other: Person) -> None:
    """Both show combat; nobody runs, and nobody flanks."""
    for who in (one, other):
        shown = await who.seat.press(await who.sheet(f"{hex_id}: bypass or combat"), label="Combat")
        await who.ready(shown["message"])
    for title in ("escape wave 1", "flanking"):
        for who in (one, other):
            await who.ready(await who.sheet(f"{hex_id}: {title}"))


async def account(who: Person, hex_id: str, text: str) -> bool:
    """Send an account of the battle there; whether play went on."""
    card = await who.types(await who.sheet(f"Result of the battle in {hex_id}"), text)
    return went_on(await who.sends_account(card))


async def goes_back(referee: Person, to: int) -> None:
    """The referee takes the campaign back to that entry of its journal."""
    listed = await referee.does("referee rewind", to=str(to))
    asked = await referee.seat.press(listed["message"], label=f"Go back to entry {to} …")
    await referee.seat.fill_modal(asked["modal"], text="a slip")
