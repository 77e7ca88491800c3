"""Rules coverage: which rule of each book a test proves, and which is explained instead."""
