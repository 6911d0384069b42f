"""What ``worldsim depletion`` prints: plain tables for programs, a report for people."""
