"""A store on a server promises what every store does."""

from tests.store import test_store

globals().update({name: test for name, test in vars(test_store).items() if name.startswith("test_")})
