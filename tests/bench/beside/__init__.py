"""The engine of another checkout and this one's: the same play, in turns, in one run."""
