"""What an ask of a tracked battle shows, whole, as lines that a test writes down by hand."""

from rules_engine.core.forms.forms import Field
from rules_engine.core.protocol.asks import AnyAsk


def card(ask: AnyAsk) -> list[str]:
    """All words of an ask: its text, its question, its sheet and what its default comes to."""
    question = ask.question
    assert question is not None
    said = [ask.title, *ask.text.splitlines(), f"{question.heading} {question.situation}"]
    said += [
        f"a {question.noun}; others {question.others}",
        *(f"[{one.label}] {one.values}" for one in question.offers),
    ]
    for line in ask.form.lines:
        said += [f"{line.key} = {line.label}" + (f": {line.note}" if line.note else ""), *map(_field, line.fields)]
    return [*said, ask.default_says]


def _field(field: Field) -> str:
    """``  at: Hex (text) = 5050, optional; column and row``."""
    chosen = [one.value if one.value == one.label else f"{one.value} {one.label}" for one in field.choices]
    bounds = f" {field.least}-{field.most}" if field.kind == "number" else ""
    bounds += f" up to {field.most}" if field.kind == "text" else ""
    of = f" of {', '.join(chosen)}" if chosen else ""
    value = "" if field.value is None else f" = {field.value}"
    ends = (", optional" if field.optional else "") + (f"; {field.help}" if field.help else "")
    return f"  {field.key}: {field.label} ({field.kind}{bounds}{of}){value}{ends}"
