"""Bulletins are kept, so that their buttons find what lies behind them."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def _short(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.Text(), "postgresql")


def upgrade() -> None:
    """None was posted so far."""
    op.create_table(
        "bulletin",
        sa.Column("token", _short(24), nullable=False),
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("side", _short(40), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("until", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("said", sa.JSON(), nullable=False),
        sa.Column("score", sa.Text(), nullable=False),
        sa.Column("undone", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"]),
        sa.PrimaryKeyConstraint("token"),
    )
    op.create_index("ix_bulletin_newest", "bulletin", ["campaign_id", "side", "seq"])


def downgrade() -> None:
    """Their buttons find nothing any more."""
    op.drop_index("ix_bulletin_newest", table_name="bulletin")
    op.drop_table("bulletin")
