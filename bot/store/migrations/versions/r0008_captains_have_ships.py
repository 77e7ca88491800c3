"""Commanders of one side may have ships of their own, and each confirms the sheets on which they stand."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def _short(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.Text(), "postgresql")


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "captain",
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("side", _short(40), nullable=False),
        sa.Column("ship", _short(200), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"]),
        sa.PrimaryKeyConstraint("campaign_id", "side", "ship"),
    )
    op.create_table(
        "confirmed",
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("side", _short(40), nullable=False),
        sa.Column("strand", _short(200), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"]),
        sa.PrimaryKeyConstraint("campaign_id", "side", "strand", "user_id"),
    )


def downgrade() -> None:
    """All ships are everybody's again."""
    op.drop_table("confirmed")
    op.drop_table("captain")
