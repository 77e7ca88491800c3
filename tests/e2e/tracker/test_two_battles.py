"""Two battles of the jump lanes, tracked at once: an empire that is in both flies each by itself, and what becomes of
one is nothing to the other, nor to whoever is in that alone."""

from pathlib import Path

import pytest

from tests.e2e.crowd import open_scenario
from tests.e2e.cutler.table import SPECTATOR, Table
from tests.e2e.jump_lanes.worlds import scenario_of
from tests.e2e.people import Person, said
from tests.e2e.tracker.flying import agree, deadline_of, fill_in, fly, map_in, sheet_in
from tests.e2e.tracker.tracked import BEGIN, pictures_in, record_holds, told_in, unseen_by_others, wish
from tests.expected.sections import section

SEATS = {"terran": "ann", "kraz": "leo", "vela": "kai"}
ORDERS = "Turn {}: orders"
WORLD = section("world")
WOLF, MINKAR = "Battle at Wolf", "Battle at Minkar"
FIRST, SECOND, NEXT = "Turn 1, impulses 1–16", "Turn 1, impulses 17–32", "Turn 2, impulses 1–16"
BACK = "Take back the last piece"
SHORT, LONG = "2h", "12h"
"""A deadline that falls long before any other; and the usual one."""


async def test_two_battles_are_flown_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts, names = scenario_of(WORLD, turns=2), (*SEATS.values(), SPECTATOR)
    async with open_scenario(tmp_path, "small", texts, names=names, book="jump_lanes") as stage:
        table = Table(stage, SEATS, ORDERS)
        await table.begin("jump_lanes/small")
        ann, leo, kai = (table.of(one) for one in SEATS)
        await table.turn(1, kraz="K1: route Wolf", vela="V1: route Minkar")
        await stage.settled()
        for who, other, thread in ((ann, leo, WOLF), (kai, ann, MINKAR)):
            await wish(who, thread, BEGIN)
            await agree(other, thread, BEGIN)

        # One is flown, while the other waits for its first set-up.
        waiting = await sheet_in(ann, MINKAR, "Set-up")
        falls = deadline_of(stage, "minkar")
        await fly(table, "terran", WOLF, "Set-up", "TU1: at 2020; facing B; speed 8")
        placed = await sheet_in(leo, WOLF, "Set-up")
        refused = (await leo.types(placed, "KU1: at 2040; speed 8\nKU2: at 2048; speed 8"))["words"]
        assert "25 to 35 hexes" in refused, refused
        await fly(table, "kraz", WOLF, "Set-up", "KU1: at 2048; speed 8\nKU2: at 2049; speed 8")
        await fly(table, "terran", WOLF, FIRST, "TU1: turn right on 4")
        await each_sees_its_own_map(ann, leo)

        # A piece's deadline falls: who is silent coasts. The other battle keeps its own.
        assert "From the next deadline on" in said(await stage.rita.does("campaign settings", piece_time=SHORT))
        await fly(table, "kraz", WOLF, FIRST)
        late = await sheet_in(leo, WOLF, SECOND)
        assert "From the next deadline on" in said(await stage.rita.does("campaign settings", piece_time=LONG))
        await fly(table, "terran", WOLF, SECOND, "TU1: thrust 2 on 17")
        await stage.deadline_falls(leo, hours=2)
        assert "• KU1: coast" in (await leo.changed(late, "Closed at its deadline"))["words"]
        await sheet_in(leo, WOLF, NEXT)
        assert "TU1 accelerates by 2 to C: vector 8B+2C" in await told_in(leo, WOLF)
        assert deadline_of(stage, "minkar") == falls
        assert (await ann.now(waiting))["words"] == waiting["words"]

        # What is told later and elsewhere says of which battle it is.
        assert "Turn 1 · Battle at Wolf: turn 1, impulse 16" in await ann.reads_log()
        assert any(f"“{WOLF} · {SECOND}: plots”" in one["words"] for one in await leo.direct()), "he was reminded"

        # The account of each is headed by its battle's name.
        for battle in (WOLF, MINKAR):
            account = await ann.sheet(f"Result of the battle {battle.removeprefix('Battle ')}")
            assert account["words"].startswith(f"__{battle}__"), account["words"]

        # Both take that piece back; the bot is killed in between, and the wish is kept.
        await wish(leo, WOLF, BACK)
        await ann.post(WOLF, "Kraz Empire wants to take back the last piece")
        await stage.dies_and_returns()
        await agree(ann, WOLF, BACK)
        card = await sheet_in(ann, WOLF, SECOND)
        assert "TU1 2418" in card["words"], "where it was"
        assert "8B, faces C; 29+1 left" in card["words"], "and nothing is spent"
        assert (await ann.now(waiting))["words"] == waiting["words"]

        # One ends: its enemies disengage, and both send the account as it is filled in.
        await fly(table, "kraz", WOLF, SECOND, "KU1: report disengaged\nKU2: report disengaged")
        await fly(table, "terran", WOLF, SECOND)
        await fly(table, "terran", WOLF, "Reports of the others")
        await is_over(table, WOLF, "terran", "kraz")
        await sends_filled_in(table, WOLF, "terran", "kraz", ended="KU1 Dirk: withdrew")
        await leo.post(WOLF, "This battle is over")

        # The other is set up now, one side of it in silence on its own sheet's word.
        assert deadline_of(stage, "minkar") == falls
        assert MINKAR in await map_in(ann, MINKAR)
        await fly(table, "terran", MINKAR, "Set-up", "TU1: at 5050; facing D; speed 4")
        await fly(table, "vela", MINKAR, "Set-up")
        await fly(table, "vela", MINKAR, FIRST)
        await fly(table, "terran", MINKAR, FIRST, "TU1: report VU1 destroyed")
        await fly(table, "vela", MINKAR, "Reports of the others")
        await is_over(table, MINKAR, "terran", "vela")
        await sends_filled_in(table, MINKAR, "terran", "vela", ended="VU1 Volt: destroyed")
        await ann.sheet(ORDERS.format(2))

        await table.hears("kraz", "K1 withdrew to Anvil")
        await everything_is_kept(table, tmp_path, monkeypatch)


async def each_sees_its_own_map(ann: Person, leo: Person) -> None:
    """In a battle's thread the map is that battle's, with the plots of who asks; elsewhere it is the campaign's."""
    assert "Plots: TU1: 4: turn right in 2020" in await map_in(ann, WOLF)
    theirs = await map_in(leo, WOLF)
    assert "KU1 at 2048" in theirs
    assert "Plots" not in theirs
    assert await map_in(ann, MINKAR) == "Battle at Minkar, set-up."
    assert "Map of Small" in await map_in(ann, "terran")


async def is_over(table: Table, battle: str, *sides: str) -> None:
    """These agree that nothing is left to fly."""
    for side in sides:
        await fly(table, side, battle, "Is the battle over?")
    await table.of(sides[0]).post(battle, "Nothing is left to fly")


async def sends_filled_in(table: Table, battle: str, *sides: str, ended: str) -> None:
    """These send their accounts as the tracker fills them in."""
    for side in sides:
        who = table.of(side)
        card = await fill_in(who, battle)
        assert ended in card["words"], card["words"]
        await who.sends_account(card)


async def everything_is_kept(table: Table, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each battle was seen by its two alone, with pictures of each piece; the record holds."""
    stage, ann = table.stage, table.of("terran")
    await table.secrets_kept()
    await unseen_by_others(table, [WOLF, "Ajax", "Dirk", "KU1"], "terran", "kraz")
    await unseen_by_others(table, [MINKAR, "Bolt", "Volt", "VU1"], "terran", "vela")
    await unseen_by_others(table, ["impulse", "tracked", "Set-up"], *SEATS)
    for battle, last in ((WOLF, "after impulse 32 of 32"), (MINKAR, "after impulse 16 of 32")):
        assert any(last in one for one in await pictures_in(ann, battle)), battle
    assert stage.rows("select count(*) from deadline where strand like '%space%'") == [(0,)]
    assert stage.rows("select count(*) from tracked_rest") == [(0,)]
    await record_holds(stage, folder, monkeypatch)
