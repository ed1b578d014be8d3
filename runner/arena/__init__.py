"""Many matches: what is to be played, who plays it, and what it says about the players."""
