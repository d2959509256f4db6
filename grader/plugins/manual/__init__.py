"""The manual, offline: `contents` has the order of its pages, `pages` finds and reads them, `command` shows them."""
