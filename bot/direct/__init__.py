"""Plain messages that people write to the bot: orders are read and offered to be saved, a few words are answered."""
