"""What somebody wrote for a sheet and got back, because it was not accepted, is kept while the sheet is open."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "returned",
        sa.Column("token", sa.String(16).with_variant(sa.Text(), "postgresql"), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("why", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["token"], ["prompt.token"]),
        sa.PrimaryKeyConstraint("token", "user_id"),
    )


def downgrade() -> None:
    """Forget it."""
    op.drop_table("returned")
