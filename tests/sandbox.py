"""Tests that need a sandbox are skipped where there is none to be had."""

import shutil

import pytest

from grader.run.sandbox.sandboxes import SandboxStart

MISSING = "needs a sandbox: the package bubblewrap is not installed"
is_missing = shutil.which("bwrap") is None
needs_sandbox = pytest.mark.skipif(is_missing, reason=MISSING)

STARTS = [SandboxStart.FORK, pytest.param(SandboxStart.OWN, marks=pytest.mark.slow)]
"""Both ways in which sandboxes start: the usual one at any time."""
