"""``plotroom catalogue``: a referee's own ship figures instead of the invented ones, all of a file or nothing."""

import os
import shutil
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.markup import escape
from rich.table import Table

from bot.campaigns.scenarios import LARGEST_FILE, InstalledScenarios, ScenarioRef
from bot.cli.app import FIRST_RULEBOOK, app, err, fail, out, say, say_default, settings_or_fail
from bot.errors import Sorry
from bot.running import ExitCode
from rules_engine import rulebooks
from rules_engine.core.basics.refusals import Refused, nearest
from rules_engine.core.catalogues.catalogue import UnitClassBase
from rules_engine.core.catalogues.files import template_csv, write_csv
from rules_engine.core.catalogues.layers import OWN, load_classes, read_layers

catalogue = typer.Typer(help="Ship figures: see what a scenario has, and bring your own.", no_args_is_help=True)
app.add_typer(catalogue, name="catalogue")

_FOR = Annotated[
    str,
    typer.Option("--scenario", help=f"which scenario, as <rulebook>/<name>; {FIRST_RULEBOOK}/campaign if not given"),
]
_CAMPAIGN = f"{FIRST_RULEBOOK}/campaign"


@catalogue.command()
def template(
    rulebook: Annotated[str, typer.Option(help=f"whose record; {FIRST_RULEBOOK} if not given")] = "",
    to: Annotated[Path | None, typer.Option("--out", help="a file to write; else it is printed")] = None,
) -> None:
    """A CSV file with a header and one example record, to be filled in."""
    if not rulebook:
        say_default(f"the rulebook {FIRST_RULEBOOK}", "--rulebook")
    _give(template_csv(_record_of(rulebook or FIRST_RULEBOOK)), to)


@catalogue.command()
def export(
    scenario: _FOR = "",
    to: Annotated[Path | None, typer.Option("--out", help="a file to write; else it is printed")] = None,
) -> None:
    """All classes of a scenario as CSV, to be edited and imported."""
    installed, ref = _scenario(scenario)
    try:
        _give(write_csv(_record_of(ref.rulebook), _classes(installed, ref)), to)
    except ValueError as problem:
        fail(ExitCode.SETTINGS, f"{problem}. The scenario's own TOML file holds them.")


@catalogue.command("import")
def import_command(
    file: Annotated[Path, typer.Argument(help="a .csv or .toml file of unit classes")],
    scenario: _FOR = "",
    to: Annotated[str, typer.Option("--as", help="make a copy of the scenario under this name instead")] = "",
) -> None:
    """Lay your own classes over a scenario's: all of the file, or nothing. Campaigns under way keep what they have."""
    installed, ref = _scenario(scenario)
    model = _record_of(ref.rulebook)
    name = _own_name(file)
    text = _text_of(file)
    loaded = load_classes(model, text, file.name)
    if loaded.defects:
        table = Table("line", "field", "what is wrong", "what would be right", box=None)
        for one in loaded.defects:
            table.add_row(str(one.line or ""), escape(one.path), escape(one.problem), escape(one.hint))
        err.print(table)
        _nothing(file, f"it has {len(loaded.defects)} defect(s)")
    shipped = {key: kept for key, kept in installed.files(ref).items() if key not in OWN}
    try:
        rulebooks.rulebook(ref.rulebook).read_scenario({**shipped, name: text})
    except Refused as refused:
        say("\n".join(map(str, refused.refusals)), to=err)
        _nothing(file, f"the scenario {ref.key} would not hold with it")
    before, _ = read_layers(model, shipped)
    folder = _copy(installed, ref, to) if to else _own_folder(ref)
    _lay(folder, name, text)
    changed = [row for row in loaded.rows if before.get(row.class_id) not in (None, row)]
    added = [row for row in loaded.rows if row.class_id not in before]
    same = len(loaded.rows) - len(changed) - len(added)
    left = sorted(set(before) - {row.class_id for row in loaded.rows})
    say(f"{folder / name}: {len(changed)} classes replaced, {len(added)} added, {same} as they were.")
    _say_sources([*loaded.rows, *(before[key] for key in left)])


@catalogue.command()
def show(scenario: _FOR = "") -> None:
    """The classes of a scenario, and where their figures come from."""
    installed, ref = _scenario(scenario)
    classes = _classes(installed, ref)
    table = Table("class", "name", "empire", "source", box=None)
    for row in classes:
        table.add_row(*map(escape, (row.class_id, row.name, row.empire, row.source)))
    out.print(table)
    _say_sources(classes)


@catalogue.command()
def reset(scenario: _FOR = "") -> None:
    """Take your own classes away again; the shipped ones stand."""
    _, ref = _scenario(scenario)
    folder = _own_folder(ref)
    present = [name for name in OWN if (folder / name).exists()]
    try:
        for name in present:
            (folder / name).unlink()
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()  # it was there for these files alone
    except OSError as problem:
        fail(ExitCode.SETTINGS, f"{folder} cannot be written: {problem.strerror}.")
    say(f"{ref.key}: {'the shipped figures stand again.' if present else 'there were no figures of your own.'}")


# --- finding ----------------------------------------------------------------------------------------------------------


def _scenario(key: str) -> tuple[InstalledScenarios, ScenarioRef]:
    installed = InstalledScenarios(*settings_or_fail().config_folders)
    if not key:
        say_default(f"the scenario {_CAMPAIGN}", "--scenario")
    try:
        return installed, installed.ref(key or _CAMPAIGN)
    except Sorry as sorry:
        fail(ExitCode.SETTINGS, sorry.text)


def _record_of(key: str) -> type[UnitClassBase]:
    known = rulebooks.installed()
    if key not in known:
        fail(ExitCode.SETTINGS, f"there is no rulebook “{key}”. There is: {', '.join(nearest(key, known) or known)}.")
    record = rulebooks.rulebook(key).unit_class
    if record is None:
        fail(ExitCode.SETTINGS, f"{key} keeps its classes in its scenario's own files; edit ships.toml there.")
    return record


def _classes(installed: InstalledScenarios, ref: ScenarioRef) -> list[UnitClassBase]:
    try:
        classes, refusals = read_layers(_record_of(ref.rulebook), installed.files(ref))
    except Sorry as sorry:
        fail(ExitCode.SETTINGS, sorry.text)
    if refusals:
        fail(ExitCode.SETTINGS, "\n".join(map(str, refusals)))
    return list(classes.values())


def _own_name(file: Path) -> str:
    ending = file.suffix.casefold()
    names = {Path(name).suffix: name for name in OWN}
    if ending not in names:
        fail(ExitCode.SETTINGS, f"{file}: give a file that ends with {' or '.join(sorted(names))}.")
    return names[ending]


def _text_of(file: Path) -> str:
    try:
        if file.stat().st_size > LARGEST_FILE:
            fail(ExitCode.SETTINGS, f"{file} is larger than {LARGEST_FILE:,} bytes.")
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        fail(ExitCode.SETTINGS, f"{file} is not UTF-8 text.")
    except OSError as problem:
        fail(ExitCode.SETTINGS, f"{file} cannot be read: {problem.strerror}.")


# --- writing ----------------------------------------------------------------------------------------------------------


def _own_folder(ref: ScenarioRef) -> Path:
    """Where files of one's own for a scenario lie, or are to lie."""
    own = settings_or_fail().own_folder
    if own is None:
        text = "what is installed is not changed in place: name a folder of your own with PLOTROOM_CONFIG_DIR."
        fail(ExitCode.SETTINGS, text)
    return own / "scenarios" / ref.rulebook / ref.name


def _lay(folder: Path, name: str, text: str) -> None:
    """Put the file in place in one step, and the other kind of own file away."""
    waiting = folder / f".{name}.new"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        waiting.write_text(text, encoding="utf-8")
        os.replace(waiting, folder / name)
        for other in OWN:
            if other != name:
                (folder / other).unlink(missing_ok=True)
    except OSError as problem:
        waiting.unlink(missing_ok=True)
        fail(ExitCode.SETTINGS, f"{folder} cannot be written: {problem.strerror}.")


def _copy(installed: InstalledScenarios, ref: ScenarioRef, name: str) -> Path:
    """The scenario's files under another name."""
    copy = ScenarioRef(ref.rulebook, name)
    if not name.replace("-", "").isalnum() or not name.isascii():
        fail(ExitCode.SETTINGS, f"“{name}” is no name for a scenario; use letters, digits and hyphens.")
    folder = _own_folder(copy)
    if copy in installed.all() or folder.exists():
        fail(ExitCode.SETTINGS, f"There is a scenario {copy.key} already.")
    try:
        folder.mkdir(parents=True)
        for file, text in installed.files(ref).items():
            (folder / file).write_text(text, encoding="utf-8")
    except OSError as problem:
        shutil.rmtree(folder, ignore_errors=True)
        fail(ExitCode.SETTINGS, f"{folder} cannot be written: {problem.strerror}.")
    return folder


def _give(text: str, to: Path | None) -> None:
    if to is None:
        typer.echo(text, nl=False)  # plain, so that it can be piped into a file
        return
    try:
        with to.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
    except FileExistsError:
        fail(ExitCode.SETTINGS, f"{to} is there already; name another file.")
    except OSError as problem:
        fail(ExitCode.SETTINGS, f"{to} cannot be written: {problem.strerror}.")
    say(f"{to} is written.")


def _nothing(file: Path, why: str) -> NoReturn:
    fail(ExitCode.SETTINGS, f"nothing of {file} was taken: {why}.")


def _say_sources(rows: list[UnitClassBase]) -> None:
    invented = sum(row.invented for row in rows)
    say(f"{len(rows)} classes; the figures of {invented} are invented, of {len(rows) - invented} they are not.")
