"""Those from the sixteenth on: a folder has at most fifteen files."""
