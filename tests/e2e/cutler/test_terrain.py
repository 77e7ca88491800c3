"""A battle at a planet, of which those at its table know alone; somebody else was sent where nobody is. 3.5"""

from pathlib import Path

from tests.e2e.cutler.table import open_table
from tests.e2e.stage import words_of
from tests.expected.sections import section

WORLD = section("world")


async def test_the_thread_of_a_terrain_battle_is_its_parties(tmp_path: Path) -> None:
    async with open_table(tmp_path, WORLD) as table:
        await table.turn(1, ash="F1: course 0403")
        await table.cards("0403", ash="Combat", birch="Bypass")
        for side in ("ash", "birch"):
            await table.hears(side, "In 0403 the Birch", "and defends.")
        await table.plays("birch", "0403: your defence", "sedge: place planet")
        await table.hears("ash", "The Birch forces no approach battle in 0403.")
        await table.plays("ash", "0403: your attack", "ember: place planet\ncoal: place sun")
        await table.hears("birch", "At the planet Rookery in 0403: 1 Ash unit (size 3: CA).")
        await table.ready("0403: escape wave 1 from the planet Rookery", "birch")
        await table.hears("ash", "Nobody of the Birch is at the sun in 0403.")

        result = "Result of the battle at the planet Rookery in 0403"
        sheet = await table.of("birch").sheet(result)
        await table.of("birch").changed(sheet, "Play waits for this battle until <t:")
        thread = await table.of("ash").post("Battle at the planet Rookery in 0403", "play this battle by hand")
        assert "within 20 hexes of the planet Rookery" in await words_of(table.of("ash"), thread)
        await table.fought_in("Battle at the planet", "ash", "birch")
        await table.agree(result, "B1: fate destroyed", "birch", "ash")
        await table.hears("birch", "The battle in 0403 is over", "A1 Ember: intact", "B1 Sedge: destroyed")
        await table.of("ash").sheet("impulse 2: plots")

        seen = await table.secrets_kept()
        assert "Nobody of the Birch" not in seen["leo"]
        assert "Coal" not in seen["leo"], "it was not at this battle"
        assert "your defence" not in seen["ann"]
        for name in ("kai", "sam"):
            words = ("Cards", "defends", "approach battle", "Rookery in 0403", "Ember", "Sedge")
            assert [word for word in words if word in seen[name]] == [], name
