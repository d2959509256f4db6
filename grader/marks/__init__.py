"""Stage `marks`: points and late policies as pure functions of results and times."""
