"""The card of a battle's account: first what usually changes, and once others' accounts are in, only what differs.

Knows no discord.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.cards.accounts import AccountShown, PlaceShown, say
from bot.cards.frames import (
    MOST_HEIGHT,
    MOST_IN_ROW,
    FramePart,
    accent_of,
    beside,
    fixed,
    framed,
    heading,
    picture,
    rows,
    rule,
    small,
    spared,
    text,
)
from bot.cards.menus import cut
from bot.cards.prompts.standing import captains, given_back_elsewhere, mending, noted, refusal, status, steps, unagreed
from bot.cards.prompts.state import PromptState, component_id
from bot.cards.sentences import leading, refused
from bot.cards.strands import strand_heading
from bot.records.components import Block, ButtonSpec, ButtonStyle, Card, MenuSpec, Rows
from bot.records.files import AccountFile

STRIP = "account.png"
"""The file of an account's picture."""
MOST_PLACES = 3
"""Places in which accounts differ that a card shows at once."""
MOST_ROWS = 5
"""Rows of a message without a frame."""
MOST_MAKE = 22
"""Letters of another's value on a button; a longer one stands beside it alone."""
MOST_SAID = 90
MOST_TOLD = 8
"""Differences told in words, where a rulebook names no places."""
PROBLEMS = (12, 5, 2)
READ_BACK = (8, 4)
KEPT = 2
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass(frozen=True)
class AccountControls:
    """What every prompt's card has: its buttons, the menu of its lines, and the rows of a message without a frame; in
    the place of a menu the ``answers`` to the only question."""

    buttons: Sequence[ButtonSpec]
    menu: MenuSpec | None
    rows: Rows
    answers: Sequence[ButtonSpec] = ()


def account_card(state: PromptState, account: AccountShown, controls: AccountControls, page: int = 0) -> Card:
    """The card, with a page of the places that differ."""
    parts = _compared(state, account, controls, page) if state.differences else _to_fill_in(state, account, controls)
    layout = framed(parts, accent_of(account.seat), tallest=MOST_HEIGHT, picture_height=_picture_height(account))
    is_shown = any(block["type"] == "picture" for block in layout.blocks)
    files = (AccountFile(outcome=account.outcome),) if account.outcome is not None and is_shown else ()
    return Card(_content(state), _rows(state, account, controls), layout, files)


def _rows(state: PromptState, account: AccountShown, controls: AccountControls) -> Rows:
    """The rows of the message that the card is before it becomes a frame."""
    blocks = [
        *(_place(state, place, is_all=_is_all(account)) for place in account.places[:MOST_PLACES]),
        *(one.forms[0][-1] for number in _pages(state, account) for one in _page(state, account, number)),
    ]
    own = [block["button"] for block in blocks if block["type"] == "section"][:MOST_IN_ROW]
    words = _words(state, account) if state.differences else []
    return (*(tuple(one) for one in (own, words) if one), *controls.rows)[:MOST_ROWS]


def account_heading(state: PromptState) -> str:
    """What is needed, in a few words."""
    words = state.ask.asks_for.heading
    return refused(words) if state.problems and not state.stuck else leading(words, _how_it_stands(state))


def _how_it_stands(state: PromptState) -> str:
    if state.problems:
        return "not whole yet" if state.stuck else "not accepted"
    if state.differences:
        return "accounts differ"
    return "account sent" if state.answer is not None and state.unsent is None else "your account"


def _content(state: PromptState) -> str:
    """What notifies."""
    strand = [strand_heading(state.strand, state.closes)] if state.strand else []
    closes = "" if state.closes is None else f" Closes <t:{int(state.closes.timestamp())}:R>."
    what = _how_it_stands(state)
    return "\n".join([*strand, f"**{state.ask.title}** · {state.campaign} · {state.side}: {what}.{closes}"])


# --- while it is filled in --------------------------------------------------------------------------------------------


def _to_fill_in(state: PromptState, account: AccountShown, controls: AccountControls) -> list[FramePart]:
    return [
        *_head(state, [_situation(state)]),
        *_problems(state),
        *_picture(account),
        *(one for number in _pages(state, account) for one in _page(state, account, number)),
        *_read_back(state),
        *_menu(controls, "Change anything else …"),
        fixed(*rows(*_sending(state, controls))),
        *_small(state, account),
    ]


def _sending(state: PromptState, controls: AccountControls) -> list[ButtonSpec]:
    """The buttons; what was sent as it stands, and not by a partner, is not sent again."""
    is_sent = state.answer is not None and state.unsent is None and not state.stuck and not state.sent_by
    return [button for button in controls.buttons if not (is_sent and button["id"].split("|")[2] == "accept")]


def _situation(state: PromptState) -> str:
    if state.answer is not None and state.unsent is None and not state.stuck:
        awaited = f" {state.answered}." if state.answered else ""
        return f"It is compared as soon as the others have sent theirs.{awaited}"
    awaited = f" {state.answered}." if state.answered else ""
    return f"{state.ask.asks_for.situation} What you do not change is as it was.{awaited}"


def _pages(state: PromptState, account: AccountShown) -> list[int]:
    """The pages of the short form that ask anything now."""
    guide = state.ask.guide
    if guide is None:
        return []
    numbers = range(len(guide.short.pages))
    return [number for number in numbers if guide.short.is_asked(number, state.ask.form, account.sheet)]


def _page(state: PromptState, account: AccountShown, number: int) -> list[FramePart]:
    """A page of the short form: what it says now, and the button that opens it."""
    guide = state.ask.guide
    assert guide is not None
    is_first = number == 0 and state.answer is None and state.unsent is None and not state.stuck
    button = _button(
        state, "short", "Fill in" if is_first else "Change", "primary" if is_first else "secondary", number
    )
    return [fixed(rule(), beside(guide.short.pages[number].title, _said(state, account, number), button))]


def _said(state: PromptState, account: AccountShown, number: int, without: Sequence[str] = ()) -> str:
    """What a page of the short form says now, in a line or two."""
    guide = state.ask.guide
    said = () if guide is None else guide.short.said(number, state.ask.form, account.sheet)
    kept = [f"{label}: {words}" for label, words in said if label not in without]
    return cut("; ".join(kept), 2 * MOST_SAID) if kept else "As it was."


def _read_back(state: PromptState, *, unsent_alone: bool = False) -> list[FramePart]:
    """What was sent and what is filled in since, in all lines, as far as there is room; the whole sheet has them."""
    sent = "Your account as understood" + (f", sent by {state.sent_by}" if state.sent_by else "")
    stands = [] if unsent_alone or state.answer is None else _lines(state, sent, state.answer)
    return [*stands, *([] if state.unsent is None else _not_sent(state))]


def _not_sent(state: PromptState) -> list[FramePart]:
    """What is filled in and not sent yet; of an account beside one that was sent, what it says otherwise."""
    said, sent = state.ask.read_back(state.unsent), () if state.answer is None else state.ask.read_back(state.answer)
    changed = [line for line in said if line not in sent]
    return _lines(state, "Filled in, not sent yet", state.unsent, changed or said, is_kept=bool(sent))


def _lines(
    state: PromptState, title: str, account: Any, said: Sequence[str] | None = None, *, is_kept: bool = False
) -> list[FramePart]:
    """What an account says, or what of it is ``said``: with a line or two of it in any case if it ``is_kept``."""
    said = state.ask.read_back(account) if said is None else said
    head = [*(f"⚠️ {line}" for line in state.ask.warn(account)), f"__{title}__"]
    forms = [
        [rule(), text("\n".join([*head, *(f"• {line}" for line in said[:most]), *_more(said, most)]))]
        for most in dict.fromkeys(min(len(said), one) for one in (*READ_BACK, *([KEPT] if is_kept else [])))
    ]
    if is_kept:
        return [spared(8, *forms)]
    return [spared(8, *forms, [rule(), text("\n".join(head[:-1]))] if head[1:] else [])]


def _more(said: Sequence[str], most: int) -> list[str]:
    return [f"… {len(said) - most} more" for _ in range(len(said) > most)]


# --- once others have sent theirs -------------------------------------------------------------------------------------


def _compared(state: PromptState, account: AccountShown, controls: AccountControls, page: int) -> list[FramePart]:
    first = MOST_PLACES * min(page, max(0, (len(account.places) - 1) // MOST_PLACES))
    shown = account.places[first : first + MOST_PLACES]
    kept = {"accept", "agree"} if state.unsent is not None else {"agree"}
    verbs = {button["id"].split("|")[2]: button for button in controls.buttons}
    if "agree" in verbs and _is_all(account):
        verbs["agree"] = _plain(verbs["agree"])
    decide = [button for verb, button in verbs.items() if verb in kept]
    rest = [button for verb, button in verbs.items() if verb not in {"accept", "agree", "reset"}]
    return [
        *_head(state, [_who_differs(state, account)]),
        *_problems(state),
        *_picture(account),
        *(fixed(rule(), _place(state, one, is_all=_is_all(account))) for one in shown),
        *_other_places(state, account, first, len(shown)),
        *_all_else(state, account),
        *_read_back(state, unsent_alone=True),
        *_menu(controls, "Change your account …"),
        fixed(*rows(*decide, *_words(state, account))),
        fixed(*rows(*rest)),
        *_small(state, account),
    ]


def _who_differs(state: PromptState, account: AccountShown) -> str:
    """What differs, in a sentence: of what is filled in since one was sent, where that is another account."""
    waits = f" {state.answered}." if state.answered else ""
    if state.unsent is not None and not account.differences:
        return f"What you have filled in since agrees with theirs: **Send this account** sends it.{waits}"
    if not account.places:  # the rulebook names no places
        lines = [f"✏️ {cut(line, 200)}" for line in account.differences[:MOST_TOLD]]
        return "\n".join([f"The accounts differ:{waits}", *lines, *_more(account.differences, MOST_TOLD)])
    if len(account.places) == 1:
        (place,) = account.places
        said = ", ".join(f"{say(name)} **{words}**" for name, words in place.theirs)
        mine = "you say" if state.unsent is None else "you have filled in"
        return f"{place.what}: {mine} **{place.mine}**, {said}. All else agrees.{waits}"
    which = "The accounts differ" if state.unsent is None else "What you have filled in differs from theirs"
    return f"{which} in {len(account.places)} places. All else agrees.{waits}"


def _place(state: PromptState, place: PlaceShown, *, is_all: bool) -> Block:
    """A place with what each says, and a button that takes the others' value over: the coloured one where that is all
    that differs, else theirs for the whole account is."""
    if not place.make:
        return text(f"**{place.what}**\n{cut(place.said, 2 * MOST_SAID)}")
    label = f"Make it {place.brief}" if len(place.brief) <= MOST_MAKE else "Take theirs"
    button = _button(state, "make", label, "primary" if is_all else "secondary", place.make)
    return beside(place.what, cut(place.said, 2 * MOST_SAID), button)


def _plain(button: ButtonSpec) -> ButtonSpec:
    made = button.copy()
    made["style"] = "secondary"
    return made


def _is_all(account: AccountShown) -> bool:
    """Whether a button beside one place leaves nothing that differs."""
    return len(account.places) == 1 and bool(account.places[0].make)


def _other_places(state: PromptState, account: AccountShown, first: int, count: int) -> list[FramePart]:
    """The way to places that find no room."""
    left = len(account.places) - count
    if left <= 0:
        return []
    following = (first // MOST_PLACES + 1) % ((len(account.places) - 1) // MOST_PLACES + 1)
    button = _button(state, "page", "Show them", argument=following)
    return [fixed(rule(), beside(f"{left} more", "They differ, too.", button))]


def _all_else(state: PromptState, account: AccountShown) -> list[FramePart]:
    """What agrees, in one row, which leads to one's own account."""
    if not _pages(state, account):
        return []
    differing = [place.what for place in account.places]
    said = _said(state, account, 0, differing)
    button = _button(state, "short", "Change", argument=0)
    return [
        spared(6, [rule(), beside("All else agrees", said, button)], [rule(), beside("All else agrees", "", button)])
    ]


def _words(state: PromptState, account: AccountShown) -> list[ButtonSpec]:
    """What can be said beside an account; what was said cannot be said again while nobody changes theirs."""
    stand = _button(state, "stand", "Stand by mine", argument=account.mark)
    ask = _button(state, "referee", "Ask the referee", argument=account.mark)
    return [{**stand, "disabled": account.stood}, {**ask, "disabled": account.asked}]


# --- what both have ---------------------------------------------------------------------------------------------------


def _head(state: PromptState, said: Sequence[str]) -> list[FramePart]:
    strand = [fixed(text(strand_heading(state.strand, state.closes)))] if state.strand else []
    if state.problems:  # whoever reads why something was refused has read what is asked
        return [*strand, fixed(heading(account_heading(state)))]
    return [*strand, fixed(heading(account_heading(state)), text(" ".join(said)))]


def _problems(state: PromptState) -> list[FramePart]:
    note = noted(state)
    if not state.problems:
        return [fixed(text("\n".join(note)))] if note else []
    top, mended = refusal(state), [*mending(state), *note]
    forms = [
        [text("\n".join([*top, *state.problems[:most], *_more(state.problems, most), *mended]))]
        for most in dict.fromkeys(min(len(state.problems), one) for one in PROBLEMS)
    ]
    return [spared(4, *forms)]


def _menu(controls: AccountControls, placeholder: str) -> list[FramePart]:
    """The way to every line of the sheet, or the answers to its only question."""
    menu = controls.menu
    if controls.answers:
        return [fixed(rule(), *rows(*controls.answers))]
    return [] if menu is None else [fixed(rule(), *rows({**menu, "placeholder": placeholder}))]


def _picture(account: AccountShown) -> list[FramePart]:
    return [] if account.outcome is None else [spared(1, [picture(STRIP, "")], [])]


def _picture_height(account: AccountShown) -> int:
    """Pixels of the strip on a phone, about: a heading and a row for each unit of the larger force."""
    outcome = account.outcome
    if outcome is None:
        return 0
    return 34 + 42 * min(6, max((len(outcome.units_of(force)) for force in outcome.forces), default=0))


def _small(state: PromptState, account: AccountShown) -> list[FramePart]:
    """Small print; what **Undo** takes back stands there if there is room for it."""
    undoing = [line for line in steps(state) if "**Undo**" in line]
    lines = _small_print(state, account)
    short = [line for line in lines if line not in {one.removeprefix("-# ") for one in undoing}]
    return [spared(9, [small(lines)], [small(short)])]


def _small_print(state: PromptState, account: AccountShown) -> list[str]:
    """Which version it is, where it stands, what becomes of it and when, and by which rule."""
    ask = state.ask
    is_sent = state.answer is not None and state.unsent is None and not state.stuck
    stands = given_back_elsewhere(state) if is_sent else status(state).removeprefix("-# ")
    lines = [f"{_version(state, account)}{stands}", *steps(state), *captains(state)]
    if account.stood:
        lines.append("You stand by yours, and the others were told so.")
    if account.asked:
        lines.append("The referee was asked to settle it.")
    if state.partners:
        lines.append(f"You answer as one with {state.partners}: what any of you sends last counts for all.")
    if state.closes is None:
        lines.append("⏸️ The clock stands still.")
    else:
        until = f"<t:{int(state.closes.timestamp())}:f>"
        after = "then the clock runs on; the referee may settle it." if state.differences else unagreed(ask).strip()
        between = "; " if state.differences else ". "
        lines.append(f"Play waits for this battle until {until}{between}{after} Rule {ask.rule}")
    lines.append(f"{state.campaign} · {state.side} · {ask.title}")
    return [line.removeprefix("-# ") for line in lines if line]


def _version(state: PromptState, account: AccountShown) -> str:
    if not account.versions or account.sent_at is None:
        return ""
    number = account.versions
    which = ORDINALS[number - 1] if number <= len(ORDINALS) else f"{number}th"
    by = f" by {state.sent_by}" if state.sent_by else ""
    receipt = f", receipt `{state.receipt}`" if state.receipt and not state.differences else ""
    return f"Your {which} version, sent{by} <t:{int(account.sent_at.timestamp())}:R>{receipt}. "


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
