"""The columns of a model: which of its fields a table can hold, under which names, and how a cell is written."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from types import UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, cast, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

Shape: TypeAlias = Literal["plain", "list", "map", "model", "beyond"]
"""`beyond` marks what no cell can hold: a list of records, a list of lists."""


@dataclass(frozen=True, slots=True)
class CsvColumn:
    """One column: the dotted path of its field, how its cell is divided, whether it must be filled, an example.

    `meanings` maps the written form of a choice to its value, for values that are not texts.
    """

    path: str
    shape: Shape
    required: bool
    example: str
    meanings: Mapping[str, object]


def columns(model: type[BaseModel]) -> tuple[CsvColumn, ...]:
    """The columns that a table of `model` has, in the order of its fields, nested ones under dotted names."""
    return tuple(column for column in _walk(model, "", True) if column.shape not in ("model", "beyond"))


def known_paths(model: type[BaseModel]) -> tuple[str, ...]:
    """Every field's dotted path, including those that have no column."""
    return tuple(column.path for column in _walk(model, "", True))


def from_cell(column: CsvColumn, cell: str) -> object:
    """What a filled cell says, for the model to judge. Raises ValueError for a mapping not written `key=value`."""
    if column.shape == "plain":
        return column.meanings.get(cell.strip(), cell.strip())
    parts = [part.strip() for part in cell.split(";") if part.strip()]
    if column.shape == "list":
        return [column.meanings.get(part, part) for part in parts]
    pairs = [part.partition("=") for part in parts]
    if wrong := [key for key, equals, _ in pairs if not equals]:
        raise ValueError(f"{wrong[0]!r} must be written key=value, with ; between")
    keys = [key.strip() for key, _, _ in pairs]
    if doubled := [key for index, key in enumerate(keys) if key in keys[:index]]:
        raise ValueError(f"{doubled[0]!r} is there twice")
    return {key: value.strip() for key, (_, _, value) in zip(keys, pairs, strict=True)}


def to_cell(column: CsvColumn, dumped: Mapping[str, Any]) -> str:
    """The cell of a record that was dumped to JSON values."""
    value: Any = dumped
    for part in column.path.split("."):
        value = None if value is None else value.get(part)
    return _written(value)


def _written(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "; ".join(_written(item) for item in cast("list[object]", value))
    if isinstance(value, dict):
        return "; ".join(f"{key}={_written(item)}" for key, item in cast("dict[str, object]", value).items())
    if isinstance(value, Enum):
        return _written(value.value)
    return str(value)


def _walk(model: type[BaseModel], prefix: str, required: bool) -> list[CsvColumn]:
    found: list[CsvColumn] = []
    for name, field in model.model_fields.items():
        path = f"{prefix}{name}"
        kind = _bare(field.annotation)
        shape = _shape(kind)
        needed = required and field.is_required()
        found.append(CsvColumn(path, shape, needed, _example(field, kind, shape), _meanings(kind, shape)))
        if shape == "model":
            found += _walk(kind, f"{path}.", needed)
    return found


def _bare(annotation: Any) -> Any:
    """The annotation without `Annotated` and without `| None`."""
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        others = [arg for arg in get_args(annotation) if arg is not type(None)]
        if len(others) == 1:
            return _bare(others[0])
    return annotation


def _shape(kind: Any) -> Shape:
    origin = get_origin(kind) or kind
    if isinstance(origin, type) and issubclass(origin, BaseModel):
        return "model"
    if origin in (Union, UnionType):
        return "plain" if all(_shape(_bare(arg)) == "plain" for arg in get_args(kind)) else "beyond"
    if origin in (set, frozenset):
        return "beyond"
    if origin in (list, tuple, dict):
        inner = [_shape(_bare(arg)) for arg in get_args(kind) if arg is not Ellipsis]
        if any(shape != "plain" for shape in inner):
            return "beyond"
        return "map" if origin is dict else "list"
    return "plain"


def _meanings(kind: Any, shape: Shape) -> Mapping[str, object]:
    if shape == "list":
        arguments = get_args(kind)
        return _meanings(_bare(arguments[0]), "plain") if arguments else {}
    values: list[object] = []
    if get_origin(kind) is Literal:
        values = list(get_args(kind))
    elif isinstance(kind, type) and issubclass(kind, Enum):
        values = [member.value for member in kind]
    return {_written(value): value for value in values if not isinstance(value, str)}


def _example(field: FieldInfo, kind: Any, shape: Shape) -> str:
    if field.examples:
        return _written(field.examples[0])
    if field.default is not PydanticUndefined and field.default not in (None, "", (), []):
        return _written(field.default)
    arguments = [_bare(arg) for arg in get_args(kind) if arg is not Ellipsis]
    if shape == "list":
        return _plain_example(arguments[0] if arguments else str, ())
    if shape == "map":
        return f"{_plain_example(arguments[0], ())}={_plain_example(arguments[1], ())}" if arguments else "key=1"
    return _plain_example(kind, field.metadata)


def _plain_example(kind: Any, metadata: Any) -> str:
    if get_origin(kind) is Literal:
        return _written(get_args(kind)[0])
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _written(next(iter(kind)))
    if kind is bool:
        return "true"
    if kind is Fraction:
        return "2/3"
    if kind in (int, float):
        least = [bound.ge for bound in metadata if hasattr(bound, "ge")]
        return str(max([1, *least]))
    return "text"
