"""Three players draw their races by dice and wishes, and take empires; the last one intercedes. 1.1.1, 1.1.2.2"""

from pathlib import Path

from tests.e2e.crowd import open_scenario
from tests.e2e.cutler.table import SPECTATOR, Table
from tests.rulebooks.cutler.ch01_setup.ring import ring_files

SEATS = {"seat-1": "ann", "seat-2": "leo", "seat-3": "kai"}
ROWS = 7
STRIPES = [
    [f"{column:02}{row:02}" for column in range(first, first + 4) for row in range(1, ROWS + 1)] for first in (1, 5, 9)
]
"""Three empires side by side, above a core of one row."""
FALLS = {"player order, Seat 1": (2, 3), "player order, Seat 2": (6, 6), "player order, Seat 3": (4, 4)}


def drawn() -> dict[str, str]:
    """The ring with a small map of its own."""
    files = ring_files()
    own = f"[map]\ncolumns = 12\nrows = {ROWS + 1}\n[setup]\nempires = {STRIPES}\n"
    return {**files, "scenario.toml": files["scenario.toml"].replace("[setup]\n", own)}


async def test_races_are_drawn_and_the_last_player_intercedes(tmp_path: Path) -> None:
    names = (*SEATS.values(), SPECTATOR)
    async with open_scenario(tmp_path, "drawn", drawn(), names=names, falls=FALLS) as stage:
        ann, leo, kai = stage.ann, stage.leo, stage.kai
        table = Table(stage, SEATS)
        await table.begin("cutler/drawn", seats=3)

        # All would be Gorn: the highest roll has it, the next one his second wish, the last the first that is free.
        card = await ann.fills(await ann.sheet("your race"), "Race", First_choice="Gorn")
        assert "You would like: Gorn." in card["words"]
        await table.ready("your race", "seat-1")
        await table.plays("seat-2", "your race", "race: first Gorn; second Lyran")
        assert not await ann.sees("gorn")
        await table.plays("seat-3", "your race", "race: first Gorn; second Romulan")
        for text in (
            "Seat 2 rolled 12, is player 1 and plays the Gorn.",
            "Seat 3 rolled 8, is player 2 and plays the Romulan.",
            "Seat 1 rolled 5, is player 3 and plays the Hydran.",
        ):
            await stage.sam.post("bulletins", text)
        assert (await leo.channel("gorn"))["name"] == "gorn"

        # While the first chooses, the last may take an empire before him, and does; nobody else is asked.
        await stage.settled()
        asked = stage.rows("select side, title from prompt where status = 'open' order by side")
        assert asked == [("seat-1", "Set-up: before the Gorn chooses"), ("seat-2", "Set-up: empire of player 1")]
        await table.plays("seat-2", "Set-up: empire of player 1", press="Empire 2")
        await table.plays("seat-1", "Set-up: before the Gorn chooses", press="Empire 2")
        await stage.sam.post("bulletins", "The Hydran intercedes and takes empire 2.")

        # He chooses again, and the right has passed to the one before, who waits and is left with the rest.
        await stage.settled()  # the first question of that name has closed
        await table.plays("seat-2", "Set-up: empire of player 1", press="Empire 3")
        await table.plays("seat-3", "Set-up: before the Gorn chooses", press="Wait")
        await stage.sam.post("bulletins", "The Gorn takes empire 3.", "The Romulan is left with empire 1.")
        await kai.sheet("Set-up: your planets")

        # Nobody learns what others wished for, nor which empire the first had chosen in vain.
        seen = await table.secrets_kept()
        wishes = {"ann": "would like: Gorn.", "leo": "like: Gorn, Lyran", "kai": "like: Gorn, Romulan"}
        for name, text in seen.items():
            assert [one for one, wish in wishes.items() if wish in text] == [name] * (name in wishes), name
            assert ("You take empire 2." in text) == (name == "leo"), name
