"""What is open in a campaign, what was answered to it, who is done, and how a strand could close."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from rules_engine.core.basics.base import Json, Side, SideLabel
from rules_engine.core.protocol.accounts import NOTHING_LOST
from rules_engine.core.protocol.asks import Agreement, AnyAsk, Settlement
from rules_engine.core.running.transitions import NotOpen, NotSettled, OpenAsk, SentAnswer


class Asked(ABC):
    """The open asks of one campaign in memory."""

    def __init__(self) -> None:
        self._open_asks: dict[str, OpenAsk] = {}
        self._opened: tuple[AnyAsk, ...] = ()
        """What the last command opened."""
        self._ready: dict[str, set[Side]] = {}
        """Who is done, by strand."""

    @property
    @abstractmethod
    def sides(self) -> tuple[SideLabel, ...]:
        """The campaign's sides."""

    @abstractmethod
    def is_out(self, side: Side) -> bool:
        """Whether ``side`` is out of play: it is asked nothing, and nobody waits for it. Public."""

    # --- what is open -----------------------------------------------------------------------------------------------

    def asks_for(self, side: Side) -> tuple[AnyAsk, ...]:
        """The open asks that are put to ``side``."""
        return tuple(one.ask for one in self._open_asks.values() if side in one.ask.parties)

    def open_asks(self) -> tuple[AnyAsk, ...]:
        """All open asks; for the host's own bookkeeping, never to be shown or counted to a side."""
        return tuple(one.ask for one in self._open_asks.values())

    def saved(self, side: Side, ask_id: str) -> Any:
        """What ``side`` has answered so far, or a partner of its force for it, whichever came last; or None."""
        return self._mine(side, ask_id).answer_of(side)

    def losses(self, side: Side, strand: str | None = None) -> tuple[str, ...]:
        """What ``side`` will lose as its open sheets (of a strand) stand: by what it saved, else by their defaults."""
        told: list[str] = []
        for one in self._open_asks.values():
            if side in one.ask.parties and strand in (None, one.ask.strand):
                answer = one.answer_of(side)
                stands = one.ask.default if answer is None else answer
                told += [] if stands is None else one.ask.losses(stands)
        return tuple(dict.fromkeys(told))

    def sender(self, side: Side, ask_id: str) -> Side | None:
        """Who sent that: ``side`` itself, or a partner of its force; None where nobody did."""
        return self._mine(side, ask_id).sender_of(side)

    def sent(self, side: Side, ask_id: str) -> SentAnswer | None:
        """How often that was sent, and when last; None where it never was."""
        return self._mine(side, ask_id).sent_by(side)

    def strands(self) -> tuple[str, ...]:
        """What closes by itself: the strands that have open asks, in order; the empty one alone where play has not
        parted. For the host's own bookkeeping, as :meth:`open_asks`."""
        return tuple(dict.fromkeys(one.ask.strand for one in self._open_asks.values()))

    # --- who is done ------------------------------------------------------------------------------------------------

    def is_ready(self, side: Side, strand: str | None = None) -> bool:
        """Whether ``side`` has said that it is done with what is open, in a strand or in all of its own."""
        return all(side in self._ready.get(one, ()) for one in self._strands_of(side, strand))

    def is_done(self, side: Side, strand: str | None = None) -> bool:
        """Whether nothing more is expected of ``side`` before a strand closes, or any."""
        return all(self._is_done_in(side, one) for one in self._strands_of(side, strand))

    def all_done(self, strand: str | None = None) -> bool:
        """Whether every side is done, so that a strand may close before its deadline, or all may."""
        strands = self.strands() if strand is None else (strand,)
        return bool(self._open_asks) and all(
            self._is_done_in(label.key, one) for one in strands for label in self.sides
        )

    def _strands_of(self, side: Side, strand: str | None) -> tuple[str, ...]:
        return tuple(dict.fromkeys(ask.strand for ask in self.asks_for(side))) if strand is None else (strand,)

    def _is_done_in(self, side: Side, strand: str) -> bool:
        return all(self._is_done_with(side, one) for one in self._in(strand) if side in one.ask.parties)

    def is_done_with(self, side: Side, ask_id: str) -> bool:
        """Whether nothing more is expected of ``side`` for this ask before it closes.

        A shared ask is done when all forces agree. Any other is done with a side that is ready or out of play, or whose
        force has an answer from a partner who is ready. So an ask of one force waits until all of its sides are ready,
        or the one that answered last is; that answer takes back nobody's word but the sender's own.
        """
        return self._is_done_with(side, self._mine(side, ask_id))

    def _is_done_with(self, side: Side, one: OpenAsk) -> bool:
        if not one.is_awaited_of(side):
            return True
        if one.ask.is_shared:
            return one.agreement().settled is not None
        ready = self._ready.get(one.ask.strand, set[Side]())
        return side in ready or one.sender_of(side) in ready or self.is_out(side)

    def _of_play(self) -> list[OpenAsk]:
        """What play itself asks, without what is asked of battles that are tracked beside it."""
        return [one for one in self._open_asks.values() if not one.ask.beside]

    def _in(self, strand: str) -> list[OpenAsk]:
        return [one for one in self._open_asks.values() if one.ask.strand == strand]

    def agreement(self, ask_id: str) -> Agreement[Any]:
        """How all forces' accounts of a shared ask compare; unsettled and without differences while one is missing."""
        return self._open_asks[ask_id].agreement()

    def compared(self, ask_id: str) -> Agreement[Any]:
        """How the accounts of a shared ask compare that were sent so far.

        Not for a side whose force has sent none: it could suit its own to them.
        """
        return self._open_asks[ask_id].compared()

    def compared_with(self, side: Side, ask_id: str, account: Any) -> Agreement[Any]:
        """How they would if the force of ``side``, which has sent an account, had sent this one instead."""
        one = self._mine(side, ask_id)
        return one.compared() if one.answer_of(side) is None else one.compared({one.ask.force_of(side)[0]: account})

    def stated_end(self, ask_id: str) -> tuple[Json, str]:
        """The account by which an open battle ends by rule if none is agreed on, and the same in a sentence.

        Raises:
            NotOpen: when it is not open.
            Refused: when its book states none that is legal.
        """
        open_ask = self._open_asks.get(ask_id)
        if open_ask is None:
            raise NotOpen
        return open_ask.stated_end(), ends_said(open_ask.ask)

    # --- how it could close -----------------------------------------------------------------------------------------

    def _mine(self, side: Side, ask_id: str) -> OpenAsk:
        open_ask = self._open_asks.get(ask_id)
        if open_ask is None or side not in open_ask.ask.parties:
            raise NotOpen
        return open_ask

    def _settled(self, strand: str, *, by_silence: bool) -> dict[str, Any]:
        """The answers with which a strand closes.

        A force that is silent at the deadline gets its default; on a shared ask its silence counts as agreement, as
        :meth:`OpenAsk.settled` says.
        """
        settled: dict[str, Any] = {}
        open_still: list[AnyAsk] = []
        for one in self._in(strand):
            ask_id = one.ask.id
            if one.ruling is not None:
                settled[ask_id] = one.ruling
            elif one.ask.is_shared:
                settled[ask_id] = one.settled(by_silence=by_silence)
            else:
                answer = one.answer_of(one.ask.parties[0])
                settled[ask_id] = one.ask.default if answer is None else answer
            if settled[ask_id] is None:
                open_still.append(one.ask)
        if open_still:
            raise NotSettled(open_still)
        return settled

    def _settlements(self, strand: str) -> dict[str, Settlement]:
        """How each shared ask of a strand is settled, for those that can close now."""
        return {one.ask.id: one.settlement() for one in self._in(strand) if one.ask.is_shared}


def ends_said(ask: AnyAsk) -> str:
    """How a battle ends by rule if no account of it is agreed on, as its parties read it."""
    return NOTHING_LOST if ask.ends is None else ask.ends.says


def only(strands: Sequence[str], named: str | None) -> str:
    """The strand that is meant, of those that are open; it need not be named while there is only one.

    Raises:
        NotOpen: when none is open, or not the one that is named.
        ValueError: when none is named and there are several.
    """
    if not strands or named not in (None, *strands):
        raise NotOpen
    if named is None and len(strands) > 1:
        raise ValueError("say which strand is meant: several are open")
    return strands[0] if named is None else named
