"""The card of an open sheet in its frame: what is needed, the map of this question, the lines that need the reader.

The whole sheet is one press away, in :mod:`bot.cards.prompts.orders`. Knows no discord.py.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.cards.frame_sizes import height
from bot.cards.frames import (
    MOST_HEIGHT,
    FramePart,
    accent_of,
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
from bot.cards.prompts.lines import PINS, LineRow, line_rows, plain, row_block, with_places
from bot.cards.prompts.standing import captains, mending, noted, refusal, status, steps
from bot.cards.prompts.state import PromptState
from bot.cards.sentences import leading, refused, sentence
from bot.cards.strands import strand_heading
from bot.records.components import Block, ButtonSpec, Component, Layout, MenuSpec
from bot.records.files import CardMapFile, FileSpec
from rules_engine.core.basics.base import HexId
from rules_engine.core.protocol.question import Question

MAP = "map.png"
"""The file of a card's map."""
MOST_ROWS, MOST_ROWS_OF_TURN = 5, 3
WHOLE_HIGH, CROP_HIGH = 210, 300
"""Pixels of a card's maps on a phone, about."""
NUMBERS = ("nothing new", "one place needs you", "two places need you", "three places need you")
FIRST_TURN, FIRST_ORDERS = "Turn 1", "your first orders"
"""The heading of a campaign's first sheet, when nothing can be new yet, and what is said then."""
NOTHING_TO_DO = "nothing needs you"
"""What is said where nothing can be done at any numbered place."""
PROBLEMS = (20, 8, 3)
DOUBTS = (12, 5, 2)
"""How many of what must be said are said, as the card has room."""


@dataclass(frozen=True)
class CardControls:
    """What a card offers below its rows: answers that are a button each, a menu of its lines, and its other buttons.

    ``is_all`` says that the answers are all that there is to choose, so that no rows are needed.
    """

    buttons: Sequence[ButtonSpec]
    answers: Sequence[ButtonSpec] = ()
    menu: MenuSpec | None = None
    is_all: bool = False


def turn_layout(state: PromptState, controls: CardControls) -> Layout:
    """The frame of a card, with as many rows as a phone shows."""
    found = [] if controls.is_all else line_rows(state)
    whole = state.ask.asks_for.whole
    wanted = [row for row in found if row.needs_reader] if whole and len(found) > MOST_ROWS_OF_TURN else found
    most = min(len(wanted), MOST_ROWS_OF_TURN if whole else MOST_ROWS)
    for keeps_map in (True, False):
        for count in range(most, 0, -1):
            shown = wanted[:count]
            made = _laid(state, shown, [one for one in found if one not in shown], controls, keeps_map=keeps_map)
            if height(made, _picture_height(state)) <= MOST_HEIGHT:
                return made
    return _laid(state, [], found, controls)


def _laid(
    state: PromptState,
    shown: Sequence[LineRow],
    others: Sequence[LineRow],
    controls: CardControls,
    *,
    keeps_map: bool = False,
) -> Layout:
    menu = controls.menu
    below: list[Component] = [] if menu is None else [{**menu, "placeholder": _placeholder(state, menu, bool(shown))}]
    if menu is not None and not others and not _is_long(menu):
        below = []
    return framed(
        [
            *_head(state, others if state.ask.asks_for.whole else (), is_all=not shown),
            *_problems(state),
            *_picture(state, is_fixed=keeps_map),
            *(fixed(rule(), row_block(state, row)) for row in shown),
            *_facts(state, shown),
            *_doubts(state, shown),
            fixed(rule(), *rows(*below)),
            fixed(*rows(*controls.answers), *rows(*controls.buttons)),
            fixed(small(_small_print(state))),
        ],
        accent_of(state.place),
        tallest=MOST_HEIGHT,
        picture_height=_picture_height(state),
    )


def _is_long(menu: MenuSpec) -> bool:
    """Whether lines have more parts than rows can open."""
    return any("/" in option["label"][-5:] and option["label"].endswith(")") for option in menu["options"])


def _placeholder(state: PromptState, menu: MenuSpec, beside_rows: bool) -> str:
    noun = state.ask.asks_for.noun
    if menu["placeholder"] != "Change …":
        return menu["placeholder"]
    if not beside_rows:
        return f"Change a {noun}, or the whole side" if noun else menu["placeholder"]
    return f"Another {noun}, or the whole side" if noun else "Another line …"


def short_heading(state: PromptState) -> str:
    """What is needed, in a few words."""
    question = state.ask.asks_for
    words = with_places(question.heading, question.hexes, state.board)
    if state.rest_saved:
        return leading(words, "saved in part")
    if state.problems:
        return leading(words, "no longer legal") if state.stuck else refused(words)
    if question.whole and state.ready:
        return leading(words, "you are ready")
    if question.whole and not question.plain and state.board is not None:
        news = state.board.news
        if words == FIRST_TURN and not news:
            return leading(words, FIRST_ORDERS)
        needs = sum(not one.idle for one in news)
        return leading(words, NUMBERS[needs] if needs or not news else NOTHING_TO_DO)
    return words


def _head(state: PromptState, others: Sequence[LineRow], *, is_all: bool) -> list[FramePart]:
    question = state.ask.asks_for
    strand = [fixed(text(strand_heading(state.strand, state.closes)))] if state.strand else []
    said = [with_places(question.situation, question.hexes, state.board)] if question.situation else []
    said += _of_others(question, others, is_all=is_all)
    if state.problems:  # whoever reads why something was refused has read what is asked
        return [*strand, fixed(heading(short_heading(state)))]
    return [*strand, fixed(heading(short_heading(state)), *([text(" ".join(said))] if said else []))]


def _of_others(question: Question, others: Sequence[LineRow], *, is_all: bool) -> Iterable[str]:
    """What becomes of those that are no rows: how many do as usual, and how many have been told something else."""
    usual = sum(not one.changed and one.line.key in (question.lines or (one.line.key,)) for one in others)
    who = "Your" if is_all else "The other"
    if usual and question.noun:
        many = f"{usual} {question.noun}s {question.others}"
        yield f"{who} {f'{question.noun} {_of_one(question.others)}' if usual == 1 else many}."
    changed = sum(one.changed for one in others)
    if changed:
        yield f"{changed} {'' if is_all else 'more '}changed: **All orders** has them."


def _of_one(others: str) -> str:
    """The same words said of one line: goes on as plotted, keeps its course."""
    does = others.replace("go on", "goes on").replace("stay", "stays").replace("fly their", "flies its")
    return "holds" if does == "hold" else does.replace("keep their courses", "keeps its course")


def _problems(state: PromptState) -> list[FramePart]:
    note = noted(state)
    if not state.problems:
        return [fixed(text("\n".join(note)))] if note else []
    top, mended = refusal(state), [*mending(state), *note]
    reasons = [f"🛑 {one.removeprefix('• ')}" for one in state.problems]
    forms = [
        [text("\n".join([*top, *reasons[:most], *_more(reasons, most), *mended]))]
        for most in _counts(reasons, PROBLEMS)
    ]
    return [spared(0, *forms)]


def _counts(said: Sequence[str], most: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(min(len(said), one) for one in most))


def _more(said: Sequence[str], most: int) -> list[str]:
    left = len(said) - most
    return [f"… and {left} more: **All orders** has them."] if left > 0 else []


# --- the map ----------------------------------------------------------------------------------------------------------


def area_of(state: PromptState) -> tuple[HexId, ...]:
    """The hexes that the card's map shows; none if it is the whole map."""
    question, board = state.ask.asks_for, state.board
    return () if question.whole or board is None else tuple(one for one in question.hexes if one in board.places)


def _picture(state: PromptState, *, is_fixed: bool) -> list[FramePart]:
    if state.board is None or state.problems:
        return []
    around = ", ".join(state.board.places.called(one) for one in area_of(state)[:6])
    shown = f"The map around {around}" if around else "The whole map"
    block = picture(MAP, f"{shown}, with your saved orders. /map has it in words.")
    return [fixed(block) if is_fixed else spared(8, [block], [])]


def files_of(state: PromptState) -> tuple[FileSpec, ...]:
    """What the card's map is made from when it leaves."""
    if state.board is None or state.problems:
        return ()
    return (CardMapFile(side=state.side_key, area=area_of(state), battle=state.ask.beside),)


def _picture_height(state: PromptState) -> int:
    return CROP_HIGH if area_of(state) else WHOLE_HIGH


# --- what needs the reader --------------------------------------------------------------------------------------------


def _facts(state: PromptState, shown: Sequence[LineRow]) -> list[FramePart]:
    """What is new at numbered places where no row is."""
    if state.board is None or not state.ask.asks_for.whole:
        return []
    seen = {row.pin for row in shown}
    said = [f"{PINS[number]} {plain(one.fact)}" for number, one in enumerate(state.board.news) if number not in seen]
    return [spared(6, [rule(), text("\n".join(said))], [])] if said else []


def _doubts(state: PromptState, shown: Sequence[LineRow]) -> list[FramePart]:
    """What the reader would probably regret, and no row says."""
    told = {doubt for row in shown for doubt in row.says.doubts}
    warnings: Sequence[str] = () if state.stands is None else state.ask.warn(state.stands)
    said = [one for one in warnings if one not in told]
    if not said:
        return []
    forms: list[list[Block]] = []
    for most in _counts(said, DOUBTS):
        lines = (f"⚠️ {one}" for one in said[:most])
        forms.append([rule(), text("\n".join([*lines, *_more(said, most)]))])
    return [spared(3, *forms)]


# --- small print ------------------------------------------------------------------------------------------------------


def _small_print(state: PromptState) -> list[str]:
    """What becomes of it, when it closes, and whose it is."""
    ask = state.ask
    said = [status(state).removeprefix("-# ")]
    if ask.default_says and state.answer is None and not state.is_done:
        said.append(f"If you send nothing: {sentence(ask.default_says)}")
    if state.closes is None:
        said.append("⏸️ The clock stands still.")
    else:
        stamp = int(state.closes.timestamp())
        said.append(f"Closes <t:{stamp}:f>." if state.strand else f"Closes <t:{stamp}:R> (<t:{stamp}:f>).")
        if state.answer is not None and not state.is_done:
            said.append("Saved orders count even if you never press **Ready**.")
    lines = [" ".join(said), *steps(state), *captains(state)]
    if state.partners:
        lines.append(f"You answer as one with {state.partners}: what any of you sends last counts for all.")
    lines.append(f"{plain(state.campaign)} · {plain(state.side)} · {plain(ask.title)}")
    return [line.removeprefix("-# ") for line in lines]


def short_content(state: PromptState) -> str:
    """What notifies: what is needed, where, for whom, and when it closes."""
    closes = "" if state.closes is None else f" Closes <t:{int(state.closes.timestamp())}:R>."
    said = f"**{state.ask.title}** · {state.campaign} · {state.side}\n{sentence(short_heading(state))}{closes}"
    return f"{strand_heading(state.strand, state.closes)}\n{said}" if state.strand else said
