"""A side says once that it stands by its account of a battle, or that the referee should settle it."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody has said so of what is open."""
    for column in ("stood_by", "referee_asked"):
        kind = sa.String(8).with_variant(sa.Text(), "postgresql")
        op.add_column("prompt", sa.Column(column, kind, nullable=False, server_default=""))


def downgrade() -> None:
    """Forget it."""
    op.drop_column("prompt", "referee_asked")
    op.drop_column("prompt", "stood_by")
