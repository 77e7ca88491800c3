"""Battles that are played by hand: telling their parties which accounts came, which differ, and what follows.

The comparing itself is the rulebook's: :attr:`Ask.agree`.
"""
