"""``plotroom run``, ``migrate``, ``backup``, ``restore``, ``referee`` and ``scenarios``: for hosts of the bot."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Column, Table
from rich.text import Text

from bot import logs
from bot.campaigns.loaded import LoadedCampaigns
from bot.campaigns.runtime import Runtime
from bot.campaigns.scenarios import InstalledScenarios
from bot.cli.app import app, err, fail, out, say, settings_or_fail
from bot.errors import Sorry
from bot.records.campaigns import CampaignInfo
from bot.running import CannotRun, ExitCode, run
from bot.services import Services
from bot.settings import BUILT_IN
from bot.store.backup import back_up
from bot.store.backup import restore as put_back
from bot.store.database import open_store
from bot.store.errors import StoreUnavailable
from bot.store.lock import only_one
from rules_engine import rulebooks
from rules_engine.core.basics.counted import counted
from rules_engine.core.protocol.seats import seats_of


@app.command("run")
def run_command() -> None:
    """Run the bot, on Discord or on PLOTROOM_API_BASE, until Ctrl-C or SIGTERM.

    Campaigns are kept in var/plotroom.db under the current folder, or where PLOTROOM_DATABASE says.
    """
    settings = settings_or_fail()
    logs.setup(settings.log_level, as_json=settings.log_json)
    try:
        asyncio.run(run(settings, told=lambda line: say(line, to=err)))
    except CannotRun as problem:
        fail(problem.code, str(problem))


@app.command()
def migrate() -> None:
    """Bring the database to this version's schema; `run` does so by itself."""
    settings = settings_or_fail()

    async def open_and_close() -> None:
        await (await open_store(settings.database)).close()

    try:
        asyncio.run(open_and_close())
    except StoreUnavailable as problem:
        fail(ExitCode.DATABASE, str(problem))
    say("The database is up to date.")


@app.command()
def backup(file: Annotated[Path, typer.Argument(help="The file to make; an SQLite database.")]) -> None:
    """Copy the database, of either kind, into one file; the bot may go on running."""
    settings = settings_or_fail()
    try:
        count = asyncio.run(back_up(settings.database, file))
    except (StoreUnavailable, OSError) as problem:
        fail(ExitCode.DATABASE, str(problem))
    say(f"{counted(count, 'campaign')} in {file}.")


@app.command()
def restore(file: Annotated[Path, typer.Argument(help="What `plotroom backup` made.")]) -> None:
    """Put a backup into an empty database, of either kind, while no bot runs on it."""
    settings = settings_or_fail()
    try:
        count = asyncio.run(put_back(settings.database, file))
    except (StoreUnavailable, OSError) as problem:
        fail(ExitCode.DATABASE, str(problem))
    say(f"{counted(count, 'campaign')} restored; every hash holds.")


@app.command()
def referee(
    campaign: Annotated[str, typer.Argument(help="Its id, as `/campaign list` shows it, or its title.")],
    to: Annotated[int, typer.Option("--to", help="The Discord id of who is to be its referee, and commands no side.")],
) -> None:
    """Make somebody a campaign's referee, while no bot runs; for campaigns whose referee is gone."""
    settings = settings_or_fail()

    async def seat() -> CampaignInfo:
        with only_one(settings.database) as opened:
            store = await open_store(settings.database)
            opened()
            try:
                loaded = LoadedCampaigns(store, warm=1, idle_seconds=0)
                services = Services.of(Runtime(store, loaded), InstalledScenarios(*settings.config_folders))
                async with store.read() as tx:
                    known = await tx.campaigns.not_over()
                found = [one for one in known if campaign in (one.id, one.title)]
                if len(found) != 1:
                    names = ", ".join(f"{one.id} ({one.title})" for one in found or known) or "none"
                    raise Sorry(f"There is not one campaign “{campaign}” under way. There is: {names}.", code="which")
                return await services.seats.seats.seat_referee(found[0].id, to)
            finally:
                await store.close()

    try:
        before = asyncio.run(seat())
    except StoreUnavailable as problem:
        fail(ExitCode.DATABASE, str(problem))
    except Sorry as sorry:
        fail(ExitCode.REFUSED, sorry.text)
    say(f"{to} is the referee of “{before.title}” now, instead of {before.referee_id}; the bot tells it when it runs.")


@app.command()
def scenarios(
    plain: Annotated[bool, typer.Option("--plain", help="A line each, its parts with tabs between them.")] = False,
) -> None:
    """List the scenarios and check each one: those built in, and your own in PLOTROOM_CONFIG_DIR laid over them."""
    settings = settings_or_fail()
    installed = InstalledScenarios(*settings.config_folders)
    rows: list[tuple[str, str, str, str]] = []
    broken: list[str] = []
    for ref in installed.all():
        try:
            book, document = installed.read(ref.key)
        except Sorry as sorry:
            broken.append(_everything_wrong(installed, ref.key) if sorry.code == "scenario-defects" else sorry.text)
            continue
        seats = seats_of(book, document)
        sides = ", ".join(side.name for side in book.sides(document)) if seats is None else f"{seats}, as you choose"
        rows.append((ref.key, installed.about(ref), book.title, sides))
    if plain:
        typer.echo("\n".join("\t".join(row) for row in rows))
    else:
        out.print(_table_of(rows), soft_wrap=False)
    if len(settings.config_folders) > 1:
        _say_own(installed, settings.config_folders[-1])
    if broken:
        fail(ExitCode.SETTINGS, "\n".join(broken))


def _table_of(rows: Sequence[tuple[str, str, str, str]]) -> Table:
    """The scenarios as a table in which no name is cut, however narrow the window is: they are there to be copied."""
    widest = max((len(key) for key, *_ in rows), default=0)
    name = Column("scenario", no_wrap=True, min_width=widest)
    table = Table(name, "what it is", "rulebook", "sides", box=None)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _everything_wrong(installed: InstalledScenarios, key: str) -> str:
    """All defects of a scenario: who writes one mends them in one go."""
    return "\n".join([f"The scenario “{key}” cannot be used:", *(f"• {one}" for one in installed.wrong(key))])


def _say_own(installed: InstalledScenarios, folder: Path) -> None:
    """What a folder of one's own changes, so that one laid wrongly is noticed."""
    own = [f"  {ref.key}: {said}" for ref in installed.all() if (said := installed.own(ref))]
    if own:
        lines = [f"Your own, from {folder / 'scenarios'}:", *own]
    else:
        books = " and ".join(f"{book}/<scenario>/" for book in rulebooks.installed())
        lines = [f"There is nothing of your own in {folder / 'scenarios'}; it is looked for in {books}."]
    themes = sorted(path.stem for path in (folder / "themes").glob("*.toml"))
    lines += [f"  theme {name}: {_theme_said(name)}" for name in themes]
    say("\n".join(lines))


def _theme_said(name: str) -> str:
    if (BUILT_IN / "themes" / f"{name}.toml").is_file():
        return "takes the place of the built-in one"
    return f"added; PLOTROOM_THEME={name} draws with it"
