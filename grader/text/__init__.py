"""Works on plain text: escapes, quotations, differences, numbers and times in words, cells of CSV files."""
