"""The test suite. Its folders mirror those of `grader`."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
