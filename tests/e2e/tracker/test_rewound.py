"""The referee, who hears nothing of a tracked battle, goes back into it and before it; it is flown again from there."""

from pathlib import Path

import pytest

from bot.recording.battle_threads import FILM, OVER
from tests.e2e.border_patrol.worlds import scenario_of
from tests.e2e.crowd import goes_back, open_scenario
from tests.e2e.cutler.table import SPECTATOR, Table
from tests.e2e.people import Person, buttons, neutral, said
from tests.e2e.tracker.tracked import BEGIN, record_holds, told_in, tracker_of, wish_all
from tests.e2e.tracker.unheard import nobody_else_heard
from tests.expected.sections import section
from tests.message_words import pressable

SEATS = {"blue": "ann", "red": "leo"}
WORLD = section("world")
BATTLE, RESULT = "Battle in 0502", "Result of the battle in 0502"
STRANDS = "select strand from deadline where strand like '%/tracked-battle'"


async def flies(table: Table, title: str, impulse: int, thrust: int) -> None:
    """Both plot a piece."""
    for side, unit in (("blue", "BU1"), ("red", "RU1")):
        await table.plays(side, title, f"{unit}: thrust {thrust} on {impulse}")


async def referees_see(rita: Person) -> list[str]:
    """What a referee is told who asks whom play waits for, what may be closed, and where it may go back to."""
    told: list[str] = []
    for command in ("late", "status", "resolve-now"):
        answer = await rita.does(f"referee {command}")
        files = [file["description"] for file in answer["message"]["attachments"]]
        told += [neutral(said(answer)), *files]
    return [*told, *[one["name"] for one in await rita.seat.complete("referee rewind", "to", "")]]


async def test_a_referee_goes_back_into_a_tracked_battle_and_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    texts, names = scenario_of(WORLD, turns=1), (*SEATS.values(), SPECTATOR)
    async with open_scenario(tmp_path, "small", texts, names=names, book="border_patrol") as stage:
        table = Table(stage, SEATS, "Turn {}: movement")
        await table.begin("border_patrol/small")
        ann, leo, rita = table.of("blue"), table.of("red"), stage.rita
        await table.turn(1, blue="B1: react any; orders within 1", red="R1: route 0502")
        await ann.sheet(RESULT)
        before = await referees_see(rita)
        await wish_all(BATTLE, BEGIN, ann, leo)
        for side in SEATS:
            await table.plays(side, "Set-up")
        await flies(table, "Turn 1, impulses 1–16", 3, 1)
        into = len(stage.journal())
        await flies(table, "Turn 1, impulses 17–32", 19, 2)
        last = await ann.sheet("Turn 2, impulses 1–16")
        await stage.settled()
        assert await referees_see(rita) == before, "nothing of it is awaited, closed or gone back to"

        # Back to after its first piece: the second is plotted anew, also by a bot that starts from there.
        await goes_back(rita, into)
        await ann.post(BATTLE, "**The referee went back into this battle.**")
        assert pressable(await ann.changed(last, "Withdrawn: the referee went back")) == []
        await stage.settled()
        await stage.dies_and_returns()
        await flies(table, "Turn 1, impulses 17–32", 19, 1)
        last = await ann.sheet("Turn 2, impulses 1–16")
        await stage.settled()
        told = await told_in(leo, BATTLE)
        assert told.count("RU1 Talon, impulses 1 to 16: On 3: RU1 accelerates by 1") == 1
        assert "RU1 accelerates by 2 to C: vector 3C." in told
        assert told.endswith("Ranges: BU1 to RU1 23."), "where less thrust has led"

        # Back to before anybody wished it: it is a battle as any other, and can be tracked from its set-up.
        await goes_back(rita, stage.journal().index("tracking"))
        assert pressable(await ann.changed(last, "Withdrawn: the referee went back")) == []
        await stage.settled()
        assert stage.rows(STRANDS) == []
        assert "Track from the set-up" in buttons(await tracker_of(leo, BATTLE))
        await wish_all(BATTLE, BEGIN, leo, ann)
        for side in SEATS:
            await table.plays(side, "Set-up")
        await ann.sheet("Turn 1, impulses 1–16")
        await stage.dies_and_returns()
        await table.agree(RESULT, "BU1: fate disengaged\nRU1: fate damaged; warp 5; crippled yes", *SEATS)
        await ann.post(BATTLE, OVER)
        assert FILM not in await told_in(leo, BATTLE), "what was flown is void, and since then not a turn was"
        await nobody_else_heard(stage, SEATS)
        await record_holds(stage, tmp_path, monkeypatch)
