"""Prompts as cards: an ask and what was answered so far, made into text and components. Knows no discord.py.

A component's id is ``p|<token>|<verb>|<argument>``. The token says nothing; who presses and what is open is looked
up again at every press.
"""

from collections.abc import Hashable, Sequence

from bot.cards.menus import Menu, all_lines_entry, cut, find_entry, found, menu_of
from bot.cards.prompts.account import AccountControls, account_card
from bot.cards.prompts.card import CardControls, files_of, short_content, turn_layout
from bot.cards.prompts.lines import is_beside_a_row
from bot.cards.prompts.standing import (
    captains,
    changed_first,
    is_account,
    mending,
    noted,
    quoted,
    refusal,
    status,
    steps,
    unagreed,
)
from bot.cards.prompts.state import PromptState, component_id
from bot.cards.sentences import sentence
from bot.cards.strands import strand_heading
from bot.records.components import ButtonSpec, ButtonStyle, Card, MenuSpec, Rows
from rules_engine.core.forms.forms import Form, Sheet
from rules_engine.core.protocol.asks import Remembered

MOST_CONTENT = 1_900
MOST_BUTTON = 80
MOST_THROWN_AWAY = 1_500
"""Characters of what would be thrown away that are shown before it is."""
QUICK_CHOICES = MOST_IN_ROW = 5


def next_button() -> ButtonSpec:
    """What leads to whatever waits for its reader next, in any campaign."""
    return {"type": "button", "id": "w|next||", "label": "Next", "style": "secondary", "disabled": False}


def prompt_card(state: PromptState, *, page: int = 0, find: str = "") -> Card:
    """The card of an open prompt, with a page of its menu, or with the lines that have ``find`` in their names."""
    if is_account(state.ask) and state.account is not None:
        return account_card(state, state.account, _account_controls(state), page)
    if is_account(state.ask):
        return Card(content=_content(state), rows=_rows(state, page, find))
    layout = turn_layout(state, _controls(state, page, find))
    shows_map = any(block["type"] == "picture" for block in layout.blocks)
    return Card(short_content(state), _rows(state, page, find), layout, files_of(state) if shows_map else ())


def _controls(state: PromptState, page: int, find: str) -> CardControls:
    form = state.ask.form
    if quick_choice(form):
        return CardControls(_frame_buttons(state), answers=_quick_row(state), is_all=True)
    menu = None
    if form.lines:
        menu = _found_select(state, find) if find else _line_select(state, page)
    return CardControls(_frame_buttons(state), _offers(state), menu)


def _offers(state: PromptState) -> list[ButtonSpec]:
    """The usual answers, that one marked which stands on the sheet; but for what a row has a button for."""
    stands = state.answer
    sheet = {} if stands is None else state.ask.sheet_of(stands)
    return [
        {
            "type": "button",
            "id": component_id(state.token, "offer", number),
            "label": cut(offer.label, MOST_BUTTON),
            "style": "primary" if _holds(sheet, offer.values) else "danger" if offer.is_grave else "secondary",
            "disabled": False,
        }
        for number, offer in enumerate(state.ask.asks_for.offers)
        if not is_beside_a_row(state, offer)
    ]


def _holds(sheet: Sheet, values: Sheet) -> bool:
    """Whether a sheet says all of this."""
    return bool(sheet) and all(
        (sheet.get(key) or {}).get(name) == value for key, line in values.items() for name, value in line.items()
    )


def _account_controls(state: PromptState) -> AccountControls:
    form, buttons, fallback = state.ask.form, _buttons(state), _rows(state, 0, "")
    if quick_choice(form):
        return AccountControls(buttons, None, fallback, _quick_row(state))
    return AccountControls(buttons, _line_select(state, 0) if form.lines else None, fallback)


def closed_text(campaign: str, title: str, how: str, taken: Sequence[str] = ()) -> str:
    """What a prompt's message says once it is over: the orders that were ``taken``, and how it closed."""
    return _fitted([f"**{campaign}** · **{title}**"], [f"• {line}" for line in taken], [f"-# {how}"])


def quick_choice(form: Form) -> bool:
    """Whether the whole form is one question with a handful of answers, so that buttons do."""
    if len(form.lines) != 1 or len(form.lines[0].fields) != 1:
        return False
    only = form.lines[0].fields[0]
    return only.kind == "one" and 1 < len(only.choices) <= QUICK_CHOICES


def _content(state: PromptState) -> str:
    ask = state.ask
    # On every card of a strand: a phone shows hardly more than one, and what opens later stands below other strands'.
    head = [strand_heading(state.strand, state.closes)] if state.strand else []
    head.append(f"**{ask.title}** · {state.campaign} · {state.side}")
    if not state.problems:  # whoever reads why something was refused has read what is asked
        head.append(ask.text)
    if state.partners:
        head.append(f"You answer as one with {state.partners}: what any of you sends last counts for all.")
    if state.closes is not None:
        stamp = int(state.closes.timestamp())
        silent = f" If nothing is sent: {sentence(ask.default_says)}" if ask.default_says and not state.problems else ""
        moment = f"<t:{stamp}:f>" if state.strand else f"<t:{stamp}:R> (<t:{stamp}:f>)"
        head.append(f"Closes {moment}.{silent or unagreed(ask)}")
    else:
        head.append("⏸️ The clock stands still.")
    if state.answered:
        head.append(f"{state.answered}.")
    body: list[str] = []  # what matters most comes first, for a long sheet is cut at its end
    if state.problems:
        body += [*refusal(state), *state.problems, *mending(state)]
    body += noted(state)
    if state.differences:
        body.append("__The accounts differ__")
        body += [f"✏️ {line}" for line in state.differences]
    if state.answer is not None:
        body += [f"⚠️ {line}" for line in ask.warn(state.answer)]
        what = "account" if is_account(ask) else "orders"
        whose = f"{what} as understood, sent by {state.sent_by}" if state.sent_by else f"{what} as understood"
        body.append(f"__Your {whose}__")
        body += changed_first(ask, ask.read_back(state.answer))
    elif state.unsent is None and ask.default is not None:
        body.append("__What stands if you send nothing__")
        body += [f"• {line}" for line in ask.read_back(ask.default)]
    if state.unsent is not None:
        body.append("__Filled in, not sent yet__")
        body += [f"• {line}" for line in ask.read_back(state.unsent)]
    foot = [*steps(state), status(state), *captains(state)]
    return _fitted(head, body, foot)


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
        return (_quick_row(state), *_button_rows(state))
    if find and state.ask.form.lines:
        return ((_found_select(state, find),), *_button_rows(state))
    return _menu_rows((state, page))


def _make_menu_rows(of: tuple[PromptState, int]) -> Rows:
    state, page = of
    lines = ((_line_select(state, page),),) if state.ask.form.lines else ()
    return (*lines, *_button_rows(state))


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
    return state.token, state.is_done, state.theirs, state.undo_mark, is_account(state.ask)


_menu_rows: Remembered[tuple[PromptState, int], Rows] = Remembered(
    _make_menu_rows,
    most=64,
    key=lambda of: (_menu(of[0]), of[1], *_decides_rows(of[0])),
)
"""Rows below a card that is shown again and again, and changes in its text alone. Nobody changes them."""


def _menu(state: PromptState) -> Menu:
    """The menu of a sheet as it stands."""
    form = state.ask.form
    if not form.has_series:
        return menu_of(form)
    stands = state.unsent if state.answer is None else state.answer
    return menu_of(form, form.prefilled() if stands is None else state.ask.sheet_of(stands))


def page_of(state: PromptState, index: int, part: int = 0) -> int:
    """The page of the menu that offers this part of this line; the first where it is not offered yet."""
    return _menu(state).page_of.get(f"{index}.{part}", 0)


def page_of_series(state: PromptState, series: str) -> int:
    """The page of the menu that offers lines of this series; the first where there are none."""
    lines = enumerate(state.ask.form.lines)
    places = (f"{index}.0" for index, line in lines if line.series == series)
    return next((page for place in places if (page := _menu(state).page_of.get(place)) is not None), 0)


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
    pages = _menu(state).pages
    page %= len(pages)
    return {
        "type": "select",
        "id": component_id(state.token, "line", page),
        "placeholder": "Change …",
        "options": pages[page],
        "min": 1,
        "max": 1,
    }


def _button_rows(state: PromptState) -> Rows:
    buttons = _buttons(state) if is_account(state.ask) else _frame_buttons(state)
    return tuple(tuple(buttons[at : at + MOST_IN_ROW]) for at in range(0, len(buttons), MOST_IN_ROW))


def _main_buttons(state: PromptState) -> list[ButtonSpec]:
    """What ends the work on a sheet, and what leads on or back from it."""
    if is_account(state.ask):
        ready = _button(state, "accept", "Send this account", "success")
    elif state.is_done:
        ready = _button(state, "ready", "Not ready after all", "secondary", 0)
    else:
        ready = _button(state, "ready", "Ready", "success", 1)
    undo = [_button(state, "undo", "Undo", argument=state.undo_mark)] if state.steps else []
    theirs = [_button(state, "agree", "Take their whole account", "primary", state.theirs)] if state.theirs else []
    following = [next_button()] if state.is_done and not theirs else []
    return [ready, *theirs, *undo, *following]


def _buttons(state: PromptState) -> list[ButtonSpec]:
    return [
        *_main_buttons(state),
        _button(state, "text", "Write them"),
        _button(state, "sheet", "As a file"),
        _button(state, "reset", "Start over", "danger"),
    ]


def _frame_buttons(state: PromptState) -> list[ButtonSpec]:
    """Those of a card in its frame: the whole sheet, and what can be done with it, is a page of its own."""
    return [
        *_main_buttons(state),
        _button(state, "orders", "All orders", argument=0),
        _button(state, "text", "Write them"),
    ]


def _button(
    state: PromptState, verb: str, label: str, style: ButtonStyle = "secondary", argument: object = ""
) -> ButtonSpec:
    return {
        "type": "button",
        "id": component_id(state.token, verb, argument),
        "label": label,
        "style": style,
        "disabled": False,
    }


def start_over_card(token: str, title: str, changes: str, mark: str, *, has_returned: bool) -> Card:
    """What starting over would throw away, with buttons that do it or leave it."""
    lines = [f"**Start over with “{title}”?** The sheet would be as it was filled in to begin with."]
    if changes:
        lines += ["This would be thrown away:", quoted(changes, MOST_THROWN_AWAY)]
    if has_returned:
        also = " as well" if changes else ""
        lines.append(f"What you wrote that was not accepted would be thrown away{also}.")
    rows: Rows = (
        (
            {
                "type": "button",
                "id": component_id(token, "reset", mark),
                "label": "Throw it away",
                "style": "danger",
                "disabled": False,
            },
            {
                "type": "button",
                "id": component_id(token, "keep"),
                "label": "Keep it",
                "style": "secondary",
                "disabled": False,
            },
        ),
    )
    return Card("\n".join(lines), rows)
