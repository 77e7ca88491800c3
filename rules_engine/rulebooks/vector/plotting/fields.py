"""The lines of a sheet: one for each own unit that is there."""

from collections.abc import Iterator

from rules_engine.core.basics.base import Side
from rules_engine.core.forms.forms import Absence, Field, Form, Line, number_field, text_field
from rules_engine.rulebooks.vector.ch2_energy.allocating import by_half_speed
from rules_engine.rulebooks.vector.ch3_acceleration.thrust import thrust_from, thrust_interval, thrust_price
from rules_engine.rulebooks.vector.ch4_turning.turns import turn_from, turn_interval
from rules_engine.rulebooks.vector.ch5_other.tractors import load_of
from rules_engine.rulebooks.vector.plotting.reading import example, said_in_order
from rules_engine.rulebooks.vector.plotting.strangers import why_no_line
from rules_engine.rulebooks.vector.records.objections import impulse_named
from rules_engine.rulebooks.vector.records.pieces import piece_ahead
from rules_engine.rulebooks.vector.records.plots import MOST_HET_ENERGY
from rules_engine.rulebooks.vector.records.sheets import LONGEST_PLOT
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tables.figures import FREE_TURNS_FROM, HET_ENERGY
from rules_engine.rulebooks.vector.typed.names import BattleNames

LONGEST_HINT = 100
"""Characters below a field's name that Discord shows."""
IN_ONE_ROW = 100
"""Characters of a text that is asked for in one row."""


_HET_ENERGY = f"For a high energy turn in Plot: het E on 9; {HET_ENERGY} where nothing is said"


def plot_form(known: Tactical, side: Side) -> Form:
    """A side's sheet for the piece ahead, of a battle as the side knows it."""
    own = [one for one in known.present() if one.side == side]
    names = BattleNames(known, side)
    return Form(
        lines=tuple(_line(known, one) for one in own),
        why_absent=lambda: [*_absent(known, side)],
        in_order=lambda unit, parts, stands: said_in_order(names, unit, parts, stands),
    )


def _line(known: Tactical, unit: VectorShip) -> Line:
    piece = piece_ahead(known)
    inside = f"impulses {piece[0]} to {piece[-1]}"
    thrust, turn = (_first_in(known, piece, clock) for clock in (thrust_from(unit), turn_from(unit)))
    price = thrust_price(reverse=False, load=load_of(known, unit))
    each = price.halves if by_half_speed(unit.figures) else price.warp_for(1)
    has = f"{points_of(unit)}, {each} a hex; once in {thrust_interval(unit.figures)}; flies {unit.vector.says}"
    swings = f"Faces {unit.facing}; once in {turn_interval(unit.figures)}"
    pushes = _as_said(known, piece, thrust_from(unit), f"6 on {thrust}")
    turns = _as_said(known, piece, turn_from(unit), f"right on {turn}")
    more = example(piece[0], min(piece[0] + 3, piece[-1]))
    fields = (
        _text("thrust", "Thrust", _fitting(f"{has}; {pushes}", inside), f"1 on {thrust}"),
        _text("turn", "Turn", f"{swings}; {turns}; {inside}; blank holds", f"left on {turn}"),
        text_field("plot", "Plot", LONGEST_PLOT, None, f"All else, or all of it: {more}")._replace(others=True),
        _text("report", "Report", "What happened to it: lost 6 warp; tractor R1 6 to 4; destroyed"),
    )
    energy = number_field("het_energy", "Energy for it", range(MOST_HET_ENERGY + 1), None, _HET_ENERGY, optional=True)
    asked = (*fields, energy) if unit.figures.size_class < FREE_TURNS_FROM else fields
    # who cannot move has nothing to thrust with
    asked = fields[2:] if unit.id in known.fixed else asked
    return Line(key=unit.id, label=f"{unit.id} {unit.name} at {unit.at}", fields=asked, note=_note(known, unit))


def _text(key: str, label: str, hint: str, words: str = "") -> Field:
    return text_field(key, label, IN_ONE_ROW, None, hint)._replace(example=words)


def _fitting(hint: str, inside: str) -> str:
    """A field's hint with the impulses that may be named; without them where there is no room: the next field has
    them, too."""
    whole = f"{hint}; {inside}"
    return whole if len(whole) <= LONGEST_HINT else hint


def _first_in(known: Tactical, piece: range, clock: int) -> int:
    """The first impulse of a piece that is not before an impulse counted from the battle's beginning; its last if all
    are."""
    return next((one for one in piece if known.clock_of(one) >= clock), piece[-1])


def _as_said(known: Tactical, piece: range, clock: int, words: str) -> str:
    """How a field is filled in, and from when on where that is not at once."""
    if clock > known.clock_of(piece[-1]):
        return f"not before {impulse_named(clock, known.turn)}"
    since = f"from {_first_in(known, piece, clock)} on, " if clock > known.clock_of(piece[0]) else ""
    return f"{since}as {words}"


def _note(known: Tactical, unit: VectorShip) -> str:
    """How a unit flies, what it has for movement, and what it must still wait for."""
    ahead = known.clock_of(piece_ahead(known)[0])
    said = [f"at {unit.at}, faces {unit.facing}, vector {unit.vector.says}, speed {unit.vector.speed}", points_of(unit)]
    if unit.id in known.fixed:
        return f"at {unit.at}, faces {unit.facing}, stays where it is"
    if unit.tumbling:
        said.append(f"tumbles until {impulse_named(unit.tumbles_until, known.turn)}")
        return "; ".join(said)
    waits = (("accelerates", thrust_from(unit)), ("turns", turn_from(unit)))
    said += [f"{what} from {impulse_named(clock, known.turn)} on" for what, clock in waits if clock > ahead]
    return "; ".join(said)


def points_of(unit: VectorShip) -> str:
    """What a unit has left for movement in this turn."""
    if unit.figures.rated_speed:
        return f"{unit.half_left} of half its rated speed left"
    said = f"{unit.warp_left}+{unit.impulse_left} points left"
    return f"{said}, {unit.reserve_left} in reserve" if unit.reserve_left else said


def _absent(known: Tactical, side: Side) -> Iterator[Absence]:
    """Why lines are not on the sheet that somebody may look for."""
    for key, unit in sorted(known.units.items()):
        why = why_no_line(known, side, key)
        if why is not None:
            yield Absence(key, f"{key} {unit.name}", why.problem, why.rule)
