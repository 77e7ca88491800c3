"""Inertial vectors at the size of a large battle: a turn of 24 ships flown, and their captains' sheets judged."""

import time
from typing import Any

from rules_engine.core.forms.order_text import read_sheet
from rules_engine.rulebooks.vector.plotting.asking import plot_ask
from rules_engine.rulebooks.vector.records.plots import UnitPlot
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.coasting import drifts
from rules_engine.rulebooks.vector.tracker.flying import end_turn, fly_piece
from rules_engine.rulebooks.vector.tracker.foreseen import foresee
from tests.bench.figures import Counts, Figure, Tick, middle, p95
from tests.rulebooks.vector.skies import Loaded, plot, sky

PART = "Vectors"
SIDES = 6
SHIPS = 4
EVENTS = (
    "accelerate 5 on 2",
    "turn right on 3",
    "accelerate 3 on 10",
    "turn left on 12",
    "slip left on 16",
    "when within 8 from 13 to 16: turn towards",
)
SHEET = (
    "accelerate 5 on 2; turn right on 3; accelerate 3 on 10; turn left on 12; when nearest enemy within 8: turn towards"
)


def steps(counts: Counts) -> int:
    return counts.repeats + 1


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """Turns flown in two pieces, a plot judged alone and on its captain's sheet, and where all coast."""
    turns: list[float] = []
    for _ in range(counts.repeats):
        turns.append(turn_ms())
        tick()
    battle = large()
    one = [spent(lambda: foresee(battle, "A1", plot(*EVENTS), 16)) for _ in range(counts.repeats)]
    sheet = [spent(lambda: sheet_judged(battle)) for _ in range(counts.repeats)]
    coasting = [spent(lambda: [drifts(battle, ship) for ship in battle.present()]) for _ in range(counts.repeats)]
    tick()
    size = f"{SIDES * SHIPS} ships of {SIDES} sides, all thrust and turn"
    return [
        Figure(PART, "a turn resolved", middle(turns), "ms", p95=p95(turns), note=size),
        Figure(PART, "a plot judged", middle(one), "ms", p95=p95(one), note="one ship, six events"),
        Figure(PART, "a sheet judged and read back", middle(sheet), "ms", p95=p95(sheet), note=f"{SHIPS} ships"),
        Figure(PART, "all drifts of a map", middle(coasting), "ms", p95=p95(coasting), note=size),
    ]


def large() -> Tactical:
    """A battle of 24 ships at speeds of 8 to 30, at the beginning of its first turn."""
    lines = [
        f"{'ABCDEF'[side]}{ship + 1} side-{side} {10 + 8 * side:02}{20 + 5 * ship} {'ABCDEF'[ship]} "
        f"{4 + 3 * ship}{'ABCDEF'[side]}+{4 + side}{'ABCDEF'[(side + 1) % 6]}"
        for side in range(SIDES)
        for ship in range(SHIPS)
    ]
    return sky("\n".join(lines))


def turn_ms() -> float:
    """The processor time of flying a turn in two pieces, and ending it."""
    battle = large()
    first: dict[str, UnitPlot] = {one: plot(*EVENTS) for one in battle.units}

    def fly() -> None:
        fly_piece(battle, first, 16, Loaded())
        fly_piece(battle, {}, 32, Loaded())
        end_turn(battle)

    return spent(fly)


def sheet_judged(battle: Tactical) -> None:
    """A captain's sheet typed, judged and read back."""
    ask = plot_ask(battle, "side-0")
    text = "\n".join(f"A{ship + 1}: {SHEET}" for ship in range(SHIPS))
    answer = ask.answer_from({**read_sheet(ask.form, text, ask.refusals_of)})
    assert len(list(ask.read_back(answer))) >= SHIPS


def spent(work: Any) -> float:
    """The processor time of something, in milliseconds."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1_000
