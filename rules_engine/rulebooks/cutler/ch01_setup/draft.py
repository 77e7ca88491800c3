"""Who plays which race, and which empire of the map is whose. 1.1.1, 1.1.2.2"""

from collections.abc import Sequence

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Side, SideLabel
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.records.contest import roll_order
from rules_engine.rulebooks.cutler.records.orders import PartialLine
from rules_engine.rulebooks.cutler.records.setup import RaceOffer, Setup
from rules_engine.rulebooks.cutler.records.state import CutlerTurn

WISHES = ("first", "second", "third")
NO = "no"


class WishLine(PartialLine):
    """The races that a seat would like to play, best first."""

    first: str | None = Bounded(default=None, max_length=40)
    second: str | None = Bounded(default=None, max_length=40)
    third: str | None = Bounded(default=None, max_length=40)


class WishSheet(RootModel[dict[str, WishLine]]):
    """A seat's wishes."""

    @property
    def wishes(self) -> list[str]:
        """The names of races, best first."""
        line = self.root.get("race", WishLine())
        return [name for name in (line.first, line.second, line.third) if name]


class EmpireLine(PartialLine):
    """An empire by its number, or ``no``."""

    empire: str | None = None


class EmpireSheet(RootModel[dict[str, EmpireLine]]):
    """Which empire a player takes."""

    @property
    def place(self) -> int | None:
        """Its place among the empires; None for none."""
        said = self.root.get("empire", EmpireLine()).empire
        return int(said) - 1 if said and said != NO else None


# --- races -----------------------------------------------------------------------------------------------------------


@rule("1.1.1", "1.1.1.1", "1.1.1.2")
def races_steps(turn: CutlerTurn, setup: Setup) -> Steps[None]:
    """Two dice each for the order of players, then a race for each in that order, by wishes handed in before.

    1.1.1, CU-R01, CU-N16
    """
    state = turn.state
    offers = setup.rules.races
    asked = turn.sides
    sheets = yield from turn.ask_all_steps([_wish_ask(offers, side) for side in asked])
    wishes = {side: sheet.wishes for side, sheet in zip(asked, sheets, strict=True)}
    setup.order, rolls = roll_order(turn, asked, "player order", count=2)
    totals = {side: roll.total for side, roll in zip(asked, rolls, strict=False)}
    free = list(offers)
    for number, side in enumerate(setup.order, 1):
        seat = state.name_of(side)
        race = _chosen(free, wishes[side])
        free.remove(race)
        state.sides = tuple(
            SideLabel(key=side, name=race.name, emblem=race.emblem) if label.key == side else label
            for label in state.sides
        )
        text = f"{seat} rolled {totals[side]}, is player {number} and plays the {race.name}."
        turn.tell_all(text, kind="setup", why=because("1.1.1, CU-R01, CU-N16", dice=rolls if number == 1 else ()))


def _chosen(free: Sequence[RaceOffer], wishes: Sequence[str]) -> RaceOffer:
    """The best wish that is free, else the first free race that is recommended."""
    by_name = {race.name: race for race in free}
    wished = [by_name[name] for name in wishes if name in by_name]
    usual = sorted(free, key=lambda race: not race.recommended)
    return (wished or usual)[0]


def _wish_ask(offers: Sequence[RaceOffer], side: Side) -> Ask[WishSheet]:
    choices = tuple(
        Choice(race.name, race.name, "" if race.recommended else "not recommended (1.1.1.2)") for race in offers
    )
    fields = tuple(Field(key, f"{key.capitalize()} choice", "one", choices, optional=True) for key in WISHES)
    return Ask(
        kind="race",
        parties=(side,),
        title="Set-up: your race",
        text="Two dice decide who chooses first. Say which races you would like, best first; each is played once.",
        question=Question("Which race will you play?", "Two dice decide who chooses first; each race is played once."),
        model=WishSheet,
        form=Form((Line("race", "Race", fields),)),
        rule="1.1.1, CU-N16",
        default=WishSheet({}),
        default_says="You take the first race of the list that is left.",
        check=lambda sheet: _judge_wishes(offers, sheet),
        read_back=lambda sheet: [f"You would like: {', '.join(sheet.wishes) or 'whatever is left'}."],
        warn=lambda sheet: _warn_of_wishes(offers, sheet),
        pace="decision",
    )


def _judge_wishes(offers: Sequence[RaceOffer], sheet: WishSheet) -> list[Refusal]:
    names = [race.name for race in offers]
    refusals = [malformed("there is no such line", key, legal="race") for key in sheet.root if key != "race"]
    refusals += [
        malformed(f"no race {name!r} is offered", "race", legal=", ".join(names))
        for name in sheet.wishes
        if name not in names
    ]
    if len(set(sheet.wishes)) < len(sheet.wishes):
        refusals.append(illegal("each race is wished for once", "1.1.1, CU-R01", "race", legal="different races"))
    return refusals


@rule("1.1.1.2")
def _warn_of_wishes(offers: Sequence[RaceOffer], sheet: WishSheet) -> list[str]:
    """Races that the book advises against: a warning, no ban. 1.1.1.2, CU-R01"""
    poor = {race.name for race in offers if not race.recommended}
    return [f"The {name} is not recommended as a player's race (1.1.1.2)." for name in sheet.wishes if name in poor]


# --- empires ---------------------------------------------------------------------------------------------------------


@rule("1.1.2.2")
def empires_steps(turn: CutlerTurn, setup: Setup) -> Steps[None]:
    """Each player in order takes an empire. Before a choice counts, the last player of those who have none yet may
    intercede; once that is used, the right passes to the one before. Nothing that was taken is undone.

    1.1.2.2, CU-R03, CU-N17
    """
    for number, side in enumerate(setup.order, 1):
        tries = 0
        while side not in setup.chosen:
            if len(setup.free) == 1:
                _take(turn, setup, side, setup.free[0], "is left with")
                break
            tries += 1
            late = [one for one in setup.order if one not in setup.chosen][-1]
            asks = [_empire_ask(turn, setup, side, number)]
            asks += [_intercede_ask(turn, setup, late, side)] if late != side else []
            sheets = yield from turn.at(f"pick {number}.{tries}").ask_all_steps(asks)
            before = sheets[1].place if len(sheets) > 1 else None
            if before is not None:
                _take(turn, setup, late, before, "intercedes and takes")
                continue
            place = sheets[0].place
            assert place is not None
            _take(turn, setup, side, place, "takes")


def _take(turn: CutlerTurn, setup: Setup, side: Side, place: int, does: str) -> None:
    setup.chosen[side] = place
    turn.state.territory |= dict.fromkeys(setup.empires[place], side)
    text = f"The {turn.name_of(side)} {does} empire {place + 1}."
    turn.tell_all(text, kind="setup", why=because("1.1.2.2, CU-R03"))


def _choices(setup: Setup) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            str(place + 1), f"Empire {place + 1}", f"{len(setup.empires[place])} hexes about {setup.middle_of(place)}"
        )
        for place in setup.free
    )


def _empire_ask(turn: CutlerTurn, setup: Setup, side: Side, number: int) -> Ask[EmpireSheet]:
    field = Field("empire", "Empire", "one", _choices(setup), value=str(setup.free[0] + 1))
    return Ask(
        kind="empire",
        parties=(side,),
        title=f"Set-up: empire of player {number}",
        text="Choose your empire. Who is asked to intercede at the same time may take one before you; then you choose "
        "again.",
        question=Question("Choose your empire", "Who may intercede may take one before you."),
        model=EmpireSheet,
        form=Form((Line("empire", "Your empire", (field,)),)),
        rule="1.1.2.2, CU-R03",
        default=EmpireSheet({"empire": EmpireLine(empire=str(setup.free[0] + 1))}),
        default_says=f"You take empire {setup.free[0] + 1}.",
        check=lambda sheet: _judge_empire(setup, sheet, may_decline=False),
        read_back=lambda sheet: [f"You take empire {(sheet.place or 0) + 1}."],
        pace="decision",
    )


def _intercede_ask(turn: CutlerTurn, setup: Setup, late: Side, side: Side) -> Ask[EmpireSheet]:
    choices = (Choice(NO, "Wait"), *_choices(setup))
    field = Field("empire", "Intercede", "one", choices, value=NO)
    return Ask(
        kind="intercede",
        parties=(late,),
        title=f"Set-up: before the {turn.name_of(side)} chooses",
        text=f"You may intercede now and take an empire before the {turn.name_of(side)}'s choice counts, or wait.",
        question=Question("Intercede now?", f"You may take an empire before the {turn.name_of(side)}, or wait."),
        model=EmpireSheet,
        form=Form((Line("empire", "Your empire", (field,)),)),
        rule="1.1.2.2, CU-R03",
        default=EmpireSheet({"empire": EmpireLine(empire=NO)}),
        default_says="You wait.",
        check=lambda sheet: _judge_empire(setup, sheet, may_decline=True),
        read_back=lambda sheet: ["You wait." if sheet.place is None else f"You take empire {sheet.place + 1} now."],
        pace="decision",
    )


def _judge_empire(setup: Setup, sheet: EmpireSheet, *, may_decline: bool) -> list[Refusal]:
    said = sheet.root.get("empire", EmpireLine()).empire
    legal = [str(place + 1) for place in setup.free] + ([NO] if may_decline else [])
    refusals = [malformed("there is no such line", key, legal="empire") for key in sheet.root if key != "empire"]
    if said not in legal and not (may_decline and said is None):
        refusals.append(illegal("that is no empire that is left", "1.1.2.2", "empire.empire", legal=", ".join(legal)))
    return refusals
