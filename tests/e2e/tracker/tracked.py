"""What the parties of a tracked battle press and read, and what is looked at when it is over: that nobody else saw any
of it, and that the record of it holds."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli import app
from rules_engine.core.basics.dice import DiceStream
from tests.chance import Falls, loaded
from tests.e2e.crowd import REFEREE
from tests.e2e.cutler.table import Table
from tests.e2e.people import Json, Person, said
from tests.e2e.stage import Stage, words_of

BEGIN = "Track from the set-up"
EPHEMERAL = 64
"""The flag of answers that only who asked can see."""
LATE = "Track from here on"


async def tracker_of(who: Person, thread: str) -> Json:
    """The tracker's card, as somebody gets it in the battle's thread."""
    answer = await who.does("tracker", at=(await who.channel(thread))["id"])
    assert answer["message"] is not None, said(answer)
    return answer["message"]


async def wish(who: Person, thread: str, label: str) -> str:
    """Press a button of the tracker's card; what the card says then."""
    return said(await who.seat.press(await tracker_of(who, thread), label=label))


async def wish_all(thread: str, label: str, *people: Person) -> None:
    """They all wish the same: the first says so, and the others agree."""
    for number, who in enumerate(people):
        await wish(who, thread, f"Agree: {label.lower()}" if number else label)


async def told_in(who: Person, thread: str) -> str:
    """All that stands in a battle's thread, with the words of its pictures."""
    return "\n".join([await words_of(who, one) for one in await who.messages(thread)])


async def pictures_in(who: Person, thread: str) -> list[str]:
    """What the pictures that all can see in a battle's thread say of themselves; their files are there."""
    said_of: list[str] = []
    for message in [one for one in await who.messages(thread) if not one["flags"] & EPHEMERAL]:
        for file in message["attachments"]:
            if file["filename"].endswith(".png"):
                assert (await who.seat.read_file(file)).startswith(b"\x89PNG"), file["filename"]
                assert file.get("description"), f"{file['filename']} says nothing to who cannot see it"
                said_of.append(file["description"])
    return said_of


async def unseen_by_others(table: Table, words: Sequence[str], *parties: str) -> None:
    """Nothing with these words reached anybody but these sides, in whatever channel or message they can read."""
    for name, seen in (await others_see(table, *parties)).items():
        assert [word for word in words if word in seen] == [], name


async def others_see(table: Table, *parties: str) -> dict[str, str]:
    """All that anybody but these sides can read anywhere; it stays the same while their battle is tracked."""
    await table.stage.settled()
    captains = {table.seats[side] for side in parties}
    return {name: await table.stage.seen(who) for name, who in table.others() if name not in captains}


async def record_holds(
    stage: Stage, folder: Path, monkeypatch: pytest.MonkeyPatch, *, falls: Falls | None = None
) -> str:
    """The record that the referee exports holds, by the dice as they were loaded; what is said of it."""
    rita = stage.people[REFEREE]
    answer = await rita.does("referee export")
    (file,) = answer["message"]["attachments"]
    path = folder / "export.jsonl"
    path.write_bytes(await rita.seat.read_file(file))
    with monkeypatch.context() as patched:
        if falls:
            patched.setattr(DiceStream, "draw", loaded(falls))
        checked = CliRunner().invoke(app, ["verify", str(path), "--seed", stage.seed.hex()])
    assert checked.exit_code == 0, checked.output
    assert "every hash holds" in checked.output
    return path.read_text(encoding="utf-8")
