"""The tests that touch what changed: ``python -m tests.changed [--since REVISION]``, which is `make test-changed`.

`difference` asks git which files differ, `places` finds the changed lines in the text that `tests.reached` recorded,
`mirror` finds tests of what nothing is recorded of, `choosing` puts all of it in order, and `picking` is the plugin
of pytest that runs it within the time that is allowed.
"""
