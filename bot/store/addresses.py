"""Addresses of databases, made unambiguous: nothing is guessed, because a guess may be another database."""

from sqlalchemy.engine import URL

from bot.store.errors import StoreUnavailable

_BARE = {"postgres", "postgresql", "postgresql+asyncpg"}
_OPTIONS = {"host", "port", "ssl"}
EXAMPLE = "postgresql+asyncpg://user:password@host/database"


def shown(url: URL) -> str:
    """An address for people to read, without its password."""
    return url.set(query={}).render_as_string(hide_password=True)


def server_address(url: URL) -> URL:
    """The address for the driver, from any of the common spellings of a PostgreSQL address.

    Raises:
        StoreUnavailable: when it is no PostgreSQL address, or leaves open which database is meant.
    """
    if url.drivername not in _BARE:
        raise StoreUnavailable(
            f"Plotroom keeps its campaigns in SQLite or PostgreSQL, not in {url.drivername}; an address looks like "
            f"sqlite+aiosqlite:///var/plotroom.db or {EXAMPLE}."
        )
    options = dict(url.query)
    if "sslmode" in options:  # as libpq spells it
        options["ssl"] = options.pop("sslmode")
    unknown = sorted(options.keys() - _OPTIONS)
    if unknown:
        raise StoreUnavailable(
            f"The database {shown(url)} is given with an unknown option {unknown[0]}; known are host, port and ssl."
        )
    twice = sorted(key for key, value in options.items() if not isinstance(value, str))
    if twice or not (url.host or options.get("host")):
        raise StoreUnavailable(f"The database {shown(url)} must name its server, one; it looks like {EXAMPLE}.")
    if not url.database:
        raise StoreUnavailable(f"The address {shown(url)} names no database; it looks like {EXAMPLE}.")
    return url.set(drivername="postgresql+asyncpg", query=options)
