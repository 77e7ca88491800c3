"""Schema migrations. Alembic's configuration is made here, in code, so that it travels inside the package."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

FOLDER = Path(__file__).parent


class TooNew(Exception):
    """The database stands at a revision that this code does not know."""

    def __init__(self, revision: str) -> None:
        super().__init__(revision)
        self.revision = revision


def config() -> Config:
    """Alembic's configuration, also for ``alembic revision --autogenerate`` from code."""
    made = Config()
    made.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    made.set_main_option("path_separator", "os")
    made.set_main_option("recursive_version_locations", "true")
    return made


def upgrade(connection: sa.Connection) -> None:
    """Bring the schema to the newest revision, within the caller's connection. Raises :class:`TooNew`."""
    made = config()
    scripts = ScriptDirectory.from_config(made)
    known = {script.revision for script in scripts.walk_revisions()}
    at = MigrationContext.configure(connection).get_current_revision()
    if at is not None and at not in known:
        raise TooNew(at)
    if at != scripts.get_current_head():
        made.attributes["connection"] = connection
        command.upgrade(made, "head")
