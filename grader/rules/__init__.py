"""Rules about the code itself, which is read and never run. Each rule is one class and one line here."""

from grader.rules import functions, hard_coding, modules, style
from grader.rules.source import CodeRule

CODE_RULES: tuple[type[CodeRule], ...] = (
    functions.RequiredFunctions,
    functions.UsedFunctions,
    functions.OwnFunctions,
    functions.MainGuard,
    functions.NoGlobalVariables,
    functions.NoNestedFunctions,
    modules.UnchangedModule,
    modules.ForbiddenNames,
    style.HeaderComment,
    style.Docstrings,
    style.NamingStyle,
    style.LineLength,
    hard_coding.HardCodedOutput,
)
