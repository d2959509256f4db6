"""Adds the documents and the samples of `grader demo` to the package, which pyproject.toml cannot."""

from setuptools import find_namespace_packages, setup

ELSEWHERE = {"grader.docs": "docs", "grader.plugins.demo.samples": "."}

setup(packages=[*find_namespace_packages(include=["grader*"]), *ELSEWHERE], package_dir=ELSEWHERE)
