"""Load what a command in a process of its own loads only when it is needed: most of what is forked needs it."""

import gc

import map_render.render  # noqa: F401
from bot import cli  # noqa: F401
from rules_engine import rulebooks

for _key in rulebooks.installed():
    rulebooks.rulebook(_key)
rulebooks.tracker()

gc.collect()
gc.freeze()  # no command looks for garbage among it again
