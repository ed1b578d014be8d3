"""What a viewer is shown of a match, frame by frame."""
