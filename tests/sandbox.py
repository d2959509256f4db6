"""Tests that need a sandbox are skipped where there is none to be had."""

import shutil

import pytest

MISSING = "needs a sandbox: the package bubblewrap is not installed"
needs_sandbox = pytest.mark.skipif(shutil.which("bwrap") is None, reason=MISSING)
