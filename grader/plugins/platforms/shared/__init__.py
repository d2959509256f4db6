"""Code that several platforms share: gradebooks, matching of students, texts, and the grader packed for upload."""
