"""Sides write letters to each other, kept beside the journal."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def _short(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.Text(), "postgresql")


def upgrade() -> None:
    """None was written so far."""
    op.create_table(
        "letter",
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("pair", _short(90), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("token", _short(24), nullable=False),
        sa.Column("sender", _short(40), nullable=False),
        sa.Column("receiver", _short(40), nullable=False),
        sa.Column("kind", _short(12), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("hash", _short(64), nullable=False),
        sa.Column("letter", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"]),
        sa.PrimaryKeyConstraint("campaign_id", "pair", "number"),
        sa.UniqueConstraint("token"),
    )
    op.create_index("letter_by_sender", "letter", ["campaign_id", "sender", "at"])
    op.create_index("letter_by_receiver", "letter", ["campaign_id", "receiver", "at"])
    op.create_table(
        "letter_draft",
        sa.Column("token", _short(24), nullable=False),
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("receivers", sa.JSON(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("handed", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"]),
        sa.PrimaryKeyConstraint("token"),
    )
    op.create_index("letter_draft_by_user", "letter_draft", ["user_id", "at"])


def downgrade() -> None:
    """Forget them."""
    op.drop_index("letter_draft_by_user", table_name="letter_draft")
    op.drop_table("letter_draft")
    op.drop_index("letter_by_receiver", table_name="letter")
    op.drop_index("letter_by_sender", table_name="letter")
    op.drop_table("letter")
