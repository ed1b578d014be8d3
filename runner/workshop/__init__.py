"""Work on prompts: lint, ask a logged decision again, compare packs."""
