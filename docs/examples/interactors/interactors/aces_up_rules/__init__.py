"""The rules of Aces Up, for the interactor."""
