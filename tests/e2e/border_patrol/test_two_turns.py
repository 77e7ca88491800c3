"""Two turns in which all that may happen between two Teams does, each told to those alone whom it concerns."""

from pathlib import Path

from tests.e2e.border_patrol.worlds import scenario_of
from tests.e2e.crowd import open_scenario
from tests.e2e.cutler.table import SPECTATOR, Table
from tests.e2e.people import said
from tests.expected.sections import section

SEATS = {"blue": "ann", "red": "leo"}
WORLD = section("world")
FALLS = {
    "engineer/resolve": (6, 6),  # her chief engineer's skill is 3
    "R4/found": (1, 1),  # 2 - 6 + 4 is less than her Size Class
    "R4/what": (3,),
}


async def test_an_emergency_that_fails_a_reaction_a_broken_pin_an_encounter_and_a_convoy_caught(tmp_path: Path) -> None:
    texts, names = scenario_of(WORLD, turns=2), (*SEATS.values(), SPECTATOR)
    async with open_scenario(tmp_path, "small", texts, names=names, falls=FALLS, book="border_patrol") as stage:
        table = Table(stage, SEATS, "Turn {}: movement")
        await table.begin("border_patrol/small")
        ann, leo = table.of("blue"), table.of("red")
        # With a Damage Control Rating of 1 her first emergency run needs nobody's roll.
        await table.turn(1, blue="B1: route 0203; emergency resolve")
        card = await ann.sheet("Turn 2: movement")
        orders = """
            B1: route 0204; emergency resolve
            B2: route 0403; orders break out
            B2-ships: rearguard spark
            B3: route 0602
        """
        card = await ann.types(card, orders)
        assert "Resolve needs its chief engineer's roll" in await ann.understood(card)
        await ann.ready(card)
        await table.plays("red", "Turn 2: movement", "R1: react any; orders within 1\nR4: route 0504; cloak all turn")
        result = "Result of the battle in 0602"
        await leo.sheet(result)
        await table.hears("red", "R1 at 0702 reacts to the Blue Team in 0602", "R1 intercepts the Blue Team in 0602")
        await table.fought_in("Battle in 0602", "blue", "red")
        account = "BU1: fate disengaged\nRU1: fate damaged; warp 5; crippled yes"
        await table.agree(result, account, "blue", "red")

        # What went on meanwhile: of the Emergency Movement, the pin and the listening post one Team alone heard.
        caught = "Result of the battle in 0206"
        await leo.sheet(caught)
        await table.hears("blue", "Resolve fails to use Emergency Movement, loses 3 warp engine boxes, and is barred")
        await table.hears("blue", "chief engineer of Resolve, 2D6: 6+6 = 12", "Blue Team 0203 → 0204")
        await table.hears("blue", "Spark stays in 0404 as B5", "B2 leaves 0404: by its Command Rating")
        post = "A listening post detects E2 in 0504: 1 cloaked, Size Class 4, going north-west."
        await table.hears("blue", post, "Swift disengaged to 0502")
        await table.hears("red", "Under cloak: R4 0604 → 0504")
        assert "warp 27 of 30" in said(await ann.does("forces", about="Resolve"))
        await table.fought_in("Battle in 0206", "blue", "red")
        await table.agree(caught, "BU1: fate destroyed", "blue", "red")
        await stage.settled()

        # Destroyed 3 and caught 3 for the Red Team, crippled 1 for the Blue; the province has nobody in the open.
        seen = await table.secrets_kept()
        for name, text in seen.items():
            assert "Red Team 6 (+6): Barge destroyed 3, a convoy caught 3." in text, name
            assert "Blue Team 1 (+1): Talon crippled 1." in text, name
        for secret in ("Resolve fails", "listening post", "Spark", "chief engineer"):
            assert secret not in seen["leo"], secret
        for secret in ("lies in wait", "R1 at 0702", "R4 0604", "Shade"):
            assert secret not in seen["ann"], secret
