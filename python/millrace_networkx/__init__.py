"""The backend `millrace` of NetworkX. Nothing is imported here: NetworkX asks for `info` whenever it is imported."""
