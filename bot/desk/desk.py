"""The desk as one thing: everything a front end may ask for, and nothing of how it is kept."""

from dataclasses import dataclass

from bot.desk.chair import Chair
from bot.desk.lobby import Lobby
from bot.desk.logbook import Logbook
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

    @classmethod
    def of(cls, office: Office) -> "Desk":
        """A desk in this office."""
        play = Play(office)
        return cls(office, Lobby(office), play, Chair(office, play), Logbook(office))
