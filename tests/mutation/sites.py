"""Where Python source can be changed, and how: numbers, comparisons, conditions, entries of tables, sentences.

Left alone is what no player meets: docstrings, annotations, ``__all__``, keys and kinds, patterns, assertions, what is
imported for the type checker, and the words of errors that only a programmer sees.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tests.mutation.changes import Edit, Kind, Site
from tests.mutation.sentences import is_sentence, sentence_edits
from tests.mutation.source import Source
from tests.mutation.tables import is_table, number_edits, numbers_in

INSTEAD: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
PROGRAMMERS_ERRORS = {
    *("ValueError", "TypeError", "KeyError", "IndexError", "LookupError", "RuntimeError", "AssertionError"),
    *("NotImplementedError", "StopIteration", "AttributeError"),
}
"""Whoever raises one outside a validator tells no player."""
NAMES_OF_CODE = {"kind", "key", "keys", "id", "path", "tag", "mode", "discriminator", "alias", "pattern", "seen_by"}
"""Arguments whose text is written down or looked up, and not read."""
TEXT_IS_NO_SENTENCE = {"compile", "cast", "TypeVar", "getattr", "setattr", "removeprefix", "removesuffix", "replace"}
TEXT_IS_NO_SENTENCE |= {
    "startswith",
    "endswith",
    "partition",
    "rpartition",
    "split",
    "get",
    "sub",
    "fullmatch",
    "search",
}
EXACT = {"Fraction", "Decimal"}
"""Numbers that are given as text."""


@dataclass(frozen=True)
class _Place:
    """What is known on the way down."""

    reach: range = range(0)
    in_function: bool = False
    in_validator: bool = False
    in_enum: bool = False
    in_table: bool = False
    names: tuple[str, ...] = ()
    may_be_sentence: bool = True
    in_formatted: bool = False
    """Inside the braces of a formatted string."""


class Sites:
    """All places of one file."""

    def __init__(self, path: str, text: str) -> None:
        self._source = Source(path, text)

    def __iter__(self) -> Iterator[Site]:
        yield from self._body(self._source.tree.body, _Place())

    # --- statements ---------------------------------------------------------------------------------------------------

    def _body(self, body: Iterable[ast.stmt], at: _Place) -> Iterator[Site]:
        for node in body:
            yield from self._statement(node, at)

    def _statement(self, node: ast.stmt, at: _Place) -> Iterator[Site]:
        here = replace(at, reach=_head(node))
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from self._function(node, here)
            case ast.ClassDef():
                names = (*at.names, node.name)
                for one in (*node.decorator_list, *(keyword.value for keyword in node.keywords)):
                    yield from self._expression(one, replace(here, names=names))
                is_enum = any(name.endswith("Enum") for base in node.bases for name in _names(base))
                yield from self._body(node.body, replace(at, names=names, in_enum=is_enum))
            case ast.Expr(value=ast.Constant()) | ast.Assert() | ast.Import() | ast.ImportFrom():
                return
            case ast.Raise(exc=ast.Call(func=ast.Name(id=name))) if name in PROGRAMMERS_ERRORS and not at.in_validator:
                return
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                return
            case ast.Assign(targets=targets, value=value):
                names = tuple(one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
                for target in targets:
                    yield from self._expression(target, here)
                yield from self._made(value, names, here)
            case ast.AnnAssign(target=target, value=value):
                names = (target.id,) if isinstance(target, ast.Name) else ()
                if value is not None:
                    yield from self._made(value, names, here)
            case ast.If(test=test, body=body, orelse=orelse):
                if "TYPE_CHECKING" not in _names(test):
                    yield from self._condition(test, here)
                    yield from self._body(body, at)
                yield from self._body(orelse, at)
            case ast.While(test=test, body=body, orelse=orelse):
                yield from self._condition(test, here)
                yield from self._body([*body, *orelse], at)
            case ast.Match(subject=subject, cases=cases):
                yield from self._expression(subject, here)
                for case in cases:
                    yield from self._case(case, at)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.stmt):
                        yield from self._statement(child, at)
                    elif isinstance(child, ast.ExceptHandler):
                        yield from self._body(child.body, at)
                    elif isinstance(child, ast.withitem):
                        yield from self._expression(child.context_expr, here)
                    elif isinstance(child, ast.expr):
                        yield from self._expression(child, here)

    def _made(self, value: ast.expr, names: tuple[str, ...], at: _Place) -> Iterator[Site]:
        """What names are given; the texts of an enumeration are written down and looked up."""
        if not at.in_function:
            at = replace(at, names=(*at.names, *names), may_be_sentence=not at.in_enum)
        yield from self._expression(value, at)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, at: _Place) -> Iterator[Site]:
        outside = replace(at, names=(*at.names, node.name))
        for one in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
            yield from self._expression(one, outside)
        checks = any("validator" in name for one in node.decorator_list for name in _names(one))
        yield from self._body(
            node.body, _Place(in_function=True, in_validator=checks or at.in_validator, names=outside.names)
        )

    def _case(self, case: ast.match_case, at: _Place) -> Iterator[Site]:
        pattern = case.pattern
        last = pattern.end_lineno if case.guard is None else case.guard.end_lineno
        here = replace(at, reach=range(pattern.lineno, (last or pattern.lineno) + 1))
        for one in ast.walk(pattern):
            if isinstance(one, ast.MatchValue):
                yield from self._expression(one.value, replace(here, may_be_sentence=False))
        if case.guard is not None:
            yield from self._condition(case.guard, here)
        yield from self._body(case.body, at)

    # --- expressions --------------------------------------------------------------------------------------------------

    def _expression(self, node: ast.expr, at: _Place) -> Iterator[Site]:
        match node:
            case ast.Constant(value=bool() | None):
                return
            case ast.Constant(value=int() | float()):
                yield from self._number(node, at)
            case ast.Constant(value=str()) | ast.JoinedStr():
                yield from self._text(node, at)
            case ast.Compare():
                yield from self._comparison(node, at)
            case ast.BoolOp():
                yield from self._joined_conditions(node, at)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                gap = self._source.text[self._source.start(node) : self._source.start(operand)]
                edit = Edit(self._source.start(node), self._source.start(node) + len("not"), "")
                if gap.startswith("not") and self._stands(node, at):
                    yield self._site("condition", at, edit.start, (edit,))
                yield from self._expression(operand, at)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yield from self._condition(test, at)
                yield from self._expression(body, at)
                yield from self._expression(orelse, at)
            case ast.Lambda(args=args, body=body):
                for one in (*args.defaults, *filter(None, args.kw_defaults)):
                    yield from self._expression(one, at)
                yield from self._expression(body, replace(at, in_function=True, in_table=False))
            case ast.Dict(keys=keys, values=values):
                for key in filter(None, keys):
                    yield from self._expression(key, replace(at, in_table=True, may_be_sentence=False))
                for value in values:
                    yield from self._expression(value, replace(at, in_table=True))
            case ast.Tuple(elts=elts) | ast.List(elts=elts) | ast.Set(elts=elts):
                for one in elts:
                    yield from self._expression(one, replace(at, in_table=True))
            case ast.Subscript(value=value, slice=index):
                if not (isinstance(value, ast.Name) and value.id == "Literal"):
                    yield from self._expression(value, at)
                    yield from self._expression(index, replace(at, may_be_sentence=False))
            case ast.Call():
                yield from self._call(node, at)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.comprehension):
                        yield from self._expression(child.iter, at)
                        for one in child.ifs:
                            yield from self._condition(one, at)
                    elif isinstance(child, ast.expr):
                        yield from self._expression(child, at)

    def _call(self, node: ast.Call, at: _Place) -> Iterator[Site]:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        yield from self._expression(node.func, at)
        if name in EXACT:
            for one in node.args:
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield from self._numbers_of(one, at, "number" if at.in_function else "table entry")
                else:
                    yield from self._expression(one, at)
            return
        words = at.may_be_sentence and name not in TEXT_IS_NO_SENTENCE
        for one in node.args:
            yield from self._expression(one, replace(at, may_be_sentence=words))
        for keyword in node.keywords:
            is_read = words and keyword.arg not in NAMES_OF_CODE
            yield from self._expression(keyword.value, replace(at, may_be_sentence=is_read))

    def _number(self, node: ast.Constant, at: _Place) -> Iterator[Site]:
        text = self._source.segment(node)
        if re.fullmatch(r"\d+(\.\d+)?", text) and self._stands(node, at):
            start = self._source.start(node)
            is_entry = at.in_table and not at.in_function
            yield self._site(
                "table entry" if is_entry else "number", at, start, number_edits(start, text, padded=False)
            )

    def _text(self, node: ast.Constant | ast.JoinedStr, at: _Place) -> Iterator[Site]:
        segment, start = self._source.segment(node), self._source.start(node)
        is_whole = self._stands(node, at)
        if is_whole and isinstance(node, ast.Constant) and not at.in_function and is_table(str(node.value)):
            yield from self._numbers_of(node, at, "table entry")
        elif is_whole and at.may_be_sentence and is_sentence(segment):
            moved = (Edit(start + one.start, start + one.end, one.after) for one in sentence_edits(segment))
            if edits := tuple(moved):
                yield self._site("sentence", at, start, edits)
        for child in node.values if isinstance(node, ast.JoinedStr) else ():
            if isinstance(child, ast.FormattedValue):
                yield from self._expression(child.value, replace(at, in_formatted=True))

    def _numbers_of(self, node: ast.Constant, at: _Place, kind: Kind) -> Iterator[Site]:
        for start, text in numbers_in(self._source.start(node), self._source.segment(node)):
            yield self._site(kind, at, start, number_edits(start, text))

    # --- conditions ---------------------------------------------------------------------------------------------------

    def _condition(self, node: ast.expr, at: _Place) -> Iterator[Site]:
        """Something that is asked: turned round, or always or never so."""
        if self._stands(node, at):
            start, end, text = self._source.start(node), self._source.end(node), self._source.segment(node)
            edits = [] if isinstance(node, ast.UnaryOp) else [Edit(start, end, f"(not ({text}))")]
            if not any(isinstance(one, ast.NamedExpr) for one in ast.walk(node)):
                edits += [Edit(start, end, "True"), Edit(start, end, "False")]
            yield self._site("condition", at, start, tuple(edits))
        yield from self._expression(node, at)

    def _comparison(self, node: ast.Compare, at: _Place) -> Iterator[Site]:
        words = replace(at, may_be_sentence=False)
        left = node.left
        yield from self._expression(left, words)
        trusted = self._stands(node, at)
        for operator, right in zip(node.ops, node.comparators, strict=True):
            before, after = INSTEAD[type(operator)]
            found = self._between(left, right, before.replace(" ", r"\s+")) if trusted else None
            if found is not None:
                yield self._site("comparison", at, found[0], (Edit(*found, after),))
            yield from self._expression(right, words)
            left = right

    def _joined_conditions(self, node: ast.BoolOp, at: _Place) -> Iterator[Site]:
        before, after = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        trusted = self._stands(node, at)
        for number, value in enumerate(node.values):
            if number and trusted and (found := self._between(node.values[number - 1], value, before)):
                yield self._site("condition", at, found[0], (Edit(*found, after),))
            yield from self._expression(value, at)

    def _between(self, left: ast.expr, right: ast.expr, operator: str) -> tuple[int, int] | None:
        """Where the operator stands between two nodes; beside it there can be brackets and comments alone."""
        begin = self._source.end(left)
        gap = re.sub(r"#.*", lambda found: " " * len(found[0]), self._source.text[begin : self._source.start(right)])
        found = re.fullmatch(rf"[\s()\\]*(?P<operator>{operator})[\s()\\]*", gap)
        return None if found is None else (begin + found.start("operator"), begin + found.end("operator"))

    def _stands(self, node: ast.expr, at: _Place) -> bool:
        return not at.in_formatted or self._source.stands_where_it_says(node)

    def _site(self, kind: Kind, at: _Place, start: int, edits: tuple[Edit, ...]) -> Site:
        line = self._source.line_of(start)
        return Site(
            path=self._source.path,
            kind=kind,
            line=line,
            text=self._source.row(line),
            column=self._source.column(start),
            reach=at.reach,
            in_function=at.in_function,
            names=at.names,
            edits=edits,
        )


def _names(node: ast.AST) -> set[str]:
    found = (getattr(one, "id", None) or getattr(one, "attr", None) for one in ast.walk(node))
    return {name for name in found if isinstance(name, str)}


def _head(node: ast.stmt) -> range:
    """The lines of a statement, without those of the statements in it."""
    inside = [
        one.lineno
        for name in ("body", "handlers", "cases")
        for one in getattr(node, name, ())
        if hasattr(one, "lineno")
    ]
    if isinstance(node, ast.Match):
        return range(node.lineno, (node.subject.end_lineno or node.lineno) + 1)
    last = max(node.lineno, min(inside) - 1) if inside else node.end_lineno or node.lineno
    return range(node.lineno, last + 1)
