"""What is played, and the only thing that makes a match run."""
