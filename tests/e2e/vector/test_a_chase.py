"""A chase to its end: set up in secret, plotted in pieces, an order refused, a report, and the courier caught."""

import io
from pathlib import Path

from PIL import Image

from bot.recording.posts import FILM
from tests.e2e.crowd import open_scenario
from tests.e2e.cutler.table import SPECTATOR, Table
from tests.e2e.people import said
from tests.rulebooks.vector.scenarios import files

SEATS = {"courier": "ann", "revenue": "leo"}


def chase() -> dict[str, str]:
    """*The Courier* for its first two captains alone, the hunter's zone beside the courier's."""
    texts = files("courier")
    parts = texts["scenario.toml"].replace("[seats]\nleast = 2\nmost = 4\n", "").split("\n[[")
    kept = [one for one in parts if not any(name in one for name in ('"coast"', '"consul"'))]
    text = "\n[[".join(kept).replace('at = "1814", within = 2', 'at = "0828", within = 2')
    return texts | {"scenario.toml": text.replace('at = "1814"\nfacing = "C"', 'at = "0828"\nfacing = "C"')}


async def film_is_kept(table: Table) -> None:
    """Behind all else that was posted: the set-up as it was revealed, and the end of each piece; for everybody."""
    posts = await table.sam.messages("bulletins")
    last = posts[-2:]
    assert ["The dice are open" in one["words"] for one in last] == [True, False]
    assert sum(one["words"].startswith(FILM) for one in posts) == 1
    assert last[1]["words"].startswith(FILM)
    (file,) = last[1]["attachments"]
    assert file["filename"] == "battle.gif"
    assert file["description"].startswith("3 moments from turn 1, impulse 0 on. The last:")
    assert "H1 from 0826 ends in " in file["description"]
    assert "No more there: C1." in file["description"], "it was caught"
    with Image.open(io.BytesIO(await table.sam.seat.read_file(file))) as film:
        assert (film.format, getattr(film, "n_frames", 1)) == ("GIF", 3)


async def test_a_courier_is_caught(tmp_path: Path) -> None:
    names = (*SEATS.values(), SPECTATOR)
    async with open_scenario(tmp_path, "chase", chase(), names=names, book="vector") as stage:
        table = Table(stage, SEATS)
        await table.begin("vector/chase")
        ann, leo = table.of("courier"), table.of("revenue")

        # The set-up is secret until both are in; a place outside the zone is refused with what would be legal.
        card = await ann.sheet("Set-up")
        refused = await ann.types(card, "C1: at 0628")
        assert "0625" in refused["words"] or "0625" in await ann.understood(card)
        await table.plays("courier", "Set-up", "C1: at 0625; vector 6C; facing C")
        await table.plays("revenue", "Set-up", "H1: at 0826; vector 6C; facing C")
        await table.hears("courier", "is revealed")

        # Both coast through the first piece: two hexes apart is not near enough.
        piece = "Turn 1, impulses 1–16"
        await table.plays("courier", piece, "C1: report lost 2 warp")
        await table.plays("revenue", piece)
        await table.hears("revenue", "C1 Quicksilver, impulses 1 to 16, coasts. Now in 0927")
        assert "lost 2" not in await leo.reads_log(at="revenue")

        await stage.kill_bot()  # what is flown again from the record is what was flown
        await stage.start_bot()

        # The courier runs into the hunter's arms.
        piece = "Turn 1, impulses 17–32"
        await table.plays("courier", piece, "C1: thrust 2 on 17")
        await table.plays("revenue", piece)
        await stage.kill_bot()  # wherever it stands between the end and the last post
        await stage.start_bot()
        await table.hears("courier", "is caught: H1 matched its course")
        await stage.settled()
        told = " ".join(one["words"] for one in await ann.messages("bulletins"))
        assert "Revenue Fleet" in told
        assert "seed" in told or "is over" in told, told
        await film_is_kept(table)
        assert said(await ann.does("map"))
