"""What a letter looks like: as it comes, in the list, and before it is sent. People's words stand in a quotation, so
that nobody can write what looks like the bot's.

A component's id is ``l|<letter>|<verb>|<argument>`` below a letter, ``l|<draft>|send|`` below one that is not sent,
and ``l|<campaign>|<verb>|<argument>`` in lists. They say nothing of what they lead to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.cards.told import button
from bot.errors import shortened
from bot.records.components import Card, Component
from bot.records.files import FileSpec, HandedMapFile
from bot.records.letters.letter import Draft, Handed, KeptLetter, Letter, LetterKind
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.hearsay.items import Hearsay
from rules_engine.core.knowledge.hearsay.onto_views import row_of

A_PAGE = 5
"""Letters on a page of the list: a row of buttons."""
MOST_LINE = 120
"""Characters of a letter in the list."""
MOST_ITEMS = 6
"""Things handed on that are told in a letter; the picture has them all."""
MOST_ITEM = 90
MOST_NOTE = 500
"""Characters of the words that go along with what is handed on."""

Names = Mapping[str, str]

_WORDS = {
    LetterKind.LETTER: "Letter",
    LetterKind.HANDED: "Handed on",
    LetterKind.OFFER: "Offer",
    LetterKind.ACCEPT: "Accepted",
    LetterKind.DECLINE: "Declined",
    LetterKind.WITHDRAW: "Withdrawn",
    LetterKind.NOTICE: "Notice",
}
_DONE = {
    LetterKind.ACCEPT: "accepted",
    LetterKind.DECLINE: "declined",
    LetterKind.WITHDRAW: "withdrawn",
}


def letter_id(token: str, verb: str, argument: object = "") -> str:
    """The id of a component."""
    return f"l|{token}|{verb}|{argument}"


def quoted(text: str) -> str:
    """People's words as a quotation, in which nothing opens a block or hides where a link leads."""
    harmless = text.replace("```", "ˋˋˋ").replace("](", "] (")
    return "\n".join(f"> {line}" for line in harmless.split("\n"))


def in_a_line(text: str, most: int = MOST_LINE) -> str:
    """The beginning of people's words, on one line and without marks."""
    plain = " ".join(text.replace("`", "ˋ").replace("*", "∗").replace("](", "] (").replace("<", "‹").split())
    return shortened(plain, most)


def heading(letter: Letter, names: Names, reader: str | None) -> str:
    """From whom it is and to whom, as ``reader`` (a side, or None) calls them."""
    sender, receiver = names.get(letter.sender, letter.sender), names.get(letter.receiver, letter.receiver)
    what = _WORDS[letter.kind]
    number = f"{what} {letter.number}" if letter.about is None else f"Letter {letter.number}"
    if reader == letter.receiver:
        return f"{number} from **{sender}**"
    if reader == letter.sender:
        return f"{number} to **{receiver}**"
    return f"{number} from **{sender}** to **{receiver}**"


def body(letter: Letter, names: Names) -> str:
    """What it says."""
    lines: list[str] = []
    match letter.kind:
        case LetterKind.OFFER:
            lines.append("__Offered__")
        case LetterKind.ACCEPT:
            lines.append(f"Offer {letter.about} is **accepted**:")
        case LetterKind.DECLINE:
            lines.append(f"Offer {letter.about} is **declined**:")
        case LetterKind.WITHDRAW:
            lines.append(f"Offer {letter.about} is **withdrawn**:")
        case LetterKind.NOTICE:
            lines.append(f"**Notice** is given of agreement {letter.about}: it ends with turn {letter.until}.")
        case _:
            pass
    if letter.text:
        lines.append(quoted(letter.text))
    if (handed := letter.hands_on) is not None:
        lines += handed_lines(handed, names)
    return "\n".join(lines)


def handed_lines(handed: Handed, names: Names) -> list[str]:
    """What is handed on, in words."""
    lines = [f"• {_item(one, names)}" for one in handed.items[:MOST_ITEMS]]
    left = len(handed.items) - len(lines)
    lines += [f"• … {left} more, which the map shows"] if left else []
    if handed.view is not None and not handed.items:
        lines.append("• a map with no contacts on it")
    return [*lines, "-# Hearsay: what its giver knew then, under its giver's own names and numbers."]


def _item(one: Hearsay, names: Names) -> str:
    return shortened(row_of(one, one.turn, dict(names)), MOST_ITEM + 40)


def files_with(letter: Letter) -> tuple[FileSpec, ...]:
    """The picture that goes along, if there is one."""
    return files_of(letter.hands_on)


def files_of(handed: Handed | None) -> tuple[FileSpec, ...]:
    """The picture of a map that is handed on."""
    if handed is None or handed.view is None:
        return ()
    return (HandedMapFile(view=handed.view, area=handed.area),)


def letter_card(kept: KeptLetter, names: Names, *, reader: str | None, campaign: str = "", may_answer: bool) -> Card:
    """A whole letter, as a side reads it; with what can be answered, if its reader may."""
    letter = kept.letter
    name = f"**{campaign}** · " if campaign else ""
    foot = f"-# by <@{letter.by}> · turn {letter.turn} · <t:{int(letter.moment.timestamp())}:f>"
    text = "\n".join([f"✉️ {name}{heading(letter, names, reader)}", body(letter, names), foot, _receipt(letter)])
    return Card(text, _rows(kept, reader) if may_answer else (), files=files_with(letter))


def _receipt(letter: Letter) -> str:
    return f"-# receipt `{letter.receipt}`"


def _rows(kept: KeptLetter, reader: str | None) -> tuple[tuple[Component, ...], ...]:
    token, letter = kept.token, kept.letter
    reply = button(letter_id(token, "reply"), "Reply" if reader == letter.receiver else "Write more")
    if letter.kind is not LetterKind.OFFER:
        return ((reply,),)
    if reader == letter.receiver:
        answers = (
            button(letter_id(token, "accept"), "Accept", style="success"),
            button(letter_id(token, "decline"), "Decline"),
        )
        return ((*answers, reply),)
    return ((button(letter_id(token, "withdraw"), "Withdraw"), reply),)


def list_card(
    campaign_id: str, letters: Sequence[KeptLetter], names: Names, *, reader: str | None, page: int, total: int, of: str
) -> Card:
    """A page of letters, the newest first, each with a button that opens it. ``of`` is the side with whom, or empty."""
    pages = max(1, -(-total // A_PAGE))
    whom = f" with {names[of]}" if of else ""
    lines = [f"✉️ **{counted(total, 'letter')}{whom}**"]
    opening: list[Component] = []
    for number, kept in enumerate(letters, start=page * A_PAGE + 1):
        letter = kept.letter
        said = in_a_line(letter.text) or (f"offer {letter.about}" if letter.about else "…")
        lines.append(f"{number}. {heading(letter, names, reader)}, turn {letter.turn}: {said}")
        opening.append(button(letter_id(kept.token, "read"), f"{number}"))
    rows: list[tuple[Component, ...]] = [tuple(opening)] if opening else []
    if pages > 1:
        lines.append(f"-# page {page + 1} of {pages}, the newest first")
        rows.append(
            (
                button(letter_id(campaign_id, "page", f"{page - 1}.{of}"), "Newer", is_disabled=page == 0),
                button(letter_id(campaign_id, "page", f"{page + 1}.{of}"), "Older", is_disabled=page >= pages - 1),
            )
        )
    return Card("\n".join(lines), tuple(rows))


def sent_text(sent: Sequence[tuple[Letter, bool]], names: Names) -> str:
    """The receipts for letters that were sent, or had been sent already."""
    lines = [f"{_sent(letter, names, is_new=is_new)}, receipt `{letter.receipt}`." for letter, is_new in sent]
    return "\n".join(["✉️ " + lines[0], *lines[1:]])


def _sent(letter: Letter, names: Names, *, is_new: bool) -> str:
    """A letter as its sender is told that it went; an answer to an offer by what becomes of that."""
    done = _DONE.get(letter.kind)
    if done is None:
        return f"{'Sent' if is_new else 'This stands already'}: {heading(letter, names, letter.sender)}"
    return f"Offer {letter.about} is {done}; **{names.get(letter.receiver, letter.receiver)}** is told"


def answered_card(kept: KeptLetter, names: Names, *, reader: str, campaign: str, said: str) -> Card:
    """An offer as it stands in the message in which its reader has just answered it: it asks for that no more."""
    card = letter_card(kept, names, reader=reader, campaign=campaign, may_answer=True)
    return replace(card, content=f"{card.content}\n{said}", rows=((card.rows[0][-1],),))


def draft_card(draft: Draft, names: Names) -> Card:
    """A letter before it is sent: exactly what would go out, and to whom."""
    whom = ", ".join(names[one] for one in draft.to)
    lines = [f"✉️ To **{whom}**:", quoted(draft.text) if draft.text else ""]
    lines += handed_lines(draft.handed, names) if draft.handed is not None else []
    lines.append("-# Nothing is sent yet: **Send** does that.")
    send = button(letter_id(draft.token, "send"), "Send", style="success")
    drop = button(letter_id(draft.token, "drop"), "Do not send")
    return Card("\n".join(filter(None, lines)), ((send, drop),), files=files_of(draft.handed))
