"""Grades a submission or a class: gets outcomes from sessions or the store, judges them, and picks the best variant."""
