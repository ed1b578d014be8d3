"""Pack comparison: two prompt packs with the same model, balanced seats and the same deals."""
