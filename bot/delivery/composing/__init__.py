"""From plain data to what discord.py sends: rows of buttons and menus, frames of blocks, files."""
