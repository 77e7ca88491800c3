"""The theatre: a whole map with its header, numbered places, courses, facts and legend."""
