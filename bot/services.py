"""The desk as one thing: everything a front end may ask for, and nothing of how it is kept."""

from dataclasses import dataclass

from bot.campaigns.office import Office
from bot.orders.play import Play
from bot.queries.lookup import Lookup
from bot.queries.told_again import Logbook
from bot.referee.chair import Chair
from bot.seats.lobby import Lobby


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
