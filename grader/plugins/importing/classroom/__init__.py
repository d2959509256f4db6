"""Imports assignments of GitHub Classroom: autograding.json, and workflows with its graders."""
