"""Web pages about a class. A module gathers what a page shows; a template says how."""
