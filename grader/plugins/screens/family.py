"""The finders of this plugin."""

from grader.judge.causes import ending, limits
from grader.judge.evidence import CauseFamily
from grader.plugins.screens.finders import draws, wrong_screen
from grader.plugins.screens.never_waited import never_waited
from grader.plugins.screens.outside import with_size

SCREENS = CauseFamily(
    finders=(),
    before={ending.no_output: (draws, wrong_screen), limits.stopped: (never_waited,)},
    complete=with_size,
)
