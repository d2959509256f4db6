"""First files of a course and of an assignment, for instructors to go on from."""
