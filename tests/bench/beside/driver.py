"""One piece of play by whichever checkout ``PYTHONPATH`` names; prints what it took as JSON.

    driver.py campaign TURNS | world TASK_FORCES TURNS | introduction KEY SEEDS

Another version runs this file as well, so it uses only what has long been there under the same names.
"""

import hashlib
import json
import resource
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import rules_engine
from bot.campaigns.scenarios import InstalledScenarios
from bot.running import spare_the_collector
from bot.settings import BUILT_IN
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.records.journal import JournalEntry, check_chain
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.rulebooks.pq17 import RULEBOOK
from tests.rulebooks.players import Match
from tests.rulebooks.pq17.playing.campaign_play import CAMPAIGN, CampaignPlay, scenario
from tests.rulebooks.pq17.playing.officers import Manner
from tests.rulebooks.pq17.worlds.large import armada

COMMANDS = ("open", "try_answer", "answer", "close")
EVERYBODY_MOVES = Manner(bold=1.0, whims=0.0, silence=0.0)
MOST_ROUNDS = 400


class Engine:
    """The processor time of an adjudicator's commands, with the forms and defaults of what they open: those are its
    work even if they are made only when somebody looks."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._running = False
        for name in COMMANDS:
            command = getattr(Adjudicator, name)
            timed = self.timed(command)
            setattr(Adjudicator, name, staticmethod(timed) if name == "open" else timed)

    def timed(self, command: Callable[..., Any]) -> Callable[..., Any]:
        """A command with its time counted, once where one command gives another."""

        def timed(*arguments: Any, **named: Any) -> Any:
            if self._running:
                return command(*arguments, **named)
            self._running = True
            start = time.process_time()
            try:
                found = command(*arguments, **named)
                look_at(getattr(found[1] if isinstance(found, tuple) else found, "opened", ()))
            finally:
                self.seconds += time.process_time() - start
                self._running = False
            return found

        return timed


def look_at(asks: Iterable[AnyAsk]) -> None:
    """See what a side sees first of its asks."""
    for ask in asks:
        _ = ask.form, ask.default


def replayed(played: Adjudicator[Any], lines: Sequence[str], seed: bytes) -> float:
    """Processor seconds of the journal played again; it must come out alike."""
    entries = [JournalEntry.model_validate_json(line) for line in lines]
    start = time.process_time()
    check_chain(entries)
    again = Adjudicator(played.rulebook, played.genesis, seed)
    for entry in entries:
        look_at(again.repeat(entry).opened)
    seconds = time.process_time() - start
    assert again.digest() == played.digest()
    return seconds


def campaign(engine: Engine, turns: int) -> Iterable[CampaignPlay]:
    """The great campaign's first turns, or all of them, played by officers."""
    book, document = scenario(CAMPAIGN, turns=turns)
    yield CampaignPlay(book, document, 1, check=False).play()


def world(engine: Engine, forces: int, turns: int) -> Iterable[CampaignPlay]:
    """Some turns of a made-up world, both sides moving all they have; its opening is not counted."""
    document = armada(forces, forces * 10 // 3, 1, turns=turns + 1)
    game = CampaignPlay(RULEBOOK, document, 1, manner=EVERYBODY_MOVES, check=False)
    engine.seconds = 0.0
    yield game.play(turns)


def introduction(engine: Engine, key: str, seeds: int) -> Iterable[Match]:
    """An introduction, played by random players to its end, once for each seed."""
    for seed in range(1, seeds + 1):
        game = Match(*InstalledScenarios(BUILT_IN).read(key), seed)
        game.play(MOST_ROUNDS)
        yield game


def main(words: Sequence[str]) -> None:
    """Play, and print what it took."""
    tree = Path(rules_engine.__file__ or "").parents[1]
    kind, *given = words
    engine = Engine()
    spare_the_collector()  # as the bot does
    plays = {"campaign": campaign, "world": world, "introduction": introduction}[kind]
    games = list(plays(engine, *(int(one) if one.isdecimal() else one for one in given)))
    # the process that starts this one is smaller, else its own peak would be found here
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = engine.seconds
    journal = hashlib.sha256()
    again = 0.0
    for game in games:
        lines = game.lines if isinstance(game, CampaignPlay) else [step.line for step in game.steps]
        journal.update("\n".join(lines).encode())
        again += replayed(game.adjudicator, lines, game.key if isinstance(game, CampaignPlay) else game.seed)
    found = {"seconds": seconds, "replayed": again, "memory": memory, "journal": journal.hexdigest(), "tree": str(tree)}
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
