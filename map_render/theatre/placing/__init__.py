"""Where everything on a theatre stands, before anything is drawn."""
