"""Teams of students who submit together, from teams.yaml, teams.csv or the roster's column `team`."""

from grader.intake.class_file import ClassFile
from grader.plugins.teams.shared_attempts import with_teams

TEAMS = ClassFile(before=with_teams)
