"""Saved changes of an open sheet are kept, so that they can be taken back one by one; and somebody may want cards in
the side's channel instead of direct messages."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Of what is open nothing can be taken back yet, and all have direct messages."""
    op.add_column("reader", sa.Column("in_channel", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("prompt", sa.Column("steps", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("prompt", sa.Column("last_step", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "step",
        sa.Column("token", sa.String(16).with_variant(sa.Text(), "postgresql"), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["token"], ["prompt.token"]),
        sa.PrimaryKeyConstraint("token", "number"),
    )


def downgrade() -> None:
    """Forget them."""
    op.drop_column("reader", "in_channel")
    op.drop_table("step")
    op.drop_column("prompt", "last_step")
    op.drop_column("prompt", "steps")
