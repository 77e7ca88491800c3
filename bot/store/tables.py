"""The schema: what the bot must remember. One transaction writes an input, what follows from it, and its posts."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, Integer, LargeBinary, Text, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.columns import Base, short


class CampaignRow(Base):
    """A campaign. ``seed`` is secret until the end; ``status`` is a :class:`CampaignStatus`; ``theme`` is that of
    its maps, empty for the installation's."""

    __tablename__ = "campaign"

    id: Mapped[str] = mapped_column(short(8), primary_key=True)
    guild_id: Mapped[int] = mapped_column(BigInteger, index=True)
    title: Mapped[str] = mapped_column(short(60))
    rulebook: Mapped[str] = mapped_column(short(40))
    version: Mapped[str] = mapped_column(short(40))
    scenario: Mapped[dict[str, Any]]
    sides: Mapped[list[Any]]
    seed: Mapped[bytes] = mapped_column(LargeBinary(32))
    status: Mapped[str] = mapped_column(short(12), default="gathering")
    status_note: Mapped[str] = mapped_column(Text, default="")
    referee_id: Mapped[int] = mapped_column(BigInteger, index=True)
    settings: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]
    theme: Mapped[str] = mapped_column(short(40), default="", server_default="")


class MemberRow(Base):
    """Who sits where. ``side`` is a side's key, or ``@spectator``. The referee stands in the campaign."""

    __tablename__ = "member"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    side: Mapped[str] = mapped_column(short(40))
    name: Mapped[str] = mapped_column(short(100))
    joined_at: Mapped[datetime]
    quiet_from: Mapped[int | None] = mapped_column(default=None)
    quiet_to: Mapped[int | None] = mapped_column(default=None)

    __table_args__ = (Index("member_by_user", "user_id"),)


class ReaderRow(Base):
    """How somebody wants to read, whatever the campaign."""

    __tablename__ = "reader"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    theme: Mapped[str] = mapped_column(short(40))
    in_channel: Mapped[bool] = mapped_column(default=False, server_default=false())
    typed_for: Mapped[str] = mapped_column(short(8), default="", server_default="")


class PastSeatRow(Base):
    """What somebody has been to a campaign, whatever seat they have now: it does not go when they leave.

    ``seat`` is a side's key, ``@spectator``, or ``@everything`` for who could look at both sides' secrets.
    ``in_play``: whether play was under way.
    """

    __tablename__ = "past_seat"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    seat: Mapped[str] = mapped_column(short(40), primary_key=True)
    in_play: Mapped[bool]


class ProposalRow(Base):
    """A change that waits for people's consent. ``parties`` are those who must agree, ``agreed`` those who have."""

    __tablename__ = "proposal"

    token: Mapped[str] = mapped_column(short(16), primary_key=True)
    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"), index=True)
    made_by: Mapped[int] = mapped_column(BigInteger)
    made_at: Mapped[datetime]
    change: Mapped[dict[str, Any]]
    parties: Mapped[list[Any]]
    agreed: Mapped[list[Any]]


class JournalRow(Base):
    """One journal entry, as canonical JSON. ``hash`` is the entry's own, which the next one must name."""

    __tablename__ = "journal"
    __table_args__ = (
        Index(
            "journal_rewinds",
            "campaign_id",
            "seq",
            sqlite_where=text("kind = 'rewound'"),
            postgresql_where=text("kind = 'rewound'"),
        ),
    )

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(short(12))
    hash: Mapped[str] = mapped_column(short(64))
    entry: Mapped[str] = mapped_column(Text)


class SnapshotRow(Base):
    """A turn boundary from which a campaign can be restored quickly."""

    __tablename__ = "snapshot"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    turn: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    body: Mapped[str] = mapped_column(Text)


class TrackedRestRow(Base):
    """Where a battle that is tracked has come to rest last, and by which entry: what a restart takes it up from."""

    __tablename__ = "tracked_rest"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    ask: Mapped[str] = mapped_column(short(200), primary_key=True)
    seq: Mapped[int]
    body: Mapped[str] = mapped_column(Text)


class ReportRow(Base):
    """What was told, to whom, by which entry: what is told again, and what a rewind must list."""

    __tablename__ = "report"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    body: Mapped[str] = mapped_column(Text)


class ReaderOfReportRow(Base):
    """Whom a report was told: a row for each side, or one for everybody (""). So what a side was told is counted and
    turned page by page without reading what others were told."""

    __tablename__ = "told"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    side: Mapped[str] = mapped_column(short(40), primary_key=True)
    seq: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)


class DossierRow(Base):
    """What is kept of a side's dossier, from what the entries up to ``seq`` told it."""

    __tablename__ = "dossier"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    side: Mapped[str] = mapped_column(short(40), primary_key=True)
    seq: Mapped[int]
    body: Mapped[str] = mapped_column(Text)


class BulletinRow(Base):
    """A bulletin that was posted to a side (or "", everybody), and which reports lie behind it."""

    __tablename__ = "bulletin"
    __table_args__ = (Index("ix_bulletin_newest", "campaign_id", "side", "seq"),)

    token: Mapped[str] = mapped_column(short(24), primary_key=True)
    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"))
    side: Mapped[str] = mapped_column(short(40))
    since: Mapped[int]
    until: Mapped[int]
    seq: Mapped[int]
    first: Mapped[int]
    last: Mapped[int]
    facts: Mapped[list[Any]] = mapped_column(JSON)
    said: Mapped[list[Any]] = mapped_column(JSON)
    score: Mapped[str] = mapped_column(Text)
    undone: Mapped[bool] = mapped_column(default=False)


class OutboxRow(Base):
    """One effect on Discord, in order within its queue, whose name is ``lane`` (one queue for each destination).

    ``about`` is what of the campaign it is about (:attr:`Effect.about`), ``status`` an :class:`OutboxStatus`.
    """

    __tablename__ = "outbox"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    campaign_id: Mapped[str] = mapped_column(short(8))
    lane: Mapped[str] = mapped_column(short(80))
    kind: Mapped[str] = mapped_column(short(24))
    about: Mapped[str] = mapped_column(short(80), default="")
    payload: Mapped[dict[str, Any]]
    status: Mapped[str] = mapped_column(short(8), default="queued")
    attempts: Mapped[int] = mapped_column(default=0)
    not_before: Mapped[datetime | None] = mapped_column(default=None)
    created_at: Mapped[datetime]
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON, default=None)
    error: Mapped[str] = mapped_column(Text, default="")

    __table_args__ = (
        Index("outbox_by_status", "status", "id"),
        Index("outbox_by_lane", "campaign_id", "lane", "status", "id"),
    )


class PlaceRow(Base):
    """Where something of a campaign is on Discord: a category, a channel, a role, a thread.

    ``key``: ``category``, ``public``, ``referee``, ``battles``, ``side:<side>``, ``role:<side>``, ``role:@spectator``,
    ``battle:<sheet key>``, ``past-battle:<thread>`` for a thread that an earlier battle of the same key had.
    """

    __tablename__ = "place"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    key: Mapped[str] = mapped_column(short(80), primary_key=True)
    discord_id: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (Index("place_by_discord", "discord_id"),)


class BattleRow(Base):
    """A battle played by hand, and what its thread must be. ``stirred_at`` is null once it is over, ``opened_seq`` once
    play went back to before it.

    ``stirred_at``: when Discord was last kept from putting the thread away.
    """

    __tablename__ = "battle"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    key: Mapped[str] = mapped_column(short(80), primary_key=True)
    opened_seq: Mapped[int | None]
    stirred_at: Mapped[datetime | None] = mapped_column(index=True)


class PromptRow(Base):
    """An open or closed ask put to one side. ``token`` is what components carry; it says nothing."""

    __tablename__ = "prompt"

    token: Mapped[str] = mapped_column(short(16), primary_key=True)
    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"))
    ask_id: Mapped[str] = mapped_column(Text)
    side: Mapped[str] = mapped_column(short(40))
    title: Mapped[str] = mapped_column(short(200))
    kind: Mapped[str] = mapped_column(short(40))
    status: Mapped[str] = mapped_column(short(8), default="open")
    draft: Mapped[dict[str, Any] | None] = mapped_column(JSON, default=None)
    opened_seq: Mapped[int]
    created_at: Mapped[datetime]
    strand: Mapped[str] = mapped_column(short(200), default="", server_default="")
    steps: Mapped[int] = mapped_column(default=0, server_default="0")
    last_step: Mapped[str] = mapped_column(Text, default="", server_default="")
    stood_by: Mapped[str] = mapped_column(short(8), default="", server_default="")
    referee_asked: Mapped[str] = mapped_column(short(8), default="", server_default="")

    __table_args__ = (
        UniqueConstraint("campaign_id", "ask_id", "side", "opened_seq"),
        Index("prompt_by_status", "campaign_id", "status"),
    )


class PromptMessageRow(Base):
    """A message in which a prompt stands, to be refreshed and closed."""

    __tablename__ = "prompt_message"

    token: Mapped[str] = mapped_column(ForeignKey("prompt.token"), primary_key=True)
    message_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    channel_id: Mapped[int] = mapped_column(BigInteger)
    user_id: Mapped[int] = mapped_column(BigInteger)


class ReturnedRow(Base):
    """What somebody wrote for an open prompt and got back, because it was not accepted."""

    __tablename__ = "returned"

    token: Mapped[str] = mapped_column(ForeignKey("prompt.token"), primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    text: Mapped[str] = mapped_column(Text)
    lines: Mapped[dict[str, Any]] = mapped_column(JSON)
    why: Mapped[list[str]] = mapped_column(JSON)


class StepRow(Base):
    """A saved change of an open prompt, which can be taken back."""

    __tablename__ = "step"

    token: Mapped[str] = mapped_column(ForeignKey("prompt.token"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    lines: Mapped[dict[str, Any]] = mapped_column(JSON)
    said: Mapped[str] = mapped_column(Text)
    user_id: Mapped[int] = mapped_column(BigInteger)


class TypedRow(Base):
    """Orders that somebody wrote in a direct message, by that message's id. ``token`` is their sheet's, null while its
    writer has still to say which is meant; ``saved`` once they stand on it."""

    __tablename__ = "typed"

    message_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(BigInteger)
    token: Mapped[str | None] = mapped_column(ForeignKey("prompt.token"), index=True)
    text: Mapped[str] = mapped_column(Text)
    saved: Mapped[bool]

    __table_args__ = (Index("typed_by_user", "user_id", "message_id"),)


class HeardRow(Base):
    """Up to which message what somebody writes to the bot has been read, and in which channel they write."""

    __tablename__ = "heard"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    channel_id: Mapped[int] = mapped_column(BigInteger)
    message_id: Mapped[int] = mapped_column(BigInteger)


class CaptainRow(Base):
    """Whose a ship of a side is, among that side's commanders; a ship without a row is everybody's."""

    __tablename__ = "captain"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    side: Mapped[str] = mapped_column(short(40), primary_key=True)
    ship: Mapped[str] = mapped_column(short(200), primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger)


class ConfirmedRow(Base):
    """A captain has confirmed what is open to the side in a strand."""

    __tablename__ = "confirmed"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    side: Mapped[str] = mapped_column(short(40), primary_key=True)
    strand: Mapped[str] = mapped_column(short(200), primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)


class LetterRow(Base):
    """A letter from one side to another, as JSON; ``pair`` is both of them, whose letters are numbered together, and
    ``hash`` the letter's own, which the pair's next one names."""

    __tablename__ = "letter"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    pair: Mapped[str] = mapped_column(short(90), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    token: Mapped[str] = mapped_column(short(24), unique=True)
    sender: Mapped[str] = mapped_column(short(40))
    receiver: Mapped[str] = mapped_column(short(40))
    kind: Mapped[str] = mapped_column(short(12))
    at: Mapped[datetime]
    hash: Mapped[str] = mapped_column(short(64))
    letter: Mapped[str] = mapped_column(Text)

    __table_args__ = (
        Index("letter_by_sender", "campaign_id", "sender", "at"),
        Index("letter_by_receiver", "campaign_id", "receiver", "at"),
    )


class LetterDraftRow(Base):
    """A letter that somebody has seen before it is sent, until it is, or others take its place."""

    __tablename__ = "letter_draft"

    token: Mapped[str] = mapped_column(short(24), primary_key=True)
    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"))
    user_id: Mapped[int] = mapped_column(BigInteger)
    at: Mapped[datetime]
    receivers: Mapped[list[Any]] = mapped_column(JSON)
    text: Mapped[str] = mapped_column(Text)
    handed: Mapped[str] = mapped_column(Text)

    __table_args__ = (Index("letter_draft_by_user", "user_id", "at"),)


class DeadlineRow(Base):
    """When a strand of a campaign closes by itself. ``left_seconds`` is set while the clock stands still.

    ``falls_at`` is set only while the campaign runs, so that what is due is found without looking at anything else.
    ``unsettled_at`` and ``to_end_seconds`` are set once it fell on a battle that nobody had settled.
    """

    __tablename__ = "deadline"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    strand: Mapped[str] = mapped_column(short(200), primary_key=True, default="")
    opened_seq: Mapped[int]
    opened_at: Mapped[datetime]
    falls_at: Mapped[datetime | None] = mapped_column(index=True)
    left_seconds: Mapped[int | None] = mapped_column(default=None)
    remind_at: Mapped[datetime | None] = mapped_column(default=None, index=True)
    reminded: Mapped[bool] = mapped_column(default=False)
    unsettled_at: Mapped[datetime | None] = mapped_column(default=None)
    to_end_seconds: Mapped[int | None] = mapped_column(default=None)


class SeenInteractionRow(Base):
    """Interactions already handled, since Discord may deliver one twice."""

    __tablename__ = "seen_interaction"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(index=True)


class SettingRow(Base):
    """Small facts of the installation: when the bot was last alive, the hash of the synced commands."""

    __tablename__ = "note"

    key: Mapped[str] = mapped_column(short(60), primary_key=True)
    value: Mapped[str] = mapped_column(Text)
