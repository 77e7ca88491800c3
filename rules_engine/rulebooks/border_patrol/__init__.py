"""Border Patrol (V8.00, 2009), operational movement: its tables, records and the arithmetic of its chapters.

Nobody plays it yet, so the registry of rulebooks does not have it; NOTES.md says what stands and what does not.
"""
