"""Battles that are tracked are taken up where they came to rest."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def _short(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.Text(), "postgresql")


def upgrade() -> None:
    """No battle was tracked before."""
    op.create_table(
        "tracked_rest",
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("ask", _short(200), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"]),
        sa.PrimaryKeyConstraint("campaign_id", "ask"),
    )


def downgrade() -> None:
    """Forget them: battles are flown again from the journal."""
    op.drop_table("tracked_rest")
