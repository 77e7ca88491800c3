"""The map that the README shows: a side's view from a small game with fixed dice, played by real orders.

python -m tests.map_render.example      writes map_render/example.png and prints its words
"""

from pathlib import Path
from typing import Any

from bot.campaigns.scenarios import InstalledScenarios
from map_render import Theme, render_side
from map_render.drawing.theme import Sizes
from rules_engine.core.basics.base import Side
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.knowledge.views import SideView
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.adjudicator import Adjudicator
from tests.expected.sections import section_rows

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "map_render" / "example.png"
SMALLER = Theme(sizes=Sizes(longest=1600))
"""The usual look; the pictures of campaigns are a little larger than a README needs."""
AT = "2026-01-01T00:00:00.000+00:00"
SEED = b"the example's dice 5"
SIDE: Side = "alliance"
SCENARIO = "pq17/intro"
VAN, VAN_TARGET = "A1", "E1"
UNTIL = "T3/I3/A"
"""The prompt before which the picture is taken begins so."""

ORDERS = {(turn, side): typed for turn, side, typed in section_rows("orders")}
"""Planning sheets by turn and side, as players type them."""


def play() -> Adjudicator[Any]:
    """The game as it stands when the picture is taken."""
    rulebook, scenario = InstalledScenarios(ROOT / "config").read(SCENARIO)
    referee, _ = Adjudicator.open(rulebook, title="Example", scenario=scenario, seed=SEED.ljust(32, b"."), at=AT)
    while referee.ending is None and not any(ask.id.startswith(UNTIL) for ask in referee.open_asks()):
        for label in referee.sides:
            for ask in referee.asks_for(label.key):
                referee.answer(label.key, ask.id, answer_of(referee, ask, label.key), by=label.key, at=AT)
        if referee.open_asks():
            referee.close("deadline", by="clock", at=AT)
    return referee


def answer_of(referee: Adjudicator[Any], ask: AnyAsk, side: Side) -> Any:
    """The sheet as it is filled in, with this turn's orders; our van shadows what it meets, our scouts only search."""
    typed = ORDERS.get((ask.id.split("/")[0], side), "") if ask.kind == "planning" else ""
    sheet = ask.form.prefilled()
    for line, values in read_sheet(ask.form, typed).items():
        sheet.setdefault(line, {}).update(values)
    if ask.kind == "search" and side == SIDE:
        shadowing = any("shadowing" in counter.sub for counter in referee.view(side).board.counters)
        for line in ask.form.lines:
            targets = [choice.value for field in line.fields if field.key == "target" for choice in field.choices]
            if targets and (line.key == VAN or VAN_TARGET not in targets):
                sheet[line.key] |= {"target": targets[0], "shadow": line.key == VAN and not shadowing}
    return sheet


def example_view() -> SideView:
    """What the picture shows."""
    return play().view(SIDE)


def main() -> None:
    """Draw the example and say what is on it."""
    image = render_side(example_view(), theme=SMALLER)
    TARGET.write_bytes(image.png)
    print(image.alt)


if __name__ == "__main__":
    main()
