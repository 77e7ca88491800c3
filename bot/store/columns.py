"""What every table is made of: moments with their zone, short text, and the root of the schema."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, DateTime, String, Text, TypeDecorator
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase


class Utc(TypeDecorator[datetime]):
    """A moment in UTC, aware in Python whatever the database keeps."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse a naive moment: it would be read as another one elsewhere."""
        if value is not None and value.tzinfo is None:
            raise ValueError("moments must carry a time zone")
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """SQLite forgets the zone; it is always UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def short(length: int) -> String:
    """Text of about so many characters. The number is for readers: SQLite does not hold anybody to it, and PostgreSQL
    is not asked to, for it would refuse in the middle of a turn what the other takes.
    """
    return String(length).with_variant(Text(), "postgresql")


class Base(DeclarativeBase):
    """The root of the schema."""

    type_annotation_map = {dict[str, Any]: JSON, list[Any]: JSON, datetime: Utc}  # noqa: RUF012  SQLAlchemy's own form
