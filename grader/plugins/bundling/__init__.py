"""Makes bundles, which students run on a bare Python: `grader bundle`.

`bundle` puts a bundle together, of the modules behind its entry that `imports` finds, and of `public_content`.
`reached_files` finds what checkers and interactors may use. What runs in a bundle is `grader.selfcheck`.
"""
