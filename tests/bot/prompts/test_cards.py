"""Cards of long sheets: they are cut at their end, so what matters most stands first."""

from pydantic import RootModel

from bot.prompts.cards import MOST_CONTENT, PromptState, prompt_card
from rules_engine.core.asks import Ask
from rules_engine.core.forms import Field, Form, Line


class Answer(RootModel[dict[str, dict[str, int]]]):
    """Anything."""


def state(**more: object) -> PromptState:
    line = Line(key="a", label="A", fields=(Field(key="n", label="N", kind="number", least=0, most=9, value=0),))
    ask = Ask(
        kind="orders",
        parties=("red",),
        title="Orders",
        text="Say it.",
        model=Answer,
        form=Form(lines=(line,)),
        rule="1",
        default=Answer({}),
        default_says="Nothing.",
        read_back=lambda _: [f"Line {number} of a long sheet that says a good deal" for number in range(60)],
        warn=lambda _: ["Somebody will regret this."],
    )
    plain = {"token": "t", "ask": ask, "side": "Red", "campaign": "C", "closes": None, "answer": Answer({})}
    return PromptState(**{**plain, **more})  # type: ignore[arg-type]


def test_what_was_refused_warned_of_or_differs_is_never_cut_off() -> None:
    shown = state(problems=["line 1: no such thing"], differences=["A1 warp: Blue says 4, Red 5"])
    content = prompt_card(shown).content
    assert len(content) <= MOST_CONTENT
    for words in ("line 1: no such thing", "Blue says 4", "Somebody will regret this", "Line 0 of", "more"):
        assert words in content
    assert "Line 59" not in content
