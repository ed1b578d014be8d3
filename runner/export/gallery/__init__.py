"""The gallery: a static site of replays and standings."""
