"""Chapters 6.1, 6.2 and 12.4: what each side knows of the other's forces."""
