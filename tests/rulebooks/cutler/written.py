"""Small campaigns with sheets as players type them, entered as the bot enters them: what random players seldom do.

A world is a few lines, from which the files of a scenario are made::

    ash capital 0101 Hearth 5
    ash F1 0403 heavy_cruiser Ember | officers = ["navigator"]
    ash - 0101 starbase Yard

These are planets with their boarding parties, units with their fleet, hex, class and name, and what else their entries
say. Units and planets have their names in small letters as keys. A race has the hexes of its planets.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.dice import DiceStream
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.chance import Falls, loaded
from tests.rulebooks.players import AT, Match

SCENARIOS = Path(__file__).resolve().parents[3] / "config" / "scenarios" / "cutler"
KINDS = ("capital", "major", "minor")


def catalogue(more: str = "") -> str:
    """All classes of the shipped scenarios, each once, and some more."""
    found: dict[str, str] = {}
    for name in ("intro", "frontier", "ring"):
        text = (SCENARIOS / name / "ships.toml").read_text(encoding="utf-8")
        for entry in re.split(r"(?m)^\[\[class\]\]$", text)[1:]:
            found.setdefault(entry.split("class_id = ")[1].split("\n")[0], entry)
    return "".join(f"[[class]]{entry}" for entry in found.values()) + more


def scenario(
    world: str, *, turns: int = 1, unsurveyed: tuple[str, ...] = (), more: str = "", ships: str = ""
) -> dict[str, Json]:
    """The document of a scenario that lasts so many turns, read from its files. ``more`` goes into its first file."""
    lines = [line.partition("|") for line in world.splitlines() if line.strip()]
    words = [(line.split(), extra.strip()) for line, _, extra in lines]
    planets = [one for one, _ in words if one[1] in KINDS]
    parts = [
        f'title = "Written"\nsource = "invented"\n[victory]\nturn = {turns}',
        f"[map]\ncolumns = 11\nrows = 9\nunsurveyed = {[*unsurveyed]}",
        more,
    ]
    for race in dict.fromkeys(one[0] for one, _ in words):
        home = [hex_id for owner, _, hex_id, *_ in planets if owner == race]
        parts.append(
            f'[races.{race}]\nname = "{race.title()}"\nemblem = "{race[0].upper()}"\nreserve = 100\nbase_pool = 300\n'
            f"territory = {home}"
        )
    parts += [
        f'[planets.{name.lower()}]\nname = "{name}"\nkind = "{kind}"\nhex = "{hex_id}"\nrace = "{race}"\n'
        f"boarding_parties = {parties}\n" + next(extra for one, extra in words if name in one)
        for race, kind, hex_id, name, parties in planets
    ]
    units = ["[units]"]
    for one, extra in words:
        if one not in planets:
            race, fleet, hex_id, kind, name = one
            kept = f'fleet = "{fleet}"\n' if fleet != "-" else ""
            units.append(
                f'[units.{name.lower()}]\nrace = "{race}"\nname = "{name}"\ntype = "{kind}"\nhex = "{hex_id}"\n'
                + kept
                + extra.replace(" | ", "\n")
            )
    files = {"scenario.toml": "\n".join(parts), "units.toml": "\n".join(units), "ships.toml": catalogue(ships)}
    return RULEBOOK.read_scenario(files)


class WrittenMatch(Match):
    """``orders`` are the texts of sides, by turn, side and kind of ask (``1 ash turn``) or, for what is asked in an
    impulse, by that (``1.2 ash plot``); those of battles by the turn alone (``1 battle``). All else is sent as it is
    filled in. What the bot would say to a sheet, what it warns of and what is lost by it, is in ``warned``."""

    def __init__(self, document: dict[str, Json], orders: Mapping[str, str], seed: int = 1) -> None:
        super().__init__(RULEBOOK, document, seed)
        self.orders = dict(orders)
        self.warned: list[str] = []

    @property
    def state(self) -> CutlerState:
        """The state as it is now."""
        return self.adjudicator._state

    def answer_to(self, side: str, ask: AnyAsk) -> Json:
        """The text for the ask, read as the bot reads it; without one the sheet as it is filled in."""
        state, whose = self.state, "battle" if ask.kind == "battle" else f"{side} {ask.kind}"
        texts = [self.orders.pop(f"{now} {whose}", "") for now in (f"{state.turn}.{state.impulse}", f"{state.turn}")]
        sheet: Any = self.typed(ask, "\n".join(texts))
        answer = self.adjudicator.try_answer(side, ask.id, sheet)
        self.warned += [*ask.warn(answer), *ask.losses(answer)]
        return sheet

    def typed(self, ask: AnyAsk, text: str) -> Any:
        """An ask's sheet with what a text sets."""
        sheet: Any = ask.form.prefilled()
        for key, line in read_sheet(ask.form, text, ask.refusals_of).items():
            sheet[key] = {**sheet.get(key, {}), **line}
        return sheet

    def ask(self, side: str, kind: str) -> AnyAsk:
        """What a side is asked now."""
        return next(ask for ask in self.adjudicator.asks_for(side) if ask.kind == kind)

    def warns_of(self, side: str, kind: str, text: str) -> list[str]:
        """What the bot warns of when a text is typed."""
        ask = self.ask(side, kind)
        return [*ask.warn(self.adjudicator.try_answer(side, ask.id, self.typed(ask, text)))]

    def refused(self, side: str, kind: str, sheet: Json) -> list[str]:
        """All that is said of a sheet, sent as a file, that is refused."""
        ask = self.ask(side, kind)
        with pytest.raises(Refused) as refusal:
            self.adjudicator.try_answer(side, ask.id, sheet)
        return [str(one) for one in refusal.value.refusals]

    def corrects(self, path: str, value: Json) -> None:
        """The referee corrects something."""
        self.take(self.adjudicator.edit(path, value, by="rita", reason="as agreed", at=AT))

    def until(self, side: str, kind: str, *, turn: int = 0, impulse: int = 0) -> AnyAsk:
        """Play on until a side is asked that, in that turn and impulse if these are named."""
        while True:
            asked = any(ask.kind == kind for ask in self.adjudicator.asks_for(side))
            if asked and turn in (0, self.state.turn) and impulse in (0, self.state.impulse):
                return self.ask(side, kind)
            assert self.adjudicator.ending is None, "it never is"
            self.round()

    def whole(self) -> "WrittenMatch":
        """Play to the end: every order was sent, and it all replays alike."""
        while self.adjudicator.ending is None:
            self.round()
        assert self.orders == {}
        assert self.replayed().digest() == self.adjudicator.digest()
        return self

    def told(self, side: str, kind: str = "") -> list[str]:
        """What a side was told, of one kind if that is named."""
        reports = (report for step in self.steps for report in step.reports)
        return [one.text for one in reports if one.is_for(side) and kind in ("", one.kind)]


def load_dice(monkeypatch: pytest.MonkeyPatch, falls: Falls) -> None:
    """Have dice fall so, by a part of what is written on them, in each campaign of this test and in its replay."""
    monkeypatch.setattr(DiceStream, "draw", loaded(falls))
