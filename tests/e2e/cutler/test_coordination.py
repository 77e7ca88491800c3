"""Two races agree to be one force, fight as one, and part again. 2.10"""

from pathlib import Path

from tests.e2e.cutler.table import open_table
from tests.e2e.people import said
from tests.expected.sections import section

WORLD = section("world")


async def test_a_force_of_two_races_is_made_fights_and_is_ended(tmp_path: Path) -> None:
    async with open_table(tmp_path, WORLD) as table:
        ann, leo, kai = (table.of(side) for side in ("ash", "birch", "cedar"))
        # The Ash offers it on its sheet. The Birch alone hears of it, is asked for that, and accepts.
        await table.turn(1, ash="coordination: partners birch")
        await table.hears("birch", "The Ash offers to act as one force with you. Name it on your sheet to accept.")
        card = await leo.sheet("impulse 1: plots")
        assert "The Ash offers to act as one force" in card["words"]
        card = await leo.fills(card, "Coordinated force", One_force_with="Ash")
        assert "**Coordinated force**\n✏️ Ash" in card["words"]
        assert "One force with the Ash, when all of them agree." in await leo.understood(card)
        await table.ready("impulse 1: plots", "birch")
        for side in ("ash", "birch"):
            await table.hears(side, "Ash and Birch act as one force from now on.")

        # One card for both, which is combat since one of them names it.
        await table.cards("0403", cedar="Bypass")
        assert "2 Ash and Birch units" in said(await kai.does("map", text=True))
        contact = (await ann.sheet("0403: bypass or combat"))["words"]
        assert "You share it with: Cedar." in contact
        assert "You are one force with the Birch: its card is combat if one of you names it." in contact
        await table.ready("0403: bypass or combat", "ash")
        await table.plays("birch", "0403: bypass or combat", "force: card combat")
        await table.hears("cedar", "Cards in 0403: Ash and Birch combat; Cedar bypass. Potential combat.")
        for title in ("escape wave 1", "flanking"):
            await table.ready(f"0403: {title}", "ash", "birch", "cedar")

        # One thread for all three, and one account for the two.
        await kai.sheet("Result of the battle in 0403")
        await table.fought_in("Battle in 0403: Ash and Birch against Cedar", "ash", "birch", "cedar")
        account = "A1: fate damaged; warp_lost 3\nB1: fate intact\nC1: fate destroyed"
        await table.agree("Result of the battle in 0403", account, "birch", "cedar")
        await table.hears("ash", "The battle in 0403 is over", "A1 Ember: damaged, lost 3 warp boxes")

        # The Ash ends it; what is left are two races in one hex.
        await table.plays("ash", "impulse 2: plots", "coordination: partners -")
        await table.ready("impulse 2: plots", "birch")
        await table.hears("birch", "The Ash ends the coordination with you.")
        await table.hears("ash", "You are one force with the Birch no longer.")
        card = await table.of("birch").sheet("0403: bypass or combat")
        assert "one force" not in card["words"]

        seen = await table.secrets_kept()
        for name in ("kai", "mia", "sam"):
            assert not [word for word in ("one force", "offers to act", "coordination") if word in seen[name]], name
        for name in ("mia", "sam"):
            assert not [word for word in ("Cards", "Ember", "battle in 0403") if word in seen[name]], name
