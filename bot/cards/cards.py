"""Prompts as cards: an ask and what was answered so far, made into text and components. Knows no discord.py.

A component's id is ``p|<token>|<verb>|<argument>``. The token says nothing; who presses and what is open is looked
up again at every press.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.cards.menus import all_lines_entry, cut, find_entry, found, menu_of
from bot.records.components import ButtonSpec, ButtonStyle, Card, MenuSpec, Rows
from rules_engine.core.forms.forms import Form
from rules_engine.core.protocol.asks import AnyAsk, Remembered

MOST_CONTENT = 1_900
MOST_BUTTON = 80
QUICK_CHOICES = 5
SHORT_READING = 6
"""Lines of orders that stay in their own order; of more, those that were changed come first."""


@dataclass(frozen=True)
class PromptState:
    """What a prompt's card is made from; all of it is the asked side's own.

    ``answer`` is what was journalled; ``unsent`` a legal account of a battle that was filled in but not sent. The sheet
    is ``stuck`` while what stands on it is refused: nobody can be ready with it. ``theirs`` marks another
    side's account of a battle, which differs and may be taken over.
    """

    token: str
    ask: AnyAsk
    campaign: str
    side: str
    closes: datetime | None
    answer: Any = None
    unsent: Any = None
    receipt: str = ""
    ready: bool = False
    others_open: int = 0
    problems: Sequence[str] = field(default=())
    stuck: bool = False
    differences: Sequence[str] = field(default=())
    theirs: str = ""


def component_id(token: str, verb: str, argument: object = "") -> str:
    """The id of a prompt's component."""
    return f"p|{token}|{verb}|{argument}"


def prompt_card(state: PromptState, *, page: int = 0, find: str = "") -> Card:
    """The card of an open prompt, with a page of its menu, or with the lines that have ``find`` in their names."""
    return Card(content=_content(state), rows=_rows(state, page, find))


def closed_text(title: str, how: str, taken: Sequence[str] = ()) -> str:
    """What a prompt's message says once it is over: the orders that were ``taken``, and how it closed."""
    return _fitted([f"**{title}**"], [f"• {line}" for line in taken], [f"-# {how}"])


def quick_choice(form: Form) -> bool:
    """Whether the whole form is one question with a handful of answers, so that buttons do."""
    if len(form.lines) != 1 or len(form.lines[0].fields) != 1:
        return False
    only = form.lines[0].fields[0]
    return only.kind == "one" and 1 < len(only.choices) <= QUICK_CHOICES


def _content(state: PromptState) -> str:
    ask = state.ask
    head = [f"**{ask.title}** · {state.campaign} · {state.side}", ask.text]
    if state.closes is not None:
        stamp = int(state.closes.timestamp())
        silent = f" If nothing is sent: {ask.default_says}" if ask.default_says else ""
        head.append(f"Closes <t:{stamp}:R> (<t:{stamp}:f>).{silent or _unagreed(ask)}")
    else:
        head.append("⏸️ The clock stands still.")
    body: list[str] = []  # what matters most comes first, for a long sheet is cut at its end
    if state.problems:
        stands = "; what was saved before still stands" if state.answer is not None else ""
        body.append(f"__Not accepted{stands}__")
        body += list(state.problems)
    if state.differences:
        body.append("__The accounts differ__")
        body += [f"✏️ {line}" for line in state.differences]
    if state.answer is not None:
        body += [f"⚠️ {line}" for line in ask.warn(state.answer)]
        body.append(f"__Your {'account' if _is_account(ask) else 'orders'} as understood__")
        body += _changed_first(ask, ask.read_back(state.answer))
    elif state.unsent is None and ask.default is not None:
        body.append("__What stands if you send nothing__")
        body += [f"• {line}" for line in ask.read_back(ask.default)]
    if state.unsent is not None:
        body.append("__Filled in, not sent yet__")
        body += [f"• {line}" for line in ask.read_back(state.unsent)]
    foot = [_status(state)]
    return _fitted(head, body, foot)


def _unagreed(ask: AnyAsk) -> str:
    """What becomes of a battle whose deadline falls."""
    if not _is_account(ask):
        return ""
    return " If one side alone has sent its account by then, that one stands; if they differ, the clock runs on."


def _is_account(ask: AnyAsk) -> bool:
    """Whether this is an account that must agree with other sides'."""
    return ask.pace == "battle" and len(ask.parties) > 1


_usual: Remembered[AnyAsk, frozenset[str]] = Remembered(
    lambda ask: frozenset() if ask.default is None else frozenset(ask.read_back(ask.default)), most=16
)
"""What is read back to a side that sends nothing."""


def _changed_first(ask: AnyAsk, said: Sequence[str]) -> list[str]:
    """Long orders with what was changed before all else, for a phone shows little at once."""
    usual = _usual(ask) if len(said) > SHORT_READING else frozenset[str]()
    changed = [f"• ✏️ {line}" for line in said if line not in usual]
    if not changed or len(changed) == len(said):
        return [f"• {line}" for line in said]
    return [*changed, "__As it was filled in__", *(f"• {line}" for line in said if line in usual)]


def _status(state: PromptState) -> str:
    if state.stuck and not state.ready:
        done = "sent" if _is_account(state.ask) else "ready"
        return f"-# 🛑 Not {done}: what was not accepted still stands on the sheet. Mend it, or press **Start over**."
    if state.unsent is not None:
        return "-# **Send this account** sends it to be compared with the others'."
    if state.answer is not None and _is_account(state.ask):
        sent = f"Sent, receipt `{state.receipt}`." if state.receipt else "Sent."
        then = (
            "Change yours and send it again, take theirs as it stands, or wait until they change it."
            if state.differences
            else "It is compared as soon as the others have sent theirs."
        )
        return f"-# {sent} {then}"
    if state.answer is None and state.ready:
        default = f" It counts as: {state.ask.default_says}" if state.ask.default_says else ""
        return f"-# ✅ You are ready with nothing sent.{default} You may still change your mind until this closes."
    if state.answer is None:
        return "-# Nothing saved yet."
    saved = f"Saved, receipt `{state.receipt}`." if state.receipt else "Saved."
    if state.ready:
        return f"-# {saved} ✅ You are ready; you may still change your mind until this closes."
    more = f" {state.others_open} more sheet(s) of yours are open." if state.others_open else ""
    return f"-# {saved} Not marked ready.{more}"


def _fitted(head: list[str], body: list[str], foot: list[str]) -> str:
    kept = list(body)
    while True:
        dropped = len(body) - len(kept)
        cut = [f"• … {dropped} more"] if dropped else []
        text = "\n".join([*head, *kept, *cut, *foot])
        if len(text) <= MOST_CONTENT or not kept:
            return text[:MOST_CONTENT]
        kept.pop()


def _rows(state: PromptState, page: int, find: str) -> Rows:
    if quick_choice(state.ask.form):
        return (_quick_row(state), tuple(_buttons(state)))
    if find and state.ask.form.lines:
        return ((_found_select(state, find),), tuple(_buttons(state)))
    return _menu_rows((state, page))


def _make_menu_rows(of: tuple[PromptState, int]) -> Rows:
    state, page = of
    buttons = tuple(_buttons(state))
    return ((_line_select(state, page),), buttons) if state.ask.form.lines else (buttons,)


def _quick_row(state: PromptState) -> tuple[ButtonSpec, ...]:
    line = state.ask.form.lines[0]
    only = line.fields[0]
    chosen = None
    if state.answer is not None:
        chosen = state.ask.sheet_of(state.answer).get(line.key, {}).get(only.key)
    return tuple(
        {
            "type": "button",
            "id": component_id(state.token, "pick", index),
            "label": cut(choice.label, MOST_BUTTON),
            "style": "primary" if choice.value == chosen else "secondary",
            "disabled": False,
        }
        for index, choice in enumerate(only.choices)
    )


def _decides_rows(state: PromptState) -> tuple[Hashable, ...]:
    """What besides its menu decides which components a card has."""
    return state.token, state.ready, state.theirs, _is_account(state.ask)


_menu_rows: Remembered[tuple[PromptState, int], Rows] = Remembered(
    _make_menu_rows,
    most=64,
    key=lambda of: (menu_of(of[0].ask.form), of[1], *_decides_rows(of[0])),
)
"""Rows below a card that is shown again and again, and changes in its text alone. Nobody changes them."""


def page_of(form: Form, index: int, part: int = 0) -> int:
    """The page of the menu that offers this part of this line."""
    return menu_of(form).page_of[f"{index}.{part}"]


def _found_select(state: PromptState, words: str) -> MenuSpec:
    """The lines that were looked for; all of them where there are none."""
    hits = found(state.ask.form, words)
    shown = cut(f"“{words}”", 60)
    if not hits:
        return {**_line_select(state, 0), "placeholder": f"No line has {shown}. Change …"}
    return {
        **_line_select(state, 0),
        "placeholder": f"Lines with {shown} …",
        "options": [*hits, find_entry(), all_lines_entry()],
    }


def _line_select(state: PromptState, page: int) -> MenuSpec:
    pages = menu_of(state.ask.form).pages
    page %= len(pages)
    return {
        "type": "select",
        "id": component_id(state.token, "line", page),
        "placeholder": "Change …",
        "options": pages[page],
        "min": 1,
        "max": 1,
    }


def _buttons(state: PromptState) -> list[ButtonSpec]:
    def button(verb: str, label: str, style: ButtonStyle = "secondary", argument: object = "") -> ButtonSpec:
        return {
            "type": "button",
            "id": component_id(state.token, verb, argument),
            "label": label,
            "style": style,
            "disabled": False,
        }

    if _is_account(state.ask):
        ready = button("accept", "Send this account", "success")
    elif state.ready:
        ready = button("ready", "Not ready after all", "secondary", 0)
    else:
        ready = button("ready", "Ready", "success", 1)
    theirs = [button("agree", "Take their account", "primary", state.theirs)] if state.theirs else []
    return [
        ready,
        *theirs,
        button("text", "Type orders"),
        button("sheet", "Whole sheet"),
        button("reset", "Start over", "danger"),
    ]
