"""The menu of a sheet: its lines by groups, in pages that Discord can show, and lines found by what is typed.

A menu holds 25 entries. A sheet with more lines is laid out in pages of one group each (task forces, ships …); every
page leads on, to the other groups, back to the beginning, and to the search. Knows no discord.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.records.components import OptionSpec
from rules_engine.core.forms.forms import Field, Form, Sheet
from rules_engine.core.forms.forms import Line as FormLine
from rules_engine.core.protocol.asks import Remembered

MOST_ENTRIES = 25
MOST_LABEL = 100
MOST_GROUPS = 8
"""Groups that every page leads to; what lies beyond is joined to the last."""

MODAL_FIELDS = 5
PAGE = "page"
FIND = f"{PAGE}.find"


@dataclass(frozen=True, eq=False)
class Menu:
    """Everything a form's menu offers: the entries of its pages, and where each part of a line stands.

    Nobody changes it.
    """

    pages: list[list[OptionSpec]]
    page_of: dict[str, int]
    entries: list[OptionSpec]


def cut(text: str, most: int) -> str:
    """``text`` within ``most`` characters; what is too long ends between two words, with an ellipsis."""
    if len(text) <= most:
        return text
    kept = text[: most - 1]
    head, gap, _ = kept.rpartition(" ")
    return f"{head.rstrip(' ,;')} …" if gap and len(head) > most // 2 else f"{kept}…"


def parts_of(line: FormLine) -> list[tuple[Field, ...]]:
    """The fields of a line as modals ask for them, one after another; all in one where they fit."""
    fields = line.fields
    if len(fields) <= MODAL_FIELDS:
        return [fields]
    first = min(line.together or MODAL_FIELDS, MODAL_FIELDS)
    rest = fields[first:]
    return [fields[:first], *(rest[at : at + MODAL_FIELDS] for at in range(0, len(rest), MODAL_FIELDS))]


def _make_menu(form: Form, unused: frozenset[str]) -> Menu:
    lines = [(index, line) for index, line in enumerate(form.lines) if line.key not in unused]
    grouped = _grouped(lines)
    count = sum(len(entries) for _, entries in grouped)
    if count <= MOST_ENTRIES:
        entries = [_entry(line, index, part) for index, line in lines for part in _parts(line)]
        return Menu([entries], {entry["value"]: 0 for entry in entries}, entries)
    room = max(1, MOST_ENTRIES - (len(grouped) - 1) - len((_NEXT, _BACK, FIND)))
    pages: list[list[OptionSpec]] = []
    group_of_page: list[int] = []
    first_page: list[int] = []
    for number, (_, entries) in enumerate(grouped):
        first_page.append(len(pages))
        for at in range(0, len(entries), room):
            pages.append(entries[at : at + room])
            group_of_page.append(number)
    where = {entry["value"]: number for number, page in enumerate(pages) for entry in page}
    led = [[*page, *_ways(number, pages, group_of_page, first_page, grouped)] for number, page in enumerate(pages)]
    return Menu(led, where, [entry for _, entries in grouped for entry in entries])


_menus: Remembered[Form, dict[frozenset[str], Menu]] = Remembered(lambda _: {}, most=16)


def menu_of(form: Form, sheet: Sheet | None = None) -> Menu:
    """The menu of a form, without what the sheet as it stands has no use for yet; of all its lines without a sheet."""
    unused = frozenset[str]() if sheet is None else form.unused(sheet)
    menus = _menus(form)
    if unused not in menus:
        menus[unused] = _make_menu(form, unused)
    return menus[unused]


_NEXT = "More …"
_BACK = "Back to the first"


def _grouped(lines: Sequence[tuple[int, FormLine]]) -> list[tuple[str, list[OptionSpec]]]:
    """The entries of lines and their places by group, in the order in which the groups first appear."""
    groups: dict[str, list[OptionSpec]] = {}
    for index, line in lines:
        name = line.group
        if name not in groups and len(groups) == MOST_GROUPS:
            name = [*groups][-1]
        groups.setdefault(name, []).extend(_entry(line, index, part) for part in _parts(line))
    return [*groups.items()]


def _parts(line: FormLine) -> range:
    return range(len(parts_of(line)))


def _entry(line: FormLine, index: int, part: int) -> OptionSpec:
    parts = parts_of(line)
    more = f" ({part + 1}/{len(parts)})" if len(parts) > 1 else ""
    note = line.note
    if len(parts) > 1 and (part or not note):
        note = ", ".join(field.label for field in parts[part])
    return _item(f"{index}.{part}", cut(line.label, MOST_LABEL - len(more)) + more, note)


def _item(value: str, label: str, note: str = "") -> OptionSpec:
    return {"value": value, "label": label, "description": cut(note, MOST_LABEL), "default": False}


def _ways(
    number: int,
    pages: Sequence[Sequence[OptionSpec]],
    group_of_page: Sequence[int],
    first_page: Sequence[int],
    grouped: Sequence[tuple[str, Sequence[OptionSpec]]],
) -> list[OptionSpec]:
    """Where one can go from a page: on, to the other groups, back to the first of this one, to the search."""
    here = group_of_page[number]
    ways: list[OptionSpec] = []
    if number + 1 < len(pages) and group_of_page[number + 1] == here:
        ways.append(_item(f"{PAGE}.{number + 1}", _NEXT, _span(pages[number + 1])))
    if number != first_page[here]:
        ways.append(_item(f"{PAGE}.{first_page[here]}", f"{_BACK} …", _span(pages[first_page[here]])))
    for other, (name, entries) in enumerate(grouped):
        if other != here:
            ways.append(_item(f"{PAGE}.{first_page[other]}", f"{name or 'Other lines'} …", _span(entries)))
    return [*ways, find_entry()]


def find_entry() -> OptionSpec:
    """The entry that opens the search."""
    return _item(FIND, "Find a line …", "Type a part of its name, or a hex")


def all_lines_entry() -> OptionSpec:
    """The entry that leads from what was found back to the whole menu."""
    return _item(f"{PAGE}.0", "All lines …")


def _span(entries: Sequence[OptionSpec]) -> str:
    first, last = entries[0]["label"], entries[-1]["label"]
    half = (MOST_LABEL - 10) // 2
    return first if len(entries) == 1 else f"{len(entries)}: {cut(first, half)} to {cut(last, half)}"


def found(form: Form, words: str) -> list[OptionSpec]:
    """The entries whose label holds every one of the words, in any case; at most as many as a menu has room for."""
    wanted = words.casefold().split()
    hits = [entry for entry in menu_of(form).entries if all(one in entry["label"].casefold() for one in wanted)]
    return hits[: max(1, MOST_ENTRIES - 2)] if wanted else []
