"""All words of sheets and of the panels of battles, to compare them with expected ones."""

from rules_engine.core.protocol.asks import AnyAsk
from tests.rulebooks.cutler.worlds import Run


def head(ask: AnyAsk) -> list[str]:
    """What a sheet says above its lines, and how it reads if nobody answers."""
    said = [ask.title, ask.text, ask.default_says]
    return [one for one in said if one] + ([] if ask.default is None else ask.read_back(ask.default))


def heads(run: Run, side: str) -> list[str]:
    """The first sheet of each kind that a side was asked, a line each."""
    first = {ask.kind: ask for ask in reversed(run.asks) if side in ask.parties}
    kinds = dict.fromkeys(ask.kind for ask in run.asks if side in ask.parties)
    return [f"{kind}: {' | '.join(head(first[kind]))}" for kind in kinds]


def panels(ask: AnyAsk, side: str) -> list[str]:
    """What a side reads on the panels of a battle, without the lists of units and their engines."""
    assert ask.setup is not None
    found = [ask.setup.title]
    for one in (*ask.setup.panels, *ask.setup.secret.get(side, ())):
        if not one.title.endswith(("force", "engines")):
            found += [one.title, *(f"- {row}" for row in one.rows)]
    return found


def battles_of(run: Run) -> list[AnyAsk]:
    """The sheets of its battles, in their order."""
    return [ask for ask in run.asks if ask.kind == "battle"]
