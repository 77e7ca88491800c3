"""A campaign's rewinds are found at once, however long its record is."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

REWINDS = sa.text("kind = 'rewound'")


def upgrade() -> None:
    """An index of the few entries that are rewinds."""
    op.create_index(
        "journal_rewinds", "journal", ["campaign_id", "seq"], sqlite_where=REWINDS, postgresql_where=REWINDS
    )


def downgrade() -> None:
    """Look through whole records for them again."""
    op.drop_index("journal_rewinds", table_name="journal")
