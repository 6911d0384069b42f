"""What is true at one instant: the map, the reserves, colonies and teams, and their balance."""
