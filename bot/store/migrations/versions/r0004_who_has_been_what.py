"""What people have been to a campaign is remembered when they leave, and changes may wait for consent."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

IN_PLAY = ("running", "paused", "halted")


def upgrade() -> None:
    """Make the tables; who sits somewhere now has been there, and a referee who plays no side may have looked."""
    past = op.create_table(
        "past_seat",
        sa.Column("campaign_id", sa.String(8).with_variant(sa.Text(), "postgresql"), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.String(40).with_variant(sa.Text(), "postgresql"), nullable=False),
        sa.Column("in_play", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"]),
        sa.PrimaryKeyConstraint("campaign_id", "user_id", "seat"),
    )
    op.create_table(
        "proposal",
        sa.Column("token", sa.String(16).with_variant(sa.Text(), "postgresql"), nullable=False),
        sa.Column("campaign_id", sa.String(8).with_variant(sa.Text(), "postgresql"), nullable=False),
        sa.Column("made_by", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("change", sa.JSON(), nullable=False),
        sa.Column("parties", sa.JSON(), nullable=False),
        sa.Column("agreed", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"]),
        sa.PrimaryKeyConstraint("token"),
    )
    op.create_index("ix_proposal_campaign_id", "proposal", ["campaign_id"])
    connection = op.get_bind()
    campaign = sa.table("campaign", sa.column("id"), sa.column("referee_id"), sa.column("status"))
    member = sa.table("member", sa.column("campaign_id"), sa.column("user_id"), sa.column("side"))
    under_way = campaign.c.status.in_(IN_PLAY)
    seats = (
        sa.select(member.c.campaign_id, member.c.user_id, member.c.side)
        .join(campaign, campaign.c.id == member.c.campaign_id)
        .where(under_way)
    )
    known = [tuple(row) for row in connection.execute(seats).all()]
    playing = {(campaign_id, user_id) for campaign_id, user_id, side in known if side != "@spectator"}
    referees = sa.select(campaign.c.id, campaign.c.referee_id).where(under_way)
    for campaign_id, user_id in connection.execute(referees).all():
        if (campaign_id, user_id) not in playing:
            known.append((campaign_id, user_id, "@everything"))
    if known:
        op.bulk_insert(
            past,
            [{"campaign_id": one, "user_id": who, "seat": seat, "in_play": True} for one, who, seat in known],
        )


def downgrade() -> None:
    """Forget both."""
    op.drop_table("proposal")
    op.drop_table("past_seat")
