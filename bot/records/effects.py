"""Everything the bot may do on Discord by itself, as values: what lies in the outbox until it is delivered.

Those who cause an effect make one of these, the database keeps it, delivery carries it out: one type, no dictionaries.
What was written by an earlier version may hold more fields than are known here; they are ignored.
"""

from abc import abstractmethod
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from bot.records.components import Card
from bot.records.files import FileSpec
from bot.records.places import BATTLES_PLACE, RECONCILE_QUEUE, SETUP_QUEUE, battle_place, lane_of


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


# --- effects ------------------------------------------------------------------------------------------------------


class _Effect(_Kept):
    @property
    @abstractmethod
    def queue(self) -> str:
        """The queue in which it keeps its order: its destination."""

    @property
    def about(self) -> str:
        """What of a campaign it is about, by which effects that must come behind it find it; empty for nothing."""
        return ""


class Provision(_Effect):
    """Make a campaign's roles and channels."""

    kind: Literal["provision"] = "provision"

    @property
    def queue(self) -> str:
        """That of all that makes a campaign's places."""
        return SETUP_QUEUE


class Reconcile(_Effect):
    """Make a campaign's places, roles and open battles' threads on Discord what they should be, and give everybody the
    roles of their seat: of those who have one, and of these ``users``, who may hold one that is not theirs."""

    kind: Literal["reconcile"] = "reconcile"
    users: tuple[int, ...] = ()

    @property
    def queue(self) -> str:
        """One of its own: what cannot be mended yet keeps nothing else waiting."""
        return RECONCILE_QUEUE

    @property
    def about(self) -> str:
        """Whom it is asked for beside those who have a seat."""
        return ",".join(map(str, self.users))


class Grant(_Effect):
    """Give somebody a role: ``side:<side>``, ``@referee`` or ``@spectator``."""

    kind: Literal["grant"] = "grant"
    user_id: int
    role: str

    @property
    def queue(self) -> str:
        """That of all that makes a campaign's places."""
        return SETUP_QUEUE


class Revoke(_Effect):
    """Take a role from somebody."""

    kind: Literal["revoke"] = "revoke"
    user_id: int
    role: str

    @property
    def queue(self) -> str:
        """That of all that makes a campaign's places."""
        return SETUP_QUEUE

    @property
    def about(self) -> str:
        """The role: secrets wait until those who left have lost it."""
        return self.role


class Rename(_Effect):
    """Give the role and the channel of ``side`` its present name, which is looked up when this is carried out."""

    kind: Literal["rename"] = "rename"
    side: str

    @property
    def queue(self) -> str:
        """One of its own: Discord lets a channel be renamed twice in ten minutes, and nothing else waits for that."""
        return lane_of(f"name:{self.side}")


class Post(_Effect):
    """A message to a place, or to somebody (``dm``), whose closed direct messages lead to the place ``fallback``.

    ``prompt`` is the token of the prompt whose ``card`` it is. ``in_channel`` is whether its reader has asked for it in
    the place ``fallback`` rather than by direct message. It is not sent from the moment ``until`` on. In a place it
    ``calls`` one person.
    """

    kind: Literal["post"] = "post"
    place: str | None = None
    dm: int | None = None
    content: str = ""
    files: tuple[FileSpec, ...] = ()
    card: Card | None = None
    prompt: str | None = None
    fallback: str | None = None
    in_channel: bool = False
    until: datetime | None = Field(default=None, exclude_if=lambda until: until is None)
    calls: int | None = Field(default=None, exclude_if=lambda calls: calls is None)

    @property
    def queue(self) -> str:
        """That of its reader or place."""
        return _towards(self.dm, self.place)

    @property
    def about(self) -> str:
        """Its prompt, which may be shown anew only behind it."""
        return self.prompt or ""


class Refresh(_Effect):
    """Show the messages of the prompt ``token`` with a new card: all, or those of one user or one message."""

    kind: Literal["refresh"] = "refresh"
    token: str
    card: Card
    dm: int | None = None
    message: int | None = None

    @property
    def queue(self) -> str:
        """That of its reader."""
        return _towards(self.dm, None)

    @property
    def about(self) -> str:
        """The prompt."""
        return self.token


class Redraw(_Effect):
    """Draw the pictures of the prompt ``token`` anew in a ``message`` that was answered with those at hand, as long as
    it says what ``card`` says."""

    kind: Literal["redraw"] = "redraw"
    token: str
    card: Card
    message: int

    @property
    def queue(self) -> str:
        """One of its own for each message, so that nothing else waits for a picture."""
        return lane_of(f"picture:{self.message}")

    @property
    def about(self) -> str:
        """The prompt."""
        return self.token


class ClosePrompt(_Effect):
    """Take the components of the prompt ``token`` away and say how it closed: everywhere, or for one user."""

    kind: Literal["close_prompt"] = "close_prompt"
    token: str
    content: str
    dm: int | None = None

    @property
    def queue(self) -> str:
        """That of its reader."""
        return _towards(self.dm, None)

    @property
    def about(self) -> str:
        """The prompt."""
        return self.token


class BattleThread(_Effect):
    """Open a battle's private thread for its parties' commanders, and post its set-up there."""

    kind: Literal["thread"] = "thread"
    key: str
    name: str
    sides: tuple[str, ...] = ()
    """Its parties; an earlier version named their commanders alone, in ``members``."""

    members: tuple[int, ...] = ()
    content: str = ""
    files: tuple[FileSpec, ...] = ()

    @property
    def queue(self) -> str:
        """That of all battles."""
        return BATTLES_PLACE

    @property
    def about(self) -> str:
        """The battle."""
        return self.key

    def is_another_than(self, earlier: "BattleThread") -> bool:
        """Whether an earlier one of the same key was fought elsewhere or by others, so its thread is not for it."""
        is_of_others = bool(earlier.sides) and set(earlier.sides) != set(self.sides)
        return is_of_others or earlier.name != self.name


class Admit(_Effect):
    """Let somebody who now commands one of its parties see the thread of the battle ``key``."""

    kind: Literal["admit"] = "admit"
    user_id: int
    key: str

    @property
    def queue(self) -> str:
        """That of all battles."""
        return BATTLES_PLACE


class Dismiss(_Effect):
    """Let somebody who has left their side see none of its battles any more."""

    kind: Literal["dismiss"] = "dismiss"
    user_id: int

    @property
    def queue(self) -> str:
        """That of all battles, so that it comes behind every thread that was opened for them."""
        return BATTLES_PLACE


class Archive(_Effect):
    """Say in the thread of the battle ``key`` that it is over (``content``), and archive and lock it."""

    kind: Literal["archive"] = "archive"
    key: str
    content: str = ""

    @property
    def queue(self) -> str:
        """That of the thread, so that it comes behind all that was said of the battle."""
        return lane_of(battle_place(self.key))

    @property
    def about(self) -> str:
        """The battle: if it is fought again its thread is opened behind this."""
        return self.key


class Wake(_Effect):
    """Keep Discord from putting the thread of the battle ``key`` away for silence, or open it again."""

    kind: Literal["wake"] = "wake"
    key: str

    @property
    def queue(self) -> str:
        """One of its own, so that nothing that is said of the battle waits for it."""
        return lane_of(f"wake:{self.key}")

    @property
    def about(self) -> str:
        """The battle."""
        return self.key


class Announcement(_Effect):
    """Say by a ``card`` where a campaign was created, in the ``channel``, that it takes players; or (0) have what was
    said there say this now."""

    kind: Literal["announcement"] = "announcement"
    card: Card
    channel: int = 0

    @property
    def queue(self) -> str:
        """One of its own: its channel is no place of the campaign's."""
        return ANNOUNCEMENT_QUEUE


class Notice(_Effect):
    """Tell the referee of trouble with Discord."""

    kind: Literal["notice"] = "notice"
    content: str

    @property
    def queue(self) -> str:
        """One of its own, so that it waits for nothing."""
        return TROUBLE_QUEUE


TROUBLE_QUEUE = "trouble"
ANNOUNCEMENT_QUEUE = "announcement"


class Unreadable(_Effect):
    """What was kept and is no effect that is known: another version's, or damaged. It is given up at its turn."""

    kind: Literal["unreadable"] = "unreadable"
    was: str

    @property
    def queue(self) -> str:
        """Nothing puts it into one."""
        return SETUP_QUEUE


Effect = (
    Provision
    | Reconcile
    | Grant
    | Revoke
    | Rename
    | Post
    | Refresh
    | Redraw
    | ClosePrompt
    | BattleThread
    | Admit
    | Dismiss
    | Archive
    | Wake
    | Announcement
    | Notice
    | Unreadable
)

_adapter: TypeAdapter[Effect] = TypeAdapter(Annotated[Effect, Field(discriminator="kind")])


def effect_of(kind: str, kept: dict[str, Any]) -> Effect:
    """An effect from what the database kept of it."""
    try:
        return _adapter.validate_python({**kept, "kind": kind})
    except ValidationError:
        return Unreadable(was=kind)


def kept_of(effect: Effect) -> dict[str, Any]:
    """What the database keeps of an effect, beside its kind."""
    return effect.model_dump(mode="json", exclude={"kind"})


def _towards(user: int | None, place: str | None) -> str:
    return f"dm:{user}" if user is not None else lane_of(place) if place else SETUP_QUEUE
