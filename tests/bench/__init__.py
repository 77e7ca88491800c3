"""``make bench``: how fast the bot is, beside what cannot be faster. See README.md here."""
