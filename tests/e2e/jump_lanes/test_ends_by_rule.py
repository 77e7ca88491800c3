"""A battle on whose account nobody agrees: it ends by rule when its time is over, and is not fought again."""

from pathlib import Path

from tests.e2e.crowd import REFEREE, open_scenario
from tests.e2e.cutler.table import SPECTATOR, Table
from tests.e2e.jump_lanes.test_frontier import ORDERS, SEATS
from tests.e2e.jump_lanes.worlds import scenario_of
from tests.expected.sections import section

WORLD = section("world")
RESULT = "Result of the battle at Wolf"
ENDS = "every unit is as it was when it began. They do not fight there again until somebody comes or goes"


async def test_battle_ends_by_rule_and_is_not_fought_again_while_nobody_moves(tmp_path: Path) -> None:
    texts, names = scenario_of(WORLD, turns=3), (*SEATS.values(), SPECTATOR)
    async with open_scenario(tmp_path, "small", texts, names=names, book="jump_lanes") as stage:
        table = Table(stage, SEATS, ORDERS)
        await table.begin("jump_lanes/small", battles="1d")
        await stage.people[REFEREE].does("campaign settings", battle_end="1d")
        ann, leo = table.of("terran"), table.of("kraz")
        await table.turn(1, terran="T1: route Wolf", kraz="K1: route Wolf")
        await leo.sheet(RESULT)
        await leo.sends_account(await leo.types(await leo.sheet(RESULT), "TU1: fate destroyed"))
        await ann.sends_account(await ann.types(await ann.sheet(RESULT), "KU1: fate destroyed"))

        await stage.deadline_falls(ann, hours=24)
        await ann.post("Battle at Wolf", "The clock runs on", ENDS)
        await stage.deadline_falls(ann, hours=24)
        await leo.post("Battle at Wolf", "it ends by rule", ENDS)
        await table.hears("terran", "The battle at Wolf is over. TU1 Dart: intact; KU1 Dirk: intact.")

        await table.turn(2)
        await table.turn(3)
        await table.secrets_kept()
        asked = [title for (title,) in stage.rows("select title from prompt order by opened_seq")]
        assert asked.count(RESULT) == len(SEATS), "once, and never again"
