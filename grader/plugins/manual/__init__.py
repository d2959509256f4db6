"""The manual, offline: `contents` orders its pages, `pages` finds and reads them, `command` shows them."""
