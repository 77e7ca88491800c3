"""The bot is killed at every step of the journal and the outbox in turn; nobody could tell afterwards.

The same record stands at the end, the same posts each once in every channel and in everybody's direct messages, the
same roles, channels and threads, and both sides go on. `make test` kills at eight points, one of each kind of step
for each seed; has the bot stand still at some; kills the playground, and both at once; `make test-full` kills at every
point there is.
"""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from bot.recording.battle_threads import OVER
from tests.crash.conftest import Undisturbed
from tests.crash.playing import play, play_from_afar
from tests.databases import DEFAULT, POSTGRESQL, cluster
from tests.seeds import DRAWN, IS_THOROUGH, QUICK

KINDS: dict[str, set[str]] = {
    "journal": {"journal", "start", "deadline", "write", "copy", "letter"},
    "outbox": {"sending", "done", "progress", "held", "later", "place", "sweep", "nudge", "sheet", "picture"}
    | {"absent", "present", "gone", "left", "opened", "card"},
    "answer": {"reply", "followup", "defer", "update_message", "open_modal"},
    "call": {
        *("post", "edit", "direct_channel", "create_role", "grant", "create_channel", "set_overwrites"),
        *("create_thread", "add_to_thread", "remove_from_thread", "revoke", "archive", "stir", "move_channel"),
    },
}
"""The kinds of steps, by the first word of their points' names."""

LEAST = 50
USUAL = 1_250
"""Points that a campaign passes; a queue that is held back more often on a busy machine passes some more."""
FIXED = 2
"""How many of the fixed seeds are tried, and how many new ones are drawn: each takes most of a minute."""
AT_ONCE = 3
"""Campaigns that one test plays side by side: much of their time is waiting."""
CHUNK = 12
TRIES = 3
"""Campaigns after which a point counts as one that is not reached."""


def seeds() -> tuple[int, ...]:
    """Some fixed ones, and the first of those drawn."""
    return (*QUICK[:FIXED], *DRAWN[:FIXED])


def kind_of(point: str) -> str:
    """The kind of step that a point belongs to."""
    return next(kind for kind, words in KINDS.items() if point.partition(".")[0] in words)


def name_of(point: str) -> str:
    """The name of a point, whichever time it is passed."""
    return point.partition("#")[0]


def sample(points: list[str], seed: int) -> list[str]:
    """One point of each kind: first any of the kind's names, then any of the times that it is passed."""
    chance = random.Random(seed)
    chosen: list[str] = []
    for kind in KINDS:
        name = chance.choice(sorted({name_of(point) for point in points if kind_of(point) == kind}))
        chosen.append(chance.choice([point for point in points if name_of(point) == name]))
    return chosen


async def killed_at(
    folder: Path, points: list[str], undisturbed: Undisturbed, database: str = DEFAULT, *, stop: bool = False
) -> list[str]:
    """Play a campaign for each point, a few side by side; gives what went differently, point by point."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(point: str, tries: int = TRIES) -> list[str]:
        async with room:
            try:
                outcome, passed, deaths = await play(folder / point, kill_at=point, database=database, stop=stop)
            except Exception as error:  # whatever went wrong, the report must say at which point
                return [f"{point}: {type(error).__name__}: {error}"]
        if point not in passed:
            last = last_of(point, passed)
            return await one(last, tries - 1) if last and tries > 1 else [f"{point} was not reached"]
        if deaths != (0 if stop else 1):
            return [f"{point}: the bot died {deaths} times"]
        return [f"{point}: {line}" for line in differences(undisturbed.outcome, outcome)]

    return [line for lines in await asyncio.gather(*map(one, points)) for line in lines]


def last_of(point: str, passed: list[str]) -> str:
    """The last point of that name that was passed: how often it is passed varies a little."""
    return next((one for one in reversed(passed) if name_of(one) == name_of(point)), "")


def differences(wanted: Any, found: Any, where: str = "") -> list[str]:
    """Where two values differ, each with its path."""
    if isinstance(wanted, dict) and isinstance(found, dict) and wanted.keys() == found.keys():
        return [line for key in wanted for line in differences(wanted[key], found[key], f"{where}.{key}")]
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        pairs = enumerate(zip(wanted, found, strict=True))
        return [line for number, (one, other) in pairs for line in differences(one, other, f"{where}[{number}]")]
    return [] if wanted == found else [f"{where}: {str(wanted)[:300]} became {str(found)[:300]}"]


def test_every_kind_of_step_is_a_point_at_which_the_bot_can_be_killed(undisturbed: Undisturbed) -> None:
    assert len(undisturbed.points) >= LEAST
    assert {kind_of(point) for point in undisturbed.points} == set(KINDS)
    assert "deadline.falls#1" in undisturbed.points
    names = [name_of(point) for point in undisturbed.points]
    assert names.count("letter.written") == len(undisturbed.outcome["letters"]) == 5
    assert "create_thread.after" in names
    threads = [one for one in undisturbed.outcome["channels"] if one["name"].startswith("Battle")]
    assert [one["archived and locked"] for one in threads] == [(True, True)]
    assert threads[0]["posts"][-1][0].startswith(OVER)


@pytest.mark.parametrize("seed", seeds() if IS_THOROUGH else seeds()[:1])
async def test_killed_anywhere_the_campaign_ends_the_same(tmp_path: Path, undisturbed: Undisturbed, seed: int) -> None:
    assert await killed_at(tmp_path, sample(undisturbed.points, seed), undisturbed) == []


@pytest.mark.thorough
async def test_killed_around_letters_each_stands_and_comes_once(tmp_path: Path, undisturbed: Undisturbed) -> None:
    """Before one is kept, before that is certain, and at what comes next: the answer, the post, what is handed on."""
    points = undisturbed.points
    written = [number for number, point in enumerate(points) if name_of(point) == "letter.written"]
    around = [points[number] for number in (written[0] - 1, written[0], written[1] + 1, written[-1] + 2)]
    assert await killed_at(tmp_path, around, undisturbed) == []


@pytest.mark.thorough
async def test_killed_on_postgresql_the_campaign_ends_the_same_as_undisturbed_on_the_default(
    tmp_path: Path, undisturbed: Undisturbed
) -> None:
    """Behind a commit that nobody was told of, and behind a call whose outcome nobody noted."""
    cluster()  # skips where there is none
    points = ["journal.committed#1", "sending.after_commit#1", "post.after#1"]
    assert await killed_at(tmp_path, points, undisturbed, POSTGRESQL) == []


async def test_standing_still_anywhere_the_campaign_ends_the_same(
    tmp_path: Path, undisturbed: Undisturbed, of_seed: random.Random
) -> None:
    """A machine that sleeps for longer than Discord waits for an answer, and wakes."""
    points = [of_seed.choice(undisturbed.points)]
    assert await killed_at(tmp_path, points, undisturbed, stop=True) == []


@pytest.mark.thorough
async def test_the_playground_killed_and_both_at_once_the_campaign_ends_the_same(
    tmp_path: Path, undisturbed_from_afar: Undisturbed, of_seed: random.Random
) -> None:
    for both in (False, True):
        point = of_seed.choice(undisturbed_from_afar.points)
        for number in range(TRIES):
            outcome, passed = await play_from_afar(tmp_path / f"{both}{number}", fail_at=point, both=both)
            assert differences(undisturbed_from_afar.outcome, outcome) == [], f"killed at {point}, both: {both}"
            if point in passed:
                break
            point = last_of(point, passed)
        assert point in passed, f"{point} was not reached"


@pytest.fixture(params=seeds()[1:])
def of_seed(request: pytest.FixtureRequest) -> random.Random:
    """Chance from one of the seeds, which a failing test's name tells."""
    return random.Random(request.param)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, USUAL, CHUNK))
async def test_killed_at_each_point_in_turn(tmp_path: Path, undisturbed: Undisturbed, first: int) -> None:
    is_last = first + CHUNK >= USUAL
    points = undisturbed.points[first:] if is_last else undisturbed.points[first : first + CHUNK]
    if not points:
        pytest.skip(f"there are only {len(undisturbed.points)} points")
    assert await killed_at(tmp_path, points, undisturbed) == []
