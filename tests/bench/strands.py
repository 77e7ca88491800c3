"""Cutler's rules with many empires, whose play parts: a turn, a set-up, how often people are asked, and a click in the
thick of it.

A turn's time is the processor time of resolving its journal again. Rests are counted in one and the same play: each
closing is a rest where one thing is fought out after the other; where all that is open closes side by side, a round of
it is one.
"""

import time
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.campaigns.loaded import LoadedCampaigns
from bot.campaigns.runtime import Runtime
from bot.campaigns.scenarios import InstalledScenarios
from bot.orders.open_prompt import OpenPrompt
from bot.records.campaign_settings import CampaignSettings
from bot.services import Services
from bot.settings import BUILT_IN
from bot.store.database import Store, open_store
from rules_engine.core.records.journal import Closed
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.rulebooks.cutler import RULEBOOK
from tests.bench.figures import Counts, Figure, Tick, middle, p95
from tests.bench.matches import set_up_of
from tests.rulebooks.cutler.armed import crowded
from tests.rulebooks.players import Match
from tests.rulebooks.strand_play import StrandPlay

PART = "Strands"
FLEETS = 6
"""Of each empire in a large turn, with three ships each: with seven empires 126 ships, and seven bases."""

SIDE_BY_SIDE = 0.65
"""Of the rests one after the other, with seven empires, at most so many are left."""

HEXES = 21
"""In which fleets stand together at the start, each a strand."""

MANY = 20
"""Strands that are open at least."""

ONE_CLICK_LATER = 5.0
"""Milliseconds that an answer may come later where play has parted."""


def steps(counts: Counts) -> int:
    return 2 * counts.repeats + len(counts.empires) * counts.parting + 1


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """A turn, a set-up, the rests, and a click."""
    turns: list[float] = []
    set_ups: list[float] = []
    most = max(counts.empires)
    for seed in range(counts.repeats):
        turns.append(_seconds_again(_turn_of(most, seed)) * 1_000)
        tick()
        set_ups.append(_set_up_seconds(most, seed) * 1_000)
        tick()
    figures = [
        Figure(PART, f"a turn of {most} empires, {3 * FLEETS * most} ships", middle(turns), "ms", p95=p95(turns)),
        Figure(PART, "what that turn takes in memory at most", _turn_memory(most), "MiB"),
        Figure(PART, f"a set-up of {most} empires", middle(set_ups), "ms", p95=p95(set_ups)),
    ]
    figures += [_rests(empires, counts, tick) for empires in counts.empires]
    figures += await _clicks(counts)
    tick()
    return figures


def _turn_of(empires: int, seed: int) -> StrandPlay:
    return StrandPlay(RULEBOOK, crowded(empires, turns=1, fleets=FLEETS), seed).play(1)


def _turn_memory(empires: int) -> float:
    """MiB that resolving a turn's journal again takes at its peak, the campaign itself included."""
    game = _turn_of(empires, 0)
    tracemalloc.start()
    try:
        _seconds_again(game)
        return tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()


def _set_up_seconds(empires: int, seed: int) -> float:
    """From the draft of races to the first turn's sheets, each empire ordering its ships, with random answers."""
    return _seconds_again(set_up_of(empires, seed))


def _seconds_again(game: StrandPlay | Match) -> float:
    """Processor seconds to resolve a play's journal again."""
    adjudicator = Adjudicator(RULEBOOK, game.adjudicator.genesis, game.seed)
    began = time.process_time()
    for entry in game.entries:
        adjudicator.repeat(entry)
    return time.process_time() - began


def _rests(empires: int, counts: Counts, tick: Tick) -> Figure:
    """Rests a turn in rounds of all that is open, beside closings."""
    rounds = closings = turns = 0
    for seed in range(counts.parting):
        game = StrandPlay(RULEBOOK, crowded(empires), seed)
        while game.adjudicator.ending is None:
            rounds += 1
            for strand in game.adjudicator.strands():
                game.finish(strand)
        closings += sum(isinstance(entry.body, Closed) for entry in game.entries)
        turns += game.adjudicator.turn
        tick()
    return Figure(
        PART,
        f"rests a turn, {empires} empires",
        rounds / turns,
        "rests",
        closings / turns,
        "one after the other",
        target=SIDE_BY_SIDE if empires == max(counts.empires) else None,
        note=f"{counts.parting} seeds",
    )


# --- a click ----------------------------------------------------------------------------------------------------------


async def _clicks(counts: Counts) -> list[Figure]:
    """Opening a sheet, and being ready and not after all, where one strand is open and where more than twenty are."""
    looks: dict[bool, list[float]] = {}
    presses: dict[bool, list[float]] = {}
    strands = 0
    with TemporaryDirectory() as folder:
        store = await open_store(f"sqlite:///{Path(folder) / 'bench.db'}")
        try:
            desk = await Desk.opened(store)
            for parted in (False, True):
                if parted:
                    await desk.meet()
                    strands = await desk.strands()
                prompts = await desk.open_prompts()
                looks[parted] = [await desk.look(prompts, number) for number in range(counts.clicks + counts.warm_up)]
                presses[parted] = [
                    await desk.press(prompts, number) for number in range(counts.clicks + counts.warm_up)
                ]
        finally:
            await store.close()
    note = f"{strands} strands are open; the bot's own part, without Discord"
    return [
        Figure(
            PART,
            name,
            middle(times[True][counts.warm_up :]),
            "ms",
            middle(times[False][counts.warm_up :]),
            "one strand",
            limit=ONE_CLICK_LATER,
            p95=p95(times[True][counts.warm_up :]),
            note=note,
        )
        for name, times in (("a sheet opened", looks), ("Ready pressed: journalled", presses))
    ]


class Desk:
    """The bot's services without Discord, and one campaign of seven empires, each with a commander of its number."""

    def __init__(self, services: Services, campaign: str, sides: Sequence[str]) -> None:
        self.services, self.campaign = services, campaign
        self.sides = {side: number for number, side in enumerate(sides, start=11)}

    @classmethod
    async def opened(cls, store: Store) -> "Desk":
        """A desk with a campaign under way."""
        runtime = Runtime(store, LoadedCampaigns(store, warm=4))
        services = Services.of(runtime, Crowd(BUILT_IN))
        found = await services.seats.founding.create(
            guild_id=1, user_id=1, title="Crowd", scenario="cutler/intro", settings=CampaignSettings(), interaction_id=1
        )
        desk = cls(services, found.id, [*found.side_names])
        for side, user in desk.sides.items():
            await services.seats.seats.join(found.id, user_id=user, name="n", side=side)
        await services.seats.founding.start(found.id, user_id=1)
        return desk

    async def open_prompts(self) -> list[tuple[int, OpenPrompt]]:
        """All open sheets of single sides, each with its commander."""
        return [
            (user, prompt)
            for user in self.sides.values()
            for prompt in await self.services.orders.prompts.open_prompts(self.campaign, user)
            if len(prompt.ask.parties) == 1
        ]

    async def meet(self) -> None:
        """Let time run out for whatever is open, until the first hexes are fought over."""
        while await self.strands() < MANY:
            plan = await self.services.referee.clock.early_closing(self.campaign, 1)
            await self.services.referee.clock.close_early(self.campaign, 1, plan.token)

    async def strands(self) -> int:
        """How many strands are open."""
        return len((await self.services.referee.clock.early_closing(self.campaign, 1)).strands)

    async def look(self, prompts: Sequence[tuple[int, OpenPrompt]], number: int) -> float:
        """Milliseconds to open one of the sheets."""
        user, prompt = prompts[number % len(prompts)]
        began = time.perf_counter()
        _ = (await self.services.orders.prompts.prompt(prompt.token, user)).card
        return (time.perf_counter() - began) * 1_000

    async def press(self, prompts: Sequence[tuple[int, OpenPrompt]], number: int) -> float:
        """Milliseconds for a side to say that it is ready, or every other time not after all."""
        user, prompt = prompts[0]
        began = time.perf_counter()
        await self.services.orders.readiness.say(prompt.token, user, is_ready=number % 2 == 0)
        return (time.perf_counter() - began) * 1_000


class Crowd(InstalledScenarios):
    """The installed scenarios, in which Cutler's introduction has seven crowded empires."""

    def read(self, key: str) -> tuple[Any, dict[str, Any]]:
        """The rulebook and the scenario."""
        book, _ = super().read(key)
        return book, crowded(7, fleets=FLEETS + 1, hexes=HEXES)
