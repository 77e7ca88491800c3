"""``/ledger`` and ``/odds``: tables and chances, for the caller alone and from what the caller's side knows."""

import csv
import io

from discord import app_commands

from bot.commands.context import UsualAnswer, campaign_here, chosen, command, offers, own_campaigns, services_of
from bot.delivery.exit import reply
from bot.delivery.prepared import Attachment, Message
from bot.interactions.guard import answers
from bot.interactions.showing import Interaction
from rules_engine.core.knowledge.side_tables import SideTable

SHOWN = 15
"""Rows in the message; all of them go along as a file."""
LONGEST_ROW = 110


def ledger_text(ledger: SideTable) -> str:
    """A ledger's newest rows, one line each; a phone has no room for columns."""
    rows = [" · ".join(filter(None, row)) for row in ledger.rows[-SHOWN:]]
    lines = [f"**{ledger.title}**", f"-# {' · '.join(ledger.columns)}"]
    lines += [f"• {row if len(row) <= LONGEST_ROW else f'{row[: LONGEST_ROW - 1]}…'}" for row in rows]
    if not rows:
        lines.append("Nothing so far.")
    left = len(ledger.rows) - len(rows)
    if left:
        lines.append(f"-# and {left} before these; the file has all {len(ledger.rows)}")
    if ledger.note:
        lines.append(f"-# {ledger.note}")
    return "\n".join(lines)


def ledger_csv(ledger: SideTable) -> bytes:
    """The whole of it, for a spreadsheet. Text that a spreadsheet would take for a formula is quoted."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(ledger.columns)
    writer.writerows([[_harmless(cell) for cell in row] for row in ledger.rows])
    return file.getvalue().encode("utf-8-sig")


def _harmless(cell: str) -> str:
    signed = cell[:1] in {"+", "-"} and cell[1:2].isdigit()
    return f"'{cell}" if cell[:1] in {"=", "+", "-", "@"} and not signed else cell


@offers
async def own_ledgers(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """The ledgers that the caller may read."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    titles = await services_of(interaction).queries.side_tables.titles(found.id, interaction.user.id)
    return [(title, key) for key, title in titles.items()]


@command(name="ledger", description="What your side has, knows or has seen rolled, as a table")
@app_commands.describe(which="Which table", campaign="Which campaign, if you are in several")
@app_commands.autocomplete(which=own_ledgers, campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def ledger(interaction: Interaction, which: str, campaign: str | None = None) -> None:
    """Show a ledger."""
    found = await campaign_here(interaction, campaign)
    table = await services_of(interaction).queries.side_tables.one(found.id, interaction.user.id, which)
    files = (Attachment(f"{table.key.replace('.', '-')}.csv", ledger_csv(table)),) if table.rows else ()
    await reply(interaction, Message(ledger_text(table), files=files))


@offers
async def own_forces(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """What of the caller's side may be asked about."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    menu = await services_of(interaction).queries.odds.menu(found.id, interaction.user.id)
    return [(one.label, one.value) for one in menu.own]


@offers
async def held_contacts(interaction: Interaction, _: str) -> list[UsualAnswer]:
    """What it may be tried against."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    menu = await services_of(interaction).queries.odds.menu(found.id, interaction.user.id)
    return [(one.label, one.value) for one in menu.targets]


@command(name="odds", description="The chances of what your side may try, from what it knows")
@app_commands.describe(
    own="What of yours would try it",
    target="What it would be tried against",
    campaign="Which campaign, if you are in several",
)
@app_commands.autocomplete(own=own_forces, target=held_contacts, campaign=own_campaigns)
@app_commands.allowed_contexts(guilds=True, dms=True)
@app_commands.allowed_installs(guilds=True)
@answers
async def odds(interaction: Interaction, own: str, target: str, campaign: str | None = None) -> None:
    """Tell the odds."""
    found = await campaign_here(interaction, campaign)
    told = await services_of(interaction).queries.odds.odds(found.id, interaction.user.id, own, target)
    await reply(interaction, Message("\n".join([f"**{told.title}**", *told.lines, f"-# {told.rule}"])))
