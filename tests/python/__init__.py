"""The Python and the packages that an assignment asks for."""
