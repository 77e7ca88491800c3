"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _short(length: int) -> sa.String:
    return sa.String(length).with_variant(sa.Text(), "postgresql")


def upgrade() -> None:
    """Make every table."""
    op.create_table(
        "campaign",
        sa.Column("id", _short(8), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("title", _short(60), nullable=False),
        sa.Column("rulebook", _short(40), nullable=False),
        sa.Column("version", _short(40), nullable=False),
        sa.Column("scenario", sa.JSON(), nullable=False),
        sa.Column("sides", sa.JSON(), nullable=False),
        sa.Column("seed", sa.LargeBinary(length=32), nullable=False),
        sa.Column("status", _short(12), nullable=False),
        sa.Column("status_note", sa.Text(), nullable=False),
        sa.Column("referee_id", sa.BigInteger(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_campaign_guild_id"), "campaign", ["guild_id"], unique=False)
    op.create_table(
        "note",
        sa.Column("key", _short(60), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("lane", _short(80), nullable=False),
        sa.Column("kind", _short(24), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("status", _short(8), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("not_before", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("error", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("outbox_by_lane", "outbox", ["campaign_id", "lane", "status", "id"], unique=False)
    op.create_index("outbox_by_status", "outbox", ["status", "id"], unique=False)
    op.create_table(
        "seen_interaction",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_seen_interaction_at"), "seen_interaction", ["at"], unique=False)
    op.create_table(
        "deadline",
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("opened_seq", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("falls_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("left_seconds", sa.Integer(), nullable=True),
        sa.Column("reminded", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("campaign_id"),
    )
    op.create_index(op.f("ix_deadline_falls_at"), "deadline", ["falls_at"], unique=False)
    op.create_table(
        "journal",
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", _short(12), nullable=False),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("campaign_id", "seq"),
    )
    op.create_table(
        "member",
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("side", _short(40), nullable=False),
        sa.Column("name", _short(100), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_to", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("campaign_id", "user_id"),
    )
    op.create_index("member_by_user", "member", ["user_id"], unique=False)
    op.create_table(
        "place",
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("key", _short(80), nullable=False),
        sa.Column("discord_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("campaign_id", "key"),
    )
    op.create_index("place_by_discord", "place", ["discord_id"], unique=False)
    op.create_table(
        "prompt",
        sa.Column("token", _short(16), nullable=False),
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("ask_id", sa.Text(), nullable=False),
        sa.Column("side", _short(40), nullable=False),
        sa.Column("title", _short(200), nullable=False),
        sa.Column("kind", _short(40), nullable=False),
        sa.Column("status", _short(8), nullable=False),
        sa.Column("draft", sa.JSON(), nullable=True),
        sa.Column("opened_seq", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("token"),
        sa.UniqueConstraint("campaign_id", "ask_id", "side", "opened_seq"),
    )
    op.create_index(op.f("ix_prompt_campaign_id"), "prompt", ["campaign_id"], unique=False)
    op.create_table(
        "report",
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("campaign_id", "seq", "number"),
    )
    op.create_table(
        "snapshot",
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("campaign_id", "seq", "turn"),
    )
    op.create_table(
        "prompt_message",
        sa.Column("token", _short(16), nullable=False),
        sa.Column("message_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["token"],
            ["prompt.token"],
        ),
        sa.PrimaryKeyConstraint("token", "message_id"),
    )


def downgrade() -> None:
    """Drop every table."""
    op.drop_table("prompt_message")
    op.drop_table("snapshot")
    op.drop_table("report")
    op.drop_index(op.f("ix_prompt_campaign_id"), table_name="prompt")
    op.drop_table("prompt")
    op.drop_index("place_by_discord", table_name="place")
    op.drop_table("place")
    op.drop_index("member_by_user", table_name="member")
    op.drop_table("member")
    op.drop_table("journal")
    op.drop_index(op.f("ix_deadline_falls_at"), table_name="deadline")
    op.drop_table("deadline")
    op.drop_index(op.f("ix_seen_interaction_at"), table_name="seen_interaction")
    op.drop_table("seen_interaction")
    op.drop_index("outbox_by_status", table_name="outbox")
    op.drop_index("outbox_by_lane", table_name="outbox")
    op.drop_table("outbox")
    op.drop_table("note")
    op.drop_index(op.f("ix_campaign_guild_id"), table_name="campaign")
    op.drop_table("campaign")
