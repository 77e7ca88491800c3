"""The house rules that a reader relies on: who may import whom, and what the rules engine must never touch."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.test_rooms import ROOT, modules, parsed

FORBIDDEN = {
    "rules_engine": {"bot", "map_render", "discord", "PIL", "sqlalchemy", "aiosqlite", "aiohttp", "structlog"},
    "map_render": {"bot", "discord", "sqlalchemy", "aiosqlite", "aiohttp", "rules_engine.rulebooks"},
}
MAP_RENDER_MAY_IMPORT = {
    "rules_engine.core.protocol.asks",
    "rules_engine.core.basics.base",
    "rules_engine.core.forms.forms",
    "rules_engine.core.grids.charts",
    "rules_engine.core.grids.hexes",
    "rules_engine.core.grids.places",
    "rules_engine.core.grids.space",
    "rules_engine.core.grids.unbounded",
    "rules_engine.core.basics.counted",
    "rules_engine.core.basics.plain_text",
    "rules_engine.core.knowledge.glance",
    "rules_engine.core.knowledge.reports",
    "rules_engine.core.knowledge.battle_outcome",
    "rules_engine.core.knowledge.battle_scene",
    "rules_engine.core.knowledge.open_times",
    "rules_engine.core.knowledge.tactical_scene",
    "rules_engine.core.knowledge.views",
}
DISCORD_STAYS_IN = {
    "bot/client",
    "bot/commands",
    "bot/delivery",
    "bot/direct",
    "bot/discord_address",
    "bot/interactions",
    "bot/running",
}
IMPURE = {"random", "secrets", "time", "datetime", "os", "pathlib", "socket", "threading", "asyncio", "uuid", "io"}
IMPURE_CALLS = {"hash", "id", "open", "input", "print"}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def under(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


@pytest.mark.parametrize("package", sorted(FORBIDDEN))
def test_dependencies_point_one_way(package: str):
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(package)
        for name in imports(path)
        if any(under(name, banned) for banned in FORBIDDEN[package])
    ]
    assert wrong == []


def test_the_renderer_knows_only_views():
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules("map_render")
        for name in imports(path)
        if under(name, "rules_engine") and name not in MAP_RENDER_MAY_IMPORT
    ]
    assert wrong == []


def test_discord_is_imported_only_at_the_edge():
    wrong = [
        str(path.relative_to(ROOT))
        for path in modules("bot")
        if any(under(name, "discord") for name in imports(path))
        and not any(str(path.relative_to(ROOT)).startswith(edge) for edge in DISCORD_STAYS_IN)
    ]
    assert wrong == []


def test_statements_are_written_in_the_store_alone():
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules("bot")
        for name in imports(path)
        if name.split(".")[0] in {"sqlalchemy", "aiosqlite", "asyncpg", "sqlite3", "alembic"}
        and not path.is_relative_to(ROOT / "bot/store")
        and not path.is_relative_to(ROOT / "bot/playground")  # Discord's own memory, not the bot's
    ]
    assert wrong == []


def test_nothing_outside_the_engine_reaches_into_a_rulebook():
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for package in ("bot", "map_render")
        for path in modules(package)
        for name in imports(path)
        if name.startswith("rules_engine.rulebooks.")
    ]
    assert wrong == []


def test_the_core_knows_no_rulebook():
    wrong = [path.name for path in modules("rules_engine/core") for name in imports(path) if "rulebooks" in name]
    assert wrong == []


def test_the_engine_touches_neither_clock_nor_chance_nor_files():
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules("rules_engine")
        for name in imports(path)
        if name.split(".")[0] in IMPURE
    ]
    assert wrong == []


def test_the_engine_calls_nothing_that_differs_from_run_to_run():
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} calls {node.func.id}()"
        for path in modules("rules_engine")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS
    ]
    assert wrong == []


def _is_set(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Set | ast.SetComp)
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"set", "frozenset"})
        or (isinstance(node, ast.BinOp) and (_is_set(node.left) or _is_set(node.right)))
    )


def test_the_engine_never_walks_a_set_unsorted():
    """A set's order differs from process to process, so walking one would make replays differ."""
    wrong: list[str] = []
    for path in modules("rules_engine"):
        for node in ast.walk(parsed(path)):
            walked = [node.iter] if isinstance(node, ast.For) else []
            if isinstance(node, ast.ListComp | ast.DictComp):
                walked = [one.iter for one in node.generators]
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"list", "tuple"}:
                walked = node.args
            wrong += [f"{path.relative_to(ROOT)}:{one.lineno}" for one in walked if _is_set(one)]
    assert wrong == []


def _steps_called(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name.endswith("_steps"):
                yield node, name


def _driven(tree: ast.AST) -> set[ast.AST]:
    """Calls that are run (``yield from``), handed on (an argument, a dict's value, returned) or driven by hand."""
    driven: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.YieldFrom | ast.Return) and node.value is not None:
            driven.add(node.value)
        elif isinstance(node, ast.Dict):
            driven.update(node.values)
        elif isinstance(node, ast.DictComp):
            driven.add(node.value)
        elif isinstance(node, ast.Call):
            driven.update(node.args)
    return driven


def test_no_flow_of_play_is_forgotten():
    """A generator that is made but never run does nothing, silently."""
    wrong: list[str] = []
    for path in modules("rules_engine"):
        tree = parsed(path)
        driven = _driven(tree)
        wrong += [
            f"{path.relative_to(ROOT)}:{call.lineno} {name}"
            for call, name in _steps_called(tree)
            if call not in driven and path.name not in ("referee.py", "position.py")
        ]
    assert wrong == []


def test_flows_of_play_are_named_so():
    wrong: list[str] = []
    for path in modules("rules_engine/rulebooks"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef) and node.returns is not None:
                is_flow = ast.unparse(node.returns).split("[")[0] == "Steps"
                if is_flow != f"_{node.name}".endswith("_steps"):
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}")
    assert wrong == []


def test_what_happens_in_campaigns_knows_no_discord():
    rooms = ("cards", "campaigns", "recording", "battles", "closing", "orders", "seats", "referee", "queries")
    wrong = [
        str(path.relative_to(ROOT))
        for room in rooms
        for path in modules(f"bot/{room}")
        if any(under(name, "discord") for name in imports(path))
    ]
    assert wrong == []


def test_delivery_uses_of_the_bot_the_store_and_its_records_alone():
    allowed = ("bot.delivery", "bot.store", "bot.records", "bot.faults")
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules("bot/delivery")
        for name in imports(path)
        if under(name, "bot") and not any(under(name, one) for one in allowed) and name != "bot"
    ]
    assert wrong == []


def test_the_playground_imports_nothing_else_of_ours():
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules("bot/playground")
        for name in imports(path)
        if name.split(".")[0] in {"bot", "rules_engine", "map_render", "tests"} and not under(name, "bot.playground")
    ]
    assert wrong == []


def test_the_product_does_not_import_the_playground():
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules("bot")
        if path.relative_to(ROOT).parts[1] not in ("playground", "cli", "demo")
        for name in imports(path)
        if under(name, "bot.playground")
    ]
    assert wrong == []


def test_the_bot_uses_the_renderers_face_alone():
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules("bot")
        for name in imports(path)
        if name.startswith("map_render.")
    ]
    assert wrong == []


def test_posts_leave_through_one_exit():
    """Only the exit module may send; places and roles, which hold no content, are made beside it."""
    saying = {"send", "send_message", "send_modal", "create_thread"}
    making = {"create_text_channel", "create_category", "create_category_channel", "create_role"}
    wrong: list[str] = []
    for path in modules("bot"):
        relative = str(path.relative_to(ROOT))
        if relative.startswith("bot/playground/") or relative == "bot/delivery/exit.py":
            continue
        forbidden = saying if relative == "bot/delivery/reconciling/building.py" else saying | making
        wrong += [
            f"{relative}:{node.lineno} .{node.func.attr}()"
            for node in ast.walk(parsed(path))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in forbidden
        ]
    assert wrong == []


def test_interactions_get_their_first_answer_in_one_place() -> None:
    """Discord takes one, and whoever gives another without asking has their work refused."""
    for path in sorted((ROOT / "bot").rglob("*.py")):
        relative = path.relative_to(ROOT).as_posix()
        if relative.startswith("bot/playground/"):
            continue
        used = path.read_text(encoding="utf-8").count("interaction.response")
        made = path.read_text(encoding="utf-8").count("first_answer(interaction)")
        assert used == 0 or (relative == "bot/delivery/exit.py" and made >= used), relative


def test_signals_are_heard_in_a_way_that_windows_has_too():
    """An event loop there has the methods and refuses every call, so that the type checker notices nothing."""
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} .{node.attr}"
        for path in modules("bot")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and node.attr in {"add_signal_handler", "remove_signal_handler"}
    ]
    assert wrong == []


def test_text_files_say_their_encoding():
    """Without one, text is read and written as the system at hand likes it."""
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} .{node.func.attr}()"
        for package in ("bot", "map_render")
        for path in modules(package)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _opens_text(node, node.func.attr)
        if not any(keyword.arg == "encoding" for keyword in node.keywords)
    ]
    assert wrong == []


def _opens_text(call: ast.Call, name: str) -> bool:
    modes = [str(one.value) for one in call.args if isinstance(one, ast.Constant)]
    return name in {"read_text", "write_text"} or (name == "open" and any(set(mode) <= set("rwxat+") for mode in modes))
