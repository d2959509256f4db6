"""Rules about the code itself, which is read and never run. Each rule is one class and one line here."""

from grader.rules.code_rule import CodeRule
from grader.rules.functions import MainGuard, NoGlobalVariables, NoNestedFunctions, RequiredFunctions
from grader.rules.hard_coding import HardCodedOutput
from grader.rules.modules import ForbiddenNames, UnchangedModule
from grader.rules.style import Docstrings, HeaderComment, LineLength, NamingStyle

CODE_RULES: tuple[type[CodeRule], ...] = (
    RequiredFunctions,
    MainGuard,
    NoGlobalVariables,
    NoNestedFunctions,
    UnchangedModule,
    ForbiddenNames,
    HeaderComment,
    Docstrings,
    NamingStyle,
    LineLength,
    HardCodedOutput,
)
