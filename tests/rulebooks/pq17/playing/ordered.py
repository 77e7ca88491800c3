"""Campaigns in which both sides carry out written orders, and scenario files in which all begin in one hex."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.transitions import Transition
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.records.state import State
from tests.rules.reached import unnoted

# --- ordered ----------------------------------------------------------------------------------------------------------
# campaigns in which both sides carry out written orders: sheets by turn, side and kind; all else takes its default.
# A campaign is entered as the bot enters it: a scenario's files are read, asks are answered, batches close. Its dice
# are those of its seed.
AT = "2026-01-01T00:00:00Z"
SEED = b"a seed for tests, not secret"
BOTH = "both"
"""Whose account of a battle is meant."""

Lines = Mapping[str, Mapping[str, Any]]
Habit = Callable[[AnyAsk], Sheet]


@dataclass(frozen=True)
class Order:
    """A sheet for the next ask of that kind in that turn: lines and fields that differ from those filled in."""

    turn: int
    side: Side
    kind: str
    lines: Lines
    place: str = ""
    """A part of the ask's id, where several come in a turn: ``I2/A`` for an impulse's first half."""


class OrderedPlay:
    """A campaign of a scenario's files, or of a scenario that was read, played by orders."""

    def __init__(
        self, scenario: Mapping[str, Any], *orders: Order, habits: Mapping[str, Habit] | None = None, seed: bytes = SEED
    ) -> None:
        document: dict[str, Json] = RULEBOOK.read_scenario(scenario) if "scenario.toml" in scenario else dict(scenario)
        self.orders = list(orders)
        self.habits = dict(habits or {})
        """By kind: what both sides answer without an order."""
        self.reports: list[Report] = []
        self.asked: list[tuple[int, Side, str]] = []
        self.adjudicator: Adjudicator[State]
        self.adjudicator, step = Adjudicator.open(RULEBOOK, title="Campaign", scenario=document, seed=seed, at=AT)
        self._take(step)

    @property
    def state(self) -> State:
        """The state itself, which only a test may look at."""
        return self.adjudicator._state

    def told(self, side: Side, kind: str, turn: int | None = None) -> list[str]:
        """The texts of a kind that reached a side (in a turn)."""
        heard = [one for one in self.reports if one.is_for(side) and one.kind == kind]
        return [one.text for one in heard if turn is None or one.when.turn == turn]

    def play(self, turns: int) -> "OrderedPlay":
        """Play until turn ``turns`` is over; every order of these turns must have found its ask."""
        while self.adjudicator.ending is None and self.adjudicator.turn <= turns:
            self._batch()
        missed = [one for one in self.orders if one.turn <= turns]
        assert not missed, f"nobody asked for {missed}; asked: {[one for one in self.asked if one[2] != 'planning']}"
        return self

    def _batch(self) -> None:
        answers = [
            (ask, side, sheet)
            for ask in self.adjudicator.open_asks()
            for sheet in [self._sheet(ask)]
            for side in (ask.parties if sheet is not None else ())
        ]
        for ask, side, sheet in answers:
            self._take(self.adjudicator.answer(side, ask.id, sheet, by=side, at=AT))
        self._take(self.adjudicator.close("deadline", by="clock", at=AT))

    def _sheet(self, ask: AnyAsk) -> Json:
        """The sheet ordered for an ask, or None to leave it to its default."""
        turn, (side, *others) = self.adjudicator.turn, ask.parties
        side = BOTH if others else side
        self.asked.append((turn, side, ask.kind))
        for order in self.orders:
            if (order.turn, order.side, order.kind) == (turn, side, ask.kind) and order.place in ask.id:
                self.orders.remove(order)
                sheet = ask.form.prefilled()
                return {**sheet, **{key: {**sheet.get(key, {}), **line} for key, line in order.lines.items()}}
        if ask.kind in self.habits:
            return dict(self.habits[ask.kind](ask))
        assert side != BOTH, f"turn {turn}: a battle without an account: {[line.key for line in ask.form.lines]}"
        return None

    def _take(self, step: Transition) -> None:
        self.reports += step.reports
        if step.closed:
            with unnoted():
                assert not (problems := list(self.adjudicator.defects())), problems


# --- one hex ----------------------------------------------------------------------------------------------------------
# scenario files, as a host could write them, in which all task forces begin in one hex; and accounts of battles.
HERE = "0404"

CLASS = """
[[class]]
class_id = "{0}"
name = "{0}"
empire = "Testers"
source = "invented"
msc_table = "Tester {0}"
damcon_track = [2, 2, 0]
bpv_economic = 120
bpv_combat = 100
{1}
"""
KINDS = {
    "CA": """
        move_cost = 1
        warp = 30
        awr = 4
        impulse = 4
        battery = 2
        hull = 12
        [[class.refits]]
        name = "mix"
        year = 165
        bpv = 8
        boxes_added = { battery = 1 }
        boxes_changed = { phaser-2 = "phaser-1", drone-a = "drone-a" }
        shields_changed = [1]""",
    "RS": 'move_cost = "1/2"\nwarp = 8\nimpulse = 2\nrepair = 30\ncargo = 10\nis_warship = false',
    "FT": 'move_cost = "1/2"\nwarp = 8\nimpulse = 2\ncargo = 50\nis_freighter = true\nis_warship = false',
    "TG": "move_cost = 1\nwarp = 30\nimpulse = 2\nis_tug = true\npod_slots = 2",
    "RP": 'move_cost = "1/4"\nunit_kind = "pod"\nrepair = 10\ncargo = 4',
    "FRD": 'move_cost = 0\nunit_kind = "base"\nbase_type = "FRD"\nawr = 8\nrepair = 300\ncargo = 50',
    "ML": "move_cost = 1\nwarp = 30\nimpulse = 4\nis_minelayer = true\nmine_capacity = 600\nmine_deploy_large = 600",
    "MS": 'move_cost = "1/2"\nwarp = 15\nimpulse = 2\nis_minesweeper = true',
}
HEAD = """
title = "By orders"
turns = {turns}
victory_points = 1
{more}
[map]
columns = 9
rows = 8
[[side]]
key = "alliance"
name = "Alliance"
emblem = "A"
[[side]]
key = "coalition"
name = "Coalition"
emblem = "C"
"""
COSTS = 'source = "tests"\n[cost]\nwarp = 10\nhull = 1\n'


@dataclass(frozen=True)
class Force:
    """A task force at the start; a base cluster if it has the name of a base. Ships by id and class."""

    id: str
    ships: dict[str, str]
    base: str = ""
    port: str = ""
    mines: int = 0
    """Large mines aboard each of its ships."""

    def lines(self) -> Iterable[str]:
        """Its tables of a scenario file."""
        side = "alliance" if self.id.startswith("A") else "coalition"
        yield f'[[task_force]]\nid = "{self.id}"\nside = "{side}"\nhex = "{HERE}"'
        if self.port:
            yield f'in_port = "{self.port}"'
        if self.base:
            yield f'[task_force.base]\nname = "{self.base}"\nknown = true\nconditions = 1'
        for unit_id, kind in self.ships.items():
            yield f'[[unit]]\nid = "{unit_id}"\nname = "{unit_id.title()}"\nclass_id = "{kind}"'
            yield f'task_force = "{self.id}"\nmines = {self.mines}'


def files(*forces: Force, turns: int, more: str = "", tables: str = "") -> dict[str, str]:
    """The files of a scenario in which all task forces begin in one hex."""
    lines = [line for force in forces for line in force.lines()]
    return {
        "scenario.toml": "\n".join([HEAD.format(turns=turns, more=more), tables, *lines]),
        "ships.toml": "".join(CLASS.format(kind, fields) for kind, fields in KINDS.items()),
        "repair.toml": COSTS,
    }


def won(winner: str, **lines: dict[str, Any]) -> dict[str, Any]:
    """The account of a battle with these units' lines."""
    return {"battle": {"winner": winner, "turns": 3}, **lines}


def targets(ask: AnyAsk) -> dict[str, list[str]]:
    """The targets that each line of an ask offers, if it offers any."""
    found = {line.key: [field for field in line.fields if field.key == "target"] for line in ask.form.lines}
    return {key: [one.value for field in fields for one in field.choices] for key, fields in found.items() if fields}
