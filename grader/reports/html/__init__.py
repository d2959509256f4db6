"""The layout of web pages and the text in them, for plugins that create pages."""
