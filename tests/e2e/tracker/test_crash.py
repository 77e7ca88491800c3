"""The bot dies while a piece of a tracked battle is closed, flown and told: after a restart everything stands once."""

import re
from collections import Counter
from pathlib import Path

import pytest

from bot.recording.battle_threads import OVER
from tests.e2e.border_patrol.worlds import scenario_of
from tests.e2e.crowd import open_scenario
from tests.e2e.cutler.table import SPECTATOR, Table
from tests.e2e.people import Person
from tests.e2e.stage import Stage
from tests.e2e.tracker.tracked import pictures_in, record_holds, told_in
from tests.e2e.tracker.unheard import nobody_else_heard
from tests.expected.sections import section
from tests.message_words import pressable

SEATS = {"blue": "ann", "red": "leo"}
WORLD = section("world")
BATTLE, RESULT = "Battle in 0502", "Result of the battle in 0502"
DEATHS = ("journal.written", "journal.committed", "sending.after_commit", "post.before", "post.after")
"""Where the bot dies, piece by piece: before the closing is certain; before anything of it is told; when the first post
is taken up; before one is sent; and before it is noted that one is there."""


def title_of(piece: int) -> str:
    """How the titles of a piece's plots begin, the first of all being 0."""
    return f"Turn {piece // 2 + 1}, impulses {first_of(piece)}–"


def first_of(piece: int) -> int:
    """A piece's first impulse."""
    return 1 + piece % 2 * 16


def shown_of(piece: int) -> str:
    """What the picture after a piece says of when it is."""
    return f"turn {2 + piece // 2} begins" if piece % 2 else f"turn {1 + piece // 2}, after impulse 16"


async def plot(who: Person, unit: str, piece: int) -> None:
    """Plot a piece: a bit of thrust."""
    card = await who.types(await who.sheet(title_of(piece)), f"{unit}: thrust 1 on {first_of(piece) + 2}")
    assert "Saved, receipt" in card["words"], card["words"]


class Crashing:
    """A bot that is started again and again, and passes points each time."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.lives = 0

    @property
    def log(self) -> Path:
        """Where the points of this life are listed."""
        return self.stage.folder / f"points-{self.lives}.log"

    def points(self) -> list[str]:
        """The points of this life."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    async def start_again(self, *, die_at: str) -> None:
        """Stop the bot, and start it: it dies when it first passes a point of that name, which it does not by starting
        alone."""
        self.lives += 1
        await self.stage.settled()
        await self.stage.stop_bot()
        await self.stage.start_bot(PLOTROOM_KILL_AT=f"{die_at}#1", PLOTROOM_KILL_LOG=str(self.log))


async def everything_stands_once(table: Table) -> None:
    """Of each piece the thread has one text and one picture, in order; each side has had one card, of which the last is
    open."""
    pieces = range(len(DEATHS) + 1)
    flown = [f"turn {1 + piece // 2}, {'end' if piece % 2 else 'impulse 16'}" for piece in pieces]
    shown = [shown_of(piece) for piece in pieces]
    for who in map(table.of, SEATS):
        text = await told_in(who, BATTLE)
        assert re.findall(r"turn \d+, (?:impulse 16|end)(?=\*\*)", text) == flown
        assert [line for line, count in Counter(re.findall(r".*Now in.*", text)).items() if count > 1] == []
        maps = (await pictures_in(who, BATTLE))[-len(shown) :]
        assert [moment in alt for moment, alt in zip(shown, maps, strict=True)] == [True] * len(shown)
        assert len([one for one in await pictures_in(who, BATTLE) if shown[0] in one]) == 1
        cards = [one for one in await who.direct() if "impulses" in one["words"]]
        titles = [re.findall(r"Turn \d+, impulses \d+–", one["words"])[0] for one in cards]
        assert titles == [title_of(piece) for piece in (*pieces, len(pieces))]
        assert [bool(pressable(one)) for one in cards] == [False] * len(pieces) + [True]
    assert len(table.stage.rows("select ask from tracked_rest")) == 1


async def test_killed_in_the_middle_of_a_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts, names = scenario_of(WORLD, turns=1), (*SEATS.values(), SPECTATOR)
    async with open_scenario(tmp_path, "small", texts, names=names, book="border_patrol") as stage:
        table, crashing = Table(stage, SEATS, "Turn {}: movement"), Crashing(stage)
        await table.begin("border_patrol/small", tracker="usual")
        ann, leo = table.of("blue"), table.of("red")
        await table.turn(1, blue="B1: react any; orders within 1", red="R1: route 0502")
        for who in (ann, leo):
            await who.ready(await who.sheet("Set-up"))

        # The first piece undisturbed.
        await plot(leo, "RU1", 0)
        await plot(ann, "BU1", 0)
        await ann.ready(await ann.sheet(title_of(0)))
        await leo.ready(await leo.sheet(title_of(0)))

        for piece, death in enumerate(DEATHS, start=1):
            await plot(leo, "RU1", piece)
            await plot(ann, "BU1", piece)
            await ann.ready(await ann.sheet(title_of(piece)))
            await crashing.start_again(die_at=death)
            closed = stage.journal().count("closed")
            await stage.dies_over(leo.ready(await leo.sheet(title_of(piece))))
            if death.startswith("journal"):
                assert crashing.points()[-1] == f"{death}#1"
                assert shown_of(piece) not in await told_in(ann, BATTLE)
            is_certain = stage.journal().count("closed") > closed
            assert is_certain == (death != "journal.written")
            if is_certain:
                assert stage.rows("select count(*) from outbox where status in ('queued', 'sending')") != [(0,)]
            await stage.start_bot()
            await stage.settled()
            if not is_certain:
                await leo.ready(await leo.sheet(title_of(piece)))
            await ann.sheet(title_of(piece + 1))
            await stage.settled()

        await everything_stands_once(table)
        await table.agree(RESULT, "BU1: fate disengaged\nRU1: fate damaged; warp 5; crippled yes", *SEATS)
        await stage.settled()
        for who in (ann, leo):
            assert OVER in await told_in(who, BATTLE)
            assert not [one for one in await who.direct() if "impulses" in one["words"] and pressable(one)]
        assert stage.rows("select strand from deadline") == []
        await nobody_else_heard(stage, SEATS)
        await record_holds(stage, tmp_path, monkeypatch)
