"""Who may do what: one table, walked by a test over every kind of seat. What is not listed is refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bot.errors import Sorry
from bot.records.campaigns import CampaignInfo
from bot.records.places import SPECTATOR


class SeatRole(StrEnum):
    """What somebody is to one campaign."""

    COMMANDER = "commander"
    REFEREE = "referee"
    SPECTATOR = "spectator"
    STRANGER = "stranger"


@dataclass(frozen=True)
class Caller:
    """A user before a campaign: the roles held there and, for a commander, the side."""

    user_id: int
    campaign_id: str
    roles: frozenset[SeatRole]
    side: str | None
    has_played: bool = False
    """Whether a referee has commanded a side while play was under way."""

    @property
    def plays_and_referees(self) -> bool:
        """Such a referee has no omniscient view and makes no edit while the campaign runs; leaving the side, whose
        secrets and whose friends they know, changes nothing."""
        return SeatRole.REFEREE in self.roles and (SeatRole.COMMANDER in self.roles or self.has_played)


def caller_of(campaign: CampaignInfo, user_id: int, seat: str | None, *, has_played: bool = False) -> Caller:
    """What a user is to a campaign in which ``seat`` is their side, :data:`SPECTATOR` or nothing."""
    roles: set[SeatRole] = set()
    if campaign.referee_id == user_id:
        roles.add(SeatRole.REFEREE)
    if seat is not None:
        roles.add(SeatRole.SPECTATOR if seat == SPECTATOR else SeatRole.COMMANDER)
    side = None if seat == SPECTATOR else seat
    return Caller(user_id, campaign.id, frozenset(roles or {SeatRole.STRANGER}), side, has_played)


_ANYBODY = frozenset(SeatRole)
_COMMANDER = frozenset({SeatRole.COMMANDER})
_REFEREE = frozenset({SeatRole.REFEREE})
_INSIDE = frozenset({SeatRole.COMMANDER, SeatRole.REFEREE, SeatRole.SPECTATOR})

RIGHTS: Mapping[str, frozenset[SeatRole]] = {
    # lobby
    "create": _ANYBODY,
    "join": _ANYBODY,
    "spectate": _ANYBODY,
    "leave": frozenset({SeatRole.COMMANDER, SeatRole.SPECTATOR}),
    "start": _REFEREE,
    "cancel": _REFEREE,
    "status": _ANYBODY,
    # a side's own business; prompts are checked against the prompt's own side as well
    "orders": _COMMANDER,
    "review": _COMMANDER,
    "fill": _COMMANDER,
    "write": _COMMANDER,
    "ready": _COMMANDER,
    "ships": _COMMANDER,
    "missions": _COMMANDER,
    "plots": _COMMANDER,
    "battle": _COMMANDER,
    "track": _COMMANDER,
    "forces": _COMMANDER,
    "dossier": _COMMANDER,
    "log": _COMMANDER,
    "odds": _COMMANDER,
    "economy": _COMMANDER,
    "letter": _COMMANDER,
    "letters": frozenset({SeatRole.COMMANDER, SeatRole.REFEREE}),
    "ledger": frozenset({SeatRole.COMMANDER, SeatRole.REFEREE}),
    # what everybody inside may look at, each through their own view
    "map": _INSIDE,
    # the referee's
    "pause": _REFEREE,
    "resume": _REFEREE,
    "extend": _REFEREE,
    "resolve": _REFEREE,
    "late": _REFEREE,
    "rewind": _REFEREE,
    "edit": _REFEREE,
    "ruling": _REFEREE,
    "export": _INSIDE,
    "substitute": _REFEREE,
    "hand-ships": _REFEREE,
    "hand-over": _REFEREE,
    "name-referee": _COMMANDER,  # and the server's owner
    "settings": _REFEREE,
    "omniscient": _REFEREE,
    # help
    "help": _ANYBODY,
    "next": _ANYBODY,
    "rulings": _ANYBODY,
    "quiet": _COMMANDER,
}

REFEREE_MUST_NOT_PLAY = frozenset({"edit", "ruling", "rewind", "resolve", "late", "omniscient", "hand-ships"})
"""What a referee who also commands a side, or has commanded one in play, may not do while the campaign runs."""

_WORDS = {
    _COMMANDER: "a commander of a side",
    _REFEREE: "the campaign's referee",
    _INSIDE: "a member of the campaign",
    frozenset({SeatRole.COMMANDER, SeatRole.SPECTATOR}): "a commander or spectator",
    frozenset({SeatRole.COMMANDER, SeatRole.REFEREE}): "a commander of a side or the referee",
}


def require(standing: Caller, action: str, *, ended: bool = False) -> None:
    """Let ``action`` through, or say who may do it.

    Raises:
        Sorry: when the right is missing. An action that is not in the table is refused to everybody.
    """
    allowed = RIGHTS.get(action, frozenset())
    if not standing.roles & allowed:
        who = _WORDS.get(allowed, "nobody")
        raise Sorry(f"Only {who} can do this here.", code=f"denied-{action}")
    if action in REFEREE_MUST_NOT_PLAY and standing.plays_and_referees and not ended:
        settle = "A battle is settled when a side presses **Take their whole account** on its sheet. "
        raise Sorry(
            f"You {'command' if standing.side else 'have commanded'} a side in this campaign, so you cannot do this "
            "while it runs. "
            f"{settle if action == 'ruling' else ''}"
            "Somebody who plays no side can do it as its referee (`/referee hand-over`).",
            code=f"denied-{action}-playing",
        )
