"""Pages of a dossier, each at most one screen of a phone. Made of one dossier and of nothing else.

A component's id is ``c|<campaign>|dossier|<place>.<page>``; a menu's is without a place, which its entries name.
"""

from collections.abc import Sequence

from bot.cards.dossiers.seen import ALL, SeenDossier, file_place, owner_place
from bot.cards.forces_pages import fits_a_page
from bot.cards.menus import cut
from bot.cards.sheets import campaign_component
from bot.cards.told import button
from bot.errors import shortened
from bot.records.components import ButtonSpec, Card, Component, MenuSpec, OptionSpec
from rules_engine.core.basics.base import Owner
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.dossiers.entries import DossierEntry
from rules_engine.core.knowledge.dossiers.files import DossierFile

MOST_OFFERED = 25
"""Entries of a menu, as Discord has it."""
MOST_LABEL = 98
MOST_ROW = 150
"""Characters of a file in a list."""
MOST_ENTRY = 600
"""Characters of an entry on its page; the file has all of it."""
VERB = "dossier"
FILE = "file"


def dossier_card(seen: SeenDossier, place: str = ALL, page: int = 0, *, missions: ButtonSpec | None = None) -> Card:
    """A page of it: of all opponents, of one, or of one thing; what is there no more, is the page of all."""
    extra: tuple[Component, ...] = () if missions is None else (missions,)
    file = seen.file_at(place)
    if file is not None:
        return _file_card(seen, file, page)
    owner = seen.owner_at(place)
    return _all_card(seen, extra) if owner is None else _owner_card(seen, owner, page, extra)


def dossier_file(seen: SeenDossier, place: str) -> str:
    """All of the same for a text file."""
    file, owner = seen.file_at(place), seen.owner_at(place)
    if file is not None:
        files: Sequence[DossierFile] = (file,)
    else:
        files = seen.dossier.files if owner is None else seen.dossier.about(owner)
    blocks: list[str] = []
    for one in files:
        entries = [_entry(seen, entry, cut_to=None) for entry in one.entries]
        blocks.append("\n".join([f"{seen.name_of(one.about)}: {_title(seen, one)}", *entries]))
    return "\n\n".join(blocks).replace("**", "").replace("-# ", "") + "\n"


# --- all opponents ----------------------------------------------------------------------------------------------------


def _all_card(seen: SeenDossier, extra: tuple[Component, ...]) -> Card:
    lines = [f"**Dossiers** · {seen.dossier.now.label}"]
    options: list[OptionSpec] = []
    for owner, name in seen.opponents.items():
        files = seen.dossier.about(owner)
        lines += [f"**{_plain(name)}**: {_counts(files)}", *_newest(seen, files)]
        options.append(_option(owner_place(owner), name, _counts(files)))
    rows: list[tuple[Component, ...]] = [(_menu(seen, "Open the dossier of …", options),)] if options else []
    if extra:
        rows.append(extra)
    return Card(_within("\n".join(lines)), tuple(rows))


def _newest(seen: SeenDossier, files: Sequence[DossierFile]) -> list[str]:
    """What was learnt last, in a line; nothing if all is on the open map."""
    told = next((one for one in files if not one.is_on_the_open_map), None)
    return [] if told is None else [f"-# newest: {shortened(_row(seen, told).replace('**', ''), MOST_ROW)}"]


def _counts(files: Sequence[DossierFile]) -> str:
    """What there is, in numbers."""
    own = [one for one in files if not one.is_hearsay]
    contacts = [one for one in own if one.is_contact]
    held = sum(one.is_held for one in contacts)
    places = sum(one.is_on_the_open_map for one in own)
    told = len(own) - len(contacts) - places
    hearsay = len(files) - len(own)
    parts = [
        (held, f"{counted(held, 'contact')} held"),
        (len(contacts) - held, f"{len(contacts) - held} lost"),
        (told, counted(told, "report")),
        (places, f"{places} on the open map"),
        (hearsay, f"{hearsay} by hearsay"),
    ]
    return ", ".join(said for count, said in parts if count) or "nothing is known"


# --- one opponent -----------------------------------------------------------------------------------------------------


def _owner_card(seen: SeenDossier, owner: Owner, page: int, extra: tuple[Component, ...]) -> Card:
    files = seen.dossier.about(owner)
    heading = f"**{_plain(seen.name_of(owner))}**: {_counts(files)}"
    pages = _paged(heading, [f"• {shortened(_row(seen, one), MOST_ROW)}" for one in files], most=MOST_OFFERED)
    page = max(0, min(page, len(pages) - 1))
    text, first, count = pages[page]
    options = [
        _option(file_place(one), _title(seen, one), _row(seen, one).partition(" · ")[2])
        for one in files[first : first + count]
    ]
    rows: list[tuple[Component, ...]] = [(_menu(seen, "All of one …", options),)] if options else []
    rows.append((*_turns(seen, owner_place(owner), page, len(pages)), _to(seen, ALL, "All")))
    rows.append((*extra, _to(seen, owner_place(owner), "As a file", kind=FILE)))
    return Card(f"{text}{_foot(page, len(pages))}", tuple(rows))


def _row(seen: SeenDossier, file: DossierFile) -> str:
    """A file in a line: what it is of, where, what is known, from where, how sure and how old."""
    known = file.last_seen
    where = seen.called(known.hex)
    subject = f"**{_plain(file.subject)}**"
    is_said = not where or f" {where} " in f" {file.subject} "
    parts = [subject if is_said else f"{subject} {_one_line(where)}"]
    parts += [_one_line(known.text), f"{_source(seen, known)}, {known.confidence}"]
    if not file.is_on_the_open_map:
        parts.append(f"{file.latest.ends} {seen.age(file.latest.when)}".strip())
    return " · ".join(parts)


def _source(seen: SeenDossier, entry: DossierEntry) -> str:
    if not entry.is_hearsay:
        return entry.source
    how = f" ({entry.source})" if entry.source != "hearsay" else ""
    return f"hearsay from {_plain(seen.name_of(entry.handed_on_by))}{how}"


def _title(seen: SeenDossier, file: DossierFile) -> str:
    return f"{file.subject}, by {seen.name_of(file.handed_on_by)}" if file.is_hearsay else file.subject


# --- one thing --------------------------------------------------------------------------------------------------------


def _file_card(seen: SeenDossier, file: DossierFile, page: int) -> Card:
    heading = f"**{_plain(_title(seen, file))}** · {_plain(seen.name_of(file.about))}"
    pages = _paged(heading, [_entry(seen, one, cut_to=MOST_ENTRY) for one in file.entries])
    page = max(0, min(page, len(pages) - 1))
    back = _to(seen, owner_place(file.about), shortened(seen.name_of(file.about), 40))
    rows: list[tuple[Component, ...]] = [
        (*_turns(seen, file_place(file), page, len(pages)), back),
        (_to(seen, file_place(file), "As a file", kind=FILE),),
    ]
    return Card(f"{pages[page][0]}{_foot(page, len(pages))}", tuple(rows))


def _entry(seen: SeenDossier, entry: DossierEntry, *, cut_to: int | None) -> str:
    """One thing that is known, with all that goes with it."""
    where = f"in {_one_line(seen.called(entry.hex))}: " if entry.hex else ""
    told = "; ".join([entry.text, *entry.details])
    told = _one_line(told)
    told = told if cut_to is None else shortened(told, cut_to)
    since = f", the same since {_plain(entry.since.label)}" if entry.since is not None else ""
    age = seen.age(entry.when)
    when = f"{age} ({_plain(entry.when.label)})" if entry.when.label else age
    rule = f"; {entry.rule}" if entry.rule else ""
    return f"• **{when}**: {where}{told}\n-# {_source(seen, entry)}, {entry.confidence}{since}{rule}"


# --- pages ------------------------------------------------------------------------------------------------------------


def _paged(heading: str, blocks: Sequence[str], most: int = 10_000) -> list[tuple[str, int, int]]:
    """Blocks below their heading in pages of a screen: of each the text, its first block, and how many there are."""
    pages: list[tuple[str, int, int]] = []
    text, first, count = heading, 0, 0
    for place, block in enumerate(blocks):
        if count and (count >= most or not fits_a_page(f"{text}\n{block}")):
            pages.append((text, first, count))
            text, first, count = heading, place, 0
        text, count = f"{text}\n{block}", count + 1
    return [*pages, (text, first, count)]


def _turns(seen: SeenDossier, place: str, page: int, pages: int) -> tuple[Component, ...]:
    if pages < 2:
        return ()
    back = _to(seen, place, "Back", page - 1, is_disabled=page == 0)
    return (back, _to(seen, place, "On", page + 1, is_disabled=page == pages - 1))


def _to(
    seen: SeenDossier, place: str, label: str, page: int = 0, *, kind: str = "", is_disabled: bool = False
) -> ButtonSpec:
    """A button to a page, or to its file."""
    made_id = campaign_component(seen.campaign_id, VERB, f"{place}.{kind or page}")
    return button(made_id, label, is_disabled=is_disabled)


def _foot(page: int, pages: int) -> str:
    return f"\n-# page {page + 1} of {pages}" if pages > 1 else ""


def _menu(seen: SeenDossier, placeholder: str, options: Sequence[OptionSpec]) -> MenuSpec:
    return {
        "type": "select",
        "id": campaign_component(seen.campaign_id, VERB),
        "placeholder": placeholder,
        "options": [*options[:MOST_OFFERED]],
        "min": 1,
        "max": 1,
    }


def _option(place: str, label: str, description: str) -> OptionSpec:
    return {
        "value": place,
        "label": cut(_one_line(label), MOST_LABEL) or "…",
        "description": cut(_one_line(description).replace("**", ""), MOST_LABEL),
        "default": False,
    }


def _within(text: str) -> str:
    """As many lines as fit a page; the menu has all."""
    lines = text.split("\n")
    while len(lines) > 1 and not fits_a_page("\n".join(lines)):
        lines.pop()
    return "\n".join(lines)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    """A name within bold text: what would end that, is left out."""
    return _one_line(text.replace("*", ""))
