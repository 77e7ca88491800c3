"""How often people are asked by Cutler's rules: prompts counted in play, by side, turn and kind of ask."""

from collections import Counter
from random import Random
from typing import Any

from rules_engine.core.basics.base import Json
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler import RULEBOOK
from tests.rulebooks.cutler.armed import NAMES, files
from tests.rulebooks.players import random_answer
from tests.rulebooks.strand_play import StrandPlay

ORDERS = (
    "run x2; pursue never; flank never; counter 10; lodge; challenge never; sorties never; transfers never; "
    "details never; cloak stay; go on"
)
"""Standing orders about all that there are clauses for, but for the card."""
BY_HAND = {"turn", "plot", "battle", "assault"}
"""What is answered at random; all else takes its default, and cards are combat as often as bypass."""


class Evening(StrandPlay):
    """A campaign of commanders who move and fight, and send their standing orders with each turn."""

    def orders_of(self, side: str) -> str:
        """What a commander sends."""
        return ""

    def answer(self, ask: AnyAsk, side: str, *, draft: float | None = None) -> None:
        """The same answers with standing orders as without."""
        chance = Random(f"{self.number}/{ask.id}")
        document: dict[str, Any] = {}
        if ask.kind in BY_HAND:
            answer: Any = random_answer(self.adjudicator, side, ask, chance)
            document = {
                key: line for key, line in answer.items() if key not in ("standing", "coordination", "stations")
            }
        elif ask.kind == "card":
            document = {"force": {"card": chance.choice(["bypass", "combat"])}}
        if ask.kind == "turn":
            document["standing"] = {"orders": self.orders_of(side)}
        self.take(self.adjudicator.answer(side, ask.id, document, by=side, at=self.entries[0].at))
        self.final.add((ask.id, side))


class Ordered(Evening):
    """The same with standing orders, by which half of them fight and half pass by."""

    def orders_of(self, side: str) -> str:
        card = Random(f"{self.number}/{side}").choice(["combat", "bypass"])
        return f"{card}; {ORDERS}"


def asked_in_turn(game: StrandPlay, turn: int) -> Counter[tuple[str, str]]:
    """How often each side was put an ask of each kind in a turn."""
    found: Counter[tuple[str, str]] = Counter()
    for step in game.steps:
        for ask in step.opened:
            if ask.awaited and ask.id.startswith(f"T{turn}/"):
                found.update((side, ask.kind) for side in ask.parties)
    return found


CORNERS = ("0101", "1101", "0109", "1109")
"""Hexes far from each other."""


def apart(empires: int, *, turns: int = 1, together: int = 0) -> dict[str, Json]:
    """So many empires, four at most, with a fleet each, far from all others; the first ``together`` of them share a hex
    in the middle of the map."""
    stands = {name: ["0605" if number < together else CORNERS[number]] for number, name in enumerate(NAMES[:empires])}
    document: dict[str, Any] = RULEBOOK.read_scenario(files(stands, turns=turns))
    return document
