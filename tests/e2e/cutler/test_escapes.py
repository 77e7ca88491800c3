"""Two waves run, one is caught and one is not; the rest fights, some of it from the flank. The bot dies in the middle.
3.3, 3.6, 3.7"""

from pathlib import Path

from tests.e2e.cutler.table import open_table
from tests.expected.sections import section

WORLD = section("world")
FALLS = {"run/1/ash/escape": (4,), "run/2/ash/escape": (3,), "flank 1, ash": (3,)}
RESULT = "Result of the battle in 0403"


def lines_of(seen: dict[str, str]) -> dict[str, set[str]]:
    """What each of them reads, however often it was shown to them."""
    return {name: set(text.splitlines()) for name, text in seen.items()}


async def test_a_wave_is_caught_another_gets_away_and_the_rest_flanks(tmp_path: Path) -> None:
    async with open_table(tmp_path, WORLD, falls=FALLS) as table:
        stage = table.stage
        await table.turn(1)
        await table.cards("0403", ash="Bypass", birch="Combat")

        # Waves are told by their look alone; so are the groups that are sent after them.
        await table.plays("ash", "0403: escape wave 1", "wave: ships spark")
        await table.ready("0403: escape wave 1", "birch")
        await table.hears("birch", "Escape wave 1 in 0403: 1 Ash unit (size 4: FF).")
        await table.plays("birch", "0403: pursuit of wave 1", "sedge: group 1")
        await table.hears("ash", "Pursuit of wave 1 in 0403, group 1: 1 Birch unit (size 4: FF).")
        await table.plays("ash", "0403: escape wave 2", "wave: ships soot")
        await table.plays("birch", "0403: pursuit of wave 2", "rush: group 1")
        await table.ready("0403: escape wave 3", "ash")

        # A 4 is more than the 3 at which a ship gets away: the first wave is caught.
        for side in ("ash", "birch"):
            await table.hears(side, "Wave 1 of the Ash in 0403 is caught by group 1.", "escape from group 1, 1D6: 4")
        await table.ready("0403: surrounding those you caught", "birch")
        await table.of("ash").sheet(RESULT)
        await table.fought_in("Escape battle in 0403", "ash", "birch")

        before = lines_of(await table.secrets_kept())
        await stage.kill_bot()
        await stage.start_bot()
        assert lines_of(await table.secrets_kept()) == before
        await table.agree(RESULT, "A1: fate destroyed", "ash", "birch")
        await table.hears("ash", "The battle in 0403 is over", "A1 Spark: destroyed", "B1 Sedge: intact")

        # A 3 is enough for the second wave; neither it nor its pursuers fight today.
        for side in ("ash", "birch"):
            await table.hears(side, "Wave 2 of the Ash in 0403 gets away from group 1.", "escape from group 1, 1D6: 3")
        await table.plays("ash", "0403: flanking", "coal: group 1")
        await table.ready("0403: flanking", "birch")
        await table.of("birch").sheet(RESULT)
        await table.fought_in("Battle in 0403", "ash", "birch")
        account = "A1: fate damaged; warp_lost 5\nA2: fate intact\nB1: fate disengaged"
        await table.agree(RESULT, account, "birch", "ash")
        await table.hears("birch", "The battle in 0403 is over", "B1 Reed: disengaged")
        await table.of("ash").sheet("impulse 2: plots")

        # The turn of a flanking group is its owner's. Names are read by those alone who met in a battle.
        seen = await table.secrets_kept()
        assert "Arrives on turn 4: Coal" in seen["ann"]
        assert "Arrives on turn" not in seen["leo"]
        assert "Soot" not in seen["leo"]
        assert "Rush" not in seen["ann"]
        for name in ("kai", "sam"):
            words = ("wave", "Pursuit", "Cards", "battle in 0403", "Ember", "Reed")
            assert [word for word in words if word in seen[name]] == [], name
