"""A year of one team with memdir: the commands that were typed, the memdirs that they left, and their reports."""
