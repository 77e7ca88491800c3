"""A random world played for three turns by raiders: everything is checked after each step, what happened is counted."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import Transition
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.pq17.playing.campaign_play import CampaignPlay, contact_problems
from tests.rulebooks.pq17.random_worlds.checks import SAID, Watch, state_problems
from tests.rulebooks.pq17.random_worlds.generator import BOOK, PERIOD, TURNS
from tests.rulebooks.pq17.random_worlds.raiders import Raider
from tests.rulebooks.pq17.worlds.dice import wrong_die

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
            view = adjudicator.view(side)
            view.model_dump_json()
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
