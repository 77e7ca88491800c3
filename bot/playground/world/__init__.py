"""The playground's state: users, servers, channels and messages kept in a file, and the functions that change them."""
