"""Works with plain text: escapes, quotations, differences, numbers and times in words, and CSV cells."""
