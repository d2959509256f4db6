"""The programs that are imported: their languages, the reference, and those whose result is known."""

import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.config.yaml_writer import Writable
