"""One function per verb: each takes values and callbacks and gives values of the model. Nothing here prints."""
