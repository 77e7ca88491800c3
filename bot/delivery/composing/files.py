"""From what a message is to carry to files with alt text. Pictures are drawn off the loop."""

import asyncio
from collections.abc import Sequence

from bot.delivery.drawing import Drawing, MapOrder
from bot.delivery.prepared import SIZE_LIMIT, Attachment, document, picture
from bot.records.files import (
    AccountFile,
    BattleDetailsFile,
    BattleFile,
    CardMapFile,
    FileSpec,
    FilmFile,
    HandedMapFile,
    OwnUnitsFile,
    PublicMapFile,
    SideMapFile,
    TacticalMapFile,
    TextFile,
    UnreadableFile,
    WholeMapFile,
)


async def files_of(
    specs: Sequence[FileSpec], drawing: Drawing, limit: int = SIZE_LIMIT, *, theme: str = ""
) -> tuple[tuple[Attachment, ...], tuple[str, ...]]:
    """The files of a post, drawn with the theme of that name, and what the message must say about them."""
    files: list[Attachment] = []
    notes: list[str] = []
    for spec in specs:
        made, note = await asyncio.to_thread(_file, spec, drawing, limit, theme)
        files += made
        if note:
            notes.append(note)
    return distinct(files), tuple(notes)


def _file(spec: FileSpec, drawing: Drawing, limit: int, theme: str) -> tuple[tuple[Attachment, ...], str]:
    """Blocking: draw or write one file."""
    import map_render  # noqa: PLC0415  Pillow is loaded by the first file, not at start

    match spec:
        case SideMapFile(view=view) | PublicMapFile(view=view) | TacticalMapFile(view=view):
            made = [(image, lambda: map_render.describe(view)) for image in drawing.pictures(view, MapOrder(theme))]
        case WholeMapFile(view=view):
            everything = view
            made = [(drawing.map(view, MapOrder(theme)), lambda: map_render.describe(everything))]
        case HandedMapFile(view=view, area=area):
            handed = view
            image = drawing.card_map(view, area, theme=theme)
            made = [(image, lambda: map_render.describe(handed))]
        case BattleFile(sheet=setup):
            shown = setup.common()  # both sides see it
            made = [(drawing.battle(shown, theme=theme), lambda: map_render.describe_battle(shown))]
        case BattleDetailsFile(sheet=setup):
            shown = setup.common()
            details = drawing.battle_details(shown, theme=theme)
            made = [] if details is None else [(details, lambda: map_render.describe_battle(shown))]
        case OwnUnitsFile(sheet=setup, side=side):
            own = drawing.own_units(setup, side, theme=theme)
            made = [] if own is None else [(own, lambda: own.alt)]
        case AccountFile(outcome=outcome):
            strip = drawing.account(outcome, theme=theme)
            made = [(strip, lambda: strip.alt)]
        case TextFile(name=name, text=text):
            return document(name, text.encode(), limit)
        case CardMapFile() | FilmFile() | UnreadableFile():
            raise ValueError("a file that is not understood, or that must be looked up")
    pictures = [picture(image.filename, image.png, image.alt, limit, words) for image, words in made]
    notes = dict.fromkeys(note for _, note in pictures if note)
    return tuple(file for files, _ in pictures for file in files), "\n".join(notes)


def distinct(files: Sequence[Attachment]) -> tuple[Attachment, ...]:
    """The files under names that differ, as Discord's clients show them."""
    seen: dict[str, int] = {}
    named: list[Attachment] = []
    for file in files:
        seen[file.name] = seen.get(file.name, 0) + 1
        count = seen[file.name]
        stem, dot, ending = file.name.rpartition(".")
        name = file.name if count == 1 else f"{stem}-{count}{dot}{ending}"
        named.append(Attachment(name, file.data, file.alt))
    return tuple(named)
