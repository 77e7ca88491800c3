"""Nothing in the engine is there for its tests alone: every function is reached from what the product runs.

Reached is found by name: code that runs at import, and all of the bot and the renderer, is reached; so is every
function or method of the engine whose name stands in reached code. Importing a name does not reach it.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.test_rooms import ROOT, modules, parsed

AHEAD: tuple[str, ...] = ()
"""Files, or folders, that are written and tested ahead of what will need them; nothing is at present."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.AST) -> Iterator[Function]:
    """Functions and methods of a file; what is defined inside a function belongs to it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            yield node
        else:
            yield from functions(node)


def names(node: ast.AST) -> set[str]:
    """The names that code uses, those in quotes too (forward references, getattr)."""
    found: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            found.add(inner.id)
        elif isinstance(inner, ast.Attribute):
            found.add(inner.attr)
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str) and inner.value.isidentifier():
            found.add(inner.value)
    return found


def names_at_import(tree: ast.AST) -> set[str]:
    """The names that a file uses when it is imported: everything but the bodies of its functions, and ``__all__``."""
    found: set[str] = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            for part in (*node.decorator_list, node.args, *([node.returns] if node.returns else [])):
                found |= names(part)
        elif isinstance(node, ast.ClassDef):
            found |= names_at_import(node)
        elif not (isinstance(node, ast.Assign) and "__all__" in names(node.targets[0])):
            found |= names(node)
    return found


def runs_by_itself(function: Function) -> bool:
    """Whether Python or a library calls it: special methods, validators, properties of models."""
    return (
        function.name.startswith("__")
        or function.name == "model_post_init"
        or any(
            names(one) & {"field_validator", "model_validator", "field_serializer", "model_serializer"}
            for one in function.decorator_list
        )
    )


def unreached(engine: dict[Path, ast.Module], front: list[ast.Module]) -> list[str]:
    """The engine's functions that no reached code names, as ``file: name``."""
    where: dict[str, list[tuple[Path, Function]]] = defaultdict(list)
    known = {name for tree in front for name in names(tree)}
    for path, tree in engine.items():
        known |= names_at_import(tree)
        for function in functions(tree):
            where[function.name].append((path, function))
    todo = [name for name in where if name in known]
    todo += [name for name, found in where.items() if any(runs_by_itself(one) for _, one in found)]
    reached: set[str] = set()
    while todo:
        name = todo.pop()
        if name in reached:
            continue
        reached.add(name)
        for _, function in where[name]:
            todo += [other for other in names(function) if other in where]
    return sorted(f"{path}: {name}" for name, found in where.items() if name not in reached for path, _ in found)


def trees(package: str) -> dict[Path, ast.Module]:
    return {path.relative_to(ROOT): parsed(path) for path in modules(package)}


def left_over() -> list[str]:
    engine = {path: tree for path, tree in trees("rules_engine").items() if not path.as_posix().startswith(AHEAD)}
    return unreached(engine, [*trees("bot").values(), *trees("map_render").values()])


def test_everything_in_the_engine_is_reached_from_the_product():
    assert left_over() == []


def test_a_function_that_only_the_unreached_call_is_found():
    source = "def used(): return helper()\ndef helper(): ...\ndef alone(): return hidden()\ndef hidden(): ...\n"
    found = unreached({Path("x.py"): ast.parse(source)}, [ast.parse("from x import used, alone\nused()\n")])
    assert found == ["x.py: alone", "x.py: hidden"]
