"""The finders of this plugin."""

from grader.judge.causes import ending
from grader.judge.evidence import CauseFamily
from grader.plugins.screens.causes import draws, wrong_screen

SCREENS = CauseFamily(finders=(), before={ending.no_output: (draws, wrong_screen)})
