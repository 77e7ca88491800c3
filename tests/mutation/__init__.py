"""Are the tests able to notice? Draws small changes of a rulebook, makes each, and runs the tests that reach it.

``make mutate SEED=1 COUNT=25`` or ``python -m tests.mutation``; the page beside this file says how it chooses.
"""
