"""How long a test waits for what must come. It waits for events; no test needs the machine to be quick."""

PATIENCE = 120.0
"""Seconds after which a test gives up: a net under a bot that hangs, and no measure of how quick anything is. Ten busy
processes on two cores must not make a test fall into it."""
