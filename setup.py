"""What pyproject.toml cannot say: the documents and the samples of `grader demo` belong to the package."""

from setuptools import find_namespace_packages, setup

ELSEWHERE = {"grader.docs": "docs", "grader.plugins.demo.samples": "."}

setup(packages=[*find_namespace_packages(include=["grader*"]), *ELSEWHERE], package_dir=ELSEWHERE)
