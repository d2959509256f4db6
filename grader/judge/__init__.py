"""The `judge` stage: compares a program's behaviour with the expected behaviour, and explains the differences."""
