"""Writing what one command did down in one transaction: journal, reports, sheets, deadline, and the posts about it."""
