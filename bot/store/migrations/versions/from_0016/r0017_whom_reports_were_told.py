"""Whom each report was told stands in rows of its own, so that a side's log is turned page by page."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

AT_A_TIME = 1_000


def _short(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.Text(), "postgresql")


def upgrade() -> None:
    """Read whom all reports were told that there are."""
    told = op.create_table(
        "told",
        sa.Column("campaign_id", _short(8), nullable=False),
        sa.Column("side", _short(40), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"]),
        sa.PrimaryKeyConstraint("campaign_id", "side", "seq", "number"),
    )
    connection = op.get_bind()
    reports = sa.table(
        "report",
        sa.column("campaign_id", sa.String()),
        sa.column("seq", sa.Integer()),
        sa.column("number", sa.Integer()),
        sa.column("body", sa.Text()),
    )
    order = (reports.c.campaign_id, reports.c.seq, reports.c.number)
    query = sa.select(reports).order_by(*order).limit(AT_A_TIME)
    page = connection.execute(query).all()
    while page:
        rows = [
            {"campaign_id": one.campaign_id, "side": "" if side == "*" else side, "seq": one.seq, "number": one.number}
            for one in page
            for side in json.loads(one.body)["to"]
        ]
        connection.execute(sa.insert(told), rows)
        last = page[-1]
        page = connection.execute(query.where(sa.tuple_(*order) > (last.campaign_id, last.seq, last.number))).all()


def downgrade() -> None:
    """Forget them: the reports say it, too."""
    op.drop_table("told")
