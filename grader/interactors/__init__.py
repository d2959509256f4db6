"""The name under which courses know what an interactor is given (docs/interactors.md)."""
