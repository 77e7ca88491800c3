"""Parts of play close by themselves: each has its own deadline, and a prompt knows which one is its own.

What is open in an earlier version belongs to the part that all play was then, whose name is empty.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_MOMENTS = ("falls_at", "remind_at")


def _short(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.Text(), "postgresql")


def _columns() -> list[sa.Column[object]]:
    return [
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("opened_seq", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("falls_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("left_seconds", sa.Integer(), nullable=True),
        sa.Column("remind_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reminded", sa.Boolean(), nullable=False),
    ]


def _made_anew(*more: sa.Column[object], key: tuple[str, ...]) -> None:
    """Make the table of deadlines anew, which has a row for each campaign under way, with its rows."""
    before = sa.table("deadline", *(sa.column(one.name, one.type) for one in _columns()))
    rows = op.get_bind().execute(sa.select(before)).mappings().all()
    op.drop_table("deadline")
    made = op.create_table(
        "deadline",
        *_columns(),
        *more,
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"]),
        sa.PrimaryKeyConstraint(*key),
    )
    for moment in _MOMENTS:
        op.create_index(f"ix_deadline_{moment}", "deadline", [moment])
    if rows:
        op.bulk_insert(made, [{**row, **{one.name: "" for one in more}} for row in rows])


def upgrade() -> None:
    """Let both say whose they are."""
    _made_anew(sa.Column("strand", _short(200), nullable=False), key=("campaign_id", "strand"))
    op.add_column("prompt", sa.Column("strand", _short(200), nullable=False, server_default=""))


def downgrade() -> None:
    """Only the deadline of undivided play can be kept."""
    op.execute("DELETE FROM deadline WHERE strand <> ''")
    _made_anew(key=("campaign_id",))
    with op.batch_alter_table("prompt") as batch:
        batch.drop_column("strand")
