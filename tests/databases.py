"""Databases for tests: an SQLite file, or one of a PostgreSQL server that lives as long as the test run.

What a test run is to use where it does not say is SQLite; ``PLOTROOM_TESTS_ON=postgresql`` changes that, so that the
bot's own tests can be run on the other database unchanged.
"""

import asyncio
import atexit
import contextlib
import ctypes
import functools
import importlib.util
import itertools
import os
import pwd
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from glob import glob
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import URL, make_url

from bot.store import sqlite
from bot.store.database import open_store

SQLITE = "sqlite"
POSTGRESQL = "postgresql"

DEFAULT = os.environ.get("PLOTROOM_TESTS_ON", SQLITE)

PASSWORD = "tests' own: @/%?"
"""Of the server's only role; a URL must escape it."""

SHIPPED = sqlite._DURABLE
"""How the bot writes to a file."""
HURRIED = (*SHIPPED, "PRAGMA synchronous = OFF")
"""The same without waiting for the disk, which is a third of the time of whatever runs a bot. A killed bot loses
nothing by it, only a machine that loses its power would."""

_PATIENCE = 60.0
_numbers = itertools.count(1)


def database_url(folder: Path, kind: str = DEFAULT) -> str:
    """The URL of an empty database: a file in ``folder``, or a new one of the server. Skips where there is none."""
    if kind == SQLITE:
        return f"sqlite+aiosqlite:///{folder / 'plotroom.db'}"
    assert kind == POSTGRESQL, f"PLOTROOM_TESTS_ON={kind}"
    return cluster().new_database()


def prepared_url(folder: Path, kind: str = DEFAULT) -> str:
    """The URL of a database with this version's tables and nothing in them: a copy of one that was opened once."""
    if kind == POSTGRESQL:
        return cluster().new_database(f"TEMPLATE {_postgresql_model()}")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(_sqlite_model(), folder / "plotroom.db")
    return database_url(folder, kind)


@functools.cache
def _sqlite_model() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="plotroom-model-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _open_once(database_url(folder, SQLITE))
    return folder / "plotroom.db"


@functools.cache
def _postgresql_model() -> str:
    url = cluster().new_database()
    _open_once(url)
    return str(make_url(url).database)


def _open_once(url: str) -> None:
    async def opened() -> None:
        await (await open_store(url)).close()

    with ThreadPoolExecutor(1) as thread:  # where an event loop of its own can run
        thread.submit(asyncio.run, opened()).result()


def rows_of(url: str, query: str) -> list[tuple[Any, ...]]:
    """Rows of a database, read from outside. Blocks meanwhile."""
    address = make_url(url)
    if address.get_backend_name() == SQLITE:
        with contextlib.closing(sqlite3.connect(str(address.database), timeout=10)) as database:
            return database.execute(query).fetchall()
    with ThreadPoolExecutor(1) as thread:  # where an event loop of its own can run
        return thread.submit(asyncio.run, _fetch(address, query)).result()


async def _fetch(address: URL, query: str) -> list[tuple[Any, ...]]:
    import asyncpg

    words = {"user": address.username, "password": address.password, "database": address.database}
    connection = await asyncpg.connect(**words, host=str(address.query["host"]))
    try:
        return [tuple(row) for row in await connection.fetch(query)]
    finally:
        await connection.close()


class Cluster:
    """A PostgreSQL server with a data folder of its own, reached by a socket in that folder.

    Commits are durable as they are by default. It ends with the test run, even if that is killed.
    """

    role = "plotroom"

    def __init__(self) -> None:
        self._user = _unprivileged()
        self.folder = Path(tempfile.mkdtemp(prefix="plotroom-pg-"))
        atexit.register(self.remove)
        password = self.folder / "password"
        password.write_text(PASSWORD)
        self._give_away(self.folder, password)
        initdb = [_program("initdb"), "--pgdata", self.data, "--username", self.role, "--pwfile", password]
        options = ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        self._run([*initdb, *options])
        with (self.data / "postgresql.conf").open("a") as conf:
            conf.write(f"listen_addresses = ''\nunix_socket_directories = '{self.folder}'\nmax_connections = 60\n")
        self._server: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def data(self) -> Path:
        """Where everything is kept."""
        return self.folder / "data"

    def url(self, database: str, *, user: str = role, password: str = PASSWORD) -> str:
        """The URL of a database of this server."""
        made = URL.create(
            "postgresql+asyncpg", username=user, password=password, database=database, query={"host": str(self.folder)}
        )
        return made.render_as_string(hide_password=False)

    def new_database(self, options: str = "") -> str:
        """Make an empty database; gives its URL."""
        name = f"test_{os.getpid()}_{next(_numbers)}"
        self.sql(f"CREATE DATABASE {name} {options}")
        return self.url(name)

    def sql(self, *statements: str, database: str = "postgres") -> str:
        """Carry statements out, each in a transaction of its own, as the server's superuser; gives what psql prints."""
        words = [_program("psql"), "-h", self.folder, "-U", self.role, "-d", database, "-v", "ON_ERROR_STOP=1", "-qAt"]
        for statement in statements:
            words += ["-c", statement]
        environment = {**os.environ, "PGPASSWORD": PASSWORD}
        done = subprocess.run(list(map(str, words)), env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def start(self) -> None:
        """Start the server, and wait until it takes connections."""
        with (self.folder / "log").open("ab") as log:
            words = [_program("postgres"), "-D", str(self.data)]
            how = {"preexec_fn": _die_with_parent, **self._as_user()}
            self._server = subprocess.Popen(words, stdout=log, stderr=log, **how)
        deadline = time.monotonic() + _PATIENCE
        while "ready" not in (self.data / "postmaster.pid").read_text() if self._started() else True:
            assert self._server.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < deadline, "the server does not start"
            time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT ends its connections in good order, SIGQUIT as a crash would."""
        if self._server is not None and self._server.poll() is None:
            self._server.send_signal(how)
            self._server.wait(_PATIENCE)
        self._server = None

    def _started(self) -> bool:
        return (self.data / "postmaster.pid").exists()

    def remove(self) -> None:
        """End the server and take everything of it away."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, words: list[object]) -> None:
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, **self._as_user())
        assert done.returncode == 0, done.stderr

    def _as_user(self) -> dict[str, object]:
        """The server refuses to be run by the superuser."""
        if self._user is None:
            return {"cwd": self.folder}
        return {"cwd": self.folder, "user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}

    def _give_away(self, *paths: Path) -> None:
        if self._user is not None:
            for path in paths:
                os.chown(path, self._user.pw_uid, self._user.pw_gid)


@functools.cache
def cluster() -> Cluster:
    """The test run's server, started when first needed. Skips where PostgreSQL or its driver is not installed."""
    if missing():
        pytest.skip(missing())
    return Cluster()


def missing() -> str:
    """What keeps tests from PostgreSQL on this machine; empty where nothing does."""
    programs = [name for name in ("initdb", "postgres", "psql") if _find(name) is None]
    if programs:
        return f"PostgreSQL is not installed here: no {', '.join(programs)}"
    if importlib.util.find_spec("asyncpg") is None:
        return "PostgreSQL's driver is not installed: make driver"
    return ""


def _program(name: str) -> str:
    found = _find(name)
    assert found is not None, name
    return found


def _find(name: str) -> str | None:
    """A program of PostgreSQL; Debian keeps the server's out of the path."""
    versions = sorted(glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(Path(path).parent.name), reverse=True)
    return next(filter(None, (shutil.which(name, path=path) for path in (*versions, None))), None)


def _unprivileged() -> pwd.struct_passwd | None:
    """Whom to run the server as; None for ourselves."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    return known.get("postgres") or known["nobody"]


def _die_with_parent() -> None:
    """Between fork and exec: have the kernel stop the server if the test run is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)  # PR_SET_PDEATHSIG
