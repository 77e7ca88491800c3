"""Forms as JSON has them, to compare all that a form says."""

import json
from typing import Any

from rules_engine.core.forms.forms import Form


def form_document(form: Form) -> dict[str, Any]:
    """All that a form says."""
    lines = [
        {
            **line._asdict(),
            "fields": [
                {**field._asdict(), "choices": [choice._asdict() for choice in field.choices]} for field in line.fields
            ],
        }
        for line in form.lines
    ]
    return {"lines": lines, "absent": [one._asdict() for one in form.absent]}


def form_text(form: Form) -> str:
    """All that a form says, as one text."""
    return json.dumps(form_document(form), ensure_ascii=False)
