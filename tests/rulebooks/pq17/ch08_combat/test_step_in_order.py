"""The combat step as a whole, in the order of the sequence of play, with several attacks and several battles in it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules_engine.core.basics.dice import Die
from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.battles import account, attacks, detected
from tests.rulebooks.pq17.worlds.notation import LoadedDice, run, situation, table, world

NOW = "\nturn 2 impulse 1 half A initiative alliance"
BOTH = ("alliance", "coalition")
SURE: dict[str, int] = {"local conditions": 5, "main roll": 1, "surprise": 1}
"""Good conditions; every attempt succeeds unless a test loads its roll; nobody is surprised."""


class WatchedDice(LoadedDice):
    """Loaded dice that call ``seen`` with the label, without the turn, before each roll."""

    def __init__(self, by_label: Mapping[str, int], seen: Callable[[str], None]) -> None:
        super().__init__((), by_label)
        self.seen = seen

    def draw(self, label: str, ordinal: int, die: Die, count: int) -> tuple[int, ...]:
        """The loaded dice; lots, which decide the order of what is alike, are not reported."""
        if "/lot/" not in label:
            self.seen(label.removeprefix("T1/"))
        return super().draw(label, ordinal, die, count)


class Play:
    """A combat step played through. ``diary`` has all asks (``attack alliance (A1, A2)``) and rolls in order, and
    before each what has changed and been told until then."""

    def __init__(
        self, text: str, *sheets: Mapping[str, Sequence[Any]], rolls: Mapping[str, int], phasing: str = "alliance"
    ) -> None:
        self.diary: list[str] = []
        self.left = {key: list(answers) for some in sheets for key, answers in some.items()}
        self.at: turn_context.TurnContext[State] = detected(table(world(text + NOW, flag_empires=("Kzinti",))))
        self.at.shared.dice = WatchedDice(dict(rolls) | SURE, self._happens)
        self.known, self.told = self._facts(), 0
        run(combat_steps(self.at, phasing), self._answer)
        self._happens("over")
        assert not any(self.left.values())

    def _facts(self) -> list[str]:
        battles = (
            f"battle {one.key or '-'} of {'+'.join(one.attackers)} on {'+'.join(one.original)}"
            + "".join(f", {joiner} on {target}" for joiner, target in one.joiners.items())
            for one in self.at.state.battles
        )
        return [*situation(self.at.state).split(" / "), *battles]

    def _happens(self, event: str) -> None:
        """What was told is written down as well, but for reports of contacts: levels stand with the forces."""
        facts, reports = self._facts(), self.at.shared.reports
        changed = [fact for fact in facts if fact not in self.known]
        still = {fact.partition(" ")[0] for fact in facts}
        self.diary += [f"- gone: {fact}" for fact in self.known if fact.partition(" ")[0] not in still]
        self.diary += [f"- now: {fact}" for fact in changed]
        told = [one for one in reports[self.told :] if one.kind != "contact"]
        self.diary += [f"- {'all' if one.is_public() else ' and '.join(one.to)}: {one.text}" for one in told]
        self.known, self.told = facts, len(reports)
        self.diary.append(event)

    def _answer(self, ask: asks.AnyAsk) -> Any:
        where = ask.id.removeprefix("T1/").removesuffix(f"{ask.kind}/{'+'.join(ask.parties)}").rstrip("/")
        who = "both" if ask.parties == BOTH else ask.parties[0]
        event = f"{ask.kind} {who} {where}".rstrip()
        self._happens(f"{event} ({', '.join(line.key for line in ask.form.lines)})")
        given = self.left.get(event) or self.left.get(f"{ask.kind} {who}")
        if given:
            return given.pop(0)
        return _all_defenders_lost(ask) if ask.kind == "battle" else None


def _all_defenders_lost(ask: asks.AnyAsk) -> dict[str, Any]:
    sheet = ask.form.prefilled()
    for name, line in sheet.items():
        if name.startswith("DF"):
            line["fate"] = "destroyed"
    return sheet


ALL_LEFT = account("alliance", 2, AT1="ok", AT2="ok", AT3="ok", DF1=2, DF2=2, DF3=2)
ONE_LEFT = account("alliance", 2, AT1="ok", DF1=2)


@cases("case, proves, forces, phasing, orders, rolls, others", "", made="others")
def test_a_combat_step_as_it_happens(
    *, forces: str, phasing: str, orders: str, rolls: dict[str, int], others: dict[str, list[Any]], kept: Kept
) -> None:
    """``orders`` are attacks, ``others`` sheets by ask and place. Nobody is asked for an order of hexes (SOP-2)."""
    play = Play(forces, attacks(orders), others, rolls=rolls, phasing=phasing)
    assert play.diary == kept()
    assert play.at.state.battles == []
