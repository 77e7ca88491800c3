"""What one reader sees differently: two boards of the same reader compared, and nothing else."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.views import Board, HexNote


def changes(before: Board, after: Board) -> tuple[str, ...]:
    """What the second board shows otherwise than the first, a line each, old and new side by side."""
    lines = [*_counters(before, after), *_courses(before, after), *_hexes(before, after)]
    former = {panel.title: panel.rows for panel in before.panels}
    present = {panel.title: panel.rows for panel in after.panels}
    for title in dict.fromkeys((*former, *present)):
        lines += _rows(title, former.get(title, ()), present.get(title, ()))
    if before.heading != after.heading:
        lines.insert(0, _pair("Heading", before.heading, after.heading))
    said = {line.partition(": ")[2] or line: line for line in reversed(lines)}  # of the same, in two panels, the first
    return tuple(dict.fromkeys(line for line in lines if said[line.partition(": ")[2] or line] == line))


def table_changes(before: Sequence[SideTable], after: Sequence[SideTable]) -> tuple[str, ...]:
    """The same of what a side may look up as tables."""
    former = {table.title: [" | ".join(row) for row in table.rows] for table in before}
    present = {table.title: [" | ".join(row) for row in table.rows] for table in after}
    lines: list[str] = []
    for title in dict.fromkeys((*former, *present)):
        lines += _rows(title, former.get(title, ()), present.get(title, ()))
    return tuple(lines)


def _pair(what: str, old: str, new: str) -> str:
    return f"{what}: “{old.strip()}” is now “{new.strip()}”"


def _counters(before: Board, after: Board) -> list[str]:
    former, present = ({one.id: one for one in board.counters} for board in (before, after))
    spot = after.places.spot
    lines = [
        f"{one.label} in {before.places.called(one.hex)} is gone from the map"
        for key, one in former.items()
        if key not in present
    ]
    for key, one in present.items():
        old = former.get(key)
        if old is None:
            lines.append(f"{one.label} is new on the map, in {after.places.called(one.hex)}")
        elif old.hex != one.hex:
            was, is_now = before.places.called(old.hex), after.places.called(one.hex)
            lines.append(f"{one.label}: {spot} {was} is now {spot} {is_now}")
        if old is not None:
            name = one.label
            for word, was, is_now in (
                ("name", old.label, one.label),
                ("note", old.sub, one.sub),
                ("owner", before.name_of(old.owner), after.name_of(one.owner)),
                ("identified", old.level_name, one.level_name),
                ("percent whole", _number(old.whole), _number(one.whole)),
            ):
                if was != is_now:
                    lines.append(_pair(f"{name}, {word}", was, is_now))
            lines += _rows(name, old.details, one.details)
    return lines


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _courses(before: Board, after: Board) -> list[str]:
    former = {(one.counter, one.kind): one.hexes for one in before.courses}
    present = {(one.counter, one.kind): one.hexes for one in after.courses}
    return [
        _pair(
            f"{counter}, course {kind}",
            _way(before, former.get((counter, kind))),
            _way(after, present.get((counter, kind))),
        )
        for counter, kind in dict.fromkeys((*former, *present))
        if former.get((counter, kind)) != present.get((counter, kind))
    ]


def _way(board: Board, hexes: Sequence[str] | None) -> str:
    return " ".join(map(board.places.called, hexes or ())) or "none"


def _hexes(before: Board, after: Board) -> list[str]:
    former, present = ({one.hex: one for one in _standing(board)} for board in (before, after))
    return [
        _pair(
            f"{after.places.spot.capitalize()} {after.places.called(key)}",
            _note(before, former.get(key)),
            _note(after, present.get(key)),
        )
        for key in sorted({**former, **present})
        if former.get(key) != present.get(key)
    ]


def _standing(board: Board) -> Iterable[HexNote]:
    """What is in the hexes themselves; whose space they are follows from what is in others."""
    for note in board.hexes:
        here = note.with_values(territory="")
        if here is note or here != HexNote(hex=note.hex):
            yield here


def _note(board: Board, note: HexNote | None) -> str:
    if note is None:
        return "nothing"
    return ", ".join(filter(None, (note.name, note.figure, note.terrain, *note.marks, board.name_of(note.owner))))


def _rows(title: str, before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The rows that differ: those in the same place as pairs, the others as new or gone."""
    lines: list[str] = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        old, new = before[a:b], after[c:d]
        both = min(len(old), len(new))
        lines += [_pair(title, one, other) for one, other in zip(old[:both], new[:both], strict=True)]
        lines += [f"{title}: “{one.strip()}” is gone" for one in old[both:]]
        lines += [f"{title}: “{one.strip()}” is new" for one in new[both:]]
    return lines


def shortened_lines(lines: Sequence[str], most: int, characters: int) -> tuple[str, ...]:
    """The first ``most`` lines, each within so many characters; what is left out is counted."""
    shown = [line if len(line) <= characters else f"{line[: characters - 1]}…" for line in lines[:most]]
    return (*shown, f"… and {len(lines) - most} more") if len(lines) > most else tuple(shown)
