"""Makes bundles, which students run on a bare Python: `grader bundle`.

`bundle` assembles a bundle from the modules that `imports` finds behind its entry, and from `public_content`.
`reached_files` finds the files that checkers and interactors may use. In a bundle, `carried` runs `grader.selfcheck`.
"""
