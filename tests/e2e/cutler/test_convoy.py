"""A convoy runs into a cruiser, loses a freighter, and sails on with the other. 2.7"""

from pathlib import Path

from tests.e2e.cutler.table import open_table
from tests.e2e.people import said
from tests.expected.sections import section

WORLD = section("world")


async def test_a_convoy_is_met_and_sails_on(tmp_path: Path) -> None:
    async with open_table(tmp_path, WORLD, turns=2) as table:
        ash = table.of("ash")
        card = await ash.types(await ash.sheet("Turn 1: economy"), "E0101: to 0105")
        assert "**E0101 Hearth**\n✏️ Farside, 0105" in card["words"]
        route = "Convoy (Barge, Hulk): 0101 → 0102 → 0103 → 0104 → 0105, for good"
        assert route in await ash.understood(card)
        await table.turn(1)

        # Speed 3 moves in impulses 2, 4 and 6: so it comes upon the cruiser in impulse 4.
        await table.play_on("0103: bypass or combat")
        for side in ("ash", "birch"):
            await table.hears(side, "The Ash announces a convoy in 0103.")
        await table.hears("birch", "**Turn 1, impulse 4**", "In 0103: 2 Ash units (size 4: freighter ×2).")
        await table.cards("0103", ash="Bypass", birch="Combat")
        for title in ("escape wave 1", "flanking"):
            await table.ready(f"0103: {title}", "ash", "birch")
        result = "Result of the battle in 0103"
        await table.of("birch").sheet(result)
        await table.fought_in("Battle in 0103", "ash", "birch")
        await table.agree(result, "A1: fate destroyed", "ash", "birch")
        await table.hears("ash", "The battle in 0103 is over", "A1 Barge: destroyed", "A2 Hulk: intact")

        # Its plot is neither broken off nor changed.
        await table.play_on("Turn 2: economy")
        assert "V1 at 0104, under way 0105: Hulk" in said(await table.of("ash").does("forces"))
        assert "1 Ash unit, size 4: freighter (1 turn ago)" in said(
            await table.of("birch").does("forces", about="freighter")
        )
        await table.turn(2)
        await table.stage.settled()
        await table.hears("ash", "Arrived in 0105: Hulk")

        seen = await table.secrets_kept()
        assert "0105 Farside, minor planet (Ash)" in seen["sam"]
        assert "Arrived in 0105" not in seen["leo"]
        for name in ("kai", "sam"):
            words = ("announces a convoy", "convoy in", "freighter", "Cards", "battle in 0103", "Barge", "Hulk")
            assert [word for word in words if word in seen[name]] == [], name
