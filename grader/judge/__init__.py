"""Stage `judge`: compares what a program did with what it should do, and says what is different and why."""
