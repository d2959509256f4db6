"""Says what the words of a report and the keys of files mean, as the documents do: `grader explain`."""
