"""A bulletin in a frame: a headline, how its reader stands, the map, the numbered places with what is behind each, and
what else there is to open."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bot.cards.frames import MOST_HEIGHT, FramePart, framed, heading, picture, rows, rule, small, spared
from bot.cards.frames import text as words
from bot.cards.told import Ids, button
from bot.records.bulletins import Fact
from bot.records.components import Block, ButtonSpec, Layout
from bot.records.signs.catalogue import pin_sign
from bot.records.signs.marks import signed
from rules_engine.core.basics.counted import counted

MAP = "map.png"
"""The name of a card's map among the files of its message."""

MAP_HEIGHT = 210
"""Pixels of a card's map on a phone, about."""

_FIGURE = re.compile(r"(?<!\S)\d+\b")
"""A number that stands by itself."""
_HALVES = {"¼": Fraction(1, 4), "⅓": Fraction(1, 3), "½": Fraction(1, 2), "⅔": Fraction(2, 3), "¾": Fraction(3, 4)}


@dataclass(frozen=True)
class BulletinFrame:
    """What a bulletin in a frame is made of.

    ``label`` is the point of campaign time and ``title`` what is above all ("": nothing is), ``stands`` how the reader
    stands. Of the numbered ``facts`` those at the places ``fresh`` are told, and of these those ``explained`` have
    reports behind them. ``lines`` are told beside them, ``left`` reports are not; ``told`` are behind the log.
    """

    label: str
    title: str
    stands: str
    facts: tuple[Fact, ...] = ()
    fresh: tuple[int, ...] = ()
    explained: frozenset[int] = frozenset()
    lines: tuple[str, ...] = ()
    left: int = 0
    told: int = 0
    has_map: bool = False
    leads_on: bool = False
    """Whether its readers may have something to do next, to which a button leads."""
    notes: tuple[str, ...] = ()
    """Small print."""


def bulletin_layout(frame: BulletinFrame, ids: Ids, following: ButtonSpec, accent: int) -> Layout:
    """The frame; ``following`` leads to what its reader should do next, and ``accent`` is the colour of its edge."""
    stands = " · ".join(filter(None, [frame.label if frame.title else "", frame.stands]))
    parts: list[FramePart] = [_always(heading(frame.title or frame.label))]
    if stands:
        parts.append(_always(words(stands)))
    if frame.has_map:
        parts.append(_always(picture(MAP, "")))
    for place in frame.fresh:
        parts += [_always(rule()), _always(_row(frame, place, ids))]
    old = [(place, fact) for place, fact in enumerate(frame.facts) if place not in frame.fresh]
    known = [signed(pin_sign(place), fact.text) for place, fact in old]
    if frame.lines:
        all_lines = words("\n".join(f"• {line}" for line in frame.lines))
        parts += [_always(rule()), spared(1, [all_lines], [words(f"• {frame.lines[-1]}")])]
    parts += [_always(rule()), _always(*rows(*_buttons(frame, ids, following)))]
    if known and frame.has_map:
        parts.append(spared(2, [small([f"As before: {'; '.join(known)}"])], []))
    if print_ := _small(frame):
        parts.append(_always(small(print_)))
    return framed(parts, accent, tallest=MOST_HEIGHT, picture_height=MAP_HEIGHT if frame.has_map else 0)


def _always(*blocks: Block) -> FramePart:
    """A part that stays as it is."""
    return FramePart((blocks,))


def _row(frame: BulletinFrame, place: int, ids: Ids) -> Block:
    """A numbered place: its pin and sentence, a word about it, and what says more."""
    fact = frame.facts[place]
    more = button(ids("fact", place), "Why?") if place in frame.explained else button(ids("show", place), "Show")
    told = signed(pin_sign(place), f"**{fact.text}**")
    aside = "" if f" {fact.aside} " in f" {fact.text} " else fact.aside  # said already
    return {"type": "section", "text": f"{told}\n{aside}" if aside else told, "button": more}


def _buttons(frame: BulletinFrame, ids: Ids, following: ButtonSpec) -> Sequence[ButtonSpec]:
    made: list[ButtonSpec] = [{**following, "style": "primary"}] if frame.leads_on else []
    if frame.has_map:
        made.append(button(ids("map", 0), "Map"))
    if frame.told:
        made.append(button(ids("log", 0), "Log"))
    return made


def _small(frame: BulletinFrame) -> list[str]:
    also = f"Also: {counted(frame.left, 'smaller event')}. Dice and rules are in the log."
    return [also, *frame.notes] if frame.left and frame.told else [*frame.notes]


def split_change(score: str, before: str) -> tuple[str, str]:
    """A score, and its change since before in brackets: by how much where both are numbers of one thing, else what it
    was, of several numbers of the same things the numbers alone; "" for none."""
    if not before or score == before:
        return score, ""
    now, then = _number(score), _number(before)
    if now is None or then is None or now[0] != then[0]:
        counts = _FIGURE.findall(before)
        alike = len(counts) > 1 and _FIGURE.split(score) == _FIGURE.split(before)
        return score, f" (was {', '.join(counts) if alike else before})"
    return score, f" ({_signed(now[1] - then[1])})"


def _number(score: str) -> tuple[str, Fraction] | None:
    """What is counted, and how many, of ``VP +2½`` or ``21 points``."""
    name, _, number = score.rpartition(" ")
    if score[:1].isdigit():
        number, _, name = score.partition(" ")
    number = number.replace("−", "-").replace("+", "")
    sign = -1 if number.startswith("-") else 1
    number = number.removeprefix("-")
    part = _HALVES.get(number[-1:], Fraction(0))
    whole = number[:-1] if part else number
    if not whole.isascii() or not (whole.isdigit() or (part and not whole)) or len(whole) > 9:
        return None
    return name, sign * (Fraction(int(whole or 0)) + part)


def _signed(change: Fraction) -> str:
    whole, rest = divmod(abs(change), 1)
    part = next((sign for sign, value in _HALVES.items() if value == rest), "")
    if rest and not part:
        return f"{'+' if change > 0 else '−'}{abs(change)}"
    return f"{'+' if change > 0 else '−'}{whole if whole or not part else ''}{part}"
