"""Battle hexes (step 4A4): who fights, the sheet, the account, and what it changes."""
