"""Readers choose for which campaign they write, where their words fit several."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def _short(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.Text(), "postgresql")


def upgrade() -> None:
    """Nobody has chosen: it is asked each time."""
    op.add_column("reader", sa.Column("typed_for", _short(8), nullable=False, server_default=""))


def downgrade() -> None:
    """Ask again each time."""
    op.drop_column("reader", "typed_for")
