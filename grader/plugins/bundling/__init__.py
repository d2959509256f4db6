"""Makes bundles, which students can run with plain Python: `grader bundle`.

`bundle` assembles a bundle from the modules that its entry point imports (found by `imports`) and from
`public_content`. `reached_files` finds the files that checkers and interactors may use. A bundle runs `entry`, which
reads the bundle's `content`. `explain` explains words of a report.
"""
