"""Which battles are open is written down, so that their threads are kept awake, and closed when they are over.

Of a battle that has a thread already it is not known whether it is over. It counts as open until play goes on next.
"""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

IN_PLAY = ("running", "paused", "halted")


def upgrade() -> None:
    """Make the table, with the threads of campaigns in play."""
    battle = op.create_table(
        "battle",
        sa.Column("campaign_id", sa.String(8).with_variant(sa.Text(), "postgresql"), nullable=False),
        sa.Column("key", sa.String(80).with_variant(sa.Text(), "postgresql"), nullable=False),
        sa.Column("opened_seq", sa.Integer(), nullable=True),
        sa.Column("stirred_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"]),
        sa.PrimaryKeyConstraint("campaign_id", "key"),
    )
    op.create_index("ix_battle_stirred_at", "battle", ["stirred_at"])
    connection = op.get_bind()
    campaign = sa.table("campaign", sa.column("id"), sa.column("status"))
    place = sa.table("place", sa.column("campaign_id"), sa.column("key"))
    names = ("id", "campaign_id", "kind", "about", "status")
    outbox = sa.table("outbox", *map(sa.column, names), sa.column("payload", sa.JSON()))
    in_play = sa.select(campaign.c.id).where(campaign.c.status.in_(IN_PLAY))
    there = sa.select(place.c.campaign_id, place.c.key).where(
        place.c.key.like("battle:%"), place.c.campaign_id.in_(in_play)
    )
    to_be_made = sa.select(outbox.c.campaign_id, outbox.c.about).where(
        outbox.c.kind == "thread", outbox.c.status.in_(("queued", "sending")), outbox.c.campaign_id.in_(in_play)
    )
    known = {(one, key.removeprefix("battle:")) for one, key in connection.execute(there).all()}
    known |= {(one, about) for one, about in connection.execute(to_be_made).all()}
    now = datetime.now(UTC)
    if known:
        op.bulk_insert(
            battle,
            [{"campaign_id": one, "key": key, "opened_seq": 0, "stirred_at": now} for one, key in sorted(known)],
        )
    closing = sa.select(outbox.c.id, outbox.c.payload).where(outbox.c.kind == "archive")
    for row_id, payload in connection.execute(closing).all():
        connection.execute(sa.update(outbox).where(outbox.c.id == row_id).values(about=payload["key"]))


def downgrade() -> None:
    """Forget it."""
    outbox = sa.table("outbox", sa.column("kind"), sa.column("about"))
    op.get_bind().execute(sa.update(outbox).where(outbox.c.kind == "archive").values(about=""))
    op.drop_table("battle")
