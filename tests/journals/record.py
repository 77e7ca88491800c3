"""Record a campaign of every scenario: ``python -m tests.journals.record``.

Random players play those that end within a test; officers play the first turns of PQ-17's great campaign, which brings
what no introduction has: periods, purchases, convoys, mines, forty forces. These have dice of the kind that there was
before seals, so that campaigns begun then play back. One more has sealed dice; its referee corrects something and goes
back once.

Do so only after raising the version of a rulebook whose running turns would come out differently, since hosts'
campaigns are pinned to it.
"""

from itertools import count
from pathlib import Path

from rules_engine.core.running.replay import rewind
from tests.rulebooks.players import AT, Match
from tests.rulebooks.pq17.playing.campaign_play import CAMPAIGN, CampaignPlay, scenario
from tests.rulebooks.pq17.playing.officers import Manner
from tests.rulebooks.test_every_rulebook import MOST_ROUNDS, SHORT, match

HERE = Path(__file__).resolve().parent
SEALED = "cutler/intro/sealed"
RECORDED = (*SHORT, CAMPAIGN, SEALED)
"""The scenarios of which there is a recorded campaign, and the one with sealed dice."""
CAMPAIGN_TURNS = 33
"""A period, its end and the beginning of the next."""
OFFICERS_SEED = 5
"""Of the first eight, that with the most plots and battles."""
SEALED_SEED = 1
ROUNDS_BEFORE = 8
"""How many rounds are played before the referee goes back."""


def path_of(key: str) -> Path:
    """The file of a scenario's recorded campaign."""
    return HERE / f"{key.replace('/', '-')}.jsonl"


def with_battles(key: str) -> Match:
    """The first random campaign of the scenario in which two battles were fought."""
    for seed in count():
        game = match(key, seed, sealed=False)
        game.play(MOST_ROUNDS)
        if sum(ask.pace == "battle" for step in game.steps for ask in step.opened) >= 2:
            return game
    raise AssertionError("count() has no end")


def with_seals() -> Match:
    """A random campaign with sealed dice, of which a part was played twice."""
    game = match(SEALED.removesuffix("/sealed"), SEALED_SEED)
    game.play(ROUNDS_BEFORE)
    back_to = [entry.seq for entry in game.entries if entry.body.kind == "closed"][-2]
    game.adjudicator, step = rewind(
        game.adjudicator.rulebook, game.entries, game.seed, to=back_to, by="referee", reason="a slip", at=AT
    )
    game.take(step)
    game.take(game.adjudicator.edit("empires.hydran.reserve", 150, by="referee", reason="a slip", at=AT))
    game.play(MOST_ROUNDS)
    return game


def lines_of(key: str) -> list[str]:
    """The journal of a campaign of the scenario, with its seed at the end."""
    if key == CAMPAIGN:
        book, document = scenario(turns=CAMPAIGN_TURNS)
        manner = Manner(bold=0.7, whims=0.4)
        game = CampaignPlay(book, document, OFFICERS_SEED, manner=manner, check=False).play()
        return [*game.lines, game.adjudicator.reveal(by="clock", at=AT).line]
    match = with_seals() if key == SEALED else with_battles(key)
    return [*(step.line for step in match.steps), match.adjudicator.reveal(by="clock", at=AT).line]


def main() -> None:
    """Record them all."""
    for key in RECORDED:
        lines = lines_of(key)
        path_of(key).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        print(f"{key}: {len(lines)} entries")


if __name__ == "__main__":
    main()
