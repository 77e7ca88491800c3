"""The outbox's lanes name neither sides nor battles: who reads rows or a log learns nothing from them."""

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Give the lanes of sides and battles the names that they have from now on."""
    connection = op.get_bind()
    table = sa.table("outbox", sa.column("lane"))
    named = sa.or_(table.c.lane.like("side:%"), table.c.lane.like("battle:%"))
    for (lane,) in connection.execute(sa.select(table.c.lane).where(named).distinct()).all():
        neutral = f"{lane.partition(':')[0]}#{hashlib.sha256(lane.encode()).hexdigest()[:16]}"
        connection.execute(sa.update(table).where(table.c.lane == lane).values(lane=neutral))


def downgrade() -> None:
    """Name the lanes after the places of their posts again."""
    connection = op.get_bind()
    table = sa.table("outbox", sa.column("lane"), sa.column("kind"), sa.column("payload", sa.JSON()))
    posts = sa.select(table.c.lane, table.c.payload).where(table.c.lane.like("%#%"), table.c.kind == "post")
    names = {lane: payload["place"] for lane, payload in connection.execute(posts).all()}
    for lane, name in names.items():
        connection.execute(sa.update(table).where(table.c.lane == lane).values(lane=name))
