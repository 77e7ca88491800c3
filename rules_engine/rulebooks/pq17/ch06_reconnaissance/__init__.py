"""Chapters 6.3 and 7: searches and shadowing."""
