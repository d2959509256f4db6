"""The import name of an interactor's interface for courses (docs/reference/interactor-protocol.md)."""
