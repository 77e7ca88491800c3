"""``plotroom demo`` and ``plotroom verify``: a campaign played before your eyes, and a record checked."""

import asyncio
import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from bot.cli.app import FIRST_RULEBOOK, app, fail, say, say_default, settings_or_fail
from bot.cli.app import out as console
from bot.demo.run import SCRIPTS, DemoFailed, play
from bot.verification.export_file import VerifyError, read_record
from bot.verification.verify import rolls_of, verify
from rules_engine.core.basics.dice import Roll


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="where maps, transcripts and the export are left")] = Path("demo-out"),
    rulebook: Annotated[str, typer.Option(help=f"which script: {' or '.join(SCRIPTS)}")] = "",
) -> None:
    """Play a scripted campaign through a Discord of our own, without a browser."""
    if not rulebook:
        say_default(f"the script {FIRST_RULEBOOK}", "--rulebook")
    script = SCRIPTS.get(rulebook or FIRST_RULEBOOK)
    if script is None:
        say(f"There is no script “{rulebook}”. There is: {', '.join(SCRIPTS)}.")
        raise typer.Exit(2)
    if out.exists() and any(out.iterdir()):
        say(f"{out} is not empty; name another folder with --out.")
        raise typer.Exit(2)
    settings_or_fail()  # the bot's own process will want them; said here they are seen
    described = TextColumn("{task.description}")
    with Progress(
        SpinnerColumn(), described, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=console
    ) as bar:
        task = bar.add_task("starting", total=script.turns)
        try:
            outcome = asyncio.run(
                play(script, out, lambda turn, text: bar.update(task, completed=turn, description=text))
            )
        except DemoFailed as failed:
            say(f"The demo stopped: {failed}")
            raise typer.Exit(1) from None
    say(f"{outcome.turns} turns, {outcome.maps} images, each seat's transcript in {out}/<seat>/transcript.md")
    _verdict(outcome.export, None, None)


@app.command(name="verify")
def verify_command(
    export: Annotated[Path, typer.Argument(help="an export: JSON lines, as the bot hands them out")],
    seed: Annotated[str, typer.Option(help="the seed as hex, if the export does not hold it")] = "",
    rolls: Annotated[Path | None, typer.Option(help="also write every roll into this CSV file")] = None,
    head: Annotated[
        list[str] | None, typer.Option(help="a hash that the public channel shows; may be repeated")
    ] = None,
    receipt: Annotated[
        list[str] | None, typer.Option(help="the receipt of an answer or of a letter; may be repeated")
    ] = None,
) -> None:
    """Replay a whole campaign: check every hash, roll, report and score, who did what, and what Discord shows of it."""
    try:
        known = bytes.fromhex(seed) if seed else None
    except ValueError:
        say("The seed must be written as hex digits.")
        raise typer.Exit(2) from None
    _verdict(export, known, rolls, heads=head or (), receipts=receipt or ())


def _verdict(
    export: Path, seed: bytes | None, rolls: Path | None, *, heads: Sequence[str] = (), receipts: Sequence[str] = ()
) -> None:
    try:
        record = read_record(export)
        entries = record.entries
        verdict = verify(entries, seed, heads=heads, receipts=receipts, letters=record.letters)
    except VerifyError as error:
        console.print(Text.assemble(("does not hold", "bold red"), f": {error}"), highlight=False, soft_wrap=True)
        raise typer.Exit(1) from None
    holds = f" ({verdict.rulebook}): {verdict.entries} entries, every hash holds."
    console.print(Text.assemble((verdict.title, "bold"), holds), highlight=False, soft_wrap=True)
    for line in verdict.seats:
        say(f"Seats, {line}")
    for line in verdict.receipts:
        say(f"Receipt, {line}")
    if verdict.letters:
        say(f"Letters between sides: {verdict.letters}, every one in its place and as it was sent.")
    if verdict.replayed:
        say(f"Replayed: {verdict.turns} turns, {verdict.rolls} rolls, every report and the state agree.")
    if verdict.ending is not None:
        scores = ", ".join(f"{side} {score}" for side, score in verdict.ending.scores.items())
        say(f"{verdict.ending.text} ({scores})")
    say(f"head {verdict.head}")
    for sentence in verdict.proves:
        say(sentence)
    if rolls is not None and verdict.replayed:
        try:
            _write_rolls(rolls, rolls_of(entries, seed, verdict.passing))
        except OSError as problem:
            fail(1, f"{rolls} cannot be written: {problem.strerror}.")


def _write_rolls(file: Path, rolled: Iterable[tuple[int, Roll]]) -> None:
    with file.open("w", newline="", encoding="utf-8") as opened:
        writer = csv.writer(opened)
        writer.writerow(["entry", "label", "purpose", "faces", "low", "dice", "total", "seen by"])
        for seq, roll in rolled:
            seen = "everybody" if roll.seen_by is None else " ".join(sorted(roll.seen_by)) or "nobody"
            dice = " ".join(map(str, roll.dice))
            writer.writerow([seq, roll.label, roll.purpose, roll.faces, roll.low, dice, roll.total, seen])
