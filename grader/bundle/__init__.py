"""Stage `bundle`: what instructors hand to students, so that they can check themselves."""
