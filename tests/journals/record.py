"""Record a campaign of every scenario that ends within a test: ``python -m tests.journals.record``.

Do so only after raising the version of a rulebook whose running turns would come out differently, since hosts'
campaigns are pinned to it.
"""

from itertools import count
from pathlib import Path

from tests.rulebooks.players import AT, Match
from tests.rulebooks.test_every_rulebook import MOST_ROUNDS, SHORT, match

HERE = Path(__file__).resolve().parent


def path_of(key: str) -> Path:
    """The file of a scenario's recorded campaign."""
    return HERE / f"{key.replace('/', '-')}.jsonl"


def with_battles(key: str) -> Match:
    """The first random campaign of the scenario in which two battles were fought."""
    for seed in count():
        game = match(key, seed)
        game.play(MOST_ROUNDS)
        if sum(ask.pace == "battle" for step in game.steps for ask in step.opened) >= 2:
            return game
    raise AssertionError("count() has no end")


def main() -> None:
    """Record them all."""
    for key in SHORT:
        game = with_battles(key)
        steps = [*game.steps, game.adjudicator.reveal(by="clock", at=AT)]
        path_of(key).write_text("".join(f"{step.line}\n" for step in steps), encoding="utf-8")
        print(f"{key}: {len(steps)} entries")


if __name__ == "__main__":
    main()
