"""What PostgreSQL's refusals mean for a host, by the five letters of SQLSTATE; never what a statement held."""

import socket
import ssl

from sqlalchemy.exc import SQLAlchemyError

from bot.store.errors import StoreUnavailable

_SENTENCES = {
    "28P01": "The database {where} refuses the password; put the right one into PLOTROOM_DATABASE.",
    "28000": "The database {where} lets this user not in; see the server's pg_hba.conf.",
    "3D000": "The database {where} does not exist; make it with CREATE DATABASE, or correct the name.",
    "42501": "The database {where} cannot be written: {said}. Give its user the right, or make it the schema's owner.",
    "42P07": "The database {where} holds tables of another program ({said}); name an empty one. Nothing was changed.",
    "53100": "The disk of the database {where} is full.",
    "53300": "The server of the database {where} has no connection to spare; Plotroom needs up to 16.",
    "57P03": "The server of the database {where} is starting or stopping; try again soon.",
    "25006": "The database {where} can only be read; name the server that is written.",
}
_CLASSES = {
    "28": _SENTENCES["28000"],
    "08": "The server of the database {where} broke the connection off; try again.",
    "57": "The server of the database {where} ended the connection; try again.",
}


def is_trouble(error: BaseException) -> bool:
    """Whether the driver, SQLAlchemy or the network raised it."""
    return isinstance(error, SQLAlchemyError | OSError | TimeoutError) or _driver_raised(error)


def explained(error: BaseException, where: str) -> StoreUnavailable | None:
    """The host's sentence for what happened to the database ``where``; None if it is another matter."""
    if not is_trouble(error):
        return None
    cause = getattr(error, "orig", None) or error
    state = getattr(cause, "sqlstate", None) or ""
    sentence = _SENTENCES.get(state) or _CLASSES.get(state[:2])
    if sentence is not None:
        return StoreUnavailable(sentence.format(where=where, said=_first_line(cause)))
    if state:
        return StoreUnavailable(f"The database {where} cannot be used: error {state}, {_first_line(cause)}.")
    return StoreUnavailable(f"The database {where} cannot be reached: {_why(error)}.")


def _why(error: BaseException) -> str:
    """In a few words, why the network did not bring us there."""
    if isinstance(error, socket.gaierror):
        return "its server's name is not known"
    if isinstance(error, ssl.SSLError):
        return "no safe connection was agreed on"
    if isinstance(error, TimeoutError):
        return "its server does not answer"
    if isinstance(error, ConnectionRefusedError | FileNotFoundError):
        return "nothing listens there; is the server running"
    return getattr(error, "strerror", None) or type(error).__name__


def _first_line(error: BaseException) -> str:
    """The server's own message, without its details, which may quote a row."""
    told = getattr(error.__cause__, "message", None) or getattr(error, "message", None)
    return told.splitlines()[0].rstrip(".")[:160] if told else type(error).__name__


def _driver_raised(error: BaseException) -> bool:
    return type(error).__module__.partition(".")[0] == "asyncpg"
