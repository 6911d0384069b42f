"""Pictures of pages: the same figures in the report and on the live page."""
