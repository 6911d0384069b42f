"""The views of the page: each takes what the address says and gives what is shown."""
