"""Catalogues of unit classes: what a kind of ship is, read from text that people keep in TOML or a spreadsheet.

A rulebook derives its record from `UnitClassBase`. `load_toml` and `load_csv` read whole files of such records, or
report every defect at once; a `Catalogue` holds them by id. Nothing here opens a file: texts come in and go out.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Generic, TypeVar, cast

from pydantic import ConfigDict, Field

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.refusals import nearest

INVENTED = "invented"


class UnitClassBase(Frozen):
    """What every rulebook's unit class has. `source` says where the figures come from: a book and page, or
    `"invented"` (also `"invented: why"`) for those made up to have something to play with."""

    model_config = ConfigDict(str_strip_whitespace=True)

    class_id: Annotated[str, Field(min_length=1, max_length=40, examples=["T-CA"])]
    name: Annotated[str, Field(min_length=1, max_length=80, examples=["Test cruiser"])]
    empire: Annotated[str, Field(min_length=1, max_length=40, examples=["Testers"])]
    source: Annotated[str, Field(min_length=1, examples=[INVENTED])]

    @property
    def invented(self) -> bool:
        """Whether the figures are made up."""
        return self.source.partition(":")[0].strip().casefold() == INVENTED


M = TypeVar("M", bound=UnitClassBase)


class UnknownClass(ValueError):
    """A text that names no class of the catalogue. `text` is as given, `nearest` lists the most likely ids."""

    def __init__(self, text: str, nearest: tuple[str, ...]) -> None:
        self.text = text
        self.nearest = nearest
        hint = f"; nearest: {', '.join(nearest)}" if nearest else ""
        super().__init__(f"{text!r} is not a unit class of this catalogue{hint}")


class Catalogue(Generic[M]):
    """Unit classes by id, in the order of their file; never changes. Raises ValueError if an id comes twice."""

    __slots__ = ("_by_id", "_model")

    def __init__(self, model: type[M], rows: Iterable[M] = ()) -> None:
        self._model = model
        self._by_id: dict[str, M] = {}
        doubled: list[str] = []
        for row in rows:
            if row.class_id in self._by_id:
                doubled.append(row.class_id)
            self._by_id[row.class_id] = row
        if doubled:
            raise ValueError(f"unit classes given twice: {', '.join(doubled)}")

    @property
    def model(self) -> type[M]:
        """The rulebook's record type that the classes belong to."""
        return self._model

    @property
    def ids(self) -> tuple[str, ...]:
        """Every class's id."""
        return tuple(self._by_id)

    @property
    def rows(self) -> tuple[M, ...]:
        """Every class, in the order of the file. Take a digest of this."""
        return tuple(self._by_id.values())

    @property
    def invented(self) -> tuple[str, ...]:
        """The ids of the classes whose figures are made up."""
        return tuple(class_id for class_id, row in self._by_id.items() if row.invented)

    def __iter__(self) -> Iterator[M]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def __contains__(self, class_id: object) -> bool:
        return class_id in self._by_id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Catalogue) and self.rows == cast("Catalogue[M]", other).rows

    __hash__ = None  # pyright: ignore[reportAssignmentType]  rows may hold lists

    def __repr__(self) -> str:
        return f"Catalogue({self._model.__name__}, {len(self)} classes)"

    def get(self, class_id: str) -> M:
        """The class of exactly that id. Raises UnknownClass with the nearest ids."""
        found = self._by_id.get(class_id)
        if found is None:
            raise UnknownClass(class_id, self._nearest(class_id))
        return found

    def parse(self, text: str) -> M:
        """The class a person means by its id or name, whatever the case. Raises UnknownClass if none or several do."""
        meant = " ".join(text.split()).casefold()
        by_id = [row for row in self if row.class_id.casefold() == meant]
        exact = [row for row in by_id if row.class_id == text.strip()]
        by_name = [row for row in self if row.name.casefold() == meant]
        found = exact or by_id or by_name
        if len(found) != 1:
            raise UnknownClass(text.strip(), tuple(row.class_id for row in found) or self._nearest(meant))
        return found[0]

    def _nearest(self, text: str) -> tuple[str, ...]:
        ids = {row.name: row.class_id for row in self} | {row.class_id: row.class_id for row in self}
        return tuple(dict.fromkeys(ids[name] for name in nearest(text, ids)))
