"""What is numbered on a map: battles, losses and raids, and what the counters tell by themselves.

Of the other side nothing is read but what the reader was told: its contact numbers, and public victory points.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from rules_engine.core.basics.base import HexId, Side, When
from rules_engine.core.basics.counted import counted, verb
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.glance import News
from rules_engine.core.knowledge.noticed import Looked, noticed
from rules_engine.core.knowledge.numbered import Happening, Rank, listed, numbered_places
from rules_engine.core.knowledge.views import Counter, HexNote, Knowledge, track_order
from rules_engine.rulebooks.pq17.contacts.identification import held_track
from rules_engine.rulebooks.pq17.contacts.settled_hexes import may_raid
from rules_engine.rulebooks.pq17.nations.victory_points import lines_for, place_of, sign_for
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.state import State, VpLine
from rules_engine.rulebooks.pq17.shown.map_header import in_figures

OPEN, LOST, WON, FOUGHT = 4_000, 3_000, 2_000, 1_000
"""How heavy an open battle, own losses, the other side's, and a battle that is over are."""


def news_since(state: State) -> When:
    """The beginning of the turn of which the news are told: in planning that of the turn before."""
    return When(turn=state.turn if state.impulse else state.turn - 1, step=1)


def map_news(
    state: State,
    side: Side | None,
    *,
    counters: Sequence[Counter],
    notes: Sequence[HexNote],
    knowledge: Knowledge | None = None,
    everything: bool = False,
) -> tuple[News, ...]:
    """The numbered places of a side's map; None for a map of nobody in particular, which shows what is public, or
    ``everything``."""
    looked = Looked(
        reader=side or "",
        places=state.grid,
        counters=counters,
        notes=notes,
        since=news_since(state),
        owners={label.key: label.name for label in state.sides},
        knowledge=knowledge or Knowledge(),
        may="search, attack or slip away" if side is not None else "",
    )
    happenings = [*_losses(state, side), *noticed(looked)]
    if side is not None or everything:
        happenings += [_battle(state, battle, side) for battle in state.battles]
    if side is not None:
        happenings += _raids(state, side)
        happenings += _fought(state, side, {one.hex for one in happenings if one.rank is Rank.BATTLE})
    names = {note.hex: note.name for note in notes if note.name}
    return numbered_places(happenings, state.grid, names)


@rule("8.4.6", "8.5.1")
def _battle(state: State, battle: Battle, side: Side | None) -> Happening:
    """A battle of this combat step; both sides know who is in it, each by its own numbers. PQ-17 8.4.6, 8.5.1."""
    forces = [state.task_forces[key] for key in battle.all_forces() if key in state.task_forces]
    if side is None:
        sides = [state.sides[0].key, state.sides[1].key]
        ours, theirs = ([tf.id for tf in forces if tf.side == one] for one in sides)
    else:
        ours = [tf.id for tf in forces if tf.side == side]
        held = [held_track(state, side, tf) or "a force" for tf in forces if tf.side != side]
        theirs = sorted(held, key=track_order)  # their owner's order tells how it numbers them
    pairs = [f"{listed(ours)} in battle with {listed(theirs)}"] if ours and theirs else []
    return Happening(
        Rank.BATTLE,
        battle.hex,
        [*pairs, *([f"battle with {counted(len(theirs), 'force')}"] if theirs else []), "battle"],
        weight=FOUGHT if battle.winner else OPEN,
        aside="thread is closed" if battle.winner else "thread is open",
        choice=[] if battle.winner or side is None else ["Fight it out, then enter the result"],
    )


@rule("2.1", "T5.1", "T5.2", "T5.3", "T5.4", "T5.6")
def _losses(state: State, side: Side | None) -> Iterator[Happening]:
    """Losses and raids for which points were scored, as far as the reader may know of them, by hex. PQ-17 2.1, T5.1 to
    T5.4, T5.6."""
    turn = news_since(state).turn
    found: dict[HexId, list[VpLine]] = {}
    for line in lines_for(state, side):
        hex_id = place_of(line) if line.turn == turn else ""
        if hex_id in state.grid:
            found.setdefault(hex_id, []).append(line)
    sign = 1 if side is None else sign_for(side)
    for hex_id, lines in found.items():
        points = [sign * line.amount for line in lines]
        lost, won = sum(amount < 0 for amount in points), sum(amount > 0 for amount in points)
        yield Happening(
            Rank.BATTLE,
            hex_id,
            _say_losses(lines, lost, won, public=side is None),
            weight=(LOST if lost and side is not None else WON) + int(sum(map(abs, points))),
            aside=_say_points(sum(points, Fraction(0))),
        )


def _say_losses(lines: Sequence[VpLine], lost: int, won: int, *, public: bool) -> list[str]:
    """The losses in a hex in words: a single one as it was scored, several by their number."""
    if len(lines) == 1:
        text = lines[0].text.rstrip(".").rpartition(" in ")[0] or "raided"
        said = f"a{text[1:]}" if text.startswith(("A ", "An ")) else text
        return [said, "a ship lost or crippled"]
    if public:
        return [f"{counted(len(lines), 'ship')} lost or crippled"]
    parts = [f"{lost} of yours" if lost else "", f"{won} of theirs" if won else ""]
    whose = ", ".join(filter(None, parts))
    return [f"{whose} lost or crippled", f"{whose} hit", f"{len(lines)} hit"]


def _say_points(points: Fraction) -> str:
    return f"{in_figures(points)} VP" if points else ""


@rule("8.6.2.7")
def _raids(state: State, side: Side) -> Iterator[Happening]:
    """Raids of the turn: both sides know of them, as one raided the other. PQ-17 8.6.2.7."""
    turn = news_since(state).turn
    for hex_id in sorted(state.settled):
        settled = state.settled[hex_id]
        if settled.raided_on and settled.raided_on == turn:
            own = settled.side == side
            yield Happening(Rank.BATTLE, hex_id, ["your settled hex was raided" if own else "raided"], weight=FOUGHT)
    if may_raid(state, side):
        for hex_id, settled in sorted(state.settled.items()):
            raiders = [tf.id for tf in state.task_forces_in(hex_id, side) if not tf.is_base]
            if settled.side != side and raiders and settled.raided_on != state.turn:
                said = f"{listed(raiders)} can raid the settled hex"
                yield Happening(Rank.ELSE, hex_id, [said, "a raid is possible"], weight=FOUGHT)


@rule("8.5.1")
def _fought(state: State, side: Side, told: Iterable[HexId]) -> Iterator[Happening]:
    """Where own forces stand that were in a battle of the turn of which nothing else is told. PQ-17 8.5.1."""
    turn = news_since(state).turn
    for tf in state.all_task_forces(side):
        if turn and tf.hex not in told and any(unit.repairs.fought == turn for unit in state.units_of(tf)):
            name = tf.base.name if tf.base is not None else tf.id
            said = [f"{name} {verb(1, 'has', 'have')} been in battle", "a battle was fought"]
            yield Happening(Rank.BATTLE, tf.hex, said, weight=FOUGHT)
