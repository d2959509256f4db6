"""What runs on a student's machine, and the bundle that carries it there."""
