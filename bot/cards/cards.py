"""Prompts as cards: an ask and what was answered so far, made into text and components. Knows no discord.py.

A component's id is ``p|<token>|<verb>|<argument>``. The token says nothing; who presses and what is open is looked
up again at every press.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from bot.cards.forces import is_of_two_sides
from bot.cards.menus import Menu, all_lines_entry, cut, find_entry, found, menu_of
from bot.cards.strands import strand_heading
from bot.records.captains import Team
from bot.records.components import ButtonSpec, ButtonStyle, Card, MenuSpec, Rows
from bot.records.prompts import step_mark
from rules_engine.core.forms.forms import Form
from rules_engine.core.protocol.asks import AnyAsk, Remembered

MOST_CONTENT = 1_900
MOST_BUTTON = 80
MOST_WRITTEN = 450
"""Characters that a card gives back of what was not accepted; a longer text goes along as a file."""
MOST_THROWN_AWAY = 1_500
"""Characters of what would be thrown away that are shown before it is."""
QUICK_CHOICES = MOST_IN_ROW = 5
MOST_STEP = 120
"""Characters of a change that can be taken back."""
MOST_YOURS = 150
"""Characters of the ships that a card names as its reader's own."""
SHORT_READING = 6
"""Lines of orders that stay in their own order; of more, those that were changed come first."""


@dataclass(frozen=True)
class PromptState:
    """What a prompt's card is made from; all of it is the asked side's own.

    ``answer`` is what was journalled; ``unsent`` a legal account of a battle that was filled in but not sent. What was
    ``written`` and not accepted is shown beside its ``problems``; it stands on no sheet, and ``has_returned`` reminds
    of it. The sheet is ``stuck`` while what stands on it is refused: an account that is not finished, or orders that a
    correction of the record made illegal. ``theirs`` marks another side's account of a battle, which differs and may be
    taken over.

    ``partners`` are the other sides that answer as one with this side, by name; ``sent_by`` is the one of them whose
    answer stands for all, and if ``sender_ready``, that suffices. ``answered`` says who has sent an account, where
    there are more than two sides.

    ``team`` are the side's captains, where it has any; the card is then another one for each ``reader`` of them.

    ``strand`` is the name of the strand that the sheet closes with, where its side is asked in several at once.

    ``steps`` is the number of the last change that can be taken back (0: none), and ``last_step`` what it said;
    ``taken_back`` is what was taken back just now.
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
    written: str = ""
    written_in_form: bool = False
    has_returned: bool = False
    differences: Sequence[str] = field(default=())
    theirs: str = ""
    partners: str = ""
    sent_by: str = ""
    sender_ready: bool = False
    answered: str = ""
    team: Team | None = None
    reader: int | None = None
    strand: str = ""
    steps: int = 0
    last_step: str = ""
    taken_back: str = ""

    def for_reader(self, user_id: int) -> "PromptState":
        """What the card for this commander is made from."""
        return self if self.team is None else replace(self, reader=user_id)

    @property
    def is_done(self) -> bool:
        """Whether its reader is done with the strand: the side is ready there, or this captain has confirmed it and
        others have not."""
        return self.ready or (self.team is not None and bool(self.team.missing) and self.reader in self.team.confirmed)


def component_id(token: str, verb: str, argument: object = "") -> str:
    """The id of a prompt's component."""
    return f"p|{token}|{verb}|{argument}"


def next_button() -> ButtonSpec:
    """What leads to whatever waits for its reader next, in any campaign."""
    return {"type": "button", "id": "w|next||", "label": "Next", "style": "secondary", "disabled": False}


def prompt_card(state: PromptState, *, page: int = 0, find: str = "") -> Card:
    """The card of an open prompt, with a page of its menu, or with the lines that have ``find`` in their names."""
    return Card(content=_content(state), rows=_rows(state, page, find))


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
        silent = f" If nothing is sent: {ask.default_says}" if ask.default_says and not state.problems else ""
        moment = f"<t:{stamp}:f>" if state.strand else f"<t:{stamp}:R> (<t:{stamp}:f>)"
        head.append(f"Closes {moment}.{silent or _unagreed(ask)}")
    else:
        head.append("⏸️ The clock stands still.")
    head += [f"{state.answered}."] if state.answered else []
    body: list[str] = []  # what matters most comes first, for a long sheet is cut at its end
    if state.problems:
        body.append(f"__Not accepted{_what_stands(state)}__")
        body += list(state.problems)
        if state.written:
            body += _given_back(state)
    if state.differences:
        body.append("__The accounts differ__")
        body += [f"✏️ {line}" for line in state.differences]
    if state.answer is not None:
        body += [f"⚠️ {line}" for line in ask.warn(state.answer)]
        what = "account" if _is_account(ask) else "orders"
        whose = f"{what} as understood, sent by {state.sent_by}" if state.sent_by else f"{what} as understood"
        body.append(f"__Your {whose}__")
        body += _changed_first(ask, ask.read_back(state.answer))
    elif state.unsent is None and ask.default is not None:
        body.append("__What stands if you send nothing__")
        body += [f"• {line}" for line in ask.read_back(ask.default)]
    if state.unsent is not None:
        body.append("__Filled in, not sent yet__")
        body += [f"• {line}" for line in ask.read_back(state.unsent)]
    foot = [*_steps(state), _status(state), *_captains(state)]
    return _fitted(head, body, foot)


def _what_stands(state: PromptState) -> str:
    """What has become of the sheet, beside something that was not accepted."""
    if state.answer is not None:
        return "; what was saved before still stands"
    return "" if state.stuck else "; nothing was changed"


def _given_back(state: PromptState) -> list[str]:
    """What somebody wrote that was not accepted, as far as it finds room, and where to mend it."""
    again = "Choose the line again" if state.written_in_form else "**Type orders** again"
    return ["You wrote:", quoted(state.written, MOST_WRITTEN), f"{again}: it opens with this, to be mended."]


def quoted(text: str, most: int) -> str:
    """What somebody wrote, to be copied: in a block that it cannot leave, at most so many characters of it."""
    shown = text.strip().replace("`", "ˋ")
    return f"```\n{shown[:most]}{'…' if len(shown) > most else ''}\n```"


def _unagreed(ask: AnyAsk) -> str:
    """What becomes of a battle whose deadline falls."""
    if not _is_account(ask):
        return ""
    if is_of_two_sides(ask):
        return " If one side alone has sent its account by then, that one stands; if they differ, the clock runs on."
    return " Who has sent none by then agrees with the accounts that were sent; if these differ, the clock runs on."


def _is_account(ask: AnyAsk) -> bool:
    """Whether this is an account that must agree with those of others."""
    return ask.pace == "battle" and ask.is_shared


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
    """Where the sheet stands, in one line."""
    returned = " ✍️ What was not accepted does not count; **Type orders** or its line has it."
    alone = f" Ready counts for {state.strand} alone." if state.strand and not _is_account(state.ask) else ""
    return f"{_standing(state)}{alone}{returned if state.has_returned else ''}"


def _standing(state: PromptState) -> str:
    if state.stuck and not state.is_done:
        if _is_account(state.ask):
            return "-# 🛑 Not sent: the sheet is not whole yet, or wrong. Fill in what is missing, mend what is wrong."
        return "-# 🛑 Not ready: what stands on the sheet is not legal as it is. What you do not mend is set aside."
    if state.unsent is not None:
        return "-# **Send this account** sends it to be compared with the others'."
    if state.answer is not None and _is_account(state.ask):
        sent = _accepted("Sent", state)
        then = (
            "Change yours and send it again, take theirs as it stands, or wait until they change it."
            if state.differences
            else "It is compared as soon as the others have sent theirs."
        )
        return f"-# {sent} {then}"
    if state.answer is None and state.is_done:
        default = f" It counts as: {state.ask.default_says}" if state.ask.default_says else ""
        return f"-# ✅ You are ready with nothing sent.{default} You may still change your mind until this closes."
    if state.answer is None:
        return "-# Nothing saved yet."
    saved = _accepted("Saved", state)
    if state.is_done:
        return f"-# {saved} ✅ You are ready; you may still change your mind until this closes."
    if state.sender_ready:
        return f"-# {saved} ✅ {state.sent_by} is ready with it; nothing more is awaited of you here."
    here = " here" if state.strand else ""
    more = f" {state.others_open} more sheet(s) of yours are open{here}." if state.others_open else ""
    return f"-# {saved} Not marked ready.{more}"


def _steps(state: PromptState) -> list[str]:
    """What was taken back just now, and what may be taken back next."""
    lines = [f"-# ↩️ Taken back: {in_a_line(state.taken_back)}"] if state.taken_back else []
    if state.steps and (state.taken_back or state.answer is not None or state.unsent is not None):
        lines.append(f"-# **Undo** takes back: {in_a_line(state.last_step)}")
    return lines


def in_a_line(said: str) -> str:
    """What a change of a sheet said, short, as something to be read and not as marks of Discord's."""
    shown = cut("; ".join(said.replace("`", "ˋ").strip().split("\n")), MOST_STEP)
    return f"`{shown}`"


def _captains(state: PromptState) -> list[str]:
    """What is the reader's own on the sheet, and which captains have confirmed it."""
    team = state.team
    if team is None or not team.awaited:
        return []
    lines: list[str] = []
    if state.reader in team.awaited:
        lines.append(f"-# ⚓ Yours: {', '.join(team.names_of(state.reader))[:MOST_YOURS]}")
    if state.ready:
        return [*lines, "-# 👥 All captains have confirmed."]
    confirmed = team.awaited & team.confirmed if team.missing else frozenset[int]()
    done = f"Confirmed by {mentions(confirmed)}; awaited" if confirmed else "Awaited"
    return [*lines, f"-# 👥 {done}: {mentions(team.missing or team.awaited)}."]


def mentions(user_ids: Iterable[int]) -> str:
    """These people, so that Discord shows their names."""
    return ", ".join(f"<@{user_id}>" for user_id in sorted(user_ids))


def _accepted(how: str, state: PromptState) -> str:
    """That an answer was taken: by which receipt, or from which partner."""
    if state.sent_by:
        return f"{how} by {state.sent_by}."
    return f"{how}, receipt `{state.receipt}`." if state.receipt else f"{how}."


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
    return state.token, state.is_done, state.theirs, step_mark(state.steps, state.last_step), _is_account(state.ask)


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
    buttons = _buttons(state)
    return tuple(tuple(buttons[at : at + MOST_IN_ROW]) for at in range(0, len(buttons), MOST_IN_ROW))


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
    elif state.is_done:
        ready = button("ready", "Not ready after all", "secondary", 0)
    else:
        ready = button("ready", "Ready", "success", 1)
    undo = [button("undo", "Undo", argument=step_mark(state.steps, state.last_step))] if state.steps else []
    theirs = [button("agree", "Take their account", "primary", state.theirs)] if state.theirs else []
    following = [next_button()] if state.is_done and not theirs else []
    return [
        ready,
        *theirs,
        *undo,
        *following,
        button("text", "Type orders"),
        button("sheet", "Whole sheet"),
        button("reset", "Start over", "danger"),
    ]


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
