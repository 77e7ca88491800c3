"""The whole sheet as it is understood, in pages: what is doubtful, what was changed, all the rest."""

from collections.abc import Sequence

from bot.cards.frames import accent_of, fixed, framed, heading, rows, rule, small, text
from bot.cards.prompts.lines import plain
from bot.cards.prompts.standing import changed_first, status
from bot.cards.prompts.state import PromptState, component_id
from bot.records.components import ButtonSpec, ButtonStyle, Card

MOST_PAGE = 1_400
"""Characters of a page, which a phone shows without much turning."""
MOST_LINE = 1_200


def orders_card(state: PromptState, page: int) -> Card:
    """A page of the sheet; pages beyond the last are the last."""
    pages = pages_of(orders_lines(state))
    page = min(max(page, 0), len(pages) - 1)
    where = f"Page {page + 1} of {len(pages)}. " if len(pages) > 1 else ""
    parts = [
        fixed(heading("All orders")),
        fixed(text("\n".join(pages[page]))),
        fixed(rule(), *rows(*_turning(state, page, len(pages)))),
        fixed(
            *rows(
                _ready(state),
                _button(state, "card", "", "Back"),
                _button(state, "sheet", "", "As a file"),
                _button(state, "text", "", "Write them"),
                _button(state, "reset", "", "Start over", "danger"),
            )
        ),
        fixed(
            small(
                [f"{where}{status(state).removeprefix('-# ')}", f"{plain(state.campaign)} · {plain(state.ask.title)}"]
            )
        ),
    ]
    layout = framed(parts, accent_of(state.place))
    return Card(f"**All orders** · {state.ask.title} · {state.campaign}", layout=layout)


def orders_lines(state: PromptState) -> list[str]:
    """All that the sheet says, what matters most first."""
    ask = state.ask
    lines: list[str] = []
    if state.problems:
        lines += ["__Not accepted__", *(f"🛑 {one.removeprefix('• ')}" for one in state.problems)]
    if state.stands is None:
        return [*lines, "Nothing is filled in yet."]
    lines += [f"⚠️ {line}" for line in ask.warn(state.stands)]
    if state.answer is None:
        return [*lines, "__What stands if you send nothing__", *(f"• {line}" for line in ask.read_back(state.stands))]
    whose = f", sent by {state.sent_by}" if state.sent_by else ""
    return [*lines, f"__Your orders as understood{whose}__", *changed_first(ask, ask.read_back(state.answer))]


def pages_of(lines: Sequence[str]) -> list[list[str]]:
    """Lines in pages, none of them split; one that is longer than a page is cut."""
    pages: list[list[str]] = [[]]
    room = MOST_PAGE
    for line in lines:
        kept = line if len(line) <= MOST_LINE else f"{line[: MOST_LINE - 1]}…"
        if len(kept) > room and pages[-1]:
            pages.append([])
            room = MOST_PAGE
        pages[-1].append(kept)
        room -= len(kept) + 1
    return pages if pages[-1] else pages[:-1] or [["Nothing."]]


def _turning(state: PromptState, page: int, count: int) -> list[ButtonSpec]:
    if count == 1:
        return []
    earlier = _button(state, "orders", page - 1 if page else "", "Earlier")
    later = _button(state, "orders", page + 1, "More")
    return [*([earlier] if page else []), *([later] if page + 1 < count else [])]


def _ready(state: PromptState) -> ButtonSpec:
    if state.is_done:
        return _button(state, "ready", 0, "Not ready after all")
    return _button(state, "ready", 1, "Ready", "success")


def _button(
    state: PromptState, verb: str, argument: object, label: str, style: ButtonStyle = "secondary"
) -> ButtonSpec:
    return {
        "type": "button",
        "id": component_id(state.token, verb, argument),
        "label": label,
        "style": style,
        "disabled": False,
    }
