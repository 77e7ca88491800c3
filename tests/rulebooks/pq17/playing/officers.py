"""Officers of both sides: how each fills in the sheets of a campaign, and how it chooses."""

import re
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, cast

from rules_engine.core.basics.base import HexId, Json, Side
from rules_engine.core.basics.refusals import Refusal, Refused
from rules_engine.core.forms.forms import Field, Line, Sheet
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import SideView
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.rulebooks.pq17.worlds.notation import GRID

INTRO = Path(__file__).parents[4] / "config" / "scenarios" / "pq17" / "intro"
SEED = b"a seed for tests, not secret"
MIDDLE = "0405"
AT = "2026-01-01T00:00:00Z"


def intro() -> dict[str, Json]:
    """The introductory scenario, validated."""
    return RULEBOOK.read_scenario({path.name: path.read_text() for path in sorted(INTRO.iterdir())})


def open_intro(seed: bytes = SEED) -> tuple[Adjudicator[State], list[JournalEntry]]:
    """A campaign of the introductory scenario, and its journal."""
    adjudicator, step = Adjudicator.open(RULEBOOK, title="Test", scenario=intro(), seed=seed, at=AT)
    return adjudicator, [step.entry]


def a_sheet(ask: AnyAsk, chooser: Random, boldness: float) -> Sheet:
    """The prefilled sheet with some fields changed at random."""
    sheet = ask.form.prefilled()
    for line in ask.form.lines:
        for field in line.fields:
            value = _route(line, chooser) if field.key == "route" else _value(field, chooser)
            if chooser.random() < boldness and value is not None:
                sheet.setdefault(line.key, {})[field.key] = value
    return sheet


def _route(line: Line, chooser: Random) -> Json:
    """A walk from where the line's task force is towards the middle of the map, where the enemy goes too."""
    here = re.findall(r"in (\d{4})", line.label)[-1]
    steps: list[str] = ["port"] if "in port" in line.label else []
    for _ in range(3):
        around = GRID.neighbours(here)
        here = (
            chooser.choice(around)
            if chooser.random() < 0.3
            else min(around, key=lambda one: GRID.distance(one, MIDDLE))
        )
        steps.append(here)
    return " ".join(steps)


def _value(field: Field, chooser: Random) -> Json:
    match field.kind:
        case "one":
            return chooser.choice(field.choices).value if field.choices else None
        case "many":
            return [one.value for one in field.choices if chooser.random() < 0.2]
        case "number":
            least = field.least or 0
            return chooser.randint(least, max(least, min(field.most if field.most is not None else 2, least + 2)))
        case "flag":
            return chooser.random() < 0.5
        case "text":
            return None


def a_result(ask: AnyAsk, chooser: Random) -> Sheet:
    """A battle's account: one side, or both, is gone from the field, and some of the survivors are damaged."""
    sheet = ask.form.prefilled()
    winner = chooser.choice([*ask.parties, *ask.parties, "nobody"])
    turns = chooser.randint(1, 9)
    sheet["battle"] = {"winner": winner, "turns": turns}
    victors = 0
    for line in ask.form.lines[1:]:
        values = sheet[line.key]
        gone = [choice.value for choice in line.fields[0].choices if choice.value not in ("ok", "captured")]
        if f"({winner.title()})" in line.label:
            values["fate"] = chooser.choice(["ok", "ok", *gone]) if victors else "ok"
            victors += 1
        else:
            values["fate"] = chooser.choice(gone if winner == "nobody" else [*gone, "captured"])
        if values["fate"] == "disengaged":
            values["turn"] = chooser.randint(1, turns)
        if chooser.random() < 0.3:
            values["crippled"] = True
        warp = values.get("warp")
        if isinstance(warp, int) and chooser.random() < 0.5:
            values["warp"] = chooser.randint(0, warp)
    return sheet


def choose(ask: AnyAsk, chooser: Random) -> Json:
    """A legal answer: a bold one if a few tries find it, else the cautious, else the default."""
    if ask.kind == "battle":
        return cast("dict[str, Any]", a_result(ask, chooser))
    for boldness in (0.5, 0.3, 0.2, 0.1):
        sheet = cast("dict[str, Any]", a_sheet(ask, chooser, boldness))
        try:
            ask.answer_from(sheet)
        except Refused:
            continue
        return sheet
    default = ask.default
    return ask.form.prefilled() if default is None else default.model_dump(mode="json")


def answer_all(adjudicator: Adjudicator[State], chooser: Random) -> list[JournalEntry]:
    """Answer every open ask, both sides of a shared one with the same account; then close."""
    answers = [
        (ask, side, document)
        for ask in adjudicator.open_asks()
        for document in [choose(ask, chooser)]
        for side in ask.parties
    ]
    entries = [adjudicator.answer(side, ask.id, document, by=side, at=AT).entry for ask, side, document in answers]
    sides = [label.key for label in adjudicator.sides if adjudicator.asks_for(label.key)]
    entries += [adjudicator.ready(side, is_ready=True, by=side, at=AT).entry for side in sides]
    return [*entries, adjudicator.close("all ready", by="clock", at=AT).entry]


# --- officers who play a campaign by themselves: by plan, by what stands on the sheets, and a little by chance --------
# An officer reads what its side reads: its asks and its view. Task forces go for the enemy's settled hexes and bases,
# and home when they are short of fuel; everything else is answered as it is filled in, with a legal change here and
# there, so that every ask of every chapter comes up sooner or later. An ask without an answer takes its default.
TRIES = 12
"""Attempts at a battle's account before an officer gives up."""
CHANGES = 2
"""Lines that an officer changes by chance on one sheet."""


@dataclass(frozen=True)
class Manner:
    """How officers play. ``bold``: how often an idle task force goes after the enemy; ``whims``: how often a sheet is
    changed by chance; ``silence``: how often a sheet is left to its default; ``low_fuel``: below it a force goes home.
    """

    bold: float = 0.5
    whims: float = 0.15
    silence: float = 0.05
    low_fuel: int = 9


@dataclass
class Officer:
    """One side's commander."""

    adjudicator: Adjudicator[Any]
    side: Side
    chance: Random
    manner: Manner = Manner()

    def answer(self, ask: AnyAsk) -> Json:
        """A legal answer, or None to leave it to the default."""
        if ask.pace == "battle":
            return self.account(ask)
        if self.chance.random() < self.manner.silence:
            return None
        sheet = self.plan(ask) if ask.kind == "planning" else ask.form.prefilled()
        legal = self.judged(ask, sheet)
        if ask.form.lines and self.chance.random() < self.manner.whims:
            for _ in range(CHANGES):
                tried = self.changed(ask, sheet)
                found = self.judged(ask, tried)
                if found is not None:
                    sheet, legal = tried, found
        return legal

    def judged(self, ask: AnyAsk, sheet: Sheet) -> Json:
        """The answer as JSON, or None if it is refused; a refusal must say what is wrong."""
        return self._tried(ask, sheet)[0]

    def _tried(self, ask: AnyAsk, sheet: Sheet) -> tuple[Json, tuple[Refusal, ...]]:
        refusals: tuple[Refusal, ...] = ()
        try:
            answer = self.adjudicator.try_answer(self.side, ask.id, sheet)
            return answer.model_dump(mode="json", exclude_unset=True), refusals
        except Refused as refused:
            refusals = tuple(refused.refusals)
        assert refusals, f"{ask.kind} refused without a word"
        assert all(one.problem for one in refusals), f"{ask.kind} refused without a word"
        return None, refusals

    # --- changes by chance --------------------------------------------------------------------------------------------

    def changed(self, ask: AnyAsk, sheet: Sheet) -> Sheet:
        """The sheet with one field of one line changed to something that the field's own description allows."""
        line = self.chance.choice(ask.form.lines)
        field = self.chance.choice(line.fields)
        value = self.any_value(field, line)
        values = {key: old for key, old in sheet.get(line.key, {}).items() if key != field.key}
        return {**sheet, line.key: values if value is None else {**values, field.key: value}}

    def any_value(self, field: Field, line: Line) -> Json:
        """Any value for a field; None leaves it out."""
        chance = self.chance
        if field.optional and chance.random() < 0.2:
            return None
        match field.kind:
            case "one":
                return chance.choice(field.choices).value if field.choices else None
            case "many":
                return [choice.value for choice in field.choices if chance.random() < 0.3]
            case "number":
                least = field.least or 0
                most = field.most if field.most is not None else least + 3
                return chance.randint(least, min(most, least + 3) if chance.random() < 0.7 else most)
            case "flag":
                return chance.random() < 0.5
            case "text":
                grid = self.grid
                here = place_of(line, grid)
                return walk(grid, here, chance.choice(grid.hexes()), chance) if here and field.key == "route" else None

    # --- plans --------------------------------------------------------------------------------------------------------

    @property
    def grid(self) -> Grid:
        """The map."""
        return self.adjudicator.view(self.side).board.grid

    def plan(self, ask: AnyAsk) -> Sheet:
        """A planning sheet: task forces that have done with their routes get new ones, at an easy speed."""
        prefilled = ask.form.prefilled()
        view = self.adjudicator.view(self.side)
        orders: dict[str, dict[str, Json]] = {}
        for line in ask.form.lines:
            keys = {field.key: field.value for field in line.fields}
            here = place_of(line, view.board.grid)
            if here is None or keys.get("speed") is None or keys.get("route"):
                continue
            order = self._order(line, here, view) if self.chance.random() < self.manner.bold else None
            if order is not None:
                orders[line.key] = prefilled[line.key] | order
        _, refusals = self._tried(ask, {**prefilled, **orders})
        for refused in {one.path.partition(".")[0] for one in refusals}:
            orders.pop(refused, None)
        return {**prefilled, **orders}

    def _order(self, line: Line, here: HexId, view: SideView) -> dict[str, Json] | None:
        """The order of one task force: home for fuel, else towards the enemy; None to stay."""
        grid = view.board.grid
        in_port = "in port" in line.label
        if fuel_of(line) < self.manner.low_fuel:
            homes = _nearest(grid, here, homes_of(view))
            if in_port or not homes:
                return None
            return {"speed": Speed.EFFICIENT.value, "route": f"{walk(grid, here, homes[0], self.chance)} port".strip()}
        targets = _nearest(grid, here, targets_of(view))[:4]
        if not targets:
            return None
        speed = Speed.EFFICIENT if self.chance.random() < 0.7 else Speed.CRUISE
        route = walk(grid, here, self.chance.choice(targets), self.chance)
        return {"speed": speed.value, "route": f"port {route}" if in_port else route}

    # --- battles ------------------------------------------------------------------------------------------------------

    def account(self, ask: AnyAsk) -> Json:
        """The account of a battle that one side won, or that nobody did, with some damage to the survivors."""
        refusals: tuple[Refusal, ...] = ()
        for _ in range(TRIES):
            legal, refusals = self._tried(ask, battle_setup(ask, self.chance))
            if legal is not None:
                return legal
        raise AssertionError(f"no account of this battle is legal: {[str(one) for one in refusals]}")


def walk(grid: Grid, here: HexId, goal: HexId, chance: Random, most: int = 8) -> str:
    """Steps towards a hex, now and then beside the straight way."""
    steps: list[HexId] = []
    while here != goal and len(steps) < most:
        around = sorted(grid.neighbours(here))
        nearer = [one for one in around if grid.distance(one, goal) < grid.distance(here, goal)]
        here = chance.choice(nearer if chance.random() < 0.9 else around)
        steps.append(here)
    return " ".join(steps)


def place_of(line: Line, grid: Grid) -> HexId | None:
    """The hex that a line names."""
    return next((word for word in re.findall(r"\b\d{4}\b", f"{line.label} {line.note}") if word in grid), None)


def fuel_of(line: Line) -> int:
    """The least fuel of a ship in whole points, as the line's note says it; a large number if it says nothing."""
    found = re.search(r"[Ll]east fuel[^:]*:? (\d+)(/?)", line.note)
    return 99 if found is None else 0 if found[2] else int(found[1])


def targets_of(view: SideView) -> list[HexId]:
    """The hexes where the enemy is known to be: settled hexes, bases, contacts that are held."""
    board = view.board
    places = [note.hex for note in board.hexes if note.owner not in ("", view.side)]
    places += [one.hex for one in board.counters if one.owner not in ("", view.side) and one.live]
    return sorted(set(places))


def homes_of(view: SideView) -> list[HexId]:
    """The side's own bases."""
    return sorted({one.hex for one in view.board.counters if one.owner == view.side and one.form == "base"})


def _nearest(grid: Grid, here: HexId, hexes: list[HexId]) -> list[HexId]:
    return sorted(hexes, key=lambda one: (grid.distance(here, one), one))


def battle_setup(ask: AnyAsk, chance: Random) -> Sheet:
    """One outcome of the fight: a winner that keeps the field, losers that left it, and some boxes lost."""
    sheet = ask.form.prefilled()
    head, *lines = ask.form.lines
    winners = next(field.choices for field in head.fields if field.key == "winner")
    winner = chance.choice([*winners[:2], *winners])
    turns = chance.randint(1, 9)
    sheet[head.key] |= {"winner": winner.value, "turns": turns}
    standing = False
    for line in lines:
        fate = next((field for field in line.fields if field.key == "fate"), None)
        if fate is None:
            continue
        values = sheet[line.key]
        gone = [choice.value for choice in fate.choices if choice.value not in ("ok", "captured")]
        if line.label.endswith(f"({winner.label})"):
            values["fate"] = chance.choice(["ok", "ok", "ok", *gone]) if standing else "ok"
            standing = True
        else:
            values["fate"] = chance.choice([*gone, *gone, "captured"] if winner in winners[:2] else gone)
        if values["fate"] == "disengaged":
            values["turn"] = chance.randint(1, turns)
        values["crippled"] = bool(values.get("crippled")) or chance.random() < 0.2
        for key in ("warp", "impulse", "cargo", "repair"):
            left = values.get(key)
            if isinstance(left, int) and chance.random() < 0.2:
                values[key] = chance.randint(left // 2, left)
    return sheet
