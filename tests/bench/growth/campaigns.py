"""Databases with thousands of running campaigns: two are begun and played by commands, the rest are copies of them.

Founding and delivering thousands one by one would take hours. A copy has every row of its model, in every table, under
an id of its own, with a title, people, places, messages and prompts of its own; where one of those is named in a post
that was delivered, the copy's own is named. What is hashed stays letter for letter: the journal, the snapshots, the
reports, and the seed that they were written with. So the bot loads a copy, plays it on and lets its deadline fall.
"""

import re
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from bot.playground.world.components import walk
from bot.seats.found_campaign import ID_LETTERS
from tests.bench.clicks import Panel, begin_campaign
from tests.bench.stage import Stage, full_bot, stage, until
from tests.databases import rows_of

CLICKED = "Bench"
"""The campaign that somebody clicks in: its first turn has just begun."""

PLAYED = "Played"
"""The other model: some turns are behind it, and answers in each of them."""

TURNS = 2
ANSWERS = 5
WEEKS = 4
"""How long the sheets of all these campaigns are open."""

PER_SERVER = 5
"""Campaigns on a server; so many are on the bot's own too."""

FIRST_SERVER = 10**17
FAR = 10**13
"""How far the ids of one copy lie from those of the next: farther than a model's own from each other."""

LEAST_SNOWFLAKE = 10**16
HASHED = {"journal", "snapshot", "report"}
NOBODYS = {"alembic_version", "heard", "reader", "seen_interaction"}
"""Tables of the installation, in which no row belongs to a campaign."""

Row = dict[str, Any]


def database_of(where: Stage) -> Path:
    """The database of the bot on this stage."""
    return where.folder / "plotroom.db"


def url_of(where: Stage) -> str:
    """The same, as the bot's setting."""
    return f"sqlite+aiosqlite:///{database_of(where)}"


# --- the models -------------------------------------------------------------------------------------------------------


async def played_models(folder: Path) -> Stage:
    """Two campaigns, begun and played by commands, and all they caused delivered. The stage has ended then."""
    async with stage(folder) as where, full_bot(where):
        await begin_campaign(where, PLAYED, orders=f"{WEEKS}w")
        for _ in range(TURNS):
            await _play_a_turn(where)
        await begin_campaign(where, CLICKED, orders=f"{WEEKS}w")
        await _delivered(where)
    return where


async def _play_a_turn(where: Stage) -> None:
    """Some answers of one side, each journalled; then the referee closes the turn."""
    await _delivered(where)
    panel = Panel(where, await where.letter("ann"))
    for number in range(ANSWERS):
        await panel.save(number)
    before = rows_of(url_of(where), "SELECT count(*) FROM journal")
    asked = (await where.command("rita", "referee resolve-now", campaign=PLAYED))["message"]
    await where.press("rita", asked, next(one["custom_id"] for one in walk(asked["components"]) if one["type"] == 2))

    async def closed() -> bool:
        return rows_of(url_of(where), "SELECT count(*) FROM journal") > before

    await until(closed, "the end of the turn")


async def _delivered(where: Stage) -> None:
    async def all_done() -> bool:
        return not rows_of(url_of(where), "SELECT 1 FROM outbox WHERE status <> 'done' LIMIT 1")

    await until(all_done, "the delivery of all posts")


# --- copies -----------------------------------------------------------------------------------------------------------


def multiply(database: Path, size: int, falling: int) -> datetime:
    """Copy the campaigns of a database until there are ``size``; ``falling`` deadlines fall at the moment returned.

    All others fall later, spread over weeks, and nobody is reminded before that moment. Blocks meanwhile.
    """
    now, chance = datetime.now(UTC), Random(size)
    together = now + timedelta(weeks=WEEKS) * 0.3
    with closing(sqlite3.connect(database, isolation_level=None)) as db:
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA journal_mode = OFF")  # nobody needs this file if the copying fails
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN")
        models = [_Model(db, one["id"]) for one in db.execute("SELECT id FROM campaign ORDER BY id").fetchall()]
        taken = {model.id for model in models}
        for number in range(len(models), size):
            while (made := "".join(chance.choices(ID_LETTERS, k=5))) in taken:
                pass
            taken.add(made)
            falls = (
                together if number < len(models) + falling else now + timedelta(weeks=WEEKS) * chance.uniform(0.6, 0.99)
            )
            models[number % len(models)].copy(db, made, number, falls)
        db.execute("DELETE FROM note WHERE key = 'alive'")  # or the time that copying took would pass for an outage
        db.execute("COMMIT")
    return together


class _Model:
    """All rows of one campaign. Text with ids in it is kept in parts, of which every other one is an id."""

    def __init__(self, db: sqlite3.Connection, campaign_id: str) -> None:
        self.id = campaign_id
        mine = "SELECT * FROM {} WHERE {}"
        rows = {
            table: [dict(row) for row in db.execute(mine.format(table, condition), {"id": campaign_id})]
            for table, condition in _belonging(db).items()
        }
        self._tokens = [row["token"] for table in ("prompt", "bulletin") for row in rows[table]]
        self._guild = str(rows["campaign"][0]["guild_id"])
        self._people = [str(row["user_id"]) for row in rows["member"]] + [str(rows["campaign"][0]["referee_id"])]
        names = "|".join(map(re.escape, [campaign_id, *self._tokens]))
        self._ids = re.compile(rf"(?<![\w-])({names}|\d{{17,20}})(?![\w-])")
        self._inserts: list[tuple[str, str, Row]] = []
        for table, found in rows.items():
            counted = _counted(db, table)
            for row in found:
                kept = {column: self._split(table, value) for column, value in row.items() if column != counted}
                places = ", ".join(f":{column}" for column in kept)
                self._inserts.append((table, f"INSERT INTO {table} ({', '.join(kept)}) VALUES ({places})", kept))

    def _split(self, table: str, value: object) -> object:
        """Text in parts if it has ids in it; anything else as it is."""
        if not isinstance(value, str) or (table in HASHED and value != self.id):
            return value
        parts = self._ids.split(value)
        return parts if len(parts) > 1 else value

    def copy(self, db: sqlite3.Connection, new_id: str, number: int, falls: datetime) -> None:
        """Write the rows again under ``new_id``, with an open deadline that falls at ``falls``."""
        renamed = self._renaming(new_id, number)
        for table, statement, model in self._inserts:
            row = {column: _renamed(value, renamed) for column, value in model.items()}
            if table == "campaign":
                row["title"] = f"Campaign {number}"
            elif table == "deadline":
                _move(row, falls)
            db.execute(statement, row)

    def _renaming(self, new_id: str, number: int) -> Callable[[str], str]:
        """What each id becomes. The first copies stay on their model's server, with its people."""
        known = {self.id: new_id, **{token: secrets.token_urlsafe(9) for token in self._tokens}}
        if number < PER_SERVER:
            known |= {one: one for one in (self._guild, *self._people)}
        else:
            known[self._guild] = str(FIRST_SERVER + number // PER_SERVER)
        return lambda old: known.get(old) or str(int(old) + number * FAR)


def _renamed(value: object, renamed: Callable[[str], str]) -> object:
    if isinstance(value, list):
        return "".join(renamed(part) if odd % 2 else part for odd, part in enumerate(value))
    return int(renamed(str(value))) if isinstance(value, int) and value > LEAST_SNOWFLAKE else value


def _move(deadline: Row, falls: datetime) -> None:
    """Move all moments of a deadline alike, so that it falls at ``falls``."""
    by = falls.replace(tzinfo=None) - datetime.fromisoformat(deadline["falls_at"])
    for column, value in deadline.items():
        if column.endswith("_at") and value is not None:
            deadline[column] = f"{datetime.fromisoformat(value) + by:%Y-%m-%d %H:%M:%S.%f}"


def _belonging(db: sqlite3.Connection) -> dict[str, str]:
    """Every table that has rows of campaigns, and the condition for those of one of them; campaigns themselves first.

    Raises:
        RuntimeError: where a table may have some that this module does not know of.
    """
    found = {
        "campaign": "id = :id",
        "prompt": "campaign_id = :id",
        "prompt_message": "token IN (SELECT token FROM prompt WHERE campaign_id = :id)",
        "returned": "token IN (SELECT token FROM prompt WHERE campaign_id = :id)",
        "step": "token IN (SELECT token FROM prompt WHERE campaign_id = :id)",
        "typed": "token IN (SELECT token FROM prompt WHERE campaign_id = :id)",
        "note": "key LIKE '%:' || :id",
    }
    tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    for (table,) in tables.fetchall():
        if any(column["name"] == "campaign_id" for column in db.execute(f"PRAGMA table_info({table})")):
            found[table] = "campaign_id = :id"
        elif table not in {*found, *NOBODYS}:
            raise RuntimeError(f"the table {table} has no campaign_id: say in {__name__} which of its rows are whose")
    return found


def _counted(db: sqlite3.Connection, table: str) -> str | None:
    """The column in which the database counts the rows by itself."""
    key = [one for one in db.execute(f"PRAGMA table_info({table})") if one["pk"]]
    return key[0]["name"] if len(key) == 1 and key[0]["type"] == "INTEGER" else None
