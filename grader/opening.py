"""How files that others may have put in place are opened."""

import os

READ = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
"""For reading: no link is followed and nothing is waited for, as far as the system knows how to ask for that."""
