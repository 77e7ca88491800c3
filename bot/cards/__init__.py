"""What a side is asked, made into text, buttons and menus: plain data, with nothing of Discord's library in it."""
