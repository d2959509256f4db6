"""Results as lines for a terminal, without colours where there is none."""
