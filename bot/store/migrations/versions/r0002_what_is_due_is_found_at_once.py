"""Entries' hashes, what effects are about, and reminders become columns, so that each is found without reading rows."""

import json
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SOME = 1_000
"""Rows that are looked at together: a long campaign's journal need not fit into memory."""


def _short(length: int) -> sa.String:
    return sa.String(length).with_variant(sa.Text(), "postgresql")


def upgrade() -> None:
    """Add the columns, fill them, and index what is looked for."""
    op.add_column("journal", sa.Column("hash", _short(64), nullable=True))
    op.add_column("outbox", sa.Column("about", _short(80), nullable=True))
    op.add_column("deadline", sa.Column("remind_at", sa.DateTime(timezone=True), nullable=True))
    _fill_hashes(op.get_bind())
    _fill_about(op.get_bind())
    _fill_reminders(op.get_bind())
    with op.batch_alter_table("journal") as batch:
        batch.alter_column("hash", existing_type=_short(64), nullable=False)
    with op.batch_alter_table("outbox") as batch:
        batch.alter_column("about", existing_type=_short(80), nullable=False)
    op.create_index(op.f("ix_deadline_remind_at"), "deadline", ["remind_at"], unique=False)
    op.create_index(op.f("ix_campaign_referee_id"), "campaign", ["referee_id"], unique=False)
    op.drop_index(op.f("ix_prompt_campaign_id"), table_name="prompt")
    op.create_index("prompt_by_status", "prompt", ["campaign_id", "status"], unique=False)


def _fill_hashes(connection: sa.Connection) -> None:
    """Each entry has its hash within it."""
    table = sa.table("journal", sa.column("campaign_id"), sa.column("seq"), sa.column("hash"), sa.column("entry"))
    change = (
        sa.update(table)
        .where(table.c.campaign_id == sa.bindparam("of"), table.c.seq == sa.bindparam("at"))
        .values(hash=sa.bindparam("its"))
    )
    missing = sa.select(table.c.campaign_id, table.c.seq, table.c.entry).where(table.c.hash.is_(None)).limit(SOME)
    while rows := connection.execute(missing).all():
        connection.execute(change, [{"of": of, "at": at, "its": json.loads(entry)["hash"]} for of, at, entry in rows])


def _fill_about(connection: sa.Connection) -> None:
    """The prompt, role or battle that an effect is about stands in its payload."""
    table = sa.table("outbox", sa.column("id"), sa.column("kind"), sa.column("about"), sa.column("payload", sa.JSON()))
    change = sa.update(table).where(table.c.id == sa.bindparam("of")).values(about=sa.bindparam("its"))
    named = {"post": "prompt", "refresh": "token", "close_prompt": "token", "revoke": "role", "thread": "key"}
    missing = sa.select(table.c.id, table.c.kind, table.c.payload).where(table.c.about.is_(None)).limit(SOME)
    while rows := connection.execute(missing).all():
        connection.execute(
            change, [{"of": of, "its": payload.get(named.get(kind, ""), "") or ""} for of, kind, payload in rows]
        )


def _fill_reminders(connection: sa.Connection) -> None:
    """A reminder comes when a share of the time is left. Where play is halted the clock stands still from now on."""
    moment = sa.DateTime(timezone=True)
    deadline = sa.table(
        "deadline",
        sa.column("campaign_id"),
        sa.column("opened_at", moment),
        sa.column("falls_at", moment),
        sa.column("remind_at", moment),
        sa.column("left_seconds"),
        sa.column("reminded", sa.Boolean()),
    )
    campaign = sa.table("campaign", sa.column("id"), sa.column("status"), sa.column("settings", sa.JSON()))
    mine = deadline.c.campaign_id == sa.bindparam("of")
    running = sa.select(deadline, campaign.c.status, campaign.c.settings).where(
        deadline.c.campaign_id == campaign.c.id, deadline.c.falls_at.is_not(None)
    )
    for row in connection.execute(running).mappings().all():
        falls_at, opened_at = row["falls_at"], row["opened_at"]
        if row["status"] != "running":
            now = datetime.now(UTC) if falls_at.tzinfo else datetime.now(UTC).replace(tzinfo=None)
            left = max(0, int((falls_at - now).total_seconds()))
            connection.execute(
                sa.update(deadline).where(mine).values(falls_at=None, left_seconds=left), {"of": row["campaign_id"]}
            )
        elif not row["reminded"]:
            remind_at = falls_at - (falls_at - opened_at) * row["settings"].get("reminder_left", 0.25)
            connection.execute(sa.update(deadline).where(mine).values(remind_at=remind_at), {"of": row["campaign_id"]})


def downgrade() -> None:
    """Take the columns away again."""
    op.drop_index("prompt_by_status", table_name="prompt")
    op.create_index(op.f("ix_prompt_campaign_id"), "prompt", ["campaign_id"], unique=False)
    op.drop_index(op.f("ix_campaign_referee_id"), table_name="campaign")
    op.drop_index(op.f("ix_deadline_remind_at"), table_name="deadline")
    for table, column in (("deadline", "remind_at"), ("outbox", "about"), ("journal", "hash")):
        with op.batch_alter_table(table) as batch:
            batch.drop_column(column)
