"""Orders that somebody wrote in a direct message are kept until they are saved, changed or their sheet is closed."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "typed",
        sa.Column("message_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("token", sa.String(16).with_variant(sa.Text(), "postgresql"), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("saved", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["token"], ["prompt.token"]),
        sa.PrimaryKeyConstraint("message_id"),
    )
    op.create_index("typed_by_user", "typed", ["user_id", "message_id"])
    op.create_index("ix_typed_token", "typed", ["token"])


def downgrade() -> None:
    """Forget it."""
    op.drop_table("typed")
