"""What the results of a class have in common: mistakes, tests that work, programs that are alike."""
