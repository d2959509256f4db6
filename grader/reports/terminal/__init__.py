"""Results as lines of text for terminals, without colours if the terminal does not support them."""
