"""Dossiers: what a side knows of each other side, by source, age and confidence; made of what it was told and sees."""
