"""The desk as one thing: everything a front end may ask for, and nothing of how it is kept."""

from dataclasses import dataclass

from bot.desk.chair import Chair
from bot.desk.lobby import Lobby
from bot.desk.logbook import Logbook
from bot.desk.lookup import Lookup
from bot.desk.office import Office
from bot.desk.play import Play


@dataclass(frozen=True)
class Desk:
    """The application's services, sharing one office."""

    office: Office
    lobby: Lobby
    play: Play
    chair: Chair
    logbook: Logbook
    lookup: Lookup

    @classmethod
    def of(cls, office: Office) -> "Desk":
        """A desk in this office."""
        play = Play(office)
        logbook = Logbook(office)
        return cls(office, Lobby(office), play, Chair(office, play), logbook, Lookup(office, logbook))
