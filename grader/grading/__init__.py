"""Grades one submission or a class: outcomes from sessions or the store, judged, with the variant that fits best."""
