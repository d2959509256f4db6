"""Results as lines for a terminal, without colours if it has none."""
