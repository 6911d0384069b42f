"""Reports: one HTML file each, which needs nothing else and asks nobody for anything."""
