"""What was told, as cards: buttons below a bulletin, pages of reports with a *Why?* at each, and the why itself.

A component's id is ``b|<token>|<verb>|<argument>`` below a bulletin, and ``c|<campaign>|<verb>|<argument>`` in the log
of a whole campaign. Neither says anything of what it leads to.
"""

from collections.abc import Callable, Iterable, Sequence

from bot.errors import shortened
from bot.records.components import ButtonSpec, ButtonStyle, Card, Component
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.dice import Roll
from rules_engine.core.knowledge.reports import Report, Why

PINS = "❶❷❸"
"""The numbers of places, as on the pins of maps."""

A_PAGE = 9
"""Reports on a page: three rows of buttons."""
A_ROW = 3
"""Buttons that stand side by side on a phone."""
MOST_FULL = 1_200
"""Characters of the reports on a page that are all told in full; of more each is told in a line."""
MOST_LINE = 180
"""Characters of a report on a page; all of it stands in its *Why?*."""

Ids = Callable[[str, object], str]
"""Gives the id of a component from its verb and its argument."""


def bulletin_ids(token: str) -> Ids:
    """The ids of a bulletin's components."""
    return lambda verb, argument: f"b|{token}|{verb}|{argument}"


def button(made_id: str, label: str, *, style: ButtonStyle = "secondary", is_disabled: bool = False) -> ButtonSpec:
    """A button."""
    return {"type": "button", "id": made_id, "label": label, "style": style, "disabled": is_disabled}


def bulletin_rows(token: str, explained: Iterable[int], told: int) -> tuple[tuple[Component, ...], ...]:
    """The buttons below a bulletin: a *Why?* for each of these places, and its log if anything was told."""
    ids = bulletin_ids(token)
    row = [button(ids("fact", place), f"{PINS[place]} Why?") for place in explained]
    if told:
        row.append(button(ids("log", 0), f"Log: {counted(told, 'report')}"))
    return (tuple(row),) if row else ()


def told_rows(token: str, reports: Sequence[Report]) -> tuple[tuple[Component, ...], ...]:
    """The button below reports that stand in full: their why, page by page if there are several."""
    if all(report.why is None for report in reports):
        return ()
    ids = bulletin_ids(token)
    made = button(ids("why", 0), "Why?") if len(reports) == 1 else button(ids("log", 0), "Why?")
    return ((made,),)


def told_page(reports: Sequence[Report], page: int, ids: Ids) -> Card:
    """A page of all these reports; the last one for a number beyond it."""
    page = max(0, min(page, page_count(len(reports)) - 1))
    return page_card(reports[page * A_PAGE : (page + 1) * A_PAGE], page, len(reports), ids)


def page_card(shown: Sequence[Report], page: int, told: int, ids: Ids) -> Card:
    """A page of reports, of which ``told`` were told in all, each with its number and, where there is more to tell, a
    *Why?*; and buttons to turn it."""
    pages = page_count(told)
    first = page * A_PAGE
    texts = [report.text for report in shown]
    if sum(map(len, texts)) > MOST_FULL:
        texts = [one_line(text) for text in texts]
    lines: list[str] = []
    label = ""
    for number, (report, text) in enumerate(zip(shown, texts, strict=True), start=first + 1):
        if report.when.label != label:
            label = report.when.label
            lines.append(f"__{label}__")
        lines.append(f"{number}. {text}")
    if pages > 1:
        lines.append(f"-# page {page + 1} of {pages}")
    whys = [
        button(ids("why", number), f"{number + 1} Why?")
        for number, (report, text) in enumerate(zip(shown, texts, strict=True), start=first)
        if report.why is not None or text != report.text
    ]
    rows: list[tuple[Component, ...]] = [tuple(whys[at : at + A_ROW]) for at in range(0, len(whys), A_ROW)]
    turns: list[Component] = []
    if pages > 1:
        turns.append(button(ids("log", page - 1), "Older", is_disabled=page == 0))
        turns.append(button(ids("log", page + 1), "Newer", is_disabled=page == pages - 1))
    if whys or turns:
        rows.append((*turns, button(ids("file", "all"), "As a file")))
    return Card("\n".join(lines), tuple(rows))


def page_count(told: int) -> int:
    """How many pages so many reports take, at least one."""
    return max(1, -(-told // A_PAGE))


def one_line(text: str, most: int = MOST_LINE) -> str:
    """A report in a line of about so many characters; whoever wants all of it asks why."""
    first, _, rest = text.partition("\n")
    cut = shortened(first, most)
    return f"{cut.rstrip(':')} …" if rest and not cut.endswith("…") else cut


def why_text(reports: Sequence[Report]) -> str:
    """All of some reports: what was told, what went in, the dice, and the rule."""
    return "\n\n".join(_explained(one) for one in reports)


def told_file(reports: Sequence[Report]) -> str:
    """All of them for a text file."""
    told = "\n\n".join(_explained(one, plain=True) for one in reports)
    return f"{told}\n"


def _explained(report: Report, *, plain: bool = False) -> str:
    label = report.when.label if plain or not report.when.label else f"**{report.when.label}**"
    return "\n".join(filter(None, [label, report.text, *_why_lines(report.why)]))


def _why_lines(why: Why | None) -> list[str]:
    if why is None:
        return []
    went_in = [f"• {name} {value}".rstrip() for name, value in why.inputs]
    dice = [f"• Dice: {roll.purpose}, {_faces(roll)}" for roll in why.dice]
    return [*went_in, *dice, f"• Rule: {why.rule}"]


def _faces(roll: Roll) -> str:
    faces = f"{len(roll.dice)}D{roll.faces}: {'+'.join(map(str, roll.dice))}"
    return f"{faces} = {roll.total}" if len(roll.dice) > 1 else faces
