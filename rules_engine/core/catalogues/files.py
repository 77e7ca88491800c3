"""Reading and writing catalogues as TOML and CSV text: all or nothing, and every defect at once with its line.

TOML: each record is a table `[[class]]`. CSV: a header row of field names, nested fields by dotted name
(`sensors.track`), lists as `a; b`, mappings as `key=value; key=value`, an empty cell for the default.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from rules_engine.core.basics.documents import toml_document
from rules_engine.core.basics.plain_text import unfit_character, without_unseen
from rules_engine.core.basics.rational import file_decimal
from rules_engine.core.basics.refusals import Refused, nearest
from rules_engine.core.catalogues.columns import CsvColumn, columns, from_cell, known_paths, to_cell

M = TypeVar("M", bound=BaseModel)
KEY = "class_id"
_AT = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")
_STRINGS_AND_COMMENTS = (
    r'"""(?:\\.|[^\\])*?"""|'
    r"'''.*?'''|"
    r'"(?:\\.|[^"\\\n])*"|'
    r"'[^'\n]*'|"
    r"#[^\n]*"
)


@dataclass(frozen=True, slots=True)
class Defect:
    """One thing wrong with a file: in which line (None: the whole), where, what, and what would be right."""

    line: int | None
    path: str
    problem: str
    hint: str = ""

    def __str__(self) -> str:
        line = f"line {self.line}: " if self.line is not None else ""
        path = f"{self.path}: " if self.path else ""
        return f"{line}{path}{self.problem}" + (f" ({self.hint})" if self.hint else "")


@dataclass(frozen=True, slots=True)
class Loaded(Generic[M]):
    """What a text gave: either every record or the defects, never some of both."""

    name: str
    rows: tuple[M, ...] = ()
    defects: tuple[Defect, ...] = ()


@dataclass(frozen=True, slots=True)
class _Entry:
    """One record as read, before the model sees it."""

    line: int | None
    label: str
    fields: Mapping[str, Any]
    told: tuple[str, ...] = ()
    """Paths whose defects have been told already, and need not be told again as missing or wrong."""


def load_toml(model: type[M], text: str, name: str, table: str = "class") -> Loaded[M]:
    """The records of a TOML text, one `[[class]]` table each; `name` is what messages call the text."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    try:
        # Decimals stay the number that was written, where a float would be the nearest binary one.
        document = toml_document(text, name, parse_float=file_decimal)
    except Refused as unfit:
        found = [(one.path.removeprefix(f"{name}."), one) for one in unfit.refusals]
        return Loaded(name, defects=tuple(Defect(None, path, one.problem, one.legal) for path, one in found))
    except (ValueError, RecursionError) as error:
        # Besides broken syntax: a whole number of thousands of digits, brackets nested a thousand deep.
        return Loaded(name, defects=(_syntax_defect(str(error), text),))
    defects = [
        Defect(None, key, "is not known here", _meant(nearest(key, [table])) or f"records are tables [[{table}]]")
        for key in document
        if key != table
    ]
    entries: list[_Entry] = []
    records = document.get(table, [])
    if not isinstance(records, list):
        defects.append(Defect(None, table, "must be a list of tables", f"start each with [[{table}]]"))
        records = []
    records = cast("list[object]", records)
    lines = _header_lines(text, table)
    for index, record in enumerate(records):
        line = lines[index] if len(lines) == len(records) else None
        if isinstance(record, dict):
            fields = cast("dict[str, Any]", record)
            entries.append(_Entry(line, _label(fields, f"{table}[{index}]"), fields))
        else:
            defects.append(Defect(line, f"{table}[{index}]", "must be a table", f"start it with [[{table}]]"))
    return _validated(model, name, entries, defects)


def load_csv(model: type[M], text: str, name: str) -> Loaded[M]:
    """The records of a CSV text with a header row; `name` is what messages call the text."""
    rows, defects = _csv_rows(text)
    if not rows:
        return Loaded(
            name, defects=(*defects, Defect(None, "", "has no header row")) if not defects else tuple(defects)
        )
    header_line, cells = rows[0]
    header = [cell.strip() for cell in cells]
    known = {column.path: column for column in columns(model)}
    defects += _header_defects(header, header_line, known, model)
    absent = [column.path for column in known.values() if column.required and column.path not in header]
    defects += [
        Defect(header_line, path, "this column is missing and must be there", f"for example {known[path].example}")
        for path in absent
    ]
    entries: list[_Entry] = []
    for index, (line, row) in enumerate(rows[1:]):
        if len(row) != len(header):
            defects.append(Defect(line, "", f"has {len(row)} cells where the header has {len(header)}"))
            continue
        fields: dict[str, Any] = {}
        told = list(absent)
        for path, cell in zip(header, row, strict=True):
            column = known.get(path)
            if unfit := unfit_character(cell):
                defects.append(Defect(line, path, f"this text holds a character that cannot be kept, {unfit}"))
            if column is None or not cell.strip():
                continue
            try:
                _place(fields, path, from_cell(column, cell))
            except ValueError as error:
                told.append(path)
                defects.append(Defect(line, path, str(error)))
        entries.append(_Entry(line, _label(fields, f"record {index + 1}"), fields, tuple(told)))
    return _validated(model, name, entries, defects)


def write_csv(model: type[M], rows: Sequence[M]) -> str:
    """The records as CSV that `load_csv` reads back unchanged. Raises ValueError naming those CSV cannot hold."""
    text = _records_csv(model, rows)
    if load_csv(model, text, "csv").rows != tuple(rows):
        # Rare (a list that is empty though its default is not, a semicolon inside a list's text), so told afterwards.
        lost = [
            str(getattr(row, KEY, index))
            for index, row in enumerate(rows)
            if load_csv(model, _records_csv(model, [row]), "csv").rows != (row,)
        ]
        raise ValueError(f"CSV cannot hold {', '.join(lost)}: use TOML")
    return text


def _records_csv(model: type[BaseModel], rows: Sequence[BaseModel]) -> str:
    known = columns(model)
    dumped = [row.model_dump(mode="json") for row in rows]
    return _csv_text(
        [[column.path for column in known]] + [[to_cell(column, row) for column in known] for row in dumped]
    )


def template_csv(model: type[BaseModel]) -> str:
    """A header row and one example record that loads, to fill in.

    Raises TypeError if the examples do not make a valid record: give the fields named fitting `examples`.
    """
    known = columns(model)
    text = _csv_text([[column.path for column in known], [column.example for column in known]])
    loaded = load_csv(model, text, "template")
    if loaded.defects:
        raise TypeError(f"{model.__name__} has no valid example: {'; '.join(map(str, loaded.defects))}")
    return text


def _validated(model: type[M], name: str, entries: Sequence[_Entry], defects: list[Defect]) -> Loaded[M]:
    rows: list[M] = []
    first_line: dict[str, _Entry] = {}
    for entry in entries:
        try:
            rows.append(model.model_validate(dict(entry.fields)))
        except ValidationError as error:
            for detail in error.errors(include_url=False, include_context=False):
                path = _dotted(detail["loc"])
                if not (detail["type"] == "missing" and any(f"{told}.".startswith(f"{path}.") for told in entry.told)):
                    defects.append(_defect(model, entry, path, detail))
        key = entry.fields.get(KEY)
        if isinstance(key, str) and key.strip():
            earlier = first_line.setdefault(key.strip().casefold(), entry)
            if earlier is not entry:
                where = f"line {earlier.line}" if earlier.line else "an earlier record"
                defects.append(Defect(entry.line, f"{entry.label}.{KEY}", f"is already taken by {where}"))
    if not entries and not defects:
        defects.append(Defect(None, "", "holds no record"))
    if defects:
        in_order = sorted(defects, key=lambda defect: defect.line or 0)
        return Loaded(name, defects=tuple(in_order))
    return Loaded(name, rows=tuple(rows))


def _defect(model: type[BaseModel], entry: _Entry, path: str, detail: ErrorDetails) -> Defect:
    where = f"{entry.label}.{path}" if path else entry.label
    if detail["type"] == "extra_forbidden":
        return Defect(entry.line, where, "is not a known field", _meant(nearest(path, known_paths(model))))
    if detail["type"] == "missing":
        examples = [column.example for column in columns(model) if column.path == path]
        return Defect(entry.line, where, "is missing", f"for example {examples[0]}" if examples else "")
    problem = detail["msg"].removeprefix("Value error, ")
    given = detail["input"]
    shown = f", not {str(given)[:40]!r}" if isinstance(given, (str, int, Decimal)) else ""
    return Defect(entry.line, where, problem + ("" if str(given) in problem else shown))


def _header_defects(
    header: Sequence[str], line: int, known: Mapping[str, CsvColumn], model: type[BaseModel]
) -> Iterator[Defect]:
    if len(header) == 1 and ";" in header[0]:
        yield Defect(line, "", "columns are divided by semicolons", "divide columns by commas, lists by semicolons")
        return
    elsewhere = known_paths(model)
    for index, path in enumerate(header):
        if not path:
            yield Defect(line, f"column {index + 1}", "has no name")
        elif path in header[:index]:
            yield Defect(line, path, "this column is there twice")
        elif path not in known:
            hint = "only TOML can hold it, or name its fields" if path in elsewhere else _meant(nearest(path, known))
            yield Defect(line, path, "is not a known column", hint)


def _csv_rows(text: str) -> tuple[list[tuple[int, list[str]]], list[Defect]]:
    """The rows that hold anything, each with the line it starts in; reading stops at broken quotes."""
    text = without_unseen(text).replace("\r\n", "\n").replace("\r", "\n")
    reader = csv.reader((f"{line}\n" for line in text.split("\n")), strict=True)
    rows: list[tuple[int, list[str]]] = []
    start = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((start, row))
            start = reader.line_num + 1
    except csv.Error as error:
        hint = 'a cell in quotes ends with ", and a quote inside it is written ""'
        return rows, [Defect(start, "", f"broken CSV: {error}", hint)]
    return rows, []


class _Lines(list[str]):
    """What a CSV writer needs of a file."""

    def write(self, text: str) -> None:
        self.append(text)


def _csv_text(rows: Sequence[Sequence[str]]) -> str:
    lines = _Lines()
    csv.writer(lines, lineterminator="\n").writerows(rows)
    return "".join(lines)


def _syntax_defect(message: str, text: str) -> Defect:
    found = _AT.search(message)
    last = text.rstrip("\n").count("\n") + 1
    line = None if found is None else int(found[1]) if found[1] else last
    return Defect(line, "", f"broken TOML: {_AT.sub('', message)}")


def _header_lines(text: str, table: str) -> list[int]:
    """The lines of the `[[table]]` headers, passing over strings and comments that merely look like one."""
    pattern = re.compile(
        rf'{_STRINGS_AND_COMMENTS}|(?m:^)[ \t]*\[\[[ \t]*["\']?(?P<header>{re.escape(table)})["\']?[ \t]*\]\]',
        re.DOTALL,
    )
    return [text.count("\n", 0, found.start("header")) + 1 for found in pattern.finditer(text) if found["header"]]


def _place(fields: dict[str, Any], path: str, value: object) -> None:
    *parents, last = path.split(".")
    for parent in parents:
        fields = fields.setdefault(parent, {})
    fields[last] = value


def _label(fields: Mapping[str, Any], otherwise: str) -> str:
    key = fields.get(KEY)
    return key.strip() if isinstance(key, str) and key.strip() else otherwise


def _dotted(location: tuple[int | str, ...]) -> str:
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path


def _meant(names: Sequence[str]) -> str:
    return f"did you mean {' or '.join(names)}?" if names else ""
