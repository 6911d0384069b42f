"""Pictures of what is stored. Nothing is imported here: matplotlib is an extra and loads slowly."""
