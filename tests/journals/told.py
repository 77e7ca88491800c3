"""Write down all that campaigns tell: ``python -m tests.journals.told FILE``.

Both introductions are played to their ends by random players, and the great campaign for 30 turns by officers. FILE
gets a line for each thing told: journal entries (with the digests in them), reports, rolls, asks with their forms,
refusals, what answers read back, views, tables, odds, and each map's checksum with its words. Written before and after
a change that may change nothing, two files must be equal, byte for byte.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from typing import Any

from bot.campaigns.scenarios import InstalledScenarios
from bot.settings import BUILT_IN
from map_render import describe_battle, render_battle, render_omniscient, render_public, render_side
from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.transitions import Transition
from tests.form_documents import form_document
from tests.rulebooks.players import Match
from tests.rulebooks.pq17.playing.campaign_play import CampaignPlay, scenario
from tests.rulebooks.pq17.playing.officers import Manner

INTRODUCTIONS = ("pq17/intro", "cutler/intro")
CAMPAIGN_TURNS = 30
MOST_ROUNDS = 400


class Record:
    """The lines of one campaign, and what its adjudicator refuses."""

    def __init__(self, name: str, adjudicator: Adjudicator[Any]) -> None:
        self.name = name
        self.adjudicator = adjudicator
        self.lines: list[str] = []
        self.taken = 0
        judge = adjudicator.try_answer

        def try_answer(side: str, ask_id: str, document: Json) -> Any:
            try:
                return judge(side, ask_id, document)
            except Refused as refused:
                self.write("refused", side, ask_id, [str(one) for one in refused.refusals])
                raise

        adjudicator.try_answer = try_answer  # type: ignore[method-assign]

    def write(self, *words: Any) -> None:
        """A line of the file."""
        self.lines.append(json.dumps([self.name, *words], ensure_ascii=False, sort_keys=True, default=str))

    def take(self, steps: list[Transition]) -> None:
        """Write what the newest transitions told, and how everything looks after them."""
        for step in steps[self.taken :]:
            self.write("entry", step.line)
            for told in (*step.reports, *step.rolls):
                self.write("told", told.model_dump(mode="json"))
            for ask in step.opened:
                self._ask(ask)
            self.write("taken", {key: list(lines) for key, lines in step.taken.items()}, step.maps_for, step.public_map)
        self.taken = len(steps)
        self._looks()

    def _ask(self, ask: AnyAsk) -> None:
        default = (
            None if ask.default is None else [ask.default.model_dump(mode="json"), list(ask.read_back(ask.default))]
        )
        warned = [] if ask.default is None else list(ask.warn(ask.default))
        said = [ask.title, ask.text, ask.rule, ask.default_says, ask.pace, ask.awaited, ask.lines_stand]
        self.write("ask", ask.id, ask.kind, ask.parties, said, default, warned, form_document(ask.form))
        if ask.setup is not None:
            card = render_battle(ask.setup)
            self.write(
                "battle", ask.setup.model_dump(mode="json"), _sum(card.png), card.alt, describe_battle(ask.setup)
            )

    def _looks(self) -> None:
        adjudicator = self.adjudicator
        for label in adjudicator.sides:
            view = adjudicator.view(label.key)
            image = render_side(view)
            self.write("view", view.model_dump(mode="json"))
            self.write("map", label.key, _sum(image.png), image.alt)
            self.write("tables", [one.model_dump(mode="json") for one in adjudicator.side_tables(label.key)])
            menu = adjudicator.odds_menu(label.key)
            self.write("odds", {name: [one._asdict() for one in choices] for name, choices in menu})
            for own in menu.own[:3]:
                for target in menu.targets[:3]:
                    self.write("odds", self._odds(label.key, own.value, target.value))
        for kind, image in (
            ("public", render_public(adjudicator.public_view())),
            ("all", render_omniscient(adjudicator.omniscient_view())),
        ):
            self.write("map", kind, _sum(image.png), image.alt)

    def _odds(self, side: str, own: str, target: str) -> Json:
        try:
            return self.adjudicator.odds(side, own, target).model_dump(mode="json")
        except Refused as refused:
            return [str(one) for one in refused.refusals]


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def introduction(key: str, seed: int) -> Iterator[str]:
    """A random campaign to its end."""
    game = Match(*InstalledScenarios(BUILT_IN).read(key), seed)
    record = Record(f"{key} {seed}", game.adjudicator)
    record.take(game.steps)
    for _ in range(MOST_ROUNDS):
        if game.adjudicator.ending is not None:
            break
        game.play(1)
        record.take(game.steps)
    return iter(record.lines)


def campaign(turns: int) -> Iterator[str]:
    """The lines of the great campaign's first turns."""
    book, document = scenario(turns=turns)
    game = CampaignPlay(book, document, 1, manner=Manner(bold=0.8), check=False)
    record = Record(f"campaign {turns}", game.adjudicator)
    steps: list[Transition] = []
    take = game._take

    def taking(step: Transition) -> None:
        steps.append(step)
        take(step)

    game._take = taking  # type: ignore[method-assign]
    while game.adjudicator.ending is None and game.adjudicator.turn <= turns:
        game.batch()
        record.take(steps)
    return iter(record.lines)


def main(path: str) -> None:
    """Play and write."""
    with open(path, "w", encoding="utf-8") as out:
        for key in INTRODUCTIONS:
            for seed in (1, 2, 3):
                out.writelines(f"{line}\n" for line in introduction(key, seed))
        out.writelines(f"{line}\n" for line in campaign(CAMPAIGN_TURNS))


if __name__ == "__main__":
    main(sys.argv[1])
