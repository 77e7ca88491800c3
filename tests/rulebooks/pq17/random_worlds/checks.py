"""Random worlds played for three turns, and what must hold in them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any
from unittest import mock

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import Transition
from rules_engine.rulebooks.pq17 import sequence
from rules_engine.rulebooks.pq17.ch05_movement.movement import current_speed, has_point
from rules_engine.rulebooks.pq17.ch10_supply.fuel import can_move
from rules_engine.rulebooks.pq17.plotting import impulse_plots
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import FUEL_PER_HEX
from tests.rulebooks.pq17.playing.campaign_play import CampaignPlay, contact_problems
from tests.rulebooks.pq17.random_worlds.generator import BOOK, PERIOD, TURNS, Raider
from tests.rulebooks.pq17.worlds.dice import wrong_die

SAID: dict[str, str] = {
    "mine attack": " mine attack", "mines laid": " laid ", "minesweeping": " swept minefield ",
    "pursuit": " pursues E", "shadowing begun": " shadows it from now on", "shadowing ended": " no longer shadows ",
    "command points expended": " command point", "raid": "raid on ", "arrival": " came on in ",
}  # fmt: skip
"""Words of reports that tell that something happened."""
MUST_HAPPEN = (
    *SAID, "battle", "chain of shadowing", "long chain of shadowing", "payment to exactly zero", "port entered",
    "port left", "ship towed on", "pod carried on", "warp off", "end of a period",
)  # fmt: skip
"""What a sample of some worlds must have seen, or the sweep has gone blind."""


@dataclass
class Watch:
    """Watches a world being played."""

    happened: Counter[str] = field(default_factory=Counter[str])
    problems: list[str] = field(default_factory=list[str])
    paid: set[str] = field(default_factory=set[str])
    """Ships whose task force paid for a movement point in this impulse. A force formed after a battle inherits the plot
    of its sources (ruling CMB-19), so ships that joined these may move without having paid."""
    owners: dict[str, Side] = field(default_factory=dict[str, Side])
    """Whose each ship was then: prizes are of the force that took them and inherit its plot, too (ruling CMB-13)."""

    def over(self) -> AbstractContextManager[Any]:
        """Watch payments and moves while the world is played."""
        stack = ExitStack()
        expend, move = impulse_plots.expend_fuel, sequence.move

        def watched_expend(state: State) -> None:
            movers = [tf for tf in state.all_task_forces() if not tf.is_base and has_point(state, tf)]
            prices = {tf.id: dict(_prices(state, tf)) for tf in movers}
            before = {unit.id: unit.fuel for unit in state.units.values()}
            expend(state)
            self.paid = {unit_id for tf in movers for unit_id in tf.units}
            self.owners = {unit.id: unit.side for unit in state.units.values()}
            self._payments(state, before, prices)

        def watched_move(state: State, side: str, staying: Any = (), behind: Any = ()) -> list[TaskForce]:
            before = {tf.id: tf.hex for tf in state.all_task_forces()}
            ports = {tf.id: tf.in_port for tf in state.all_task_forces()}
            moved = move(state, side, staying, behind)
            self._moves(state, before, ports)
            return moved

        stack.enter_context(mock.patch.object(impulse_plots, "expend_fuel", watched_expend))
        stack.enter_context(mock.patch.object(sequence, "move", watched_move))
        return stack

    # --- payments and moves -------------------------------------------------------------------------------------------

    def _payments(
        self, state: State, before: Mapping[str, Fraction], prices: Mapping[str, Mapping[str, Fraction]]
    ) -> None:
        """Every task force with a movement point has paid for it, ship by ship, and nobody else has."""
        due: Counter[str] = Counter()
        for shares in prices.values():
            due.update(shares)  # pyright: ignore[reportArgumentType]
        for tf in state.all_task_forces():
            units = state.units_of(tf)
            if tf.tows:
                paid = sum((before[unit.id] - unit.fuel for unit in units), Fraction(0))
                wanted = sum((due[unit.id] for unit in units), Fraction(0))
                if paid != wanted:
                    self.problems.append(f"{tf.id} paid {paid} for a movement point instead of {wanted}")
                continue
            for unit in units:
                paid = before[unit.id] - unit.fuel
                if paid != due[unit.id]:
                    self.problems.append(f"{unit.id} of {tf.id} paid {paid} instead of {due[unit.id]}")

    def _moves(self, state: State, before: Mapping[str, HexId], ports: Mapping[str, str]) -> None:
        """Nobody enters a hex without having paid, and none but the nearest."""
        for tf in state.all_task_forces():
            if tf.hex == before[tf.id]:
                if tf.in_port != ports[tf.id]:
                    self.happened["port entered" if tf.in_port else "port left"] += 1
                    self._is_paid(state, tf, f"went in or out of port in {tf.hex}")
                continue
            if not _began_to_shadow(state, tf):
                self._is_paid(state, tf, f"moved from {before[tf.id]} to {tf.hex}")
            if state.grid.distance(tf.hex, before[tf.id]) != 1 or tf.in_port:
                self.problems.append(f"{tf.id} moved from {before[tf.id]} to {tf.hex}, in port of {tf.in_port!r}")
            self.happened["ship towed on"] += bool(tf.tows)
            self.happened["pod carried on"] += any(unit.carried_by for unit in state.units_of(tf))

    def _is_paid(self, state: State, tf: TaskForce, what: str) -> None:
        """Some ship of the force has paid for what it did, unless all are prizes taken since, with what they carry."""
        prizes = all(self.owners.get(unit.id) != unit.side for unit in state.units_of(tf))
        if not prizes and self.paid.isdisjoint(tf.units):
            self.problems.append(f"{tf.id} {what} and has not paid")


def _began_to_shadow(state: State, tf: TaskForce) -> bool:
    """Whether it, or a force that it shadows, began to shadow in this impulse: then it moves along with a target whose
    movement point it did not earn when fuel was expended (7.2.3, 7.3.1, ruling SHD-4)."""
    ahead, seen = tf, list[str]()
    while ahead.shadowing in state.task_forces and ahead.id not in seen:
        if state.has_mark(ahead, "declared_shadowing"):
            return True
        seen.append(ahead.id)
        ahead = state.task_forces[ahead.shadowing]
    return False


def _prices(state: State, tf: TaskForce) -> Iterator[tuple[str, Fraction]]:
    """What each ship owes for one movement point by table 1: its movement cost and its pods', if it has warp boxes.

    Ships that tow each other share their sum, so only it is right for them."""
    a_hex = FUEL_PER_HEX[current_speed(state, tf)]
    towed = {unit_id: tow for tow in tf.tows for unit_id in (tow.tower, *tow.towed)}
    for unit in state.units_of(tf):
        kind = state.class_of(unit)
        carrier = state.units.get(unit.carried_by)
        if carrier is not None and carrier.id in tf.units and kind.unit_kind != "ship":
            continue
        aboard = [one for one in state.units_of(tf) if one.carried_by == unit.id]
        pods = [one for one in aboard if state.class_of(one).unit_kind == "pod"]  # modules are cargo
        mass = sum((state.class_of(one).move_cost for one in (unit, *pods)), Fraction(0))
        tow = towed.get(unit.id)
        if tow is None:
            moves = unit.warp > 0
        else:
            members = (tow.tower, *tow.towed)
            moves = any(state.units[one].warp for one in members if one not in tow.engines_off)
        yield unit.id, a_hex * mass if moves else Fraction(0)


# --- what must hold between the steps ---------------------------------------------------------------------------------
def state_problems(state: State, kinds: set[str]) -> Iterator[str]:
    """What is wrong in a state while asks of these ``kinds`` are open."""
    for tf in state.all_task_forces():
        for unit in state.units_of(tf):
            if unit.fuel < 0 or unit.fate not in ("in play", "captured"):
                yield f"{unit.id} in {tf.id} is {unit.fate} with fuel {unit.fuel}"
        target = state.task_forces.get(tf.shadowing)
        if tf.shadowing and kinds == {"plot"}:
            if target is None or target.hex != tf.hex:
                yield f"{tf.id} shadows {tf.shadowing}, which is not in its hex"
            elif target.shadowing or not can_move(state, target, current_speed(state, target)):
                pass  # plots may still change its speed (ruling PQ-192)
            elif has_point(state, tf) and not can_move(state, tf, current_speed(state, tf)):
                yield f"{tf.id} shadows {tf.shadowing} without fuel for its next hex"
    for key, account in sorted(state.progress.command.items()):
        if min(account.bank, account.spent, account.entries) < 0:
            yield f"{key} has {account}"
    if state.total() != sum((line.amount for line in state.ledger), Fraction(0)):
        yield "the total is not the sum of the lines"


# --- world play -------------------------------------------------------------------------------------------------------
# a random world played for three turns by raiders: everything is checked after each step, what happened is counted.
LOOKS = 0.05
"""How often both sides look at everything they may see while sheets are open."""
WHOLE = 8
"""One world in so many is replayed from its beginning, and its state taken apart; the others from their last turn."""


class WorldPlay(CampaignPlay):
    """One random world."""

    def __init__(self, number: int) -> None:
        self.watch = Watch()
        self.glances = Random(f"looks {number}")
        self.journal: list[JournalEntry] = []
        self.fuel: dict[str, Any] = {}
        super().__init__(BOOK, {"world": number}, number)
        chance = Random(f"officers {number}")
        self.officers = {side: Raider(self.adjudicator, side, Random(chance.random())) for side in self.officers}

    @property
    def happened(self) -> Counter[str]:
        """What happened, and how often."""
        return self.watch.happened

    def run(self) -> "WorldPlay":
        """Play the three turns, and replay them."""
        with self.watch.over():
            self.play(TURNS)
        problems = list(self._look())
        assert not problems, f"{self.where()}: {problems}"
        if self.seed % WHOLE == 0:
            self.verify()
        assert self._replayed().digest() == self.adjudicator.digest(), f"{self.where()}: the replay is different"
        return self

    def _replayed(self) -> Adjudicator[State]:
        """The world once more from its journal: from its last turn on, or now and then from the beginning."""
        if self.snapshot is None or self.seed % WHOLE == 0:
            return replay(self.adjudicator.rulebook, self.journal, self.key)
        again = Adjudicator(self.adjudicator.rulebook, self.adjudicator.genesis, self.key)
        again.restore(self.snapshot, self.entries[0])
        for entry in self.entries[1:]:
            again.repeat(entry)
        return again

    def _take(self, step: Transition) -> None:
        self.journal.append(step.entry)
        wrong = (wrong_die(roll.purpose, roll.faces, roll.low) for roll in step.rolls)
        self.watch.problems += filter(None, wrong)
        if step.closed or self.tally.steps == 0:
            self._count(self.state, step)
        super()._take(step)

    # --- checking -----------------------------------------------------------------------------------------------------

    def problems(self) -> Iterator[str]:
        """What is wrong between state, reports and knowledge; now and then, in what the sides can look at, too."""
        yield from self.watch.problems
        yield from state_problems(self.state, {ask.kind for ask in self.adjudicator.open_asks()})
        for side, folded in self.folded.items():
            if self.adjudicator._shared.knowledge[side] != folded:
                yield f"{side} does not know what its reports told it"
            if not self._awaits_announcement():
                yield from contact_problems(self.state, side, folded)
        if self.glances.random() < LOOKS:
            yield from self._look()

    def _look(self) -> Iterator[str]:
        """Everything that each side can look at can be made and written as JSON, and is what its reports support."""
        adjudicator = self.adjudicator
        for side, folded in self.folded.items():
            adjudicator.view(side).model_dump_json()
            for table in adjudicator.side_tables(side):
                table.model_dump_json()
            menu = adjudicator.odds_menu(side)
            if menu.own and menu.targets:
                own, target = self.glances.choice(menu.own), self.glances.choice(menu.targets)
                adjudicator.odds(side, own.value, target.value).model_dump_json()
            seen, _ = adjudicator._seen_by(side)
            board = adjudicator.rulebook.side_board(seen, side, folded)
            if board != adjudicator._boards[side]:
                yield f"{side}'s board is not what its reports support"
        adjudicator.public_view().model_dump_json()

    # --- counting -----------------------------------------------------------------------------------------------------

    def _count(self, state: State, step: Transition) -> None:
        happened = self.happened
        chain = max((_links(state, tf.id) for tf in state.all_task_forces()), default=0)
        happened["chain of shadowing"] += chain >= 2
        happened["long chain of shadowing"] += chain >= 3
        now = {unit.id: unit.fuel for unit in state.units.values()}
        happened["payment to exactly zero"] += sum(self.fuel.get(key, 0) > 0 == fuel for key, fuel in now.items())
        self.fuel = now
        happened["warp off"] += any(not tf.posture.warp for tf in state.all_task_forces() if not tf.is_base)
        happened["end of a period"] += state.turn % PERIOD == 1 and any("/planning/" in one.id for one in step.opened)
        happened["battle"] += sum(ask.kind == "battle" for ask in step.opened)
        for what, words in SAID.items():
            happened[what] += sum(words in report.text for report in step.reports)


def _links(state: State, tf_id: str) -> int:
    """How many links of shadowing lead on from a task force."""
    links = 0
    while (found := state.task_forces.get(tf_id)) is not None and found.shadowing and links < 20:
        links, tf_id = links + 1, found.shadowing
    return links
