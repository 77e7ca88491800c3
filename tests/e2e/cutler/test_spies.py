"""Two missions against one race: one is countered, the other is not. 6.4, 6.5"""

from pathlib import Path

from tests.e2e.cutler.table import open_table
from tests.expected.sections import section

WORLD = section("world")
FALLS = {"espionage order, Ash": (6, 6), "espionage order, Birch": (1, 1), "espionage order, Cedar": (3, 3)} | {
    "cedar/M1/mission": (5,)
}


async def test_one_mission_is_countered_and_another_is_not(tmp_path: Path) -> None:
    async with open_table(tmp_path, WORLD, turns=2, falls=FALLS) as table:
        await table.turn(
            1,
            ash="M1: kind resources; against birch; other 0701; ip 20",
            birch="counter: points 15",
            cedar="M1: kind planet; against birch; target grove; ip 40",
        )
        await table.hears("birch", "An Ash spy attempts Resource Check on hex 0701.")
        await table.plays("birch", "An Ash spy: Resource Check", "counter: points 15")
        await table.hears("birch", "A Cedar spy attempts Planet Check on the planet Grove in 0701.")
        # Its pool is empty: so nothing is asked, and both are rolled. 40 - 0 IP succeed on 1 to 5.
        await table.hears("ash", "M1, Resource Check against the Birch (hex 0701): failed.", "net 5")
        await table.hears(
            "cedar", "M1, Planet Check against the Birch (the planet Grove in 0701): succeeded.", "mission, 1D6: 5"
        )
        await table.hears("cedar", "12 boarding parties")
        await table.hears("birch", "Your 15 points against Resource Check on hex 0701 are back in the Reserve")
        await table.of("ash").sheet("Turn 2: economy")
        points = await table.stage.rita.seat.complete("referee rewind", "to", "")
        assert any("espionage Birch closed" in point["name"] for point in points)

        seen = await table.secrets_kept()
        secret = {
            "ann": ("Planet Check against", "A Cedar spy", "12 boarding parties", "15 points"),
            "leo": ("succeeded", "net 5", "mission, 1D6: 5"),
            "kai": ("Resource Check against", "An Ash spy", "15 points", "net 5"),
            "sam": ("Check against", "spy", "boarding parties"),
        }
        for name, words in secret.items():
            assert [word for word in words if word in seen[name]] == [], name
