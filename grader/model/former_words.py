"""Words of earlier versions, which files may still hold, as marks on the type hints of what took their place.

They stand in `Annotated`, so that models of YAML files and plain dataclasses of options can both have them:

    variables: Annotated[dict[str, object], FormerKey("given")]
    isolation: Annotated[Isolation, FormerValue("prepared", Isolation.FORK)]
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class FormerKey:
    """The field that is marked was called `key` before."""

    key: str


@dataclass(frozen=True)
class FormerValue:
    """The text `value` was written before where `present` is written now."""

    value: str
    present: str
