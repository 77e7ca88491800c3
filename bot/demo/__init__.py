"""A scripted campaign through the playground: the same path that people take, without a browser."""
