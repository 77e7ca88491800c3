"""What views of situations are put together from."""

from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import Counter, HexNote


def force(name: str, at: str, ships: int | None = None, **parts: object) -> Counter:
    """A force of the side whose letter its label begins with."""
    fields = {"id": name, "hex": at, "owner": name[0].lower(), "label": name, "ships": ships} | parts
    return Counter.model_validate(fields)


def contact(name: str, at: str, owner: str, grade: int, **parts: object) -> Counter:
    """A contact known to a grade."""
    fields = {"id": name, "hex": at, "owner": owner, "label": name, "grade": grade, "level": grade} | parts
    return Counter.model_validate(fields)


def around(grid: Grid, owner: str, far: int, *names: str) -> set[tuple[str, str]]:
    """The hexes within so many of some as an owner's space."""
    return {(hex_id, owner) for name in names for hex_id in grid.within(name, far)}


def notes(places: tuple[HexNote, ...], space: set[tuple[str, str]], terrain: dict[str, str]) -> tuple[HexNote, ...]:
    known = {note.hex: note for note in places}
    owners = dict(sorted(space))
    return tuple(
        known.get(name, HexNote(hex=name)).model_copy(
            update={"territory": owners.get(name, ""), "terrain": terrain.get(name, "space")}
        )
        for name in sorted({*known, *owners, *terrain})
    )


def place(at: str, owner: str, name: str, mark: str = "base", figure: str = "") -> HexNote:
    return HexNote(hex=at, owner=owner, name=name, marks=tuple(mark.split()), figure=figure)
