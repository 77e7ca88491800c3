"""Whole campaigns of this book, played by captains who fill in their sheets at random, by menus and in words."""

import random
from collections import Counter
from typing import Any

from rules_engine.core.basics.base import When
from rules_engine.core.basics.dice import DiceStream
from rules_engine.core.forms.forms import Field, Line
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import Answers, AnyAsk
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.rulebooks.jump_lanes.campaign.victory import ending, out_of_play
from rules_engine.rulebooks.jump_lanes.charts import places_called
from rules_engine.rulebooks.jump_lanes.invariants import defects
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.scenario.opening import set_up
from rules_engine.rulebooks.jump_lanes.scenario.reading import read_scenario, sides_of, with_seats
from rules_engine.rulebooks.jump_lanes.sequence import turn_steps
from tests.rulebooks.jump_lanes.scenarios import files

TRIES = 4


class Voyage:
    """A campaign played to its end; what happened is counted by the kinds of reports, asks and refusals."""

    def __init__(self, name: str, seed: int, empires: int = 0) -> None:
        document = read_scenario(files(name))
        if empires:
            document = with_seats(document, empires)
        self.chance = random.Random(seed)
        self.state: LanesState = set_up(document)
        self.sides = sides_of(document)
        self.count: Counter[str] = Counter()
        self.shared = SharedTurn(
            dice=DiceStream(seed.to_bytes(4, "big") * 8), sides=self.sides,
            knowledge={one.key: Knowledge() for one in self.sides}, now=When(turn=0),
            out_of_play=lambda: out_of_play(self.state),
        )  # fmt: skip

    def play(self) -> "Voyage":
        """Play to the end; the state is possible at each moment in which something is asked, and after each turn."""
        while ending(self.state) is None:
            flow = turn_steps(TurnContext(self.state, self.shared, f"T{self.state.turn + 1}"))
            try:
                batch = next(flow)
                while True:
                    self._check()
                    answers: Answers = {ask.id: self.answer(ask) for ask in batch.asks}
                    batch = flow.send(answers)
            except StopIteration:
                self._check()
        self.count.update(report.kind for report in self.shared.reports)
        return self

    def _check(self) -> None:
        found = list(defects(self.state))
        assert found == [], (self.state.turn, found[:5])
        assert LanesState.from_json(self.state.to_json()).to_json() == self.state.to_json()

    def answer(self, ask: AnyAsk) -> Any:
        """A legal answer: line by line something is changed at random, and kept where that is legal."""
        self.count[f"ask {ask.kind}"] += 1
        sheet = ask.form.prefilled()
        legal = ask.model.model_validate(sheet)
        assert not ask.check(legal), (ask.id, [str(one) for one in ask.check(legal)])
        lines = list(ask.form.lines)
        self.chance.shuffle(lines)
        for line in lines:
            for _ in range(TRIES):
                tried = {**sheet, line.key: self._line(line, sheet.get(line.key, {}), ask)}
                answer = ask.model.model_validate(tried)
                refusals = ask.check(answer)
                self.count.update(f"refused {one.rule or one.kind}" for one in refusals)
                assert all(one.problem and one.path for one in refusals)
                if not refusals:
                    sheet, legal = tried, answer
                    break
        ask.read_back(legal)
        ask.warn(legal)
        ask.courses(legal)
        return legal

    def _line(self, line: Line, values: dict[str, Any], ask: AnyAsk) -> dict[str, Any]:
        changed = dict(values)
        boldness = 0.15 if ask.kind == "plot" else 0.5
        for field in line.fields:
            if self.chance.random() < boldness:
                value = self._value(field, ask)
                if value is None:
                    changed.pop(field.key, None)
                else:
                    changed[field.key] = value
        if ask.kind == "plot" and self.chance.random() < 0.5:
            keen = {field.key: field for field in line.fields}
            if "explore" in keen:
                changed["explore"] = self.chance.choice(keen["explore"].choices).value
            elif keen.get("go") and keen["go"].choices:
                changed["go"] = self.chance.choice(keen["go"].choices).value
        if "go" in changed and changed.get("route") != values.get("route"):  # one of them
            del changed[self.chance.choice(["go", "route"])]
        return changed

    def _value(self, field: Field, ask: AnyAsk) -> Any:
        match field.kind:
            case "one":
                return self.chance.choice(field.choices).value if field.choices else None
            case "many":
                return [choice.value for choice in field.choices if self.chance.random() < 0.4]
            case "number":
                return self.chance.randint(field.least or 0, field.most or 9)
            case "flag":
                return self.chance.random() < 0.5
            case "text":
                return self._words(field.key, ask)

    def _words(self, key: str, ask: AnyAsk) -> str | None:
        empire = self.state.empires[ask.parties[0]]
        places = [name for name, place in places_called(self.state, empire).items() if name != place]
        some = self.chance.sample(places, min(len(places), self.chance.randint(1, 3)))
        if key == "route":
            return self.chance.choice(["loop ", "", "to "]) + " > to ".join(some)
        what = self.chance.choice(["census", "1 census", "2 census", "experience"])
        own = [one.name for one in self.state.units.values() if one.empire == empire.id]
        what = self.chance.choice([what, what, self.chance.choice(own)]) if own else what
        return f"{what} at {some[0]}" if self.chance.random() < 0.6 else what
