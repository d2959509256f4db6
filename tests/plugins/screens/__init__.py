"""Programs that draw are tested by their screens."""
