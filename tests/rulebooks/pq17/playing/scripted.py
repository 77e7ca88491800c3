"""Campaigns whose orders are written down, entered as the bot enters them: sheets to asks, and closed batches.

A campaign begins with a scenario that a host could write. Its dice are the campaign's own: :func:`seed_for` looks for a
seed under which those that matter fall as the script needs them.
"""

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import count
from typing import Any

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.dice import DiceStream, Die
from rules_engine.core.basics.refusals import Refusal, Refused
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.transitions import Transition
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.pq17.playing.officers import AT, INTRO
from tests.rules.reached import unnoted

BASES = ("MBS", "OBS")
"""The classes of the introduction's bases."""
CLASS = """
[[class]]
class_id = "{class_id}"
name = "Test {class_id}"
empire = "Meridian"
source = "invented"
msc_table = "Test {class_id}"
move_cost = "{move_cost}"
bpv_economic = 60
bpv_combat = 60
warp = {warp}
impulse = 2
battery = 2
sensor_track = [6]
damcon_track = [2]
tractors = 1
"""
"""A class without AWR boxes: its fuel is its warp boxes."""

Sheet = Mapping[str, Mapping[str, Json]]
Order = Sheet | Callable[["ScriptedCampaign", AnyAsk], Sheet]
"""A sheet, or what makes one of the ask, where lots decide what forces and contacts are called."""


def scenario(forces: str, *, classes: Mapping[str, tuple[str, int]] | None = None, turns: int = 8) -> dict[str, Json]:
    """A scenario of the introduction's map and classes, with these task forces and always good conditions.

    A line of ``forces`` is ``A1 0405 MCA+MDD``; a base's line goes on with its name, and ``unknown`` where it is.
    Units are called ``a1-mca``, a second one of its class ``a1-mca2``. ``classes`` are more classes, by their movement
    cost and warp boxes.
    """
    text = [
        f'title = "Test"\nturns = {turns}\nvictory_points = 1\nlocal_conditions = [100, 100, 100, 100]',
        "[map]\ncolumns = 9\nrows = 8",
        '[[side]]\nkey = "alliance"\nname = "Alliance"\nemblem = "A"',
        '[[side]]\nkey = "coalition"\nname = "Coalition"\nemblem = "C"',
    ]
    for line in filter(None, (line.strip() for line in forces.splitlines())):
        tf_id, hex_id, units, *base = line.split()
        side = "alliance" if tf_id.startswith("A") else "coalition"
        text.append(f'[[task_force]]\nid = "{tf_id}"\nside = "{side}"\nhex = "{hex_id}"')
        if base:
            text.append(f'[task_force.base]\nname = "{base[0]}"\nknown = {str("unknown" not in base).lower()}')
        kinds = units.split("+")
        for at, kind in enumerate(kinds):
            unit_id = f"{tf_id}-{kind}{kinds[:at].count(kind) + 1 if kind in kinds[:at] else ''}".lower()
            text.append(f'[[unit]]\nid = "{unit_id}"\nname = "{unit_id}"\nclass_id = "{kind}"\ntask_force = "{tf_id}"')
    ships = (INTRO / "ships.toml").read_text()
    for class_id, (move_cost, warp) in (classes or {}).items():
        ships += CLASS.format(class_id=class_id, move_cost=move_cost, warp=warp)
    return RULEBOOK.read_scenario({"scenario.toml": "\n".join(text), "ships.toml": ships})


def seed_for(hundreds: Mapping[str, range]) -> bytes:
    """The first seed under which each D100 of these labels, rolled once, is among those."""
    for number in count(1):
        seed = number.to_bytes(4, "big") * 8
        stream = DiceStream(seed)
        if all(stream.draw(label, 0, Die(100), 1)[0] in wanted for label, wanted in hundreds.items()):
            return seed
    raise AssertionError


class ScriptedCampaign:
    """One campaign. ``orders`` are sheets by ask: where it is asked, its kind and its side (``T1/I1/A/recon search
    alliance``), one after the other where the same is asked again; ``?`` and ``*`` stand for any characters. An ask
    without a sheet takes its default. ``dice`` must fall so, and ``luck`` if they are rolled at all.
    """

    def __init__(
        self,
        document: dict[str, Json],
        orders: Mapping[str, Sequence[Order]],
        dice: Mapping[str, range] | None = None,
        luck: Mapping[str, range] | None = None,
    ) -> None:
        self.dice = dict(dice or {})
        self.orders = {ask: list(sheets) for ask, sheets in orders.items()}
        self.asked: list[str] = []
        """What was asked so far: place, kind and sides."""
        seed = seed_for(self.dice | dict(luck or {}))
        self.adjudicator: Adjudicator[State]
        self.adjudicator, step = Adjudicator.open(RULEBOOK, title="Test", scenario=document, seed=seed, at=AT)
        self.rolled: set[str] = set()
        """The labels of all dice that somebody was shown."""
        self.told: list[Report] = []
        self._hear(step)

    @property
    def state(self) -> State:
        """The state itself, which only a test may look at."""
        return self.adjudicator._state

    def track(self, tf_id: str) -> str:
        """The enemy's number for a task force."""
        tf = self.state.task_forces[tf_id]
        return self.state.tracks[self.state.enemy_of(tf.side)].current[tf_id]

    def rule_of(self, side: str, text: str) -> str:
        """The rule that the last report of such a text to a side gives as its reason."""
        whys = [one.why for one in self.told if one.is_for(side) and one.text == text]
        return whys[-1].rule if whys and whys[-1] else ""

    def heard(self, side: str) -> list[str]:
        """What a side was told so far."""
        return [one.text for one in self.told if one.is_for(side)]

    def play(self, until: str) -> AnyAsk:
        """Answer and close until an ask at such a place (``T1/I2/``, ``T1/I2/plot/plot/alliance``) is open."""
        while True:
            found = next((ask for ask in self.adjudicator.open_asks() if ask.id.startswith(until)), None)
            if found is not None:
                return found
            assert self.adjudicator.ending is None, f"the campaign ended; asked: {self.asked}"
            self.batch()

    def refusals(self, side: str, ask: AnyAsk, lines: Sheet) -> list[Refusal]:
        """What is refused about an ask's sheet with these lines changed."""
        filled = ask.form.prefilled()
        sheet: Any = filled | {key: {**filled.get(key, {}), **values} for key, values in lines.items()}
        try:
            self.adjudicator.try_answer(side, ask.id, sheet)
        except Refused as refused:
            return list(refused.refusals)
        return []

    def check(self) -> None:
        """Every sheet has been handed in, and the dice that the seed was chosen for have fallen."""
        left = {ask: sheets for ask, sheets in self.orders.items() if sheets}
        assert not left, f"never asked: {sorted(left)}; asked: {self.asked}"
        assert set(self.dice) <= self.rolled, f"never rolled: {sorted(set(self.dice) - self.rolled)}"
        with unnoted():
            assert self.adjudicator.defects() == []

    def batch(self) -> None:
        """Answer what is open, and close."""
        for ask in self.adjudicator.open_asks():
            key = f"{ask.id.rsplit('/', 2)[0]} {ask.kind} {'+'.join(ask.parties)}"
            self.asked.append(key)
            sheets = next((left for wanted, left in self.orders.items() if left and fnmatchcase(key, wanted)), None)
            if sheets:
                order = sheets.pop(0)
                given = order(self, ask) if callable(order) else order
                sheet: Any = {line: dict(values) for line, values in given.items()}
                for side in ask.parties:
                    self._hear(self.adjudicator.answer(side, ask.id, sheet, by=side, at=AT))
            else:
                assert ask.default is not None, f"no sheet for {key}"
        self._hear(self.adjudicator.close("deadline", by="clock", at=AT))

    def _hear(self, step: Transition) -> None:
        self.told += step.reports
        self.rolled |= {roll.label for one in step.reports if one.why for roll in one.why.dice}


def won(winner: str, turns: int, **units: Any) -> dict[str, dict[str, Any]]:
    """A battle's account: fates by neutral name, a number for the battle turn of disengaging."""
    sheet: dict[str, dict[str, Any]] = {"battle": {"winner": winner, "turns": turns}}
    for name, fate in units.items():
        sheet[name] = {"fate": "disengaged", "turn": fate} if isinstance(fate, int) else {"fate": fate}
    return sheet


def line_of(ask: AnyAsk, tf_id: str) -> str:
    """The line of a regrouping sheet that stands for a task force."""
    (found,) = [line.key for line in ask.form.lines if line.label.rpartition(": ")[2].split()[:1] == [tf_id]]
    return found
