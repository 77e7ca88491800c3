"""Independent flows, run side by side."""

from collections.abc import Mapping
from typing import Any, TypeVar

from rules_engine.core.protocol.asks import Answers, Batch, Steps

T = TypeVar("T")


def together_steps(branches: Mapping[str, Steps[T]]) -> Steps[dict[str, T]]:
    """Run independent flows side by side, in the sorted order of their keys; so are the results.

    The open asks of all are pooled in one batch. Those of one strand are answered together, so that flows of one strand
    go on in lock-step and the order in which answers arrive cannot matter; a flow goes on when it is answered.
    """
    results: dict[str, T] = {}
    pending: dict[str, Batch] = {}
    for key in sorted(branches):
        _advance(key, branches[key], None, pending, results)
    while pending:
        answers: Answers = yield Batch(tuple(ask for key in sorted(pending) for ask in pending[key].asks))
        for key in sorted(pending):
            own: dict[str, Any] = {ask.id: answers[ask.id] for ask in pending[key].asks if ask.id in answers}
            if own or not answers:
                _advance(key, branches[key], own, pending, results)
    return {key: results[key] for key in sorted(results)}


def _advance(
    key: str, branch: Steps[T], answers: Answers | None, pending: dict[str, Batch], results: dict[str, T]
) -> None:
    try:
        pending[key] = next(branch) if answers is None else branch.send(answers)
    except StopIteration as stop:
        pending.pop(key, None)
        results[key] = stop.value
