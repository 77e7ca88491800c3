"""Small stories of the rulebook with loaded dice: battles, a convoy, spies and a planet that rises."""

from pathlib import Path

from tests.e2e.cutler.table import open_table
from tests.e2e.people import said
from tests.e2e.stage import words_of
from tests.expected.sections import section


async def test_a_force_of_two_races_is_made_fights_and_is_ended(tmp_path: Path) -> None:
    """Two races agree to be one force, fight as one, and part again. 2.10"""
    async with open_table(tmp_path, section("coordination")) as table:
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


async def test_a_convoy_is_met_and_sails_on(tmp_path: Path) -> None:
    """A convoy runs into a cruiser, loses a freighter, and sails on with the other. 2.7"""
    async with open_table(tmp_path, section("convoy"), turns=2) as table:
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


async def test_a_planet_is_taken_and_rises(tmp_path: Path) -> None:
    """A planet is stormed, held with too few, and rises. 5.3"""
    falls = {
        "T1/rebellion/rookery/rebels": (5,),
        "T1/rebellion/rookery/losses": (4,),
        "T2/rebellion/rookery/rebels": (6,),
        "T2/rebellion/rookery/losses": (3, 6),
    }
    async with open_table(tmp_path, section("planet"), turns=3, falls=falls) as table:
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


async def test_one_mission_is_countered_and_another_is_not(tmp_path: Path) -> None:
    """Two missions against one race: one is countered, the other is not. 6.4, 6.5"""
    falls = {"espionage order, Ash": (6, 6), "espionage order, Birch": (1, 1), "espionage order, Cedar": (3, 3)} | {
        "cedar/M1/mission": (5,)
    }
    async with open_table(tmp_path, section("spies"), turns=2, falls=falls) as table:
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


async def test_the_thread_of_a_terrain_battle_is_its_parties(tmp_path: Path) -> None:
    """A battle at a planet, of which those at its table know alone; somebody else was sent where nobody is. 3.5"""
    async with open_table(tmp_path, section("terrain")) as table:
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


async def test_one_of_three_acts_and_the_last_two_show_cards(tmp_path: Path) -> None:
    """A hex with three uncoordinated races: one acts and challenges another, and the last two are left. 3.2"""
    falls = {"acting player, Ash": (6,), "acting player, Birch": (2,), "acting player, Cedar": (3,)}
    async with open_table(tmp_path, section("three_races"), falls=falls) as table:
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


RESULT = "Result of the battle in 0403"


def lines_of(seen: dict[str, str]) -> dict[str, set[str]]:
    """What each of them reads, however often it was shown to them."""
    return {name: set(text.splitlines()) for name, text in seen.items()}


async def test_a_wave_is_caught_another_gets_away_and_the_rest_flanks(tmp_path: Path) -> None:
    """Two waves run, one is caught and one is not; the rest fights, some of it from the flank. The bot dies in the
    middle. 3.3, 3.6, 3.7"""
    falls = {"run/1/ash/escape": (4,), "run/2/ash/escape": (3,), "flank 1, ash": (3,)}
    async with open_table(tmp_path, section("escapes"), falls=falls) as table:
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
        await stage.dies_and_returns()
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
