"""Random play with random standing orders: nothing impossible comes up, it replays, the order in which things close
changes nothing, and orders are changed and taken back all the while."""

from random import Random
from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.replay import replay
from rules_engine.rulebooks.cutler import RULEBOOK
from tests.rulebooks.cutler.armed import crowded
from tests.rulebooks.players import random_answer
from tests.rulebooks.strand_play import StrandPlay
from tests.seeds import QUICK, fewer_seeds

CLAUSES = (
    ("combat", "bypass", "combat x1.5", "cards ask"), ("run", "run x2", "run never", "run ask"),
    ("pursue", "pursue x1.5", "pursue never", "pursue ask"), ("flank", "flank never", "flank ask"),
    ("lodge", "lodge ask"), ("land", "land never"), ("cloak stay", "cloak show", "cloak ask"),
    ("go on", "hold", "ask plots"),
)  # fmt: skip
OF_SIDE = (
    ("counter 10", "counter all", "counter never"), ("challenge never", "challenge ask"), ("sorties never",),
    ("transfers never",), ("details never", "details ask"),
)  # fmt: skip


def some_orders(chance: Random, *, of_side: bool = False) -> str:
    """Some clauses in any order; now and then none."""
    clauses = [chance.choice(ways) for ways in (*CLAUSES, *(OF_SIDE if of_side else ())) if chance.random() < 0.5]
    chance.shuffle(clauses)
    return "; ".join(clauses) if chance.random() < 0.9 else "usual"


class Routine(StrandPlay):
    """Random answers; every sheet on which orders may be given gives some, now and then a patrol or a stop."""

    def answer(self, ask: AnyAsk, side: str, *, draft: float | None = None) -> None:
        """The answer that counts, or a ``draft`` that will be replaced."""
        chance = Random(f"{self.number}/{ask.id}/{draft}")
        document: Any = random_answer(self.adjudicator, side, ask, chance)
        if ask.kind in ("turn", "plot"):
            document.setdefault("standing", {})["orders"] = some_orders(chance, of_side=True)
            for line in ask.form.lines:
                if not line.key.startswith("F"):
                    continue
                here = next(word for word in line.note.replace(",", "").split() if word.isdecimal() and len(word) == 4)
                other = chance.choice(self.adjudicator.view(side).board.grid.neighbours(here))
                changed = {
                    "orders": some_orders(chance),
                    "stop": chance.choice(("contact", "turn 2", "at 0404", "contact; turn 3")),
                    "course": f"loop {here} {other}",
                    "go": "course",
                }
                kept = {key: value for key, value in changed.items() if chance.random() < 0.4}
                tried = {**document, line.key: {**document.get(line.key, {}), **kept}}
                if not ask.refusals_of(tried):
                    document = tried
        self.take(self.adjudicator.answer(side, ask.id, document, by=side, at=self.entries[0].at))
        if draft is None:
            self.final.add((ask.id, side))


@pytest.mark.parametrize("empires", [2, 3])
@pytest.mark.parametrize("seed", fewer_seeds())
def test_play_by_standing_orders_holds_and_replays(empires: int, seed: int) -> None:
    game = Routine(RULEBOOK, crowded(empires, turns=2), seed)
    decided = 0
    while game.adjudicator.ending is None and game.adjudicator.turn <= 2:
        game.finish(game.adjudicator.strands()[0])
        assert not game.adjudicator.defects()
    for side in game._sides:
        decided += sum(one.kind == "doctrine" for one in game.told(side))
    assert decided > 5 or seed not in QUICK  # a drawn one may have little to decide
    assert replay(RULEBOOK, game.entries, game.seed).digest() == game.adjudicator.digest()


@pytest.mark.parametrize("seed", fewer_seeds())
def test_the_order_in_which_things_close_changes_nothing(seed: int) -> None:
    plain = Routine(RULEBOOK, crowded(3, turns=1), seed).play(1)
    mixed = Routine(RULEBOOK, crowded(3, turns=1), seed, order=Random(seed), watched=True).play(1)
    assert mixed.problems == []
    assert mixed.outcome() == plain.outcome()


@pytest.mark.parametrize("seed", fewer_seeds())
def test_so_it_is_where_windows_are_fixed(seed: int) -> None:
    game = Routine(RULEBOOK, crowded(3, turns=1), seed, patient=True, rebuilt=8).play(1)
    assert [ask for step in game.steps for ask in step.opened if ask.kind == "waiting"]
    assert replay(RULEBOOK, game.entries, game.seed).digest() == game.adjudicator.digest()
