"""Where a prompt stands, in words: what was saved, what was not accepted, what can be taken back, whose it is."""

from collections.abc import Iterable, Sequence

from bot.cards.forces import is_of_two_sides
from bot.cards.menus import cut
from bot.cards.prompts.state import PromptState
from bot.cards.sentences import sentence
from rules_engine.core.basics.counted import noun, verb
from rules_engine.core.protocol.asks import AnyAsk, Remembered

MOST_WRITTEN = 450
"""Characters that a card gives back of what was not accepted; a longer text goes along as a file."""
MOST_STEP = 120
"""Characters of a change that can be taken back."""
SHORT_READING = 6
"""Lines of orders that stay in their own order; of more, those that were changed come first."""
MOST_YOURS = 150
"""Characters of the ships that a card names as its reader's own."""


SET_ASIDE = "What is legal no longer was set aside, and **Write them** opens with it. Ready means what stands here now."
"""A note on a sheet of which something was left out."""


def what_stands(state: PromptState) -> str:
    """What has become of the sheet, beside something that was not accepted."""
    if state.rest_saved:
        return "; all other lines are saved"
    if state.answer is not None:
        return "; what was saved before still stands"
    return "" if state.stuck or state.note else "; nothing was changed"


def refusal(state: PromptState) -> list[str]:
    """What stands above the reasons why something was not accepted; nothing where it stays on the sheet as it is."""
    if is_account(state.ask):
        return ["__Still missing, or wrong__"] if state.stuck else [f"This does not count{what_stands(state)}."]
    stands = what_stands(state)
    return [f"This does not count{stands}."] if stands else []


def mending(state: PromptState) -> list[str]:
    """Where what was not accepted can be mended; with what somebody wrote just now, as far as it finds room."""
    if state.written:
        return given_back(state)
    return [_RETURNED] if state.has_returned and not state.note else []


def noted(state: PromptState) -> list[str]:
    """What must be known of what was done last."""
    return [f"⚠️ {state.note}"] if state.note else []


def given_back(state: PromptState) -> list[str]:
    """What somebody wrote that was not accepted, as far as it finds room, and where to mend it."""
    again = "Choose the line again" if state.written_in_form else "**Write them** again"
    return ["You wrote:", quoted(state.written, MOST_WRITTEN), f"{again}: it opens with this, to be mended."]


def quoted(text: str, most: int) -> str:
    """What somebody wrote, to be copied: in a block that it cannot leave, at most so many characters of it."""
    shown = text.strip().replace("`", "ˋ")
    return f"```\n{shown[:most]}{'…' if len(shown) > most else ''}\n```"


def unagreed(ask: AnyAsk) -> str:
    """What becomes of a battle whose deadline falls."""
    if not is_account(ask):
        return ""
    if is_of_two_sides(ask):
        return " If one side alone has sent its account by then, that one stands; if they differ, the clock runs on."
    return " Who has sent none by then agrees with the accounts that were sent; if these differ, the clock runs on."


def is_account(ask: AnyAsk) -> bool:
    """Whether this is an account that must agree with those of others."""
    return ask.pace == "battle" and ask.is_shared


def is_begun(state: PromptState) -> bool:
    """Whether something is filled into an account, so that it is not as it was at the beginning."""
    return state.account is not None and state.account.sheet != state.ask.form.prefilled()


def status(state: PromptState) -> str:
    """Where the sheet stands, in one line."""
    alone = f" Ready counts for {state.strand} alone." if state.strand and not is_account(state.ask) else ""
    returned = given_back_elsewhere(state)
    return f"{_standing(state)}{alone}{f' {returned}' if returned else ''}"


def given_back_elsewhere(state: PromptState) -> str:
    """That something was not accepted and is kept; empty where nothing is, or the card says it beside the reasons."""
    is_told = bool(state.problems or state.note)
    return f"✍️ What was not accepted does not count. {_RETURNED}" if state.has_returned and not is_told else ""


_RETURNED = "**Write them**, or the form of its line, opens with it."


def more_open(count: int, here: str = "") -> str:
    """How many sheets of a side's own are open beside one."""
    return f" {count} more {noun(count, 'sheet')} of yours {verb(count, 'is', 'are')} open{here}."


def _standing(state: PromptState) -> str:
    if state.stuck and not state.is_done:
        if is_account(state.ask):
            return "-# 🛑 Not sent: the sheet is not whole yet, or wrong. Fill in what is missing, mend what is wrong."
        return "-# 🛑 Not ready: what stands on the sheet is not legal as it is. What you do not mend is set aside."
    if state.unsent is not None:
        return "-# **Send this account** sends it to be compared with the others'."
    if state.answer is not None and is_account(state.ask):
        sent = _accepted("Sent", state)
        then = (
            "Change yours and send it again, take theirs as it stands, or wait until they change it."
            if state.differences
            else "It is compared as soon as the others have sent theirs."
        )
        return f"-# {sent} {then}"
    if state.answer is None and state.is_done:
        default = f" It counts as: {sentence(state.ask.default_says)}" if state.ask.default_says else ""
        return f"-# ✅ You are ready with nothing sent.{default} You may still change your mind until this closes."
    if state.answer is None:
        return "-# Filled in in part, and not sent yet." if is_begun(state) else "-# Nothing saved yet."
    saved = _accepted("Saved", state)
    if state.is_done:
        return f"-# {saved} ✅ You are ready; you may still change your mind until this closes."
    if state.sender_ready:
        return f"-# {saved} ✅ {state.sent_by} is ready with it; nothing more is awaited of you here."
    here = " here" if state.strand else ""
    more = more_open(state.others_open, here) if state.others_open else ""
    return f"-# {saved} Not marked ready.{more}"


def steps(state: PromptState) -> list[str]:
    """What was taken back just now, and what may be taken back next."""
    lines = [f"-# ↩️ Taken back: {in_a_line(state.taken_back)}"] if state.taken_back else []
    if state.steps and (state.taken_back or state.answer is not None or state.unsent is not None):
        lines.append(f"-# **Undo** takes back: {in_a_line(state.last_step)}")
    return lines


def in_a_line(said: str) -> str:
    """What a change of a sheet said, short, as something to be read and not as marks of Discord's."""
    shown = cut("; ".join(said.replace("`", "ˋ").strip().split("\n")), MOST_STEP)
    return f"`{shown}`"


def captains(state: PromptState) -> list[str]:
    """What is the reader's own on the sheet, and which captains have confirmed it."""
    team = state.team
    if team is None or not team.awaited:
        return []
    lines: list[str] = []
    if state.reader in team.awaited:
        lines.append(f"-# ⚓ Yours: {', '.join(team.names_of(state.reader))[:MOST_YOURS]}")
    if state.ready:
        return [*lines, "-# 👥 All captains have confirmed."]
    confirmed = team.awaited & team.confirmed if team.missing else frozenset[int]()
    done = f"Confirmed by {mentions(confirmed)}; awaited" if confirmed else "Awaited"
    return [*lines, f"-# 👥 {done}: {mentions(team.missing or team.awaited)}."]


def mentions(user_ids: Iterable[int]) -> str:
    """These people, so that Discord shows their names."""
    return ", ".join(f"<@{user_id}>" for user_id in sorted(user_ids))


def _accepted(how: str, state: PromptState) -> str:
    """That an answer was taken: by which receipt, or from which partner."""
    if state.sent_by:
        return f"{how} by {state.sent_by}."
    return f"{how}, receipt `{state.receipt}`." if state.receipt else f"{how}."


_usual: Remembered[AnyAsk, frozenset[str]] = Remembered(
    lambda ask: frozenset() if ask.default is None else frozenset(ask.read_back(ask.default)), most=16
)
"""What is read back to a side that sends nothing."""


def changed_first(ask: AnyAsk, said: Sequence[str]) -> list[str]:
    """Long orders with what was changed before all else, for a phone shows little at once."""
    usual = _usual(ask) if len(said) > SHORT_READING else frozenset[str]()
    changed = [f"• ✏️ {line}" for line in said if line not in usual]
    if not changed or len(changed) == len(said):
        return [f"• {line}" for line in said]
    return [*changed, "__As it was filled in__", *(f"• {line}" for line in said if line in usual)]
