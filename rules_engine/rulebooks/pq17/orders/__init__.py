"""What players write: answers to sheets, and standing orders."""
