"""Tests that need a sandbox are skipped where there is none to be had."""

import shutil

import pytest

MISSING = "needs a sandbox: the package bubblewrap is not installed"
is_missing = shutil.which("bwrap") is None
needs_sandbox = pytest.mark.skipif(is_missing, reason=MISSING)
