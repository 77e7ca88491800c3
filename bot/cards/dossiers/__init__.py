"""Dossiers on a phone: a heading for each opponent, what is known of one, and all that is known of one thing."""
