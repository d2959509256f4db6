"""Tests of `grader.report.html`."""
