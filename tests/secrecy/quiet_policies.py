"""Policies of sides about which the watcher can learn nothing, and the rules by which that is so.

PQ-17: a side learns of the other only by sharing a hex with it (6.2.2, 6.3.1), by settled hexes and known bases
standing there, by the initiative's roll and bids, and by public victory points. So the sides keep to their own columns,
of which none belongs to both, and nobody bids. Nobody runs on either: a side that does is not waited for, so that the
other's Ready closes planning, just as if it had been ready first; who was last is seen wherever asks close early
(ruling FOG-3). So is that play rests for one side's plots or logistics: there the others plan, and want no such sheets.

Cutler: everybody sees counters and their moves (2.6.3), the order of espionage and of scans, and what scans are made
(8.7). A race hears of missions against itself (6.5.1) and of whom it meets (3.1). So the others' counters move alike
in both worlds, they spy on each other only, and scan nothing.
"""

import re
from collections.abc import Mapping
from random import Random
from typing import Any

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from tests.rulebooks.players import random_answer

Sheet = dict[str, dict[str, Any]]
_HEX = re.compile(r"\b\d{4}\b")
WATCHERS_COLUMNS = range(1, 5)
"""Columns in which the Alliance's forces stand."""


def keeping_to(mine: range, *, stay: bool = False, planning_only: bool = False) -> Any:
    """PQ-17: anything, but no step out of these columns and no bid; with ``stay`` no step at all; with
    ``planning_only`` no sheets are asked for but planning's."""

    def policy(adjudicator: Any, side: str, ask: AnyAsk, chance: Random) -> Any:
        document = random_answer(adjudicator, side, ask, chance)
        for line in document.values():
            if ask.kind == "planning":
                line["bid"] = 0 if line.get("bid") is not None else None
                line["run"] = "ask" if line.get("run") is not None else None
                for wish, least in (("ask", "contact"), ("sheet", "never")):
                    if planning_only and line.get(wish) is not None:
                        line[wish] = least
                if line.get("route") and (stay or not _inside(line["route"], mine)):
                    line["route"] = ""
            if line.get("move") and (stay or not _inside(line["move"], mine)):
                line["move"] = "stay"
        if _is_legal(adjudicator, side, ask, document):
            return document
        plain = ask.default.model_dump(mode="json")
        assert stay or all(_inside(line.get("route") or "", mine) for line in plain.values())
        return plain

    return policy


def _inside(text: str, columns: range) -> bool:
    return all(int(one[2:]) in columns for one in _HEX.findall(text))


def _is_legal(adjudicator: Any, side: str, ask: AnyAsk, document: Any) -> bool:
    try:
        adjudicator.try_answer(side, ask.id, document)
    except Refused:
        return False
    return True


def by_default(adjudicator: Any, side: str, ask: AnyAsk, chance: Random) -> Any:
    """Say the default aloud."""
    return ask.default.model_dump(mode="json")


def differently(policy: Any, salt: object) -> Any:
    """The same policy with other luck."""
    return lambda adjudicator, side, ask, chance: policy(adjudicator, side, ask, Random(f"{salt}/{chance.random()}"))


def cutler_sheet(lines: Mapping[str, Mapping[str, Any]]) -> Any:
    """Cutler: the turn's sheet with these lines, every other ask by its default; fleets hold where they are."""

    def policy(adjudicator: Any, side: str, ask: AnyAsk, chance: Random) -> Any:
        if ask.kind == "turn":
            return {key: dict(line) for key, line in lines.items()}
        return by_default(adjudicator, side, ask, chance)

    return policy
