"""The installation's settings: environment variables, or a ``.env`` file beside the command."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


def built_in(package: Path) -> Path:
    """Where this package's own scenarios and themes are: inside it when installed, beside it in a checkout."""
    packed = package / "builtin"
    return packed if packed.is_dir() else package.parent / "config"


BUILT_IN = built_in(Path(__file__).resolve().parent)
IN_CHECKOUT = BUILT_IN.name == "config"
"""Whether what is built in may be edited where it lies; an installation's files go with its next version."""


THEME_NAME = r"^[A-Za-z0-9_-]{1,40}$"
"""What the name of a theme looks like, and so the stem of its file."""


class HostSettings(BaseSettings):
    """Every setting has a working default but the token. Unknown ``PLOTROOM_`` variables in ``.env`` are errors."""

    model_config = SettingsConfigDict(
        env_prefix="PLOTROOM_", env_file=".env", env_file_encoding="utf-8", extra="forbid"
    )

    token: SecretStr = Field(SecretStr(""), description="the bot's token from Discord's developer portal")
    database: str = Field("sqlite+aiosqlite:///var/plotroom.db", description="SQLAlchemy URL of the database")
    config_dir: Path | None = Field(
        None, description="a folder of one's own scenarios and themes, laid over those built in"
    )
    theme: str = Field("default", pattern=THEME_NAME, description="the look of maps and battle cards")
    signs: bool = Field(True, description="small pictures of counters in texts, as emojis of the bot's application")
    members: bool = Field(False, description="hear at once who comes and goes; needs the Server Members Intent")
    api_base: str = Field("", description="a Discord-compatible server to use instead of Discord, e.g. the playground")
    log_level: str = Field("INFO", description="DEBUG, INFO, WARNING or ERROR")
    log_json: bool = Field(False, description="log lines as JSON")
    idle_minutes: float = Field(10, gt=0, description="a campaign untouched this long leaves the memory")
    warm_campaigns: int = Field(8, ge=1, description="how many campaigns may stay in memory at once")

    @field_validator("config_dir", mode="before")
    @classmethod
    def _given(cls, value: object) -> object:
        """``PLOTROOM_CONFIG_DIR=`` names no folder; as a path it would be the current one."""
        return None if value == "" else value

    @field_validator("config_dir")
    @classmethod
    def _folder(cls, value: Path | None) -> Path | None:
        if value is None:
            return None
        folder = value.expanduser()
        if not folder.is_dir():
            raise ValueError(f"the folder {folder} does not exist" if not folder.exists() else f"{folder} is no folder")
        return folder

    @field_validator("api_base")
    @classmethod
    def _an_address(cls, value: str) -> str:
        try:
            parts = urlsplit(value)
            is_right = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
            is_right = is_right and not parts.query and not parts.fragment
        except ValueError:  # a port that is no number, a bracket that is not closed
            is_right = False
        if value and not is_right:
            raise ValueError("must be an address such as http://127.0.0.1:8123")
        return value

    @field_validator("log_level")
    @classmethod
    def _known_level(cls, value: str) -> str:
        if value.upper() not in {"DEBUG", "INFO", "WARNING", "ERROR"}:
            raise ValueError("must be DEBUG, INFO, WARNING or ERROR")
        return value.upper()

    @field_validator("theme")
    @classmethod
    def _known_theme(cls, value: str, others: ValidationInfo) -> str:
        own = others.data.get("config_dir")
        known = {path.stem for folder in (BUILT_IN, own) if folder for path in (folder / "themes").glob("*.toml")}
        if value not in known:
            raise ValueError(f"there is no theme {value}; there is {', '.join(sorted(known))}")
        return value

    @property
    def theme_file(self) -> Path:
        """The theme's file: the one of that name in the last folder that has one."""
        files = [folder / "themes" / f"{self.theme}.toml" for folder in self.config_folders]
        return next(path for path in reversed(files) if path.is_file())

    @property
    def theme_files(self) -> dict[str, Path]:
        """The files of all themes that maps may be drawn with, by name."""
        found = [path for folder in self.config_folders for path in sorted((folder / "themes").glob("*.toml"))]
        return {path.stem: path for path in found if re.fullmatch(THEME_NAME, path.stem)}

    @property
    def config_folders(self) -> tuple[Path, ...]:
        """Where scenarios and themes are read from; a later folder is laid over those before it."""
        if self.config_dir is None or self.config_dir.resolve() == BUILT_IN:
            return (BUILT_IN,)
        return (BUILT_IN, self.config_dir)

    @property
    def own_folder(self) -> Path | None:
        """Where scenarios and ship figures of one's own are written; None where no folder was named for them."""
        return self.config_dir or (BUILT_IN if IN_CHECKOUT else None)
