"""Property tests here have no time limit for each example: a busy machine must not look like a defect."""

from hypothesis import settings

settings.register_profile("core", deadline=None)
settings.load_profile("core")
