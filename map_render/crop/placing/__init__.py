"""Where everything on a crop stands: counters, their captions, names, courses, signposts."""
