"""Battles in systems, at planets, in lanes and on the ground: the sheet, the account, and what it changes."""
