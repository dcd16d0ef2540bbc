"""Health: what a monthly report tells of the memdirs, and what to do about it. Numbers, keys and ids; no content."""
