"""The import name of the interface for a course's interactors (docs/reference/interactor-protocol.md)."""
