"""A planet is stormed, held with too few, and rises. 5.3"""

from pathlib import Path

from tests.e2e.cutler.table import open_table
from tests.expected.sections import section

WORLD = section("world")
FALLS = {
    "T1/rebellion/rookery/rebels": (5,),
    "T1/rebellion/rookery/losses": (4,),
    "T2/rebellion/rookery/rebels": (6,),
    "T2/rebellion/rookery/losses": (3, 6),
}


async def test_a_planet_is_taken_and_rises(tmp_path: Path) -> None:
    async with open_table(tmp_path, WORLD, turns=3, falls=FALLS) as table:
        await table.turn(1, ash="F1: course 0403; land rookery")
        await table.hears("ash", "F1 lands 10 boarding parties on Rookery (0403).")
        await table.hears("birch", "Ash troops land on Rookery (0403).")

        # It is fought for on the ground, by hand, in a thread of the two.
        result = "Ground combat on Rookery"
        await table.of("birch").sheet(result)
        await table.fought_in("Ground combat on Rookery", "ash", "birch")
        await table.agree(result, "planet: boarding_parties 0\nA: boarding_parties 7", "birch", "ash")
        await table.sam.post("bulletins", "The Ash captures Rookery (0403) from the Birch.")
        await table.hears("ash", "You hold Rookery with 7 boarding parties", "A garrison of 20")

        # Seven are fewer than twenty: a die of 5 is doubled to 10 rebels, which take four with theirs.
        await table.play_on("Turn 2: economy")
        await table.hears(
            "ash",
            "Major revolt on Rookery (0403), for the garrison counts 7, and 20 are needed: 10 rebels",
            "4 boarding parties lost.",
        )
        # Twice six are 12, of which ten take three and two more take one: nobody of the three is left.
        await table.turn(2)
        await table.play_on("Turn 3: economy")
        await table.hears("ash", "12 rebels, 3 boarding parties lost.")
        await table.sam.post("bulletins", "Rookery (0403) rises against the Ash: the Birch has it back.")

        seen = await table.secrets_kept()
        for name in ("leo", "kai", "sam"):
            assert [word for word in ("rebels", "revolt", "You hold") if word in seen[name]] == [], name
        for name in ("kai", "sam"):
            assert [word for word in ("Ground combat", "troops land", "Ember") if word in seen[name]] == [], name
