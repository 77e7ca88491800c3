"""``python -m bot.cli``: the same as ``plotroom``."""

from bot.cli import main

main()
