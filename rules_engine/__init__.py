"""The rules engine: pure, deterministic, and the only place that ever holds a campaign's state.

Nothing in here reads a clock, a file, the network or a random source. What leaves it is a view made for one
side, or a report with an audience.
"""
