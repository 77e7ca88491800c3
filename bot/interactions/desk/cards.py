"""The referee's desk as a card: what waits in six words, a strip of times, and what waits with its one action each.

A component's id is ``c|<campaign>|desk|<what>.<marks>``; marks say what was shown, and what is over explains itself.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from bot.cards.frames import REFEREE, FramePart, beside, fixed, framed, heading, picture, rows, rule, small, text
from bot.cards.menus import cut
from bot.cards.sentences import leading, sentence
from bot.cards.sheets import MOST_SHEETS, campaign_component
from bot.records.components import Block, ButtonSpec, ButtonStyle, Card, MenuSpec, OptionSpec
from bot.referee.desk import Desk, DeskBattle, DeskStrand, account_mark
from bot.referee.disputes import WaitingBattle
from rules_engine.core.basics.counted import counted

TIMES = "times.png"
MOST_ROWS = 3
MOST_SAID = 90
MOST_NAMED = 45
"""Letters of a row's first line."""
SOON = timedelta(hours=18)
"""A clock without a day is enough for what is nearer."""
HOURS = 12
"""By how many hours the button moves a deadline."""
CHANGED = "Nothing was done: this has changed since you looked. Here it is as it stands now."
_FEW = ("no", "one", "two", "three", "four", "five", "six", "seven")


def desk_card(desk: Desk, note: str = "") -> Card:
    """The desk; ``note`` is what came of the last press."""
    waits = list(_waiting(desk))
    shown = waits[:MOST_ROWS]
    more = len(waits) - len(shown)
    blocks: list[FramePart] = [
        fixed(heading(f"{_short(desk.when)}: {_in_words(desk)}" if desk.when else _in_words(desk).capitalize())),
        fixed(text("\n".join(filter(None, (note, _sentence(desk, waits, more)))))),
        *([fixed(picture(TIMES, ""))] if desk.times.rows else []),
        fixed(rule()),
        *(fixed(block, rule()) for block in shown),
        fixed(*rows(*_buttons(desk))),
        fixed(small([f"{desk.campaign.title} · Only you see this. No side learns who is late or what waits."])),
    ]
    return Card(f"**{desk.campaign.title}** · {_in_words(desk)}", (), framed(blocks, REFEREE))


def _short(title: str) -> str:
    """The first words of a title, without what it says more exactly."""
    return cut(title.split(", ", 1)[0].split(" (", 1)[0], 24)


def _moment(desk: Desk, moment: datetime, far: str = "f") -> str:
    """A moment as its reader's clock has it; in the style ``far`` where that is not today or tonight."""
    return f"<t:{int(moment.timestamp())}:{'t' if moment - desk.now < SOON else far}>"


def desk_id(desk: Desk, what: str) -> str:
    """The id of a component."""
    return campaign_component(desk.campaign.id, "desk", what)


def _in_words(desk: Desk) -> str:
    """What waits, in a few words."""
    late = sum(len(one.late) for one in desk.strands if one.deadline.reminded)
    awaited = sum(len(one.late) for one in desk.strands) - late
    disputes = sum(one.differs for one in desk.battles)
    said = [
        "paused" if desk.is_paused else "",
        f"{_few(late)} late" if late else "",
        f"{_few(awaited)} not ready" if awaited else "",
        counted(disputes, "dispute") if disputes > 1 else "one dispute" if disputes else "",
    ]
    told = ", ".join(filter(None, said))
    if told:
        return told
    battles = len(desk.battles)
    if battles:
        return f"{counted(battles, 'battle')} being played"
    return "all ready" if desk.strands else "nothing is open"


def _few(number: int) -> str:
    return _FEW[number] if number < len(_FEW) else str(number)


def _sentence(desk: Desk, waits: Sequence[Block], more: int) -> str:
    """Whether anything else waits, and when it closes."""
    rest = f"{counted(more, 'thing')} more wait: `/referee late` lists them." if more else "Nothing else waits for you."
    if desk.is_paused:
        left = [one.deadline.left for one in (*desk.strands, *desk.battles) if one.deadline.left is not None]
        hours = f" with {min(left).total_seconds() / 3600:.0f} hours left" if left else ""
        return f"The clock stands still{hours}. {rest}"
    if desk.closes is None:
        return "Play goes on by itself." if not waits else rest
    return f"{rest} Next deadline {_moment(desk, desk.closes)}, <t:{int(desk.closes.timestamp())}:R>."


def _waiting(desk: Desk) -> Iterator[Block]:
    """What waits, each with its one action: who is late, what is in dispute, what closes."""
    for strand in desk.strands:
        if strand.late:
            yield _late(desk, strand)
    for battle in desk.battles:
        if battle.differs:
            yield _dispute(desk, battle)
    if desk.strands and not desk.is_paused:
        first = min(desk.strands, key=lambda one: (one.deadline.falls_at is None, one.deadline.falls_at))
        yield _closing(desk, first)


def _late(desk: Desk, strand: DeskStrand) -> Block:
    what = "late" if strand.deadline.reminded else "not ready"
    names = ", ".join(side.label.name for side in strand.late)
    if len(f"{names} {what}") > MOST_NAMED:
        names = f"{_few(len(strand.late)).capitalize()} sides"
    missing = strand.late[0].missing if len({side.missing for side in strand.late}) == 1 else "not all is saved"
    reminded = "Reminded." if strand.deadline.reminded else "Not reminded yet."
    button = _button(desk_id(desk, f"more.{strand.mark}"), f"+{HOURS} h", off=desk.is_paused)
    said = f"{leading(_short(strand.title), missing)}. {reminded}"
    return beside(cut(f"{names} {what}", MOST_NAMED), cut(said, MOST_SAID), button)


def _dispute(desk: Desk, battle: DeskBattle) -> Block:
    first = battle.differences[0]
    rest = len(battle.differences) - 1
    said = f"{first}. {f'{rest} more differ.' if rest else 'All else agrees.'}"
    button = _button(desk_id(desk, f"decide.{battle.mark}"), "Decide", "primary")
    return beside(cut(battle.title, MOST_NAMED), cut(said, MOST_SAID), button)


def _closing(desk: Desk, strand: DeskStrand) -> Block:
    falls = strand.deadline.falls_at
    moment = "" if falls is None else f" closes {_moment(desk, falls, 'R')}"
    default = f"If nothing is sent: {sentence(strand.default)}" if strand.default else "What was saved counts."
    button = _button(desk_id(desk, "close"), "Close now", "danger")
    return beside(f"{_short(strand.title)}{moment}", cut(default, MOST_SAID), button)


def _buttons(desk: Desk) -> list[ButtonSpec]:
    clock = ("resume", "Go on") if desk.is_paused else ("pause", "Pause")
    return [
        _button(desk_id(desk, clock[0]), clock[1]),
        _button(desk_id(desk, "sides"), "See as a side"),
        _button(desk_id(desk, "log"), "Log"),
    ]


def _button(made_id: str, label: str, style: ButtonStyle = "secondary", *, off: bool = False) -> ButtonSpec:
    return {"type": "button", "id": made_id, "label": label, "style": style, "disabled": off}


# --- what lies behind its buttons -------------------------------------------------------------------------------------


def sides_card(desk: Desk) -> Card:
    """The question as which side the referee wants to see the campaign."""
    options: list[OptionSpec] = [
        {"value": key, "label": cut(name, 100), "description": "", "default": False}
        for key, name in list(desk.campaign.side_names.items())[:MOST_SHEETS]
    ]
    menu: MenuSpec = {
        "type": "select",
        "id": desk_id(desk, "side"),
        "placeholder": "As which side?",
        "options": options,
        "min": 1,
        "max": 1,
    }
    return Card("You see what that side sees, and it does not learn of it.", ((menu,),))


def decide_card(campaign_id: str, mark: str, battle: WaitingBattle) -> Card:
    """A battle in dispute, with a button for each account that may stand."""
    buttons = [
        _button(
            campaign_component(campaign_id, "desk", f"rule.{mark}.{number}.{account_mark(one.lines)}"),
            cut(f"{one.sender}’s account stands …", 80),
            "primary",
        )
        for number, one in enumerate(battle.accounts)
        if one.lines is not None
    ]
    return Card(battle.summary(typed=not buttons), (tuple(buttons[:5]),) if buttons else ())
