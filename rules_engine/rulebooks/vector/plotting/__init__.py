"""A turn plotted by chat: the sheet, its words, judging it, and reading it back."""
