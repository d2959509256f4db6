"""Teams: students who hand in one submission together, as teams.yaml, teams.csv or the roster's column `team` says."""

from grader.intake.class_file import ClassFile
from grader.plugins.teams.shared_attempts import with_teams

TEAMS = ClassFile(before=with_teams)
