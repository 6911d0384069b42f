"""What happened: one typed kind per event, and the journal that writes them down."""
