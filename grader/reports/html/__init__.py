"""The frame of web pages and the text in them, for plugins that make pages."""
