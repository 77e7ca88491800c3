"""A frontier on which all that may happen to convoys and surveys does, each told to those alone whom it concerns."""

from pathlib import Path

from tests.e2e.crowd import open_scenario
from tests.e2e.cutler.table import SPECTATOR, Table
from tests.e2e.jump_lanes.worlds import scenario_of
from tests.e2e.people import said
from tests.expected.sections import section

SEATS = {"terran": "ann", "kraz": "leo"}
ORDERS = "Turn {}: orders"
WORLD = section("world")
FALLS = {"check/terran/sol?1": (95,), "peril/terran": (9,)}
"""A chance of 20 is missed by more than 70, and the force is cast to the other end."""


async def test_a_jump_met_in_its_lane_cargo_that_its_owner_gives_up_a_trade_run_a_tow_and_a_peril(tmp_path: Path):
    texts, names = scenario_of(WORLD, turns=3), (*SEATS.values(), SPECTATOR)
    async with open_scenario(tmp_path, "small", texts, names=names, falls=FALLS, book="jump_lanes") as stage:
        table = Table(stage, SEATS, ORDERS)
        await table.begin("jump_lanes/small")
        ann, leo = table.of("terran"), table.of("kraz")
        card = await ann.sheet(ORDERS.format(1))
        orders = """
            T1: load 2 census at Sol; route loop Sol > Wolf; unload census at Wolf
            T2: route Alphard
            T3: explore sol?1
            T4: tow Bastion; route Minkar
        """
        card = await ann.types(card, orders)
        understood = await ann.understood(card)
        assert "T2: no orders and no way back to the end of turn 2" in understood
        assert "T3: explores sol?1 with Science 10: chance 20 of 100" in understood
        assert "loads 2 census at Sol each time" in understood
        await ann.ready(card)
        await table.plays("kraz", ORDERS.format(1))

        await table.hears("terran", "the force is at Regulus", "T2: in the lane from Sol to Alphard until turn 2")
        await table.hears("terran", "T1 takes 2 census points aboard at Sol", "T4 comes to Minkar")
        chance = said(await ann.does("odds", at=(await ann.channel("terran"))["id"], own="T3", target="regulus?1"))
        assert "Chance 20 of 100" in chance, "of the same lane, from its other end"
        refused = await ann.types(await ann.sheet(ORDERS.format(2)), "T2: route Sol")
        assert "T2 is in transit until turn 2 and out of communication (13.1.6)" in refused["words"]
        await table.plays("terran", ORDERS.format(2), "T4: tow -")
        await table.plays("kraz", ORDERS.format(2), "K1: route Sol\nterran: stance war")

        # The raiders enter the convoy's lane, and nobody hears of anything else before that is settled.
        result = "Result of the battle in the lane Sol to Alphard"
        await leo.sheet(result)
        await table.fought_in("Battle in the lane Sol to Alphard", "terran", "kraz")
        units = await ann.messages("Battle in the lane")
        assert "13.4" not in "".join(one["words"] for one in units), "nobody tows"
        await table.hears("terran", "T1 lands 2 census points at Wolf")
        await stage.settled()
        own = (await ann.messages("terran"))[-1]["words"]
        assert "carries Lancers, Rangers, 2 census points: 24 of 40" in own
        await table.agree(result, "TU2: fate destroyed\nKU2: fate crippled", "terran", "kraz")

        # A census point would be lost if nobody chose; its owner would rather lose two battalions.
        lost = await ann.sheet("Cargo that does not fit any more")
        assert "T2: loses" in await ann.understood(lost)
        await table.plays("terran", "Cargo that does not fit any more", "T2: units Rangers, Lancers; census 0")
        await table.hears("terran", "T2: cargo lost: Rangers, Lancers.")

        # The raiders come out of the lane where the trade run comes by, and withdraw; behind them is the convoy.
        result = "Result of the battle at Sol"
        await table.agree(result, "KU1: fate withdrew\nKU2: fate withdrew", "terran", "kraz")
        await table.hears("kraz", "K1 withdrew to Wolf", "2 for Iris destroyed, 1 for 1 system held")
        await table.hears("terran", "6 for census at Wolf, 4 for 4 systems held, 10 for starbase at Minkar")
        await table.turn(3, terran="T1: route stop")

        seen = await table.secrets_kept()
        for name, text in seen.items():
            assert "The campaign is over" in text, name
        for secret in ("Regulus", "Rangers", "census point", "Bastion", "Probe", "starbase at"):
            assert secret not in seen["leo"], secret
        for secret in ("K2", "Gauge"):
            assert secret not in seen["ann"], secret
