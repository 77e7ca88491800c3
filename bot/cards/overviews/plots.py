"""All that moves of a side by hex, on one card: where each goes, and a menu of the hexes that it may go to next.

Made of one open sheet, of its lines that move (:mod:`rules_engine.core.forms.movers`). A menu chooses the next hex, or
makes a way longer by one. Components are ``p|<token>|go|<line>.<page>`` and ``p|<token>|plots|<page>``.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.cards.frames import FramePart, accent_of, fixed, framed, heading, rows, small, text
from bot.cards.menus import cut
from bot.cards.prompts.state import PromptState, component_id
from bot.cards.told import button
from bot.records.components import Card, Component, MenuSpec, OptionSpec
from rules_engine.core.basics.base import HexId
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.forms.movers import NOWHERE_AT_ALL, Mover, ends_of, longer_ways, movers_of
from rules_engine.core.grids.places import MapPlaces

A_PAGE = 5
"""Fleets on a page: each has two lines and a menu."""
MOST_OPTIONS = 25
MOST_LINE = 120
"""Letters of what is said of a fleet."""
MOST_SAID = 1_900


def plots_card(state: PromptState, sheet: Sheet, page: int = 0) -> Card | None:
    """A page of it as the sheet stands; None where nothing on the sheet moves so."""
    places = _Places.of(state)
    movers = movers_of(state.ask.form, places.standing, places.map)
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
        head = [f"**{places.called(one.hex) or 'Elsewhere'}**"] if one.hex != before or not lines else []
        told = [
            *head,
            cut(f"{one.line.label}: {now.now}", MOST_LINE),
            *(cut(f"⚠️ {it}", MOST_LINE) for it in now.doubts),
        ]
        menu = _menu(state.token, one, places, sheet, page)
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
    example = _example(pages[page][0], places.map)
    parts += [fixed(*rows(*buttons)), fixed(small([cut(foot, MOST_LINE), example]))]
    layout = framed(parts, accent_of(state.place) if state.place is not None else None)
    all_rows = (*((menu,) for menu in menus), tuple(buttons))
    return Card(cut("\n".join([f"**{state.campaign}: your plots**", *lines]), MOST_SAID), all_rows[:5], layout)


def _example(one: Mover, places: MapPlaces | None) -> str:
    """How a way is typed."""
    way = ("0412", "0413")
    if places is not None and not places.is_numbered:
        way = tuple(map(places.called, (one.hex, *places.neighbours(one.hex))))[:2] if one.hex in places else ("A", "B")
    return f"Typed: {one.line.key}: {' > '.join(way)}, or {one.line.key} to {way[-1]}"


def _turn(token: str, label: str, to: int, count: int) -> Component:
    return button(component_id(token, "plots", max(0, to)), label, is_disabled=not 0 <= to < count)


@dataclass(frozen=True)
class _Places:
    """Where a side's own counters stand, which of them are in port, and where their courses end as the sheet stands."""

    map: MapPlaces | None
    standing: Mapping[str, HexId]
    docked: frozenset[str]
    ends: Mapping[str, HexId]

    def called(self, hex_id: HexId) -> str:
        """What a place is called."""
        return hex_id if self.map is None else self.map.called(hex_id)

    @classmethod
    def of(cls, state: PromptState) -> "_Places":
        board = state.board
        own = [] if board is None else [one for one in board.counters if one.owner == state.side_key]
        ends = ends_of((one.counter, one.hexes) for one in state.ask.courses(state.stands))
        docked = frozenset(one.id for one in own if one.docked)
        return cls(None if board is None else board.places, {one.id: one.hex for one in own}, docked, ends)


def _menu(token: str, one: Mover, places: _Places, sheet: Sheet, page: int) -> MenuSpec:
    filled = {**one.line.filled_in(), **sheet.get(one.line.key, {})}
    if one.next is not None:
        way = one.way.key if one.way is not None else ""
        labels = {
            choice.value: f"{choice.label} ({filled[way]})" if choice.value == way and filled.get(way) else choice.label
            for choice in one.next.choices
        }
        now, asks_for = filled.get(one.next.key), one.next.label
    else:
        now = " ".join(str(filled.get(one.way.key) or "").split()) if one.way is not None else ""
        labels, asks_for = _ways(one, now, places), "Then" if now else "Next"
    options: list[OptionSpec] = [
        {"value": value, "label": cut(f"{one.line.key}: {label}", 98), "description": "", "default": value == now}
        for value, label in [*labels.items()][:MOST_OPTIONS]
    ]
    return {
        "type": "select",
        "id": component_id(token, "go", f"{one.number}.{page}"),
        "placeholder": cut(f"{one.line.key}: {asks_for} …", 98),
        "options": options,
        "min": 1,
        "max": 1,
    }


def _ways(one: Mover, way: str, places: _Places) -> dict[str, str]:
    """The ways that a menu offers in place of the present one, as they are written, with what each is called."""
    end = places.ends.get(one.line.key, one.hex)
    is_docked = one.line.key in places.docked
    longer = {} if places.map is None else longer_ways(way, end, places.map, is_docked=is_docked)
    before = f"{way} > " if way else ""
    said = {text: f"{before}{places.called(hex_id)}" for text, hex_id in longer.items()}
    return said | {NOWHERE_AT_ALL: "No way: stays"}
