"""What a side's reports tell of others is kept beside them, so that nobody has to read them all again."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def _short(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.Text(), "postgresql")


def upgrade() -> None:
    """Of a campaign under way it is made from its reports as its next turn ends."""
    op.create_table(
        "dossier",
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("side", _short(40), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"]),
        sa.PrimaryKeyConstraint("campaign_id", "side"),
    )


def downgrade() -> None:
    """Forget them: they can be made again."""
    op.drop_table("dossier")
