"""``plotroom map`` and ``plotroom schema``: for authors of scenarios."""

import json
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from pydantic import TypeAdapter

from bot.campaigns.scenarios import InstalledScenarios
from bot.cli.app import app, fail, say, settings_or_fail
from bot.errors import Sorry
from bot.running import ExitCode
from rules_engine import rulebooks
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import WRITTEN
from rules_engine.core.basics.refusals import nearest
from rules_engine.core.protocol.rulebook import Rulebook
from rules_engine.core.protocol.seats import NamesSides
from rules_engine.core.running.adjudicator import Adjudicator

SCHEMA = "https://json-schema.org/draft/2020-12/schema"


@app.command("map")
def map_command(
    scenario: Annotated[str, typer.Argument(help="which scenario, as <rulebook>/<name>")],
    out: Annotated[Path, typer.Option(help="where the pictures are left")] = Path("map-out"),
    seats: Annotated[int, typer.Option(help="how many play, where a scenario leaves that open; else the fewest")] = 0,
) -> None:
    """Draw a scenario's maps as they are when it begins: each side's, everybody's, and the referee's."""
    installed = InstalledScenarios(*settings_or_fail().config_folders)
    try:
        book, document = installed.read(scenario)
    except Sorry as sorry:
        if sorry.code == "scenario-defects":
            fail(ExitCode.SETTINGS, "\n".join([f"{scenario} cannot be used:", *map(str, installed.wrong(scenario))]))
        fail(ExitCode.SETTINGS, sorry.text)
    document = _seated(book, document, seats)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, picture in _pictures(book, document):
            (out / name).write_bytes(picture.png)
            say(f"{out / name}: {picture.width} x {picture.height}")
    except OSError as problem:
        fail(ExitCode.SETTINGS, f"{out} cannot be written: {problem.strerror}.")


@app.command()
def schema(
    rulebook: Annotated[str, typer.Argument(help="whose files, as pq17")],
    out: Annotated[Path, typer.Option(help="where the schemas are left")] = Path("schema-out"),
) -> None:
    """Write a JSON schema for each file of a rulebook's scenarios, by which an editor names keys and checks them."""
    known = rulebooks.installed()
    if rulebook not in known:
        near = nearest(rulebook, known)
        meant = f" Did you mean {near[0]}?" if near else f" There is {', '.join(known)}."
        fail(ExitCode.SETTINGS, f"there is no rulebook “{rulebook}”.{meant}")
    made = list(_schemas(rulebooks.rulebook(rulebook)))
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, one in made:
            (out / name).write_text(json.dumps(one, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as problem:
        fail(ExitCode.SETTINGS, f"{out} cannot be written: {problem.strerror}.")
    say(f"{counted(len(made), 'schema')} in {out}. Taplo and Even Better TOML take one by a first line in a file:")
    say(f"#:schema {(out / made[0][0]).resolve()}")


# --- maps -------------------------------------------------------------------------------------------------------------


def _seated(book: Rulebook[Any], document: dict[str, Any], seats: int) -> dict[str, Any]:
    """The scenario for that many seats, where it leaves open how many there are."""
    allowed = book.seats(document) if isinstance(book, NamesSides) else None
    if allowed is None:
        if seats:
            fail(ExitCode.SETTINGS, f"this scenario has {counted(len(book.sides(document)), 'side')} of its own.")
        return document
    if seats and seats not in allowed:
        fail(ExitCode.SETTINGS, f"{allowed} can play this scenario, not {seats}.")
    return cast("NamesSides", book).with_seats(document, seats or allowed.least)


def _pictures(book: Rulebook[Any], document: dict[str, Any]) -> "Iterator[tuple[str, Any]]":
    import map_render  # noqa: PLC0415  loads Pillow

    at = datetime.now(UTC).isoformat(timespec="seconds")
    begun, _ = Adjudicator[Any].open(book, title="Map", scenario=document, seed=secrets.token_bytes(32), at=at)
    for side in book.sides(document):
        yield f"{side.key}.png", map_render.render_side(begun.view(side.key))
    yield "public.png", map_render.render_public(begun.public_view())
    yield "referee.png", map_render.render_omniscient(begun.omniscient_view())


# --- schemas ----------------------------------------------------------------------------------------------------------


def _schemas(book: Rulebook[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, kind in book.scenario_files.items():
        yield _named(name), {"$schema": SCHEMA, "title": name, **_as_written(TypeAdapter[Any](kind).json_schema())}
    if book.unit_class is not None:
        record = _as_written(book.unit_class.model_json_schema())
        parts = {**record.pop("$defs", {}), book.unit_class.__name__: record}
        each = {"type": "array", "items": {"$ref": f"#/$defs/{book.unit_class.__name__}"}}
        yield (
            _named("ships.toml"),
            {
                "$schema": SCHEMA,
                "title": "ships.toml",
                "type": "object",
                "properties": {"class": each},
                "additionalProperties": False,
                "$defs": parts,
            },
        )


def _as_written(part: Any) -> Any:
    """A schema by which an exact number may stand in a file as a number, too, and not as a text alone."""
    if isinstance(part, list):
        return [_as_written(one) for one in cast("list[Any]", part)]
    if not isinstance(part, dict):
        return part
    held = {key: _as_written(one) for key, one in cast("dict[str, Any]", part).items()}
    return held | {"type": ["number", "string"]} if held.get("examples") == WRITTEN else held


def _named(name: str) -> str:
    return f"{name.removesuffix('.toml')}.schema.json"
