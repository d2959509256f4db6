"""The name under which courses know what an interactor is given (docs/reference/interactor-protocol.md)."""
