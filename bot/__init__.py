"""The Discord bot that referees campaigns, and all that is needed to run it."""
