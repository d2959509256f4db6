"""What an assignment is: reads assignment.yaml and tests/*.yaml into an Assignment, checked as a whole."""
