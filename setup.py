"""What pyproject.toml cannot say: the documents of `docs/` belong to the package, as `grader/docs/`."""

from setuptools import find_namespace_packages, setup

setup(
    packages=[*find_namespace_packages(include=["grader*"]), "grader.docs"],
    package_dir={"grader.docs": "docs"},
)
