"""The live page: runs and studies of a folder, looked at in a browser on the same machine."""
