"""What the cards seen in a match of Coup say about the unseen ones: evidence, and how likely each distribution is."""
