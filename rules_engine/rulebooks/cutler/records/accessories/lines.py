"""The lines of sheets that are about accessories (4.2.4)."""

from pydantic import Field, RootModel

from rules_engine.rulebooks.cutler.records.lines import PartialLine


class AccessoryLine(PartialLine):
    """Accessories that are bought, or moved within a hex: ``item`` by its key of the catalogue, how many, from where
    (blank: bought at a base there), and into which unit's own or cargo boxes. ``turned_in`` are factory drones that are
    given back for advanced ones. 4.2.4"""

    item: str | None = Field(default=None, max_length=60)
    count: int | None = Field(default=None, ge=1, strict=True)
    origin: str | None = Field(default=None, max_length=120)
    to: str | None = Field(default=None, max_length=120)
    turned_in: int | None = Field(default=None, ge=0, strict=True)

    @property
    def is_blank(self) -> bool:
        """Whether nothing was filled in."""
        return not (self.item or self.count or self.origin or self.to or self.turned_in)


class TransferSheet(RootModel[dict[str, AccessoryLine]]):
    """What is moved between the units of a race in a hex between battles, or after them: orders as on a turn's sheet,
    each with the boxes from which it comes. 3.9"""


class LayLine(PartialLine):
    """The mines that a unit lays once it ends an impulse at a feature: around which (or ``none``), CPV worth of them
    (blank: all), and their map (blank: a ring). 4.2.4.5.1, CU-R15"""

    around: str | None = Field(default=None, max_length=80)
    cpv: int | None = Field(default=None, ge=1, strict=True)
    chart: str | None = Field(default=None, max_length=300)


class SweptLine(PartialLine):
    """The CPV worth of mines of a minefield that were swept or exploded in battle. CU-N68"""

    lost: int = Field(default=0, ge=0, strict=True)
