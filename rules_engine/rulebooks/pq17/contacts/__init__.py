"""Chapters 6.1, 6.2 and 12.4: what one side holds of the other."""
