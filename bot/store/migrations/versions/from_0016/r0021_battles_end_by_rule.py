"""Deadlines know since when a battle is not settled, and how long after them it ends by rule."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """What waits already is counted from when its deadline falls next."""
    op.add_column("deadline", sa.Column("unsettled_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("deadline", sa.Column("to_end_seconds", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Battles wait without end again."""
    op.drop_column("deadline", "to_end_seconds")
    op.drop_column("deadline", "unsettled_at")
