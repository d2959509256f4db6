"""`python -m grader`"""

from grader.cli.main import main

main()
