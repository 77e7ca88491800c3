"""All that moves of a side by hex, on one card: where each goes, and a menu of the hexes that it may go to next.

Made of one open sheet: its lines that have a way, typed hex by hex, and a choice of the next hex beside it. Components
are ``p|<token>|go|<line>.<page>`` and ``p|<token>|plots|<page>``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bot.cards.frames import FramePart, accent_of, fixed, framed, heading, rows, small, text
from bot.cards.menus import cut
from bot.cards.prompts.state import PromptState, component_id
from bot.cards.told import button
from bot.records.components import Card, Component, MenuSpec, OptionSpec
from rules_engine.core.basics.base import HexId
from rules_engine.core.forms.forms import Field, Form, Line, Sheet
from rules_engine.core.forms.plain_orders import WAYS

A_PAGE = 5
"""Fleets on a page: each has two lines and a menu."""
MOST_OPTIONS = 25
MOST_LINE = 120
"""Letters of what is said of a fleet."""
MOST_SAID = 1_900
_HEX = re.compile(r"\d{4}")


@dataclass(frozen=True)
class Mover:
    """A line of a sheet that goes somewhere: its number on the form, where it stands, and its two fields."""

    number: int
    line: Line
    hex: HexId
    next: Field
    way: Field


def next_field(line: Line) -> Field | None:
    """The field of a line that chooses its next hex: some of its choices are hexes, and it can say to go by its way."""
    ways = {field.key for field in line.fields if field.kind == "text" and field.key in WAYS}
    for field in line.fields:
        values = [choice.value for choice in field.choices]
        if field.kind == "one" and ways & {*values} and any(_HEX.fullmatch(value) for value in values):
            return field
    return None


def movers_of(form: Form, board_hexes: dict[str, HexId]) -> list[Mover]:
    """What of a sheet moves, by hex; ``board_hexes`` is where the side's own counters stand, by their ids."""
    found: list[Mover] = []
    for number, line in enumerate(form.lines):
        chosen = next_field(line)
        way = next((field for field in line.fields if field.kind == "text" and field.key in WAYS), None)
        if chosen is not None and way is not None:
            found.append(Mover(number, line, board_hexes.get(line.key, ""), chosen, way))
    return sorted(found, key=lambda one: one.hex)


def plots_card(state: PromptState, sheet: Sheet, page: int = 0) -> Card | None:
    """A page of it as the sheet stands; None where nothing on the sheet moves so."""
    board = state.board
    own = () if board is None else (one for one in board.counters if one.owner == state.side_key)
    movers = movers_of(state.ask.form, {one.id: one.hex for one in own})
    if not movers:
        return None
    pages = [movers[at : at + A_PAGE] for at in range(0, len(movers), A_PAGE)]
    page = max(0, min(page, len(pages) - 1))
    said = state.ask.says_now(state.stands, [one.line.key for one in pages[page]])
    parts: list[FramePart] = [fixed(heading(cut(f"Plots: {state.ask.asks_for.heading}", 45)))]
    lines: list[str] = []
    menus: list[Component] = []
    before = ""
    for one in pages[page]:
        now = said[one.line.key]
        head = [f"**{one.hex or 'Elsewhere'}**"] if one.hex != before or not lines else []
        told = [
            *head,
            cut(f"{one.line.label}: {now.now}", MOST_LINE),
            *(cut(f"⚠️ {it}", MOST_LINE) for it in now.doubts),
        ]
        menu = _menu(state.token, one, sheet, page)
        parts += [fixed(text("\n".join(told))), fixed(*rows(menu))]
        lines += told
        menus.append(menu)
        before = one.hex
    buttons: list[Component] = []
    if len(pages) > 1:
        buttons += [_turn(state.token, "Back", page - 1, len(pages)), _turn(state.token, "On", page + 1, len(pages))]
    buttons.append(button(component_id(state.token, "text"), "Write them", style="primary"))
    buttons.append(button(component_id(state.token, "card"), "Open the sheet"))
    foot = f"{state.campaign}, page {page + 1} of {len(pages)}" if len(pages) > 1 else state.campaign
    example = f"Typed: {pages[page][0].line.key}: 0412 > 0413, or {pages[page][0].line.key} to 0413"
    parts += [fixed(*rows(*buttons)), fixed(small([cut(foot, MOST_LINE), example]))]
    layout = framed(parts, accent_of(state.place) if state.place is not None else None)
    all_rows = (*((menu,) for menu in menus), tuple(buttons))
    return Card(cut("\n".join([f"**{state.campaign}: your plots**", *lines]), MOST_SAID), all_rows[:5], layout)


def _turn(token: str, label: str, to: int, count: int) -> Component:
    return button(component_id(token, "plots", max(0, to)), label, is_disabled=not 0 <= to < count)


def _menu(token: str, one: Mover, sheet: Sheet, page: int) -> MenuSpec:
    filled = {**one.line.filled_in(), **sheet.get(one.line.key, {})}
    now = filled.get(one.next.key)
    options: list[OptionSpec] = [
        {
            "value": choice.value,
            "label": cut(_label(one, choice.value, choice.label, filled), 98),
            "description": "",
            "default": choice.value == now,
        }
        for choice in one.next.choices[:MOST_OPTIONS]
    ]
    return {
        "type": "select",
        "id": component_id(token, "go", f"{one.number}.{page}"),
        "placeholder": cut(f"{one.line.key}: {one.next.label} …", 98),
        "options": options,
        "min": 1,
        "max": 1,
    }


def _label(one: Mover, value: str, label: str, filled: Mapping[str, object]) -> str:
    """A choice in words; that of the way with the way itself."""
    way = filled.get(one.way.key)
    return f"{one.line.key}: {label} ({way})" if value == one.way.key and way else f"{one.line.key}: {label}"
