"""Captains who mean something: they seek the others, lie in wait, run, hide, tow and have engines overhauled.

Random players seldom fill a whole line in legally; these try a few plans for each stack, from their own Team's form and
map alone, and keep the first that is legal.
"""

import random
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from rules_engine.core.basics.base import Json
from rules_engine.core.forms.forms import Line, Sheet
from rules_engine.core.knowledge.views import Board
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.adjudicator import Adjudicator
from tests.rulebooks.players import Match, judged
from tests.rulebooks.test_every_rulebook import SHELF

STEALTHY = ("hide", "hide", "hide", "wait")
PLANS = ("seek", "seek", "seek", "wait", "wait", "run", "hide", "tow", "overhaul", "home", "part", "join")
WORDS = (
    ("go on", "stop", "turn back", "ask ahead"),
    ("stay", "withdraw", "break out", "break out or withdraw"),
    ("refuse", "let go", "let go ask"),
    ("return never", "return", "return ask"),
    ("spare convoys", "fight convoys", "convoys ask"),
    ("keep together never", "keep together never", "keep together"),
)
SPEED = re.compile(r"allowance (\d+)")
PLACE = re.compile(r"at (\d{4})")


class CaptainsMatch(Match):
    """A campaign whose sheets are filled in by captains; all else is answered at random."""

    def answer_to(self, side: str, ask: AnyAsk) -> Json:
        """A sheet for the turn by plans, all else at random."""
        if ask.kind == "plot":
            return captains_sheet(self.adjudicator, side, ask, self.chance)
        return super().answer_to(side, ask)


def captains_sheet(
    adjudicator: Adjudicator[Any], side: str, ask: AnyAsk, chance: random.Random, plans: Sequence[str] = PLANS
) -> Json:
    """A legal sheet, stack by stack, of these plans."""
    board = adjudicator.view(side).board
    sheet = ask.form.prefilled()
    legal = judged(adjudicator, side, ask, sheet)
    for line in (one for one in ask.form.lines if not one.key.endswith("-ships")):
        ships = ask.form.line(f"{line.key}-ships")
        for plan in chance.sample(plans, 4):
            tried = {**sheet, **_filled(plan, Seat(board, side, line, ships), sheet, chance)}
            answer = judged(adjudicator, side, ask, tried)
            if answer is not None:
                sheet, legal = tried, answer
                break
    assert legal is not None
    return legal.model_dump(mode="json", exclude_unset=True)


class Seat(NamedTuple):
    """What a captain has before him: the map, and a stack's lines."""

    board: Board
    side: str
    line: Line
    ships: Line | None


def _filled(plan: str, seat: Seat, sheet: Sheet, chance: random.Random) -> Sheet:
    """What a plan puts into a stack's lines."""
    board, side, line, ships = seat
    own, second = dict(sheet[line.key]), dict(sheet.get(f"{line.key}-ships", {}))
    fields = {field.key: field for one in (line, ships) if one is not None for field in one.fields}
    words = [chance.choice(choices) for choices in WORDS]
    own["orders"] = "; ".join(words)
    units = [choice.value for choice in fields["emergency"].choices]
    if len(units) > 1 and "break out" in own["orders"]:
        second["rearguard"] = [units[-1]]
    match plan:
        case "seek":
            own["route"] = _way(board, line, _goal(board, side, line, chance))
        case "wait":
            own |= {"react": chance.choice(("any", "any", "lone", "must", "ask")), "route": None}
            own |= {"cloak": chance.choice(("no", "all turn", "until it reacts"))} if "cloak" in fields else {}
        case "run":
            own |= {"emergency": units, "route": _way(board, line, _goal(board, side, line, chance), more=3)}
        case "hide" if "cloak" in fields:
            own |= {
                "cloak": chance.choice(("all turn", "until it reacts")),
                "route": _way(board, line, _goal(board, side, line, chance), most=3),
            }
        case "tow" if "tow" in fields:
            second["tow"] = [chance.choice(fields["tow"].choices).value]
            own["route"] = _way(board, line, _goal(board, side, line, chance), most=2)
        case "overhaul" if "overhaul" in fields:
            second["overhaul"] = [chance.choice(units)]
            own["route"] = None
        case "home":
            own["route"] = _way(board, line, _home(board, side, line))
        case "part" if "detach" in fields:
            second["detach"] = [chance.choice(units)]
            second["part_route"] = _way(board, line, _goal(board, side, line, chance), most=chance.choice((0, 1, 2)))
        case "join" if "join" in fields:
            own["route"] = None
            second = {"join": chance.choice(fields["join"].choices).value}
        case _:
            pass
    filled: dict[str, dict[str, Any]] = {line.key: own}
    if ships is not None:
        filled[f"{line.key}-ships"] = second
    return filled


def _here(line: Line) -> str:
    found = PLACE.search(line.note)
    assert found is not None
    return found[1]


def _goal(board: Board, side: str, line: Line, chance: random.Random) -> str:
    """A hex where others are, a near one rather, or any."""
    others = sorted({piece.hex for piece in board.counters if piece.owner not in (side, "") and piece.live})
    others.sort(key=lambda one: board.grid.distance(one, _here(line)))
    return chance.choice(others[:3] or board.grid.hexes())


def _home(board: Board, side: str, line: Line) -> str:
    bases = [piece.hex for piece in board.counters if piece.owner == side and piece.form == "base"]
    return min(bases, key=lambda one: board.grid.distance(one, _here(line)), default=_here(line))


def _way(board: Board, line: Line, goal: str, *, most: int = 99, more: int = 0) -> str | None:
    """As much of the way to a hex as the stack's allowance reaches."""
    speed = SPEED.search(line.note)
    hexes = list(_steps(board, _here(line), goal))[: min(most, int(speed[1]) if speed else 0) + more]
    return " ".join(hexes) or None


def _steps(board: Board, here: str, goal: str) -> Iterator[str]:
    yield from board.grid.line(here, goal)[1:]


# --- crews -----------------------------------------------------------------------------------------------------------
MOST = 4
"""Captains of a Team in the scenario that comes with the bot."""


def crewed(west: int, east: int, *, name: str = "neutral_zone", turns: int = 0) -> dict[str, Json]:
    """A scenario in which so many captains command each Team, and that lasts so many turns, if any are said."""
    document: dict[str, Any] = deepcopy(SHELF.read(f"border_patrol/{name}")[1])
    file, forces = document["file"], document["units"]
    file["turns"] = turns or file["turns"]
    seats: dict[str, str] = {}
    for team, count in zip((one["key"] for one in file["team"]), (west, east), strict=True):
        own = [one["key"] for one in file["captain"] if one["team"] == team]
        seats |= {key: own[index % count] for index, key in enumerate(own)}
    file["captain"] = [one for one in file["captain"] if one["key"] in seats.values()]
    commanders = {one["id"]: one["captain"] for one in forces["stack"]}
    for stack in forces["stack"]:
        stack["captain"] = seats[stack["captain"]]
    for unit in forces["unit"]:  # who lost the seat lost the flagship
        commander = commanders.get(unit["stack"] or "", "")
        unit["flagship"] = unit["flagship"] and seats.get(commander, "") == commander
    forces["convoy"] = [one for one in forces["convoy"] if one["sets_out"] <= file["turns"]]
    return document
