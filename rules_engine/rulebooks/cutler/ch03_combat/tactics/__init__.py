"""Chapters 3.4 to 3.7 for who flies a battle by a tracker: its units, how they are set up, and what counts for it."""
