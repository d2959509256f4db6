"""Stage `report`: renderers of the one result model."""
