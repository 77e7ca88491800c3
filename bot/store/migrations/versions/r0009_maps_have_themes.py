"""A campaign's maps may have a theme of their own, and so may whoever reads them."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def _short(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.Text(), "postgresql")


def upgrade() -> None:
    """Nobody has chosen any yet."""
    op.add_column("campaign", sa.Column("theme", _short(40), nullable=False, server_default=""))
    op.create_table(
        "reader",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("theme", _short(40), nullable=False),
        sa.PrimaryKeyConstraint("user_id"),
    )


def downgrade() -> None:
    """All maps have the installation's theme again."""
    op.drop_table("reader")
    op.drop_column("campaign", "theme")
