"""Reads the descriptions of keys: the text below each field of a model, or each member of an enumeration.

They are read from the source when a schema is made, so that other commands do not spend time on it.
"""

import ast
import inspect
from functools import cache
from itertools import pairwise
from textwrap import dedent


def descriptions(model: type) -> dict[str, str]:
    """Map the fields of a class and of its bases to their descriptions."""
    return {field: text for kind in reversed(model.__mro__) for field, text in _below_fields(kind).items()}


@cache
def _below_fields(kind: type) -> dict[str, str]:
    """Map the fields of a class to the strings below them; a class without source has none."""
    try:
        definition = ast.parse(dedent(inspect.getsource(kind))).body[0]
    except (OSError, TypeError):
        return {}
    texts = {}
    for statement, following in pairwise(definition.body if isinstance(definition, ast.ClassDef) else ()):
        match statement, following:
            case (
                ast.AnnAssign(target=ast.Name(id=field)) | ast.Assign(targets=[ast.Name(id=field)]),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                texts[field] = " ".join(text.split())
    return texts
