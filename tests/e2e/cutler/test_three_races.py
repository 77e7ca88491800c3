"""A hex with three uncoordinated races: one acts and challenges another, and the last two are left. 3.2"""

from pathlib import Path

from tests.e2e.cutler.table import open_table
from tests.expected.sections import section

WORLD = section("world")
FALLS = {"acting player, Ash": (6,), "acting player, Birch": (2,), "acting player, Cedar": (3,)}


async def test_one_of_three_acts_and_the_last_two_show_cards(tmp_path: Path) -> None:
    async with open_table(tmp_path, WORLD, falls=FALLS) as table:
        await table.turn(1)
        await table.cards("0403", birch="Bypass", cedar="Bypass", ash="Combat")
        for side in ("ash", "birch", "cedar"):
            await table.hears(side, "Cards in 0403: Ash combat; Birch bypass; Cedar bypass. Potential combat.")
        await table.plays("ash", "0403: you act first", press="Cedar")
        await table.hears("birch", "In 0403 the Ash acts and challenges the Cedar.")

        # The two fight it out; the third, in the same hex, is not at their table.
        for title in ("escape wave 1", "flanking"):
            await table.ready(f"0403: {title}", "ash", "cedar")
        await table.of("cedar").sheet("Result of the battle in 0403")
        await table.fought_in("Battle in 0403", "ash", "cedar")
        await table.agree("Result of the battle in 0403", "C1: fate destroyed", "ash", "cedar")
        await table.hears("cedar", "The battle in 0403 is over", "C1 Cone: destroyed")

        # Two are left, so that no acting player is rolled for; neither wants to fight.
        await table.cards("0403", ash="Bypass", birch="Bypass")
        await table.hears("birch", "Cards in 0403: Ash bypass; Birch bypass. No combat.")
        await table.of("birch").sheet("impulse 2: plots")

        seen = await table.secrets_kept()
        assert "Cone" not in seen["leo"], "who was there and not in the battle reads no names"
        assert "Cards in 0403: Ash bypass; Birch bypass" not in seen["kai"]
        for name in ("mia", "sam"):
            assert not [word for word in ("Cards", "challenges", "battle in 0403", "Ember") if word in seen[name]]
        assert "An Ash counter is at 0403" in seen["mia"], "counters are public"
