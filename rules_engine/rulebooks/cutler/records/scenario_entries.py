"""What scenarios of both kinds have in common: those that bring everything, and those that players set up."""

from collections.abc import Mapping
from typing import Any, Literal, TypeVar, cast

from pydantic import BaseModel, Field, ValidationError

from rules_engine.core.basics.base import Frozen, HexId, Json
from rules_engine.core.basics.documents import toml_document
from rules_engine.core.basics.refusals import Refusal, Refused, from_validation, malformed, nearest
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.cutler.records.tables import Terrain

M = TypeVar("M", bound=BaseModel)


class Victory(Frozen):
    """When the campaign ends, and what breaks a tie. CU-R125"""

    turn: int = Field(ge=1, le=100)
    tie_break: Literal["none", "fleet_value"] = "none"


class MapEntry(Frozen):
    """The map's size, its terrain, and its unsurveyed hexes."""

    columns: int = Field(ge=1, le=99)
    rows: int = Field(ge=1, le=99)
    terrain: dict[HexId, Terrain] = Field(default_factory=dict[HexId, Terrain])
    unsurveyed: tuple[HexId, ...] = ()


def parsed(files: Mapping[str, str], name: str, model: type[M], refusals: list[Refusal]) -> M | None:
    """A file as its model, or None with what is wrong with it added to ``refusals``."""
    if name not in files:
        refusals.append(malformed("this file is missing", name))
        return None
    try:
        document: dict[str, Any] = toml_document(files[name], name)
    except Refused as unfit:
        refusals += unfit.refusals
        return None
    except (ValueError, RecursionError) as error:
        refusals.append(malformed(f"this is not TOML: {error}", name))
        return None
    try:
        return model.model_validate(document)
    except ValidationError as error:
        refusals += from_validation(error, name)
        return None


def off_map(grid: Grid, hex_id: HexId, path: str) -> list[Refusal]:
    """That a hex is not on the map, if it is not."""
    if hex_id in grid:
        return []
    return [malformed(f"{hex_id!r} is not a hex of this map", path, nearest=nearest(hex_id, grid.hexes()))]


def as_table(document: Json) -> dict[str, Json]:
    """A part of a document that is one."""
    return cast("dict[str, Json]", document)
