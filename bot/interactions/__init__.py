"""What comes in from Discord and is no command: buttons, menus and forms, and how each of them is answered."""
