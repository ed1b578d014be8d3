"""Two prompt packs against each other: the same model, balanced seats, the same deals."""
